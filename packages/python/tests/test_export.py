from __future__ import annotations

import json
from typing import Any

import pytest

from memory_service import ExportedPage, NotFoundError, export_pages

from .conftest import NewBench
from .scripted import Handler, Received, Step, fails, ok

TIME = "2026-05-04T09:00:00.000Z"


def pattern(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "pattern_id": f"pat_{number}",
        "external_id": None,
        "subject": None,
        "text": f"Fact {number} – ça va?",
        "metadata": None,
        "protected": False,
        "asked_protected": None,
        "created_at": TIME,
        "occurred_at": TIME,
        "expires_at": None,
        "valid_from": TIME,
        "valid_to": None,
        "superseded_by": None,
        "version": 1,
        "tier": "hot",
        **fields,
    }


def by_path(**steps: Step) -> Step:
    """Answers each request by the end of its path."""

    def step(handler: Handler, received: Received) -> None:
        steps[received.path.split("?")[0].split("/")[-1]](handler, received)

    return step


def exported(bench: Any, **selection: Any) -> list[ExportedPage]:
    return bench.call(lambda client: export_pages(client, **selection))  # type: ignore[no-any-return]


def test_pages_have_a_line_for_each_text(new_bench: NewBench) -> None:
    first = [
        pattern(1),
        pattern(2, text=None),
        pattern(3, external_id="own", subject="ada", valid_from="2026-06-01T00:00:00.000Z", valid_to=TIME, superseded_by="pat_9"),
    ]
    bench, server = new_bench(ok({"patterns": first, "next_cursor": "c-2"}), ok({"patterns": [pattern(4)], "next_cursor": None}))
    pages = exported(bench, filter={"user": "ada"}, subject="ada", page_size=3)
    assert [(len(page.lines), page.left_out, page.cursor) for page in pages] == [(2, 1, "c-2"), (1, 0, None)]
    assert pages[0].lines[0] == (
        '{"text":"Fact 1 – ça va?","metadata":null,"occurred_at":"2026-05-04T09:00:00.000Z","expires_at":null,'
        '"pattern_id":"pat_1","asked_protected":null,"created_at":"2026-05-04T09:00:00.000Z","version":1}\n'
    )
    whole = json.loads(pages[0].lines[1])
    assert {name: whole[name] for name in ("external_id", "subject", "valid_from", "valid_to", "superseded_by")} == {
        "external_id": "own",
        "subject": "ada",
        "valid_from": "2026-06-01T00:00:00.000Z",
        "valid_to": TIME,
        "superseded_by": "pat_9",
    }
    asked = {"filter": {"user": "ada"}, "subject": "ada", "include_superseded": True, "limit": 3}
    assert [each.json for each in server.received] == [{**asked, "cursor": None}, {**asked, "cursor": "c-2"}]


def test_protection_is_told_where_somebody_said_it(new_bench: NewBench) -> None:
    said = pattern(1, protected=True, asked_protected=True)
    of_before = pattern(2)
    del of_before["asked_protected"]
    bench, _ = new_bench(ok({"patterns": [said, of_before, pattern(3, protected=True)], "next_cursor": None}))
    [page] = exported(bench)
    told = [{name: each for name, each in json.loads(line).items() if "protected" in name} for line in page.lines]
    assert told == [{"protected": True, "asked_protected": True}, {"protected": False}, {"asked_protected": None}]


def test_an_export_goes_on_after_a_page_with_the_options_of_its_calls(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({"patterns": [], "next_cursor": None}))
    heard: list[int] = []
    assert exported(bench, cursor="c-7", on_answer=lambda answer: heard.append(answer.status)) == [ExportedPage([], 0, None)]
    assert server.received[0].json == {"include_superseded": True, "cursor": "c-7", "limit": 200}
    assert heard == [200]


def test_a_changed_one_tells_what_it_was_before_unless_it_has_gone(new_bench: NewBench) -> None:
    page = ok({"patterns": [pattern(1, version=3)], "next_cursor": None})
    versions = [{"version": 4, "text": "later"}, {"version": 3, "text": "now"}, {"version": 2, "text": "then"}]
    bench, server = new_bench(by_path(search=page, history=ok({"versions": versions, "next_cursor": None})))
    [[line]] = [each.lines for each in exported(bench)]
    assert json.loads(line)["versions"] == [{"version": 2, "text": "then"}]
    assert server.received[1].path == "/v1/memory/patterns/pat_1/history?limit=50"
    bench, _ = new_bench(by_path(search=page, history=fails(404, "Pattern not found")))
    [[line]] = [each.lines for each in exported(bench)]
    assert "versions" not in json.loads(line)
    bench, _ = new_bench(by_path(search=fails(404, "Not found")))
    with pytest.raises(NotFoundError):
        exported(bench)


def test_whom_it_is_for_is_told_to_it_and_never_lost(new_bench: NewBench) -> None:
    bench, server = new_bench(ok({"patterns": [], "next_cursor": None}))
    with pytest.raises(TypeError, match="takes the client itself"):
        bench.call(lambda client: export_pages(client.for_subject("ada")))
    for lost in ({"subject": None}, {"filter": None}, {"filter": {"user": None}}):
        with pytest.raises(TypeError, match="is None"):
            exported(bench, **lost)
    assert server.received == []
