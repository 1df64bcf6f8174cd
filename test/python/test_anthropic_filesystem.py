"""The tests that Anthropic publishes of its memory tool for a local file system, run on the one over the service."""

from typing import Any

import pytest
from memory_service import AsyncMemoryClient, MemoryClient
from memory_service.integrations.anthropic import AsyncMemoryServiceMemoryTool, MemoryServiceMemoryTool
from published import load_tests, published_in

judges = load_tests("anthropic", "lib.tools.memory_tools.test_filesystem")

SUITE = "Anthropic, tests of the memory tool for a local file system"
PACKAGE = "anthropic"


class Files:
    """Where these tests look for files beside the tool: those of the space, as if they were in a folder."""

    def __init__(self, client: MemoryClient, path: str = "") -> None:
        self._client, self._path = client, path

    def __truediv__(self, name: str) -> "Files":
        return Files(self._client, f"{self._path}/{name}")

    def __str__(self) -> str:
        return "the folder that these tests think to be there"

    def is_dir(self) -> bool:
        return True

    def mkdir(self, parents: bool, exist_ok: bool) -> None:
        pass

    def write_bytes(self, content: bytes) -> None:
        self._client.text.store(text=content.decode(), external_id=f"/memories{self._path}")

    def read_bytes(self) -> bytes:
        return self.snapshot()[f"memories{self._path}"].encode()

    def snapshot(self) -> dict[str, str]:
        return {(each["external_id"] or "")[1:]: each["text"] or "" for each in self._client.patterns.all()}


class AsyncFiles(Files):
    async def is_dir(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def in_its_place(monkeypatch: pytest.MonkeyPatch, client: MemoryClient, empty_space: None) -> None:
    monkeypatch.setattr(judges, "get_directory_snapshot", lambda folder: Files(client).snapshot())
    monkeypatch.setattr(judges, "Path", lambda folder: Files(client))


def with_folder(tool: Any, files: Files) -> Any:
    tool.base_path = tool.memory_root = files
    return tool


@pytest.fixture
def sync_local_filesystem_tool(client: MemoryClient) -> MemoryServiceMemoryTool:
    return with_folder(MemoryServiceMemoryTool(client), Files(client))


@pytest.fixture
def async_local_filesystem_tool(client: MemoryClient, async_client: AsyncMemoryClient) -> AsyncMemoryServiceMemoryTool:
    return with_folder(AsyncMemoryServiceMemoryTool(async_client), AsyncFiles(client))


no_links = "It is of symbolic links, which the service has not."

globals().update(
    published_in(
        judges,
        unfit={
            "test_mkdir_parents_not_world_writable_under_permissive_umask": "It is of the modes of folders.",
            "test_view_error_for_files_with_too_many_lines": "A file has as many characters as a text at most, and so never so many lines.",
            "test_read_rejects_symlink_created_after_validation": no_links,
            "test_read_rejects_file_replaced_with_symlink_before_open": no_links,
            "test_view_rejects_directory_symlink_created_after_validation": no_links,
            "test_symlink_validation_reject_symlink_pointing_outside_memories": no_links,
            "test_view_lists_symlinks_only_when_they_stay_inside_memories": no_links,
            "test_symlink_validation_reject_creating_files_through_symlink_pointing_outside": no_links,
            "test_symlink_validation_reject_parent_directory_that_is_symlink_pointing_outside": no_links,
            "test_validate_path_returns_resolved_path_not_symlink_target": no_links,
        },
    )
)
