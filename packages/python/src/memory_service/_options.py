"""How one call differs from the client's settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypedDict


@dataclass(frozen=True)
class AnswerHead:
    """What `on_answer` hears of an answer."""

    status: int
    headers: Mapping[str, str]
    """By their names in letters of either case, such as `X-Request-Id`."""


class CallOptions(TypedDict, total=False):
    """What every method takes beside the fields of its operation."""

    timeout: float
    """Time limit of each attempt, in seconds."""
    max_retries: int
    """How often the call is tried again, where it may be."""
    idempotency_key: str | None
    """
    Makes repeating the call harmless for 24 hours, where the operation takes a key. Each call has one of its own unless said,
    the same for all its retries; None sends none, and then a store is never tried again, since it might store twice.
    """
    actor: str
    """The end user whose use the space learns from (`X-Memory-Actor`); the subject unless said."""
    if_match: int | None
    """Changes a pattern only while it has this version; else the call raises `PreconditionFailedError`. None does not ask."""
    headers: Mapping[str, str]
    """Further headers."""
    on_answer: Callable[[AnswerHead], None]
    """Hears of each answer before it is returned or raised, those of attempts that are made again too."""
