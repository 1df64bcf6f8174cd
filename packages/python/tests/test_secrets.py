"""What objects say of themselves, and traces of errors show: logs keep both."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any

import httpx
import pytest

from memory_service import (
    APIConnectionError,
    AuthenticationError,
    ExportedPage,
    Partial,
    ServerError,
    Tokens,
)
from memory_service._answers import Answer
from memory_service._batches import Part
from memory_service._core import Core, Renew, Send
from memory_service._events import EventReader
from memory_service._generated.operations import LIST_PATTERNS, STORE_TEXT
from memory_service._settings import Settings

from .conftest import NewBench
from .scripted import Handler, Received, Step, fails, hangs_up, ok

KEY = "mem_test_a_key_that_nobody_sees"
TOKENS = {"access_token": "an_access_token", "refresh_token": "a_refresh_token"}
HEADERS = {"X-Proxy": "a_password"}


def core(tokens: Mapping[str, str]) -> Core:
    settings = Settings("http://memory.example", None if tokens else KEY, None, None, 1, 0, 1, HEADERS, None, None)
    return Core(settings, Tokens(tokens.get("access_token"), tokens.get("refresh_token")))


@pytest.mark.parametrize("tokens", [{}, TOKENS])
def test_no_object_says_what_is_secret_or_content(tokens: Mapping[str, str]) -> None:
    client = core(tokens)
    stored: Any = next(client.call(STORE_TEXT, (), {"text": "a_fact"}, {"actor": "zoe", "idempotency_key": "a_key"}))
    listed: Any = next(client.call(LIST_PATTERNS, (), {"q": "a_fact", "subject": "zoe"}, {}))
    assert isinstance(stored, Send) and b"a_fact" in (stored.request.content or b"")
    told: list[Any] = [client, client.settings, client.tokens, stored, stored.request, listed, listed.request]
    told += [Renew("an_access_token"), Answer(200, {}, b"a_fact"), Part(b"a_fact", 1), Partial(1, {"text": "a_fact"})]
    told += [ExportedPage(["a_fact"], 0, None), EventReader(b"a_fact", {"data": "a_fact"})]
    for secret in (KEY, *TOKENS.values(), *HEADERS.values(), "a_fact", "zoe", "a_key"):
        assert secret not in repr(told)


def not_there(*_: object) -> Any:
    raise LookupError("not there")


def expires(refresh: Step) -> Step:
    def step(handler: Handler, received: Received) -> None:
        is_refresh = received.path == "/v1/auth/refresh"
        (refresh if is_refresh else fails(401, "Token expired"))(handler, received)

    return step


@pytest.mark.parametrize(
    ("step", "options", "call", "error"),
    [
        (fails(500, "no"), {"api_key": KEY}, lambda c: c.patterns.list(q="ada"), ServerError),
        (hangs_up, {"api_key": KEY}, lambda c: c.text.store(text="ada"), APIConnectionError),
        (fails(500, "no"), {"api_key": KEY}, lambda c: c.text.stats(actor="ada\n"), TypeError),
        (fails(500, "no"), {"api_key": KEY}, lambda c: c.patterns.list(q="a" * 70_000), TypeError),
        (ok({}), {"api_key": KEY}, lambda c: c.text.stats(on_answer=not_there), LookupError),
        (fails(500, "no"), TOKENS, lambda c: c.text.stats(), ServerError),
        (expires(fails(401, "Invalid token")), TOKENS, lambda c: c.text.stats(), AuthenticationError),
        (expires(fails(500, "no")), TOKENS, lambda c: c.text.stats(), ServerError),
        (expires(ok(TOKENS)), {**TOKENS, "on_tokens": not_there}, lambda c: c.text.stats(), LookupError),
        (
            ok(TOKENS),
            {"on_tokens": not_there, "access_token": "old"},
            lambda c: c.auth.login(email="a", password="b"),
            LookupError,
        ),
    ],
)
def test_no_trace_of_an_error_shows_a_key_or_token(
    new_bench: NewBench, step: Step, options: dict[str, Any], call: Callable[[Any], Any], error: type[Exception]
) -> None:
    bench, _ = new_bench(step, default_headers=HEADERS, max_retries=0, **options)
    with pytest.raises(error) as raised:
        bench.call(call)
    shown = "".join(traceback.TracebackException.from_exception(raised.value, capture_locals=True).format())
    # Those of the tests have what a test gave.
    ours = [part for part in shown.split("  File ") if "/tests/" not in part.partition("\n")[0]]
    assert len(ours) > 3
    for secret in (KEY, *TOKENS.values(), *HEADERS.values()):
        assert not [part for part in ours if secret in part]


def test_a_connection_that_there_is_not_shows_none_either(new_bench: NewBench) -> None:
    bench, _ = new_bench(ok({}), api_key=KEY, base_url="http://127.0.0.1:1", max_retries=0)
    with pytest.raises(APIConnectionError) as raised:
        bench.call(lambda client: client.text.stats())
    assert isinstance(raised.value.__cause__, httpx.HTTPError)
    assert KEY not in "".join(traceback.TracebackException.from_exception(raised.value, capture_locals=True).format())
