from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest

from memory_service import NOBODY, AsyncMemoryClient, MemoryClient
from memory_service._settings import USER_AGENT

from .bench import API_KEY, STATS
from .conftest import NewBench
from .scripted import ok

LOST: Any = None


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda c: c.text.recall(query="a", filter=LOST), "filter is None"),
        (lambda c: c.text.recall(query="a", filter={"user": LOST}), "filter.user is None"),
        (lambda c: c.text.recall(query="a", filter={"$or": [{"user": "a"}, {"user": LOST}]}), r"filter.\$or\[1\].user is None"),
        (lambda c: c.text.recall(query="a", filter={"user": ["a", LOST]}), r"filter.user\[1\] is None"),
        (lambda c: c.text.recall(query="a", filter={LOST: "a"}), r"filter\[None\] is no name of a field"),
        (lambda c: c.text.recall(query="a", subject=LOST), "subject is None: leave it out for everybody, or say NOBODY"),
        (lambda c: c.text.recall(query="a", subject=""), "subject is ''"),
        (lambda c: c.text.recall(query="a", subject=["a", LOST]), r"subject\[1\] is None"),
        (lambda c: c.text.store(text="a", subject=LOST), "subject is None"),
        (lambda c: c.text.batch_store(items=[{"text": "a"}, {"text": "b", "subject": LOST}]), r"items\[1\].subject is None"),
        (
            lambda c: c.vectors.batch_retrieve(queries=[{"embedding": [1], "filter": {"a": LOST}}]),
            r"queries\[0\].filter.a is None",
        ),
        (lambda c: c.patterns.list(filter={"user": LOST}), "filter.user is None"),
        (lambda c: c.patterns.list(subject=LOST), "subject is None"),
        (lambda c: c.patterns.list(limit=LOST), "limit is None"),
        (lambda c: c.patterns.all(subject=""), "subject is ''"),
        (lambda c: c.text.forget(query=LOST, subject="a"), "query is None"),
        (lambda c: c.patterns.delete_many(pattern_ids=LOST), "pattern_ids is None"),
        (lambda c: c.patterns.delete(LOST), "pattern_id is None, which is no id"),
        (lambda c: c.patterns.delete(""), "pattern_id is '', which is no id"),
        (lambda c: c.patterns.delete(".."), "pattern_id is '..', which is no id"),
        (lambda c: c.patterns.delete(True), "pattern_id is True, which is no id"),
        (lambda c: c.text.store(text="a", metadata={"n": float("nan")}), "metadata.n is nan"),
        (lambda c: c.vectors.store(key=[1, float("inf")], value=[1]), r"key\[1\] is inf"),
        (lambda c: c.text.store(text="a", metadata={"n": [{1, 2}]}), r"metadata.n\[0\] is a set"),
        (lambda c: c.text.store(text="a", metadata={"n": Decimal(1)}), "metadata.n is a Decimal"),
        (lambda c: c.text.store(text=b"a"), "text is a bytes"),
        (lambda c: c.text.store(text="\ud800"), "text is no text"),
        (lambda c: c.text.store(text="a", occurred_at=datetime(2026, 1, 1)), "occurred_at is a datetime"),
        (lambda c: c.text.stats(actor="a\nb"), "The header x-memory-actor can't be"),
        (lambda c: c.text.stats(actor=LOST), "The header x-memory-actor can't be None"),
        (lambda c: c.text.stats(tiemout=1), "text.stats.. got an unexpected keyword argument 'tiemout'"),
        (lambda c: c.text.stats(idempotency_key="a"), "text.stats takes no idempotency_key"),
        (lambda c: c.text.store(text="a", if_match=1), "text.store takes no if_match"),
        (lambda c: c.text.store(txt="a"), "text"),
    ],
)
def test_what_would_be_sent_as_something_else_is_refused(new_bench: NewBench, call: Callable[[Any], Any], said: str) -> None:
    bench, server = new_bench(ok({}))
    with pytest.raises(TypeError, match=said):
        bench.call(call)
    assert server.received == []


def test_circles_and_depths_are_refused(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({}))
    circle: dict[str, Any] = {}
    circle["self"] = circle
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"deeper": deep}
    for metadata in (circle, deep):
        with pytest.raises(TypeError):
            bench.settle(bench.client.text.store(text="a", metadata=metadata))
    assert server.received == []


STORED = '{"text":"Ada\\n🐈","metadata":{"a":null},"occurred_at":"2026-01-01T12:00:00+02:00","subject":null}'
LISTED = (
    "cursor=a%20b%2F%3F&limit=2&filter=%7B%22user%22%3A%22%C3%A4%22%7D"
    "&after=2026-01-01T12%3A00%3A00%2B02%3A00&include_superseded=true"
)


class Array:
    """As NumPy's."""

    def tolist(self) -> list[float]:
        return [1.5, 2.5]


