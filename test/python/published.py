"""Tests that other projects publish beside their packages, to be run on something else."""

import importlib
import os
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest


def load_tests(project: str, module: str) -> ModuleType:
    """A module of the folder `tests` of the archive of a project's sources, which are unpacked already."""
    folder = os.path.join(os.environ["MEMORY_PUBLISHED_TESTS"], project)
    sys.path.insert(0, folder)
    try:
        return importlib.import_module(f"tests.{module}")
    finally:
        sys.path.remove(folder)
        # The other project's package has the same name.
        for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
            del sys.modules[name]


def published_in(module: ModuleType, unfit: Mapping[str, str]) -> dict[str, Any]:
    """
    Its tests, for a module that has fixtures of its own for them.

    `unfit` names those that are of something else than what is judged, and says why; they are skipped.
    """
    tests = {name: test for name, test in vars(module).items() if name.startswith(("test_", "Test"))}
    named = [name for test in tests.values() if isinstance(test, type) for name in vars(test)]
    assert {*tests, *named} >= unfit.keys(), "Not a test that is published"
    for test in [module, *(test for test in tests.values() if isinstance(test, type))]:
        for name in vars(test).keys() & unfit.keys():
            pytest.mark.skip(reason=unfit[name])(getattr(test, name))
    return tests
