"""
A vector store of LlamaIndex over the service. LlamaIndex publishes no tests of stores: filters are asked of its own store in memory too,
so that a check can't expect what only the service does.
"""

from typing import Any

import pytest
from llama_index.core import Document, MockEmbedding, StorageContext, VectorStoreIndex
from llama_index.core.llms import MockLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode
from llama_index.core.vector_stores import SimpleVectorStore
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)
from memory_service import AsyncMemoryClient, MemoryClient, ValidationError
from memory_service.integrations.llama_index import MemoryServiceVectorStore


@pytest.fixture(params=["in memory", "service", "service, of one user"])
def either(request: pytest.FixtureRequest, client: MemoryClient, empty_space: None) -> BasePydanticVectorStore:
    if request.param == "in memory":
        return SimpleVectorStore()
    return MemoryServiceVectorStore(client, **({"subject": "ada/zoë"} if "user" in request.param else {}))


@pytest.fixture
def store(client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None) -> MemoryServiceVectorStore:
    return MemoryServiceVectorStore(client, async_client=async_client)


def node(id: str, text: str, document: str = "d1", **metadata: Any) -> TextNode:
    relationships = {NodeRelationship.SOURCE: RelatedNodeInfo(node_id=document)}
    return TextNode(id_=id, text=text, metadata=metadata, relationships=relationships, embedding=[1.0, 0.5])


NODES = [
    node("a", "Ada lives in Lisbon.", kind="note", n=1, tags=["x", "y"], **{"x.y": "dot"}),
    node("b", "The train to Porto leaves at nine.", kind="mail", n=2.5, tags=["y"]),
    node("c", "Zoë wohnt in Köln.", "d2", kind="note", n=10, tags=["z"], **{"$odd": "yes"}),
    node("d", "Nothing is known of it.", "d2", kind=None),
]


def found_by(store: BasePydanticVectorStore, **query: Any) -> set[str]:
    asked = VectorStoreQuery(query_str="Where?", query_embedding=[1.0, 0.5], similarity_top_k=10, **query)
    return set(store.query(asked).ids or [])


def where(*filters: tuple[str, str, Any], condition: str = "and") -> MetadataFilters:
    return MetadataFilters.model_validate(
        {
            "filters": [{"key": key, "operator": operator, "value": value} for key, operator, value in filters],
            "condition": condition,
        }
    )


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (where(("kind", "==", "note")), "ac"),
        (where(("kind", "!=", "note")), "bd"),
        (where(("n", ">", 1)), "bc"),
        (where(("n", ">=", 2.5)), "bc"),
        (where(("n", "<", 10)), "ab"),
        (where(("n", "<=", 1)), "a"),
        (where(("n", "in", [1, 10])), "ac"),
        (where(("kind", "in", ["mail"])), "b"),
        (where(("kind", "nin", ["mail"])), "acd"),
        (where(("tags", "contains", "y")), "ab"),
        (where(("tags", "any", ["x", "z"])), "ac"),
        (where(("tags", "all", ["x", "y"])), "a"),
        (where(("kind", "text_match", "ot")), "ac"),
        (where(("x.y", "==", "dot")), "a"),
        (where(("$odd", "==", "yes")), "c"),
        (where(("kind", "==", "note"), ("n", ">", 1)), "c"),
        (where(("kind", "==", "mail"), ("n", ">", 5), condition="or"), "bc"),
        (where(("kind", "==", "mail"), ("n", ">", 5), condition="not"), "ad"),
        (where(("absent", "==", "x")), ""),
        (where(("absent", "!=", "x")), "abcd"),
        (MetadataFilters(filters=[]), "abcd"),
    ],
)
def test_filters(either: BasePydanticVectorStore, filters: MetadataFilters, expected: str) -> None:
    either.add(NODES)
    assert found_by(either, filters=filters) == set(expected)
    either.delete_nodes(node_ids=["a", "b", "c"], filters=filters)
    assert found_by(either) == {"a", "b", "c", "d"} - (set(expected) - {"d"})


def test_deletes(either: BasePydanticVectorStore) -> None:
    either.add(NODES)
    assert found_by(either, node_ids=["a", "c", "none"]) == {"a", "c"}
    either.delete("d2")
    assert found_by(either) == {"a", "b"}
    either.delete_nodes(["b", "none"])
    assert found_by(either) == {"a"}
    either.delete_nodes([])
    assert found_by(either) == {"a"}
    either.clear()
    assert found_by(either) == set()


def test_no_document_is_none(store: MemoryServiceVectorStore) -> None:
    store.add(NODES)
    assert found_by(store, doc_ids=[]) == set()
    assert found_by(store, doc_ids=[], mode=VectorStoreQueryMode.HYBRID) == set()
    assert found_by(store, doc_ids=[], filters=where(("kind", "==", "note"))) == set()
    assert found_by(store, doc_ids=None) == {"a", "b", "c", "d"}
    # As an index asks whose nodes are in the store alone.
    assert found_by(store, node_ids=[]) == {"a", "b", "c", "d"}


