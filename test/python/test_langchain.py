"""What LangChain's standard tests leave out."""

from collections.abc import Iterator

import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores.utils import maximal_marginal_relevance
from langchain_tests.integration_tests import VectorStoreIntegrationTests
from memory_service import AsyncMemoryClient, MemoryClient
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
        others = [MemoryServiceVectorStore(client, subject=subject) for subject in (None, "zoë")]
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
