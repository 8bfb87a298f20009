"""What a denial says, and no more: over documents that are read for real."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from causetrail import Causetrail
from kg.records import Stance, Verdict


@pytest.fixture(scope="module")
def trail(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Causetrail]:
    folder = tmp_path_factory.mktemp("denied")
    (folder / "bus.txt").write_text("The new guard rail did not prevent the crash of the bus on 3 May 2021.\n", "utf-8")
    (folder / "valve.txt").write_text(
        "The main valve may have failed on 4 May 2021. The pump stopped. The siren did not sound at dawn.\n", "utf-8"
    )
    with Causetrail(f"sqlite:///{folder}/denied.db") as opened:
        opened.ingest(folder / "bus.txt", folder / "valve.txt")
        yield opened


def test_what_did_not_prevent_is_not_ruled_out_as_a_cause(trail: Causetrail) -> None:
    answer = trail.ask("Why did the bus crash on 3 May 2021?")
    assert answer.verdict is Verdict.INSUFFICIENT
    assert not any("guard rail" in missing for missing in answer.missing)
    assert all(evidence.stance is not Stance.AGAINST for evidence in answer.evidence)


@pytest.mark.parametrize(
    ("question", "verdict", "stances"),
    [
        ("Did the guard rail prevent the crash of the bus?", Verdict.CONTRADICTED, {Stance.AGAINST}),
        ("Did the siren sound at dawn?", Verdict.CONTRADICTED, {Stance.AGAINST}),
        ("Did the siren not sound at dawn?", Verdict.SUPPORTED, {Stance.FOR}),
        ("Did the pump stop?", Verdict.SUPPORTED, {Stance.FOR}),
        ("Did the main valve fail?", Verdict.INSUFFICIENT, {Stance.CONTEXT}),
    ],
)
def test_yes_or_no_is_answered_of_what_is_asked(
    question: str, verdict: Verdict, stances: set[Stance], trail: Causetrail
) -> None:
    answer = trail.ask(question)
    assert answer.verdict is verdict
    assert {evidence.stance for evidence in answer.evidence} == stances


def test_words_that_a_passage_holds_are_not_called_unknown(trail: Causetrail) -> None:
    answer = trail.ask("Did the main valve fail?")
    assert not any("mentions" in missing for missing in answer.missing)
