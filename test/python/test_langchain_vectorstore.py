"""The standard tests that LangChain has for vector stores, and what they leave out."""

from collections.abc import Iterator

import pytest
from adapters.langchain_store import MemoryServiceVectorStore
from adapters.service import Service
from langchain_core.documents import Document
from langchain_tests.integration_tests import VectorStoreIntegrationTests


class TestMemoryService(VectorStoreIntegrationTests):
    @pytest.fixture
    def vectorstore(self, empty_service: Service) -> Iterator[MemoryServiceVectorStore]:
        store = MemoryServiceVectorStore(empty_service)
        yield store
        store.delete()


@pytest.fixture
def store(empty_service: Service) -> MemoryServiceVectorStore:
    return MemoryServiceVectorStore.from_texts(
        ["Ada lives in Lisbon.", "The train to Porto leaves at nine.", "Zoë wohnt in Köln."],
        metadatas=[{"kind": "note", "stars": 5}, {"kind": "mail", "stars": 2}, {"kind": "note", "stars": 1}],
        ids=["ada", "train", "zoë/köln"],
        service=empty_service,
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


def test_more_than_one_request_takes(empty_service: Service) -> None:
    store = MemoryServiceVectorStore(empty_service)
    documents = [Document(page_content=f"Note {i % 7}", metadata={"i": i}, id=f"n{i}") for i in range(230)]
    assert store.add_documents(documents) == [document.id for document in documents]
    names = [document.id for document in documents if document.id is not None]
    assert store.get_by_ids(names) == documents
    assert store.delete(names[1:]) is True
    assert store.get_by_ids(names) == documents[:1]


async def test_retrieves_asynchronously(store: MemoryServiceVectorStore) -> None:
    found = await store.as_retriever(search_kwargs={"k": 1}).ainvoke("When does the train leave?")
    assert found == [
        Document(
            page_content="The train to Porto leaves at nine.",
            metadata={"kind": "mail", "stars": 2},
            id="train",
        )
    ]
