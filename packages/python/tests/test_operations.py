from __future__ import annotations

import inspect
import itertools
import json
import random
import re
from collections import UserList, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import httpx
import pytest

from memory_service import (
    AsyncMemoryClient,
    InvalidAnswerError,
    MemoryClient,
    NotFoundError,
    Partial,
    TooLargeError,
    ValidationError,
)
from memory_service._batches import joined, parts_of
from memory_service._core import read_page
from memory_service._generated import operations
from memory_service._operation import Operation

from .bench import Bench
from .conftest import NewBench
from .scripted import answers, fails, ok

ALL = [each for each in vars(operations).values() if isinstance(each, Operation)]

LISTS = {(each.method, re.sub(r"{.*?}", "id-1", each.path)) for each in ALL if each.answers_list}

PAGE: dict[str, Any] = {
    **{name: [] for name in ("patterns", "conflicts", "receipts", "subjects", "versions", "entries", "data", "deliveries")},
    **{name: [] for name in ("organizations", "users", "runs", "items", "jobs", "backups")},
    **{"next_cursor": None, "has_more": False, "pagination": {"total_pages": 0}},
}


def methods_of(client: Any) -> list[tuple[str, Callable[..., Any]]]:
    groups = [(name, group) for name, group in vars(client).items() if not name.startswith("_")]
    return [
        (f"{name}.{method}", getattr(group, method))
        for name, group in groups
        for method in vars(type(group))
        if not method.startswith("_")
    ]


