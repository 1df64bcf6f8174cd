"""LlamaIndex: a vector store. `pip install "memory-service-sdk[llama-index]"`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from llama_index.core.schema import BaseNode, MetadataMode, TextNode
from llama_index.core.vector_stores.types import (
    BasePydanticVectorStore,
    FilterCondition,
    FilterOperator,
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
    VectorStoreQueryResult,
)
from llama_index.core.vector_stores.utils import metadata_dict_to_node, node_to_metadata_dict
from pydantic import PrivateAttr

from .. import types as t
from .._client import AsyncMemoryClient, MemoryClient
from .._given import OMIT, Omit
from ._clients import Clients, Owner, Steps, listed, of_own_ids, put, refuse_unknown, remove

__all__ = ["MemoryServiceVectorStore"]

_OPERATORS = {
    FilterOperator.EQ: "$eq",
    FilterOperator.NE: "$ne",
    FilterOperator.GT: "$gt",
    FilterOperator.GTE: "$gte",
    FilterOperator.LT: "$lt",
    FilterOperator.LTE: "$lte",
    FilterOperator.IN: "$in",
    FilterOperator.NIN: "$nin",
    FilterOperator.CONTAINS: "$contains",
    FilterOperator.TEXT_MATCH: "$contains",
}
_EACH = {FilterOperator.ANY: "$or", FilterOperator.ALL: "$and"}
"""Operators that ask for several values, each of them contained."""
_IS_NODE = {"_node_type": {"$exists": True}}


class MemoryServiceVectorStore(BasePydanticVectorStore):
    """
    A space as a vector store, or what it has of one end user: a node is a text pattern, its id the pattern's own id
    (`external_id`), its score the cosine. The service embeds nodes and queries by itself, so an index needs no embedding model:
    give it `MockEmbedding(embed_dim=1)`. Hybrid queries recall what answers best (`text.recall`).

    Args:
        client: For the methods that are not asynchronous; one of the settings in the environment unless a client is given.
        async_client: For the asynchronous ones; without it they use the other one in a thread.
        subject: The end user whose nodes these are. Without it they are the application's, and searches find all of the space;
            what is deleted is nobody else's even so.
    """

    stores_text: bool = True
    is_embedding_query: bool = False
    _clients: Clients = PrivateAttr()
    _owner: Owner = PrivateAttr()

    def __init__(
        self,
        client: MemoryClient | None = None,
        *,
        async_client: AsyncMemoryClient | None = None,
        subject: str | Omit = OMIT,
    ) -> None:
        super().__init__(stores_text=True)
        self._clients = Clients(client, async_client)
        self._owner = Owner(subject)

    @classmethod
    def class_name(cls) -> str:
        """As LlamaIndex names it."""
        return "MemoryServiceVectorStore"

    @property
    def client(self) -> Any:
        """The client that it uses."""
        return self._clients.client or self._clients.async_client

    def add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """
        Stores nodes. Whichever has an id that is there already takes the place of what has it. Returns the ids. Of a node whose
        text has nothing visible, such as that of an empty page, nothing is kept: there is none of its id.
        """
        refuse_unknown(kwargs)
        return self._clients.run(self._add(nodes))

    async def async_add(self, nodes: Sequence[BaseNode], **kwargs: Any) -> list[str]:
        """See `add`."""
        refuse_unknown(kwargs)
        return await self._clients.arun(self._add(nodes))

    def delete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """Deletes the nodes of a document."""
        refuse_unknown(delete_kwargs)
        self._clients.run(self._delete([_of_documents([ref_doc_id])]))

    async def adelete(self, ref_doc_id: str, **delete_kwargs: Any) -> None:
        """See `delete`."""
        refuse_unknown(delete_kwargs)
        await self._clients.arun(self._delete([_of_documents([ref_doc_id])]))

    def delete_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None, **delete_kwargs: Any
    ) -> None:
        """
        Deletes the nodes that have one of the ids and pass the filters. Raises ValueError where neither is given, and for filters
        with an empty group within them.
        """
        refuse_unknown(delete_kwargs)
        self._clients.run(self._delete_nodes(node_ids, filters))

    async def adelete_nodes(
        self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None, **delete_kwargs: Any
    ) -> None:
        """See `delete_nodes`."""
        refuse_unknown(delete_kwargs)
        await self._clients.arun(self._delete_nodes(node_ids, filters))

    def clear(self) -> None:
        """Deletes every node of the end user, or, without a subject, of no end user; and nothing else that the space has."""
        self._clients.run(self._delete([]))

    async def aclear(self) -> None:
        """See `clear`."""
        await self._clients.arun(self._delete([]))

    def get_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None) -> list[BaseNode]:
        """
        The nodes that have one of the ids and pass the filters, in the order in which they were stored: those too that queries do
        not find any more, since another pattern took their place.
        """
        return self._clients.run(self._get_nodes(node_ids, filters))

    async def aget_nodes(self, node_ids: list[str] | None = None, filters: MetadataFilters | None = None) -> list[BaseNode]:
        """See `get_nodes`."""
        return await self._clients.arun(self._get_nodes(node_ids, filters))

    def query(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """The nodes nearest in meaning to the text of a query, or, of a hybrid one, those that answer it best."""
        refuse_unknown(kwargs)
        return self._clients.run(self._query(query))

    async def aquery(self, query: VectorStoreQuery, **kwargs: Any) -> VectorStoreQueryResult:
        """See `query`."""
        refuse_unknown(kwargs)
        return await self._clients.arun(self._query(query))

    def _add(self, nodes: Sequence[BaseNode]) -> Steps[list[str]]:
        items = [
            self._owner.pattern(
                node.node_id,
                node.get_content(metadata_mode=MetadataMode.NONE),
                node_to_metadata_dict(node, remove_text=True),
            )
            for node in nodes
        ]
        yield from put(self._owner, items)
        return [node.node_id for node in nodes]

    def _delete_nodes(self, node_ids: list[str] | None, filters: MetadataFilters | None) -> Steps[None]:
        if node_ids is None and (filters is None or not filters.filters):
            raise ValueError("Say which nodes to delete; clear() deletes them all")
        if filters is not None and _has_empty_group(filters):
            raise ValueError("A group of filters within the filters is empty: which nodes to delete is not said")
        for conditions in self._parts(node_ids, filters):
            yield from self._delete(conditions)

    def _delete(self, conditions: list[dict[str, Any]]) -> Steps[None]:
        yield from remove(self._owner, {"$and": [_IS_NODE, *conditions]})

    def _get_nodes(self, node_ids: list[str] | None, filters: MetadataFilters | None) -> Steps[list[BaseNode]]:
        patterns: list[t.Pattern] = []
        for conditions in self._parts(node_ids, filters):
            filter = {"$and": [_IS_NODE, *conditions]}
            patterns += yield from listed(filter=filter, include_superseded=True, **self._owner.selector)
        # One part after the other they are in the order of the ids.
        patterns.sort(key=lambda pattern: pattern["pattern_idx"])
        return [self._node_of(pattern) for pattern in patterns]

    def _query(self, query: VectorStoreQuery) -> Steps[VectorStoreQueryResult]:
        if query.query_str is None:
            raise ValueError("The service searches by the text of a query: `query_str` is missing")
        given: dict[str, Any] = {"query": query.query_str, "top_k": query.similarity_top_k, **self._owner.selector}
        # An index whose nodes the store has (`VectorStoreIndex.as_retriever`) asks with an empty list of them, and means all.
        conditions = self._conditions(query.node_ids or None, query.filters)
        # Nobody does that with documents: of an empty list there is none.
        if query.doc_ids is not None:
            conditions.append(_of_documents(query.doc_ids))
        if conditions:
            given["filter"] = {"$and": conditions}
        answer: t.RetrieveTextsResponse | t.RecallTextsResponse
        if query.mode == VectorStoreQueryMode.DEFAULT:
            answer = yield lambda memory: memory.text.retrieve(**given)
        elif query.mode in (VectorStoreQueryMode.HYBRID, VectorStoreQueryMode.SEMANTIC_HYBRID):
            answer = yield lambda memory: memory.text.recall(**given)
        else:
            raise ValueError(f"There are no queries of the mode {query.mode.value}, but default and hybrid ones")
        nodes = [self._node_of(result) for result in answer["results"]]
        return VectorStoreQueryResult(
            nodes=nodes,
            similarities=[result["similarity"] for result in answer["results"]],
            ids=[node.node_id for node in nodes],
        )

    def _parts(self, node_ids: list[str] | None, filters: MetadataFilters | None) -> Iterator[list[dict[str, Any]]]:
        """Conditions for ids and filters, a list for each request that it takes: ids may be more than one filter holds."""
        conditions = self._conditions(None, filters)
        if node_ids is None:
            yield conditions
        else:
            for some in of_own_ids(dict.fromkeys(map(self._owner.own_id, node_ids))):
                yield [some, *conditions]

    def _conditions(self, node_ids: list[str] | None, filters: MetadataFilters | None) -> list[dict[str, Any]]:
        conditions: list[dict[str, Any]] = []
        if node_ids is not None:
            conditions.append({"$external_id": {"$in": [self._owner.own_id(node_id) for node_id in node_ids]}})
        if filters is not None and (filter := _filter_of(filters)) is not None:
            conditions.append(filter)
        return conditions

    def _node_of(self, found: t.Pattern | t.RetrievedText | t.RecalledText) -> BaseNode:
        metadata = found["metadata"] or {}
        if "_node_type" in metadata:
            return metadata_dict_to_node(metadata, text=found["text"])
        # Stored by something else.
        node_id = self._owner.name_of(found.get("external_id")) or found["pattern_id"]
        return TextNode(id_=node_id, text=found["text"] or "", metadata=metadata)


def _of_documents(ids: Sequence[str]) -> dict[str, Any]:
    return {"ref_doc_id": {"$in": list(ids)}}


def _filter_of(filters: MetadataFilters) -> dict[str, Any] | None:
    """Filters of LlamaIndex as one of the service; None where all of its groups are empty, which the service refuses."""
    each_of = (_filter_of(each) if isinstance(each, MetadataFilters) else _condition_of(each) for each in filters.filters)
    conditions = [condition for condition in each_of if condition is not None]
    if not conditions:
        return None
    if filters.condition == FilterCondition.NOT:
        return {"$not": {"$or": conditions}}
    return {"$or" if filters.condition == FilterCondition.OR else "$and": conditions}


def _has_empty_group(filters: MetadataFilters) -> bool:
    groups = [each for each in filters.filters if isinstance(each, MetadataFilters)]
    return any(not each.filters or _has_empty_group(each) for each in groups)


def _condition_of(filter: MetadataFilter) -> dict[str, Any]:
    field = re.sub(r"[.$\\]", r"\\\g<0>", filter.key)
    if filter.operator in _EACH:
        wanted = filter.value if isinstance(filter.value, list) else [filter.value]
        return {_EACH[filter.operator]: [{field: {"$contains": value}} for value in wanted]}
    if filter.operator not in _OPERATORS:
        raise ValueError(f"The service has no filter for {filter.operator.value!r} (of {filter.key})")
    return {field: {_OPERATORS[filter.operator]: filter.value}}
