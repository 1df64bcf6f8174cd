"""The tests that LangGraph publishes of its store on PostgreSQL, run on a store over the service."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from memory_service import MemoryClient
from memory_service.integrations.langchain import MemoryServiceEmbeddings
from memory_service.integrations.langgraph import MemoryServiceStore
from published import load_tests, published_in

judges = load_tests("langgraph_checkpoint_postgres", "test_store")

SUITE = "LangGraph, tests of its store on PostgreSQL"
PACKAGE = "langgraph-checkpoint-postgres"

own_parts = "It is of a function of that store."
own_tables = "It writes into the tables of that store."
letters = "It wants `bbbbluuu` to be near to `blue`, as it is by its letters; see test_langgraph_store.py."
no_refresh = "What is read does not live longer by that: an item expires so long after it was put."


@pytest.fixture
def store(client: MemoryClient, empty_space: None) -> MemoryServiceStore:
    return MemoryServiceStore(client)


@pytest.fixture
def fake_embeddings(client: MemoryClient) -> MemoryServiceEmbeddings:
    """In place of those that count letters."""
    return MemoryServiceEmbeddings(client)


@pytest.fixture
def vector_store(client: MemoryClient, empty_space: None, fake_embeddings: MemoryServiceEmbeddings) -> MemoryServiceStore:
    return MemoryServiceStore(client, index={"dims": 384, "embed": fake_embeddings})


@pytest.fixture(autouse=True)
def in_its_place(monkeypatch: pytest.MonkeyPatch, client: MemoryClient, empty_space: None) -> None:
    """Some tests make a store for vectors by themselves."""

    @contextmanager
    def create(
        vector_type: str,
        distance_type: str,
        fake_embeddings: MemoryServiceEmbeddings,
        text_fields: list[str] | None = None,
        enable_ttl: bool = True,
    ) -> Iterator[MemoryServiceStore]:
        if distance_type == "l2":
            pytest.skip("Scores are cosines.")
        index = {"dims": 384, "embed": fake_embeddings, "fields": text_fields}
        yield MemoryServiceStore(client, index=index)

    monkeypatch.setattr(judges, "_create_vector_store", create)


globals().update(
    published_in(
        judges,
        unfit={
            "test_escape_like_literal": own_parts,
            "test_namespace_match_pattern": own_parts,
            "test_nonnull_migrations": own_parts,
            "test_omit_expired_filters_read_paths": own_tables,
            "test_omit_expired_disabled_preserves_expired_rows": own_tables,
            "test_omit_expired_refresh_ttl_only_refreshes_live_rows": own_tables,
            "test_omit_expired_search_pagination": own_tables,
            "test_store_ttl": no_refresh,
            "test_vector_search_with_filters": letters,
        },
    )
)