def arguments_of(method: Callable[..., Any]) -> tuple[list[Any], dict[str, Any]]:
    """What a method must be given: ids by their order, fields by their names."""
    parameters = [each for each in inspect.signature(method).parameters.values() if each.default is each.empty]
    ids = [each for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    fields = {each.name: "given" for each in parameters if each.kind is each.KEYWORD_ONLY}
    return [f"id-{n}" for n in range(1, len(ids) + 1)], fields


def test_every_operation_is_one_method_and_every_method_an_operation(is_async: bool) -> None:
    sent: list[httpx.Request] = []

    def respond(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200, json=[] if (request.method, request.url.path) in LISTS else PAGE)

    transport = httpx.MockTransport(respond)
    http: Any = httpx.AsyncClient(transport=transport) if is_async else httpx.Client(transport=transport)
    bench = Bench(is_async, http_client=http)
    reached: dict[str, str] = {}
    for name, method in methods_of(bench.client):
        ids, fields = arguments_of(method)
        # A page is no stream of events.
        with pytest.raises(InvalidAnswerError) if name.endswith(".stream") else nullcontext():
            bench.settle(method(*ids, **fields))
        request = sent.pop()
        assert sent == []
        if re.search(r"\.all(_|$)", name):
            assert request.url.params == httpx.QueryParams() or "page" in request.url.params
            continue
        [operation] = [each for each in ALL if each.name == name]
        numbers = itertools.count(1)
        path = "/".join(f"id-{next(numbers)}" if part.startswith("{") else part for part in operation.path.split("/"))
        assert (request.method, request.url.path) == (operation.method, path)
        assert ("idempotency-key" in request.headers) == operation.keyed
        assert (request.headers.get("content-type") == "application/json") == (operation.takes in ("body", "value"))
        reached[name] = f"{operation.method} {operation.path}"
    assert sorted(reached) == sorted(each.name for each in ALL)
    assert len(set(reached.values())) == len(ALL) > 130
    bench.close()


def test_both_clients_have_the_same_methods_arguments_and_words() -> None:
    def described(client: Any) -> list[Any]:
        return [
            (name, [(p.name, p.kind, p.annotation) for p in inspect.signature(method).parameters.values()], method.__doc__)
            for name, method in methods_of(client)
        ]

    assert described(MemoryClient("key")) == described(AsyncMemoryClient("key"))
    of_both = [inspect.signature(client.__init__).parameters for client in (MemoryClient, AsyncMemoryClient)]
    assert list(of_both[0]) == list(of_both[1])
    assert all(method.__doc__ for _, method in methods_of(MemoryClient("key")))


def test_what_reads_or_has_a_key_is_safe_and_nothing_else() -> None:
    unsafe = {each.name for each in ALL if not each.safe and not each.keyed}
    assert {"patterns.delete_many", "patterns.update", "auth.refresh", "auth.login", "users.delete"} <= unsafe
    assert all(each.safe for each in ALL if each.method == "GET")
    assert {each.name for each in ALL if each.keyed} == {
        *("text.store", "text.batch_store", "text.forget"),
        *("vectors.store", "vectors.batch_store", "subjects.erase"),
    }


def test_lists_are_gone_through_page_after_page_as_they_are_asked_for(new_bench: NewBench) -> None:
    pages = [ok({"patterns": [{"pattern_id": "1"}, {"pattern_id": "2"}], "next_cursor": "c"})]
    pages.append(ok({"patterns": [], "next_cursor": "d"}))
    pages.append(ok({"patterns": [{"pattern_id": "3"}], "next_cursor": None}))
    bench, server = new_bench(*pages)
    found = bench.call(lambda client: client.patterns.all(limit=2, subject="ada"))
    assert [each["pattern_id"] for each in found] == ["1", "2", "3"]
    assert [each.path.partition("?")[2] for each in server.received] == [
        "limit=2&subject=ada",
        "limit=2&subject=ada&cursor=c",
        "limit=2&subject=ada&cursor=d",
    ]


class Service:
    """A service that answers pages of what it has at that moment."""

    def __init__(self) -> None:
        self.notifications: list[dict[str, Any]] = [{"id": f"n-{n}", "read": False} for n in range(90, 0, -1)]
        self.entries = [entry_of(second) for second in (32, 32, 32, 31, 31, 31, 30, 30, 30)]
        self.asked: list[str] = []
        self.depth = 10_000
        self.before: Callable[[int], None] = lambda request: None

    def respond(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request.url.query.decode())
        self.before(len(self.asked))
        query = request.url.params
        page = int(query.get("page", 1))
        if request.url.path.endswith("/audit-log"):
            size = int(query.get("limit", 50))
            if page * size > self.depth:
                return httpx.Response(422, json={"detail": "too deep"})
            entries = [each for each in self.entries if each["timestamp"] < query.get("until", "9")]
            return httpx.Response(
                200, json={"entries": entries[(page - 1) * size : page * size], "has_more": page * size < len(entries)}
            )
        size = int(query.get("per_page", 20))
        there = [each for each in self.notifications if not (each["read"] and query.get("unread_only") == "true")]
        pagination = {"page": page, "per_page": size, "total": len(there), "total_pages": -(-len(there) // size)}
        return httpx.Response(200, json={"data": there[(page - 1) * size : page * size], "pagination": pagination})


def entry_of(second: int) -> dict[str, Any]:
    return {"action": "login", "timestamp": f"2026-01-01T00:00:{second:02}.000Z"}


def bench_of(service: Service, is_async: bool) -> Bench:
    transport = httpx.MockTransport(service.respond)
    http: Any = httpx.AsyncClient(transport=transport) if is_async else httpx.Client(transport=transport)
    return Bench(is_async, http_client=http)


@pytest.mark.parametrize("query", [{}, {"per_page": 1}, {"per_page": 20}, {"per_page": 100}])
def test_every_notification_comes_once(is_async: bool, query: dict[str, int]) -> None:
    service = Service()
    bench = bench_of(service, is_async)
    assert bench.call(lambda c: c.notifications.all(**query)) == service.notifications
    assert len(service.asked) < 10
    assert bench.call(lambda c: c.notifications.all(page=3, per_page=10)) == service.notifications[20:]
    bench.close()


@pytest.mark.parametrize("deletes", [True, False])
def test_notifications_may_be_marked_as_read_and_deleted_as_they_come(deletes: bool) -> None:
    service = Service()
    ids = [each["id"] for each in service.notifications]
    given: list[str] = []
    with MemoryClient("key", http_client=httpx.Client(transport=httpx.MockTransport(service.respond))) as client:
        for notification in client.notifications.all(unread_only=not deletes):
            given.append(notification["id"])
            [known] = [each for each in service.notifications if each["id"] == notification["id"]]
            if deletes:
                service.notifications.remove(known)
            else:
                known["read"] = True
    assert given == ids


def test_what_is_there_all_the_time_comes_once_whatever_is_added_and_deleted(is_async: bool) -> None:
    for seed in range(50):
        chance = random.Random(seed)
        service = Service()

        def change(request: int, service: Service = service, chance: random.Random = chance) -> None:
            if request == 1:
                return
            for _ in range(chance.randrange(4)):
                at = chance.randrange(40)
                del service.notifications[at : at + chance.randrange(4)]
            for n in range(chance.randrange(4)):
                service.notifications.insert(0, {"id": f"new-{request}-{n}", "read": False})

        service.before = change
        bench = bench_of(service, is_async)
        ids = [each["id"] for each in bench.call(lambda c: c.notifications.all(per_page=10))]
        assert len(set(ids)) == len(ids)
        stayed = [each["id"] for each in service.notifications if not each["id"].startswith("new")]
        assert [each for each in ids if each in stayed] == stayed
        bench.close()


def test_every_audit_entry_comes_once_though_others_are_recorded_meanwhile(is_async: bool) -> None:
    service = Service()
    there = service.entries

    def record(request: int) -> None:
        if request > 1:
            service.entries = [entry_of(32 + request), *service.entries]

    service.before = record
    bench = bench_of(service, is_async)
    assert bench.call(lambda c: c.security.all_audit_entries(limit=2)) == there
    assert service.asked[:2] == ["limit=2", "limit=2&until=2026-01-01T00%3A00%3A32.001000%2B00%3A00&page=2"]
    bench.close()


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 7])
def test_every_audit_entry_comes_once_however_deep_pages_may_be(limit: int, is_async: bool) -> None:
    service = Service()
    # Up to eleven in a millisecond.
    times = [int((59 - n) ** 0.5 * 1.7) for n in range(60)]
    service.entries = [{**entry_of(second), "n": n} for n, second in enumerate(times)]
    service.depth = 14
    bench = bench_of(service, is_async)
    assert bench.call(lambda c: c.security.all_audit_entries(limit=limit)) == service.entries
    bench.close()


def test_the_audit_log_from_a_later_page_on_is_what_is_no_newer_than_its_newest(is_async: bool) -> None:
    service = Service()
    bench = bench_of(service, is_async)
    assert bench.call(lambda c: c.security.all_audit_entries(limit=3, page=2)) == service.entries[3:]
    service.entries = []
    assert bench.call(lambda c: c.security.all_audit_entries()) == []
    bench.close()


def test_an_iterator_asks_for_no_page_that_nobody_wants(new_bench: NewBench, is_async: bool) -> None:
    bench, server = new_bench(ok({"patterns": [1, 2], "next_cursor": "c"}))
    items = bench.client.patterns.all()
    assert server.received == []
    assert bench.settle(anext(items) if is_async else next(items)) == 1
    bench.settle(items.aclose() if is_async else items.close())
    assert len(server.received) == 1


def test_a_list_that_is_too_long_goes_in_parts(new_bench: NewBench) -> None:
    def stored(count: int, name: str) -> Any:
        return ok({"stored": count, "failed": 0, "pattern_ids": [name] * count, "created": [True] * count, "latency_ms": 1})

    bench, server = new_bench(stored(50, "a"), stored(50, "b"), stored(5, "c"))
    items = [{"text": f"text {n}"} for n in range(105)]
    whole = bench.call(lambda client: client.text.batch_store(items=items, on_conflict="skip", idempotency_key="import"))
    assert whole["stored"] == 105 and whole["latency_ms"] == 3
    assert whole["pattern_ids"] == ["a"] * 50 + ["b"] * 50 + ["c"] * 5
    assert [item for each in server.received for item in each.json["items"]] == items
    assert [each.json["on_conflict"] for each in server.received] == ["skip"] * 3
    assert [each.headers["idempotency-key"] for each in server.received] == ["import", "import/1", "import/2"]
    for kind in (UserList, Items):
        bench.call(lambda client, kind=kind: client.text.batch_store(items=kind(items), on_conflict="skip"))  # type: ignore[misc]
        assert [each.json for each in server.received[-3:]] == [each.json for each in server.received[:3]]


def test_each_part_has_a_key_that_is_not_too_long_and_the_same_again(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({"stored": 50}))
    items = [{"text": "a"}] * 120
    for key in ("ä" * 253, "ä" * 254, "b" * 255):
        for _ in range(2):
            bench.call(lambda client: client.text.batch_store(items=items, idempotency_key=key))  # noqa: B023
    # Headers are read as bytes.
    sent = [each.headers["idempotency-key"].encode("latin-1").decode() for each in server.received]
    assert sent[:3] == sent[3:6] == ["ä" * 253, "ä" * 253 + "/1", "ä" * 253 + "/2"]
    assert sent[6:9] == sent[9:12] and sent[12:15] == sent[15:18]
    assert (sent[6], sent[12]) == ("ä" * 254, "b" * 255)
    assert len(set(sent)) == 9 and all(len(each) == 66 for each in [*sent[7:9], *sent[13:15]])


def test_a_part_that_fails_says_what_was_done_before(new_bench: NewBench) -> None:
    issue = {"type": "too_long", "loc": ["body", "items", 3, "text"], "msg": "too long"}
    bench, server = new_bench(ok({"stored": 50}), fails(422, [issue], {"X-Request-Id": "r-1"}))
    items = [{"text": "a"}] * 120
    with pytest.raises(ValidationError, match="body.items.53.text: too long") as raised:
        bench.call(lambda client: client.text.batch_store(items=items))
    assert raised.value.partial == Partial(50, {"stored": 50})
    assert raised.value.issues == [{**issue, "loc": ["body", "items", 53, "text"]}]
    assert raised.value.request_id == "r-1"
    assert len(server.received) == 2
    bench, server = new_bench(fails(413, "Request body too large"))
    with pytest.raises(TooLargeError) as first:
        bench.call(lambda client: client.text.batch_store(items=items))
    assert first.value.partial is None


def test_several_lists_share_a_limit(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({"patterns": [1]}))
    ids, own = [f"p{n}" for n in range(201)], ["own"]
    assert bench.call(lambda client: client.patterns.get_many(pattern_ids=ids, external_ids=own)) == {"patterns": [1] * 3}
    assert [each.json for each in server.received] == [
        {"pattern_ids": ids[:200]},
        {"pattern_ids": ids[200:]},
        {"external_ids": own},
    ]
    bench, server = new_bench(ok({"patterns": []}))
    bench.call(lambda client: client.patterns.get_many(pattern_ids=ids[:199], external_ids=own))
    assert [each.json for each in server.received] == [{"pattern_ids": ids[:199], "external_ids": own}]


def test_parts_join_to_what_they_were_cut_from() -> None:
    operation: Operation[Any] = Operation("a.b", "POST", "/", takes="body", lists=("items",), most=3, most_bytes=40)
    # Nothing to part: the service says what is wrong with it.
    assert len(parts_of(operation, {"items": [], "text": "a" * 50})) == 1
    for count in range(11):
        for width in range(1, 12):
            given = {"items": ["ä" * width] * count, "other": 1}
            parts = parts_of(operation, given)
            assert joined([json.loads(part.content) for part in parts]) == given
            assert sum(part.items for part in parts) == count
            assert all(part.items <= 3 and (len(part.content) <= 40 or part.items == 1) for part in parts)
            # None goes in two where one would do.
            for one in parts[:-1]:
                assert one.items == 3 or len(one.content) + len(json.dumps("ä" * width, ensure_ascii=False).encode()) + 1 > 40


def test_embeddings_in_openais_form_keep_their_places() -> None:
    def answer(count: int) -> Any:
        data = [{"object": "embedding", "index": index} for index in range(count)]
        return {"object": "list", "data": data, "model": "m", "usage": {"prompt_tokens": count, "total_tokens": count}}

    assert joined([answer(2), answer(3)]) == answer(5)


def test_the_last_page_has_none_after_it() -> None:
    assert read_page({"a": 1}, {"i": [1], "next_cursor": None}, "i") == ([1], None)
    assert read_page({"a": 1}, {"i": [1], "next_cursor": "x"}, "i") == ([1], {"a": 1, "cursor": "x"})
    assert read_page({}, {"i": [], "has_more": False}, "i") == ([], None)
    assert read_page({"page": 2}, {"i": [], "pagination": {"page": 2, "per_page": 20}}, "i") == ([], None)
    for answer in ({"i": [1], "pagination": {}}, {"i": [1], "has_more": True}, {"i": [{"timestamp": ""}], "has_more": True}):
        with pytest.raises(InvalidAnswerError):
            read_page({}, answer, "i")


def test_files_are_bytes(new_bench: NewBench) -> None:
    from .scripted import answers

    bench, _ = new_bench(answers(200, b"PK\x03\x04"))
    assert bench.call(lambda client: client.users.download_export("exp_1")) == b"PK\x03\x04"


def test_an_end_users_client_keeps_everything_to_that_user(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({"patterns": [], "next_cursor": None}))
    ada = bench.client.for_subject("ada")
    calls: list[Callable[[], Any]] = [
        lambda: ada.text.store(text="a"),
        lambda: ada.text.batch_store(items=[{"text": "a"}, {"text": "b", "subject": "ada"}]),
        lambda: ada.text.recall(query="a", filter={"kind": "note"}),
        lambda: ada.patterns.all(),
        lambda: ada.patterns.delete_many(filter={"kind": "note"}),
        lambda: ada.subjects.get("ada"),
        lambda: ada.text.similarity(text_a="a", text_b="b"),
    ]
    for call in calls:
        bench.settle(call())
    sent = [each.json if each.body else each.path for each in server.received]
    assert sent == [
        {"text": "a", "subject": "ada"},
        {"items": [{"text": "a", "subject": "ada"}, {"text": "b", "subject": "ada"}]},
        {"query": "a", "filter": {"kind": "note"}, "subject": "ada"},
        "/v1/memory/patterns?subject=ada",
        {"filter": {"kind": "note"}, "subject": "ada"},
        "/v1/memory/subjects/ada",
        {"text_a": "a", "text_b": "b"},
    ]


def test_an_end_users_client_refuses_what_can_not_be_kept_to_that_user(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({}))
    ada = bench.client.for_subject("ada")
    calls: list[Callable[[], Any]] = [
        lambda: ada.patterns.get("pat_1"),
        lambda: ada.patterns.update("pat_1", subject="ada"),
        lambda: ada.patterns.delete_all(confirm="all"),
        lambda: ada.patterns.delete_many(pattern_ids=["pat_1"]),
        lambda: ada.patterns.delete_many(external_ids=[]),
        lambda: ada.text.important(),
        lambda: ada.subjects.list(),
        lambda: ada.engine.sleep(),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="can't be kept to one end user"):
            bench.settle(call())
    others: list[Callable[[], Any]] = [
        lambda: ada.text.recall(query="a", subject="zoe"),
        lambda: ada.text.recall(query="a", subject=["ada", "zoe"]),
        lambda: ada.text.batch_store(items=[{"text": "a", "subject": "zoe"}]),
        lambda: ada.subjects.erase("zoe"),
        lambda: ada.subjects.token(subject="zoe"),
    ]
    for call in others:
        with pytest.raises(ValueError, match="names the subject .*zoe.* on a client for 'ada'"):
            bench.settle(call())
    for nobody in (None, "", " ", 7):
        with pytest.raises(TypeError, match="A subject is the name of an end user"):
            bench.client.for_subject(nobody)
    assert server.received == []


class Changing(Mapping[str, Any]):
    """Says another subject each time that it is asked."""

    def __init__(self, *subjects: str) -> None:
        self._subjects = itertools.chain(subjects, itertools.repeat("zoe"))

    def __getitem__(self, name: str) -> Any:
        return next(self._subjects) if name == "subject" else "a"

    def __iter__(self) -> Iterator[str]:
        return iter(("text", "subject"))

    def __len__(self) -> int:
        return 2


class Own(str):
    """A text that is none other's equal."""

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


class Items:
    """As an array of objects of NumPy, or a column of pandas."""

    def __init__(self, items: list[Any]) -> None:
        self._items = items

    def tolist(self) -> list[Any]:
        return self._items


@dataclass
class Text:
    text: str
    subject: str


class Row:
    """As a row of SQLite or pandas, which is no mapping."""

    def keys(self) -> list[str]:
        return ["text", "subject"]

    def __getitem__(self, name: str) -> str:
        return "ada" if name == "subject" else "a"


@pytest.mark.parametrize("kind", [list, tuple, UserList, deque, Items])
def test_lists_of_every_class_are_kept_to_an_end_user(new_bench: NewBench, kind: Callable[[list[Any]], Any]) -> None:
    bench, server = new_bench(ok({}))
    ada = bench.client.for_subject("ada")
    others = [Changing("ada"), MappingProxyType({"text": "a"}), {Own("subject"): "zoe", "subject": "ada"}]
    bench.settle(ada.text.batch_store(items=kind([{"text": "a"}, *others])))
    bench.settle(ada.vectors.batch_store(patterns=kind([{"text": "a"}])))
    bench.settle(ada.vectors.batch_retrieve(queries=kind([{"text": "a"}])))
    for sent in server.received:
        [items] = sent.json.values()
        assert items and all(item["subject"] == "ada" for item in items)
        assert sent.body.count(b'"subject":') == len(items) and b"zoe" not in sent.body
    before = len(server.received)
    for other in ({"subject": "zoe"}, Changing(), {"subject": "ada", Own("subject"): "zoe"}):
        with pytest.raises(ValueError, match="names the subject 'zoe' on a client for 'ada'"):
            bench.settle(ada.text.batch_store(items=kind([{"text": "a"}, other])))
    for item, said in (
        ("x", "'x'"),
        (None, "None"),
        ([("text", "a")], "a list"),
        (Text("a", "ada"), "a Text"),
        (Row(), "a Row"),
    ):
        with pytest.raises(TypeError, match=rf"^items\[1\] is {said}"):
            bench.settle(ada.text.batch_store(items=kind([{"text": "a"}, item])))
    assert len(server.received) == before


def test_what_is_no_list_is_not_kept_to_an_end_user(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({}))
    ada = bench.client.for_subject("ada")
    item = {"text": "a", "subject": "zoe"}
    refused: list[tuple[Any, str]] = [
        ((each for each in [item]), "a generator"),
        ({"a": item}.values(), "a dict_values"),
        ({"a": item}, "a dict"),
        ("x", "'x'"),
        (b"x", "a bytes"),
        (None, "None"),
        (Text("a", "zoe"), "a Text"),
    ]
    for items, said in refused:
        with pytest.raises(TypeError, match=f"^items is {said}"):
            bench.settle(ada.text.batch_store(items=items))
    # Nor is an id of a path that another class has.
    with pytest.raises(ValueError, match="names the subject"):
        bench.settle(ada.subjects.erase(Never()))
    assert server.received == []


class Never:
    """A number that is never another one."""

    def __index__(self) -> int:
        return 7

    def __ne__(self, other: object) -> bool:
        return False


def test_whatever_takes_a_subject_can_be_kept_to_one() -> None:
    """A new operation that has one, and that this client would not bind, is found here."""
    for client in (MemoryClient("key"), AsyncMemoryClient("key")):
        for name, method in methods_of(client):
            if "subject" not in inspect.signature(method).parameters or re.search(r"\.all(_|$)", name):
                continue
            [operation] = [each for each in ALL if each.name == name]
            # A change gives a pattern away, whosever it was.
            assert operation.scope in (("subject", "path") if name != "patterns.update" else (None,)), name


def test_what_is_known_by_its_etag_is_none(new_bench: NewBench) -> None:
    context = {"text": "A fact.", "etag": "e-2"}
    bench, server = new_bench(answers(304, b"", {"ETag": '"e-1"'}), ok(context))
    assert bench.call(lambda client: client.text.context(if_none_match="e-1", headers={"X-Own": "1"})) is None
    assert bench.call(lambda client: client.for_subject("ada").text.context(if_none_match="e-1")) == context
    assert [each.headers["if-none-match"] for each in server.received] == ['"e-1"', '"e-1"']
    assert (server.received[0].headers["x-own"], server.received[1].json) == ("1", {"subject": "ada"})
    # What is not known yet is asked for.
    assert bench.call(lambda client: client.text.context(if_none_match=None)) == context
    assert "if-none-match" not in server.received[-1].headers
    with pytest.raises(TypeError, match="unexpected keyword argument 'if_none_match'"):
        bench.call(lambda client: client.text.stats(if_none_match="e-1"))
    bench, _ = new_bench(fails(404, "Not found"))
    with pytest.raises(NotFoundError):
        bench.call(lambda client: client.text.context(if_none_match="e-1"))


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (lambda client: client.text.store(text="a"), b"[]"),
        (lambda client: client.patterns.all(), b"[]"),
        (lambda client: client.auth.login(email="ada@example.com", password="an engine"), b"[]"),
        (lambda client: client.api_keys.list(), b"{}"),
    ],
)
def test_an_answer_of_another_kind_than_the_operations_is_none(
    new_bench: NewBench, ask: Callable[[Any], Any], answer: bytes
) -> None:
    bench, _ = new_bench(answers(200, answer))
    with pytest.raises(InvalidAnswerError, match="is there a Memory Service at base_url"):
        bench.call(ask)
