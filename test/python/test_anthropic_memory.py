"""What Anthropic's tests of its memory tool leave out."""

import asyncio
import inspect
import json
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
from anthropic import Anthropic, DefaultHttpxClient
from anthropic.lib.tools import ToolError
from memory_service import AsyncMemoryClient, MemoryClient
from memory_service.integrations.anthropic import AsyncMemoryServiceMemoryTool, MemoryServiceMemoryTool

Call = Callable[..., Awaitable[str]]


@pytest.fixture(params=["at once", "asynchronously"])
def call(
    request: pytest.FixtureRequest, client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None
) -> Call:
    """Calls the tool as its runner does, with what a model has sent."""
    tools: dict[str | None, Any] = {}

    async def call(command: str, *, subject: str | None = None, **fields: Any) -> str:
        if subject not in tools:
            owner: dict[str, Any] = {} if subject is None else {"subject": subject}
            tools[subject] = (
                MemoryServiceMemoryTool(client, **owner)
                if request.param == "at once"
                else AsyncMemoryServiceMemoryTool(async_client, **owner)
            )
        result = tools[subject].call({"command": command, **fields})
        return await result if inspect.isawaitable(result) else result

    return call


async def shown(call: Call, path: str = "/memories", **fields: Any) -> list[str]:
    return (await call("view", path=path, **fields)).split("\n")[1:]


@pytest.mark.parametrize(
    "path",
    [
        "/memories/../secret",
        "/memories/a/../../secret",
        "/memories/..",
        "/memoriesx/a",
        "/memories../a",
        "memories/a",
        "../memories/a",
        "/etc/passwd",
        "",
        "/",
    ],
)
async def test_no_path_leads_out(call: Call, client: MemoryClient, path: str) -> None:
    client.text.store(text="A secret.", external_id="secret")
    client.text.store(text="A secret.", external_id=path or "nothing")
    for command, fields in {
        "view": {"path": path},
        "create": {"path": path, "file_text": "x"},
        "str_replace": {"path": path, "old_str": "secret", "new_str": "x"},
        "insert": {"path": path, "insert_line": 0, "insert_text": "x"},
        "delete": {"path": path},
        "rename": {"old_path": path, "new_path": "/memories/a"},
    }.items():
        with pytest.raises(ToolError, match="must start with /memories|would escape /memories directory"):
            await call(command, **fields)
    with pytest.raises(ToolError, match="must start with /memories|would escape /memories directory"):
        await call("rename", old_path="/memories/a", new_path=path)
    assert {each["text"] for each in client.patterns.all()} == {"A secret."}


async def test_a_change_keeps_what_others_put_into_the_metadata(call: Call, client: MemoryClient) -> None:
    await call("create", path="/memories/a.txt", file_text="x")
    (pattern,) = client.patterns.all()
    client.patterns.update(pattern["pattern_id"], metadata_patch={"label": "kept"})

    def metadata() -> Any:
        return client.patterns.get(pattern["pattern_id"])["metadata"]

    await call("str_replace", path="/memories/a.txt", old_str="x", new_str="y")
    await call("insert", path="/memories/a.txt", insert_line=0, insert_text="z")
    assert metadata() == {"label": "kept"}
    # A file without a letter or sign is kept in the metadata.
    await call("str_replace", path="/memories/a.txt", old_str="z\ny\n", new_str=" ")
    await call("rename", old_path="/memories/a.txt", new_path="/memories/b.txt")
    assert metadata() == {"label": "kept", "content": " "}
    await call("insert", path="/memories/b.txt", insert_line=1, insert_text="x")
    assert metadata() == {"label": "kept"}


async def test_a_detour_is_the_path_that_it_leads_to(call: Call) -> None:
    await call("create", path="/memories/a/./b/../c.txt", file_text="x")
    assert await shown(call) == ["1B\t/memories", "1B\t/memories/a/", "1B\t/memories/a/c.txt"]
    with pytest.raises(ToolError, match="already exists"):
        await call("create", path="/memories//a/c.txt", file_text="y")


