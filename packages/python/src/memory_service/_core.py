"""
What a call does, step by step and without doing it: what is sent when, what an answer means, what is tried again. Whoever
runs the steps sends, waits and renews tokens, at once or asynchronously; see `_calls`.
"""

from __future__ import annotations

import hashlib
import json
import logging
import random
import time
import uuid
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, TypeVar, cast

from ._answers import Answer, Stream
from ._batches import failed_after, joined, parts_of
from ._errors import (
    APIError,
    APITimeoutError,
    AuthenticationError,
    InvalidAnswerError,
    MemoryServiceError,
    error_of,
)
from ._generated.limits import IDEMPOTENCY_KEY_MAX
from ._generated.operations import REFRESH
from ._operation import Operation
from ._options import AnswerHead, CallOptions
from ._sendable import Fields, header_of, json_of, listed, path_of, query_of, refuse, text_of, whole_of
from ._settings import USER_AGENT, Attempt, Settings, Tokens, read_max_retries, read_timeout, without_key

T = TypeVar("T")

logger = logging.getLogger("memory_service")

REFUSED_STATUS = 429
"""What is answered so was not begun."""
RETRIED_STATUSES = frozenset({REFUSED_STATUS, 500, 502, 503, 504})
LOST_STATUSES = frozenset({502, 504})
"""What a proxy answers where the service gave it no whole answer, and may still be at work."""
_FIRST_PAUSE = 1.0
_LONGEST_PAUSE = 8.0


@dataclass(frozen=True)
class Request:
    """One request, but for the credentials, which each attempt has anew."""

    operation: str
    method: str
    url: str = field(repr=False)
    place: str
    """The address with names in place of ids, for logs and messages."""
    headers: Mapping[str, str] = field(repr=False)
    content: bytes | None = field(repr=False)
    timeout: float
    retries: int
    """How often it may be tried again."""
    harmless: bool
    """Whether sending it once more does nothing twice: it reads, or has an idempotency key."""
    streams: bool
    """Whether its answer is read by whoever called, as it comes."""
    file: bool
    """Whether its answer is a file, which may take longer than the time limit while more of it comes."""
    on_answer: Callable[[AnswerHead], None] | None


@dataclass(frozen=True)
class Send:
    """Asks for an answer, or the error in place of one."""

    request: Request
    headers: list[tuple[bytes, bytes]] = field(repr=False)


@dataclass(frozen=True)
class Wait:
    """Asks for a pause."""

    seconds: float


@dataclass(frozen=True)
class Renew:
    """Asks for another access token than the one that was refused; answered with whether there is one now."""

    refused: str | None = field(repr=False)


Ids = tuple["str | int", ...]

Steps = Generator["Send | Wait | Renew", Any, T]


