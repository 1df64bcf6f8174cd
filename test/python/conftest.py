"""The service that is judged, as the environment names it, and what the published suites of tests come to."""

import json
import os
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from typing import Any

import pytest
from memory_service import AsyncMemoryClient, MemoryClient

# What a published test that fails compared with what is said like in any other.
pytest.register_assert_rewrite("tests")


@pytest.fixture(scope="session")
def client() -> Iterator[MemoryClient]:
    with MemoryClient() as client:
        yield client


@pytest.fixture
async def async_client() -> AsyncIterator[AsyncMemoryClient]:
    """Its connections are those of the test's event loop."""
    async with AsyncMemoryClient() as client:
        yield client


@pytest.fixture
def empty_space(client: MemoryClient) -> None:
    client.patterns.delete_all(confirm="all")


suites: dict[str, dict[str, Any]] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    """Counts the tests of modules that say of which `SUITE` they are, and of which `PACKAGE` that is."""
    report: Any = yield
    module: Any = getattr(item, "module", None)
    if hasattr(module, "SUITE"):
        new = {"suite": module.SUITE, "package": module.PACKAGE, "version": version(module.PACKAGE), "passed": 0, "skipped": []}
        suite = suites.setdefault(module.SUITE, new)
        if report.skipped:
            _, _, why = report.longrepr
            suite["skipped"].append({"test": item.nodeid.partition("::")[2], "why": why.removeprefix("Skipped: ")})
        suite["passed"] += report.when == "call" and report.passed
    return report


def pytest_sessionfinish() -> None:
    if file := os.environ.get("MEMORY_PUBLISHED_RESULTS"):
        with open(file, "w", encoding="utf-8") as results:
            json.dump(list(suites.values()), results)
