"""Against a service that runs, whose space it empties: MEMORY_TEST_URL and MEMORY_TEST_API_KEY name it."""

from __future__ import annotations

import asyncio
import json
import os
import uuid
from collections.abc import Iterator

import pytest

from memory_service import (
    NOBODY,
    AsyncMemoryClient,
    AuthenticationError,
    MemoryClient,
    NotFoundError,
    PermissionDeniedError,
    PreconditionFailedError,
    ValidationError,
    export_pages,
)

URL = os.environ.get("MEMORY_TEST_URL", "")
KEY = os.environ.get("MEMORY_TEST_API_KEY", "")

pytestmark = pytest.mark.skipif(URL == "", reason="no service is named")


@pytest.fixture
def client() -> Iterator[MemoryClient]:
    with MemoryClient(KEY, base_url=URL) as client:
        client.patterns.delete_all(confirm="all")
        yield client


def test_a_memory_is_stored_found_changed_and_forgotten(client: MemoryClient) -> None:
    stored = client.text.store(text="Ada moved to Lisbon in May.", metadata={"user": "ada"})
    assert stored["embedding_dim"] == 384
    found = client.text.retrieve(query="Où habite Ada ?", top_k=1)["results"]
    assert found[0]["text"] == "Ada moved to Lisbon in May."
    recalled = client.text.recall(query="Where did Ada move?", filter={"user": "ada"}, explain=True)
    assert recalled["results"][0]["pattern_id"] == stored["pattern_id"]
    changed = client.patterns.update(stored["pattern_id"], text="Ada moved to Porto.", if_match=1)
    assert changed["version"] == 2
    with pytest.raises(PreconditionFailedError) as raised:
        client.patterns.update(stored["pattern_id"], text="Ada moved to Faro.", if_match=1)
    assert raised.value.code == "version_mismatch"
    assert client.text.forget(filter={"user": "ada"})["forgotten"] == 1
    with pytest.raises(NotFoundError) as missing:
        client.patterns.get(stored["pattern_id"])
    assert missing.value.code == "pattern_not_found" and missing.value.request_id


def test_one_idempotency_key_stores_once(client: MemoryClient) -> None:
    key = uuid.uuid4().hex
    stored = [client.text.store(text="Ada has a cat.", idempotency_key=key)["pattern_id"] for _ in range(2)]
    assert stored[0] == stored[1]
    assert client.patterns.count()["count"] == 1


def test_long_lists_go_in_parts_and_come_back_page_by_page(client: MemoryClient) -> None:
    items = [{"text": f"Note {n}.", "external_id": f"note-{n}"} for n in range(120)]
    whole = client.text.batch_store(items=items)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    assert (whole["stored"], len(whole["pattern_ids"]), len(whole["created"])) == (120, 120, 120)
    texts = [each["text"] for each in client.patterns.all(limit=50)]
    assert sorted(text or "" for text in texts) == sorted(item["text"] for item in items)
    ids = [f"note-{n}" for n in range(120)] * 2
    many = client.patterns.get_many(external_ids=ids)["patterns"]
    assert [each and each["external_id"] for each in many] == ids


def test_end_users_are_kept_apart(client: MemoryClient) -> None:
    ada, zoe = client.for_subject("ada"), client.for_subject("Зоя")
    ada.text.store(text="I live in Lisbon.")
    zoe.text.store(text="I live in Oslo.")
    client.text.store(text="I live nowhere.", subject=NOBODY)
    for user, text in ((ada, "I live in Lisbon."), (zoe, "I live in Oslo.")):
        assert [each["text"] for each in user.text.recall(query="Where do I live?")["results"]] == [text]
        assert [each["text"] for each in user.patterns.all()] == [text]
    assert len(client.text.retrieve(query="Where do I live?", subject=NOBODY)["results"]) == 1
    assert [each["text"] for each in client.patterns.list(subject=NOBODY)["patterns"]] == ["I live nowhere."]
    some = [each["text"] for each in client.patterns.all(subject=["ada", "Зоя"], filter={"$text": {"$contains": "oslo"}})]
    assert some == ["I live in Oslo."]
    assert client.patterns.map(subject=NOBODY)["total"] == 1
    assert [each["subject"] for each in client.subjects.all()] == ["ada", "Зоя"]
    assert b"Oslo" in zoe.subjects.export("Зоя")
    assert ada.patterns.delete_many(filter={"$text": {"$contains": "lisbon"}})["deleted"] == 1
    zoe.subjects.erase("Зоя")
    assert client.patterns.count()["count"] == 1


