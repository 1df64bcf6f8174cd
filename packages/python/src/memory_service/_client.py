"""The clients."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Literal

import httpx

from ._calls import AsyncCalls, AsyncTransport, SyncCalls, SyncTransport
from ._core import Core
from ._generated.aio import AsyncMemory
from ._generated.sync import Memory
from ._sendable import subject_of
from ._settings import (
    MAX_RETRIES_DEFAULT,
    MAX_RETRY_AFTER_DEFAULT,
    TIMEOUT_DEFAULT,
    Attempt,
    Settings,
    Tokens,
    read_key,
    read_max_retries,
    read_max_retry_after,
    read_timeout,
    read_url,
)


class MemoryClient(Memory):
    """
    The Memory Service's API, each operation as a method: `client.text.store(text="…")`. A method takes the ids of its path in
    their order, the fields of its body or query by their names, and `CallOptions`; it raises a `MemoryServiceError`: an
    `APIError` for what the service answered, `APIConnectionError` or `APITimeoutError` without a whole answer.

    Args:
        api_key: For servers and scripts: a key of an organization. MEMORY_SERVICE_API_KEY unless this, a token or
            `on_tokens` is given.
        base_url: Where the service is. MEMORY_SERVICE_URL, or http://127.0.0.1:8000, unless given.
        access_token: For users: what signing in gave.
        refresh_token: Lets the client get a new access token when the old one has expired. It works once: see `on_tokens`.
        on_tokens: Hears of new tokens, and of none after signing out, so that they can be kept.
        organization_id: With an access token: the organization, else that of the oldest membership. A key is of one.
        environment: With an access token: the space; live unless given. A key is of one: beside it another is a TypeError.
        timeout: Time limit of each attempt, in seconds; there always is one. Of a `MemoryClient` it is that of each wait, for a
            connection and for each piece of what comes, until the headers of the answer are there: one that sends them bit by
            bit is given longer. Of a file it is that of each piece that comes, whichever client.
        max_retries: How often a call is tried again that may be: it reads, or stores under an idempotency key, or was not begun
            (429).
        max_retry_after: The longest wait in seconds that an answer may ask for; what asks for a longer one raises at once.
        default_headers: Further headers of every request.
        debug: Hears of every attempt, without content and credentials; the logger `memory_service` tells the same.
        http_client: Sends the requests instead of a client of its own; whoever gives it closes it.
        wait: Waits between attempts instead of `time.sleep`; for tests.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        access_token: str | None = None,
        refresh_token: str | None = None,
        on_tokens: Callable[[Tokens], None] | None = None,
        organization_id: str | None = None,
        environment: Literal["live", "test"] | None = None,
        timeout: float = TIMEOUT_DEFAULT,
        max_retries: int = MAX_RETRIES_DEFAULT,
        max_retry_after: float = MAX_RETRY_AFTER_DEFAULT,
        default_headers: Mapping[str, str] | None = None,
        debug: Callable[[Attempt], None] | None = None,
        http_client: httpx.Client | None = None,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        tokens = Tokens(access_token, refresh_token)
        settings = Settings(
            base_url=read_url(base_url),
            api_key=read_key(api_key, tokens, expects_tokens=on_tokens is not None),
            organization_id=organization_id,
            environment=environment,
            timeout=read_timeout(timeout),
            max_retries=read_max_retries(max_retries),
            max_retry_after=read_max_retry_after(max_retry_after),
            headers=default_headers or {},
            debug=debug,
            on_tokens=on_tokens,
        )
        self._transport = SyncTransport(Core(settings, tokens), http_client, wait)
        super().__init__(SyncCalls(self._transport))

    @property
    def tokens(self) -> Tokens:
        """The tokens that the client has now."""
        return self._transport.core.tokens

    def for_subject(self, subject: str) -> Memory:
        """
        The same client for one end user: whatever it stores, finds and removes is that user's. An operation that can't be
        kept to one raises TypeError, and one that names another raises ValueError. It closes with this client.
        """
        return Memory(SyncCalls(self._transport, subject_of(subject)))

    def close(self) -> None:
        """Closes its connections."""
        self._transport.close()

    def __enter__(self) -> MemoryClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class AsyncMemoryClient(AsyncMemory):
    """
    `MemoryClient` for asyncio: the same arguments, and the same methods to await. It may be used in one event loop after another,
    where it has connections anew; an `http_client` that it is given is of one.
    """

    def __init__(
        self,
        api_key: str | None = None,
        *,
        base_url: str | None = None,
        access_token: str | None = None,
        refresh_token: str | None = None,
        on_tokens: Callable[[Tokens], None] | None = None,
        organization_id: str | None = None,
        environment: Literal["live", "test"] | None = None,
        timeout: float = TIMEOUT_DEFAULT,
        max_retries: int = MAX_RETRIES_DEFAULT,
        max_retry_after: float = MAX_RETRY_AFTER_DEFAULT,
        default_headers: Mapping[str, str] | None = None,
        debug: Callable[[Attempt], None] | None = None,
        http_client: httpx.AsyncClient | None = None,
        wait: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        tokens = Tokens(access_token, refresh_token)
        settings = Settings(
            base_url=read_url(base_url),
            api_key=read_key(api_key, tokens, expects_tokens=on_tokens is not None),
            organization_id=organization_id,
            environment=environment,
            timeout=read_timeout(timeout),
            max_retries=read_max_retries(max_retries),
            max_retry_after=read_max_retry_after(max_retry_after),
            headers=default_headers or {},
            debug=debug,
            on_tokens=on_tokens,
        )
        self._transport = AsyncTransport(Core(settings, tokens), http_client, wait)
        super().__init__(AsyncCalls(self._transport))

    @property
    def tokens(self) -> Tokens:
        """The tokens that the client has now."""
        return self._transport.core.tokens

    def for_subject(self, subject: str) -> AsyncMemory:
        """See `MemoryClient.for_subject`."""
        return AsyncMemory(AsyncCalls(self._transport, subject_of(subject)))

    async def close(self) -> None:
        """Closes its connections."""
        await self._transport.close()

    aclose = close

    async def __aenter__(self) -> AsyncMemoryClient:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()
