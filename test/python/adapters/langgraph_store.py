"""The service as a store of LangGraph."""

import asyncio
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from itertools import takewhile
from typing import Any
from urllib.parse import urlencode

from langgraph.store.base import (
    BaseStore,
    GetOp,
    IndexConfig,
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

from .embeddings import ServiceEmbeddings
from .service import Service, chunks

Namespace = tuple[str, ...]

# What one search of texts answers at most.
most_hits = 50


class MemoryServiceStore(BaseStore):
    """
    A space as a store of items. An item is a text pattern for each of its texts that are searched (its *parts*), or
    one that no search finds where there are none:

    - `subject` is the namespace, its labels joined by dots, which no label has;
    - `external_id` is namespace, part and key;
    - `metadata` holds the key, the part, whether it is searched, and the whole value, which filters look into.

    An item expires so long after it was put; reading it does not put that off.
    """

    supports_ttl = True

    def __init__(
        self, service: Service, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> None:
        embed = (index or {}).get("embed")
        if embed is not None and not isinstance(embed, ServiceEmbeddings):
            raise ValueError("The service embeds texts by itself: `embed` can be its own embeddings.")
        self._service = service
        self.index_config = index
        self.ttl_config = ttl

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads see what was there before; of several puts of one item the last is done."""
        ops = list(ops)
        for op in ops:
            validate_op_namespace(op)
        gets = [own_id(op.namespace, op.key) for op in ops if isinstance(op, GetOp)]
        found = self._find(gets)
        results = [self._read(op, found) for op in ops]
        puts = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        self._remove([op for op in puts.values() if op.value is None])
        self._put([op for op in puts.values() if op.value is not None])
        return results

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        return await asyncio.to_thread(self.batch, list(ops))

    def _find(self, ids: list[str]) -> dict[str, dict[str, Any]]:
        """Items that are there, by the ids of their first parts."""
        patterns = self._service.find_patterns(list(dict.fromkeys(ids)))
        return {pattern["external_id"]: pattern for pattern in patterns}

    def _read(self, op: Op, found: dict[str, dict[str, Any]]) -> Result:
        if isinstance(op, GetOp):
            pattern = found.get(own_id(op.namespace, op.key))
            return None if pattern is None else Item(**fields_of(pattern))
        if isinstance(op, SearchOp):
            return self._search(op)
        return self._namespaces(op) if isinstance(op, ListNamespacesOp) else None

    def _search(self, op: SearchOp) -> list[SearchItem]:
        where = [*inside(op.namespace_prefix), *conditions(op.filter or {}, ["value"])]
        if not op.query or self.index_config is None:
            return self._list([{"part": 0}, *where], op.offset, op.limit)
        scores = self._nearest(op.query, where, op.offset + op.limit)
        page = dict(list(scores.items())[op.offset :])
        found = self._find(list(page))
        items = [SearchItem(**fields_of(found[id]), score=page[id]) for id in page if id in found]
        # What is not searched comes last, without a score.
        offset = max(0, op.offset - len(scores))
        return items + self._list([{"indexed": False}, *where], offset, op.limit - len(page))

    def _nearest(self, query: str, where: list[dict[str, Any]], count: int) -> dict[str, float]:
        """So many items by the nearest of their parts, the nearest item first: their ids, with the score."""
        filter = {"$and": [{"indexed": True}, *where]}
        top_k = count
        while True:
            body = {"query": query, "top_k": top_k, "filter": filter}
            hits = self._service.post("/v1/memory/text/retrieve", body)["results"]
            best: dict[str, float] = {}
            for hit in hits:
                best.setdefault(item_id(hit), hit["similarity"])
            if len(best) >= count or len(hits) < top_k or top_k == most_hits:
                return dict(list(best.items())[:count])
            # Several were parts of one item.
            top_k = min(2 * top_k, most_hits)

    def _list(self, where: list[dict[str, Any]], offset: int, limit: int) -> list[SearchItem]:
        patterns: list[dict[str, Any]] = []
        cursor = None
        while limit > 0 and len(patterns) < offset + limit:
            body = {
                "filter": {"$and": where},
                "limit": min(200, offset + limit - len(patterns)),
                "cursor": cursor,
            }
            page = self._service.post("/v1/memory/patterns/search", body)
            patterns += page["patterns"]
            cursor = page["next_cursor"]
            if cursor is None:
                break
        return [SearchItem(**fields_of(pattern)) for pattern in patterns[offset : offset + limit]]

    def _namespaces(self, op: ListNamespacesOp) -> list[Namespace]:
        matching = {
            namespace[: op.max_depth]
            for namespace in self._below(stem_of(op.match_conditions or ()))
            if all(matches(condition, namespace) for condition in op.match_conditions or ())
        }
        return sorted(matching)[op.offset : op.offset + op.limit]

    def _below(self, stem: str) -> Iterator[Namespace]:
        """All namespaces whose joined labels begin so."""
        query = {"limit": "200", **({"prefix": stem} if stem else {})}
        while True:
            page = self._service.get(f"/v1/memory/subjects?{urlencode(query)}")
            for each in page["subjects"]:
                yield tuple(each["subject"].split("."))
            if page["next_cursor"] is None:
                return
            query["cursor"] = page["next_cursor"]

    def _put(self, ops: list[PutOp]) -> None:
        parts = [self._parts(op) for op in ops]
        items = [item for each in parts for item in each]
        created = self._service.store_texts(items)
        is_new = {item["external_id"]: new for item, new in zip(items, created, strict=True)}
        # What had more parts before keeps none of those.
        replaced: dict[tuple[Namespace, int], list[str]] = defaultdict(list)
        for op, each in zip(ops, parts, strict=True):
            if not is_new[own_id(op.namespace, op.key)]:
                replaced[op.namespace, len(each)].append(op.key)
        for (namespace, count), keys in replaced.items():
            self._delete(namespace, keys, {"part": {"$gte": count}})

    def _parts(self, op: PutOp) -> list[dict[str, Any]]:
        """Its patterns, as they are stored."""
        texts = self._texts(op)
        metadata = {"key": op.key, "value": dict(op.value), "indexed": len(texts) > 0}
        ends = None if op.ttl is None else datetime.now(timezone.utc) + timedelta(minutes=op.ttl)
        return [
            {
                "external_id": own_id(op.namespace, op.key, part),
                "subject": ".".join(op.namespace),
                "text": text,
                "metadata": {**metadata, "part": part},
                "expires_at": None if ends is None else ends.isoformat(),
            }
            # The service stores no pattern without a text.
            for part, text in enumerate(texts or [own_id(op.namespace, op.key)])
        ]

    def _texts(self, op: PutOp) -> list[str]:
        if self.index_config is None or op.index is False:
            return []
        fields = self.index_config.get("fields") or ["$"] if op.index is None else op.index
        texts = [text for field in fields for text in get_text_at_path(op.value, field)]
        return [text for text in texts if text.strip()]

    def _remove(self, ops: list[PutOp]) -> None:
        keys: dict[Namespace, list[str]] = defaultdict(list)
        for op in ops:
            keys[op.namespace].append(op.key)
        for namespace, each in keys.items():
            self._delete(namespace, each, {})

    def _delete(self, namespace: Namespace, keys: list[str], condition: dict[str, Any]) -> None:
        for some in chunks(keys, 50):
            body = {"subject": ".".join(namespace), "filter": {"key": some, **condition}}
            self._service.post("/v1/memory/patterns/delete", body)


def own_id(namespace: Namespace, key: str, part: int = 0) -> str:
    """No namespace holds two dots in a row, so what follows them is surely the part and the key."""
    return f"{'.'.join(namespace)}..{part}.{key}"


def item_id(hit: dict[str, Any]) -> str:
    """The id of the first part of the item whose part a search found."""
    namespace, _, _ = hit["external_id"].partition("..")
    return f"{namespace}..0.{hit['metadata']['key']}"


def fields_of(pattern: dict[str, Any]) -> dict[str, Any]:
    """An item, as its classes take it."""
    return {
        "namespace": tuple(pattern["subject"].split(".")),
        "key": pattern["metadata"]["key"],
        "value": pattern["metadata"]["value"],
        "created_at": pattern["created_at"],
        "updated_at": pattern["updated_at"],
    }


def inside(prefix: Namespace) -> list[dict[str, Any]]:
    """A namespace and all below it, as conditions of a filter."""
    if not prefix:
        return []
    path = ".".join(prefix)
    return [{"$or": [{"$subject": path}, {"$subject": {"$startsWith": f"{path}."}}]}]


def conditions(filter: Mapping[str, Any], path: list[str]) -> Iterator[dict[str, Any]]:
    """A filter of LangGraph as conditions of one of the service, on what is at a path of the metadata."""
    for name, wanted in filter.items():
        inner = [*path, re.sub(r"[.$\\]", r"\\\g<0>", name)]
        if isinstance(wanted, Mapping) and any(key.startswith("$") for key in wanted):
            yield {".".join(inner): wanted}
        elif isinstance(wanted, Mapping) and wanted:
            yield from conditions(wanted, inner)
        else:
            yield {".".join(inner): {"$eq": wanted}}


def stem_of(conditions: Iterable[MatchCondition]) -> str:
    """What the joined labels of every namespace that matches begin with."""
    for match_type, path in conditions:
        if match_type == "prefix":
            return ".".join(takewhile(lambda label: label != "*", path))
    return ""


def matches(condition: MatchCondition, namespace: Namespace) -> bool:
    path = condition.path
    if len(path) > len(namespace):
        return False
    labels = namespace[: len(path)] if condition.match_type == "prefix" else namespace[-len(path) :]
    return all(wanted in ("*", label) for label, wanted in zip(labels, path, strict=True))
