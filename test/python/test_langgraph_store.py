"""
What LangGraph says of stores and its published tests leave out. Where its own store in memory does so too, both are
asked, so that a check can't expect what only the service does.
"""

import time
from datetime import datetime, timedelta, timezone
from enum import Enum
from typing import Any

import pytest
from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from langgraph.store.memory import InMemoryStore
from memory_service import AsyncMemoryClient, MemoryClient, ValidationError
from memory_service.integrations.langchain import MemoryServiceEmbeddings
from memory_service.integrations.langgraph import MemoryServiceStore


@pytest.fixture(params=["in memory", "service"])
def store(
    request: pytest.FixtureRequest, client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None
) -> BaseStore:
    """Searches by meaning, the field `text`."""
    index = {"dims": 384, "embed": MemoryServiceEmbeddings(client), "fields": ["text"]}
    return (
        InMemoryStore(index=index)
        if request.param == "in memory"
        else MemoryServiceStore(client, async_client=async_client, index=index)
    )


@pytest.fixture
def ours(client: MemoryClient, empty_space: None) -> MemoryServiceStore:
    return MemoryServiceStore(client, index={"fields": ["text"]})


def keys(items: list[Any]) -> list[str]:
    return [item.key for item in items]


FILTERED = {
    "a": {"n": 1, "kind": "note", "open": True, "place": {"city": "Lyon", "zip": 69001}},
    "b": {"n": 2.5, "kind": "mail", "open": False, "place": {"city": "Köln"}, "x.y": 1},
    "c": {"n": 10, "kind": "note", "open": False, "$odd": "yes", "back\\slash": 1},
    "d": {"n": 0, "kind": 'say "hi"', "open": None},
}


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({"n": 1}, "a"),
        ({"n": {"$eq": 2.5}}, "b"),
        ({"n": {"$ne": 1}}, "bcd"),
        ({"n": {"$gt": 2.5}, "kind": "note"}, "c"),
        ({"open": {"$ne": None}, "kind": {"$ne": "mail"}}, "ac"),
        ({"open": False}, "bc"),
        ({"open": None}, "d"),
        ({"kind": 'say "hi"'}, "d"),
        ({"place": {"city": "Köln"}}, "b"),
        ({"place": {"city": "Lyon", "zip": {"$gte": 69000}}}, "a"),
        ({"place": {"city": "Lyon", "zip": {"$lt": 69000}}}, ""),
        ({"x.y": 1}, "b"),
        ({"x": {"y": 1}}, ""),
        ({"$odd": "yes"}, "c"),
        ({"back\\slash": 1}, "c"),
        ({"kind": "nothing"}, ""),
        ({"absent": "note"}, ""),
        ({"absent": {"$ne": "note"}}, "abcd"),
        ({}, "abcd"),
    ],
)
def test_filters(store: BaseStore, filter: dict[str, Any], expected: str) -> None:
    for key, value in FILTERED.items():
        store.put(("docs",), key, value)
    assert keys(store.search(("docs",), filter=filter)) == list(expected)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ({"$gt": 2}, [3, 4]),
        ({"$gte": 2}, [2, 3, 4]),
        ({"$lt": 2}, [-1, 0.5]),
        ({"$lte": 2}, [-1, 0.5, 2]),
        ({"$gt": 0, "$lt": 4}, [0.5, 2, 3]),
        ({"$gt": 0, "$ne": 3, "$lte": 4}, [0.5, 2, 4]),
        ({"$gt": 4}, []),
    ],
)
def test_compares_numbers(store: BaseStore, condition: dict[str, Any], expected: list[float]) -> None:
    for n in [-1, 0.5, 2, 3, 4]:
        store.put(("numbers",), f"of {n}", {"n": n})
    found = store.search(("numbers",), filter={"n": condition})
    assert [item.value["n"] for item in found] == expected
    found = store.search(("numbers",), query="a number", filter={"n": condition})
    assert sorted(item.value["n"] for item in found) == expected


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"text": "Zoë wohnt in Köln 🏠", "list": [1, 2.5, None, True, {"a": []}], "größe": {"x": {"y": {"z": 1}}}},
        {"nothing": "", "n": 2**53 - 1, "small": 1e-300, "zero": 0, "lines": "a\nb\t\u2028"},
        {"text": ["not", "a", "string"]},
    ],
)
def test_values_come_back_as_they_were(store: BaseStore, value: dict[str, Any]) -> None:
    store.put(("values",), "one", value)
    found = store.get(("values",), "one")
    assert found is not None and found.value == value
    assert [item.value for item in store.search(("values",))] == [value]