@dataclass
class Core:
    """The steps of the calls of one client."""

    settings: Settings
    tokens: Tokens
    _common: dict[str, str] = field(init=False, repr=False)
    _is_for_user: bool = field(init=False)
    """Whether it was made with tokens, or to sign in with."""

    def __post_init__(self) -> None:
        settings = self.settings
        self._is_for_user = settings.on_tokens is not None or self.tokens != Tokens(None, None)
        for name, value in (("x-organization-id", settings.organization_id), ("x-memory-environment", settings.environment)):
            if value is not None:
                header_of(name, value)
        self._common = {
            # A field that the service does not have, such as a misspelt filter, is refused instead of ignored.
            "prefer": "handling=strict",
            "user-agent": USER_AGENT,
            "accept": "application/json",
        }
        self._common |= _checked(settings.headers)

    def call(self, operation: Operation[T], ids: Ids, given: Any, options: CallOptions, subject: str | None = None) -> Steps[T]:
        """
        Calls an operation, in parts where a list is longer than the service takes it; kept to one end user where a subject
        is said.
        """
        _check_options(operation, options)
        if isinstance(given, dict):
            # What is done with each item of a list sees all of them, whatever class has them.
            given = {name: listed(value) for name, value in given.items()}
        if subject is not None:
            given = bind(operation, ids, given, subject)
        path = path_of(operation.path, ids)
        if operation.takes in ("nothing", "query"):
            return cast(T, (yield from self._one(operation, path + query_of(given, filtered=operation.filtered), None, options)))
        parts = parts_of(operation, given)
        answers: list[Any] = []
        for number, part in enumerate(parts):
            try:
                answers.append((yield from self._one(operation, path, part.content, _numbered(options, number))))
            except MemoryServiceError as error:
                raise failed_after(error, parts[:number], answers) from error.__cause__
        return cast(T, joined(answers))

    def renewal(self) -> Steps[None]:
        """Exchanges the refresh token. Who signed in or out meanwhile has the last word."""
        before = self.tokens
        # It works once: whether it was used is not known without an answer.
        request = self._request(REFRESH, REFRESH.path, json_of({"refresh_token": before.refresh_token}), {}, harmless=False)
        try:
            tokens = _tokens_of(_read(REFRESH, (yield from self._attempts(request))))
        except AuthenticationError:
            # Presented again it would only be refused again.
            if self.tokens is before:
                self.adopt(Tokens(before.access_token, None))
            raise
        if self.tokens is before:
            self.adopt(tokens)

    def adopt(self, tokens: Tokens) -> None:
        """Takes other tokens: somebody signed in, or out."""
        self.tokens = tokens
        if self.settings.on_tokens is not None:
            self.settings.on_tokens(tokens)

    def _one(self, operation: Operation[Any], path: str, content: bytes | None, options: CallOptions) -> Steps[Any]:
        request = self._request_of(operation, path, content, options)
        before = self.tokens
        try:
            answer = yield from self._attempts(request)
        except AuthenticationError as error:
            if self.settings.api_key is not None or not _is_renewable(error, before.access_token):
                raise
            if not (yield Renew(before.access_token)):
                if before.access_token is None:
                    # Somebody whose variable is not set where the program runs sees only this.
                    error.args = (f"{error}: {without_key(is_for_user=self._is_for_user)}",)
                raise
            answer = yield from self._attempts(request)
        if operation.streams:
            if not isinstance(answer, Stream):
                raise _no_service("stream of events")
            return answer
        if operation.file:
            return answer.content
        if operation.name in _SIGNS_IN or operation.name in _SIGNS_OUT:
            # No name is given to what has tokens: were `on_tokens` to raise, a trace would show it.
            tokens = _tokens_after(operation, _read(operation, answer))
            if tokens is not None:
                self.adopt(tokens)
        return _read(operation, answer)

    def _request_of(self, operation: Operation[Any], path: str, content: bytes | None, options: CallOptions) -> Request:
        headers: dict[str, object] = {}
        harmless = operation.safe
        if operation.keyed:
            key = options["idempotency_key"] if "idempotency_key" in options else uuid.uuid4().hex
            harmless = key is not None
            if key is None:
                # Whoever wants none wants no other attempt either.
                options = {**options, "max_retries": 0}
            else:
                headers["idempotency-key"] = key
        if "actor" in options:
            headers["x-memory-actor"] = options["actor"]
        if (version := options.get("if_match")) is not None:
            headers["if-match"] = f'"{_version(version)}"'
        headers |= options.get("headers", {})
        return self._request(operation, path, content, _checked(headers), options, harmless=harmless)

    def _request(
        self,
        operation: Operation[Any],
        path: str,
        content: bytes | None,
        headers: Mapping[str, str],
        options: CallOptions | None = None,
        *,
        harmless: bool,
    ) -> Request:
        options = {} if options is None else options
        typed = {} if content is None else {"content-type": "application/json"}
        return Request(
            operation=operation.name,
            method=operation.method,
            url=self.settings.base_url + path,
            place=self.settings.base_url + operation.path,
            headers={**self._common, **typed, **headers},
            content=content,
            timeout=read_timeout(options["timeout"]) if "timeout" in options else self.settings.timeout,
            retries=read_max_retries(options["max_retries"]) if "max_retries" in options else self.settings.max_retries,
            harmless=harmless,
            streams=operation.streams,
            file=operation.file,
            on_answer=options.get("on_answer"),
        )

    def _attempts(self, request: Request) -> Steps[Answer]:
        """Sends a request until there is an answer, or it is not worth another attempt."""
        number = 0
        lost = False
        while True:
            number += 1
            began = time.perf_counter()
            # No local has them: the trace of an error may show what locals hold.
            outcome: Answer | MemoryServiceError = yield Send(
                request, _encoded({**self._credentials(request.operation), **request.headers})
            )
            duration = time.perf_counter() - began
            if request.on_answer is not None and isinstance(outcome, Answer):
                request.on_answer(AnswerHead(outcome.status, outcome.headers))
            if isinstance(outcome, Answer) and 200 <= outcome.status < 300:
                self._report(request, number, duration, outcome, None, None)
                return outcome
            error = outcome if isinstance(outcome, MemoryServiceError) else _error_of(outcome)
            pause = pause_before(
                number, request.retries, error, self.settings.max_retry_after, harmless=request.harmless, lost=lost
            )
            lost = lost or may_be_at_work(error)
            self._report(request, number, duration, outcome, error, pause)
            if pause is None:
                raise error
            yield Wait(pause)

    def _credentials(self, operation: str) -> dict[str, str]:
        settings = self.settings
        if settings.api_key is not None:
            return {"x-api-key": settings.api_key}
        headers: dict[str, str] = {}
        if self.tokens.access_token is not None:
            headers["authorization"] = f"Bearer {self.tokens.access_token}"
        # Signing out is for the user, also for one who has left the organization meanwhile.
        if settings.organization_id is not None and not operation.startswith("auth."):
            headers["x-organization-id"] = settings.organization_id
        if settings.environment is not None:
            headers["x-memory-environment"] = settings.environment
        return headers

    def _report(
        self,
        request: Request,
        number: int,
        duration: float,
        outcome: Answer | MemoryServiceError,
        error: MemoryServiceError | None,
        pause: float | None,
    ) -> None:
        if self.settings.debug is None and not logger.isEnabledFor(logging.DEBUG):
            return
        answer = outcome if isinstance(outcome, Answer) else None
        attempt = Attempt(
            operation=request.operation,
            method=request.method,
            path=request.place.removeprefix(self.settings.base_url),
            number=number,
            status=None if answer is None else answer.status,
            error=None if error is None else str(error),
            request_id=None if answer is None else answer.headers.get("x-request-id"),
            duration=duration,
            retry_in=pause,
        )
        logger.debug("%s", attempt)
        if self.settings.debug is not None:
            self.settings.debug(attempt)


