"""Everything that is stored as lines of JSON, page after page: what `npm run export` writes, and an import stores again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypedDict, overload

from ._client import AsyncMemoryClient, MemoryClient
from ._errors import NotFoundError
from ._generated.limits import LIST_MAX, VERSIONS_MAX
from ._given import OMIT, Nobody, Omit
from ._options import CallOptions
from ._sendable import json_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import types as t


@dataclass(frozen=True)
class ExportedPage:
    """A page of an export."""

    lines: list[str] = field(repr=False)
    """A line of JSON for each memory that has a text, with its newline."""
    left_out: int
    """How many vector patterns there were, which have no text."""
    cursor: str | None
    """Where to go on; None after the last page."""


class _Selection(TypedDict):
    filter: Mapping[str, Any] | Omit
    subject: str | Sequence[str] | Nobody | Omit


@overload
def export_pages(
    client: MemoryClient,
    *,
    filter: Mapping[str, Any] | Omit = OMIT,
    subject: str | Sequence[str] | Nobody | Omit = OMIT,
    cursor: str | None = None,
    page_size: int = LIST_MAX,
    **options: Unpack[CallOptions],
) -> Iterator[ExportedPage]: ...


@overload
def export_pages(
    client: AsyncMemoryClient,
    *,
    filter: Mapping[str, Any] | Omit = OMIT,
    subject: str | Sequence[str] | Nobody | Omit = OMIT,
    cursor: str | None = None,
    page_size: int = LIST_MAX,
    **options: Unpack[CallOptions],
) -> AsyncIterator[ExportedPage]: ...


def export_pages(
    client: MemoryClient | AsyncMemoryClient,
    *,
    filter: Mapping[str, Any] | Omit = OMIT,
    subject: str | Sequence[str] | Nobody | Omit = OMIT,
    cursor: str | None = None,
    page_size: int = LIST_MAX,
    **options: Unpack[CallOptions],
) -> Iterator[ExportedPage] | AsyncIterator[ExportedPage]:
    """
    Every memory with a text as lines of JSON, which an import stores again, page after page in the order of storing: what is
    not valid any more too, or not yet, and what each was before. What is stored or forgotten meanwhile may or may not be among
    them.

    Args:
        filter: Only what a filter describes.
        subject: Only what is of an end user, or of several.
        cursor: That of an earlier page, to go on after it.
        page_size: How many patterns are asked for at once.
    """
    selection: _Selection = {"filter": filter, "subject": subject}
    if isinstance(client, MemoryClient):
        return _pages(client, selection, cursor, page_size, options)
    if isinstance(client, AsyncMemoryClient):
        return _pages_async(client, selection, cursor, page_size, options)
    # What a pattern was before is asked for by its id, which a client for one end user refuses.
    raise TypeError("export_pages takes the client itself, and the end user as subject")


def _pages(
    client: MemoryClient, selection: _Selection, cursor: str | None, page_size: int, options: CallOptions
) -> Iterator[ExportedPage]:
    while True:
        page = client.patterns.search(**selection, include_superseded=True, cursor=cursor, limit=page_size, **options)
        lines: list[str] = []
        for pattern in page["patterns"]:
            if pattern["text"] is not None:
                versions: list[t.PatternVersion] = []
                if pattern["version"] > 1:
                    history = client.patterns.all_history(pattern["pattern_id"], limit=VERSIONS_MAX, **options)
                    try:
                        versions = [each for each in history if each["version"] < pattern["version"]]
                    except NotFoundError:
                        # It has gone meanwhile.
                        versions = []
                lines.append(_line(pattern, versions))
        cursor = page["next_cursor"]
        yield ExportedPage(lines, len(page["patterns"]) - len(lines), cursor)
        if cursor is None:
            return


async def _pages_async(
    client: AsyncMemoryClient, selection: _Selection, cursor: str | None, page_size: int, options: CallOptions
) -> AsyncIterator[ExportedPage]:
    while True:
        page = await client.patterns.search(**selection, include_superseded=True, cursor=cursor, limit=page_size, **options)
        lines: list[str] = []
        for pattern in page["patterns"]:
            if pattern["text"] is not None:
                versions: list[t.PatternVersion] = []
                if pattern["version"] > 1:
                    history = client.patterns.all_history(pattern["pattern_id"], limit=VERSIONS_MAX, **options)
                    try:
                        versions = [each async for each in history if each["version"] < pattern["version"]]
                    except NotFoundError:
                        versions = []
                lines.append(_line(pattern, versions))
        cursor = page["next_cursor"]
        yield ExportedPage(lines, len(page["patterns"]) - len(lines), cursor)
        if cursor is None:
            return


def _line(pattern: t.Pattern, versions: list[t.PatternVersion]) -> str:
    """What is told of a pattern, in the order in which the TypeScript client tells it."""
    told: dict[str, Any] = {
        "text": pattern["text"],
        "metadata": pattern["metadata"],
        "occurred_at": pattern["occurred_at"],
        "expires_at": pattern["expires_at"],
    }
    # A service of before doesn't tell what was said of it: an import judges by what else the line has.
    asked = {"asked_protected": pattern["asked_protected"]} if "asked_protected" in pattern else {}
    if asked != {"asked_protected": None}:
        told["protected"] = pattern["protected"]
    if pattern["external_id"] is not None:
        told["external_id"] = pattern["external_id"]
    if pattern["subject"] is not None:
        told["subject"] = pattern["subject"]
    if pattern["valid_from"] != pattern["occurred_at"]:
        told["valid_from"] = pattern["valid_from"]
    if pattern["valid_to"] is not None:
        told["valid_to"] = pattern["valid_to"]
    if pattern["superseded_by"] is not None:
        told["superseded_by"] = pattern["superseded_by"]
    told |= {"pattern_id": pattern["pattern_id"], **asked, "created_at": pattern["created_at"], "version": pattern["version"]}
    if versions:
        told["versions"] = versions
    return json_of(told).decode() + "\n"
