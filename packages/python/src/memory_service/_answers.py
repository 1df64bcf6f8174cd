"""What the service answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Answer:
    """An answer that was read to its end."""

    status: int
    headers: Mapping[str, str]
    content: bytes = field(repr=False)


@dataclass(frozen=True)
class Stream(Answer):
    """An answer that has begun. Whoever called reads it, and closes it."""

    place: str
    response: Any = field(repr=False)