_SIGNS_IN = frozenset({"auth.register", "auth.login", "auth.mfa_login", "auth.refresh"})
_SIGNS_OUT = frozenset({"auth.logout", "auth.logout_all"})
_OPTIONS = frozenset(CallOptions.__annotations__)


def pause_before(
    number: int,
    retries: int,
    error: MemoryServiceError,
    max_retry_after: float,
    *,
    harmless: bool = True,
    lost: bool = False,
) -> float | None:
    """
    Seconds until an attempt is worth being made again; None where it is not. The pause doubles and is jittered, so that many
    clients do not come back at once, and is never shorter than the answer asks for.

    Args:
        harmless: Whether sending the request once more does nothing twice.
        lost: Whether an earlier attempt may still be at work.
    """
    status = error.status if isinstance(error, APIError) else None
    if number > retries or not (harmless or status == REFUSED_STATUS):
        return None
    # Until that attempt is done, its idempotency key is taken.
    is_own_twin = lost and status == 409 and isinstance(error, APIError) and error.retry_after is not None
    if not _is_passing(error) and not is_own_twin:
        return None
    pause = _pause(number)
    asked = error.retry_after if isinstance(error, APIError) else None
    if asked is None:
        return pause
    return None if asked > max_retry_after else asked + pause if asked > 0 else pause


def pause_of_stream(number: int, error: MemoryServiceError | None, max_retry_after: float) -> float | None:
    """
    Seconds until a stream that has ended, or broke for the so-manyth time in a row, is connected to again; None where it is not.
    What asks for a longer pause than is waited for is asked again all the same: whoever follows a stream waits anyway.
    """
    if error is not None and not _is_passing(error):
        return None
    asked = error.retry_after if isinstance(error, APIError) else None
    return _pause(number) + min(asked or 0.0, max_retry_after)


def _pause(number: int) -> float:
    # However often it failed: what is beyond the longest pause need not be reckoned.
    return min(_LONGEST_PAUSE, _FIRST_PAUSE * 2.0 ** min(number - 1, 10)) * random.uniform(1.0, 1.25)


def _is_passing(error: MemoryServiceError) -> bool:
    if isinstance(error, APIError):
        return error.status in RETRIED_STATUSES
    return isinstance(error, (ConnectionError, APITimeoutError))


def may_be_at_work(error: MemoryServiceError) -> bool:
    """Whether the service may still do what it was asked: only the answer is missing."""
    if isinstance(error, APIError):
        return error.status in LOST_STATUSES
    return isinstance(error, (ConnectionError, APITimeoutError))


