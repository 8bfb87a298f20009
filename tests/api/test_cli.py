"""The command line door, in the process: what it prints, and how it ends."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path

import pytest

from api.cli import run
from causetrail import Causetrail, __version__
from causetrail.errors import CausetrailError, ModelDamaged, StoreLocked

WHY = "Why did the council close the footbridge?"


class Door:
    """Runs commands on one store."""

    def __init__(self, store: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.store = store
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        """Exit status, standard output, standard error."""
        status = run(["--store", self.store, *arguments])
        told = self._capsys.readouterr()
        return status, told.out, told.err

    def records(self, *arguments: str) -> list[dict[str, object]]:
        """The records of a command that succeeds."""
        status, out, err = self(*arguments, "--json")
        assert (status, err) == (0, "")
        return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def door(flood_folder: Path, capsys: pytest.CaptureFixture[str]) -> Door:
    """Over the flood documents; only for reading."""
    return Door(f"sqlite:///{flood_folder}/trail.db", capsys)


@pytest.fixture
def own(own_flood: Causetrail, capsys: pytest.CaptureFixture[str]) -> Door:
    """Over a copy of the flood documents, for writing."""
    return Door(own_flood.settings.store, capsys)


@pytest.fixture
def empty(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Door:
    """Over a store that does not exist, in a working directory of its own."""
    monkeypatch.chdir(tmp_path)
    return Door(f"sqlite:///{tmp_path}/trail.db", capsys)


def test_an_answer_for_people_shows_verdict_quotes_and_places(door: Door) -> None:
    status, out, err = door("ask", WHY)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert "supported" in lines[0]
    assert lines[1].startswith("  1  flood/")
    assert "md:" in lines[1]
    assert sum(line.startswith(f"  {n}  ") for n, line in enumerate(lines)) >= 3
    assert "\x1b" not in out


def test_what_is_denied_is_marked(door: Door) -> None:
    status, out, _ = door("ask", "Did snow melt cause the rise of the River Teller?")
    assert status == 0
    assert "contradicted" in out.splitlines()[0]
    assert "against: " in out


def test_what_is_missing_is_an_answer(door: Door) -> None:
    status, out, err = door("ask", "Why was the primary school evacuated?")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("The documents do not answer this.   insufficient")
    missing = lines[-1].removeprefix("  missing: ")
    assert missing != lines[-1]
    assert out.count(missing) == 1


def test_json_is_the_record_of_the_facade(door: Door, flood: Causetrail) -> None:
    record = door.records("ask", WHY)[0]
    record.pop("usage")
    assert record == flood.ask(WHY).model_dump(mode="json", exclude={"usage"})


def test_a_trace_shows_every_step(door: Door) -> None:
    plain, traced = door("ask", WHY)[1], door("ask", WHY, "--trace")[1]
    assert traced.startswith(plain)
    for step in ("seeds", "expand", "chains", "draft", "arbitrate"):
        assert re.search(rf"\n\n  \d+\. {step}  \w", traced)


def test_why_effects_and_chain_answer(door: Door) -> None:
    assert "supported" in door("why", "the council closed the footbridge")[1]
    assert "supported" in door("effects", "the release of water from the Arlen dam")[1]
    assert "supported" in door("chain", "the release of water from the Arlen dam", "the footbridge was closed")[1]


def test_a_question_comes_from_standard_input(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(WHY.encode() + b"\n")))
    assert door.records("ask", "-")[0]["question"] == WHY


def test_a_question_that_is_no_text_is_refused(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Why \xff\xfe?")))
    status, out, err = door("ask", "-")
    assert (status, out) == (2, "")
    assert err.startswith("CT-Q003: ")


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (("ask", ""), 2, "CT-Q001"),
        (("ask", "x" * 1_000_000), 2, "CT-Q002"),
        (("ask", WHY, "--strategy", "guess"), 2, "CT-C003"),
        (("export", "--format", "docx"), 2, "CT-C003"),
        (("export", "--output", "/nowhere/at/all.jsonl"), 2, "CT-C003"),
        (("ask", WHY, "--collection", "a/b"), 2, "CT-C002"),
        (("show", "document", "nowhere.md"), 4, "CT-D014"),
        (("show", "event", "e" + "0" * 24), 4, "CT-S008"),
        (("show", "claim", "c" + "0" * 24), 4, "CT-S008"),
        (("delete", "nowhere.md"), 4, "CT-D014"),
        (("--store", "trail.db", "show", "stats"), 2, "CT-S007"),
        (("claims", "reject", "c" + "0" * 24), 4, "CT-S008"),
        (("claims", "list", "--event", "nonsense"), 4, "CT-S008"),
        (("events", ""), 2, "CT-Q001"),
        (("events", "x" * 3_000), 2, "CT-Q002"),
        (("serve", "--host", "0.0.0.0"), 2, "CT-A001"),
    ],
)
def test_errors_are_two_lines_and_a_status(door: Door, arguments: tuple[str, ...], status: int, code: str) -> None:
    told = door(*arguments)
    assert told[:2] == (status, "")
    lines = told[2].splitlines()
    assert len(lines) == 2
    assert lines[0].startswith(f"{code}: ")
    assert lines[1].startswith("  ")


@pytest.mark.parametrize("command", [("ask", WHY), ("events",), ("show", "stats"), ("verify",), ("delete", "a.md")])
def test_reading_makes_no_store(empty: Door, tmp_path: Path, command: tuple[str, ...]) -> None:
    status, _, err = empty(*command)
    assert status == 4
    assert err.startswith("CT-S011: ")
    assert "causetrail ingest FOLDER --store sqlite:///" in err
    assert list(tmp_path.iterdir()) == []


def test_wrong_usage_ends_with_two(door: Door) -> None:
    for arguments in (("ask",), ("guess",), ("ask", WHY, "--guess"), ("events", "--limit", "0")):
        status, out, err = door(*arguments)
        assert (status, out) == (2, "")
        assert "Usage: " in err


@pytest.mark.parametrize("error", [StoreLocked(path="trail.db", seconds=1), ModelDamaged(file="a.onnx")])
def test_the_status_is_that_of_the_error(door: Door, monkeypatch: pytest.MonkeyPatch, error: CausetrailError) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Causetrail, "counts", fail)
    status, _, err = door("show", "stats")
    assert status == error.exit_code
    assert err == f"{error.code}: {error.message}\n  {error.fix}\n"


def test_an_unexpected_error_tells_no_more_than_its_kind(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("words of a library")

    monkeypatch.setattr(Causetrail, "counts", fail)
    status, out, err = door("show", "stats")
    assert (status, out) == (1, "")
    assert err.startswith("CT-X000: ")
    assert "ZeroDivisionError" in err
    assert "words of a library" not in err
    with pytest.raises(ZeroDivisionError):
        door("show", "stats", "--debug")


def test_an_interrupt_ends_with_130(door: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Causetrail, "counts", interrupt)
    assert door("show", "stats")[0] == 130


def test_version_and_help_are_told(door: Door) -> None:
    assert door("--version")[:2] == (0, f"causetrail {__version__}\n")
    assert door("--help")[0] == 0
    assert "Exit status: 0 done" in door("--help")[1]


def test_documents_go_in_once(own: Door, tmp_path: Path) -> None:
    status, out, err = own("ingest", str(tmp_path / "flood"))
    assert (status, err) == (0, "")
    assert "Documents: 8 unchanged" in out


def test_bad_documents_are_told_and_the_others_go_in(empty: Door, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("The valve stuck. As a result, the tank overflowed on 3 May 2021.")
    (tmp_path / "empty.txt").write_text("")
    status, out, err = empty("ingest", "good.txt", "empty.txt", "nowhere.txt")
    assert status == 3
    assert "1 added, 2 failed" in out
    assert sorted(line[:7] for line in err.splitlines() if line.startswith("CT-")) == ["CT-D001", "CT-D015"]
    assert "supported" in empty("ask", "Why did the tank overflow?")[1]


def test_a_document_comes_from_standard_input(empty: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"The valve stuck. It was old.")))
    assert empty("ingest", "-", "--name", "valve.txt", "--published", "2021-05-04")[0] == 0
    document = empty.records("show", "documents")[0]
    assert (document["sources"], document["published"]) == (["valve.txt"], "2021-05-04T00:00:00Z")
    assert empty("show", "document", "valve.txt", "--text")[1] == "The valve stuck. It was old."
    assert empty("delete", "valve.txt")[:2] == (0, "deleted valve.txt\n")
    assert empty.records("show", "documents") == []


def test_standard_input_needs_no_name(empty: Door, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"The valve stuck.")))
    assert empty("ingest", "-")[0] == 0
    assert empty.records("show", "documents")[0]["sources"] == ["stdin.txt"]


def test_standard_input_is_not_mixed_with_files(empty: Door) -> None:
    status, _, err = empty("ingest", "-", "a.txt")
    assert status == 2
    assert err.startswith("CT-C003: ")


def test_rows_are_shown_for_people_and_programs(door: Door) -> None:
    for command, kind in (
        (("events",), "e"),
        (("events", "closing of the footbridge"), "e"),
        (("claims", "list"), "c"),
        (("show", "documents"), "d"),
    ):
        lines = door(*command)[1].splitlines()
        records = door.records(*command)
        assert lines
        assert [line.split()[0] for line in lines] == [record["id"] for record in records]
        assert {str(record["id"])[0] for record in records} == {kind}


def test_single_things_are_shown(door: Door) -> None:
    event = door.records("events", "--limit", "1")[0]
    claim = door.records("claims", "list", "--limit", "1")[0]
    assert door.records("show", "event", str(event["id"])) == [event]
    assert door.records("show", "claim", str(claim["id"])) == [claim]
    shown = door("show", "event", str(event["id"]))[1]
    assert str(event["description"]) in shown
    assert "  m" in shown
    assert str(claim["cue"]) in door("show", "claim", str(claim["id"]))[1]
    assert door("show", "document", "flood/8-school.txt")[1].splitlines()[2].split(None, 1) == [
        "sources",
        "flood/8-school.txt",
    ]
    assert door.records("show", "stats")[0]["documents"] == 8
    assert "documents" in door("show", "stats")[1]


def test_claims_are_filtered_and_rejected_and_the_decision_undone(own: Door) -> None:
    denied = own.records("claims", "list", "--polarity", "negated")
    assert {claim["polarity"] for claim in denied} == {"negated"}
    claim = str(own.records("claims", "list", "--relation", "CAUSES", "--limit", "1")[0]["id"])
    decision = own.records("claims", "reject", claim, "--reason", "a test", "--by", "tester")[0]
    assert (decision["subject"], decision["reason"], decision["by"]) == ([claim], "a test", "tester")
    assert own.records("decisions", "list") == [decision]
    assert f"tester: reject_claim {claim}  a test" in own("decisions", "list")[1]
    assert own.records("decisions", "undo", str(decision["id"]))[0]["undone"] is True
    assert "undone" in own("decisions", "list")[1]


def test_merges_are_listed_made_and_split(own: Door) -> None:
    merge = own.records("merges", "list")[0]
    assert merge["reasons"]
    mentions = [str(mention) for mention in merge["mentions"]]  # type: ignore[attr-defined]
    printed = own("merges", "list")[1]
    for mention, words in zip(mentions, merge["words"], strict=True):  # type: ignore[call-overload]
        assert any(mention in line and line.endswith(f'"{words}"') for line in printed.splitlines())
    split = own.records("merges", "split", *mentions[:2])[0]
    assert (split["kind"], split["subject"]) == ("split", sorted(mentions[:2]))
    held = [found["mentions"] for found in own.records("merges", "list")]
    assert not any(set(mentions[:2]) <= set(found) for found in held)  # type: ignore[call-overload]
    own("decisions", "undo", str(split["id"]))
    assert own.records("merges", "list")[0] == merge
    assert len(own.records("merges", "list", "--across-documents")) <= len(own.records("merges", "list"))


def test_verify_tells_what_is_whole_and_what_is_not(own: Door, own_flood: Causetrail, tmp_path: Path) -> None:
    status, out, _ = own("verify")
    assert status == 0
    assert "100.00% exact" in out
    assert own.records("verify")[0]["faults"] == []
    own_flood.close()
    content = bytearray((tmp_path / "trail.db").read_bytes())
    place = content.index(b"footbridge")
    content[place] = ord("F")
    (tmp_path / "trail.db").write_bytes(content)
    status, out, _ = own("verify")
    assert status == 8
    assert "damaged" in out


@pytest.mark.parametrize("form", ["jsonl", "graphml", "cypher"])
def test_an_export_is_the_same_in_a_file(door: Door, tmp_path: Path, form: str) -> None:
    target = tmp_path / "trail"
    printed = door("export", "--format", form)[1]
    assert door("export", "--format", form, "--output", str(target))[:2] == (0, "")
    assert target.read_text(encoding="utf-8") == printed
    assert list(tmp_path.iterdir()) == [target]


def test_an_export_that_fails_leaves_the_old_file(empty: Door, tmp_path: Path) -> None:
    (tmp_path / "old").write_text("old")
    assert empty("export", "--output", "old")[0] == 4
    assert (tmp_path / "old").read_text() == "old"


@pytest.mark.parametrize("arguments", [("claims", "reject", "cdeadbeef"), ("merges", "add", "mdeadbeef", "mdeadbeee")])
def test_a_correction_of_what_is_not_there_says_where_ids_are_listed(own: Door, arguments: tuple[str, ...]) -> None:
    status, out, err = own(*arguments)
    assert (status, out) == (4, "")
    assert err.startswith("CT-S008: There is no ")
    assert "claims list" in err
    assert "show event" in err


def test_a_misspelt_collection_is_told_with_those_that_there_are(own: Door) -> None:
    status, out, _ = own("ask", WHY, "--collection", "mian")
    assert status == 0
    assert "The collection mian holds no documents. There are: main." in out


def test_what_is_no_fact_is_set_apart_from_the_words_of_an_event(door: Door) -> None:
    status, out, _ = door("events", "a flooding of Mill Street in 2016")
    assert status == 0
    assert "in 2016  [hypothetical]  1 mention" in out


def test_pairs_are_taken_in_by_their_option(empty: Door, tmp_path: Path) -> None:
    faq = tmp_path / "faq.csv"
    faq.write_text("question,answer\nWho repairs the weir?,The warden.\nwho repairs the weir?,the warden.\n", "utf-8")
    status, out, err = empty("ingest", str(faq), "--pairs")
    assert (status, err) == (0, "")
    assert "Pairs: 1 read, 1 repeat left out" in out
    assert empty("verify")[0] == 0
    faq.write_text("question,answer\nWho repairs the weir?,\n", "utf-8")
    status, _, err = empty("ingest", str(faq), "--pairs")
    assert status == 3
    assert "CT-D019" in err
    assert "row 1" in err
    assert empty("ingest", str(faq), "--pairs", "--estimate")[0] == 2