def test_names_that_look_like_others_are_others(store: BaseStore) -> None:
    names = [
        (("a",), "k"),
        (("a",), "0.k"),
        (("a",), ".k"),
        (("a",), "..k"),
        (("a",), "..0.k"),
        (("a", "0"), "k"),
        (("a", "k"), "k"),
        (("A",), "k"),
        (("a",), "K"),
        (("a/b",), "k"),
        (("a",), "b/k"),
        (("a ",), " k "),
        (("ä",), "ключ 🔑"),
        (("a\u0308",), "ключ 🔑"),
        (("a",), "%2F?#&"),
    ]
    for i, (namespace, key) in enumerate(names):
        store.put(namespace, key, {"i": i})
    assert [store.get(namespace, key).value for namespace, key in names] == [{"i": i} for i in range(len(names))]
    assert sorted(store.list_namespaces()) == sorted({namespace for namespace, _ in names})
    namespace, key = names[1]
    store.delete(namespace, key)
    left = [store.get(namespace, key) is not None for namespace, key in names]
    assert left == [i != 1 for i in range(len(names))]


def test_deleting_what_is_not_there_changes_nothing(store: BaseStore) -> None:
    store.put(("a",), "k", {"v": 1})
    store.delete(("a",), "other")
    store.delete(("a", "b"), "k")
    assert keys(store.search(())) == ["k"]


def test_a_batch_reads_what_was_before_and_does_the_last_put(store: BaseStore) -> None:
    store.put(("a",), "k", {"v": 0})
    results = store.batch(
        [
            PutOp(("a",), "k", {"v": 1}),
            GetOp(("a",), "k"),
            SearchOp(("a",)),
            PutOp(("a",), "k", {"v": 2}),
            PutOp(("b",), "gone", {"v": 3}),
            PutOp(("b",), "gone", None),
            ListNamespacesOp((MatchCondition("prefix", ("a",)),)),
            GetOp(("a",), "none"),
        ]
    )
    assert results[1].value == {"v": 0}
    assert [item.value for item in results[2]] == [{"v": 0}]
    assert results[6:] == [[("a",)], None]
    assert [results[i] for i in (0, 3, 4, 5)] == [None] * 4
    assert store.get(("a",), "k").value == {"v": 2}
    assert store.get(("b",), "gone") is None


def test_large_batches(store: BaseStore) -> None:
    count = 120
    names = [(("many", f"of {i % 3}"), f"k{i:03}") for i in range(count)]
    store.batch([PutOp(*name, {"i": i}, index=False) for i, name in enumerate(names)])
    found = store.batch([GetOp(*name) for name in names])
    assert [item.value["i"] for item in found] == list(range(count))
    assert sorted(item.value["i"] for item in store.search(("many",), limit=1000)) == list(range(count))
    assert len(store.search(("many",), limit=50, offset=count - 20)) == 20
    store.batch([PutOp(*name, None) for name in names[1:]])
    assert keys(store.search(("many",), limit=1000)) == ["k000"]


def test_large_batches_of_long_keys(store: BaseStore) -> None:
    keys = [f"{'ключ' * 57}{i:03}" for i in range(50)]
    for value in (1, 2):
        store.batch([PutOp(("many",), key, {"i": value}, index=False) for key in keys])
    assert [item.value["i"] for item in store.batch([GetOp(("many",), key) for key in keys])] == [2] * 50
    store.batch([PutOp(("many",), key, None) for key in keys[1:]])
    assert [item.key for item in store.search(("many",), limit=1000)] == keys[:1]


async def test_asynchronously(store: BaseStore) -> None:
    await store.aput(("users", "zoë"), "city", {"text": "Zoë wohnt in Köln."})
    await store.aput(("users", "ada"), "city", {"text": "Ada lives in Lisbon."})
    await store.aput(("users", "ada"), "colour", {"text": "Ada likes green."}, index=False)
    item = await store.aget(("users", "zoë"), "city")
    assert item is not None and item.value == {"text": "Zoë wohnt in Köln."}
    found = await store.asearch(("users",), query="Who lives in Portugal?", limit=2)
    assert [(item.namespace, item.key) for item in found] == [(("users", "ada"), "city"), (("users", "zoë"), "city")]
    assert found[0].score > found[1].score
    assert await store.alist_namespaces(prefix=("users", "*")) == [("users", "ada"), ("users", "zoë")]
    results = await store.abatch([GetOp(("users", "ada"), "colour"), SearchOp(("users", "zoë"))])
    assert results[0].value["text"] == "Ada likes green."
    assert keys(results[1]) == ["city"]
    await store.adelete(("users", "zoë"), "city")
    assert await store.aget(("users", "zoë"), "city") is None


