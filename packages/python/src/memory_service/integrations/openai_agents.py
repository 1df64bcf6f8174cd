"""OpenAI Agents SDK: sessions, which keep a conversation. `pip install "memory-service-sdk[openai-agents]"`."""

from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from agents import TResponseInputItem
from agents.memory import SessionSettings
from agents.memory.session_settings import coerce_session_settings, resolve_session_limit

from .. import types as t
from .._client import AsyncMemoryClient, MemoryClient
from .._generated.invisible import is_invisible
from .._given import OMIT, Omit
from ._clients import Clients, Owner, Steps, store

__all__ = ["MemoryServiceSession"]

_SEARCHED = 5_000
"""How many characters of an item searches find it by, at most."""
_PART = 12 * 1024
"""How many bytes of an item one pattern holds, as the JSON of its metadata counts them: less than metadata may have."""
_KIND = "session-item/"
"""What the own ids of items begin with."""
_IS_ITEM = {name: {"$exists": True} for name in ("item_id", "part", "parts", "item")}
"""What a pattern has that is read as one of an item."""


class MemoryServiceSession:
    """
    A conversation as text patterns, one for each item: its text is what was said, so that searches find it, and its metadata have
    the item itself, as it was given. An item that is longer than metadata may be has further patterns for the rest of it.

    Args:
        session_id: Names the conversation among those of the end user.
        client: One of the settings in the environment unless a client is given. It is used in threads: in any event loop.
        async_client: Used instead, by whoever stays in one event loop (`Runner.run_sync` makes others).
        subject: The end user whose conversation it is. Without it it is the application's.
        session_settings: How many items a run reads, unless it says so itself.
    """

    def __init__(
        self,
        session_id: str,
        client: MemoryClient | None = None,
        *,
        async_client: AsyncMemoryClient | None = None,
        subject: str | Omit = OMIT,
        session_settings: SessionSettings | dict[str, Any] | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings: SessionSettings | None = (
            SessionSettings() if session_settings is None else coerce_session_settings(session_settings)
        )
        self._clients = Clients(client, async_client)
        self._owner = Owner(subject)
        # By their own ids the application's are not those of an end user who has a conversation of the same name. Those of an end
        # user called `session-item` would begin alike, but for that they go on with the kind, and not with an item.
        ids = self._owner.own_id(_KIND)
        self._selector: dict[str, Any] = {
            "filter": {
                **_IS_ITEM,
                "session_id": {"$eq": session_id},
                "$external_id": {"$startsWith": ids},
                "$not": {"$external_id": {"$startsWith": f"{ids}{_KIND}"}},
            },
            **self._owner.selector,
        }

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The items, in the order in which they were added; of more than `limit` the last."""
        most = resolve_session_limit(limit, self.session_settings)
        found = await self._clients.arun(self._newest(most))
        return [item for _, item in reversed(found)]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Adds items at the end."""
        patterns = [pattern for item in items for pattern in self._patterns_of(item)]
        await self._clients.arun(store(patterns))

    async def pop_item(self) -> TResponseInputItem | None:
        """Removes the last item, and returns it. Of those who do so at once each gets another."""
        return await self._clients.arun(self._pop())

    async def clear_session(self) -> None:
        """Removes all items."""
        await self._clients.arun(self._clear())

    def _newest(self, most: int | None) -> Steps[list[tuple[list[str], TResponseInputItem]]]:
        """So many items, the last first, each with the own ids of its patterns."""
        found: list[tuple[list[str], TResponseInputItem]] = []
        parts: dict[str, dict[int, str]] = defaultdict(dict)
        cursor: str | None = None
        while most is None or len(found) < most:
            # What was said stays said, though another pattern took its place as a fact: searches leave such out, a conversation
            # would have gaps, and a tool's call no output.
            page: t.PatternList = yield lambda memory: memory.patterns.search(
                order="-created_at",
                limit=200 if most is None else min(200, 2 * most),
                cursor=cursor,
                include_superseded=True,
                **self._selector,
            )
            for pattern in page["patterns"]:
                metadata = pattern["metadata"] or {}
                item = parts[metadata["item_id"]]
                item[metadata["part"]] = metadata["item"]
                # Its first part was stored first. What is without one of the others is not whole, or not yet.
                if metadata["part"] == 0 and len(item) == metadata["parts"]:
                    ids = [self._owner.own_id(f"{_KIND}{metadata['item_id']}/{part}") for part in item]
                    found.append((ids, json.loads("".join(item[part] for part in sorted(item)))))
            cursor = page["next_cursor"]
            if cursor is None:
                break
        return found[:most]

    def _pop(self) -> Steps[TResponseInputItem | None]:
        while True:
            found = yield from self._newest(1)
            if not found:
                return None
            ids, item = found[0]
            answer: t.DeletePatternsResponse = yield lambda memory: memory.patterns.delete_many(external_ids=ids)
            # Somebody else may have it already.
            if answer["deleted"] > 0:
                return item

    def _clear(self) -> Steps[None]:
        yield lambda memory: memory.patterns.delete_many(**self._selector)

    def _patterns_of(self, item: Mapping[str, Any]) -> Iterator[t.BatchStoreTextsItem]:
        item_id = uuid.uuid4().hex
        # Escaped, what no text of the service can hold is told too, such as half of a character.
        parts = list(_parts_of(json.dumps(item)))
        told = {name: item[name] for name in ("type", "role") if isinstance(item.get(name), str)}
        for part, content in enumerate(parts):
            text = _text_of(item) if part == 0 else f"part {part + 1} of an item"
            metadata = {
                **(told if part == 0 else {}),
                **{"session_id": self.session_id, "item_id": item_id},
                **{"part": part, "parts": len(parts), "item": content},
            }
            yield self._owner.pattern(f"{_KIND}{item_id}/{part}", text, metadata)


def _parts_of(text: str) -> Iterator[str]:
    """A text of ASCII in parts that are not too long as JSON, where quotes and backslashes are two characters."""
    start, size = 0, 0
    for at, character in enumerate(text):
        width = 2 if character in '"\\' else 1
        if size + width > _PART:
            yield text[start:at]
            start, size = at, 0
        size += width
    yield text[start:]


def _text_of(item: Mapping[str, Any]) -> str:
    """What an item says, or its kind where it says nothing."""
    content = item.get("content")
    texts = [content] if isinstance(content, str) else [each.get("text") for each in content or () if isinstance(each, dict)]
    said = "\n".join(text for text in texts if isinstance(text, str))
    # Half a character, or none, is no text.
    said = said.encode(errors="replace").decode().replace("\0", " ")[:_SEARCHED]
    return said if not is_invisible(said) else str(item.get("type") or item.get("role") or "item")
