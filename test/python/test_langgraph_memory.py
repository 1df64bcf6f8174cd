"""The tests that LangGraph publishes of its store in memory, run on a store over the service."""

from typing import Any

import pytest
from memory_service import AsyncMemoryClient, MemoryClient
from memory_service.integrations.langchain import MemoryServiceEmbeddings
from memory_service.integrations.langgraph import MemoryServiceStore
from published import load_tests, published_in

judges = load_tests("langgraph_checkpoint", "test_store")

SUITE = "LangGraph, tests of its store in memory"
PACKAGE = "langgraph-checkpoint"


@pytest.fixture(autouse=True)
def in_its_place(monkeypatch: pytest.MonkeyPatch, client: MemoryClient, async_client: AsyncMemoryClient) -> None:
    """These tests make their stores by themselves, and expect nothing in them."""

    class EmptyStore(MemoryServiceStore):
        def __init__(self, *, index: Any = None) -> None:
            client.patterns.delete_all(confirm="all")
            super().__init__(client, async_client=async_client, index=index)

    monkeypatch.setattr(judges, "InMemoryStore", EmptyStore)


@pytest.fixture
def fake_embeddings(client: MemoryClient) -> MemoryServiceEmbeddings:
    """In place of those that count letters."""
    return MemoryServiceEmbeddings(client)


letters = "It wants `bbbbluuu` to be near to `blue`, as it is by its letters; see test_langgraph_store.py."

globals().update(
    published_in(
        judges,
        unfit={
            "test_vector_search_with_filters": letters,
            "test_async_vector_search_with_filters": letters,
        },
    )
)
