"""Reviewing what may be one happening: at the terminal, for programs, and from Python."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest

from api.cli import run
from causetrail import Causetrail
from causetrail.errors import ArgumentInvalid
from kg.records import DecisionKind

Review = Callable[..., tuple[int, str, str]]


@pytest.fixture
def trail(pump_trail: Causetrail) -> Causetrail:
    return pump_trail


@pytest.fixture
def review(trail: Causetrail, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Review:
    """Runs the command with answers on standard input: exit status, standard output, standard error."""

    def reviewed(*arguments: str, answers: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        status = run(["--store", trail.settings.store, "merges", "review", "--least", "0", *arguments])
        told = capsys.readouterr()
        return status, told.out, told.err

    return reviewed


def test_a_suggestion_has_the_sentences_to_decide_by(trail: Causetrail) -> None:
    found = trail.suggestions(least=0)
    assert found == sorted(found, key=lambda one: (-one.score, one.events))
    for one in found:
        for mention, words, evidence in zip(one.mentions, one.words, one.evidence, strict=True):
            text = trail.text(evidence.document_id)
            assert text[evidence.start : evidence.end] == evidence.quote
            assert words in evidence.quote
            assert evidence.line == 1
            assert mention in {m.id for event in one.events for m in trail.mentions_of_event(event)}


@pytest.mark.parametrize("arguments", [{"limit": 0}, {"least": -0.1}, {"least": 1.1}, {"least": float("nan")}])
def test_bounds_without_a_meaning_are_refused(trail: Causetrail, arguments: dict[str, float]) -> None:
    with pytest.raises(ArgumentInvalid):
        trail.suggestions(**arguments)  # type: ignore[arg-type]


def test_programs_get_a_record_a_line_and_are_asked_nothing(trail: Causetrail, review: Review) -> None:
    status, out, err = review("--json")
    assert (status, err) == (0, "")
    records = [json.loads(line) for line in out.splitlines()]
    assert records == [one.model_dump(mode="json") for one in trail.suggestions(least=0)]
    assert len(json.loads(f"[{review('--json', '--limit', '1')[1]}]")) == 1


def test_same_makes_one_event_and_undo_takes_it_back(trail: Causetrail, review: Review) -> None:
    before = "".join(trail.export()), trail.suggestions(least=0)
    first = before[1][0]
    status, out, _ = review("--limit", "1", "--by", "tester", answers="maybe\nsame\n")
    assert status == 0
    for evidence in first.evidence:
        assert f"{evidence.source}:{evidence.line}" in out
        assert f'"{evidence.quote}"' in out
    assert f"score {first.score:.2f}" in out
    assert first.reason in out
    (decision,) = trail.decisions()
    assert (decision.kind, decision.subject, decision.by) == (
        DecisionKind.MERGE,
        tuple(sorted(first.mentions)),
        "tester",
    )
    assert trail.event(first.events[0]).id == trail.event(first.events[1]).id
    trail.undo(decision.id)
    kept = [line for line in "".join(trail.export()).splitlines() if '"record":"decision"' not in line]
    assert kept == before[0].splitlines()
    assert trail.suggestions(least=0) == before[1]


def test_different_is_remembered_and_skip_is_not(trail: Causetrail, review: Review) -> None:
    before = trail.suggestions(least=0)
    assert len(before) > 1
    review(answers="d\n" + "k\n" * len(before))
    assert [decision.kind for decision in trail.decisions()] == [DecisionKind.SPLIT]
    assert [one.events for one in trail.suggestions(least=0)] == [one.events for one in before[1:]]


@pytest.mark.parametrize("answers", ["q\n", "", "what\n"])
def test_quitting_and_the_end_of_the_input_decide_nothing(trail: Causetrail, review: Review, answers: str) -> None:
    status, out, err = review(answers=answers)
    assert (status, err) == (0, "")
    assert "0 decided" in out
    assert trail.decisions() == []


def test_an_answer_that_contradicts_an_earlier_one_is_told_and_the_review_goes_on(
    trail: Causetrail, review: Review
) -> None:
    first = trail.suggestions(least=0)[0]

    def contradicting(*mentions: str, **_: object) -> None:
        trail.split(*mentions)

    # Somebody else decides the pair while it is shown.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("builtins.input", lambda _: (contradicting(*first.mentions), "same")[1])
        status, out, _ = review("--limit", "1")
    assert status == 0
    assert "contradicts" in out
    assert "0 decided" in out


def test_nothing_to_review_is_told(review: Review) -> None:
    assert review("--least", "1")[1].startswith("There is nothing to review")
