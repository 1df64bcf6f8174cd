"""The memory of Google's ADK, beside the one in memory that ADK brings; its archive has no tests of memories."""

from collections.abc import AsyncGenerator
from datetime import datetime, timezone
from typing import Any

import pytest
from google.adk.agents import Agent
from google.adk.agents.callback_context import CallbackContext
from google.adk.events import Event
from google.adk.memory import BaseMemoryService, InMemoryMemoryService
from google.adk.memory.memory_entry import MemoryEntry
from google.adk.models import BaseLlm, LlmRequest, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService, Session
from google.adk.tools.preload_memory_tool import PreloadMemoryTool
from google.genai.types import Content, FunctionCall, ModelContent, Part, UserContent
from memory_service import AsyncMemoryClient, MemoryClient
from memory_service.integrations.google_adk import MemoryServiceMemory

WHO: Any = {"app_name": "notes", "user_id": "ada"}
WHEN = datetime(2026, 5, 7, 9, 30, tzinfo=timezone.utc)


@pytest.fixture(params=["in threads", "asynchronously"])
def memory(
    request: pytest.FixtureRequest, client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None
) -> MemoryServiceMemory:
    if request.param == "in threads":
        return MemoryServiceMemory(client)
    return MemoryServiceMemory(async_client=async_client)


@pytest.fixture(params=["of the service", "of ADK"])
def either(request: pytest.FixtureRequest, client: MemoryClient, empty_space: None) -> BaseMemoryService:
    return MemoryServiceMemory(client) if request.param == "of the service" else InMemoryMemoryService()


def said(text: str, author: str = "user", id: str = "", **more: Any) -> Event:
    content = UserContent(text) if author == "user" else ModelContent(text)
    return Event(id=id, author=author, content=content, timestamp=WHEN.timestamp(), **more)


def session(*events: Event, id: str = "s1", **who: str) -> Session:
    return Session(id=id, events=list(events), **{**WHO, **who})


async def texts(memory: BaseMemoryService, query: str, **who: str) -> list[str]:
    found = await memory.search_memory(query=query, **{**WHO, **who})
    return [" ".join(part.text or "" for part in each.content.parts or ()) for each in found.memories]


async def test_what_was_said_in_a_session_is_found_in_the_next(either: BaseMemoryService) -> None:
    events = [said("My cat is called Mia.", id="e1"), said("A fine name for a cat.", "assistant", id="e2")]
    await either.add_session_to_memory(session(*events))
    # Whoever adds it again as it has grown adds nothing twice.
    await either.add_session_to_memory(session(*events, said("I moved to Lisbon.", id="e3")))
    found = (await either.search_memory(query="What is my cat called?", **WHO)).memories
    cat = next(each for each in found if each.id == "e1")
    assert cat.content.role == "user" and cat.content.parts == [Part(text="My cat is called Mia.")]
    assert cat.author == "user" and cat.timestamp is not None
    assert datetime.fromisoformat(cat.timestamp).astimezone() == WHEN
    assert len([each for each in found if each.id == "e2"]) == 1
    assert sorted({each.id for each in found}) == sorted(each.id for each in found)
    await either.add_events_to_memory(events=[said("Mia likes fish.", id="e4"), events[0]], session_id="s1", **WHO)
    assert (await texts(either, "Mia")).count("My cat is called Mia.") == 1
    await either.delete_memory(memory_id="e1", **WHO)
    await either.delete_memory(memory_id="unknown", **WHO)
    await either.delete_memory(**WHO)
    assert "My cat is called Mia." not in await texts(either, "What is my cat called?")
    assert "Mia likes fish." in await texts(either, "Mia")


async def test_each_user_and_application_has_memories_of_its_own(either: BaseMemoryService) -> None:
    others = [{"user_id": "zoë"}, {"app_name": "notes/2"}, {"app_name": "notes 2"}]
    for n, who in enumerate([{}, *others]):
        await either.add_session_to_memory(session(said(f"My number is {n}.", id="e1"), **who))
    for n, who in enumerate([{}, *others]):
        assert await texts(either, "What is my number?", **who) == [f"My number is {n}."]
    await either.delete_memory(memory_id="e1", **WHO)
    assert await texts(either, "What is my number?") == []
    assert await texts(either, "What is my number?", user_id="zoë") == ["My number is 1."]


