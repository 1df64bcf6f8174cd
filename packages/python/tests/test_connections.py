from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import httpx
import pytest

from memory_service import APITimeoutError, AsyncMemoryClient, MemoryClient, MemoryServiceError

from .bench import API_KEY, STATS
from .scripted import Handler, Received, Step, drips, drips_headers, fails, keeps_silent, ok, scripted_server


async def until(is_so: Callable[[], bool]) -> None:
    """Waits until something is so; the test's own time limit ends what never is."""
    while not is_so():
        await asyncio.sleep(0.005)


@pytest.mark.parametrize("fault", [keeps_silent, drips])
async def test_cancelled_tasks_leave_no_connection_behind(fault: Step) -> None:
    def step(handler: Handler, received: Received) -> None:
        (ok(STATS) if received.path.endswith("/stats") else fault)(handler, received)

    http = httpx.AsyncClient(limits=httpx.Limits(max_connections=10))
    with scripted_server(step) as server:
        client = AsyncMemoryClient(API_KEY, base_url=server.url, http_client=http)
        for _ in range(5):
            before = len(server.received)
            # More than there are connections: some wait for one.
            tasks = [asyncio.ensure_future(client.engine.brain()) for _ in range(30)]
            await until(lambda most=before + 10: len(server.received) >= most)  # type: ignore[misc]
            for task in tasks:
                task.cancel()
            assert all(isinstance(each, asyncio.CancelledError) for each in await asyncio.gather(*tasks, return_exceptions=True))
            assert connections_of(http) == []
            # Were one lost each time, there would be none left for these.
            assert await asyncio.gather(*(client.text.stats() for _ in range(20))) == [STATS] * 20
        await http.aclose()


async def test_time_outs_leave_no_connection_behind() -> None:
    http = httpx.AsyncClient(limits=httpx.Limits(max_connections=2))
    with scripted_server(keeps_silent) as server:
        client = AsyncMemoryClient(API_KEY, base_url=server.url, http_client=http, timeout=0.05, max_retries=0)
        for _ in range(5):
            with pytest.raises(APITimeoutError):
                await client.text.stats()
            assert connections_of(http) == []
        await http.aclose()


async def test_an_asynchronous_attempt_ends_in_time_though_headers_keep_coming() -> None:
    http = httpx.AsyncClient()
    with scripted_server(drips_headers) as server:
        client = AsyncMemoryClient(API_KEY, base_url=server.url, http_client=http, timeout=0.2, max_retries=0)
        with pytest.raises(APITimeoutError, match="No whole answer to GET .* within 0.2 s"):
            await client.text.stats()
        assert connections_of(http) == []
        await http.aclose()


def test_a_file_may_take_longer_than_the_time_limit_while_more_of_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)

    class Pieces(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            nonlocal now
            for piece in (b"P", b"K", b"!"):
                now += 40
                yield piece

    with httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200, stream=Pieces()))) as http:
        client = MemoryClient(API_KEY, http_client=http, timeout=60, max_retries=0)
        assert client.users.download_export("id") == b"PK!"
        with pytest.raises(APITimeoutError):
            client.text.stats()


