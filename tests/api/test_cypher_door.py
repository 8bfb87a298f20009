"""The command `cypher` and POST /v1/cypher."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.cli import run
from api.http import create_app
from causetrail import Causetrail

ASKED = "MATCH (e:Event) WHERE e.collection = $collection RETURN e.id AS id, e.description AS what ORDER BY id"


def command(folder: Path, *arguments: str) -> int:
    return run(["--store", f"sqlite:///{folder}/trail.db", "cypher", *arguments])


def test_a_table_shows_the_rows(flood_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(flood_folder, "RETURN 1 AS one, 'two' AS two, null AS nothing, [3, {a: 'b'}] AS more") == 0
    told = capsys.readouterr()
    assert told.out.split("\n")[0].split() == ["one", "two", "nothing", "more"]
    assert told.out.split("\n")[2].split(maxsplit=2) == ["1", "two", '[3, {"a": "b"}]']
    assert told.err.startswith("1 row in ")


def test_a_table_cannot_move_the_cursor(flood_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(flood_folder, "RETURN $text AS x", "--params", json.dumps({"text": "a\x1b[2J[bold]b\u202e"})) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[bold]" in out


def test_csv_is_read_back(flood_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(flood_folder, "UNWIND ['a,b', 'c\"d', '=1+1', 'x\ny'] AS x RETURN x, 2 AS n", "--format", "csv") == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows == [["x", "n"], ["a,b", "2"], ['c"d', "2"], ["'=1+1", "2"], ["x\ny", "2"]]


def test_json_is_the_record(flood_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(flood_folder, ASKED, "--json", "--limit", "2") == 0
    told = capsys.readouterr()
    record = json.loads(told.out)
    assert record["columns"] == ["id", "what"]
    assert len(record["rows"]) == 2
    assert record["truncated"] == "rows"
    assert "there are more" in told.err


def test_one_form_is_given_not_two(flood_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(flood_folder, "RETURN 1 AS one", "--format", "csv", "--json") == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("CT-C003: --format cannot be csv")


def test_a_query_comes_from_standard_input(
    flood_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("RETURN $x AS x"))
    assert command(flood_folder, "-", "--params", '{"x": 7}', "--json") == 0
    assert json.loads(capsys.readouterr().out)["rows"] == [[7]]


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (["RETURN 1", "--params", "{"], 2, "CT-Q009"),
        (["RETURN 1", "--params", "[1]"], 2, "CT-Q009"),
        (["RETURN $x"], 2, "CT-Q009"),
        (["CREATE (n)"], 2, "CT-Q006"),
        (["RETURN"], 2, "CT-Q005"),
        (["RETURN 1", "--limit", "1001"], 2, "CT-C003"),
        (["RETURN 1", "--timeout", "11"], 2, "CT-C003"),
        (["RETURN size(reduce(s = 'x', i IN range(1, 60) | s + s))", "--timeout", "0.5"], 7, "CT-Q008"),
    ],
)
def test_faults_end_the_command(
    arguments: list[str], status: int, code: str, flood_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(flood_folder, *arguments) == status
    assert capsys.readouterr().err.startswith(f"{code}: ")


def test_the_address_gives_what_the_facade_gives(flood: Causetrail) -> None:
    client = TestClient(create_app(flood), base_url="http://127.0.0.1")
    sent = {"query": ASKED + " SKIP $skip", "params": {"skip": 1}, "limit": 3, "timeout": 5.0}
    answer = client.post("/v1/cypher", json=sent)
    assert answer.status_code == 200
    expected = flood.cypher(sent["query"], {"skip": 1}, limit=3)
    assert answer.json() | {"seconds": 0} == json.loads(expected.model_dump_json()) | {"seconds": 0}
    elsewhere = client.post("/v1/cypher?collection=empty", json={"query": ASKED})
    assert elsewhere.json()["rows"] == []


@pytest.mark.parametrize(
    ("sent", "status", "code"),
    [
        ({"query": "CREATE (n)"}, 403, "CT-Q006"),
        ({"query": "RETURN"}, 422, "CT-Q005"),
        ({"query": "RETURN $x"}, 422, "CT-Q009"),
        ({"query": "RETURN 1", "limit": 1_001}, 422, "CT-C003"),
        ({"query": "RETURN 1", "limit": "1"}, 422, "CT-A003"),
        ({"query": "RETURN 1", "parameters": {}}, 422, "CT-A003"),
        ({"query": "RETURN 1", "seconds": 1.0}, 422, "CT-A003"),
        ({"query": ["RETURN 1"]}, 422, "CT-A003"),
        ({"query": "RETURN size(reduce(s = 'x', i IN range(1, 60) | s + s))", "timeout": 0.5}, 504, "CT-Q008"),
    ],
)
def test_faults_are_problems(sent: dict[str, object], status: int, code: str, flood: Causetrail) -> None:
    answer = TestClient(create_app(flood), base_url="http://127.0.0.1").post("/v1/cypher", json=sent)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"] == "application/problem+json"


def test_a_slip_of_a_name_is_told(flood_folder: Path, capsys: pytest.CaptureFixture[str], flood: Causetrail) -> None:
    assert command(flood_folder, "MATCH (n:Evnt) RETURN n") == 0
    assert "did you mean Event?" in capsys.readouterr().err
    assert command(flood_folder, "MATCH (n:Evnt) RETURN n", "--json") == 0
    assert "did you mean Event?" in json.loads(capsys.readouterr().out)["notes"][0]
    answer = TestClient(create_app(flood), base_url="http://127.0.0.1").post(
        "/v1/cypher", json={"query": "MATCH (n:Evnt) RETURN n"}
    )
    assert "did you mean Event?" in answer.json()["notes"][0]


def test_a_bound_is_told_with_its_setting(flood_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(flood_folder, "RETURN 1", "--limit", "1001") == 2
    told = capsys.readouterr().err
    assert "limit cannot be 1001" in told
    assert "at most 1,000" in told
    assert "cypher_rows" in told
    assert command(flood_folder, "RETURN 1", "--timeout", "11") == 2
    assert "timeout cannot be 11" in capsys.readouterr().err


def test_a_table_splits_no_word_that_fits(
    flood_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    long = "several words that do not fit in one line and are broken between them " * 2
    assert command(flood_folder, f"RETURN 'afterwards' AS a, '2014-03-02T00:00:00Z' AS day, '{long}' AS b") == 0
    out = capsys.readouterr().out
    assert "afterwards" in out
    assert "2014-03-02T00:00:00Z" in out
    monkeypatch.setenv("COLUMNS", "30")
    assert command(flood_folder, f"RETURN '{'x' * 80}' AS a, 'short' AS b") == 0
    assert "short" in capsys.readouterr().out


@pytest.mark.parametrize("width", ["20", "40", "60", "80", "120"])
def test_a_narrow_terminal_drops_no_column(
    flood_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: str
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    premise = "Because of the failure of the search service on 9 June 2024, the job will be changed."
    query = (
        "RETURN 'hypothesis-0123456789abcdef' AS id, 'the failure of the search service' AS cause, "
        f"'the retention job will be changed' AS effect, '{premise}' AS premise, 0.5123456 AS score"
    )
    assert command(flood_folder, query) == 0
    out = capsys.readouterr().out
    for word in ("id", "cause", "effect", "premise", "score", "0.5123456", "June", "retention"):
        assert word in out
