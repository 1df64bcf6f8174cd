"""Lists that are longer than the service takes at once: sent in several requests, and answered as one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ._errors import APIError, MemoryServiceError, Partial, ValidationIssue, detail_of
from ._operation import Operation
from ._sendable import Fields, body_of, json_of


@dataclass(frozen=True)
class Part:
    """A request's body."""

    content: bytes = field(repr=False)
    items: int
    """How many of the list it has."""


def parts_of(operation: Operation[Any], given: Any) -> list[Part]:
    """What is given in as many parts as the service takes its lists in; as it is, where it takes it whole."""
    removes = operation.method == "DELETE" or operation.name == "patterns.delete_many"
    content = body_of(given, removes=removes)
    lists = [name for name in operation.lists if isinstance(given.get(name), (list, tuple))]
    count = sum(len(given[name]) for name in lists)
    if count == 0 or (count <= operation.most and len(content) <= operation.most_bytes):
        return [Part(content, count)]
    others = {name: value for name, value in given.items() if name not in lists}
    parts: list[Part] = []
    for name in lists:
        # What comes before the items of the list, and after them.
        before, after = json_of({**others, name: []})[:-2], b"]}"
        items: list[bytes] = []
        size = 0
        for item in map(json_of, given[name]):
            more = len(item) + 1
            if items and (len(items) == operation.most or len(before) + size + more + len(after) > operation.most_bytes):
                parts.append(Part(before + b",".join(items) + after, len(items)))
                items, size = [], 0
            items.append(item)
            size += more
        if items:
            parts.append(Part(before + b",".join(items) + after, len(items)))
    return parts


_ADDED = frozenset({"stored", "failed", "latency_ms", "prompt_tokens", "total_tokens"})


def joined(answers: list[Any]) -> Any:
    """The answers of parts as one: lists joined, counts added, the rest as the last part has it."""
    if len(answers) == 1:
        return answers[0]
    whole: Fields = {}
    for answer in answers:
        for name, value in answer.items():
            before = whole.get(name)
            if isinstance(before, list) and isinstance(value, list):
                whole[name] = [*before, *value]
            elif isinstance(before, dict) and isinstance(value, dict):
                whole[name] = joined([before, value])
            elif before is not None and name in _ADDED:
                whole[name] = before + value
            else:
                whole[name] = value
    if "data" in whole:
        # Embeddings in the form of OpenAI's API have their place with them.
        whole["data"] = [{**each, "index": index} for index, each in enumerate(whole["data"])]
    return whole


def failed_after(error: MemoryServiceError, done: list[Part], answers: list[Any]) -> MemoryServiceError:
    """The error of a part, as one of the whole: it says what was done, and its places count from the first item of all."""
    if not done:
        return error
    items = sum(part.items for part in done)
    if isinstance(error, APIError) and error.issues:
        issues = [_moved_on(issue, items) for issue in error.issues]
        detail = detail_of(issues)
        error = type(error)(error.status, detail, issues=issues, request_id=error.request_id, retry_after=error.retry_after)
    error.partial = Partial(items, joined(answers))
    return error


def _moved_on(issue: ValidationIssue, by: int) -> ValidationIssue:
    moved = issue.copy()
    moved["loc"] = [part + by if at == 2 and isinstance(part, int) else part for at, part in enumerate(issue["loc"])]
    return moved
