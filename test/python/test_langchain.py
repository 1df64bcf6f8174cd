"""What LangChain's standard tests leave out."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.indexing import InMemoryRecordManager, index
from langchain_core.vectorstores.utils import maximal_marginal_relevance
from langchain_tests.integration_tests import VectorStoreIntegrationTests
from memory_service import AsyncMemoryClient, ConflictError, MemoryClient, PermissionDeniedError, ValidationError
from memory_service.integrations.langchain import (
    MemoryServiceEmbeddings,
    MemoryServiceRetriever,
    MemoryServiceVectorStore,
)


class TestVectorStoreOfOneUser(VectorStoreIntegrationTests):
    """Among other users, one of whom has a document of the same id."""

    @pytest.fixture
    def vectorstore(
        self, client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None
    ) -> Iterator[MemoryServiceVectorStore]:
        others = [MemoryServiceVectorStore(client), MemoryServiceVectorStore(client, subject="zoë")]
        for other in others:
            other.add_texts(["foo", "bar"], ids=["1", "2"])
        store = MemoryServiceVectorStore(client, async_client=async_client, subject="ada")
        yield store
        assert store.delete() is True
        for other in others:
            assert [each.page_content for each in other.get_by_ids(["1", "2"])] == ["foo", "bar"]


@pytest.fixture
def store(client: MemoryClient, empty_space: None) -> MemoryServiceVectorStore:
    return MemoryServiceVectorStore.from_texts(
        ["Ada lives in Lisbon.", "The train to Porto leaves at nine.", "Zoë wohnt in Köln."],
        metadatas=[{"kind": "note", "stars": 5}, {"kind": "mail", "stars": 2}, {"kind": "note", "stars": 1}],
        ids=["ada", "train", "zoë/köln"],
        client=client,
    )


def test_filters_by_metadata(store: MemoryServiceVectorStore) -> None:
    found = store.similarity_search("Where does somebody live?", k=10, filter={"kind": "note"})
    assert {document.id for document in found} == {"ada", "zoë/köln"}
    found = store.similarity_search("Where does somebody live?", filter={"stars": {"$gte": 2, "$lt": 5}})
    assert [document.id for document in found] == ["train"]


def test_scores_are_cosines_best_first(store: MemoryServiceVectorStore) -> None:
    found = store.similarity_search_with_score("Ada lives in Lisbon.", k=3)
    scores = [score for _, score in found]
    assert found[0][0].id == "ada"
    assert scores[0] == pytest.approx(1, abs=1e-3)
    assert scores == sorted(scores, reverse=True)
    assert len(scores) == 3 and scores[2] < scores[0]


def test_a_threshold_leaves_out_what_is_less_relevant(store: MemoryServiceVectorStore) -> None:
    retriever = store.as_retriever(
        search_type="similarity_score_threshold", search_kwargs={"score_threshold": 0.99}
    )
    assert [document.id for document in retriever.invoke("Zoë wohnt in Köln.")] == ["zoë/köln"]


async def test_what_is_near_to_the_query_and_unlike_each_other(
    client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None
) -> None:
    texts = [f"Ada has {n} cats." for n in ("two", "three", "four")] + ["Ada lives in Lisbon.", "It rains."]
    store = MemoryServiceVectorStore.from_texts(texts, ids=list("abcde"), client=client, async_client=async_client, subject="ada")
    MemoryServiceVectorStore(client, subject="zoë").add_texts(["How many cats has Ada?"])
    query = "How many cats has Ada?"
    embeddings = MemoryServiceEmbeddings(client)
    asked = embeddings.embed_query(query)
    # A vector of the same length that is no document.
    client.vectors.store(key=asked, value=[1.0], subject="ada")
    near = store.similarity_search(query, k=5)
    assert store.similarity_search_by_vector(asked, k=6) == near
    assert await store.asimilarity_search_by_vector(asked, k=6) == near
    vectors = [np.array(embeddings.embed_query(each.page_content)) for each in near]
    for weight in (0.0, 0.2, 0.5, 0.8, 1.0):
        for k in (0, 1, 3, 5, 9):
            as_langchain = maximal_marginal_relevance(np.array(asked), vectors, weight, k)
            expected = [near[at] for at in as_langchain]
            found = store.max_marginal_relevance_search(query, k=k, lambda_mult=weight)
            assert found == expected
    assert {each.id for each in store.max_marginal_relevance_search(query, k=2)} != {each.id for each in near[:2]}
    assert await store.amax_marginal_relevance_search(query, k=3) == store.max_marginal_relevance_search_by_vector(asked, k=3)
    assert await store.amax_marginal_relevance_search_by_vector(asked, k=3, fetch_k=4) == store.max_marginal_relevance_search(
        query, k=3, fetch_k=4
    )
    retriever = store.as_retriever(search_type="mmr", search_kwargs={"k": 1, "filter": {"$external_id": "ada/e"}})
    assert [each.page_content for each in retriever.invoke(query)] == ["It rains."]
    nobody = MemoryServiceVectorStore(client, subject="nobody")
    assert nobody.max_marginal_relevance_search(query) == []


def test_more_than_one_request_takes(client: MemoryClient, empty_space: None) -> None:
    store = MemoryServiceVectorStore(client)
    documents = [Document(page_content=f"Note {i % 7}", metadata={"i": i}, id=f"n{i}") for i in range(230)]
    assert store.add_documents(documents) == [document.id for document in documents]
    names = [document.id for document in documents if document.id is not None]
    assert store.get_by_ids(names) == documents
    assert store.delete(names[1:]) is True
    assert store.get_by_ids(names) == documents[:1]


async def test_a_document_without_anything_visible_keeps_no_other_out(
    client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None
) -> None:
    store = MemoryServiceVectorStore(client, async_client=async_client, subject="ada")
    store.add_texts(["Was here.", "Stays."], ids=["old", "other"])
    for blank in ("", " \n", "\u200b", "\ufeff\u2800"):
        ids = store.add_texts(["Before.", blank, "After."])
        assert len(set(ids)) == 3
        assert [each.page_content for each in store.get_by_ids(ids)] == ["Before.", "After."]
    assert await store.aadd_texts(["\u00ad", "Anew."], ids=["old", "new"]) == ["old", "new"]
    assert [each.id for each in store.get_by_ids(["old", "other", "new"])] == ["other", "new"]
    assert store.add_texts(["\u00ad", "The last.", "\u00ad"], ids=["new"] * 3) == ["new"] * 3
    assert [each.page_content for each in store.get_by_ids(["new"])] == ["The last."]
    assert store.add_texts(["\u00ad"]) != []


def test_deletes_more_than_one_request_takes(client: MemoryClient, empty_space: None) -> None:
    store = MemoryServiceVectorStore(client, subject="ada")
    store.add_texts(["one", "two", "three"], ids=["первый" * 20, "n1199", "stays"])
    assert store.delete(["первый" * 20, *(f"n{i}" for i in range(1_200)), *("長" * 200 + str(i) for i in range(60))]) is True
    assert [pattern["text"] for pattern in client.patterns.all()] == ["three"]


UNKNOWN: dict[str, Callable[[MemoryServiceVectorStore], Any]] = {
    "where": lambda store: store.delete(where={"kind": "note"}),
    "namespace": lambda store: store.delete(["ada"], namespace="ada"),
    "collection_name": lambda store: store.from_texts([], collection_name="notes", client=store._clients.client),
    "user": lambda store: store.add_texts(["x"], user="ada"),
    "filters": lambda store: store.similarity_search("x", filters={"kind": "note"}),
    "pre_filter": lambda store: store.similarity_search_with_score("x", pre_filter={"kind": "note"}),
    "expr": lambda store: store.similarity_search_with_relevance_scores("x", expr="kind == note"),
    "where_document": lambda store: store.similarity_search_by_vector([1.0] * 384, where_document={}),
    "subject": lambda store: store.max_marginal_relevance_search("x", subject="ada"),
    "partition": lambda store: store.max_marginal_relevance_search_by_vector([1.0] * 384, partition="ada"),
    "search_filter": lambda store: store.as_retriever(search_kwargs={"search_filter": {"kind": "note"}}).invoke("x"),
    "score_threshold": lambda store: store.as_retriever(search_kwargs={"score_threshold": 0.9}).invoke("x"),
    "filter": lambda store: store.as_retriever(filter={"kind": "note"}),
    "subjects": lambda store: MemoryServiceRetriever(client=store._clients.client, subjects=["ada"]),  # type: ignore[call-arg]
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_not_known_is_refused_and_not_dropped(store: MemoryServiceVectorStore, name: str) -> None:
    with pytest.raises((TypeError, ValueError), match=rf"\b{name}\b"):
        UNKNOWN[name](store)
    assert len(store.get_by_ids(["ada", "train", "zoë/köln"])) == 3


@pytest.mark.parametrize(
    "ask",
    [
        lambda store: store.adelete(where={"kind": "note"}),
        lambda store: store.afrom_texts([], where={"kind": "note"}, client=store._clients.client),
        lambda store: store.aadd_texts(["x"], where={"kind": "note"}),
        lambda store: store.asimilarity_search("x", where={"kind": "note"}),
        lambda store: store.asimilarity_search_with_score("x", where={"kind": "note"}),
        lambda store: store.asimilarity_search_with_relevance_scores("x", where={"kind": "note"}),
        lambda store: store.asimilarity_search_by_vector([1.0] * 384, where={"kind": "note"}),
        lambda store: store.amax_marginal_relevance_search("x", where={"kind": "note"}),
        lambda store: store.amax_marginal_relevance_search_by_vector([1.0] * 384, where={"kind": "note"}),
        lambda store: store.as_retriever(search_kwargs={"where": {"kind": "note"}}).ainvoke("x"),
    ],
)
async def test_nor_is_it_asynchronously(store: MemoryServiceVectorStore, ask: Callable[[MemoryServiceVectorStore], Any]) -> None:
    with pytest.raises(TypeError, match="where"):
        await ask(store)
    assert len(store.get_by_ids(["ada", "train", "zoë/köln"])) == 3


async def test_deletes_what_a_filter_describes(store: MemoryServiceVectorStore, client: MemoryClient) -> None:
    ada = MemoryServiceVectorStore(client, subject="ada")
    ada.add_texts(["Ada has a cat.", "Ada has a dog."], metadatas=[{"kind": "note"}, {"kind": "mail"}], ids=["cat", "dog"])
    assert store.delete(filter={"kind": "note"}) is True
    assert sorted(each["external_id"] or "" for each in client.patterns.all()) == ["ada/cat", "ada/dog", "train"]
    assert await ada.adelete(filter={"kind": "note"}) is True
    assert sorted(each["external_id"] or "" for each in client.patterns.all()) == ["ada/dog", "train"]
    # A filter that was lost, or says nothing, is not all that there is.
    lost: Any = None
    for nothing in (lost, {}):
        with pytest.raises((TypeError, ValidationError), match="filter"):
            store.delete(filter=nothing)
    with pytest.raises(TypeError, match="not by both"):
        store.delete(["train"], filter={"kind": "mail"})
    assert len(list(client.patterns.all())) == 2


def test_without_a_subject_it_deletes_what_is_nobodys(store: MemoryServiceVectorStore, client: MemoryClient) -> None:
    MemoryServiceVectorStore(client, subject="ada").add_texts(["Ada has a cat."], metadatas=[{"kind": "pet"}], ids=["cat"])
    [cat] = store.similarity_search("Ada has a cat.", k=1)
    assert cat.id == "ada/cat"
    store.delete(["ada/cat", "train"])
    store.delete(filter={"kind": {"$in": ["pet", "note"]}})
    store.add_texts(["Another."])
    store.delete()
    assert [each["external_id"] for each in client.patterns.all()] == ["ada/cat"]


def test_without_a_subject_it_replaces_nothing_of_an_end_user(client: MemoryClient, empty_space: None) -> None:
    client.text.store(text="Bob has a cat.", external_id="cat", subject="bob")
    with pytest.raises(ConflictError):
        MemoryServiceVectorStore(client).add_texts(["Cats are mammals."], ids=["cat"])
    listed = client.patterns.search()["patterns"]
    assert [(each["text"], each["subject"]) for each in listed] == [("Bob has a cat.", "bob")]


def test_a_key_of_an_end_user_deletes_that_ones(client: MemoryClient, empty_space: None) -> None:
    MemoryServiceVectorStore(client, subject="zoë").add_texts(["Zoë has a dog."], metadatas=[{"kind": "pet"}])
    token = client.subjects.token(subject="ada")["token"]
    with MemoryClient(access_token=token) as bound:
        store = MemoryServiceVectorStore(bound)
        store.add_texts(["Ada has a cat.", "It rains.", "It snows."], metadatas=[{"kind": "pet"}, {}, {}], ids=["a", "b", "c"])
        store.delete(["a"])
        store.delete(filter={"$external_id": "b"})
        with pytest.raises(PermissionDeniedError):
            store.delete()
    assert [each["text"] for each in client.patterns.all()] == ["Zoë has a dog.", "It snows."]


def test_an_index_keeps_it_up_to_date(client: MemoryClient, empty_space: None) -> None:
    store, records = MemoryServiceVectorStore(client, subject="ada"), InMemoryRecordManager("ada")
    records.create_schema()
    documents = [Document(page_content=text, metadata={"from": text}) for text in ("one", "two")]
    for given, added, deleted in [(documents, 2, 0), (documents[1:], 0, 1)]:
        done = index(given, records, store, cleanup="full", source_id_key="from", key_encoder="sha256")
        assert (done["num_added"], done["num_deleted"]) == (added, deleted)
    assert [each["text"] for each in client.patterns.all()] == ["two"]


async def test_asynchronously_without_a_client_for_it_and_with_nothing_else(
    store: MemoryServiceVectorStore, async_client: AsyncMemoryClient
) -> None:
    train = Document(
        page_content="The train to Porto leaves at nine.", metadata={"kind": "mail", "stars": 2}, id="train"
    )
    alone = MemoryServiceVectorStore(async_client=async_client)
    for each in (store, alone):
        found = await each.as_retriever(search_kwargs={"k": 1}).ainvoke("When does the train leave?")
        assert found == [train]
    with pytest.raises(TypeError, match="only an AsyncMemoryClient"):
        alone.similarity_search("When does the train leave?")


def test_recalls_what_a_filter_lets_through(client: MemoryClient, store: MemoryServiceVectorStore) -> None:
    retriever = MemoryServiceRetriever(client=client, filter={"kind": "note"}, k=1)
    assert [document.id for document in retriever.invoke("When does the train leave Köln?")] == ["zoë/köln"]


async def test_embeddings_are_the_same_at_once_and_asynchronously(
    client: MemoryClient, async_client: AsyncMemoryClient
) -> None:
    embeddings = MemoryServiceEmbeddings(client, async_client=async_client)
    texts = [f"Note {n}." for n in range(300)]
    many = embeddings.embed_documents(texts)
    assert await embeddings.aembed_documents(texts) == many
    assert await embeddings.aembed_query(texts[299]) == embeddings.embed_query(texts[299])
    assert embeddings.embed_query(texts[299]) == pytest.approx(many[299], abs=1e-5)
    assert embeddings.embed_documents([]) == []
