"""The standard tests that LangChain publishes for vector stores, retrievers and embeddings."""

from collections.abc import Iterator
from typing import Any

import pytest
from langchain_tests.integration_tests import (
    EmbeddingsIntegrationTests,
    RetrieversIntegrationTests,
    VectorStoreIntegrationTests,
)
from langchain_tests.unit_tests import EmbeddingsUnitTests
from memory_service import AsyncMemoryClient, MemoryClient
from memory_service.integrations.langchain import (
    MemoryServiceEmbeddings,
    MemoryServiceRetriever,
    MemoryServiceVectorStore,
)

SUITE = "LangChain, standard tests of vector stores, retrievers and embeddings"
PACKAGE = "langchain-tests"


class TestVectorStore(VectorStoreIntegrationTests):
    @pytest.fixture
    def vectorstore(
        self, client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None
    ) -> Iterator[MemoryServiceVectorStore]:
        store = MemoryServiceVectorStore(client, async_client=async_client)
        yield store
        store.delete()


class TestRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def of_facts(self, client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None) -> None:
        MemoryServiceVectorStore(client, subject="ada").add_texts([f"Ada has {n} cats." for n in range(5)])
        self.clients = {"client": client, "async_client": async_client}

    @property
    def retriever_constructor(self) -> type[MemoryServiceRetriever]:
        return MemoryServiceRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {**self.clients, "subject": "ada"}

    @property
    def retriever_query_example(self) -> str:
        return "How many cats has Ada?"


class OfTheService:
    @pytest.fixture(autouse=True)
    def with_clients(self, client: MemoryClient, async_client: AsyncMemoryClient) -> None:
        self.clients = {"client": client, "async_client": async_client}

    @property
    def embeddings_class(self) -> type[MemoryServiceEmbeddings]:
        return MemoryServiceEmbeddings

    @property
    def embedding_model_params(self) -> dict[str, Any]:
        return self.clients


class TestEmbeddings(OfTheService, EmbeddingsIntegrationTests):
    pass


class TestEmbeddingsAsAUnit(OfTheService, EmbeddingsUnitTests):
    @property
    def init_from_env_params(self) -> tuple[dict[str, str], dict[str, Any], dict[str, Any]]:
        return {"MEMORY_SERVICE_API_KEY": "mem_test_0123456789"}, {}, {"dims": 384}
