"""Both clients behind one manner of calling, so that each test holds for both."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from memory_service import AsyncMemoryClient, MemoryClient

API_KEY = "mem_test_0123456789"

STATS = {"total_patterns": 1, "embedding_dim": 384, "storage_bytes": 10}


class Bench:
    """A client that does not really wait between attempts."""

    def __init__(self, is_async: bool, **options: Any) -> None:
        self.waits: list[float] = []
        self._loop = asyncio.new_event_loop() if is_async else None
        if "access_token" not in options and "refresh_token" not in options:
            options.setdefault("api_key", API_KEY)
        self.client: Any
        if is_async:
            options.setdefault("wait", self._wait_async)
            self.client = AsyncMemoryClient(**options)
        else:
            options.setdefault("wait", self.waits.append)
            self.client = MemoryClient(**options)

    async def _wait_async(self, seconds: float) -> None:
        self.waits.append(seconds)

    def call(self, work: Callable[[Any], Any]) -> Any:
        """What a method answers; of an iterator, a list of all its items."""
        return self.settle(work(self.client))

    def settle(self, result: Any) -> Any:
        if self._loop is None:
            return list(result) if isinstance(result, Iterator) else result
        if isinstance(result, AsyncIterator):
            return self._loop.run_until_complete(_all(result))
        return self._loop.run_until_complete(result) if inspect.isawaitable(result) else result

    def close(self) -> None:
        self.settle(self.client.close())
        if self._loop is not None:
            # As asyncio.run does.
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()


async def _all(items: AsyncIterator[Any]) -> list[Any]:
    return [item async for item in items]
