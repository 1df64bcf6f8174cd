from __future__ import annotations

import json
from collections import UserList, deque
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qsl

import pytest

from memory_service import NOBODY, AsyncMemoryClient, MemoryClient
from memory_service._settings import USER_AGENT

from .bench import API_KEY, STATS
from .conftest import NewBench
from .scripted import ok

LOST: Any = None


class Array:
    """As NumPy's."""

    def __init__(self, items: list[Any]) -> None:
        self._items = items

    def tolist(self) -> list[Any]:
        return self._items


class Count:
    """A whole number of another class, as NumPy's are."""

    def __init__(self, value: int) -> None:
        self._value = value

    def __index__(self) -> int:
        return self._value


class User(str, Enum):
    """Prints as its name."""

    A = "ada"


class Anyone(str):
    """Says of each that it is that one."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    def __str__(self) -> str:
        return "zoe"


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
        (lambda c: c.patterns.list(subject=["ada", LOST]), r"subject\[1\] is None"),
        (lambda c: c.patterns.list(subject=["ada", ""]), r"subject\[1\] is ''"),
        (lambda c: c.patterns.list(subject=[]), "subject is an empty list"),
        (lambda c: c.patterns.list(subject=NOBODY, filter=LOST), "filter is None"),
        (lambda c: c.patterns.list(subject=NOBODY, filter={"user": LOST}), "filter.user is None"),
        (lambda c: c.patterns.list(subject=NOBODY, filter='{"user":'), "filter is no JSON object"),
        (lambda c: c.patterns.list(subject=["ada"], filter="[]"), "filter is no JSON object"),
        (lambda c: c.patterns.conflicts(subject=NOBODY), "subject is NOBODY, and here it is the name of one end user"),
        (lambda c: c.patterns.conflicts(subject=["ada"]), "subject is a list"),
        (lambda c: c.patterns.list(limit=LOST), "limit is None"),
        (lambda c: c.patterns.all(subject=""), "subject is ''"),
        (lambda c: c.text.forget(query=LOST, subject="a"), "query is None"),
        (lambda c: c.patterns.delete_many(pattern_ids=LOST), "pattern_ids is None"),
        (lambda c: c.patterns.delete(LOST), "pattern_id is None, which is no id"),
        (lambda c: c.patterns.delete(""), "pattern_id is '', which is no id"),
        (lambda c: c.patterns.delete(".."), "pattern_id is '..', which is no id"),
        (lambda c: c.patterns.delete(True), "pattern_id is True, which is no id"),
        (lambda c: c.text.store(text="a", metadata={"n": float("nan")}), "metadata.n is nan"),
        (lambda c: c.text.recall(query="a", filter={"user": Array(["a", LOST])}), r"filter.user\[1\] is None"),
        (lambda c: c.text.recall(query="a", subject=UserList(["a", LOST])), r"subject\[1\] is None"),
        *[
            (lambda c, kind=kind: c.text.batch_store(items=kind([{"text": "a", "subject": LOST}])), r"items\[0\].subject is None")
            for kind in (tuple, UserList, Array, deque)
        ],
        (lambda c: c.text.batch_store(items=iter([{"text": "a"}])), "^items is a list_iterator"),
        (lambda c: c.vectors.store(key=[1, float("inf")], value=[1]), r"key\[1\] is inf"),
        (lambda c: c.text.store(text="a", metadata={"n": [{1, 2}]}), r"metadata.n\[0\] is a set"),
        (lambda c: c.text.store(text="a", metadata={"n": Decimal(1)}), "metadata.n is a Decimal"),
        (lambda c: c.text.store(text=b"a"), "text is a bytes"),
        (lambda c: c.text.store(text="\ud800"), "text is no text"),
        (lambda c: c.text.store(text="a", occurred_at=datetime(2026, 1, 1)), "^occurred_at has no time zone: "),
        (
            lambda c: c.text.batch_store(items=[{"text": "a"}, {"text": "b", "valid_to": datetime(2026, 1, 1)}]),
            r"^items\[1\].valid_to has no time zone: ",
        ),
        (lambda c: c.patterns.list(after=datetime(2026, 1, 1)), "^after has no time zone: "),
        (lambda c: c.text.store(text="a", metadata={"n": Array([1, float("nan")])}), r"metadata.n\[1\] is nan"),
        (lambda c: c.text.store(text="a", metadata={"a": 1, 1: "b"}), r"metadata\[1\] is no name of a field"),
        (lambda c: c.text.store(text="a", metadata={"a": [{None: 1}]}), r"metadata.a\[0\]\[None\] is no name of a field"),
        (lambda c: c.text.store(text="a", metadata=MappingProxyType({True: 1})), r"metadata\[True\] is no name of a field"),
        (lambda c: c.text.batch_store(items=[{"text": "a", "metadata": {1: 1}}]), r"metadata\[1\] is no name of a field"),
        (lambda c: c.text.stats(actor="a\nb"), "The header x-memory-actor can't be"),
        (lambda c: c.text.stats(actor=LOST), "The header x-memory-actor can't be None"),
        (lambda c: c.text.stats(actor="\ud800"), "The header x-memory-actor is no text: it has half a character"),
        (lambda c: c.text.store(text="a", idempotency_key="\ud800"), "The header idempotency-key is no text"),
        (lambda c: c.text.store(text="a", idempotency_key=" a"), "The header idempotency-key can't be a text with white space"),
        (lambda c: c.text.store(text="a", idempotency_key="a\t"), "The header idempotency-key can't be a text with white space"),
        (lambda c: c.text.store(text="a", idempotency_key="a\x0b"), "The header idempotency-key can't be .* '.x0b' in it"),
        (lambda c: c.text.stats(headers={"X-Team": "a\x7f"}), "The header X-Team can't be"),
        (lambda c: c.text.stats(headers={"X Team": "a"}), "'X Team' is no name of a header"),
        (lambda c: c.text.stats(headers={"X-Täm": "a"}), "'X-Täm' is no name of a header"),
        (lambda c: c.text.context(if_none_match="a\n"), "The header If-None-Match can't be"),
        (lambda c: c.notifications.stream(last_event_id="a\n"), "The header Last-Event-ID can't be"),
        (lambda c: c.patterns.list(q="\ud800"), "q is no text: it has half a character"),
        (lambda c: c.patterns.list(subject="\ud800"), "subject is no text"),
        (lambda c: c.patterns.list(filter={"user": "\ud800"}), "filter.user is no text"),
        (lambda c: c.patterns.get("\ud800"), "pattern_id is no text"),
        (lambda c: c.for_subject("\ud800"), "subject is no text"),
        (lambda c: c.patterns.list(limit=float("nan")), "limit is nan"),
        (lambda c: c.patterns.list(limit=[1]), "limit is a list"),
        (lambda c: c.patterns.list(q="a" * 70_000), "The address of http.*/v1/memory/patterns can't be asked: URL too long"),
        (lambda c: c.patterns.update("pat_1", text="a", if_match="7"), "if_match is '7', and should be a version"),
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


def test_times_arrays_null_and_nobody_are_sent_as_json_has_them(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({"patterns": []}))
    time = datetime(2026, 1, 1, 12, tzinfo=timezone(timedelta(hours=2)))
    bench.call(lambda c: c.text.store(text="Ada\n🐈", occurred_at=time, metadata={"a": None}, subject=NOBODY))
    bench.call(lambda c: c.vectors.store(key=Array([1.5, 2.5]), value=(1,)))
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


def test_a_time_is_sent_in_utc_where_its_offset_has_seconds(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({"patterns": []}))
    paris = timezone(timedelta(minutes=9, seconds=21))
    time = datetime(1890, 1, 1, 12, tzinfo=paris)
    bench.call(lambda c: c.text.store(text="a", occurred_at=time))
    bench.call(lambda c: c.patterns.list(after=time))
    stored, listed = server.received
    assert json.loads(stored.body)["occurred_at"] == "1890-01-01T11:50:39+00:00"
    assert listed.path == "/v1/memory/patterns?after=1890-01-01T11%3A50%3A39%2B00%3A00"
    with pytest.raises(TypeError, match="occurred_at is before the year 1"):
        bench.call(lambda c: c.text.store(text="a", occurred_at=datetime(1, 1, 1, tzinfo=paris)))


def test_a_query_says_by_its_filter_that_several_are_meant_or_nobody(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({"patterns": [], "next_cursor": None}))
    bench.call(lambda c: c.patterns.list(subject=NOBODY))
    bench.call(lambda c: c.patterns.map(subject=("ada", User.A)))
    bench.call(lambda c: c.patterns.all(subject=NOBODY, filter={"kind": "note"}, limit=1))
    bench.call(lambda c: c.patterns.list(subject=UserList(["ada"]), filter='{"kind":"note"}'))
    bench.call(lambda c: c.patterns.list(subject=["ada"], filter={"$subject": {"$startsWith": "a"}}))
    bench.call(lambda c: c.patterns.list(subject=["ada"], filter="{}"))
    assert [dict(parse_qsl(each.path.partition("?")[2])) for each in server.received] == [
        {"filter": '{"$subject":null}'},
        {"filter": '{"$subject":["ada","ada"]}'},
        {"limit": "1", "filter": '{"kind":"note","$subject":null}'},
        {"filter": '{"kind":"note","$subject":["ada"]}'},
        {"filter": '{"$and":[{"$subject":["ada"]},{"$subject":{"$startsWith":"a"}}]}'},
        {"filter": '{"$subject":["ada"]}'},
    ]


def test_a_text_is_what_it_holds_and_not_what_it_prints(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({"patterns": [], "next_cursor": None}))
    ada = bench.client.for_subject(User.A)
    bench.settle(ada.subjects.erase(User.A))
    bench.settle(ada.text.store(text="a", external_id=User.A, idempotency_key=User.A, actor=User.A))
    bench.call(lambda c: c.patterns.list(subject=User.A, filter={User.A: User.A}))
    bench.call(lambda c: c.patterns.get(User.A, headers={"X-Team": User.A}))
    bench.call(lambda c: c.text.context(if_none_match=User.A))
    assert [each.path for each in server.received] == [
        "/v1/memory/subjects/ada",
        "/v1/memory/text/store",
        "/v1/memory/patterns?filter=%7B%22ada%22%3A%22ada%22%7D&subject=ada",
        "/v1/memory/patterns/ada",
        "/v1/memory/context",
    ]
    stored, headers = server.received[1], server.received[1].headers
    assert stored.json == {"text": "a", "external_id": "ada", "subject": "ada"}
    assert (headers["idempotency-key"], headers["x-memory-actor"]) == ("ada", "ada")
    assert [server.received[3].headers["x-team"], server.received[4].headers["if-none-match"]] == ["ada", '"ada"']
    # Nor is it another user's where it says that it is.
    before = len(server.received)
    with pytest.raises(ValueError, match="names the subject"):
        bench.settle(bench.client.for_subject("zoe").subjects.erase(Anyone("ada")))
    assert len(server.received) == before


def test_whole_numbers_of_other_classes_are_numbers_everywhere(new_bench: NewBench) -> None:
    class Named(int, Enum):
        TWO = 2

        def __str__(self) -> str:
            return "two"

    bench, server = new_bench(ok({"patterns": []}))
    for two in (Count(2), Named.TWO):
        bench.call(lambda c, n=two: c.patterns.list(limit=n))  # type: ignore[misc]
        bench.call(lambda c, n=two: c.vectors.get(n))  # type: ignore[misc]
        bench.call(lambda c, n=two: c.text.recall(query="a", top_k=n))  # type: ignore[misc]
        bench.call(lambda c, n=two: c.patterns.update("pat_1", text="b", if_match=n, max_retries=n))  # type: ignore[misc]
    sent = [(each.path, each.body.decode(), each.headers.get("if-match")) for each in server.received]
    assert sent == 2 * [
        ("/v1/memory/patterns?limit=2", "", None),
        ("/v1/memory/pattern/2", "", None),
        ("/v1/memory/text/recall", '{"query":"a","top_k":2}', None),
        ("/v1/memory/patterns/pat_1", '{"text":"b"}', '"2"'),
    ]


NO_NUMBERS: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"timeout": None}, TypeError, "timeout is None, and should be a number of seconds: leave it out"),
    ({"timeout": "5"}, TypeError, "timeout is '5'"),
    ({"timeout": True}, TypeError, "timeout is True"),
    *[({"timeout": n}, ValueError, f"timeout is {n}, and should be more than 0") for n in (0, -1, 3_000_000)],
    *[({"timeout": float(n)}, ValueError, f"timeout is {n}, and should be more than 0") for n in ("nan", "inf")],
    *[
        ({"max_retries": n}, TypeError, f"max_retries is {n}, and should be a whole number")
        for n in (None, 1.0, True, float("nan"))
    ],
    ({"max_retries": -1}, ValueError, "max_retries is -1, and should be 0 or more"),
]


@pytest.mark.parametrize(("options", "kind", "said"), NO_NUMBERS)
def test_what_is_no_count_or_time_is_refused_by_each_call(
    new_bench: NewBench, options: dict[str, Any], kind: type[Exception], said: str
) -> None:
    bench, server = new_bench(ok(STATS))
    calls: list[Callable[[Any], Any]] = [
        lambda c: c.text.stats(**options),
        lambda c: c.text.batch_store(items=[{"text": "a"}] * 60, **options),
        lambda c: c.notifications.stream(**options),
        lambda c: c.patterns.all(**options),
    ]
    for call in calls:
        with pytest.raises(kind, match=said):
            bench.call(call)
    assert server.received == []


@pytest.mark.parametrize("make", [MemoryClient, AsyncMemoryClient])
@pytest.mark.parametrize(
    ("options", "kind", "said"),
    [
        *NO_NUMBERS,
        ({"max_retry_after": None}, TypeError, "max_retry_after is None"),
        *[({"max_retry_after": n}, ValueError, "should be 0 seconds or more") for n in (-1, float("nan"))],
        (
            {"default_headers": {"X-Team": " secret"}},
            TypeError,
            "^The header X-Team can't be a text with white space at its ends$",
        ),
        ({"api_key": None, "organization_id": "a\n"}, TypeError, "The header x-organization-id can't be"),
    ],
)
def test_what_is_no_setting_is_refused_when_a_client_is_made(
    make: Any, options: dict[str, Any], kind: type[Exception], said: str
) -> None:
    with pytest.raises(kind, match=said):
        make(**{"api_key": API_KEY, **options})


def test_a_version_that_is_none_is_as_if_it_were_not_given(new_bench: NewBench) -> None:
    bench, server = new_bench(ok(STATS))
    bench.call(lambda c: c.patterns.update("pat_1", text="b", if_match=None))
    bench.call(lambda c: c.text.stats(if_match=None))
    assert all("if-match" not in each.headers for each in server.received)


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
        ({"base_url": "localhost:8000"}, "base_url is 'localhost:8000', and should be an http or https address, as in http://"),
        ({"base_url": "http://u:secret@memory.example:port"}, "base_url is '…@memory.example:port'"),
        ({"base_url": "ftp://memory.example"}, "base_url is"),
        ({"base_url": ""}, "base_url is ''"),
        ({"base_url": "http://"}, "base_url is"),
        ({"base_url": "http://memory.example:port"}, "base_url is"),
        ({"base_url": "http://memory.example/?"}, "base_url is"),
        ({"base_url": "http://memory.\nexample"}, "base_url is"),
        ({"base_url": "http://memory.example\\v1"}, "base_url is"),
        ({"base_url": "http://memory..example"}, "base_url is"),
        ({"base_url": f"http://{'a' * 64}.example"}, "base_url is"),
        ({"base_url": "https://ada:secret@memory.example"}, "^base_url has a name and password before memory.example"),
        *[
            ({"base_url": f"http://memory.example/{path}"}, "leave out /v1, which the client adds")
            for path in ("v1", "v1/", "v1//", "v1/foo", "proxy/v1/memory")
        ],
        ({"base_url": b"http://memory.example"}, "base_url is of bytes, and should be a text"),
        ({"api_key": b"mem_live_0"}, "api_key is of bytes, and should be a text"),
    ],
)
def test_what_can_be_no_key_or_address_is_refused(make: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        make(**options)


@pytest.mark.parametrize("make", [MemoryClient, AsyncMemoryClient])
@pytest.mark.parametrize("is_of_environment", [False, True])
def test_a_place_that_is_not_the_keys_own_is_refused(make: Any, monkeypatch: pytest.MonkeyPatch, is_of_environment: bool) -> None:
    def made(key: str, **place: str) -> Any:
        monkeypatch.setenv("MEMORY_SERVICE_API_KEY", key)
        return make(**place) if is_of_environment else make(key, **place)

    with pytest.raises(TypeError, match="^environment is 'test', and the api_key is of live$"):
        made("mem_live_0", environment="test")
    with pytest.raises(TypeError, match="^environment is 'live', and the api_key is of the space that it was made for$"):
        made("key", environment="live")
    with pytest.raises(TypeError, match="^organization_id goes with tokens: an api_key is of one organization$"):
        made("mem_live_0", organization_id="org")
    assert made("mem_test_0", environment="test") is not None


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
