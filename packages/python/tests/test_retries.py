from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from datetime import datetime, timezone
from typing import Any

import httpx
import pytest

from memory_service import (
    AnswerHead,
    APIConnectionError,
    APIError,
    APITimeoutError,
    Attempt,
    InvalidAnswerError,
    MemoryServiceError,
    Partial,
    RateLimitError,
    ServerError,
    ValidationError,
)
from memory_service._core import pause_before
from memory_service._errors import error_of, read_retry_after

from .bench import STATS, Bench
from .conftest import NewBench
from .scripted import answers, breaks_off, drips, fails, hangs_up, keeps_silent, ok

STORED = {"success": True, "pattern_id": "pat_1"}


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
def test_what_passes_is_tried_again_with_growing_pauses_then_raised(new_bench: NewBench, status: int) -> None:
    bench, server = new_bench(fails(status, "not now"))
    with pytest.raises(RateLimitError if status == 429 else ServerError, match="not now") as raised:
        bench.call(lambda client: client.text.stats())
    assert raised.value.status == status
    assert len(server.received) == 4
    for pause, shortest in zip(bench.waits, [1, 2, 4], strict=True):
        assert shortest <= pause <= 1.25 * shortest


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 412, 413, 422, 501])
def test_what_does_not_pass_is_raised_at_once(new_bench: NewBench, status: int) -> None:
    bench, server = new_bench(fails(status, "no"))
    with pytest.raises(APIError) as raised:
        bench.call(lambda client: client.text.stats())
    assert (raised.value.status, bench.waits, len(server.received)) == (status, [], 1)


@pytest.mark.parametrize("fault", [hangs_up, breaks_off()])
def test_a_broken_connection_is_tried_again_where_that_is_safe(new_bench: NewBench, fault: object) -> None:
    bench, server = new_bench(fault, ok(STATS))
    assert bench.call(lambda client: client.text.stats()) == STATS
    assert len(server.received) == 2
    bench, server = new_bench(fault)
    with pytest.raises(APIConnectionError) as raised:
        bench.call(lambda client: client.patterns.delete("pat_1"))
    assert isinstance(raised.value, ConnectionError)
    assert len(server.received) == 1


def test_a_search_is_tried_again_and_a_change_is_not(new_bench: NewBench) -> None:
    bench, server = new_bench(fails(503, "not now"), ok({"results": []}))
    assert bench.call(lambda client: client.text.recall(query="who?")) == {"results": []}
    assert len(server.received) == 2
    changes = [
        lambda client: client.patterns.update("pat_1", text="new"),
        lambda client: client.patterns.delete_all(confirm="all"),
        lambda client: client.patterns.feedback(pattern_id="pat_1", useful=True),
        lambda client: client.engine.sleep(),
        lambda client: client.text.store(text="a", idempotency_key=None),
        lambda client: client.api_keys.create(name="a"),
    ]
    for change in changes:
        bench, server = new_bench(fails(503, "not now"))
        with pytest.raises(ServerError):
            bench.call(change)
        assert len(server.received) == 1


def test_what_was_not_begun_is_tried_again_whatever_it_is(new_bench: NewBench) -> None:
    bench, server = new_bench(fails(429, "not now"), ok({"message": "Pattern deleted"}))
    bench.call(lambda client: client.patterns.delete("pat_1"))
    assert len(server.received) == 2
    bench, server = new_bench(fails(429, "not now"))
    with pytest.raises(RateLimitError):
        bench.call(lambda client: client.text.store(text="a", idempotency_key=None))
    assert len(server.received) == 1


def late(request: httpx.Request) -> httpx.Response:
    raise httpx.ReadTimeout("The answer is too slow")


def unconnected(is_async: bool, *steps: Callable[[httpx.Request], httpx.Response]) -> tuple[Bench, list[httpx.Request]]:
    """A client that is answered without a connection, so that only what is to be late is."""
    sent: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return steps[min(len(sent), len(steps)) - 1](request)

    transport = httpx.MockTransport(respond)
    http: Any = httpx.AsyncClient(transport=transport) if is_async else httpx.Client(transport=transport)
    return Bench(is_async, http_client=http), sent