@pytest.mark.parametrize("content", ["", " ", "\n", " \n\t\r\n", "\u200b", "\ufeff\u00ad\n", "a", "\na \r\n", "Zoë 🏠\u2028\n\n"])
async def test_contents_come_back_as_they_were(call: Call, client: MemoryClient, content: str) -> None:
    await call("create", path="/memories/a", file_text=content)
    said = await call("view", path="/memories/a")
    lines = said.split("\n")[1:]
    assert "\n".join(line.partition("\t")[2] for line in lines) == content
    size = len(content.encode())
    assert await shown(call) == [f"{size}B\t/memories", f"{size}B\t/memories/a"]
    await call("rename", old_path="/memories/a", new_path="/memories/b")
    assert await call("view", path="/memories/b") == said.replace("/memories/a", "/memories/b")
    await call("insert", path="/memories/b", insert_line=0, insert_text="first")
    await call("str_replace", path="/memories/b", old_str="first\n", new_str="")
    after = content if content == "" or content.endswith("\n") else f"{content}\n"
    assert await call("view", path="/memories/b") == "Here's the content of /memories/b with line numbers:\n" + "\n".join(
        f"{number:>6}\t{line}" for number, line in enumerate(after.split("\n"), 1)
    )


async def test_directories_are_two_levels_deep_by_name_without_what_is_hidden(call: Call) -> None:
    assert await shown(call) == ["0B\t/memories"]
    for path in ["b/c/d/deep.txt", "b/a.txt", "a.txt", ".hidden", "b/.git/config", "c10", "b.txt", "bb/x"]:
        await call("create", path=f"/memories/{path}", file_text="x" * 512)
    assert await shown(call) == [
        "4K\t/memories",
        "512B\t/memories/a.txt",
        "1.5K\t/memories/b/",
        "512B\t/memories/b/a.txt",
        "512B\t/memories/b/c/",
        "512B\t/memories/b.txt",
        "512B\t/memories/bb/",
        "512B\t/memories/bb/x",
        "512B\t/memories/c10",
    ]
    assert await shown(call, "/memories/b/c") == [
        "512B\t/memories/b/c",
        "512B\t/memories/b/c/d/",
        "512B\t/memories/b/c/d/deep.txt",
    ]
    with pytest.raises(ToolError, match="does not exist"):
        await call("view", path="/memories/nothing")


async def test_a_directory_is_renamed_and_deleted_with_what_is_in_it(call: Call) -> None:
    for path in ["old/a", "old/b/c", "older", "other"]:
        await call("create", path=f"/memories/{path}", file_text=path)
    with pytest.raises(ToolError, match="into itself"):
        await call("rename", old_path="/memories/old", new_path="/memories/old/b/d")
    with pytest.raises(ToolError, match="already exists"):
        await call("rename", old_path="/memories/old", new_path="/memories/other")
    await call("rename", old_path="/memories/old", new_path="/memories/new")
    with pytest.raises(ToolError, match="already exists"):
        await call("rename", old_path="/memories/other", new_path="/memories/new")
    assert (await call("view", path="/memories/new/b/c")).endswith("\told/b/c")
    assert await call("delete", path="/memories/new") == "Successfully deleted /memories/new"
    assert await shown(call) == ["10B\t/memories", "5B\t/memories/older", "5B\t/memories/other"]


async def test_a_file_is_no_directory_and_a_directory_no_file(call: Call) -> None:
    await call("create", path="/memories/a/b", file_text="x")
    with pytest.raises(ToolError, match="/memories/a already exists"):
        await call("create", path="/memories/a", file_text="x")
    for path in ("/memories/a/b/c", "/memories/a/b/c/d"):
        with pytest.raises(ToolError, match="/memories/a/b is a file"):
            await call("create", path=path, file_text="x")
        with pytest.raises(ToolError, match="into itself|/memories/a/b is a file"):
            await call("rename", old_path="/memories/a/b", new_path=path)
    for command, fields in [
        ("str_replace", {"old_str": "x", "new_str": "y"}),
        ("insert", {"insert_line": 0, "insert_text": "y"}),
    ]:
        for path in ("/memories", "/memories/a"):
            with pytest.raises(ToolError, match="is not a file"):
                await call(command, path=path, **fields)


