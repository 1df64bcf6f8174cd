"""LangGraph: a store of long-term memory. `pip install "memory-service-sdk[langgraph]"`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from itertools import takewhile
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    validate_op_namespace,
)

from .. import types as t
from .._client import AsyncMemoryClient, MemoryClient
from .._generated.invisible import is_invisible
from ._clients import Clients, Steps, any_of, find, listed, store
from .langchain import MemoryServiceEmbeddings

__all__ = ["MemoryServiceStore"]

Namespace = tuple[str, ...]

_MOST_HITS = 50
"""What one search of texts answers at most."""
_IS_ITEM = {name: {"$exists": True} for name in ("key", "part", "indexed", "value")}
"""What only the store's own patterns have all of: the space has those of others too, of the same subjects."""


class MemoryServiceStore(BaseStore):
    """
    A space as a store of items. An item is a text pattern for each of its texts that are searched (its *parts*), or one that no
    search finds where there are none:

    - `subject` is the namespace, its labels joined by dots, which no label has;
    - `external_id` is namespace, part and key;
    - `metadata` holds the key, the part, whether it is searched, and the whole value, which filters look into.

    An item expires so long after it was put; reading it does not put that off.

    Args:
        client: For the methods that are not asynchronous; one of the settings in the environment unless a client is given.
        async_client: For the asynchronous ones; without it they use the other one in a thread.
        index: Searches by meaning, in the `fields` that it names or in all of the value. The service embeds texts by itself: no
            other `embed` is taken than `MemoryServiceEmbeddings`.
        ttl: How long items are kept, unless one says it itself.
    """

    supports_ttl: bool = True

    def __init__(
        self,
        client: MemoryClient | None = None,
        *,
        async_client: AsyncMemoryClient | None = None,
        index: Mapping[str, Any] | None = None,
        ttl: TTLConfig | None = None,
    ) -> None:
        embed = (index or {}).get("embed")
        if embed is not None and not isinstance(embed, MemoryServiceEmbeddings):
            raise ValueError("The service embeds texts by itself: `embed` can be its own embeddings.")
        self._clients = Clients(client, async_client)
        self.index_config = index
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads see what was there before; of several puts of one item the last is done."""
        return self._clients.run(self._batch(list(ops)))

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """See `batch`."""
        return await self._clients.arun(self._batch(list(ops)))

    def _batch(self, ops: list[Op]) -> Steps[list[Result]]:
        for op in ops:
            validate_op_namespace(op)
        gets = [_own_id(op.namespace, op.key) for op in ops if isinstance(op, GetOp)]
        found = yield from _find(gets)
        results: list[Result] = []
        for op in ops:
            results.append((yield from self._read(op, found)))
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        yield from _remove([op for op in puts.values() if op.value is None])
        yield from self._put([op for op in puts.values() if op.value is not None])
        return results

    def _read(self, op: Op, found: Mapping[str, t.Pattern]) -> Steps[Result]:
        if isinstance(op, GetOp):
            pattern = found.get(_own_id(op.namespace, op.key))
            return None if pattern is None else Item(**_fields_of(pattern))
        if isinstance(op, SearchOp):
            return (yield from self._search(op))
        return (yield from _namespaces(op)) if isinstance(op, ListNamespacesOp) else None

    def _search(self, op: SearchOp) -> Steps[list[SearchItem]]:
        where = [*_inside(op.namespace_prefix), *_conditions(op.filter or {}, ["value"])]
        if not op.query or self.index_config is None:
            return (yield from _list([{**_IS_ITEM, "part": 0}, *where], op.offset, op.limit))
        scores = yield from _nearest(op.query, where, op.offset + op.limit)
        page = dict(list(scores.items())[op.offset :])
        found = yield from _find(list(page))
        items = [SearchItem(**_fields_of(found[id]), score=page[id]) for id in page if id in found]
        # What is not searched comes last, without a score.
        offset = max(0, op.offset - len(scores))
        return items + (yield from _list([{**_IS_ITEM, "indexed": False}, *where], offset, op.limit - len(page)))

    def _put(self, ops: list[PutOp]) -> Steps[None]:
        parts = [self._parts(op) for op in ops]
        items = [item for each in parts for item in each]
        created = yield from store(items)
        is_new = {item.get("external_id"): new for item, new in zip(items, created, strict=True)}
        # What had more parts before keeps none of those.
        replaced: dict[tuple[Namespace, int], list[str]] = defaultdict(list)
        for op, each in zip(ops, parts, strict=True):
            if not is_new[_own_id(op.namespace, op.key)]:
                replaced[op.namespace, len(each)].append(op.key)
        for (namespace, count), keys in replaced.items():
            yield from _delete(namespace, keys, {"part": {"$gte": count}})

    def _parts(self, op: PutOp) -> list[t.BatchStoreTextsItem]:
        """Its patterns, as they are stored."""
        texts = self._texts(op)
        metadata = {"key": op.key, "value": dict(op.value or {}), "indexed": len(texts) > 0}
        ends = None if op.ttl is None else datetime.now(timezone.utc) + timedelta(minutes=op.ttl)
        return [
            {
                "external_id": _own_id(op.namespace, op.key, part),
                "subject": ".".join(op.namespace),
                "text": text,
                "metadata": {**metadata, "part": part},
                "expires_at": ends,
            }
            # The service stores no pattern without a text.
            for part, text in enumerate(texts or [_own_id(op.namespace, op.key)])
        ]

    def _texts(self, op: PutOp) -> list[str]:
        if self.index_config is None or op.index is False:
            return []
        fields: list[str] = self.index_config.get("fields") or ["$"] if op.index is None else op.index
        texts: list[str] = [text for field in fields for text in get_text_at_path(op.value, field)]
        return [text for text in texts if not is_invisible(text)]


def _find(ids: list[str]) -> Steps[dict[str, t.Pattern]]:
    """Items that are there, by the ids of their first parts."""
    patterns = yield from find(list(dict.fromkeys(ids)))
    items = [pattern for pattern in patterns if _IS_ITEM.keys() <= (pattern["metadata"] or {}).keys()]
    return {pattern["external_id"] or "": pattern for pattern in items}


def _nearest(query: str, where: list[dict[str, Any]], count: int) -> Steps[dict[str, float]]:
    """
    So many items by the nearest of their parts, the nearest item first: their ids, with the score. Behind as many parts as one
    search answers there are none.
    """
    filter = {"$and": [{**_IS_ITEM, "indexed": True}, *where]}
    top_k = min(count, _MOST_HITS)
    while True:
        answer: t.RetrieveTextsResponse = yield lambda memory: memory.text.retrieve(query=query, top_k=top_k, filter=filter)
        hits = answer["results"]
        best: dict[str, float] = {}
        for hit in hits:
            best.setdefault(_item_id(hit), hit["similarity"])
        if len(best) >= count or len(hits) < top_k or top_k == _MOST_HITS:
            return dict(list(best.items())[:count])
        # Several were parts of one item.
        top_k = min(2 * top_k, _MOST_HITS)


def _list(where: list[dict[str, Any]], offset: int, limit: int) -> Steps[list[SearchItem]]:
    if limit <= 0:
        return []
    patterns = yield from listed(offset + limit, filter={"$and": where})
    return [SearchItem(**_fields_of(pattern)) for pattern in patterns[offset:]]


def _namespaces(op: ListNamespacesOp) -> Steps[list[Namespace]]:
    conditions = op.match_conditions or ()
    query: dict[str, Any] = {"limit": 200}
    if stem := _stem_of(conditions):
        query["prefix"] = stem
    matching: set[Namespace] = set()
    while True:
        page: t.SubjectList = yield lambda memory: memory.subjects.list(**query)
        for each in page["subjects"]:
            namespace = tuple(each["subject"].split("."))
            if all(_matches(condition, namespace) for condition in conditions):
                matching.add(namespace[: op.max_depth])
        if page["next_cursor"] is None:
            return sorted(matching)[op.offset : op.offset + op.limit]
        query["cursor"] = page["next_cursor"]


def _remove(ops: list[PutOp]) -> Steps[None]:
    keys: dict[Namespace, list[str]] = defaultdict(list)
    for op in ops:
        keys[op.namespace].append(op.key)
    for namespace, each in keys.items():
        yield from _delete(namespace, each, {})


def _delete(namespace: Namespace, keys: list[str], condition: dict[str, Any]) -> Steps[None]:
    for some in any_of("key", keys):
        filter = {**_IS_ITEM, **some, **condition}
        yield lambda memory: memory.patterns.delete_many(subject=".".join(namespace), filter=filter)


def _own_id(namespace: Namespace, key: str, part: int = 0) -> str:
    """No namespace holds two dots in a row, so what follows them is surely the part and the key."""
    # Added and not formatted, which for an enum may be its name.
    return f"{'.'.join(namespace)}..{part}." + key


def _item_id(hit: t.RetrievedText) -> str:
    """The id of the first part of the item whose part a search found."""
    namespace, _, _ = hit.get("external_id", "").partition("..")
    return f"{namespace}..0.{hit['metadata']['key']}"


def _fields_of(pattern: t.Pattern) -> dict[str, Any]:
    """An item, as its classes take it."""
    metadata = pattern["metadata"] or {}
    return {
        "namespace": tuple((pattern["subject"] or "").split(".")),
        "key": metadata["key"],
        "value": metadata["value"],
        "created_at": pattern["created_at"],
        "updated_at": pattern["updated_at"],
    }


def _inside(prefix: Namespace) -> list[dict[str, Any]]:
    """A namespace and all below it, as conditions of a filter."""
    if not prefix:
        return []
    path = ".".join(prefix)
    return [{"$or": [{"$subject": path}, {"$subject": {"$startsWith": f"{path}."}}]}]


def _conditions(filter: Mapping[str, Any], path: list[str]) -> Iterator[dict[str, Any]]:
    """A filter of LangGraph as conditions of one of the service, on what is at a path of the metadata."""
    for name, wanted in filter.items():
        inner = [*path, re.sub(r"[.$\\]", r"\\\g<0>", name)]
        _refuse_list(name, wanted)
        if isinstance(wanted, Mapping) and any(key.startswith("$") for key in wanted):
            yield {".".join(inner): wanted}
        elif isinstance(wanted, Mapping) and wanted:
            yield from _conditions(wanted, inner)
        else:
            yield {".".join(inner): {"$eq": wanted}}


def _refuse_list(name: str, wanted: object) -> None:
    """
    Raises ValueError for a list that a value should equal, which no filter of the service asks for. Compared here instead, a
    search by meaning would miss what lies behind as many as it answers.
    """
    equal = [wanted.get("$eq"), wanted.get("$ne")] if isinstance(wanted, Mapping) else [wanted]
    if any(isinstance(each, (list, tuple)) for each in equal):
        raise ValueError(f'The service compares no lists as a whole (of {name}): ask for an element, {{"$contains": element}}')


def _stem_of(conditions: Iterable[MatchCondition]) -> str:
    """What the joined labels of every namespace that matches begin with."""
    for condition in conditions:
        if condition.match_type == "prefix":
            return ".".join(takewhile(lambda label: label != "*", condition.path))
    return ""


def _matches(condition: MatchCondition, namespace: Namespace) -> bool:
    path = condition.path
    if len(path) > len(namespace):
        return False
    labels = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(labels, path, strict=True))
