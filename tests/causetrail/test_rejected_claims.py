"""What becomes of a claim that a person has rejected: it proves nothing, and is shown as what it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from api.cli import run
from api.http import create_app
from causetrail import Causetrail
from kg.records import Verdict

WHY = "Why was the footbridge closed?"
SENTENCE = "The footbridge was closed because the river rose."
OTHER = "The pump failed because the valve jammed."
DECIDED = {"reason": "a rumour", "by": "ann"}


@pytest.fixture
def trail(tmp_path: Path) -> Iterator[Causetrail]:
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
        trail.ingest_text(f"It was late. {SENTENCE} {OTHER}", "note.txt")
        yield trail


def claim_of(trail: Causetrail, quote: str) -> str:
    (claim,) = (claim for claim in trail.claims() if claim.quote == quote)
    return claim.id


@pytest.mark.parametrize("strategy", ["default", "causal-graph", "text-only"])
@pytest.mark.parametrize(
    "question",
    [
        WHY,
        "What followed from the rise of the river?",
        "How did the rising river lead to the closure of the footbridge?",
        "Did the river cause the closure of the footbridge?",
    ],
)
def test_a_rejected_claim_proves_nothing(trail: Causetrail, question: str, strategy: str) -> None:
    rejection = trail.reject_claim(claim_of(trail, SENTENCE), **DECIDED)
    told = trail.ask(question, strategy=strategy)
    assert told.verdict is Verdict.INSUFFICIENT
    assert SENTENCE not in told.text
    assert all(evidence.quote != SENTENCE for evidence in told.evidence)
    assert trail.ask("Why did the pump fail?", strategy=strategy).verdict is Verdict.SUPPORTED
    trail.undo(rejection.id)
    assert trail.ask(WHY, strategy=strategy).verdict is Verdict.SUPPORTED


def test_a_rejection_over_two_sentences_leaves_the_others_alone(tmp_path: Path) -> None:
    text = "The cache was flushed. As a result, the checkout service failed. As a result, the shop closed."
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
        trail.ingest_text(text, "note.txt")
        claims = trail.claims()
        assert len(claims) == 2
        trail.reject_claim(claims[0].id)
        assert trail.ask("Why did the checkout service fail?", strategy="text-only").verdict is Verdict.INSUFFICIENT
        assert [claim.rejected is None for claim in trail.claims()] == [False, True]


def test_lists_say_who_rejected_a_claim_when_and_why(trail: Causetrail, capsys: pytest.CaptureFixture[str]) -> None:
    claim = claim_of(trail, SENTENCE)
    decision = trail.reject_claim(claim, **DECIDED)
    told = f"rejected by ann at {decision.at}: a rumour"

    def printed(*arguments: str) -> str:
        assert run(["--store", trail.settings.store, *arguments]) == 0
        return capsys.readouterr().out

    lines = printed("claims", "list").splitlines()
    assert [told in line for line in lines] == [SENTENCE in line for line in lines]
    assert told in printed("show", "claim", claim)
    assert "rejected" not in printed("show", "claim", claim_of(trail, OTHER))
    records = [json.loads(line) for line in printed("claims", "list", "--json").splitlines()]
    expected = {SENTENCE: decision.model_dump(mode="json"), OTHER: None}
    assert {record["quote"]: record["rejected"] for record in records} == expected
    with TestClient(create_app(trail), base_url="http://127.0.0.1:8017") as client:
        assert client.get(f"/v1/claims/{claim}").json()["rejected"]["by"] == "ann"
        assert {item["quote"]: item["rejected"] for item in client.get("/v1/claims").json()["items"]} == expected
    trail.undo(decision.id)
    assert "rejected" not in printed("claims", "list")