def bind(operation: Operation[Any], ids: Ids, given: Any, subject: str) -> Any:
    """What is given, kept to one end user. Raises TypeError where it can't be, ValueError where it names another one."""
    scope = operation.scope
    if scope is None:
        raise _unbound(operation.name)
    if scope == "path":
        _check_same(operation, ids[0], subject)
    elif scope == "subject":
        # Ids name patterns, whosever they are, in place of a subject.
        if not {"pattern_ids", "external_ids"}.isdisjoint(given):
            raise _unbound(f"{operation.name} by ids")
        return _bound(operation, given, subject)
    elif scope.endswith("[]"):
        name = scope[:-2]
        if not isinstance(given[name], (list, tuple)):
            refuse(name, given[name])
        items = [_bound(operation, _fields(item, f"{name}[{at}]"), subject) for at, item in enumerate(given[name])]
        return {**given, name: items}
    return given


def _unbound(what: str) -> TypeError:
    return TypeError(
        f"{what} can't be kept to one end user: call it on the client itself, or use a key or token that is bound to the subject"
    )


def _fields(item: object, place: str) -> Fields:
    """
    The fields of an item, read once, and by names that are nothing else than what they say: what another class answers may
    differ each time. Raises TypeError for what has none.
    """
    if not isinstance(item, Mapping):
        refuse(place, item)
    return {str.__str__(name) if isinstance(name, str) else name: value for name, value in item.items()}


def _bound(operation: Operation[Any], fields: Mapping[str, Any], subject: str) -> Fields:
    if "subject" in fields:
        _check_same(operation, fields["subject"], subject)
    return {**fields, "subject": subject}


def _check_same(operation: Operation[Any], named: object, subject: str) -> None:
    if not isinstance(named, str) or text_of(named, "subject") != subject:
        raise ValueError(f"{operation.name} names the subject {named!r} on a client for {subject!r}")


def read_page(query: Fields, answer: Any, items: str) -> tuple[list[Any], Fields | None]:
    """What an answer has of a list that was not given before, and the query of the page to read next; None after the last."""
    try:
        found: list[Any] = [*answer[items]]
        if "next_cursor" in answer:
            cursor = answer["next_cursor"]
            return found, None if cursor is None else {**query, "cursor": cursor}
        if "has_more" in answer:
            return _read_by_time(query, found, answer["has_more"])
        return _read_by_number(query, found, answer["pagination"])
    except (KeyError, TypeError, ValueError) as error:
        raise _no_service("page of a list") from error


class _Next(Fields):
    """The query of another page than the first, and what is known of those before it."""

    seen: set[str]
    """The ids of what was given."""
    most: int
    """As many items are asked for at once."""


_PAGE_ITEMS = 20
"""So many items have enough page sizes below them for `_page_across` to find one."""


def _read_by_number(query: Fields, found: list[Any], pagination: Any) -> tuple[list[Any], Fields | None]:
    """
    Each item once, whatever is added or removed meanwhile; and those that are there all the time are not left out either.
    Whoever deletes or marks as read what they are given moves what comes after it to an earlier page. So each page is asked for
    with the last item of the one before in it: where none that is known is there, something may have moved past it, and an
    earlier page is read.
    """
    page, size = pagination["page"], pagination["per_page"]
    following = _Next(query)
    following.seen = query.seen if isinstance(query, _Next) else set()
    following.most = query.most if isinstance(query, _Next) else max(size, _PAGE_ITEMS)
    seen = following.seen
    known = next((at for at, item in enumerate(found) if item["id"] in seen), None)
    if known is None and page > 1 and seen:
        following |= _page_across((page - 1) * size - following.most, following.most)
        return [], following
    # Before the first that is known is only what is new.
    fresh = [item for item in found[known or 0 :] if item["id"] not in seen]
    seen.update(item["id"] for item in fresh)
    following |= _page_across(page * size, following.most)
    return fresh, None if len(found) < size else following


