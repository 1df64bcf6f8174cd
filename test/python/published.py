"""Tests that other projects publish beside their packages, to be run on something else."""

import importlib
import os
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest


def load_tests(project: str) -> ModuleType:
    """The module `tests/test_store.py` of the archive of a project's sources, which are unpacked already."""
    folder = os.path.join(os.environ["MEMORY_PUBLISHED_TESTS"], project)
    sys.path.insert(0, folder)
    try:
        return importlib.import_module("tests.test_store")
    finally:
        sys.path.remove(folder)
        # The other project's package has the same name.
        for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
            del sys.modules[name]


def published_in(module: ModuleType, unfit: Mapping[str, str]) -> dict[str, Any]:
    """
    Its tests, for a module that has fixtures of its own for them.

    `unfit` names those that are of something else than a store's behaviour, and says why; they are skipped.
    """
    tests = {name: test for name, test in vars(module).items() if name.startswith("test_")}
    assert tests.keys() >= unfit.keys(), "Not a test that is published"
    for name, reason in unfit.items():
        tests[name] = pytest.mark.skip(reason=reason)(tests[name])
    return tests
