"""The tests that OpenAI publishes of the Agents SDK's sessions in SQLite, run on sessions over the service."""

from typing import Any

import pytest
from memory_service import MemoryClient
from memory_service.integrations.openai_agents import MemoryServiceSession
from published import load_tests, published_in

sessions = load_tests("openai_agents", "memory.test_session")
limits = load_tests("openai_agents", "memory.test_session_limit")

SUITE = "OpenAI Agents SDK, tests of its session in SQLite"
PACKAGE = "openai-agents"


@pytest.fixture(autouse=True)
def in_its_place(monkeypatch: pytest.MonkeyPatch, client: MemoryClient, empty_space: None) -> None:
    class Session(MemoryServiceSession):
        def __init__(self, session_id: str, db_path: object = None, session_settings: Any = None) -> None:
            super().__init__(session_id, client, session_settings=session_settings)

        def close(self) -> None:
            pass

    monkeypatch.setattr(sessions, "SQLiteSession", Session)
    monkeypatch.setattr(limits, "SQLiteSession", Session)


own_parts = "It is of a function of that session."
own_connections = "It is of the connections of that session, or of its lock."
own_tables = "It writes into the tables of that session."

globals().update(published_in(limits, unfit={}))
globals().update(
    published_in(
        sessions,
        unfit={
            "test_await_mutation_cancellation_hides_later_failure_without_loop_error": own_parts,
            "test_sqlite_session_close_closes_worker_thread_connections": own_connections,
            "test_sqlite_session_reaps_connections_from_exited_worker_threads": own_connections,
            "test_sqlite_session_closes_retired_connections_before_the_next_allocation": own_connections,
            "test_sqlite_session_keeps_connections_of_live_worker_threads": own_connections,
            "test_sqlite_session_closed_rejects_empty_add_items": "What is closed is the client, by whoever made it.",
            "test_sqlite_session_pop_item_skips_corrupt_most_recent": own_tables,
            "test_sqlite_session_pop_item_returns_none_after_dropping_only_corrupt_rows": own_tables,
            "test_sqlite_session_get_items_limit_skips_corrupt_newest_rows": own_tables,
            "test_sqlite_session_get_items_session_settings_limit_skips_corrupt_rows": own_tables,
            "test_sqlite_session_file_lock_is_shared_across_instances": own_connections,
            "test_sqlite_session_failed_add_items_releases_write_lock": own_connections,
            "test_sqlite_session_failed_clear_session_rolls_back": own_tables,
            "test_sqlite_session_failed_pop_item_releases_write_lock": own_tables,
            "test_sqlite_session_rollback_failure_evicts_connection": own_connections,
            "test_sqlite_session_close_retries_quarantined_connection": own_connections,
            "test_sqlite_session_post_commit_cancellation_propagates_after_known_outcome": own_connections,
        },
    )
)