async def test_what_has_no_text_is_none(memory: MemoryServiceMemory, client: MemoryClient) -> None:
    call = Part(function_call=FunctionCall(name="look_up", args={"name": "Mia"}))
    events = [
        Event(author="assistant"),
        Event(author="assistant", content=Content(role="model")),
        Event(author="assistant", content=Content(role="model", parts=[call])),
        Event(author="assistant", content=Content(role="model", parts=[Part(text="A thought.", thought=True)])),
        said(" \n"),
        said("\u200b\u2800"),
        said("Ha", "assistant", partial=True),
    ]
    await memory.add_session_to_memory(session(*events))
    assert client.patterns.count()["count"] == 0
    both = Content(role="model", parts=[Part(text="Thought.", thought=True), Part(text="Half \ud83d of \0 it."), call])
    await memory.add_session_to_memory(session(*events, Event(author="assistant", content=both)))
    assert [each["text"] for each in client.patterns.all()] == ["Half ? of   it."]
    for query in (" ", "\u200b", "\u00ad" * 5_000 + "Half"):
        assert await texts(memory, query) == []
    assert await texts(memory, "Half \ud83d of \0 it" * 1_000) == ["Half ? of   it."]


async def test_long_ones_are_several_and_sessions_may_be_long(memory: MemoryServiceMemory) -> None:
    await memory.add_events_to_memory(events=[said("中" * 10_000 + " My cat is called Mia.", id="e1")], **WHO)
    found = (await memory.search_memory(query="What is my cat called?", **WHO)).memories
    assert [each.id for each in found] == ["e1", "e1"]
    await memory.add_session_to_memory(session(*(said(f"Note {n}.", id=f"n{n}") for n in range(120))))
    assert len(await texts(memory, "Note 7.")) == 10
    assert (await texts(memory, "Note 117."))[0] == "Note 117."


def long(words: str, id: str, parts: int) -> MemoryEntry:
    return MemoryEntry(id=id, content=UserContent(words.ljust(10_000 * (parts - 1) + 1, ".")))


def stored(client: MemoryClient) -> list[str]:
    return sorted(each["external_id"] or "" for each in client.patterns.all())


async def test_a_long_memory_is_deleted_whole_and_alone(memory: MemoryServiceMemory, client: MemoryClient) -> None:
    alike = ["m1/2", "m1%2F2", "m10", "m1/", "m", "M1"]
    others = [long(f"Alike: {n}.", id, 2) for n, id in enumerate(alike)]
    await memory.add_memory(memories=[long("My cat is Mia.", "m1", 3), *others], **WHO)
    await memory.add_memory(memories=[long("The same id.", "m1", 2)], **{**WHO, "user_id": "zoë"})
    await memory.add_memory(memories=[long("The same id.", "m1", 2)], **{**WHO, "app_name": "notes/2"})
    before = stored(client)
    mine = ["ada/adk/notes/m1", "ada/adk/notes/m1/2", "ada/adk/notes/m1/3"]
    assert len(before) == 3 + 2 * 8 and set(mine) <= set(before)
    await memory.delete_memory(memory_id="m1", **WHO)
    assert stored(client) == [id for id in before if id not in mine]
    found = (await memory.search_memory(query="Alike", **WHO)).memories
    assert {each.id for each in found} == set(alike)
    for id in alike:
        await memory.delete_memory(memory_id=id, **WHO)
    assert [id for id in stored(client) if id.startswith("ada/adk/notes/")] == []
    assert len(stored(client)) == 4


async def test_parts_without_anything_visible_are_left_out(memory: MemoryServiceMemory, client: MemoryClient) -> None:
    words = ["One.".ljust(10_000, "."), "\u200b" * 10_000, "Two.".ljust(10_000, "."), "\ufeff"]
    await memory.add_session_to_memory(session(said("Before.", id="e0"), said("".join(words), id="e1")))
    assert stored(client) == ["ada/adk/notes/e0", "ada/adk/notes/e1", "ada/adk/notes/e1/2"]


