from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from memory_service import AsyncMemoryClient, AuthenticationError, MemoryClient, ServerError, Tokens

from .bench import API_KEY, STATS
from .conftest import NewBench
from .scripted import Handler, Received, Step, answers, fails, ok, scripted_server

NEW = {"access_token": "new", "refresh_token": "r2"}


def service(refresh: Step = ok(NEW)) -> Step:
    """Takes the access token `new` alone, which `refresh` gives."""

    def step(handler: Handler, received: Received) -> None:
        if received.path == "/v1/auth/refresh":
            refresh(handler, received)
        elif received.headers.get("authorization") == "Bearer new":
            ok(STATS)(handler, received)
        elif "authorization" in received.headers:
            fails(401, "Token expired")(handler, received)
        else:
            fails(401, "Not authenticated")(handler, received)

    return step


@pytest.mark.parametrize("access", [{"access_token": "old"}, {}])
def test_an_expired_token_is_renewed_and_the_call_goes_on(new_bench: NewBench, access: dict[str, str]) -> None:
    kept: list[Tokens] = []
    bench, server = new_bench(service(), refresh_token="r1", on_tokens=kept.append, **access)
    assert bench.call(lambda client: client.text.stats()) == STATS
    assert [each.path for each in server.received] == ["/v1/memory/text/stats", "/v1/auth/refresh", "/v1/memory/text/stats"]
    assert server.received[1].json == {"refresh_token": "r1"}
    assert kept == [Tokens("new", "r2")] == [bench.client.tokens]
    bench.call(lambda client: client.text.stats())
    assert len(server.received) == 4


def test_threads_that_wait_for_a_token_get_one_for_all() -> None:
    together = threading.Barrier(16)

    def step(handler: Handler, received: Received) -> None:
        if received.headers.get("authorization") == "Bearer old" and received.path != "/v1/auth/refresh":
            together.wait(30)
        service()(handler, received)

    with scripted_server(step) as server, ThreadPoolExecutor(16) as threads:
        with MemoryClient(base_url=server.url, access_token="old", refresh_token="r1") as client:
            answered = list(threads.map(lambda _: client.text.stats(), range(16)))
    assert answered == [STATS] * 16
    assert [each.path for each in server.received].count("/v1/auth/refresh") == 1


async def test_tasks_that_wait_for_a_token_get_one_for_all_also_when_one_is_cancelled() -> None:
    asked, go_on = threading.Event(), threading.Event()

    def refresh(handler: Handler, received: Received) -> None:
        asked.set()
        go_on.wait(30)
        ok(NEW)(handler, received)

    with scripted_server(service(refresh)) as server:
        async with AsyncMemoryClient(base_url=server.url, access_token="old", refresh_token="r1") as client:
            tasks = [asyncio.ensure_future(client.text.stats()) for _ in range(16)]
            await asyncio.to_thread(asked.wait, 30)
            tasks[0].cancel()
            go_on.set()
            answered = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(answered[0], asyncio.CancelledError)
    assert answered[1:] == [STATS] * 15
    assert [each.path for each in server.received].count("/v1/auth/refresh") == 1


def test_a_refused_refresh_token_is_not_presented_again(new_bench: NewBench) -> None:
    kept: list[Tokens] = []
    bench, server = new_bench(service(fails(401, "Invalid token")), access_token="old", refresh_token="r1", on_tokens=kept.append)
    for _ in range(2):
        with pytest.raises(AuthenticationError):
            bench.call(lambda client: client.text.stats())
    assert [each.path for each in server.received].count("/v1/auth/refresh") == 1
    assert kept == [Tokens("old", None)]


def test_a_refresh_that_fails_is_not_repeated_since_the_token_may_be_used_up(new_bench: NewBench) -> None:
    bench, server = new_bench(service(fails(503, "not now")), access_token="old", refresh_token="r1")
    with pytest.raises(ServerError):
        bench.call(lambda client: client.text.stats())
    assert [each.path for each in server.received].count("/v1/auth/refresh") == 1
    assert bench.client.tokens == Tokens("old", "r1")


@pytest.mark.parametrize(
    ("options", "detail"),
    [
        ({"access_token": "old", "refresh_token": "r1"}, "Token revoked"),
        ({"access_token": "old"}, "Token expired"),
        ({"api_key": API_KEY}, "Token expired"),
    ],
)
def test_what_another_token_would_not_help_is_raised(new_bench: NewBench, options: dict[str, Any], detail: str) -> None:
    bench, server = new_bench(fails(401, detail), **options)
    with pytest.raises(AuthenticationError, match=detail):
        bench.call(lambda client: client.text.stats())
    assert len(server.received) == 1


def test_what_is_missing_is_said_where_the_service_asks_who_calls(new_bench: NewBench) -> None:
    def said(**options: Any) -> str:
        bench, _ = new_bench(service(), **options)
        with pytest.raises(AuthenticationError) as raised:
            bench.call(lambda client: client.text.stats())
        assert (raised.value.detail, raised.value.code) == ("Not authenticated", "not_authenticated")
        return str(raised.value)

    unset = "Not authenticated (401): the client has no api_key, and MEMORY_SERVICE_API_KEY is not set"
    assert said(api_key=None) == unset
    assert said(api_key=None, on_tokens=lambda _: None) == "Not authenticated (401): nobody is signed in"
    bench, _ = new_bench(fails(401, "Invalid credentials"), api_key=None)
    with pytest.raises(AuthenticationError, match=r"^Invalid credentials \(401\)$"):
        bench.call(lambda client: client.auth.login(email="ada@example.com", password="wrong"))


def test_signing_in_and_out_is_the_clients_own(new_bench: NewBench) -> None:
    kept: list[Tokens] = []
    signed = {"access_token": "a1", "refresh_token": "r1"}
    bench, server = new_bench(
        ok(signed), ok(STATS), ok({"message": "Bye"}), ok({"mfa_token": "m", "access_token": None}),
        access_token="old", organization_id="org", environment="test", on_tokens=kept.append,
    )  # fmt: skip
    bench.call(lambda client: client.auth.login(email="ada@example.com", password="an engine"))
    bench.call(lambda client: client.text.stats())
    headers = server.received[1].headers
    assert headers["authorization"] == "Bearer a1"
    assert (headers["x-organization-id"], headers["x-memory-environment"]) == ("org", "test")
    bench.call(lambda client: client.auth.logout())
    assert "x-organization-id" not in server.received[2].headers
    # A second factor is missing: nobody is signed in.
    bench.call(lambda client: client.auth.login(email="ada@example.com", password="an engine"))
    assert "authorization" not in server.received[3].headers
    assert kept == [Tokens("a1", "r1"), Tokens(None, None)]


def test_an_answer_of_a_refresh_that_is_no_service_is_told(new_bench: NewBench) -> None:
    bench, _ = new_bench(service(answers(200, b"<html>")), access_token="old", refresh_token="r1")
    with pytest.raises(Exception, match="is there a Memory Service at base_url"):
        bench.call(lambda client: client.text.stats())
