"""Anthropic: the memory tool, whose files are kept by the service. `pip install "memory-service-sdk[anthropic]"`."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaCacheControlEphemeralParam,
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)
from pydantic import BaseModel
from pydantic import ValidationError as InvalidFields

from .. import types as t
from .._client import AsyncMemoryClient, MemoryClient
from .._errors import ConflictError, NotFoundError, PreconditionFailedError, ValidationError
from .._generated.invisible import is_invisible
from .._given import OMIT, Omit
from ._clients import Clients, Owner, Steps, find, listed

__all__ = ["AsyncMemoryServiceMemoryTool", "MemoryServiceMemoryTool"]

Command = TypeVar("Command", bound=BaseModel)

_ROOT = "/memories"
_ATTEMPTS = 5
"""How often a change is made anew where somebody else changed the file meanwhile."""
_LINE_NUMBER_WIDTH = 6


class MemoryServiceMemoryTool(BetaAbstractMemoryTool):
    """
    The memory tool for `client.beta.messages.tool_runner`: a file is a text pattern, its path the pattern's own id
    (`external_id`). So what a model notes down is found by every search, and a file keeps its versions. It has what a text has
    at most; a directory is there while a file is in it.

    Args:
        client: One of the settings in the environment unless given.
        subject: The end user whose files these are. Without it they are the application's.
        cache_control: As the API takes it.
    """

    def __init__(
        self,
        client: MemoryClient | None = None,
        *,
        subject: str | Omit = OMIT,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._clients = Clients(client)
        self._files = _Files(Owner(subject))

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """What is in a file, line by line, or in a directory."""
        return self._clients.run(self._files.view(command))

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Makes a file that is not there yet."""
        return self._clients.run(self._files.create(command))

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replaces what is in a file once."""
        return self._clients.run(self._files.str_replace(command))

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Inserts lines into a file."""
        return self._clients.run(self._files.insert(command))

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Deletes a file, or a directory with all that is in it."""
        return self._clients.run(self._files.delete(command))

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Gives a file, or what is in a directory, another path."""
        return self._clients.run(self._files.rename(command))

    def clear_all_memory(self) -> str:
        """Deletes every file."""
        return self._clients.run(self._files.clear())


class AsyncMemoryServiceMemoryTool(BetaAsyncAbstractMemoryTool):
    """`MemoryServiceMemoryTool` for asyncio."""

    def __init__(
        self,
        client: AsyncMemoryClient | None = None,
        *,
        subject: str | Omit = OMIT,
        cache_control: BetaCacheControlEphemeralParam | None = None,
    ) -> None:
        super().__init__(cache_control=cache_control)
        self._clients = Clients(None, client or AsyncMemoryClient())
        self._files = _Files(Owner(subject))

    async def view(self, command: BetaMemoryTool20250818ViewCommand) -> str:
        """What is in a file, line by line, or in a directory."""
        return await self._clients.arun(self._files.view(command))

    async def create(self, command: BetaMemoryTool20250818CreateCommand) -> str:
        """Makes a file that is not there yet."""
        return await self._clients.arun(self._files.create(command))

    async def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> str:
        """Replaces what is in a file once."""
        return await self._clients.arun(self._files.str_replace(command))

    async def insert(self, command: BetaMemoryTool20250818InsertCommand) -> str:
        """Inserts lines into a file."""
        return await self._clients.arun(self._files.insert(command))

    async def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> str:
        """Deletes a file, or a directory with all that is in it."""
        return await self._clients.arun(self._files.delete(command))

    async def rename(self, command: BetaMemoryTool20250818RenameCommand) -> str:
        """Gives a file, or what is in a directory, another path."""
        return await self._clients.arun(self._files.rename(command))

    async def clear_all_memory(self) -> str:
        """Deletes every file."""
        return await self._clients.arun(self._files.clear())


