"""LangChain: a vector store, a retriever and embeddings. `pip install "memory-service-sdk[langchain]"`."""

from __future__ import annotations

import math
import operator
import uuid
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore, VectorStoreRetriever
from pydantic import ConfigDict, PrivateAttr, field_validator

from .. import types as t
from .._client import AsyncMemoryClient, MemoryClient
from .._given import OMIT, Omit
from .._sendable import subject_of
from ._clients import Clients, Owner, Steps, find, of_own_ids, put, refuse_unknown, remove

__all__ = ["MemoryServiceEmbeddings", "MemoryServiceRetriever", "MemoryServiceVectorStore"]

_OF_INDEX = frozenset({"batch_size"})
"""What `langchain_core.indexing` gives to every store that it adds documents to. The client sends as many at once as may be."""


class MemoryServiceVectorStore(VectorStore):
    """
    A space as a vector store, or what it has of one end user: a document is a text pattern, its id is the pattern's own id
    (`external_id`), its score the cosine. The service embeds the texts.

    Args:
        client: For the methods that are not asynchronous; one of the settings in the environment unless a client is given.
        async_client: For the asynchronous ones; without it they use the other one in a thread.
        subject: The end user whose documents these are. Without it they are the application's, and searches find the whole space;
            what is deleted is nobody else's even so.
    """

    def __init__(
        self,
        client: MemoryClient | None = None,
        *,
        async_client: AsyncMemoryClient | None = None,
        subject: str | Omit = OMIT,
    ) -> None:
        self._clients = Clients(client, async_client)
        self._owner = Owner(subject)

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[Any, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        client: MemoryClient | None = None,
        async_client: AsyncMemoryClient | None = None,
        subject: str | Omit = OMIT,
        **kwargs: Any,
    ) -> MemoryServiceVectorStore:
        """A store with texts in it. `embedding` is what every vector store takes here, and is not used."""
        refuse_unknown(kwargs)
        store = cls(client, async_client=async_client, subject=subject)
        store.add_texts(texts, metadatas, ids=ids)
        return store

    @classmethod
    async def afrom_texts(
        cls,
        texts: list[str],
        embedding: Embeddings | None = None,
        metadatas: list[dict[Any, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        client: MemoryClient | None = None,
        async_client: AsyncMemoryClient | None = None,
        subject: str | Omit = OMIT,
        **kwargs: Any,
    ) -> MemoryServiceVectorStore:
        """See `from_texts`."""
        refuse_unknown(kwargs)
        store = cls(client, async_client=async_client, subject=subject)
        await store.aadd_texts(texts, metadatas, ids=ids)
        return store

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[Any, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """
        Stores texts. Whichever has an id that is there already takes the place of what has it. Returns the ids. Of a text with
        nothing visible, such as that of an empty page, nothing is kept: there is no document of its id.
        """
        refuse_unknown(_besides(kwargs, _OF_INDEX))
        return self._clients.run(self._add(list(texts), metadatas, ids))

    async def aadd_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[Any, Any]] | None = None,
        *,
        ids: Sequence[str | None] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """See `add_texts`."""
        refuse_unknown(_besides(kwargs, _OF_INDEX))
        return await self._clients.arun(self._add(list(texts), metadatas, ids))

    def delete(self, ids: list[str] | None = None, *, filter: Mapping[str, Any] | Omit = OMIT, **kwargs: Any) -> bool:
        """
        Deletes documents: those of the ids, or those that a filter of the service describes. Without either it is all that goes:
        of the end user, or, without a subject, of no end user.
        """
        refuse_unknown(kwargs)
        return self._clients.run(self._delete(ids, filter))

    async def adelete(self, ids: list[str] | None = None, *, filter: Mapping[str, Any] | Omit = OMIT, **kwargs: Any) -> bool:
        """See `delete`."""
        refuse_unknown(kwargs)
        return await self._clients.arun(self._delete(ids, filter))

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """The documents that are there, in the order of their ids."""
        return self._clients.run(self._get(ids))

    async def aget_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """See `get_by_ids`."""
        return await self._clients.arun(self._get(ids))

    def similarity_search(self, query: str, k: int = 4, filter: Mapping[str, Any] | None = None, **kwargs: Any) -> list[Document]:
        """The documents nearest in meaning. `filter` is one of the service."""
        refuse_unknown(kwargs)
        return [document for document, _ in self.similarity_search_with_score(query, k, filter)]

    async def asimilarity_search(
        self, query: str, k: int = 4, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """See `similarity_search`."""
        refuse_unknown(kwargs)
        return [document for document, _ in await self.asimilarity_search_with_score(query, k, filter)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        """The documents nearest in meaning, each with its cosine."""
        refuse_unknown(kwargs)
        return self._clients.run(self._search(query, k, filter))

    async def asimilarity_search_with_score(
        self, query: str, k: int = 4, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        """See `similarity_search_with_score`."""
        refuse_unknown(kwargs)
        return await self._clients.arun(self._search(query, k, filter))

    def similarity_search_by_vector(
        self, embedding: list[float], k: int = 4, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """The documents nearest to an embedding, which `MemoryServiceEmbeddings` makes."""
        refuse_unknown(kwargs)
        return [document for document, _ in self._clients.run(self._nearest(embedding, k, filter))]

    async def asimilarity_search_by_vector(
        self, embedding: list[float], k: int = 4, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """See `similarity_search_by_vector`."""
        refuse_unknown(kwargs)
        return [document for document, _ in await self._clients.arun(self._nearest(embedding, k, filter))]

    def max_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """
        Documents near to a query and unlike each other, of the `fetch_k` nearest: with a `lambda_mult` of 1 the nearest, of 0 the
        most unlike.
        """
        refuse_unknown(kwargs)
        return self._clients.run(self._diverse(query, k, fetch_k, lambda_mult, filter))

    async def amax_marginal_relevance_search(
        self,
        query: str,
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """See `max_marginal_relevance_search`."""
        refuse_unknown(kwargs)
        return await self._clients.arun(self._diverse(query, k, fetch_k, lambda_mult, filter))

    def max_marginal_relevance_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """`max_marginal_relevance_search` for an embedding, which `MemoryServiceEmbeddings` makes."""
        refuse_unknown(kwargs)
        return self._clients.run(self._diverse(embedding, k, fetch_k, lambda_mult, filter))

    async def amax_marginal_relevance_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        fetch_k: int = 20,
        lambda_mult: float = 0.5,
        filter: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """See `max_marginal_relevance_search_by_vector`."""
        refuse_unknown(kwargs)
        return await self._clients.arun(self._diverse(embedding, k, fetch_k, lambda_mult, filter))

    def as_retriever(self, **kwargs: Any) -> VectorStoreRetriever:
        """A retriever that searches the store, by `search_type` and `search_kwargs`."""
        # The retriever itself drops what it has no field for, such as a filter that belongs in `search_kwargs`.
        refuse_unknown(_besides(kwargs, VectorStoreRetriever.model_fields))
        return super().as_retriever(**kwargs)

    def _select_relevance_score_fn(self) -> Callable[[float], float]:
        """What points away from the query is as irrelevant as what has nothing to do with it."""
        return lambda cosine: max(0.0, cosine)

    def _add(
        self, texts: list[str], metadatas: Sequence[dict[Any, Any]] | None, ids: Sequence[str | None] | None
    ) -> Steps[list[str]]:
        names = [name or str(uuid.uuid4()) for name in ids or [None] * len(texts)]
        items = [
            self._owner.pattern(name, text, metadata)
            for text, metadata, name in zip(texts, metadatas or [{}] * len(texts), names, strict=True)
        ]
        yield from put(self._owner, items)
        return names

    def _delete(self, names: Sequence[str] | None, filter: Mapping[str, Any] | Omit) -> Steps[bool]:
        if names is None:
            yield from remove(self._owner, filter)
            return True
        if filter is not OMIT:
            raise TypeError("Say which documents to delete by ids or by a filter, not by both")
        for some in of_own_ids(map(self._owner.own_id, names)):
            yield from remove(self._owner, some)
        return True

    def _get(self, names: Sequence[str]) -> Steps[list[Document]]:
        patterns = yield from find([self._owner.own_id(name) for name in names])
        return [_document(pattern, self._owner) for pattern in patterns]

    def _search(self, query: str, k: int, filter: Mapping[str, Any] | None) -> Steps[list[tuple[Document, float]]]:
        given = _search_fields(filter, self._owner)
        answer: t.RetrieveTextsResponse = yield lambda memory: memory.text.retrieve(query=query, top_k=k, **given)
        return [(_document(result, self._owner), result["similarity"]) for result in answer["results"]]

    def _nearest(
        self, embedding: Sequence[float], k: int, filter: Mapping[str, Any] | None
    ) -> Steps[list[tuple[Document, list[float]]]]:
        """The documents nearest to an embedding, each with its own. Patterns that are vectors alone are none, and left out."""
        given = _search_fields(filter, self._owner)
        answer: t.QueryVectorsResponse = yield lambda memory: memory.vectors.query(embedding=embedding, top_k=k, **given)
        ids = [result["pattern_id"] for result in answer["results"]]
        if not ids:
            return []
        found: t.GetPatternsResponse = yield lambda memory: memory.patterns.get_many(pattern_ids=ids)
        return [
            (_document(pattern, self._owner), result["value"])
            for pattern, result in zip(found["patterns"], answer["results"], strict=True)
            if pattern is not None and pattern["text"] is not None
        ]

    def _diverse(
        self, query: str | Sequence[float], k: int, most: int, weight: float, filter: Mapping[str, Any] | None
    ) -> Steps[list[Document]]:
        embedding = (yield from _embed([query]))[0] if isinstance(query, str) else query
        found = yield from self._nearest(embedding, most, filter)
        chosen = _choose(embedding, [vector for _, vector in found], k, weight)
        return [found[at][0] for at in chosen]


class MemoryServiceRetriever(BaseRetriever):
    """
    Recalls what answers best (`text.recall`): by meaning, words, time and what proved useful together, as the space
    has learned it. A retriever of the vector store (`as_retriever()`) goes by meaning alone.
    """

    client: MemoryClient | None = None
    """For what is not asynchronous; one of the settings in the environment unless a client is given."""
    async_client: AsyncMemoryClient | None = None
    """For what is; without it the other one is used in a thread."""
    subject: str | Omit = OMIT
    """The end user whose memories are recalled; those of the whole space without it."""
    k: int = 4
    """How many documents are recalled at most."""
    filter: dict[str, Any] | None = None
    """One of the service."""
    _clients: Clients = PrivateAttr()

    @field_validator("subject", mode="before")
    @classmethod
    def _is_said(cls, subject: object) -> object:
        # Of the kind that all adapters raise: pydantic would make a ValueError of it.
        return subject if subject is OMIT else subject_of(subject)

    # A subject or filter that is misspelled, and dropped, would be one for whom everybody's memories are recalled.
    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    def model_post_init(self, context: Any, /) -> None:
        self._clients = Clients(self.client, self.async_client)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return self._clients.run(self._recall(query, k))

    async def _aget_relevant_documents(
        self, query: str, *, run_manager: AsyncCallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        return await self._clients.arun(self._recall(query, k))

    def _recall(self, query: str, k: int | None) -> Steps[list[Document]]:
        owner = Owner(self.subject)
        top_k = self.k if k is None else k
        given = _search_fields(self.filter, owner)
        answer: t.RecallTextsResponse = yield lambda memory: memory.text.recall(query=query, top_k=top_k, **given)
        return [_document(result, owner) for result in answer["results"]]


class MemoryServiceEmbeddings(Embeddings):
    """The embeddings by which the service itself searches texts."""

    dims: int = 384
    """How many numbers an embedding has."""

    def __init__(self, client: MemoryClient | None = None, *, async_client: AsyncMemoryClient | None = None) -> None:
        self._clients = Clients(client, async_client)

    def embed_query(self, text: str) -> list[float]:
        """The embedding of a text."""
        return self._clients.run(_embed([text]))[0]

    async def aembed_query(self, text: str) -> list[float]:
        """See `embed_query`."""
        return (await self._clients.arun(_embed([text])))[0]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The embeddings of texts, in their order."""
        return self._clients.run(_embed(texts))

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """See `embed_documents`."""
        return await self._clients.arun(_embed(texts))


def _embed(texts: list[str]) -> Steps[list[list[float]]]:
    if not texts:
        return []
    answer: t.EmbedTextResponse = yield lambda memory: memory.text.embed(texts=texts)
    return answer.get("embeddings", [])


def _choose(query: Sequence[float], vectors: Sequence[Sequence[float]], k: int, weight: float) -> list[int]:
    """
    Which vectors are near to a query and unlike each other, one after the other: maximal marginal relevance (Carbonell and
    Goldstein, 1998). LangChain's own needs numpy, which neither it nor the client brings.
    """
    relevance = [_cosine(query, vector) for vector in vectors]
    # To the most alike of those that are chosen.
    likeness = [-1.0] * len(vectors)
    chosen: list[int] = []
    while len(chosen) < min(k, len(vectors)):
        left = [at for at in range(len(vectors)) if at not in chosen]
        best = max(left, key=lambda at: weight * relevance[at] - (1 - weight) * likeness[at])
        chosen.append(best)
        likeness = [max(like, _cosine(vectors[best], vector)) for like, vector in zip(likeness, vectors, strict=True)]
    return chosen


def _besides(arguments: Iterable[str], known: Container[str]) -> list[str]:
    return [name for name in arguments if name not in known]


def _cosine(a: Sequence[float], b: Sequence[float]) -> float:
    lengths = math.hypot(*a) * math.hypot(*b)
    return sum(map(operator.mul, a, b)) / lengths if lengths > 0 else 0.0


def _search_fields(filter: Mapping[str, Any] | None, owner: Owner) -> dict[str, Any]:
    return owner.selector if filter is None else {**owner.selector, "filter": filter}


def _document(found: t.Pattern | t.RetrievedText | t.RecalledText, owner: Owner) -> Document:
    return Document(
        id=owner.name_of(found.get("external_id")), page_content=found["text"] or "", metadata=found["metadata"] or {}
    )
