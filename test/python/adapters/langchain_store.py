"""The service as a vector store of LangChain."""

import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from .service import Service, chunks


class MemoryServiceVectorStore(VectorStore):
    """
    A space as a vector store: a document is a text pattern, its id is the pattern's own id (`external_id`), and the
    score is the cosine. The service embeds the texts.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        service: Service,
        **kwargs: Any,
    ) -> "MemoryServiceVectorStore":
        """`embedding` is what every vector store takes here, and is not used."""
        store = cls(service)
        store.add_texts(texts, metadatas, ids=ids, **kwargs)
        return store

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str | None] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """A text whose id is there already takes the place of what has it."""
        texts = list(texts)
        metadatas = metadatas or [{} for _ in texts]
        names = [name or str(uuid.uuid4()) for name in ids or [None] * len(texts)]
        self._service.store_texts(
            [
                {"text": text, "metadata": metadata, "external_id": name}
                for text, metadata, name in zip(texts, metadatas, names, strict=True)
            ]
        )
        return names

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> bool:
        """Without ids it is all that goes."""
        if ids is None:
            self._service.empty()
        for some in chunks(ids or [], 1_000):
            self._service.post("/v1/memory/patterns/delete", {"external_ids": some})
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        return [document_of(pattern) for pattern in self._service.find_patterns(ids)]

    def similarity_search(
        self, query: str, k: int = 4, filter: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """`filter` is one of the service."""
        return [document for document, _ in self.similarity_search_with_score(query, k, filter)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, filter: dict[str, Any] | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        answer = self._service.post(
            "/v1/memory/text/retrieve", {"query": query, "top_k": k, "filter": filter}
        )
        return [(document_of(result), result["similarity"]) for result in answer["results"]]

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        """What points away from the query is as irrelevant as what has nothing to do with it."""
        return lambda cosine: max(0.0, cosine)


def document_of(pattern: dict[str, Any]) -> Document:
    return Document(
        id=pattern.get("external_id"), page_content=pattern["text"], metadata=pattern["metadata"]
    )