async def test_a_shorter_memory_leaves_nothing_of_the_longer(memory: MemoryServiceMemory, client: MemoryClient) -> None:
    many = [long("Another.", f"n{n}", 2) for n in range(10)]
    await memory.add_memory(memories=[long("A.", "m1", 4), long("B.", "m1/2", 3), *many], **WHO)
    await memory.add_memory(memories=[long("Shorter.", "m1", 2)], **WHO)
    others = [id for id in stored(client) if not id.startswith("ada/adk/notes/m1/") and id != "ada/adk/notes/m1"]
    assert stored(client) == sorted([*others, "ada/adk/notes/m1", "ada/adk/notes/m1/2"])
    assert len(others) == 3 + 20
    # Of two with one id the last stays; one that begins with nothing has no less of a first part.
    blank = MemoryEntry(id="m1/2", content=UserContent(" " * 10_000 + "Now."))
    short = [long("One.", f"n{n}", 1) for n in range(10)]
    await memory.add_memory(memories=[long("Long.", "m1", 5), long("Short.", "m1", 1), blank, *short], **WHO)
    assert stored(client) == sorted(["ada/adk/notes/m1", "ada/adk/notes/m1%2F2", *(f"ada/adk/notes/n{n}" for n in range(10))])
    assert "Now." in await texts(memory, "Now.")


async def test_memories_of_ones_own_have_their_time_and_metadata(memory: MemoryServiceMemory, client: MemoryClient) -> None:
    entries = [
        MemoryEntry(
            id="m1", content=UserContent("Ada likes green."), timestamp="2026-05-07T09:30:00Z", custom_metadata={"kind": "taste"}
        ),
        MemoryEntry(content=UserContent("Ada likes tea."), author="assistant", timestamp="some day"),
    ]
    await memory.add_memory(memories=entries, custom_metadata={"kind": "note", "from": "a form"}, **WHO)
    await memory.add_memory(memories=[entries[0].model_copy(update={"content": UserContent("Ada likes blue.")})], **WHO)
    found = {each.author: each for each in (await memory.search_memory(query="What does Ada like?", **WHO)).memories}
    assert len(found) == 2
    assert found[None].model_dump(exclude_none=True) == {
        "id": "m1",
        "content": {"role": "user", "parts": [{"text": "Ada likes blue."}]},
        "custom_metadata": {"kind": "taste"},
        "timestamp": "2026-05-07T09:30:00Z",
    }
    assert found["assistant"].custom_metadata == {"kind": "note", "from": "a form"}
    stored = {each["text"]: each for each in client.patterns.all(subject="ada")}
    assert stored["Ada likes blue."]["occurred_at"] == "2026-05-07T09:30:00.000Z"
    assert client.subjects.erase("ada")["erased"] == 2
    assert await texts(memory, "What does Ada like?") == []


class Scripted(BaseLlm):
    """A model that says what it was asked with."""

    model: str = "scripted"
    asked: list[str] = []

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        self.asked.append("\n".join(part.text or "" for each in llm_request.contents for part in each.parts or ()))
        yield LlmResponse(content=ModelContent("Noted."))


async def test_an_agent_knows_what_was_said_in_another_session(memory: MemoryServiceMemory) -> None:
    async def keep(callback_context: CallbackContext) -> None:
        await callback_context.add_session_to_memory()

    model = Scripted()
    agent = Agent(name="assistant", model=model, tools=[PreloadMemoryTool()], after_agent_callback=keep)
    runner = Runner(
        app_name="notes",
        agent=agent,
        session_service=InMemorySessionService(),
        memory_service=memory,
        auto_create_session=True,
    )
    for session_id, text in [("monday", "My cat is called Mia."), ("tuesday", "What is my cat called?")]:
        async for _ in runner.run_async(user_id="ada", session_id=session_id, new_message=UserContent(text)):
            pass
    first, second = model.asked
    assert "Mia" in first and "PAST_CONVERSATIONS" not in first
    assert "<PAST_CONVERSATIONS>" in second and "user: My cat is called Mia." in second
    await runner.close()