class _Files:
    """
    The tool's commands in steps. What they answer, and raise as a `ToolError`, which the model reads, is worded as in the tool
    that Anthropic publishes for a local file system.
    """

    def __init__(self, owner: Owner) -> None:
        self._owner = owner

    def view(self, command: BetaMemoryTool20250818ViewCommand) -> Steps[str]:
        command = _checked_command(command)
        path = _checked(command.path)
        pattern = yield from self._file(path)
        if pattern is None:
            return (yield from self._view_directory(command.path, path))
        lines = _content_of(pattern).split("\n")
        first, last = 1, len(lines)
        if command.view_range and len(command.view_range) == 2:
            first = max(1, command.view_range[0])
            last = len(lines) if command.view_range[1] == -1 else command.view_range[1]
        return f"Here's the content of {command.path} with line numbers:\n" + _numbered(lines, first, last)

    def create(self, command: BetaMemoryTool20250818CreateCommand) -> Steps[str]:
        command = _checked_command(command)
        path = _checked(command.path)
        exists = ToolError(f"File {command.path} already exists")
        if path == _ROOT or (yield from self._below(path, 1)):
            raise exists
        yield from self._check_parents(path)
        own_id = self._owner.own_id(path)
        try:
            yield lambda memory: memory.text.store(
                **_fields_of(path, command.file_text), external_id=own_id, on_conflict="error", **self._owner.selector
            )
        except ConflictError:
            raise exists from None
        except ValidationError as error:
            raise _refused(error, command.path) from error
        return f"File created successfully at: {command.path}"

    def str_replace(self, command: BetaMemoryTool20250818StrReplaceCommand) -> Steps[str]:
        command = _checked_command(command)

        def replaced(content: str) -> str:
            places = _places_of(command.old_str, content)
            if not places:
                raise ToolError(
                    f"No replacement was performed, old_str `{command.old_str}` did not appear verbatim in {command.path}."
                )
            if len(places) > 1:
                lines = ", ".join(str(content.count("\n", 0, place) + 1) for place in places)
                raise ToolError(
                    f"No replacement was performed. Multiple occurrences of old_str `{command.old_str}` in lines: {lines}. "
                    "Please ensure it is unique"
                )
            return content.replace(command.old_str, command.new_str)

        before, after = yield from self._change(command.path, replaced)
        line = before.count("\n", 0, before.find(command.old_str)) + 1
        lines = after.split("\n")
        return "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" + _numbered(
            lines, max(1, line - 2), min(len(lines), line + 2)
        )

    def insert(self, command: BetaMemoryTool20250818InsertCommand) -> Steps[str]:
        command = _checked_command(command)

        def inserted(content: str) -> str:
            lines = content.split("\n")
            if lines[-1] == "":
                lines.pop()
            if not 0 <= command.insert_line <= len(lines):
                raise ToolError(
                    f"Invalid `insert_line` parameter: {command.insert_line}. It should be within the range [0, {len(lines)}]."
                )
            lines.insert(command.insert_line, command.insert_text.rstrip("\n"))
            return "\n".join([*lines, ""])

        yield from self._change(command.path, inserted)
        return f"The file {command.path} has been edited."

    def delete(self, command: BetaMemoryTool20250818DeleteCommand) -> Steps[str]:
        command = _checked_command(command)
        path = _checked(command.path)
        if path == _ROOT:
            raise ToolError("Cannot delete the /memories directory itself")
        own_id = self._owner.own_id(path)
        filter = {"$or": [{"$external_id": own_id}, {"$external_id": {"$startsWith": f"{own_id}/"}}]}
        answer: t.DeletePatternsResponse = yield lambda memory: memory.patterns.delete_many(filter=filter, **self._owner.selector)
        if answer["deleted"] == 0:
            raise ToolError(f"The path {command.path} does not exist")
        return f"Successfully deleted {command.path}"

    def rename(self, command: BetaMemoryTool20250818RenameCommand) -> Steps[str]:
        command = _checked_command(command)
        old, new = _checked(command.old_path), _checked(command.new_path)
        exists = ToolError(f"The destination {command.new_path} already exists")
        if old == _ROOT:
            raise ToolError("Cannot rename the /memories directory itself")
        if new == _ROOT or (yield from self._file(new)) or (yield from self._below(new, 1)):
            raise exists
        if f"{new}/".startswith(f"{old}/"):
            raise ToolError(f"Cannot rename {command.old_path} into itself")
        yield from self._check_parents(new)
        pattern = yield from self._file(old)
        patterns = yield from self._below(old) if pattern is None else _just(pattern)
        if not patterns:
            raise ToolError(f"The path {command.old_path} does not exist")
        for each in patterns:
            path = new + self._path_of(each)[len(old) :]
            own_id = self._owner.own_id(path)
            fields: dict[str, Any] = {} if _is_told(each) else _changes_of(path, _content_of(each))
            try:
                yield lambda memory: memory.patterns.update(each["pattern_id"], external_id=own_id, **fields)
            except ConflictError:
                raise exists from None
            except NotFoundError:
                raise ToolError(f"The path {command.old_path} does not exist") from None
            except ValidationError as error:
                raise _refused(error, path) from error
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def clear(self) -> Steps[str]:
        filter = {"$external_id": {"$startsWith": self._owner.own_id(f"{_ROOT}/")}}
        yield lambda memory: memory.patterns.delete_many(filter=filter, **self._owner.selector)
        return "All memory cleared"

    def _change(self, said: str, change: Callable[[str], str]) -> Steps[tuple[str, str]]:
        """Changes a file as it is then. Returns what it had before and has now."""
        path = _checked(said)
        for _ in range(_ATTEMPTS):
            pattern = yield from self._file(path)
            if pattern is None:
                if path == _ROOT or (yield from self._below(path, 1)):
                    raise ToolError(f"The path {said} is not a file.")
                raise ToolError(f"The path {said} does not exist. Please provide a valid path.")
            before = _content_of(pattern)
            after = change(before)
            fields = _changes_of(path, after)
            try:
                yield lambda memory: memory.patterns.update(pattern["pattern_id"], if_match=pattern["version"], **fields)
            except (PreconditionFailedError, NotFoundError):
                # It is another file now, or none.
                continue
            except ValidationError as error:
                raise _refused(error, said) from error
            return before, after
        raise ToolError(f"The file {said} is being changed by others all the time. Please try again.")

    def _view_directory(self, said: str, path: str) -> Steps[str]:
        patterns = yield from self._below(path)
        if not patterns and path != _ROOT:
            raise ToolError(f"The path {said} does not exist. Please provide a valid path.")
        tree = _Directory()
        for pattern in patterns:
            *names, name = self._path_of(pattern)[len(path) + 1 :].split("/")
            tree.add(names, name, len(_content_of(pattern).encode()))
        lines = [f"{_size(tree.size)}\t{said}", *(f"{_size(size)}\t{said}/{below}" for below, size in tree.shown(2))]
        header = f"Here're the files and directories up to 2 levels deep in {said}, excluding hidden items:"
        return "\n".join([header, *lines])

    def _file(self, path: str) -> Steps[t.Pattern | None]:
        patterns = yield from find([self._owner.own_id(path)])
        return patterns[0] if patterns else None

    def _below(self, path: str, most: int | None = None) -> Steps[list[t.Pattern]]:
        """The files in a directory, however deep."""
        filter = {"$external_id": {"$startsWith": f"{self._owner.own_id(path)}/"}}
        # A file is there though searches leave it out, since another pattern took its place: it is viewed, and deleted.
        return (yield from listed(most, filter=filter, include_superseded=True, **self._owner.selector))

    def _check_parents(self, path: str) -> Steps[None]:
        names = path.split("/")
        above = [self._owner.own_id("/".join(names[:end])) for end in range(3, len(names))]
        for pattern in (yield from find(above)):
            raise ToolError(f"The path {self._path_of(pattern)} is a file, not a directory")

    def _path_of(self, pattern: t.Pattern) -> str:
        return self._owner.name_of(pattern["external_id"]) or ""