def test_searches_within_a_namespace_by_meaning(store: BaseStore) -> None:
    store.put(("ada", "notes"), "1", {"text": "The lease in Lyon ends in June.", "kind": "home"})
    store.put(("ada", "notes"), "2", {"text": "The train to Porto leaves at nine.", "kind": "travel"})
    store.put(("zoë", "notes"), "1", {"text": "The lease in Köln ends in May.", "kind": "home"})
    found = store.search(("ada",), query="When does the rental contract end?")
    assert [(item.namespace[0], item.key) for item in found] == [("ada", "1"), ("ada", "2")]
    assert 1 >= found[0].score > found[1].score >= -1
    found = store.search((), query="When does the train leave?", filter={"kind": "home"})
    assert {item.namespace[0] for item in found} == {"ada", "zoë"}


@pytest.mark.parametrize(
    ("query", "filter", "expected"),
    [
        ("apple", {"color": "red"}, ["red apple", "red car"]),
        ("car", {"color": "red"}, ["red car", "red apple"]),
        ("blue", {"score": {"$gt": 3.2}}, ["blue car", None, None]),
        ("apple", {"score": {"$gte": 4.0}, "color": "green"}, ["green apple"]),
    ],
)
async def test_searches_by_meaning_what_a_filter_lets_through(
    store: BaseStore, query: str, filter: dict[str, Any], expected: list[str | None]
) -> None:
    """As the published tests do, but for a query that is no word."""
    for text, color, score in [
        ("red apple", "red", 4.5),
        ("red car", "red", 3.0),
        ("green apple", "green", 4.0),
        ("blue car", "blue", 3.5),
    ]:
        store.put(("test",), text, {"text": text, "color": color, "score": score})
    for found in [
        store.search(("test",), query=query, filter=filter),
        await store.asearch(("test",), query=query, filter=filter),
    ]:
        assert len(found) == len(expected)
        assert [wanted or key for wanted, key in zip(expected, keys(found), strict=True)] == keys(found)


def test_a_key_is_what_a_text_holds_and_not_what_it_prints(ours: MemoryServiceStore) -> None:
    class Key(str, Enum):
        CITY = "city"

    ours.batch([PutOp(("a",), Key.CITY, {"v": 1})])
    assert ours.get(("a",), "city").value == {"v": 1}
    ours.batch([PutOp(("a",), Key.CITY, None)])
    assert ours.get(("a",), "city") is None


def test_an_update_keeps_when_it_was_created(ours: MemoryServiceStore) -> None:
    before = datetime.now(timezone.utc) - timedelta(seconds=5)
    ours.put(("a",), "k", {"text": "First."})
    first = ours.get(("a",), "k")
    ours.put(("a",), "k", {"text": "Second."})
    second = ours.get(("a",), "k")
    assert first is not None and second is not None
    assert before < first.created_at <= first.updated_at
    assert second.created_at == first.created_at
    assert second.updated_at > first.updated_at
    [found] = ours.search(("a",), query="Second.")
    assert (found.created_at, found.updated_at) == (second.created_at, second.updated_at)


def test_what_is_not_searched_comes_last_without_a_score(ours: MemoryServiceStore) -> None:
    for i in range(3):
        ours.put(("a",), f"searched {i}", {"text": f"Ada lives in Lisbon, at number {i}."})
        ours.put(("a",), f"not {i}", {"text": "Where does Ada live?"}, index=False)
    whole = ours.search(("a",), query="Where does Ada live?", limit=10)
    assert [item.score is None for item in whole] == [False] * 3 + [True] * 3
    assert keys(whole)[3:] == ["not 0", "not 1", "not 2"]
    pages = [
        item
        for offset in range(0, 8, 2)
        for item in ours.search(("a",), query="Where does Ada live?", limit=2, offset=offset)
    ]
    assert pages == whole


def test_a_text_without_anything_visible_is_not_searched(ours: MemoryServiceStore) -> None:
    values = [{"text": "Before."}, {"text": "\u200b\u2800"}, {"text": " \n"}, {"text": "After."}]
    ours.batch([PutOp(("values",), str(n), value) for n, value in enumerate(values)])
    found = ours.search(("values",), query="Before or after?")
    assert sorted(keys(found[:2])) == ["0", "3"]
    assert {item.key: (item.value, item.score) for item in found[2:]} == {"1": (values[1], None), "2": (values[2], None)}


def test_an_item_is_found_by_the_nearest_of_its_texts_once(ours: MemoryServiceStore) -> None:
    texts = [f"Ada has visited the city of {city}." for city in ("Lyon", "Porto", "Oslo", "Turin")]
    ours.put(("a",), "many", {"texts": texts}, index=["texts[*]"])
    ours.put(("a",), "one", {"text": "The lease ends in June."})
    found = ours.search(("a",), query=texts[2], limit=2)
    assert keys(found) == ["many", "one"]
    assert found[0].score == pytest.approx(1, abs=1e-3)
    # What an item said before does not find it any more, and it is there once.
    ours.put(("a",), "many", {"texts": texts[:1]}, index=["texts[*]"])
    found = ours.search(("a",), query=texts[2], limit=10)
    assert keys(found) == ["many", "one"]
    assert found[0].score < 0.99
    assert keys(ours.search(("a",))) == ["many", "one"]
    ours.delete(("a",), "many")
    assert keys(ours.search((), query=texts[0])) == ["one"]