def test_times_arrays_null_and_nobody_are_sent_as_json_has_them(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({"patterns": []}))
    time = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    bench.call(lambda c: c.text.store(text="Ada\n🐈", occurred_at=time, metadata={"a": None}, subject=NOBODY))
    bench.call(lambda c: c.vectors.store(key=Array(), value=(1,)))
    bench.call(lambda c: c.text.recall(query="a", filter={"user": {"$eq": None}}))
    bench.call(lambda c: c.patterns.list(filter={"user": "ä"}, include_superseded=True, limit=2, after=time, cursor="a b/?"))
    bench.call(lambda c: c.vectors.delete([1, 0.5]))
    bench.call(lambda c: c.patterns.get("ext:a/b?#"))
    bench.call(lambda c: c.vectors.get(7))
    sent = [(each.method, each.path, each.body.decode()) for each in server.received]
    assert sent == [
        ("POST", "/v1/memory/text/store", STORED),
        ("POST", "/v1/memory/store", '{"key":[1.5,2.5],"value":[1]}'),
        ("POST", "/v1/memory/text/recall", '{"query":"a","filter":{"user":{"$eq":null}}}'),
        ("GET", "/v1/memory/patterns?" + LISTED, ""),
        ("DELETE", "/v1/memory/pattern", "[1,0.5]"),
        ("GET", "/v1/memory/patterns/ext%3Aa%2Fb%3F%23", ""),
        ("GET", "/v1/memory/pattern/7", ""),
    ]


def test_every_request_is_strict_and_says_who_sends_it(new_bench: NewBench) -> None:
    bench, server = new_bench(ok(STATS), default_headers={"X-Team": "blue", "User-Agent": "mine"})
    bench.call(lambda c: c.text.stats(actor="Жанна", headers={"x-team": "red"}))
    bench.call(lambda c: c.text.store(text="a"))
    [first, second] = [each.headers for each in server.received]
    assert first["prefer"] == "handling=strict" and first["x-api-key"] == API_KEY
    assert first["x-memory-actor"].encode("latin-1").decode() == "Жанна"
    assert (first["x-team"], second["x-team"], second["user-agent"]) == ("red", "blue", "mine")
    assert second["content-type"] == "application/json"
    bench, server = new_bench(ok(STATS))
    bench.call(lambda c: c.patterns.update("pat_1", text="b", if_match=7))
    assert server.received[0].headers["user-agent"] == USER_AGENT
    assert server.received[0].headers["if-match"] == '"7"'


@pytest.mark.parametrize("make", [MemoryClient, AsyncMemoryClient])
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"api_key": "mem_live_…"}, "api_key contains '…', which none does: is it a placeholder"),
        ({"api_key": "mem_live_..."}, "api_key is the placeholder of an example"),
        ({"api_key": "<key>"}, "api_key is the placeholder of an example"),
        ({"api_key": "YOUR_API_KEY"}, "api_key is the placeholder of an example"),
        ({"api_key": "mem_live_xxxxxxxx"}, "api_key is the placeholder of an example"),
        ({"api_key": " mem_live_0"}, "api_key contains ' '"),
        ({"api_key": "mem_live_0\n"}, r"api_key contains '\\n'"),
        ({"api_key": ""}, "api_key is empty"),
        ({"access_token": "токен"}, "access_token contains 'т'"),
        ({"api_key": "a", "access_token": "b"}, "not both"),
        ({"base_url": "localhost:8000"}, "base_url is 'localhost:8000', and should be as in http://127.0.0.1:8000"),
        ({"base_url": "ftp://memory.example"}, "base_url is"),
        ({"base_url": ""}, "base_url is ''"),
        ({"base_url": "http://"}, "base_url is"),
        ({"base_url": "http://memory.example:port"}, "base_url is"),
        ({"base_url": "http://memory.example/?"}, "base_url is"),
        ({"base_url": "http://memory.\nexample"}, "base_url is"),
        ({"base_url": "https://ada:secret@memory.example"}, "^base_url has a name and password before memory.example"),
        ({"base_url": "http://memory.example/v1/"}, "leave out /v1, which the client adds"),
    ],
)
def test_what_can_be_no_key_or_address_is_refused(make: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        make(**options)


def test_the_environment_says_where_and_who(new_bench: NewBench, monkeypatch: pytest.MonkeyPatch) -> None:
    _, server = new_bench(ok(STATS))
    monkeypatch.setenv("MEMORY_SERVICE_URL", server.url + "/")
    monkeypatch.setenv("MEMORY_SERVICE_API_KEY", "mem_test_env")
    with MemoryClient() as client:
        assert client.text.stats() == STATS
    assert server.received[0].headers["x-api-key"] == "mem_test_env"
    assert server.received[0].path == "/v1/memory/text/stats"
    # Whoever signs in by tokens is not the one of the environment.
    with MemoryClient(access_token="token") as client:
        client.text.stats()
    with MemoryClient(on_tokens=lambda _: None) as client:
        client.text.stats()
    assert all("x-api-key" not in each.headers for each in server.received[1:])
    monkeypatch.setenv("MEMORY_SERVICE_URL", "localhost:8000")
    with pytest.raises(TypeError, match="base_url is 'localhost:8000'"):
        MemoryClient()