def test_a_call_out_of_time_is_tried_again_where_that_is_safe(is_async: bool) -> None:
    bench, sent = unconnected(is_async, late, late, late, lambda _: httpx.Response(200, json={"results": []}))
    assert bench.call(lambda client: client.text.recall(query="tea")) == {"results": []}
    assert (len(sent), len(bench.waits)) == (4, 3)
    bench.close()
    bench, sent = unconnected(is_async, late)
    with pytest.raises(APITimeoutError):
        bench.call(lambda client: client.patterns.update("pat_1", text="tea"))
    assert len(sent) == 1
    bench.close()


@pytest.mark.parametrize("lost", [late, lambda _: httpx.Response(502), lambda _: httpx.Response(504)])
def test_a_store_whose_answer_is_lost_is_repeated_until_the_first_one_is_done(is_async: bool, lost: Any) -> None:
    def running(_: httpx.Request) -> httpx.Response:
        detail = "A request with this Idempotency-Key is still running"
        return httpx.Response(409, json={"detail": detail}, headers={"Retry-After": "1"})

    bench, sent = unconnected(is_async, lost, running, lambda _: httpx.Response(200, json=STORED))
    assert bench.call(lambda client: client.text.store(text="a fact")) == STORED
    assert len({each.headers["idempotency-key"] for each in sent}) == 1
    assert len(sent) == 3
    bench.close()
    # One that is somebody else's is not waited for.
    bench, sent = unconnected(is_async, running)
    with pytest.raises(APIError) as raised:
        bench.call(lambda client: client.text.store(text="a fact"))
    assert (raised.value.status, len(sent)) == (409, 1)
    bench.close()


def test_a_store_is_repeated_under_one_key_of_its_own(new_bench: NewBench) -> None:
    bench, server = new_bench(hangs_up, fails(500, "no"), ok(STORED))
    assert bench.call(lambda client: client.text.store(text="a fact")) == STORED
    keys = [each.headers["idempotency-key"] for each in server.received]
    assert len(keys) == 3 and len(set(keys)) == 1 and len(keys[0]) == 32
    bench.call(lambda client: client.text.store(text="a fact"))
    assert server.received[-1].headers["idempotency-key"] != keys[0]
    bench.call(lambda client: client.text.store(text="a fact", idempotency_key="mine"))
    assert server.received[-1].headers["idempotency-key"] == "mine"
    bench.call(lambda client: client.text.store(text="a fact", idempotency_key=None))
    assert "idempotency-key" not in server.received[-1].headers


def test_an_answer_is_waited_for_that_asks_for_little_and_raised_that_asks_for_much(new_bench: NewBench) -> None:
    bench, server = new_bench(fails(429, "not now", {"Retry-After": "7"}), ok(STATS))
    assert bench.call(lambda client: client.text.stats()) == STATS
    assert 8 <= bench.waits[0] <= 8.25
    bench, server = new_bench(fails(429, "Pattern storage limit reached", {"Retry-After": "3600", "X-Request-Id": "r-1"}))
    with pytest.raises(RateLimitError) as raised:
        bench.call(lambda client: client.text.store(text="a fact"))
    error = raised.value
    assert (error.retry_after, error.code, error.request_id) == (3600, "pattern_limit_reached", "r-1")
    assert str(error) == "Pattern storage limit reached (429, retry after 3600 s, request r-1)"
    assert (len(server.received), bench.waits) == (1, [])
    bench, server = new_bench(fails(429, "not now", {"Retry-After": "60"}), ok(STATS), max_retry_after=60)
    assert bench.call(lambda client: client.text.stats()) == STATS


def test_the_number_of_retries_is_the_clients_or_the_calls(new_bench: NewBench) -> None:
    bench, server = new_bench(fails(503, "not now"), max_retries=1)
    for retries, more in [(None, 2), (0, 1), (5, 6)]:
        before = len(server.received)
        options = {} if retries is None else {"max_retries": retries}
        with pytest.raises(ServerError):
            bench.settle(bench.client.text.stats(**options))
        assert len(server.received) - before == more


