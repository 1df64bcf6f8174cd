from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from .bench import Bench
from .scripted import Scripted, Step, scripted_server

NewBench = Callable[..., tuple[Bench, Scripted]]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine has set is no part of a test."""
    for name in ("MEMORY_SERVICE_URL", "MEMORY_SERVICE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(params=["sync", "async"])
def is_async(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "async")


@pytest.fixture
def new_bench(is_async: bool) -> Iterator[NewBench]:
    """Makes a client of a server that follows steps."""
    with ExitStack() as stack:

        def make(*steps: Step, **options: Any) -> tuple[Bench, Scripted]:
            server = stack.enter_context(scripted_server(*steps))
            bench = Bench(is_async, **{"base_url": server.url, **options})
            stack.callback(bench.close)
            return bench, server

        yield make
