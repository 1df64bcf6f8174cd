"""What a caller gives, as JSON or as a query; what would be sent as something else than was meant is refused."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NoReturn
from urllib.parse import quote, urlencode

from ._given import NOBODY

Fields = dict[str, Any]

_EQUALS = frozenset({"$eq", "$ne"})


def body_of(value: Any, *, removes: bool) -> bytes:
    """
    A body in JSON. A filter or subject that lost its user on the way would find everybody's memories, and a store would make
    theirs nobody's: both are never None, nor is a field of a filter (`{"$eq": None}` says that null is meant), nor any field
    of what removes by its fields. Raises TypeError that names the place: `filter.user is None`.
    """
    if isinstance(value, dict):
        _check_fields(value, removes)
    return json_of(value)


def json_of(value: Any) -> bytes:
    """JSON in UTF-8. Raises TypeError that names the place of what is none."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
        return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        _find(value, "")
        raise TypeError(f"The input is not JSON: {error}") from error


def query_of(fields: Fields) -> str:
    """A query with its question mark; empty without fields. Raises TypeError, as `body_of` does."""
    if not fields:
        return ""
    _check_selectors(fields, "")
    return "?" + urlencode([(name, _parameter(name, value)) for name, value in fields.items()], quote_via=quote)


def path_of(template: str, ids: Iterable[str | int]) -> str:
    """A path with its ids, escaped. Raises TypeError for an id that would name another path."""
    parts = template.split("/")
    left = iter(ids)
    for at, part in enumerate(parts):
        if part.startswith("{"):
            value = next(left)
            if isinstance(value, bool) or not isinstance(value, (str, int)) or str(value) in ("", ".", ".."):
                raise TypeError(f"{part[1:-1]} is {value!r}, which is no id")
            parts[at] = quote(str(value), safe="")
    return "/".join(parts)


def _parameter(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, datetime):
        return _time(value, name)
    if name == "filter":
        return json_of(value).decode()
    refuse(name, value)


def _check_fields(fields: Fields, removes: bool) -> None:
    _check_selectors(fields, "")
    for name, value in fields.items():
        if removes and value is None:
            refuse(name, value)
        if isinstance(value, (list, tuple)) and value and isinstance(value[0], Mapping):
            for at, item in enumerate(value):
                if isinstance(item, Mapping):
                    _check_selectors(item, f"{name}[{at}].")


def _check_selectors(fields: Mapping[str, Any], place: str) -> None:
    if "filter" in fields:
        _check_filter(fields["filter"], f"{place}filter")
    if "subject" in fields:
        _check_subject(fields["subject"], f"{place}subject")


def _check_filter(value: Any, place: str) -> None:
    if isinstance(value, Mapping):
        for name, item in value.items():
            if not isinstance(name, str):
                refuse(f"{place}[{name!r}]", name, "is no name of a field")
            if item is not None or name not in _EQUALS:
                _check_filter(item, f"{place}.{name}")
    elif isinstance(value, (list, tuple)):
        for at, item in enumerate(value):
            _check_filter(item, f"{place}[{at}]")
    elif value is None:
        refuse(place, value)


def _check_subject(value: Any, place: str) -> None:
    if isinstance(value, (list, tuple)):
        for at, item in enumerate(value):
            _check_subject(item, f"{place}[{at}]")
    elif value is not NOBODY and (not isinstance(value, str) or value == ""):
        hint = ": leave it out for everybody, or say NOBODY for what is of no end user" if value is None else ""
        refuse(place, value, f"is {_named(value)}{hint}")


def _plain(value: Any) -> Any:
    """What JSON has in place of a value that it does not have."""
    if value is NOBODY:
        return None
    if isinstance(value, datetime):
        return _time(value, "A time")
    if isinstance(value, Mapping):
        return dict(value)
    # Arrays of NumPy, and whatever else knows how to be a list.
    listed = getattr(value, "tolist", None)
    if callable(listed):
        return listed()
    raise TypeError(f"{_named(value)} is not JSON")


def _time(value: datetime, place: str) -> str:
    if value.tzinfo is None:
        refuse(place, value, "has no time zone: 2026-01-01T00:00:00 is another moment in each")
    return value.isoformat()


def _find(value: Any, place: str, depth: int = 0) -> None:
    """Raises TypeError with the place of the first value that is not JSON."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        refuse(place, value)
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            refuse(place, value, "is no text: it has half a character")
    elif depth > 100:
        refuse(place, value, "is deeper than JSON should be")
    elif isinstance(value, Mapping):
        for name, item in value.items():
            _find(item, f"{place}.{name}" if place else str(name), depth + 1)
    elif isinstance(value, (list, tuple)):
        for at, item in enumerate(value):
            _find(item, f"{place}[{at}]", depth + 1)
    elif value is not None and not isinstance(value, (bool, int, float)):
        try:
            _find(_plain(value), place, depth + 1)
        except TypeError as error:
            refuse(place, value, f"is {_named(value)}", error)


def _named(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    kind = type(value).__name__
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"


def refuse(place: str, value: Any, what: str | None = None, cause: Exception | None = None) -> NoReturn:
    """Raises TypeError that says what is wrong with the value at a place."""
    raise TypeError(f"{place or 'The input'} {what or f'is {_named(value)}'}") from cause