@pytest.mark.parametrize("step", [keeps_silent, drips])
def test_an_answer_that_does_not_come_in_time_raises(new_bench: NewBench, step: object) -> None:
    bench, _ = new_bench(step, timeout=0.1, max_retries=0)
    with pytest.raises(APITimeoutError) as raised:
        bench.call(lambda client: client.text.stats())
    assert isinstance(raised.value, TimeoutError)
    assert "/v1/memory/text/stats within 0.1 s" in str(raised.value)
    bench, _ = new_bench(step, ok(STATS))
    # So often, since on a slow machine what is answered can take that long too.
    assert bench.call(lambda client: client.text.stats(timeout=0.1, max_retries=100)) == STATS


def test_a_server_that_is_away_raises_after_retries(new_bench: NewBench) -> None:
    bench, _ = new_bench(ok(STATS), base_url="http://127.0.0.1:1")
    with pytest.raises(APIConnectionError, match="No answer to GET http://127.0.0.1:1/v1/memory/text/stats"):
        bench.call(lambda client: client.text.stats())
    assert len(bench.waits) == 3


def test_the_status_counts_of_an_error_whose_answer_breaks_off(new_bench: NewBench) -> None:
    bench, _ = new_bench(breaks_off(409))
    with pytest.raises(APIError) as raised:
        bench.call(lambda client: client.text.stats())
    assert (raised.value.status, raised.value.detail) == (409, "Status 409 without a reason")


@pytest.mark.parametrize("body", [b"<html>", b"", b'{"total', b"\xff\xfe", b"null", b"7", b'"ok"'])
def test_a_success_that_is_no_json_is_somebody_elses(new_bench: NewBench, body: bytes) -> None:
    bench, _ = new_bench(answers(200, body))
    with pytest.raises(InvalidAnswerError):
        bench.call(lambda client: client.text.stats())


@pytest.mark.parametrize("body", [{}, {"patterns": []}, {"patterns": [], "pagination": 7}, {"patterns": None}])
def test_a_page_that_is_none_is_somebody_elses(new_bench: NewBench, body: object) -> None:
    bench, _ = new_bench(ok(body))
    with pytest.raises(InvalidAnswerError, match="no page of a list"):
        bench.call(lambda client: client.patterns.all())


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("https://elsewhere.example/v1/memory/subjects/ada?limit=1", "https://elsewhere.example"),
        ("https://elsewhere.example/memory/v1/memory/patterns?filter=secret", "https://elsewhere.example/memory"),
        ("https://elsewhere.example/login?next=/v1/memory/subjects/ada", "https://elsewhere.example/login"),
        ("https://elsewhere.example/#ada", "https://elsewhere.example/"),
    ],
)
def test_a_redirect_is_told_without_what_the_path_and_the_query_say(new_bench: NewBench, place: str, told: str) -> None:
    bench, _ = new_bench(answers(308, b"", {"Location": place}))
    with pytest.raises(APIError) as raised:
        bench.call(lambda client: client.subjects.get("ada"))
    assert raised.value.detail == f"Redirected to {told}, which base_url should name"


def test_a_redirect_is_not_followed_with_the_key(new_bench: NewBench) -> None:
    bench, server = new_bench(answers(307, b"", {"Location": "http://elsewhere.example/"}))
    with pytest.raises(APIError, match="Redirected to http://elsewhere.example/, which base_url should name"):
        bench.call(lambda client: client.text.stats())
    assert len(server.received) == 1


def test_what_has_not_changed_since_a_version_is_no_redirect(new_bench: NewBench) -> None:
    bench, _ = new_bench(answers(304, b"", {"ETag": '"7"'}))
    with pytest.raises(APIError, match="Not modified") as raised:
        bench.call(lambda client: client.patterns.get("pat_1", headers={"If-None-Match": '"7"'}))
    assert raised.value.status == 304


def test_wrong_fields_are_told_one_by_one(new_bench: NewBench) -> None:
    issue = {"type": "less_than_equal", "loc": ["body", "top_k"], "msg": "Input should be less than or equal to 50"}
    bench, _ = new_bench(fails(422, [issue, 7, None, {}]))
    with pytest.raises(ValidationError, match="body.top_k: Input should be") as raised:
        bench.call(lambda client: client.text.recall(query="a", top_k=51))
    assert raised.value.issues == [issue]