async def test_what_is_too_long_is_refused_and_changes_nothing(call: Call, client: MemoryClient) -> None:
    with pytest.raises(ToolError, match="/memories/a would be too long: a file has 10000 characters at most"):
        await call("create", path="/memories/a", file_text="x" * 10_001)
    await call("create", path="/memories/a", file_text="x" * 10_000)
    with pytest.raises(ToolError, match="too long"):
        await call("insert", path="/memories/a", insert_line=0, insert_text="y")
    with pytest.raises(ToolError, match="too long"):
        await call("str_replace", path="/memories/a", old_str="x" * 10_000, new_str="y" * 10_001)
    long = "/memories/" + "b" * 250
    with pytest.raises(ToolError, match="The path /memories/b+ is too long"):
        await call("create", path=long, file_text="x")
    with pytest.raises(ToolError, match="The path /memories/b+ is too long"):
        await call("rename", old_path="/memories/a", new_path=long)
    assert [each["text"] for each in client.patterns.all()] == ["x" * 10_000]


@pytest.mark.parametrize("bad", ["a\0b", "half \ud83d of a character", "\udc00"])
async def test_what_no_text_can_hold_is_refused_and_changes_nothing(call: Call, client: MemoryClient, bad: str) -> None:
    await call("create", path="/memories/a", file_text="one")
    for name, command, fields in [
        ("file_text", "create", {"path": "/memories/b", "file_text": bad}),
        ("path", "create", {"path": f"/memories/{bad}/b", "file_text": "x"}),
        ("path", "view", {"path": f"/memories/{bad}"}),
        ("path", "view", {"path": bad}),
        ("old_str", "str_replace", {"path": "/memories/a", "old_str": bad, "new_str": "x"}),
        ("new_str", "str_replace", {"path": "/memories/a", "old_str": "one", "new_str": bad}),
        ("insert_text", "insert", {"path": "/memories/a", "insert_line": 0, "insert_text": bad}),
        ("path", "delete", {"path": f"/memories/{bad}"}),
        ("old_path", "rename", {"old_path": f"/memories/{bad}", "new_path": "/memories/b"}),
        ("new_path", "rename", {"old_path": "/memories/a", "new_path": f"/memories/{bad}"}),
    ]:
        with pytest.raises(ToolError, match=f"`{name}` can't be stored") as refused:
            await call(command, **fields)
        # The model is sent it.
        str(refused.value).encode()
    assert [(each["external_id"], each["text"]) for each in client.patterns.all()] == [("/memories/a", "one")]


async def test_a_command_without_a_field_or_with_a_wrong_one_is_refused_and_changes_nothing(
    call: Call, client: MemoryClient
) -> None:
    await call("create", path="/memories/a", file_text="one")
    for name, command, fields in [
        ("path", "view", {}),
        ("view_range", "view", {"path": "/memories/a", "view_range": ["first", "last"]}),
        ("file_text", "create", {"path": "/memories/b"}),
        ("file_text", "create", {"path": "/memories/b", "file_text": {"a": 1}}),
        ("new_str", "str_replace", {"path": "/memories/a", "old_str": "one"}),
        ("old_str", "str_replace", {"path": "/memories/a", "new_str": "two"}),
        ("insert_line", "insert", {"path": "/memories/a", "insert_line": "top", "insert_text": "zero"}),
        ("insert_text", "insert", {"path": "/memories/a", "insert_line": 0}),
        ("path", "delete", {}),
        ("new_path", "rename", {"old_path": "/memories/a"}),
    ]:
        with pytest.raises(ToolError, match=f"`{name}[`.].*Nothing was changed"):
            await call(command, **fields)
    assert [(each["external_id"], each["text"]) for each in client.patterns.all()] == [("/memories/a", "one")]


async def test_a_file_is_there_though_something_took_its_place(call: Call, client: MemoryClient) -> None:
    for name in ("a", "b"):
        await call("create", path=f"/memories/pets/{name}", file_text=f"{name}\n")
    client.text.store(text="Another.", supersedes="ext:/memories/pets/a")
    assert await shown(call, "/memories/pets") == ["4B\t/memories/pets", "2B\t/memories/pets/a", "2B\t/memories/pets/b"]
    await call("rename", old_path="/memories/pets", new_path="/memories/cats")
    assert await shown(call, "/memories/cats/a") == ["     1\ta", "     2\t"]
    with pytest.raises(ToolError, match="does not exist"):
        await call("view", path="/memories/pets")