def _page_across(read: int, most: int) -> Fields:
    """The page that has the last of the first `read` items of a list, and the most after it; the first where there are none."""
    sizes = [size for size in range(2, most + 1) if read % size] if read > 0 else []
    size = max(sizes, key=lambda size: size - read % size, default=most)
    return {"page": max(0, read) // size + 1, "per_page": size}


class _Earlier(Fields):
    """The query of what is no newer than the last entry that was given."""

    last: str | None = None
    """The time of that entry."""
    alike: int = 0
    """So many of its time were given."""
    given: int = 0
    """So many of these begin the page."""


def _read_by_time(query: Fields, found: list[Any], has_more: bool) -> tuple[list[Any], Fields | None]:
    """
    Each entry of a log, newest first, once: what is recorded after the first answer, and would push entries from one page onto
    the next, is left out. From a later page on than the first it is what is no newer than its newest. Each page is asked for by
    the time of the last entry that is known, since pages far into a log are refused.
    """
    before = query if isinstance(query, _Earlier) else _Earlier()
    is_later = query is not before and query.get("page", 1) > 1
    fresh = found[before.given :]
    if not fresh or not (has_more or is_later):
        return ([] if is_later else fresh), None
    end = found[0]["timestamp"] if is_later else fresh[-1]["timestamp"]
    # All times are written alike, to the millisecond.
    until = datetime.fromisoformat(end.replace("Z", "+00:00")) + timedelta(milliseconds=1)
    following = _Earlier({**query, "until": until, "page": 1})
    if is_later:
        return [], following
    following.last = end
    following.alike = sum(entry["timestamp"] == end for entry in fresh) + (before.alike if end == before.last else 0)
    following["page"] += following.alike // len(found)
    following.given = following.alike % len(found)
    return fresh, following


def unless_known(options: CallOptions, etag: str) -> CallOptions:
    """The options of a call that asks for an answer only where it is another one than is known."""
    return {**options, "headers": {**options.get("headers", {}), "If-None-Match": '"' + etag + '"'}}


def _numbered(options: CallOptions, number: int) -> CallOptions:
    """The options of a part: each has an idempotency key of its own."""
    key = options.get("idempotency_key")
    if number == 0 or key is None:
        return options
    key, suffix = text_of(key, "idempotency_key"), f"/{number}"
    if len(key) + len(suffix) > IDEMPOTENCY_KEY_MAX:
        # The same whenever the list is sent again.
        key = hashlib.sha256(key.encode()).hexdigest()
    return {**options, "idempotency_key": key + suffix}


def _check_options(operation: Operation[Any], options: CallOptions) -> None:
    for name in options:
        if name not in _OPTIONS:
            raise TypeError(f"{operation.name}() got an unexpected keyword argument {name!r}")
    if "idempotency_key" in options and not operation.keyed:
        raise TypeError(f"{operation.name} takes no idempotency_key")
    if options.get("if_match") is not None and not operation.versioned:
        raise TypeError(f"{operation.name} takes no if_match")


def _version(given: object) -> int:
    version = whole_of(given)
    if version is None:
        raise TypeError(f"if_match is {given!r}, and should be a version, which is a whole number")
    return version


def _checked(headers: Mapping[str, object]) -> dict[str, str]:
    """Headers by their names in small letters. Raises TypeError for what can't be sent."""
    return dict(header_of(name, value) for name, value in headers.items())


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    """Headers as their bytes in UTF-8, such as an actor of any letters."""
    return [(name.encode(), value.encode()) for name, value in headers.items()]


def _error_of(answer: Answer) -> APIError:
    return error_of(answer.status, answer.headers, answer.content, time.time())


def _read(operation: Operation[Any], answer: Answer) -> Any:
    try:
        value: Any = json.loads(answer.content)
    except ValueError as error:
        raise _no_service("JSON") from error
    if not isinstance(value, list if operation.answers_list else dict):
        raise _no_service("answer of the API")
    return value


def _tokens_of(answer: Any) -> Tokens:
    return Tokens(answer.get("access_token"), answer.get("refresh_token"))


def _tokens_after(operation: Operation[Any], answer: Any) -> Tokens | None:
    """The tokens of a client whose call signed in or out; None where it did not, such as where a second factor is missing."""
    if operation.name in _SIGNS_OUT:
        return Tokens(None, None)
    tokens = _tokens_of(answer)
    return None if tokens.access_token is None else tokens


def _no_service(what: str) -> InvalidAnswerError:
    return InvalidAnswerError(f"The answer is no {what}: is there a Memory Service at base_url?")


def _is_renewable(error: AuthenticationError, token: str | None) -> bool:
    """Whether another access token can help: the one that was sent has expired, or there was none."""
    return error.code == ("not_authenticated" if token is None else "token_expired")