class _Directory:
    """What is in a directory: the sizes of its files, and further directories."""

    def __init__(self) -> None:
        self.size = 0
        self._files: dict[str, int] = {}
        self._directories: dict[str, _Directory] = {}

    def add(self, names: Sequence[str], name: str, size: int) -> None:
        self.size += size
        if names:
            self._directories.setdefault(names[0], _Directory()).add(names[1:], name, size)
        else:
            self._files[name] = size

    def shown(self, levels: int, before: str = "") -> Iterator[tuple[str, int]]:
        """The paths in it, by name, of so many levels, with their sizes; without what is hidden."""
        for name in sorted(self._files.keys() | self._directories.keys()):
            if name.startswith("."):
                continue
            if name in self._files:
                yield before + name, self._files[name]
            if name in self._directories:
                directory = self._directories[name]
                yield f"{before}{name}/", directory.size
                if levels > 1:
                    yield from directory.shown(levels - 1, f"{before}{name}/")


def _checked_command(command: Command) -> Command:
    """
    A command whose fields are what they should be: what a model sent becomes one even where a field is missing, or is something
    else. Raises ToolError, also where a field has what no text of the service can hold: half of a character, as the JSON of a
    model may have, or NUL. An answer that quotes the half could not even be sent.
    """
    for name, value in command:
        if isinstance(value, str) and re.search(r"[\0\ud800-\udfff]", value):
            raise ToolError(
                f"`{name}` can't be stored: it has half of a character (a surrogate without the other), or the character NUL. "
                "Nothing was changed. Please write it without."
            )
    try:
        return type(command)(**dict(command))
    except InvalidFields as error:
        wrong = "; ".join(f"`{'.'.join(map(str, each['loc']))}`: {each['msg']}" for each in error.errors())
        raise ToolError(f"{wrong}. Nothing was changed. Please say every field of the command.") from error


