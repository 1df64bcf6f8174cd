"""Following `notifications.stream`, over a server that ends it, breaks it, falls silent and says nonsense."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any

import httpx
import pytest

from memory_service import (
    APIConnectionError,
    APIError,
    AsyncMemoryClient,
    InvalidAnswerError,
    MemoryClient,
    MemoryServiceError,
    NotificationEvent,
    RateLimitError,
    ServerError,
)
from memory_service._core import pause_of_stream
from memory_service._errors import error_of
from memory_service._events import EventReader

from .bench import API_KEY, STATS, Bench
from .conftest import NewBench
from .scripted import Handler, Received, Step, answers, fails, hangs_up, ok, scripted_server
from .test_connections import connections_of, until


def told(number: int, title: str = "A title") -> bytes:
    notification = {"id": f"not_{number}", "title": title}
    return f"id: {number}\nevent: notification\ndata: {json.dumps(notification, ensure_ascii=False)}\n\n".encode()


def unread(number: int, count: int = 0) -> bytes:
    return f'id: {number}\nevent: unread\ndata: {{"unread_count":{count}}}\n\n'.encode()


def streams(*parts: bytes, end: str = "ends") -> Step:
    """Answers events, and then ends the stream, breaks it off, or leaves it open and silent."""

    def step(handler: Handler, _: Received) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for part in (b"retry: 1000\n\n", *parts):
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        handler.wfile.flush()
        if end == "ends":
            handler.wfile.write(b"0\r\n\r\n")
        elif end == "breaks":
            handler.cut()
        else:
            handler.script.closing.wait()

    return step


def first(bench: Bench, count: int, **options: Any) -> list[NotificationEvent]:
    """So many events, after which the stream is closed."""
    events = bench.client.notifications.stream(**options)
    if isinstance(events, AsyncIterator):
        return bench.settle(_first(events, count))  # type: ignore[no-any-return]
    found = [next(events) for _ in range(count)]
    events.close()
    return found


async def _first(events: Any, count: int) -> list[NotificationEvent]:
    async with aclosing(events):
        return [await anext(events) for _ in range(count)]


@pytest.mark.parametrize("end", ["ends", "breaks"])
def test_it_goes_on_after_the_last_event_that_was_told(new_bench: NewBench, end: str) -> None:
    bench, server = new_bench(
        streams(unread(1, 3), b": still here\n\n", told(2), end=end),
        hangs_up,
        streams(told(3), unread(4), b"event: of a later release\ndata: {}\n\nid: 5\n\n", end=end),
        fails(503, "not now", {"Retry-After": "2"}),
        streams(told(6), end="stays"),
    )
    assert first(bench, 5) == [
        {"event": "unread", "id": "1", "data": {"unread_count": 3}},
        {"event": "notification", "id": "2", "data": {"id": "not_2", "title": "A title"}},
        {"event": "notification", "id": "3", "data": {"id": "not_3", "title": "A title"}},
        {"event": "unread", "id": "4", "data": {"unread_count": 0}},
        {"event": "notification", "id": "6", "data": {"id": "not_6", "title": "A title"}},
    ]
    assert [each.headers.get("last-event-id") for each in server.received] == [None, "2", "2", "5", "5"]
    assert all(each.path == "/v1/notifications/stream" for each in server.received)
    assert len(bench.waits) == 4 and 3 <= bench.waits[3] <= 4.5 and max(bench.waits[:3]) <= 2.5


def test_it_begins_after_an_event_that_is_known(new_bench: NewBench) -> None:
    bench, server = new_bench(streams(told(8)))
    assert first(bench, 1, last_event_id="7", headers={"X-More": "1"})[0]["id"] == "8"
    assert (server.received[0].headers["last-event-id"], server.received[0].headers["x-more"]) == ("7", "1")


def test_a_stream_that_falls_silent_is_another_one(new_bench: NewBench) -> None:
    def step(handler: Handler, received: Received) -> None:
        streams(told(2) if "last-event-id" in received.headers else unread(1), end="stays")(handler, received)

    # A slow machine may well need more than two, as an answer of theirs can take that long too.
    bench, server = new_bench(step)
    assert [each["id"] for each in first(bench, 2, timeout=0.1)] == ["1", "2"]
    assert server.received[0].headers.get("last-event-id") is None
    assert server.received[-1].headers["last-event-id"] == "1"


def test_what_connecting_again_does_not_help_is_raised(new_bench: NewBench) -> None:
    for step, error, match in [
        (fails(401, "Invalid API key"), APIError, "Invalid API key"),
        (fails(403, "Insufficient scope: notifications:read required"), APIError, "notifications:read"),
        (ok(STATS), InvalidAnswerError, "no stream of events"),
        (answers(200, b"<html>"), InvalidAnswerError, "no stream of events"),
        (streams(b"id: 2\nevent: unread\ndata: {\n\n"), InvalidAnswerError, "is no JSON"),
    ]:
        bench, server = new_bench(streams(unread(1)), step)
        with pytest.raises(error, match=match):
            first(bench, 2)
        assert len(server.received) == 2
    bench, server = new_bench(ok(STATS))
    events = bench.client.for_subject("ada").notifications.stream()
    with pytest.raises(TypeError, match="can't be kept to one end user"):
        bench.settle(anext(events) if isinstance(events, AsyncIterator) else next(events))
    assert server.received == []


def test_it_tries_to_connect_without_end_or_so_often_in_a_row(new_bench: NewBench) -> None:
    bench, server = new_bench(*[fails(503, "not now")] * 30, streams(unread(1)))
    assert first(bench, 1)[0]["id"] == "1"
    assert len(server.received) == 31 and max(bench.waits) <= 10
    bench, server = new_bench(*[fails(429, "Too many streams are open", {"Retry-After": "3600"})] * 2, streams(unread(1)))
    assert first(bench, 1)[0]["id"] == "1"
    assert max(bench.waits) <= 12.5
    bench, server = new_bench(hangs_up, streams(unread(1)), hangs_up, fails(503, "not now"), fails(500, "no"))
    with pytest.raises(ServerError, match="no"):
        first(bench, 2, max_retries=2)
    assert len(server.received) == 5


def test_a_look_ends_with_its_time_and_raises_what_breaks_it(new_bench: NewBench) -> None:
    bench, server = new_bench(fails(503, "not now"), streams(unread(1), told(2)))
    looked = bench.call(lambda client: client.notifications.stream(max_seconds=5, last_event_id="0"))
    assert [each["id"] for each in looked] == ["1", "2"]
    assert [each.path.partition("?")[2] for each in server.received] == ["max_seconds=5"] * 2
    bench, server = new_bench(streams(unread(1), end="breaks"))
    with pytest.raises(APIConnectionError, match="The stream of .*/v1/notifications/stream broke off"):
        bench.call(lambda client: client.notifications.stream(max_seconds=5))
    bench, server = new_bench(fails(429, "Too many streams are open"), max_retries=1)
    with pytest.raises(RateLimitError):
        bench.call(lambda client: client.notifications.stream(max_seconds=5))
    assert len(server.received) == 2


def test_an_expired_token_is_renewed_on_the_way(new_bench: NewBench) -> None:
    def step(handler: Handler, received: Received) -> None:
        if received.path == "/v1/auth/refresh":
            ok({"access_token": "new", "refresh_token": "r2"})(handler, received)
        elif received.headers["authorization"] == "Bearer new":
            streams(told(2))(handler, received)
        elif len(server.received) == 1:
            streams(unread(1))(handler, received)
        else:
            fails(401, "Token expired")(handler, received)

    bench, server = new_bench(step, access_token="old", refresh_token="r1")
    assert [each["id"] for each in first(bench, 2)] == ["1", "2"]
    assert [each.path for each in server.received][1:] == [
        "/v1/notifications/stream",
        "/v1/auth/refresh",
        "/v1/notifications/stream",
    ]


async def test_whoever_leaves_it_or_is_cancelled_leaves_no_connection_behind() -> None:
    http = httpx.AsyncClient()
    with scripted_server(streams(unread(1), end="stays")) as server:
        client = AsyncMemoryClient(API_KEY, base_url=server.url, http_client=http)
        # Left by breaking out of the loop: asyncio closes what nobody holds any more.
        async for event in client.notifications.stream():
            assert event["id"] == "1" and len(connections_of(http)) == 1
            break
        await until(lambda: connections_of(http) == [])
        events = client.notifications.stream()
        await anext(events)
        await events.aclose()
        assert connections_of(http) == []
        heard = asyncio.Event()

        async def listen() -> None:
            async for _ in client.notifications.stream():
                heard.set()

        task = asyncio.ensure_future(listen())
        await heard.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert connections_of(http) == []
        await http.aclose()


def test_whoever_leaves_it_leaves_no_connection_behind() -> None:
    with scripted_server(streams(unread(1), end="stays")) as server, httpx.Client() as http:
        client = MemoryClient(API_KEY, base_url=server.url, http_client=http)
        for event in client.notifications.stream():
            assert event["id"] == "1" and len(connections_of(http)) == 1
            break
        assert connections_of(http) == []
        events = client.notifications.stream()
        next(events)
        events.close()
        assert connections_of(http) == []
        with pytest.raises(StopIteration):
            next(events)


def test_a_closed_client_ends_the_streams_of_other_threads() -> None:
    heard, ended = threading.Event(), threading.Event()

    def step(handler: Handler, received: Received) -> None:
        streams(unread(1), end="silent")(handler, received)

    def listen(client: MemoryClient) -> None:
        with pytest.raises(MemoryServiceError, match="The client is closed"):
            for _ in client.notifications.stream(timeout=0.1):
                heard.set()
        ended.set()

    with scripted_server(step) as server:
        with MemoryClient(API_KEY, base_url=server.url, wait=lambda _: None) as client:
            thread = threading.Thread(target=listen, args=(client,))
            thread.start()
            assert heard.wait(30)
        assert ended.wait(30)
        thread.join()


@pytest.mark.parametrize("width", [1, 2, 3, 7, 1_000])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("begin", ["", "\ufeff"])
def test_events_are_read_whatever_their_bytes_come_in(width: int, end: str, begin: str) -> None:
    text = 'id: 0\n\nretry: 1000\n\n: no event\n\nid: 1\nevent: unread\ndata: {"a":\ndata:"Zoë\u2028🏠"}\n\n'
    text += "id:2\nid:\0\nunknown\ndata: x: y\n\n:\n\ndata: not over"
    content = begin.encode() + text.replace("\n", end).encode()
    reader = EventReader()
    events = [event for at in range(0, len(content), width) for event in reader.read(content[at : at + width])]
    assert events == [
        {"id": "0"},
        {"id": "1", "event": "unread", "data": '{"a":\n"Zoë\u2028🏠"}'},
        {"id": "2", "unknown": "", "data": "x: y"},
    ]


def test_pauses_of_a_stream_grow_and_are_never_long() -> None:
    for number in (1, 2, 3, 4, 50, 10_000):
        pause = pause_of_stream(number, error_of(503, {"retry-after": "99"}, b"", 0), 10)
        assert pause is not None and 11 <= pause <= 20
        shortest = min(8, 2.0 ** min(number - 1, 5))
        assert shortest <= (pause_of_stream(number, APIConnectionError(), 10) or 0) <= 1.25 * shortest
    assert pause_of_stream(1, error_of(404, {}, b"", 0), 10) is None
