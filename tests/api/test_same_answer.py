"""The three doors give the same record for the same question, what it cost apart."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.cli import run
from api.http import create_app
from causetrail import Causetrail

EXPECTED = tomllib.loads((Path(__file__).parents[2] / "examples" / "expected.toml").read_text("utf-8"))["question"]
QUESTIONS = [item["ask"] for item in EXPECTED if item["collection"] == "flood"]


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_door_gives_the_same_answer(question: str, flood: Causetrail, capsys: pytest.CaptureFixture[str]) -> None:
    facade = json.loads(flood.ask(question).model_dump_json())
    assert run(["ask", question, "--json", "--store", flood.settings.store]) == 0
    printed = json.loads(capsys.readouterr().out)
    with TestClient(create_app(flood), base_url="http://127.0.0.1") as client:
        sent = client.post("/v1/ask", json={"question": question}).json()
    for answer in (facade, printed, sent):
        answer.pop("usage")
    assert facade == printed == sent