async def test_each_user_has_files_of_its_own(call: Call, client: MemoryClient) -> None:
    users = [None, "ada", "ada/memories", "Зоя"]
    for user in users:
        await call("create", path="/memories/me", file_text=f"I am {user}.", subject=user)
    await call("str_replace", path="/memories/me", old_str="I am", new_str="You are", subject="ada")
    await call("delete", path="/memories/me", subject="ada/memories")
    assert [(await shown(call, "/memories/me", subject=user))[0][7:] for user in (None, "ada", "Зоя")] == [
        "I am None.",
        "You are ada.",
        "I am Зоя.",
    ]
    found = client.text.retrieve(query="Who am I?", subject="Зоя")["results"]
    assert [each["text"] for each in found] == ["I am Зоя."]


def test_changes_at_the_same_time_lose_nothing(client: MemoryClient, empty_space: None) -> None:
    tool = MemoryServiceMemoryTool(client)
    tool.call({"command": "create", "path": "/memories/log", "file_text": "first\n"})
    together = threading.Barrier(3)

    def insert(n: int) -> object:
        together.wait(30)
        return tool.call({"command": "insert", "path": "/memories/log", "insert_line": 0, "insert_text": f"line {n}"})

    with ThreadPoolExecutor(3) as threads:
        list(threads.map(insert, range(3)))
    [log] = client.patterns.get_many(external_ids=["/memories/log"])["patterns"]
    assert log is not None and sorted((log["text"] or "").split("\n")) == ["", "first", "line 0", "line 1", "line 2"]


async def test_of_those_who_create_a_file_at_once_one_does(async_client: AsyncMemoryClient, empty_space: None) -> None:
    tool = AsyncMemoryServiceMemoryTool(async_client)
    made = await asyncio.gather(
        *(tool.call({"command": "create", "path": "/memories/a", "file_text": f"{n}"}) for n in range(8)),
        return_exceptions=True,
    )
    assert sum(isinstance(each, str) for each in made) == 1
    assert {str(each) for each in made if not isinstance(each, str)} == {"File /memories/a already exists"}


async def test_all_is_cleared_and_nothing_else(client: MemoryClient, async_client: AsyncMemoryClient, empty_space: None) -> None:
    client.text.store(text="A text that is no file.")
    for tool in (MemoryServiceMemoryTool(client), MemoryServiceMemoryTool(client, subject="ada")):
        tool.call({"command": "create", "path": "/memories/a", "file_text": "x"})
    assert MemoryServiceMemoryTool(client).clear_all_memory() == "All memory cleared"
    assert client.patterns.count()["count"] == 2
    assert await AsyncMemoryServiceMemoryTool(async_client, subject="ada").clear_all_memory() == "All memory cleared"
    assert [each["text"] for each in client.patterns.all()] == ["A text that is no file."]


def test_a_model_uses_it_in_a_run_of_tools(client: MemoryClient, empty_space: None) -> None:
    calls = [
        {"command": "create", "path": "/memories/pets.md", "file_text": "- a cat"},
        {"command": "create", "path": "/memories/pets.md", "file_text": "- a dog"},
        {"command": "view", "path": "/memories/pets.md"},
    ]
    asked: list[Any] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        """A model that makes these calls, and then has nothing more to say."""
        asked.append(json.loads(request.content))
        call = calls[len(asked) - 1] if len(asked) <= len(calls) else None
        content: Any = {"type": "text", "text": "Noted."}
        if call is not None:
            content = {"type": "tool_use", "id": f"t{len(asked)}", "name": "memory", "input": call}
        message = {"id": "m", "type": "message", "role": "assistant", "model": "none", "content": [content]}
        usage = {"input_tokens": 1, "output_tokens": 1}
        stop = "end_turn" if call is None else "tool_use"
        return httpx2.Response(200, json={**message, "stop_reason": stop, "stop_sequence": None, "usage": usage})

    http = DefaultHttpxClient(transport=httpx2.MockTransport(answer))
    runner = Anthropic(api_key="none", http_client=http).beta.messages.tool_runner(
        model="none",
        max_tokens=100,
        messages=[{"role": "user", "content": "My cat is called Mia."}],
        tools=[MemoryServiceMemoryTool(client, subject="ada")],
    )
    assert runner.until_done().content[0].text == "Noted."
    assert asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    told = [each["messages"][-1]["content"][0] for each in asked[1:]]
    assert [(each["content"], each.get("is_error", False)) for each in told] == [
        ("File created successfully at: /memories/pets.md", False),
        ("File /memories/pets.md already exists", True),
        ("Here's the content of /memories/pets.md with line numbers:\n     1\t- a cat", False),
    ]
