"""
What the adapters have in common: each of their operations is said once, in steps, and done by the client at once or by the one
for asyncio.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar

from .. import types as t
from .._client import AsyncMemoryClient, MemoryClient
from .._errors import MemoryServiceError, PermissionDeniedError
from .._generated.invisible import is_invisible
from .._given import NOBODY, OMIT, Omit, given
from .._sendable import json_of, subject_of

T = TypeVar("T")

Memory = MemoryClient | AsyncMemoryClient
Step = Callable[[Memory], Any]
"""A call, for the client that will do it before the steps go on."""
Steps = Generator[Step, Any, T]
"""Yields calls, gets their answers or their errors, and returns what comes of them."""

_VALUES_BYTES = 8 * 1024
"""How long the values in one filter are at most: half of what a filter may be, so that others have room beside them."""


class Clients:
    """
    The clients of an adapter. With no client for asyncio its asynchronous methods use the other one in a thread; with none at all
    it has one of the settings in the environment.
    """

    def __init__(self, client: MemoryClient | None = None, async_client: AsyncMemoryClient | None = None) -> None:
        self.client = MemoryClient() if client is None and async_client is None else client
        self.async_client = async_client

    def run(self, steps: Steps[T]) -> T:
        """Does the steps at once. Raises TypeError where there is only a client for asyncio."""
        client = self.client
        if client is None:
            raise TypeError("There is only an AsyncMemoryClient: give a MemoryClient too, or use the asynchronous methods")
        try:
            step = next(steps)
            while True:
                try:
                    answer = step(client)
                except MemoryServiceError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result

    async def arun(self, steps: Steps[T]) -> T:
        """Does the steps in the event loop."""
        client = self.async_client
        if client is None:
            return await asyncio.to_thread(self.run, steps)
        try:
            step = next(steps)
            while True:
                try:
                    answer = await step(client)
                except MemoryServiceError as error:
                    step = steps.throw(error)
                else:
                    step = steps.send(answer)
        except StopIteration as end:
            result: T = end.value
            return result


def segment(name: str) -> str:
    """A name as one part of an own id, in which slashes stand between the parts: it has none, and no two names are one."""
    return name.replace("%", "%25").replace("/", "%2F")


def named_by(segment: str) -> str:
    """The name that is a part of an own id."""
    return segment.replace("%2F", "/").replace("%25", "%")


class Owner:
    """
    Whose the patterns of an adapter are: an end user's, or, without a subject, the application's. Own ids are one of a kind in a
    space, so those of an end user begin with its name, and no two of them meet.
    """

    def __init__(self, subject: str | Omit) -> None:
        self.subject = None if subject is OMIT else subject_of(subject)
        self.selector: dict[str, Any] = {} if self.subject is None else {"subject": self.subject}
        """What keeps a call to it."""
        self._prefix = "" if self.subject is None else segment(self.subject) + "/"

    def own_id(self, name: str) -> str:
        """The `external_id` of what the adapter calls so."""
        return self._prefix + name

    def pattern(self, name: str, text: str, metadata: Mapping[str, Any]) -> t.BatchStoreTextsItem:
        """What is stored for what the adapter calls so."""
        pattern: t.BatchStoreTextsItem = {"text": text, "metadata": metadata, "external_id": self.own_id(name)}
        # What is said to be of nobody takes nothing from an end user whose own id is the same.
        pattern["subject"] = NOBODY if self.subject is None else self.subject
        return pattern

    def name_of(self, own_id: str | None) -> str | None:
        """What the adapter calls what has an `external_id`; None for what it has no name for."""
        return own_id[len(self._prefix) :] if own_id is not None and own_id.startswith(self._prefix) else None


def store(items: Sequence[t.BatchStoreTextsItem], on_conflict: Literal["replace", "skip"] = "replace") -> Steps[list[bool]]:
    """Stores texts. Returns of each whether its own id was new."""
    if not items:
        return []
    try:
        answer: t.BatchStoreTextsResponse = yield lambda memory: memory.text.batch_store(items=items, on_conflict=on_conflict)
    except PermissionDeniedError as error:
        # A key that is bound to an end user may not speak of nobody, and by itself stores nothing but that one's.
        if error.code != "other_subject" or any(item.get("subject") is not NOBODY for item in items):
            raise
        own: list[t.BatchStoreTextsItem] = [{**item} for item in items]
        for item in own:
            item.pop("subject", None)
        answer = yield lambda memory: memory.text.batch_store(items=own, on_conflict=on_conflict)
    if answer["failed"] > 0:
        raise MemoryServiceError(f"{answer['failed']} of {len(items)} texts were not stored: the plan has no room for them")
    return [bool(new) for new in answer["created"]]


def put(owner: Owner, items: Sequence[t.BatchStoreTextsItem]) -> Steps[None]:
    """
    Stores texts of an owner in the place of what has their own ids. The service takes none in which nothing is visible, and would
    refuse all that is sent beside it. Such a text is left out, and what has its own id goes, unless another text of them has that
    id too.
    """
    seen = [item for item in items if not is_invisible(item["text"])]
    kept = {item.get("external_id") for item in seen}
    gone = [own_id for item in items if (own_id := item.get("external_id")) is not None and own_id not in kept]
    yield from store(seen)
    for some in of_own_ids(gone):
        yield from remove(owner, some)


def find(own_ids: Sequence[str]) -> Steps[list[t.Pattern]]:
    """The patterns that are there, by their own ids and in that order."""
    if not own_ids:
        return []
    answer: t.GetPatternsResponse = yield lambda memory: memory.patterns.get_many(external_ids=own_ids)
    return [pattern for pattern in answer["patterns"] if pattern is not None]


def refuse_unknown(arguments: Iterable[str]) -> None:
    """
    Raises TypeError that names arguments that nothing is done with. Frameworks let a store take whatever there is: one that was
    dropped may have said whose documents are meant, and all that the space has would be found, or deleted.
    """
    if names := ", ".join(arguments):
        raise TypeError(f"The service's adapter takes no argument of this name: {names}")


def of_own_ids(own_ids: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Filters for own ids: see `any_of`."""
    return any_of("$external_id", own_ids)


