"""Answers of server-sent events, and what is done when one ends: the stream goes on in another, after the last event."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

import httpx

from . import types as t
from ._answers import Stream
from ._core import pause_of_stream
from ._errors import APIConnectionError, InvalidAnswerError, MemoryServiceError
from ._options import CallOptions
from ._settings import read_max_retries

SILENCE_DEFAULT = 45.0
"""The service says something every ten seconds: a connection that is silent for longer is none."""


class NotificationTold(TypedDict):
    """A notification as the list has it."""

    event: Literal["notification"]
    id: str
    """What to go on after: `last_event_id`."""
    data: t.Notification


class UnreadCount(TypedDict):
    unread_count: int


class UnreadTold(TypedDict):
    """How many notifications are unread: at the beginning, after each connection, and whenever it has changed."""

    event: Literal["unread"]
    id: str
    """What to go on after: `last_event_id`."""
    data: UnreadCount


NotificationEvent = NotificationTold | UnreadTold
"""What `notifications.stream` tells: `event["event"]` says which of the two it is."""

_KNOWN = frozenset({"notification", "unread"})


@dataclass
class EventReader:
    """Reads events out of bytes as they come (https://html.spec.whatwg.org/multipage/server-sent-events.html)."""

    _rest: bytes = field(default=b"", repr=False)
    _fields: dict[str, str] = field(default_factory=dict[str, str], repr=False)
    _is_first_line: bool = True
    _after_return: bool = False
    """Whether the last byte was a carriage return, which ends a line alone or with the line feed that may come next."""

    def read(self, chunk: bytes) -> Iterator[dict[str, str]]:
        """The events that have come to their end, each by its fields."""
        after_return, self._after_return = self._after_return, chunk.endswith(b"\r")
        if after_return:
            chunk = chunk.removeprefix(b"\n")
        *lines, self._rest = _LINE_END.split(self._rest + chunk)
        for line in lines:
            if self._is_first_line:
                line, self._is_first_line = line.removeprefix(codecs.BOM_UTF8), False
            name, _, value = line.decode(errors="replace").partition(":")
            if name:
                self._add(name, value.removeprefix(" "))
            elif line == b"":
                fields, self._fields = self._fields, {}
                # What has neither is nothing to anybody, such as how long to wait before connecting again.
                if "data" in fields or "id" in fields:
                    yield fields

    def _add(self, name: str, value: str) -> None:
        if name == "data" and name in self._fields:
            value = f"{self._fields[name]}\n{value}"
        # So the format says: no header could give it back.
        if name != "id" or "\0" not in value:
            self._fields[name] = value


_LINE_END = re.compile(rb"\r\n|\n|\r")


class Following:
    """Where somebody who follows a stream is, over all of its connections."""

    def __init__(self, options: CallOptions, last_event_id: str | None, *, once: bool, max_retry_after: float) -> None:
        self._options = options
        self._most_failures = read_max_retries(options["max_retries"]) if "max_retries" in options else None
        self._last = last_event_id
        self._once = once
        self._max_retry_after = max_retry_after
        self._failures = 0
        self._reader = EventReader()

    def connecting(self) -> CallOptions:
        """The options of the call that connects."""
        self._reader = EventReader()
        options: CallOptions = {"timeout": SILENCE_DEFAULT, **self._options}
        if not self._once:
            # Whoever follows a stream connects again anyway.
            options["max_retries"] = 0
        if self._last is not None:
            options["headers"] = {**options.get("headers", {}), "Last-Event-ID": self._last}
        return options

    def read(self, chunk: bytes) -> Iterator[Any]:
        """What the service tells by it; what later releases tell of beside this is for clients that know it."""
        for fields in self._reader.read(chunk):
            self._failures = 0
            self._last = fields.get("id", self._last)
            if fields.get("event") in _KNOWN and "data" in fields:
                yield {"event": fields["event"], "id": self._last, "data": _read(fields["data"])}

    def after_end(self) -> float | None:
        """Seconds until it is connected to again, where the service ended it; None where it is not."""
        return None if self._once else pause_of_stream(1, None, self._max_retry_after)

    def after_failure(self, error: MemoryServiceError) -> float:
        """Seconds until it is connected to again. Raises the error where that does not help."""
        if self._once or (self._most_failures is not None and self._failures >= self._most_failures):
            raise error
        self._failures += 1
        pause = pause_of_stream(self._failures, error, self._max_retry_after)
        if pause is None:
            raise error
        return pause


def broken_off(stream: Stream, error: httpx.HTTPError) -> APIConnectionError:
    """The error of a stream whose connection broke, or that fell silent."""
    what = "fell silent" if isinstance(error, httpx.TimeoutException) else "broke off"
    return APIConnectionError(f"The stream of {stream.place} {what}")


def _read(data: str) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise InvalidAnswerError("An event of the stream is no JSON: is there a Memory Service at base_url?") from error
