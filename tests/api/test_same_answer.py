"""The three doors give the same record for the same question, what it cost apart."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.cli import run
from api.http import create_app
from api.terminal import shown
from causetrail import Causetrail
from causetrail.errors import RecordUnknown

EXPECTED = tomllib.loads((Path(__file__).parents[2] / "examples" / "expected.toml").read_text("utf-8"))["question"]
OFFERED = "Which of these caused the footbridge to close: the storm, the rising river or the blocked drain?"
QUESTIONS = [*(item["ask"] for item in EXPECTED if item["collection"] == "flood"), OFFERED]


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


@pytest.mark.parametrize(
    "asked",
    [
        ["the Arlen dam released water"],
        ["the Arlen dam released water", "the council closed the footbridge"],
        ["water rose over the deck", "the council closed the footbridge", "--links-only"],
        ["nobody knows of this"],
    ],
)
def test_every_door_says_what_would_fall(
    asked: list[str], flood: Causetrail, capsys: pytest.CaptureFixture[str]
) -> None:
    words, links_only = [one for one in asked if not one.startswith("--")], "--links-only" in asked
    facade = json.loads(flood.what_if(*words, links_only=links_only).model_dump_json())
    assert run(["whatif", *asked, "--json", "--store", flood.settings.store]) == 0
    printed = json.loads(capsys.readouterr().out)
    body = dict(zip(("event", "effect"), words, strict=False)) | {"links_only": links_only}
    with TestClient(create_app(flood), base_url="http://127.0.0.1") as client:
        sent = client.post("/v1/whatif", json=body).json()
    assert facade == printed == sent
    assert run(["whatif", *asked, "--store", flood.settings.store]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(facade["text"])
    quotes = [one["evidence"]["quote"] for told in facade["fallen"] for one in told["lost"]]
    assert all(any(shown(quote) in line for line in lines) for quote in quotes)


def test_causes_that_a_question_offers_are_chosen_from(flood: Causetrail, capsys: pytest.CaptureFixture[str]) -> None:
    found = flood.ask(OFFERED)
    choice = flood.choose("the footbridge to close", ["the storm", "the rising river", "the blocked drain"])
    assert (found.verdict, found.mode, found.confidence) == (choice.verdict, choice.mode, choice.confidence)
    assert found.evidence == choice.options[1].evidence
    assert run(["ask", OFFERED, "--trace", "--store", flood.settings.store]) == 0
    told = capsys.readouterr().out
    assert "supported" in told.splitlines()[0] and "taken: the rising river" in told


def test_links_alone_need_an_effect(flood: Causetrail, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["whatif", "the river rose", "--links-only", "--store", flood.settings.store]) == 2
    assert "CT-C003" in capsys.readouterr().err
    with TestClient(create_app(flood), base_url="http://127.0.0.1") as client:
        assert client.post("/v1/whatif", json={"event": "the river rose", "links_only": True}).status_code == 422


def test_an_event_is_known_by_its_id(flood: Causetrail) -> None:
    (named,) = flood.what_if("the Arlen dam released water").without
    assert flood.what_if(named.id).without == (named,)
    with pytest.raises(RecordUnknown):
        flood.what_if("e" + "0" * 24)


def test_every_door_chooses_alike(flood: Causetrail, capsys: pytest.CaptureFixture[str]) -> None:
    event = "the council closed the footbridge"
    options = ["lightning struck the town hall", "the Arlen dam released water", "none of the others"]
    facade = json.loads(flood.choose(event, options).model_dump_json())
    assert facade["chosen"] == [1] and facade["verdict"] == "supported"
    assert run(["choose", event, *options, "--json", "--store", flood.settings.store]) == 0
    printed = json.loads(capsys.readouterr().out)
    with TestClient(create_app(flood), base_url="http://127.0.0.1") as client:
        sent = client.post("/v1/choose", json={"event": event, "options": options}).json()
        refused = client.post("/v1/choose", json={"event": event, "options": options[:1]})
    assert (refused.status_code, refused.json()["code"]) == (422, "CT-C003")
    for choice in (facade, printed, sent):
        choice.pop("usage")
    assert facade == printed == sent
    assert run(["choose", event, *options, "--store", flood.settings.store]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(facade["text"])
    assert any(line.startswith("  chosen: the Arlen dam released water") for line in lines)
    assert all(any(shown(one["quote"]) in line for line in lines) for one in facade["options"][1]["evidence"])