async def test_so_it_may_asynchronously(monkeypatch: pytest.MonkeyPatch) -> None:
    loop = asyncio.get_running_loop()
    now = loop.time()
    monkeypatch.setattr(loop, "time", lambda: now)

    class Pieces(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            nonlocal now
            for piece in (b"P", b"K", b"!"):
                now += 40
                # The loop looks at what is due.
                for _ in range(3):
                    await asyncio.sleep(0)
                yield piece

    async with httpx.AsyncClient(transport=httpx.MockTransport(lambda _: httpx.Response(200, stream=Pieces()))) as http:
        client = AsyncMemoryClient(API_KEY, http_client=http, timeout=60, max_retries=0)
        assert await client.users.download_export("id") == b"PK!"
        with pytest.raises(APITimeoutError):
            await client.text.stats()


def connections_of(http: httpx.Client | httpx.AsyncClient) -> list[Any]:
    """Those in use, idle ones apart."""
    transport: Any = http._transport  # pyright: ignore[reportPrivateUsage]
    return [each for each in transport._pool.connections if not each.is_idle()]


async def test_a_cancelled_pause_ends_the_call() -> None:
    waiting = asyncio.Event()

    async def wait(seconds: float) -> None:
        waiting.set()
        await asyncio.Event().wait()

    def step(handler: Handler, received: Received) -> None:
        handler.send_error(503)

    with scripted_server(step) as server:
        async with AsyncMemoryClient(API_KEY, base_url=server.url, wait=wait) as client:
            task = asyncio.ensure_future(client.text.stats())
            await waiting.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert len(server.received) == 1


def test_leaving_a_client_closes_its_connections_and_not_those_it_was_given() -> None:
    with scripted_server(ok(STATS)) as server:
        with MemoryClient(API_KEY, base_url=server.url) as client:
            client.text.stats()
            ada = client.for_subject("ada")
        for closed in (client.text.stats, lambda: ada.text.recall(query="a"), lambda: next(client.notifications.stream())):
            with pytest.raises(MemoryServiceError, match="The client is closed"):
                closed()
        client.close()
        with httpx.Client() as http:
            with MemoryClient(API_KEY, base_url=server.url, http_client=http) as client:
                client.text.stats()
            assert http.get(server.url).status_code == 200
            with pytest.raises(MemoryServiceError, match="The client is closed"):
                client.text.stats()
        # Nor is one of use whose connections were closed by whoever gave them.
        with pytest.raises(MemoryServiceError, match="The client is closed"):
            MemoryClient(API_KEY, base_url=server.url, http_client=http).text.stats()


async def test_leaving_an_asynchronous_client_does_too() -> None:
    with scripted_server(ok(STATS)) as server:
        async with AsyncMemoryClient(API_KEY, base_url=server.url) as client:
            await client.text.stats()
        with pytest.raises(MemoryServiceError, match="The client is closed"):
            await client.text.stats()
        await client.close()
        async with httpx.AsyncClient() as http:
            async with AsyncMemoryClient(API_KEY, base_url=server.url, http_client=http) as client:
                await client.text.stats()
            assert (await http.get(server.url)).status_code == 200
            with pytest.raises(MemoryServiceError, match="The client is closed"):
                await client.text.stats()
        with pytest.raises(MemoryServiceError, match="The client is closed"):
            await AsyncMemoryClient(API_KEY, base_url=server.url, http_client=http).text.stats()


def test_an_asynchronous_client_works_in_one_event_loop_after_another() -> None:
    connections: set[int] = set()

    def step(handler: Handler, received: Received) -> None:
        connections.add(handler.client_address[1])
        ok(STATS)(handler, received)

    with scripted_server(step) as server:
        client = AsyncMemoryClient(API_KEY, base_url=server.url, max_retries=0)

        async def twice() -> list[Any]:
            return [await client.text.stats() for _ in range(2)]

        for _ in range(4):
            assert asyncio.run(twice()) == [STATS] * 2
        # Those of a loop are kept for it.
        assert len(connections) == 4
        asyncio.run(client.close())
        with pytest.raises(MemoryServiceError, match="The client is closed"):
            asyncio.run(twice())


def test_an_exchange_of_tokens_that_ended_with_its_event_loop_is_made_anew() -> None:
    asked = threading.Event()

    def step(handler: Handler, received: Received) -> None:
        if received.path == "/v1/auth/refresh" and not asked.is_set():
            asked.set()
            keeps_silent(handler, received)
        elif received.path == "/v1/auth/refresh":
            ok({"access_token": "new", "refresh_token": "r2"})(handler, received)
        elif received.headers.get("authorization") == "Bearer new":
            ok(STATS)(handler, received)
        else:
            fails(401, "Token expired")(handler, received)

    with scripted_server(step) as server:
        client = AsyncMemoryClient(base_url=server.url, access_token="old", refresh_token="r1")
        # Ended without a word to its tasks, as no `asyncio.run` does.
        loop = asyncio.new_event_loop()
        task = loop.create_task(client.text.stats())
        loop.run_until_complete(asyncio.to_thread(asked.wait, 30))
        loop.close()
        assert asyncio.run(client.text.stats()) == STATS
        asyncio.run(client.close())
        del task


def test_threads_share_a_client_and_its_connections() -> None:
    seen: set[int] = set()

    def step(handler: Handler, received: Received) -> None:
        seen.add(handler.client_address[1])
        ok(STATS)(handler, received)

    with scripted_server(step) as server, MemoryClient(API_KEY, base_url=server.url) as client:
        answered: list[Any] = []
        threads = [threading.Thread(target=lambda: answered.extend(client.text.stats() for _ in range(10))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert answered == [STATS] * 80
    assert len(seen) <= 8