@pytest.mark.parametrize("body", [b"<html>", b"null", b"[]", b'{"detail": 7}', b'{"detail": [{}, null, 7]}'])
def test_an_error_without_a_detail_is_an_error_all_the_same(body: bytes) -> None:
    error = error_of(503, {}, body, 0)
    assert isinstance(error, ServerError)
    assert (error.detail, error.code, error.retry_after) == ("Status 503 without a reason", None, None)


def test_errors_survive_being_carried_to_another_process() -> None:
    error = error_of(429, {"retry-after": "5", "x-request-id": "r"}, b'{"detail": "Daily query limit reached"}', 0)
    error.partial = Partial(50, {"stored": 50})
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert (type(again), str(again), again.__dict__) == (type(error), str(error), error.__dict__)
        assert again.partial == Partial(50, {"stored": 50})


def test_retry_after_is_read_as_seconds_or_as_a_date() -> None:
    now = datetime(2026, 1, 1, tzinfo=timezone.utc).timestamp()
    assert read_retry_after(None, now) is None
    assert read_retry_after(" 120 ", now) == 120
    assert read_retry_after("Thu, 01 Jan 2026 00:00:30 GMT", now) == 30
    assert read_retry_after("Thu, 01 Jan 2025 00:00:00 GMT", now) == 0
    assert read_retry_after("soon", now) is None
    assert read_retry_after("-5", now) is None


def test_no_pause_is_due_after_the_last_retry_or_for_what_does_not_pass() -> None:
    def asks(status: int, seconds: float | None) -> MemoryServiceError:
        headers = {} if seconds is None else {"retry-after": str(int(seconds))}
        return error_of(status, headers, b"", 0)

    for status in range(300, 600):
        for number in range(1, 6):
            for seconds in (None, 0.0, 10.0, 11.0):
                pause = pause_before(number, 3, asks(status, seconds), 10)
                due = number <= 3 and status in (429, 500, 502, 503, 504) and seconds != 11
                assert (pause is not None) == due
                if pause is not None:
                    beyond = pause - (seconds or 0)
                    assert 2 ** (number - 1) <= beyond <= 1.25 * 2 ** (number - 1)
    assert pause_before(1, 3, InvalidAnswerError(), 10) is None
    assert pause_before(1, 3, APITimeoutError(), 10) is not None


def test_a_call_hears_of_each_answer_that_there_was(new_bench: NewBench) -> None:
    heard: list[AnswerHead] = []
    bench, _ = new_bench(fails(503, "not now"), hangs_up, answers(200, STATS, {"X-Request-Id": "r-1"}))
    bench.call(lambda client: client.text.stats(on_answer=heard.append))
    assert [(each.status, each.headers.get("x-request-id")) for each in heard] == [(503, None), (200, "r-1")]
    assert heard[-1].headers["X-Request-Id"] == "r-1"
    bench, _ = new_bench(fails(404, "Pattern not found"))
    with pytest.raises(APIError):
        bench.call(lambda client: client.patterns.get("pat_1", on_answer=heard.append))
    assert heard[-1].status == 404


def test_a_hook_hears_of_every_attempt_without_content_and_key(new_bench: NewBench) -> None:
    heard: list[Attempt] = []
    bench, _ = new_bench(
        fails(503, "not now", {"X-Request-Id": "r-1"}), hangs_up, ok({"patterns": [], "next_cursor": None}), debug=heard.append
    )
    bench.call(lambda client: client.patterns.list(q="secret"))
    assert [(each.number, each.status, each.request_id) for each in heard] == [(1, 503, "r-1"), (2, None, None), (3, 200, None)]
    assert [each.retry_in is None for each in heard] == [False, False, True]
    assert heard[0].operation == "patterns.list" and heard[0].path == "/v1/memory/patterns"
    assert all("secret" not in str(each) and "mem_test" not in str(each) for each in heard)
    assert all(each.duration > 0 for each in heard)
