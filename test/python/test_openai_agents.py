"""What OpenAI's tests of sessions leave out."""

import asyncio
from typing import Any

import pytest
from agents import Agent, Runner, function_tool
from agents.memory import Session
from agents.testing import ScriptedModel
from memory_service import AsyncMemoryClient, MemoryClient
from memory_service.integrations.openai_agents import MemoryServiceSession
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


@pytest.fixture(params=["in threads", "asynchronously"])
def session(
    request: pytest.FixtureRequest, client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None
) -> MemoryServiceSession:
    if request.param == "in threads":
        return MemoryServiceSession("talk", client, subject="ada")
    return MemoryServiceSession("talk", async_client=async_client, subject="ada")


def said(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": text}


ITEMS: list[Any] = [
    said("user", "Where is Zoë? 🏠\u2028\n"),
    said("user", ""),
    said("user", " \0 "),
    said("user", "\u200b\u2800"),
    said("system", "half \ud83d of a character"),
    {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": 'x"\\' * 20_000},
    {"type": "function_call", "call_id": "c1", "name": "look_up", "arguments": '{"name": "Zoë"}'},
    {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "In Köln."}]},
    {"role": "assistant", "content": [{"type": "output_text", "text": "In Köln.", "annotations": []}], "type": "message"},
    {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": {"i": [[[[None, True, 1.5, 2**60]]]]}}}}}}}}},
    said("user", "中" * 30_000),
    said("user", "Where is Zoë? 🏠\u2028\n"),
]


async def test_items_of_every_kind_and_length_come_back_as_they_were(session: MemoryServiceSession) -> None:
    assert isinstance(session, Session)
    assert await session.get_items() == []
    await session.add_items(ITEMS)
    assert await session.get_items() == ITEMS
    for limit in range(len(ITEMS) + 3):
        assert await session.get_items(limit) == ITEMS[max(0, len(ITEMS) - limit) :]
    for item in reversed(ITEMS):
        assert await session.pop_item() == item
    assert await session.pop_item() is None


async def test_nothing_is_left_of_what_is_removed(session: MemoryServiceSession, client: MemoryClient) -> None:
    client.text.store(text="A text of Ada that is in no conversation.", subject="ada")
    await session.add_items(ITEMS)
    await session.pop_item()
    await session.clear_session()
    await session.clear_session()
    assert [each["subject"] for each in client.patterns.all()] == ["ada"]


async def test_more_items_than_one_request_takes_keep_their_order(session: MemoryServiceSession) -> None:
    items: list[Any] = [said("user", f"Note {n % 3}.") | {"n": n} for n in range(260)]
    await session.add_items(items[:130])
    await session.add_items(items[130:])
    assert await session.get_items() == items
    assert await session.get_items(230) == items[30:]


async def test_each_user_and_conversation_has_items_of_its_own(
    session: MemoryServiceSession, client: MemoryClient
) -> None:
    others = [
        MemoryServiceSession("talk", client),
        MemoryServiceSession("talk", client, subject="zoë"),
        MemoryServiceSession("walk", client, subject="ada"),
    ]
    for n, each in enumerate([session, *others]):
        await each.add_items([said("user", f"I am {n}.")])
    # Whoever is asked without a subject speaks for nobody, and not for everybody.
    assert [await each.get_items() for each in [session, *others]] == [[said("user", f"I am {n}.")] for n in range(4)]
    assert await others[0].pop_item() == said("user", "I am 0.".replace("0", "1"))
    await session.clear_session()
    assert [await each.get_items() for each in [session, *others]] == [
        [],
        [],
        [said("user", "I am 2.")],
        [said("user", "I am 3.")],
    ]


async def test_what_was_said_stays_though_something_takes_its_place(
    session: MemoryServiceSession, client: MemoryClient
) -> None:
    items: list[Any] = [said("user", "I live in Lyon."), said("user", "I live in Porto."), said("user", "x" * 30_000)]
    await session.add_items(items)
    lyon, *_, last = client.patterns.all()
    for old in (lyon, last):
        client.text.store(text="Ada lives in Porto.", subject="ada", supersedes=old["pattern_id"])
    assert await session.get_items() == items
    assert await session.get_items(1) == items[2:]
    assert [await session.pop_item() for _ in range(4)] == [*reversed(items), None]


async def test_nobody_is_taken_for_the_application(session: MemoryServiceSession, client: MemoryClient) -> None:
    """An end user who is called as own ids of the application begin, and patterns of others that begin so."""
    application = MemoryServiceSession("talk", client)
    user = MemoryServiceSession("talk", client, subject="session-item")
    await user.add_items([said("user", "I am a user.")])
    client.text.store(text="No item.", external_id="session-item/note", metadata={"session_id": "talk"})
    assert await application.get_items() == [] and await application.pop_item() is None
    await application.add_items([said("user", "I am the application.")])
    await application.clear_session()
    assert await user.get_items() == [said("user", "I am a user.")]
    assert client.patterns.count()["count"] == 2


async def test_what_was_said_is_found_by_its_meaning(session: MemoryServiceSession, client: MemoryClient) -> None:
    await session.add_items([said("user", "The lease in Lyon ends in June."), said("user", "I like green.")])
    [found] = client.text.recall(query="When does the rental contract end?", subject="ada", top_k=1)["results"]
    assert found["text"] == "The lease in Lyon ends in June."
    assert (found["metadata"]["session_id"], found["metadata"]["role"]) == ("talk", "user")


async def test_an_item_that_is_not_whole_is_not_there(session: MemoryServiceSession, client: MemoryClient) -> None:
    items: list[Any] = [said("user", "short"), said("user", "long" * 10_000)]
    await session.add_items(items)
    last = list(client.patterns.all(order="-created_at"))[0]
    client.patterns.delete(last["pattern_id"])
    assert await session.get_items() == items[:1]
    assert await session.pop_item() == items[0]
    assert await session.pop_item() is None


async def test_what_is_no_json_adds_nothing(session: MemoryServiceSession) -> None:
    with pytest.raises(TypeError):
        await session.add_items([said("user", "fine"), said("user", object())])
    assert await session.get_items() == []


async def test_those_who_pop_at_once_get_different_items(session: MemoryServiceSession) -> None:
    items: list[Any] = [said("user", f"{n}") for n in range(6)]
    await session.add_items(items)
    popped: list[Any] = await asyncio.gather(*(session.pop_item() for _ in range(8)))
    assert sorted(each["content"] for each in popped if each is not None) == [each["content"] for each in items]


async def test_an_agent_with_a_tool_goes_on_where_it_was(session: MemoryServiceSession) -> None:
    @function_tool
    def look_up(name: str) -> str:
        return f"{name} is in Köln."

    def says(text: str) -> ResponseOutputMessage:
        content = ResponseOutputText(text=text, type="output_text", annotations=[])
        return ResponseOutputMessage(id="m", content=[content], role="assistant", status="completed", type="message")

    model = ScriptedModel()
    call = ResponseFunctionToolCall(name="look_up", arguments='{"name": "Zoë"}', call_id="c1", type="function_call")
    model.enqueue([call])
    model.enqueue([says("In Köln.")])
    model.enqueue([says("You are welcome.")])
    agent = Agent(name="test", model=model, tools=[look_up])
    assert (await Runner.run(agent, "Where is Zoë?", session=session)).final_output == "In Köln."
    assert (await Runner.run(agent, "Thank you.", session=session)).final_output == "You are welcome."
    seen: Any = model.calls[-1].input
    kinds = [each.get("type", each.get("role")) for each in seen]
    assert kinds == ["user", "function_call", "function_call_output", "message", "user"]
    assert seen[2]["output"] == "Zoë is in Köln."
