"""The service that is judged, as the environment names it."""

import os

import pytest
from adapters.service import Service

# What a published test that fails compared with what is said like in any other.
pytest.register_assert_rewrite("tests.test_store")


@pytest.fixture(scope="session")
def service() -> Service:
    return Service(os.environ["MEMORY_URL"], os.environ["MEMORY_API_KEY"])


@pytest.fixture
def empty_service(service: Service) -> Service:
    service.empty()
    return service
