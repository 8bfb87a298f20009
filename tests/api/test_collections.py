"""Collections at the doors: listed, dropped, and checked one at a time."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.cli import run
from api.http import create_app
from causetrail import Causetrail

NOTE = "The valve jammed. As a result, the tank overflowed."


@pytest.fixture
def two(own_flood: Causetrail) -> Causetrail:
    """The flood documents in `main`, and a note in `notes`."""
    own_flood.within("notes").ingest_text(NOTE, "note.txt")
    return own_flood


def command(trail: Causetrail, capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = run(["--store", trail.settings.store, *arguments])
    told = capsys.readouterr()
    return status, told.out, told.err


def names(trail: Causetrail) -> list[str]:
    return [one.name for one in trail.collections()]


def test_collections_are_listed(two: Causetrail, capsys: pytest.CaptureFixture[str]) -> None:
    two.within("notes").reject_claim(two.within("notes").claims()[0].id)
    status, out, err = command(two, capsys, "collections")
    assert (status, err) == (0, "")
    assert out.splitlines() == ["main  8 documents, 17 events", "notes  1 document, 2 events, 1 decision"]
    _, out, _ = command(two, capsys, "collections", "--json")
    assert json.loads(out.splitlines()[1]) == {"name": "notes", "documents": 1, "events": 2, "decisions": 1}


def test_a_collection_is_dropped_with_what_is_kept_beside_the_store(
    two: Causetrail, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    two.within("notes").ask("Why did the tank overflow?")
    two.cypher("MATCH (d:Document) RETURN d.id")
    kept = tmp_path / "trail.db-seeds" / "notes"
    assert kept.is_dir()
    assert "overflow" in two.within("notes").ask("Why did the tank overflow?").text
    assert command(two, capsys, "collections", "drop", "notes", "--yes") == (0, "dropped notes\n", "")
    assert (names(two), kept.exists()) == (["main"], False)
    assert two.within("notes").ask("Why did the tank overflow?").verdict == "insufficient"
    two.within("notes").ingest_text("The pump failed because the valve jammed.", "note.txt")
    assert "pump" in two.within("notes").ask("Why did the pump fail?").text
    assert len(two.cypher("MATCH (d:Document) RETURN d.id").rows) == 9


@pytest.mark.parametrize(("answer", "left"), [("n", ["main", "notes"]), ("y", ["main"])])
def test_a_person_is_asked_first(
    two: Causetrail, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, answer: str, left: list[str]
) -> None:
    terminal = io.StringIO(f"{answer}\n")
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", terminal)
    status, out, err = command(two, capsys, "collections", "drop", "notes")
    assert status == 0
    assert "Drop notes  1 document, 2 events?" in err
    assert out.strip() == ("dropped notes" if answer == "y" else "")
    assert names(two) == left


def test_where_nobody_can_be_asked_nothing_is_dropped(two: Causetrail, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = command(two, capsys, "collections", "drop", "notes")
    assert (status, names(two)) == (2, ["main", "notes"])
    assert err.startswith("CT-C003: --yes cannot be left out")


@pytest.mark.parametrize("more", [(), ("--yes",)])
def test_a_collection_that_is_not_there_is_not_dropped(
    two: Causetrail, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    status, _, err = command(two, capsys, "collections", "drop", "absent", *more)
    assert (status, err.split(":")[0]) == (4, "CT-S027")


def test_http_lists_and_drops(two: Causetrail) -> None:
    with TestClient(create_app(two), base_url="http://127.0.0.1:8017") as client:
        assert client.get("/v1/collections").json() == [
            {"name": "main", "documents": 8, "events": 17, "decisions": 0},
            {"name": "notes", "documents": 1, "events": 2, "decisions": 0},
        ]
        assert client.delete("/v1/collections/notes").status_code == 204
        assert client.delete("/v1/collections/notes").json()["code"] == "CT-S027"
        assert [one["name"] for one in client.get("/v1/collections").json()] == ["main"]


def test_verify_checks_the_collection_that_is_named(two: Causetrail, capsys: pytest.CaptureFixture[str]) -> None:
    _, all_of_them, _ = command(two, capsys, "verify")
    assert "of all collections" in all_of_them
    status, out, _ = command(two, capsys, "verify", "--collection", "notes", "--json")
    report = json.loads(out)
    assert (status, report["collection"], report["checked"]["document"]) == (0, "notes", 1)
    _, told, _ = command(two, capsys, "verify", "--collection", "notes")
    assert "of the collection notes" in told
    status, _, err = command(two, capsys, "verify", "--collection", "absent")
    assert (status, err.split(":")[0]) == (4, "CT-S027")
