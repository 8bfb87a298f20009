"""A trace as a person reads it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from api.cli import run
from api.trace_lines import trace_lines
from causetrail import Causetrail
from kg.records import TraceStep
from reasoning.strategies import STRATEGIES

WHY = "Why did the council close the footbridge?"
DOCUMENT, PASSAGE, EVENT, OTHER = (letter + "0123456789abcdef01234567" for letter in "dpef")
NAMES = {DOCUMENT: "flood/1.md", PASSAGE: "flood/2.md [0:90]", EVENT: "The river rose"}


def lines(step: str, **detail: object) -> list[str]:
    """Of one step, without the empty line and the title."""
    return [line.strip() for line in trace_lines([TraceStep(step=step, detail=detail)], NAMES)][2:]


def test_a_quote_is_its_source_and_its_place() -> None:
    assert lines("draft", quotes=[[DOCUMENT, 3, 14, "for"]]) == ["quotes:", "- flood/1.md [3:14], for"]


def test_figures_have_few_digits_and_say_what_they_are() -> None:
    assert lines("rerank", passages=[[PASSAGE, 0.0327871, 0.9]]) == [
        "passages:",
        "- flood/2.md [0:90], score 0.033, relevance 0.9",
    ]


def test_what_views_found_has_its_score_cosine_and_words() -> None:
    assert lines("views", found=[[PASSAGE, 1.15, 0.55, 3]]) == [
        "found:",
        "- flood/2.md [0:90], score 1.15, cosine 0.55, words in common 3",
    ]


def test_a_long_list_is_cut_and_says_by_how_many() -> None:
    assert lines("search agent", words=list("abcdef")) == ["words: a, b, c, d and 2 more"]
    rows = lines("draft", quotes=[[DOCUMENT, n, n + 1] for n in range(7)])
    assert (len(rows), rows[-1]) == (6, "and 3 more")
    helps = {f"p{n:024x}": 0.5 for n in range(9)}
    assert lines("option", rerank={"helps": helps})[-1].endswith(" and 5 more")


def test_what_has_no_value_is_left_out_and_what_is_empty_says_so() -> None:
    assert lines("seeds", cause=None, effect="", seeds=[], negated=False) == ["seeds: none", "negated: no"]


def test_hashes_are_shortened_and_judges_explained() -> None:
    assert lines("support", judge="causetrail_judges-0ceb3ef3db5f") == [
        "judge (model and its version): causetrail_judges-0ceb3e"
    ]
    assert lines("seeds", beside=[EVENT, OTHER]) == ["events told beside them: The river rose, f012345"]


def test_one_key_may_mean_something_else_in_one_step() -> None:
    assert lines("gaps", judge=True) == ["anything missing: yes"]
    assert lines("gaps", first="Nobody knows.") == ["answer before this step: Nobody knows."]
    assert lines("question", time={"latest": False, "first": True}) == [
        "time:",
        "the latest of several: no",
        "the first of several: yes",
    ]


def test_where_a_question_tells_its_time_is_said_in_characters() -> None:
    assert lines("question", time={"spans": ((26, 39), (0, 9))}) == [
        "time:",
        "where the question says so:",
        "- characters 26 to 39",
        "- characters 0 to 9",
    ]


def test_a_record_begins_with_its_text() -> None:
    assert lines("abduction", candidates=[{"score": 0.5, "premise": "Rain.", "quotes": [[DOCUMENT, 0, 5]]}]) == [
        "candidates:",
        "- premise: Rain.",
        "score: 0.5",
        "quotes:",
        "- flood/1.md [0:5]",
    ]


def test_a_chain_is_one_line_from_cause_to_effect_however_long() -> None:
    events = [EVENT, *(f"event {n}" for n in range(5))]
    kept = [{"events": events, "relations": ["CAUSES"] * 5, "confidences": [0.9512] * 5}]
    told = lines("chains", kept=kept)
    assert told[1].startswith("- The river rose -- CAUSES 0.951 --> event 0")
    assert told[1].endswith("event 4")


def test_text_of_a_document_cannot_write_lines_or_move_the_cursor() -> None:
    assert lines("gaps", thought="a\n  9. arbitrate\x1b[2J") == ["thought: a 9. arbitrate\ufffd[2J"]


UNREADABLE = re.compile(r"[][{}]|\bNone\b|null|[0-9a-f]{12}|\d\.\d{4}")


def check_readable(told: str) -> None:
    """Words alone, but for the places of quotes and for searches, whose marks are those of the publication."""
    assert not UNREADABLE.search(re.sub(r"\[\d+:\d+\]|Search\[.*?\]", "", told))
    steps = re.findall(r"^  \d+\. .*", told, re.MULTILINE)
    assert steps
    assert all(re.fullmatch(r"  \d+\. \S+( \S+)*  \S.*", step) for step in steps), "what each step is for is told"


@pytest.mark.parametrize("strategy", ["default", "support-checked"])
def test_a_real_trace_holds_words_alone(
    flood: Causetrail, flood_folder: Path, capsys: pytest.CaptureFixture[str], strategy: str
) -> None:
    names = flood.named(flood.ask(WHY, strategy))
    assert {id_[0] for id_ in names} == set("cdep")
    assert run(["--store", f"sqlite:///{flood_folder}/trail.db", "ask", WHY, "--strategy", strategy, "--trace"]) == 0
    told = capsys.readouterr().out
    assert "1. question" in told
    assert re.search(r"kept:\n +- .* -- CAUSES 0\.\d+ --> The council closed the footbridge", told)
    check_readable(told)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_step_of_each_strategy_can_be_read(flood: Causetrail, strategy: str) -> None:
    offered = ["the river rose", "a singer released her album"]
    for told in (
        flood.ask(WHY, strategy),
        flood.ask("Who closed the footbridge?", strategy),
        flood.choose("the council closed the footbridge", offered, strategy=strategy),
    ):
        check_readable("\n".join(trace_lines(told.trace, flood.named(told))))
