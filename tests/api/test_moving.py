from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from api.cli import run


@pytest.fixture
def folder(flood_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with the flood documents' store, `trail.db`."""
    shutil.copy(flood_folder / "trail.db", tmp_path / "trail.db")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def exported(store: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert run(["export", "--store", store]) == 0
    return capsys.readouterr().out


def test_a_store_is_copied_and_the_proof_is_shown(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["copy", "sqlite:///trail.db", "sqlite:///copy.db"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("main: 8 documents (8 copied, 0 replaced, 0 there before)")
    assert run(["copy", "sqlite:///trail.db", "sqlite:///copy.db", "--collection", "all", "--json"]) == 0
    (done,) = json.loads(capsys.readouterr().out)["collections"]
    assert (done["copied"], done["present"]) == (0, 8)
    assert done["source"] == done["target"]
    assert done["target"]["export_sha256"] in told
    assert exported("sqlite:///copy.db", capsys) == exported("sqlite:///trail.db", capsys)


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["sqlite:///absent.db", "sqlite:///copy.db"], 4, "CT-S011"),
        (["sqlite:///trail.db", "sqlite:///trail.db"], 2, "CT-C003"),
        (["sqlite:///trail.db", "sqlite:///copy.db", "--collection", "absent"], 2, "CT-C003"),
        (["sqlite:///trail.db", "copy.db"], 2, "CT-S007"),
        (["sqlite:///trail.db", "neo4j://127.0.0.1:1"], 5, "CT-S013"),
        (["sqlite:///trail.db"], 2, ""),
    ],
)
def test_a_copy_that_cannot_be_made_is_told(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    status: int,
    code: str,
) -> None:
    monkeypatch.setenv("CAUSETRAIL_STORE_WAIT_SECONDS", "0")
    assert run(["copy", *arguments]) == status
    assert code in capsys.readouterr().err


def test_a_copy_into_another_store_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "note.txt").write_text("The pump failed because the valve was stuck.")
    assert run(["ingest", "note.txt", "--store", "sqlite:///other.db"]) == 0
    capsys.readouterr()
    before = exported("sqlite:///other.db", capsys)
    assert run(["copy", "sqlite:///trail.db", "sqlite:///other.db"]) == 2
    assert "CT-S024" in capsys.readouterr().err
    assert exported("sqlite:///other.db", capsys) == before


def test_an_examination_is_told_line_by_line_and_ends_with_its_status(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "--store", "sqlite:///trail.db"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("ok       file")
    assert run(["doctor", "sqlite:///absent.db"]) == 5
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("failure  file")
    assert lines[1].strip().startswith("Create one with")
    assert run(["doctor", "sqlite:///absent.db", "--json"]) == 5
    report = json.loads(capsys.readouterr().out)
    assert (report["healthy"], report["findings"][0]["state"]) == (False, "failure")


def test_an_examination_shows_no_password(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CAUSETRAIL_NEO4J_PASSWORD", "quite secret")
    monkeypatch.setenv("CAUSETRAIL_STORE_WAIT_SECONDS", "0")
    named = "neo4j:quite secret@127.0.0.1"
    for address in ("neo4j://127.0.0.1:1", f"neo4j://{named}", f"neo4j://{named}:[", f"neo5j://{named}", named):
        assert run(["doctor", address]) == 5
        assert run(["doctor", address, "--json"]) == 5
        assert run(["copy", "sqlite:///trail.db", address]) > 0
        assert run(["copy", address, "sqlite:///copy.db"]) > 0
        told = capsys.readouterr()
        assert "quite secret" not in told.out + told.err