def test_what_is_wrong_is_told_by_its_kind(client: MemoryClient) -> None:
    with pytest.raises(ValidationError) as raised:
        client.text.recall(query="Where is Ada?", top_k=51)
    assert [issue["loc"] for issue in raised.value.issues] == [["body", "top_k"]]
    with pytest.raises(PermissionDeniedError) as denied:
        client.users.me()
    assert denied.value.code == "user_token_required"
    with MemoryClient("mem_test_unknown", base_url=URL) as stranger, pytest.raises(AuthenticationError) as unknown:
        stranger.text.stats()
    assert unknown.value.code == "invalid_api_key"


def test_a_user_signs_up_goes_on_with_new_tokens_and_signs_out() -> None:
    email = f"{uuid.uuid4().hex}@example.com"
    with MemoryClient(base_url=URL, on_tokens=lambda _: None) as user:
        user.auth.register(email=email, password="an analytical engine")
        assert user.users.me()["email"] == email
        before = user.tokens
        with MemoryClient(base_url=URL, refresh_token=before.refresh_token) as later:
            assert later.users.me()["email"] == email
            assert later.tokens.refresh_token not in (None, before.refresh_token)
            later.auth.logout()
            assert later.tokens.access_token is None


async def test_many_tasks_store_and_search_at_once(client: MemoryClient) -> None:
    async with AsyncMemoryClient(KEY, base_url=URL) as memory:
        await asyncio.gather(*(memory.text.store(text=f"Fact number {n}.") for n in range(20)))
        answers = await asyncio.gather(*(memory.text.retrieve(query=f"fact number {n}", top_k=20) for n in range(20)))
        assert all(len(answer["results"]) == 20 for answer in answers)
        assert len([each async for each in memory.patterns.all(limit=7)]) == 20


async def test_a_context_is_told_again_only_where_it_has_changed(client: MemoryClient) -> None:
    client.text.store(text="Never book a seat at the window.", protected=True)
    etag = client.text.context()["etag"]
    assert client.text.context(if_none_match=etag) is None
    async with AsyncMemoryClient(KEY, base_url=URL) as memory:
        assert await memory.text.context(if_none_match=etag) is None
        client.text.store(text="Book a seat at the aisle.", protected=True)
        changed = await memory.text.context(if_none_match=etag)
    assert changed is not None and changed["lines"]["standing"] == 2 and changed["etag"] != etag


async def test_everything_is_exported_with_what_it_was_before(client: MemoryClient) -> None:
    client.text.batch_store(items=[{"text": f"Note {n}.", "subject": "ada"} for n in range(5)])
    stored = client.text.store(text="Ada moved to Lisbon – in May.", metadata={"n": 1.5})["pattern_id"]
    client.patterns.update(stored, text="Ada moved to Porto.", if_match=1)
    client.vectors.store(key=[0.5] * 384, value=[1])
    pages = [*export_pages(client, page_size=3)]
    lines = [json.loads(line) for page in pages for line in page.lines]
    assert (len(lines), sum(page.left_out for page in pages), pages[-1].cursor) == (6, 1, None)
    [changed] = [line for line in lines if line["pattern_id"] == stored]
    assert (changed["text"], changed["version"]) == ("Ada moved to Porto.", 2)
    assert [each["text"] for each in changed["versions"]] == ["Ada moved to Lisbon – in May."]
    assert [line for page in export_pages(client, cursor=pages[0].cursor) for line in page.lines] == [
        line for page in pages[1:] for line in page.lines
    ]
    async with AsyncMemoryClient(KEY, base_url=URL) as memory:
        assert [page async for page in export_pages(memory, page_size=3)] == pages
        assert len([line async for page in export_pages(memory, subject="ada") for line in page.lines]) == 5
