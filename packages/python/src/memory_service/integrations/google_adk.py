"""Google's Agent Development Kit: a memory of conversations. `pip install "memory-service-sdk[google-adk]"`."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timezone
from urllib.parse import quote

from google.adk.events import Event
from google.adk.memory import BaseMemoryService
from google.adk.memory.base_memory_service import SearchMemoryResponse
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.sessions import Session
from google.genai.types import Content, Part

from .. import types as t
from .._client import AsyncMemoryClient, MemoryClient
from .._generated.invisible import is_invisible
from ._clients import Clients, Owner, Steps, listed, named_by, segment, store

__all__ = ["MemoryServiceMemory"]

_TEXT_MOST = 10_000
"""How many characters a pattern has at most."""
_QUERY_MOST = 5_000
"""How many characters of a query are searched for."""
_LISTED_AT_ONCE = 8
"""Of how many memories one filter asks for the parts: own ids may be long, and a filter may not."""
_DELETED_AT_ONCE = 1_000
"""How many patterns are deleted at once by their ids."""
_OWN = frozenset({"author", "role", "time"})
"""Metadata that are the adapter's own."""


class MemoryServiceMemory(BaseMemoryService):
    """
    What was said, as text patterns of the end user whose `user_id` it is: each event with a text is one, and its parts as many
    as it takes where it is longer than a pattern may be: each is found by itself, with the id of the whole. What a model thought,
    and calls of tools, are none. Searches recall what answers best, of the application whose `app_name` it is.

    Args:
        client: One of the settings in the environment unless a client is given. It is used in threads: in any event loop.
        async_client: Used instead, by whoever stays in one event loop.
        k: How many memories a search finds at most.
    """

    def __init__(self, client: MemoryClient | None = None, *, async_client: AsyncMemoryClient | None = None, k: int = 10) -> None:
        self._clients = Clients(client, async_client)
        self._k = k

    async def add_session_to_memory(self, session: Session) -> None:
        """Adds the events of a session. Those that are there stay as they are, so it may be added again as it grows."""
        await self.add_events_to_memory(
            app_name=session.app_name, user_id=session.user_id, events=session.events, session_id=session.id
        )

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Event],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Adds events, with metadata of yours, by which `text.recall` filters. Those that are there stay as they are."""
        more = dict(custom_metadata or {})
        if session_id is not None:
            more["session_id"] = session_id
        items = [
            item
            for event in events
            if event.content is not None and not event.partial
            for item in _items(
                app_name,
                user_id,
                MemoryEntry(
                    id=event.id,
                    content=event.content,
                    author=event.author,
                    timestamp=datetime.fromtimestamp(event.timestamp, timezone.utc).isoformat(),
                    custom_metadata=more,
                ),
            )
        ]
        await self._clients.arun(store(items, on_conflict="skip"))

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[MemoryEntry],
        custom_metadata: Mapping[str, object] | None = None,
    ) -> None:
        """Adds memories as they are. Whichever has an id that is there already takes the place of all that has it."""
        more = dict(custom_metadata or {})
        entries = [memory.model_copy(update={"custom_metadata": {**more, **memory.custom_metadata}}) for memory in memories]
        await self._clients.arun(_replace(app_name, user_id, entries))

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> SearchMemoryResponse:
        """Recalls what answers best of what was said to the application, by meaning, words and time."""
        sought = _sound(query)[:_QUERY_MOST]
        if is_invisible(sought):
            return SearchMemoryResponse()
        return SearchMemoryResponse(memories=await self._clients.arun(self._search(app_name, user_id, sought)))

    async def delete_memory(self, *, app_name: str, user_id: str, memory_id: str | None = None) -> None:
        """
        Deletes a memory by its id, with all its parts. Adding its session again would add it again: add the new events of a
        session instead (`add_events_to_memory`) where memories are deleted.
        """
        if memory_id:
            await self._clients.arun(_delete(app_name, user_id, memory_id))

    def _search(self, app_name: str, user_id: str, query: str) -> Steps[list[MemoryEntry]]:
        owner, prefix = Owner(user_id), _prefix(app_name)
        answer: t.RecallTextsResponse = yield lambda memory: memory.text.recall(
            query=query,
            top_k=self._k,
            filter={"$external_id": {"$startsWith": owner.own_id(prefix)}},
            subject=user_id,
        )
        return [
            _entry(found, _id_of((owner.name_of(found.get("external_id")) or "").removeprefix(prefix)))
            for found in answer["results"]
        ]


def _replace(app_name: str, user_id: str, entries: Sequence[MemoryEntry]) -> Steps[None]:
    items: list[t.BatchStoreTextsItem] = []
    # Of those with equal ids the last is the one that stays.
    parts: dict[str, set[str | None]] = {}
    for entry in entries:
        its = list(_items(app_name, user_id, entry))
        items += its
        if entry.id and its:
            parts[Owner(user_id).own_id(_name(app_name, entry.id))] = {item.get("external_id") for item in its}
    yield from store(items)
    wholes, kept = list(parts), set[str | None]().union(*parts.values())
    for at in range(0, len(wholes), _LISTED_AT_ONCE):
        further = [{"$external_id": {"$startsWith": _further(whole)}} for whole in wholes[at : at + _LISTED_AT_ONCE]]
        found = yield from listed(filter={"$or": further}, subject=user_id, include_superseded=True)
        yield from _delete_all([pattern["pattern_id"] for pattern in found if pattern["external_id"] not in kept])


def _delete_all(pattern_ids: Sequence[str]) -> Steps[None]:
    for at in range(0, len(pattern_ids), _DELETED_AT_ONCE):
        some = pattern_ids[at : at + _DELETED_AT_ONCE]
        yield lambda memory: memory.patterns.delete_many(pattern_ids=some)


def _delete(app_name: str, user_id: str, memory_id: str) -> Steps[None]:
    whole = Owner(user_id).own_id(_name(app_name, memory_id))
    either = [{"$external_id": whole}, {"$external_id": {"$startsWith": _further(whole)}}]
    yield lambda memory: memory.patterns.delete_many(filter={"$or": either}, subject=user_id)


def _prefix(app_name: str) -> str:
    """What the names of an application's memories begin with; no other's begins so."""
    return f"adk/{quote(app_name, safe='')}/"


def _name(app_name: str, memory_id: str) -> str:
    """What a memory is called, or its first part. No other's name begins with it and a slash."""
    return _prefix(app_name) + segment(memory_id)