def _checked(path: str) -> str:
    """A path without detours. Raises ToolError for one that leads out of the tool's directory."""
    if path != _ROOT and not path.startswith(f"{_ROOT}/"):
        raise ToolError(f"Path must start with {_ROOT}, got: {path}")
    short = posixpath.normpath(path)
    if short != _ROOT and not short.startswith(f"{_ROOT}/"):
        raise ToolError(f"Path {path} would escape {_ROOT} directory")
    return short


def _fields_of(path: str, content: str) -> dict[str, Any]:
    """
    A file as a text and its metadata. The service stores no text without a letter or sign: there the path takes its place, and
    what the file has is in the metadata.
    """
    if not is_invisible(content):
        return {"text": content, "metadata": {}}
    return {"text": path, "metadata": {"content": content}}


def _changes_of(path: str, content: str) -> dict[str, Any]:
    """The same for a file that is there, in whose metadata others may have put more."""
    fields = _fields_of(path, content)
    return {"text": fields["text"], "metadata_patch": {"content": fields["metadata"].get("content")}}


def _is_told(pattern: t.Pattern) -> bool:
    """Whether its text is what the file has."""
    return "content" not in (pattern["metadata"] or {})


def _content_of(pattern: t.Pattern) -> str:
    if _is_told(pattern):
        return pattern["text"] or ""
    return str((pattern["metadata"] or {})["content"])


def _places_of(wanted: str, content: str) -> list[int]:
    """Where it begins, each time."""
    places: list[int] = []
    place = content.find(wanted)
    while place != -1:
        places.append(place)
        # Where nothing is looked for, it is found at the end too, and nowhere behind that.
        place = content.find(wanted, place + 1)
    return places


def _refused(error: ValidationError, path: str) -> ToolError:
    """What the model can do about what the service does not take."""
    for issue in error.issues:
        most = issue.get("ctx", {}).get("max_length")
        if most is not None and issue["loc"][-1] == "text":
            return ToolError(
                f"The file {path} would be too long: a file has {most} characters at most. Nothing was changed. "
                "Please keep it shorter, or use several files."
            )
        if most is not None and issue["loc"][-1] == "external_id":
            return ToolError(f"The path {path} is too long. Please choose a shorter one.")
    return ToolError(f"The file {path} can't be stored: {error.detail}")


def _numbered(lines: Sequence[str], first: int, last: int) -> str:
    return "\n".join(
        f"{str(number).rjust(_LINE_NUMBER_WIDTH)}\t{line}" for number, line in enumerate(lines[first - 1 : last], first)
    )


def _size(count: int) -> str:
    """Bytes, as people read them: `1.5K`."""
    size, unit = float(count), "B"
    for larger in "KMG":
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return f"{int(size)}{unit}" if size == int(size) else f"{size:.1f}{unit}"


def _just(pattern: t.Pattern) -> Steps[list[t.Pattern]]:
    """No steps: what is known already."""
    yield from ()
    return [pattern]
