"""What the client knows of an operation of the service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Operation(Generic[T]):
    """An operation; `T` is what it answers."""

    name: str
    """The method's: `text.store`."""
    method: str
    path: str
    takes: Literal["nothing", "query", "body", "value"]
    """Fields as a query, fields as a JSON object, or another JSON value."""
    safe: bool = False
    """Whether it may be asked again when it is not known if it was done: it reads."""
    keyed: bool = False
    """Whether it takes an `Idempotency-Key`, with which it may be asked again."""
    versioned: bool = False
    """Whether it takes `If-Match`."""
    file: bool = False
    """Whether its answer is bytes."""
    answers_list: bool = False
    """Whether its answer is a list, and no object."""
    streams: bool = False
    """Whether its answer is events, without an end of its own."""
    scope: str | None = None
    """
    How it is kept to one end user: by the field `subject`, by that of each item of a list (`items[]`), by the id in its `path`;
    `free`, where it works on nothing that is stored. None where it can't be.
    """
    filtered: bool = False
    """Whether its query has a filter beside the subject, which says who is meant where those are several, or nobody."""
    lists: tuple[str, ...] = ()
    """The lists that are sent in parts where they have more than `most` items, or the body more than `most_bytes`."""
    most: int = 0
    most_bytes: int = 0
