"""What a call raises."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from functools import partial
from typing import Any, TypedDict

from ._generated.codes import CODES, ErrorCode


@dataclass(frozen=True)
class Partial:
    """What was done of a list, before a part of it failed."""

    items: int
    """How many of the list."""
    answer: Any = field(repr=False)
    """What the service answered for them, as one."""


class MemoryServiceError(Exception):
    """What every error of this package is, but for a TypeError of what is wrong before it is sent."""

    partial: Partial | None = None
    """Of a list that was sent in parts: what was done before this one failed."""


class APIConnectionError(MemoryServiceError, ConnectionError):
    """There was no connection, or it broke before the whole answer had come. What was asked may have been done."""


class APITimeoutError(MemoryServiceError, TimeoutError):
    """There was no whole answer in time. What was asked may have been done, or may yet be."""


class InvalidAnswerError(MemoryServiceError):
    """An answer that says success but is no JSON: something else than the service answered."""


class WebhookVerificationError(MemoryServiceError):
    """A message was not signed with the secret, or not now."""


class _IssueRequired(TypedDict):
    type: str
    loc: list[str | int]
    """Path to the field: `["body", "text"]`."""
    msg: str


class ValidationIssue(_IssueRequired, total=False):
    """One entry of a 422's `detail`."""

    input: Any
    ctx: dict[str, Any]


class APIError(MemoryServiceError):
    """The service answered with an error status."""

    status: int
    detail: str
    """The service's own words."""
    code: ErrorCode | None
    """The error's name in the service's catalogue: `pattern_limit_reached`; None where the words are not of that."""
    issues: Sequence[ValidationIssue]
    """What is wrong with the request, by field; of a 422."""
    request_id: str | None
    """Names the request in the service's log."""
    retry_after: float | None
    """Seconds after which the same request may succeed."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        issues: Sequence[ValidationIssue] = (),
        request_id: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        wait = "" if retry_after is None else f", retry after {retry_after:g} s"
        named = "" if request_id is None else f", request {request_id}"
        super().__init__(f"{detail} ({status}{wait}{named})")
        self.status = status
        self.detail = detail
        self.code = CODES.get((status, detail))
        self.issues = issues
        self.request_id = request_id
        self.retry_after = retry_after

    def __reduce__(self) -> Any:
        # Queues of tasks and pools of processes carry errors along.
        more: dict[str, Any] = {"issues": self.issues, "request_id": self.request_id, "retry_after": self.retry_after}
        return partial(type(self), self.status, self.detail, **more), (), self.__dict__


class BadRequestError(APIError):
    """400: the request could not be read."""


class AuthenticationError(APIError):
    """401: the key or token is missing, wrong, expired or revoked."""


class PermissionDeniedError(APIError):
    """403: the caller is known and not allowed to."""


class NotFoundError(APIError):
    """404"""


class ConflictError(APIError):
    """409: not in the present state of things."""


class PreconditionFailedError(APIError):
    """412: the pattern has another version than `if_match` says."""


class TooLargeError(APIError):
    """413: the body is too large."""


class ValidationError(APIError):
    """422: `issues` says which fields are wrong, and how."""


class RateLimitError(APIError):
    """429: a quota of the plan is used up, or there were too many attempts; `retry_after` says for how long."""


class ServerError(APIError):
    """5xx: the service failed, or can't be reached behind its proxy."""


_BY_STATUS: dict[int, type[APIError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    413: TooLargeError,
    422: ValidationError,
    429: RateLimitError,
}


def error_of(status: int, headers: Mapping[str, str], content: bytes, now: float) -> APIError:
    """The error that an answer means. `now` is the time in seconds since 1970, for a Retry-After that is a date."""
    detail, issues = _read_detail(content)
    if status == 304:
        detail = "Not modified"
    elif 300 <= status < 400 and not detail:
        # Without what follows the service's own address: ids and filters are in it, and errors go into logs.
        address = re.sub(r"(?:/v1/|[?#]).*", "", headers.get("location", "another address"), flags=re.DOTALL)
        detail = f"Redirected to {address}, which base_url should name"
    error = _BY_STATUS.get(status, ServerError if status >= 500 else APIError)
    return error(
        status,
        detail or f"Status {status} without a reason",
        issues=issues,
        request_id=headers.get("x-request-id"),
        retry_after=read_retry_after(headers.get("retry-after"), now),
    )


def read_retry_after(header: str | None, now: float) -> float | None:
    """Seconds of a Retry-After header (RFC 9110, section 10.2.3), which is a number or a date; None for anything else."""
    if header is None:
        return None
    text = header.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, _utc(date).timestamp() - now)


def _utc(date: datetime) -> datetime:
    return date if date.tzinfo is not None else date.replace(tzinfo=timezone.utc)


def _read_detail(content: bytes) -> tuple[str, list[ValidationIssue]]:
    try:
        body: Any = json.loads(content)
    except ValueError:
        # A proxy's page.
        return "", []
    detail: Any = body.get("detail") if isinstance(body, dict) else None
    if isinstance(detail, str):
        return detail, []
    if not isinstance(detail, list):
        return "", []
    issues: list[ValidationIssue] = [entry for entry in detail if _is_issue(entry)]
    return detail_of(issues), issues


def detail_of(issues: Sequence[ValidationIssue]) -> str:
    """What is wrong, in one line."""
    return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each.get('msg', '')}" for each in issues)


def _is_issue(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("loc"), list)