def test_pages_end_behind_as_many_as_one_search_answers(ours: MemoryServiceStore) -> None:
    ours.batch([PutOp(("a",), f"k{n:02}", {"text": f"Ada has {n} cats."}) for n in range(60)])
    ours.put(("a",), "not", {"text": "Ada has no cat."}, index=False)

    def page(offset: int, limit: int) -> list[Any]:
        return ours.search(("a",), query="How many cats has Ada?", offset=offset, limit=limit)

    whole = page(0, 200)
    assert len(set(keys(whole))) == 51 and keys(whole)[50:] == ["not"]
    assert [item for offset in range(0, 70, 10) for item in page(offset, 10)] == whole
    assert page(48, 4) == whole[48:] and page(50, 1) == whole[50:] and page(60, 60) == []


def test_what_others_stored_is_no_item(ours: MemoryServiceStore, client: MemoryClient) -> None:
    """As a session of OpenAI's SDK stores an item of a conversation, and other adapters what they are given."""
    others = [{"part": 0}, {"indexed": True}, {"indexed": False, "part": 0}, {"key": "k"}, {"key": "k", "part": 1}]
    for n, metadata in enumerate(others):
        client.text.store(text="Where does Ada live?", subject="a", external_id=f"a/{n}", metadata=metadata)
    client.text.store(text="A note.", external_id="a..0.note", metadata={"kind": "note"})
    ours.put(("a",), "k", {"text": "Ada lives in Lisbon."})
    assert keys(ours.search(("a",))) == keys(ours.search(())) == ["k"]
    assert keys(ours.search(("a",), query="Where does Ada live?")) == ["k"]
    assert ours.get(("a",), "note") is None
    ours.put(("a",), "k", {"text": "Ada lives in Porto."})
    ours.delete(("a",), "k")
    assert client.patterns.count()["count"] == 6


def test_an_item_expires_so_long_after_it_was_put(client: MemoryClient, empty_space: None) -> None:
    store = MemoryServiceStore(client, ttl={"default_ttl": 10})
    store.put(("a",), "default", {"v": 1})
    store.put(("a",), "never", {"v": 1}, ttl=None)
    store.put(("b",), "soon", {"v": 1}, ttl=0.5 / 60)
    patterns = client.patterns.get_many(external_ids=["a..0.default", "a..0.never"])["patterns"]
    left = datetime.fromisoformat(patterns[0]["expires_at"]) - datetime.now(timezone.utc)
    assert timedelta(minutes=9) < left <= timedelta(minutes=10)
    assert patterns[1]["expires_at"] is None
    until = time.monotonic() + 30
    while store.get(("b",), "soon") is not None:
        assert time.monotonic() < until, "It is still there."
        time.sleep(0.05)
    assert keys(store.search(())) == ["default", "never"]
    assert store.list_namespaces() == [("a",)]
    store.put(("a",), "default", {"v": 2}, ttl=None)
    assert client.patterns.get_many(external_ids=["a..0.default"])["patterns"][0]["expires_at"] is None


def test_what_the_service_can_not_do_is_an_error(client: MemoryClient, ours: MemoryServiceStore) -> None:
    with pytest.raises(ValueError, match="embeds texts by itself"):
        MemoryServiceStore(client, index={"dims": 3, "embed": lambda texts: [[0.0, 0.0, 1.0] for _ in texts]})
    ours.put(("a",), "k", {"text": "A text.", "tags": ["x"]})
    for wanted in (["x"], ("x",), [], {"$eq": ["x"]}, {"$ne": ["x"]}):
        for filter in ({"tags": wanted}, {"inner": {"tags": wanted}}):
            with pytest.raises(ValueError, match="compares no lists as a whole .of tags.: ask for an element"):
                ours.search(("a",), filter=filter)
    assert keys(ours.search(("a",), filter={"tags": {"$contains": "x"}})) == ["k"]
    refused = [
        lambda: ours.put(("a",), "large", {"text": "x" * 17_000}),
        lambda: ours.put(("a" * 129,), "k", {}),
        lambda: ours.put(("a",), "k" * 256, {}),
    ]
    for ask in refused:
        with pytest.raises(ValidationError):
            ask()
    assert keys(ours.search(())) == ["k"]