def any_of(field: str, values: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Filters for values of a field, of which each has as many as one filter may hold; none for none of them."""
    some: list[str] = []
    size = 0
    for value in values:
        more = len(json_of(value)) + 1
        if some and size + more > _VALUES_BYTES:
            yield {field: {"$in": some}}
            some, size = [], 0
        some.append(value)
        size += more
    if some:
        yield {field: {"$in": some}}


def remove(owner: Owner, filter: Mapping[str, Any] | Omit = OMIT) -> Steps[None]:
    """Deletes patterns of an end user, or of nobody where there is no subject: all of them, or those that a filter describes."""
    fields = given(filter=filter)
    subject = NOBODY if owner.subject is None else owner.subject
    try:
        yield lambda memory: memory.patterns.delete_many(subject=subject, **fields)
    except PermissionDeniedError as error:
        # A key that is bound to an end user may not speak of nobody, and by itself deletes nothing but that one's.
        if subject is not NOBODY or not fields or error.code != "other_subject":
            raise
        yield lambda memory: memory.patterns.delete_many(**fields)


def listed(most: int | None = None, **query: Any) -> Steps[list[t.Pattern]]:
    """What `patterns.search` lists, page after page, as many as there are at most."""
    patterns: list[t.Pattern] = []
    cursor: str | None = None
    while most is None or len(patterns) < most:
        page: dict[str, Any] = {"limit": 200 if most is None else min(200, most - len(patterns)), "cursor": cursor}
        answer: t.PatternList = yield lambda memory: memory.patterns.search(**query, **page)
        patterns += answer["patterns"]
        cursor = answer["next_cursor"]
        if cursor is None:
            break
    return patterns
