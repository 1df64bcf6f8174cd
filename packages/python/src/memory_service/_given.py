"""What a caller has given, and what it left out: None is something that was given."""

from __future__ import annotations

from enum import Enum
from typing import Any, Protocol


class Omit(Enum):
    """Stands for what a caller left out."""

    OMIT = "omit"


class Nobody(Enum):
    """See `NOBODY`."""

    NOBODY = "nobody"


OMIT = Omit.OMIT

NOBODY = Nobody.NOBODY
"""A `subject`: the patterns that are of no end user. None is refused there, since it is what a lost user looks like."""


class Numbers(Protocol):
    """An array of numbers, such as NumPy's, which is given as it is."""

    def tolist(self) -> Any:
        """The same as a list."""


def given(**fields: object) -> dict[str, Any]:
    """The fields that were not left out."""
    return {name: value for name, value in fields.items() if value is not OMIT}