def _further(whole: str) -> str:
    """What the own ids of a memory's further parts begin with; their number follows."""
    return f"{whole}/"


def _id_of(name: str) -> str:
    """The id of the memory that what is called so within an application is, or is a part of."""
    return named_by(name.partition("/")[0])


def _items(app_name: str, user_id: str, memory: MemoryEntry) -> Iterator[t.BatchStoreTextsItem]:
    told = [part.text for part in memory.content.parts or () if part.text and not part.thought]
    text = _sound("\n".join(told))
    if is_invisible(text):
        return
    own = {"author": memory.author, "role": memory.content.role, "time": memory.timestamp}
    metadata = {**memory.custom_metadata, **{name: value for name, value in own.items() if value is not None}}
    name = _name(app_name, memory.id or str(uuid.uuid4()))
    when = _time(memory.timestamp)
    parts = [text[at : at + _TEXT_MOST] for at in range(0, len(text), _TEXT_MOST)]
    for number, part in enumerate((part for part in parts if not is_invisible(part)), 1):
        item = Owner(user_id).pattern(name if number == 1 else f"{_further(name)}{number}", part, metadata)
        if when is not None:
            item["occurred_at"] = when
        yield item


def _entry(found: t.RecalledText, name: str) -> MemoryEntry:
    metadata = found["metadata"] or {}
    return MemoryEntry(
        id=name,
        content=Content(role=metadata.get("role"), parts=[Part(text=found["text"])]),
        author=metadata.get("author"),
        timestamp=metadata.get("time"),
        custom_metadata={key: value for key, value in metadata.items() if key not in _OWN},
    )


def _time(timestamp: str | None) -> datetime | None:
    """The moment that a text tells; local time where it names no zone, as ADK writes it. None where it tells none."""
    try:
        return None if timestamp is None else datetime.fromisoformat(timestamp.replace("Z", "+00:00")).astimezone()
    except ValueError:
        return None


def _sound(text: str) -> str:
    """Without what no text of the service can hold: half of a character, or none."""
    return text.encode(errors="replace").decode().replace("\0", " ")
