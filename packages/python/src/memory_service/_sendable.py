"""What a caller gives, as JSON or as a query; what would be sent as something else than was meant is refused."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, NoReturn
from urllib.parse import quote, urlencode

from ._generated.invisible import is_invisible
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


def listed(value: Any) -> Any:
    """What is a list of another class, such as an array of NumPy, as a list; anything else as it is."""
    # Whatever knows how to be a list: numbers of NumPy, which do too, say what they are.
    tolist = getattr(value, "tolist", None)
    if callable(tolist):
        return tolist()
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray, list, tuple)):
        return [*value]
    return value


def json_of(value: Any, place: str = "") -> bytes:
    """JSON in UTF-8. Raises TypeError that names the place of what is none, from where the value itself is."""
    try:
        _check_names(value)
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)
        return text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        _find(value, place)
        raise TypeError(f"{place or 'The input'} is not JSON: {error}") from error


def query_of(fields: Fields, *, filtered: bool = False) -> str:
    """
    A query with its question mark; empty without fields. Raises TypeError, as `body_of` does.

    Args:
        filtered: Whether it may have a filter beside the subject.
    """
    if not fields:
        return ""
    _check_selectors(fields, "")
    if filtered:
        fields = _with_subjects_in_filter(fields)
    return "?" + urlencode([(name, _parameter(name, value)) for name, value in fields.items()], quote_via=quote)


def text_of(value: str, place: str) -> str:
    """
    A text as JSON has it: what it holds, which of an enum, or of another class of texts, need not be what it prints. Raises
    TypeError for what has no bytes.
    """
    text = str.__str__(value)
    if _HALF.search(text) is not None:
        refuse(place, text, "is no text: it has half a character")
    return text


def subject_of(subject: object) -> str:
    """The name of an end user. Raises TypeError for what is none, as None is, which a user is who was lost on the way."""
    if not isinstance(subject, str) or is_invisible(subject):
        raise TypeError(f"A subject is the name of an end user, not {subject!r}")
    return text_of(subject, "subject")


_HALF = re.compile(r"[\ud800-\udfff]")


def whole_of(value: Any) -> int | None:
    """A whole number of any class, such as NumPy's; None for what is none, as a truth value is."""
    try:
        return None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        return None


def header_of(name: object, value: object) -> tuple[str, str]:
    """
    A header, its name in small letters. Raises TypeError for what HTTP would change or refuse, which says why and not what it
    is: values may be secrets.
    """
    if not isinstance(name, str) or not _HEADER_NAME.fullmatch(name):
        raise TypeError(f"{name!r} is no name of a header")
    if not isinstance(value, str):
        raise TypeError(f"The header {name} can't be {_named(value)}")
    text = text_of(value, f"The header {name}")
    stray = _CONTROL.search(text)
    if stray is not None:
        raise TypeError(f"The header {name} can't be a text with {stray.group()!r} in it")
    if text != text.strip(" \t"):
        raise TypeError(f"The header {name} can't be a text with white space at its ends")
    return name.lower(), text


_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def path_of(template: str, ids: Iterable[str | int]) -> str:
    """A path with its ids, escaped. Raises TypeError for an id that would name another path."""
    parts = template.split("/")
    left = iter(ids)
    for at, part in enumerate(parts):
        if part.startswith("{"):
            value, name = next(left), part[1:-1]
            number = whole_of(value)
            text = text_of(value, name) if isinstance(value, str) else "" if number is None else str(number)
            if text in ("", ".", ".."):
                raise TypeError(f"{name} is {value!r}, which is no id")
            parts[at] = quote(text, safe="")
    return "/".join(parts)