async def test_a_node_without_anything_visible_keeps_no_other_out(store: MemoryServiceVectorStore) -> None:
    store.add([node("a", "Was here."), node("b", "Stays.")])
    assert store.add([node("c", "Before."), node("a", "\u200b"), node("d", "After.")]) == ["c", "a", "d"]
    assert await store.async_add([node("e", ""), node("f", "\ufeff\u2800")]) == ["e", "f"]
    assert [each.node_id for each in store.get_nodes()] == ["b", "c", "d"]


def test_filters_within_filters(store: MemoryServiceVectorStore) -> None:
    store.add(NODES)
    inner = where(("kind", "==", "mail"), ("n", ">", 5), condition="or")
    assert found_by(store, filters=MetadataFilters(filters=[inner, *where(("n", ">", 5)).filters])) == {"c"}
    assert found_by(store, filters=MetadataFilters(filters=[inner], condition="not")) == {"a", "d"}
    assert found_by(store, doc_ids=["d2"], filters=where(("kind", "==", "note"))) == {"c"}


@pytest.mark.parametrize("condition", ["and", "or", "not"])
def test_an_empty_group_within_filters_is_none(store: MemoryServiceVectorStore, condition: str) -> None:
    store.add(NODES)
    empty = MetadataFilters(filters=[MetadataFilters(filters=[])], condition=condition)
    mail = where(("kind", "==", "mail")).filters
    assert found_by(store, filters=empty) == {"a", "b", "c", "d"}
    assert found_by(store, filters=MetadataFilters(filters=[empty, *mail])) == {"b"}
    assert [each.node_id for each in store.get_nodes(filters=MetadataFilters(filters=[*mail, empty]))] == ["b"]
    for filters in (empty, MetadataFilters(filters=[*mail, empty])):
        for ids in (None, ["a"]):
            with pytest.raises(ValueError, match="is empty: which nodes to delete is not said"):
                store.delete_nodes(ids, filters)
    assert len(store.get_nodes()) == 4


async def test_nodes_come_back_as_they_were(store: MemoryServiceVectorStore) -> None:
    nodes = [node(f"n{n}", f"Note {n % 7} 🏠\n", n=n, nested={"a": [1, None, {"b": True}]}) for n in range(230)]
    assert store.add(nodes) == await store.async_add(nodes) == [each.node_id for each in nodes]
    without = [each.model_copy(update={"embedding": None}) for each in nodes]
    assert store.get_nodes() == await store.aget_nodes() == without
    assert store.get_nodes(["n7", "n3"]) == [without[3], without[7]]
    assert store.get_nodes(filters=where(("n", ">", 227))) == without[228:]
    await store.adelete_nodes(["n229"])
    await store.adelete("another")
    assert len(store.get_nodes()) == 229
    await store.aclear()
    assert store.get_nodes() == []


async def test_an_index_finds_by_meaning_without_a_model(store: MemoryServiceVectorStore) -> None:
    context = StorageContext.from_defaults(vector_store=store)
    documents = [
        Document(text="The lease in Lyon ends in June.", metadata={"kind": "home"}, id_="lease"),
        Document(text="The train to Porto leaves at nine.", metadata={"kind": "travel"}, id_="train"),
    ]
    splitter = [SentenceSplitter(chunk_size=200)]
    model = MockEmbedding(embed_dim=1)
    VectorStoreIndex.from_documents(documents, storage_context=context, embed_model=model, transformations=splitter)
    index = VectorStoreIndex.from_vector_store(store, embed_model=model)
    for mode in ("default", "hybrid"):
        retriever = index.as_retriever(similarity_top_k=1, vector_store_query_mode=mode)
        [found] = retriever.retrieve("When does the rental contract end?")
        assert found.node.get_content() == "The lease in Lyon ends in June."
        assert found.node.ref_doc_id == "lease" and found.score is not None and 0.3 < found.score <= 1
        assert await retriever.aretrieve("When does the rental contract end?") == [found]
    answer = index.as_query_engine(llm=MockLLM(), similarity_top_k=1).query("When does the train leave?")
    assert "The train to Porto leaves at nine." in str(answer)
    index.delete_ref_doc("lease")
    assert [each.ref_doc_id for each in store.get_nodes()] == ["train"]


