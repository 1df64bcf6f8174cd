"""The tests that LangGraph publishes of its store in memory, run on a store over the service."""

from typing import Any

import pytest
from adapters.embeddings import ServiceEmbeddings
from adapters.langgraph_store import MemoryServiceStore
from adapters.service import Service
from published import load_tests, published_in

judges = load_tests("langgraph_checkpoint")


@pytest.fixture(autouse=True)
def in_its_place(monkeypatch: pytest.MonkeyPatch, service: Service) -> None:
    """These tests make their stores by themselves, and expect nothing in them."""

    class EmptyStore(MemoryServiceStore):
        def __init__(self, *, index: Any = None) -> None:
            service.empty()
            super().__init__(service, index=index)

    monkeypatch.setattr(judges, "InMemoryStore", EmptyStore)


@pytest.fixture
def fake_embeddings(service: Service) -> ServiceEmbeddings:
    """In place of those that count letters."""
    return ServiceEmbeddings(service)


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
