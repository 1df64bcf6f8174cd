"""What a client is made with, checked before anything is sent."""

from __future__ import annotations

import numbers
import os
import platform
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from ._sendable import whole_of
from ._version import __version__

BASE_URL_DEFAULT = "http://127.0.0.1:8000"
TIMEOUT_DEFAULT = 60.0
MAX_RETRIES_DEFAULT = 3
MAX_RETRY_AFTER_DEFAULT = 10.0

USER_AGENT = f"memory-service-sdk/{__version__} python/{platform.python_version()}"


@dataclass(frozen=True)
class Attempt:
    """What a `debug` hook hears of one attempt: no content, and no credentials."""

    operation: str
    """The method's name: `text.store`."""
    method: str
    path: str
    """With names in place of ids, and without its query."""
    number: int
    """1, or more for a retry."""
    status: int | None
    """None without a whole answer."""
    error: str | None
    """What went wrong; None for a success."""
    request_id: str | None
    """Names the request in the service's log."""
    duration: float
    """In seconds."""
    retry_in: float | None
    """Seconds until the next attempt; None where there is none."""


@dataclass(frozen=True)
class Tokens:
    """What signing in gives; a refresh token works once."""

    # Traces of errors and logs show what objects say of themselves: none says a secret.
    access_token: str | None = field(repr=False)
    refresh_token: str | None = field(repr=False)


@dataclass(frozen=True)
class Settings:
    """What all requests of a client have in common."""

    base_url: str
    api_key: str | None = field(repr=False)
    organization_id: str | None
    environment: Literal["live", "test"] | None
    timeout: float
    max_retries: int
    max_retry_after: float
    headers: Mapping[str, str] = field(repr=False)
    debug: Callable[[Attempt], None] | None
    on_tokens: Callable[[Tokens], None] | None

    def __post_init__(self) -> None:
        # A key is of one organization and one of its spaces: another that is named beside it would not be reached.
        if self.api_key is None:
            return
        if self.organization_id is not None:
            raise TypeError("organization_id goes with tokens: an api_key is of one organization")
        found = re.match("mem_(live|test)_", self.api_key)
        space = None if found is None else found[1]
        if self.environment not in (None, space):
            of = space or "the space that it was made for"
            raise TypeError(f"environment is {self.environment!r}, and the api_key is of {of}")


_KEY_VARIABLE = "MEMORY_SERVICE_API_KEY"


def without_key(*, is_for_user: bool) -> str:
    """What is missing of a client without credentials."""
    if is_for_user:
        return "nobody is signed in"
    unset = "" if os.environ.get(_KEY_VARIABLE) else f", and {_KEY_VARIABLE} is not set"
    return f"the client has no api_key{unset}"


def read_key(api_key: str | None, tokens: Tokens, *, expects_tokens: bool) -> str | None:
    """
    The API key; from the environment where neither it nor a token is given, nor one is expected. Raises TypeError for what can
    be none.
    """
    has_tokens = tokens.access_token is not None or tokens.refresh_token is not None
    if api_key is None and not has_tokens and not expects_tokens:
        api_key = os.environ.get(_KEY_VARIABLE) or None
    if api_key is not None and has_tokens:
        raise TypeError("Give an api_key or tokens, not both")
    _check_credential("api_key", api_key)
    _check_credential("access_token", tokens.access_token)
    _check_credential("refresh_token", tokens.refresh_token)
    return api_key


_TIMEOUT_MAX = 2_147_483
"""The longest wait that sockets know, in seconds: 24 days."""


def read_timeout(timeout: object) -> float:
    """A time limit in seconds. Raises TypeError for no number, and ValueError for what is no time, or has no end."""
    seconds = _read_number("timeout", timeout)
    if not 0 < seconds <= _TIMEOUT_MAX:
        raise ValueError(f"timeout is {timeout!r}, and should be more than 0 seconds, and {_TIMEOUT_MAX} at most")
    return seconds


def read_max_retry_after(max_retry_after: object) -> float:
    """The longest wait in seconds. Raises TypeError for no number, and ValueError for one below 0."""
    seconds = _read_number("max_retry_after", max_retry_after)
    if not seconds >= 0:
        raise ValueError(f"max_retry_after is {max_retry_after!r}, and should be 0 seconds or more")
    return seconds


def read_max_retries(max_retries: object) -> int:
    """How often a call is tried again. Raises TypeError for no whole number, and ValueError for one below 0."""
    count = whole_of(max_retries)
    if count is None:
        raise TypeError(f"max_retries is {max_retries!r}, and should be a whole number")
    if count < 0:
        raise ValueError(f"max_retries is {count}, and should be 0 or more")
    return count


def _read_number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{name} is {value!r}, and should be a number of seconds: leave it out for what it is unless said")
    return float(value)


_KEY = re.compile(r"mem_(live|test)_[0-9A-Za-z]{49}")
"""As keys are made."""

_PLACEHOLDER = re.compile(r"\.\.\.|^[<${[]|[>}\]]$|your|x{4}|\bkey[-_ ]here|change[-_ ]?me|placeholder", re.IGNORECASE)
"""What stands for a key in examples and forms."""


def _check_credential(name: str, value: str | None) -> None:
    if value is None:
        return
    if not isinstance(value, str):
        raise TypeError(f"{name} is of {type(value).__name__}, and should be a text")
    if value == "":
        raise TypeError(f"{name} is empty")
    stray = re.search(r"[^\x21-\x7e]", value)
    if stray is not None:
        raise TypeError(
            f"{name} contains {stray.group()!r}, which none does: is it a placeholder, or was it copied with something else?"
        )
    if name == "api_key" and not _KEY.fullmatch(value) and _PLACEHOLDER.search(value):
        raise TypeError(f"{name} is the placeholder of an example: the service says where its first key is when it starts")


def read_url(base_url: str | None) -> str:
    """The address without a slash at its end, from the environment where none is given. Raises TypeError for what is none."""
    address = base_url if base_url is not None else os.environ.get("MEMORY_SERVICE_URL") or BASE_URL_DEFAULT
    if not isinstance(address, str):
        raise TypeError(f"base_url is of {type(address).__name__}, and should be a text")
    # Errors go into logs, where no password should.
    shown = re.sub(r"^.*@", "…@", address, flags=re.DOTALL)
    problem = TypeError(f"base_url is {shown!r}, and should be an http or https address, as in {BASE_URL_DEFAULT}")
    try:
        parts = urlsplit(address)
        _ = parts.port
        host = parts.hostname or ""
        if host.isascii():
            # A name with a label that is empty, or too long, can't be asked for.
            host.encode("idna")
    except ValueError:
        raise problem from None
    if parts.scheme not in ("http", "https") or host == "" or re.search(r"[\s?#\\\x00-\x1f]", address):
        raise problem
    if "@" in parts.netloc:
        # They would take the place of the client's own, and stand in messages and logs.
        raise TypeError(f"base_url has a name and password before {parts.hostname}, and should be an address alone")
    if re.search(r"/v1(?=/|$)", parts.path):
        raise TypeError(f"base_url is {address!r}: leave out /v1, which the client adds")
    return address.rstrip("/")