def test_what_others_stored_is_found_and_not_cleared(store: MemoryServiceVectorStore, client: MemoryClient) -> None:
    client.text.store(text="Ada has a cat.", metadata={"kind": "fact"}, external_id="cat")
    stored = client.text.store(text="Ada has a dog.")
    store.add(NODES[:1])
    result = store.query(VectorStoreQuery(query_str="Which pets has Ada?", similarity_top_k=2))
    assert set(result.ids or []) == {"cat", stored["pattern_id"]}
    assert {each.metadata.get("kind") for each in result.nodes or []} == {"fact", None}
    store.clear()
    assert client.patterns.count()["count"] == 2


def test_each_user_has_nodes_of_its_own(client: MemoryClient, empty_space: None) -> None:
    ada, zoe = (MemoryServiceVectorStore(client, subject=subject) for subject in ("ada", "zoë"))
    ada.add([node("1", "I live in Lisbon.")])
    zoe.add([node("1", "I live in Köln.")])
    zoe.delete_nodes(["1"])
    assert [each.get_content() for each in ada.get_nodes(["1"])] == ["I live in Lisbon."]
    assert zoe.get_nodes() == [] and found_by(zoe) == set()
    zoe.clear()
    assert found_by(ada) == {"1"}


async def test_without_a_subject_it_deletes_what_is_nobodys(store: MemoryServiceVectorStore, client: MemoryClient) -> None:
    ada = MemoryServiceVectorStore(client, subject="ada")
    ada.add(NODES[:2])
    index = VectorStoreIndex.from_vector_store(store, embed_model=MockEmbedding(embed_dim=1))
    for delete in (
        lambda: store.delete("d1"),
        lambda: store.delete_nodes(["a", "ada/a"]),
        lambda: store.delete_nodes(filters=where(("kind", "==", "note"))),
        store.clear,
        lambda: index.update_ref_doc(Document(text="It rains.", id_="d1")),
    ):
        store.add(NODES[:1])
        delete()
        assert store.get_nodes(["a"]) == []
    store.add(NODES[:1])
    await store.adelete("d1")
    store.add(NODES[:1])
    await store.adelete_nodes(["a", "ada/a"])
    store.add(NODES[:1])
    await store.aclear()
    assert [each.node_id for each in ada.get_nodes()] == ["a", "b"]
    assert {each["subject"] for each in client.patterns.all()} == {"ada"}


def test_more_ids_than_one_filter_holds(store: MemoryServiceVectorStore) -> None:
    nodes = [node("中" * 80 + str(n), f"Note {n}.") for n in range(100)]
    store.add(nodes)
    ids = [each.node_id for each in nodes]
    assert [each.node_id for each in store.get_nodes([*reversed(ids), ids[0]])] == ids
    store.delete_nodes(ids[1:], filters=where(("kind", "!=", "mail")))
    assert [each.node_id for each in store.get_nodes()] == ids[:1]


def test_a_node_that_was_superseded_is_there_and_not_found(store: MemoryServiceVectorStore, client: MemoryClient) -> None:
    store.add(NODES[:2])
    client.text.store(text="Ada lives in Porto.", supersedes="ext:a")
    assert "a" not in found_by(store)
    assert [each.node_id for each in store.get_nodes()] == ["a", "b"]
    assert [each.node_id for each in store.get_nodes(["a"])] == ["a"]


async def test_what_is_not_known_is_refused_and_not_dropped(store: MemoryServiceVectorStore) -> None:
    store.add(NODES)
    asked = VectorStoreQuery(query_str="Where?", similarity_top_k=10)
    unknown: Any = {"namespace": "ada"}
    for ask in (
        lambda: store.add(NODES, **unknown),
        lambda: store.query(asked, **unknown),
        lambda: store.delete("d1", **unknown),
        lambda: store.delete_nodes(["a"], **unknown),
    ):
        with pytest.raises(TypeError, match="namespace"):
            ask()
    for ask_async in (
        lambda: store.async_add(NODES, **unknown),
        lambda: store.aquery(asked, **unknown),
        lambda: store.adelete("d1", **unknown),
        lambda: store.adelete_nodes(["a"], **unknown),
    ):
        with pytest.raises(TypeError, match="namespace"):
            await ask_async()
    assert len(store.get_nodes()) == 4


def test_what_the_service_can_not_do_is_an_error(store: MemoryServiceVectorStore) -> None:
    with pytest.raises(ValueError, match="no filter for 'is_empty'"):
        found_by(store, filters=where(("kind", "is_empty", None)))
    with pytest.raises(ValueError, match="no queries of the mode mmr"):
        found_by(store, mode=VectorStoreQueryMode.MMR)
    with pytest.raises(ValueError, match="`query_str` is missing"):
        store.query(VectorStoreQuery(query_embedding=[1.0]))
    for nothing in (None, MetadataFilters(filters=[])):
        with pytest.raises(ValueError, match="Say which nodes"):
            store.delete_nodes(filters=nothing)
    with pytest.raises(ValidationError):
        store.add([node("a", "x" * 10_001)])