def _with_subjects_in_filter(fields: Fields) -> Fields:
    """A query has room for one subject: that several are meant, or nobody, its filter says."""
    subject = fields.get("subject")
    if subject is not NOBODY and not isinstance(subject, (list, tuple)):
        return fields
    if not subject:
        refuse("subject", subject, "is an empty list")
    others = {name: value for name, value in fields.items() if name != "subject"}
    given, own = _filter_of(fields.get("filter", {})), {"$subject": subject}
    return {**others, "filter": {"$and": [own, given]} if "$subject" in given else {**given, **own}}


def _filter_of(value: Any) -> Mapping[str, Any]:
    """A filter that is given as JSON, or as the mapping."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = None
    if not isinstance(value, Mapping):
        refuse("filter", value, "is no JSON object")
    return value


def _parameter(name: str, value: Any) -> str:
    if name == "filter" and not isinstance(value, str):
        return json_of(value, name).decode()
    if name == "subject" and value is NOBODY:
        refuse(name, value, "is NOBODY, and here it is the name of one end user")
    plain = value if isinstance(value, (str, int, float)) else _plain(value, name)
    if isinstance(plain, str):
        return text_of(plain, name)
    if isinstance(plain, (int, float)):
        return json_of(plain, name).decode()
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
    value = listed(value)
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
    elif value is not NOBODY and (not isinstance(value, str) or text_of(value, place) == ""):
        hint = ": leave it out for everybody, or say NOBODY for what is of no end user" if value is None else ""
        refuse(place, value, f"is {_named(value)}{hint}")


def _plain(value: Any, place: str = "") -> Any:
    """What JSON has in place of a value that it does not have. Raises TypeError that names the place where there is nothing."""
    if value is NOBODY:
        return None
    if isinstance(value, datetime):
        return _time(value, place)
    if isinstance(value, Mapping):
        fields = dict(value)
        _check_names(fields)
        return fields
    plain = listed(value)
    if plain is not value:
        return plain
    number = whole_of(value)
    if number is None:
        refuse(place, value)
    return number


def _check_names(value: Any) -> None:
    """Raises TypeError for fields with other names than texts: JSON would make texts of them, and one field of two."""
    if isinstance(value, dict):
        if not all(isinstance(name, str) for name in value):
            raise TypeError("a name of a field is no text")
        value = value.values()
    elif not isinstance(value, (list, tuple)):
        return
    for item in value:
        if not isinstance(item, (str, int, float)):
            _check_names(item)


def _time(value: datetime, place: str) -> str:
    offset = value.utcoffset()
    if offset is None:
        refuse(place, value, "has no time zone: 2026-01-01T00:00:00 is another moment in each")
    # Offsets of the service have whole minutes, those of times before there were zones may not.
    if not offset % timedelta(minutes=1):
        return value.isoformat()
    try:
        return value.astimezone(timezone.utc).isoformat()
    except OverflowError:
        refuse(place, value, "is before the year 1 or after the year 9999 in UTC")


def _find(value: Any, place: str, depth: int = 0) -> None:
    """Raises TypeError with the place of the first value that is not JSON."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        refuse(place, value)
    if isinstance(value, str):
        text_of(value, place)
    elif depth > 100:
        refuse(place, value, "is deeper than JSON should be")
    elif isinstance(value, Mapping):
        for name, item in value.items():
            if not isinstance(name, str):
                refuse(f"{place}[{name!r}]", name, "is no name of a field")
            _find(item, f"{place}.{name}" if place else name, depth + 1)
    elif isinstance(value, (list, tuple)):
        for at, item in enumerate(value):
            _find(item, f"{place}[{at}]", depth + 1)
    elif value is not None and not isinstance(value, (bool, int, float)):
        _find(_plain(value, place), place, depth + 1)


def _named(value: Any) -> str:
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)
    kind = type(value).__name__
    return f"{'an' if kind[0].lower() in 'aeiou' else 'a'} {kind}"


def refuse(place: str, value: Any, what: str | None = None) -> NoReturn:
    """Raises TypeError that says what is wrong with the value at a place."""
    raise TypeError(f"{place or 'The input'} {what or f'is {_named(value)}'}")
