"""The events that a question names, put in order by a judge of relevance."""

import threading
from dataclasses import replace

import pytest

from api.trace_lines import trace_lines
from causetrail.errors import PassageTooLong
from language.questions import read_question
from reasoning.answer import answer
from reasoning.findings import explore
from reasoning.passages import UNDECIDED, sentence_judge
from reasoning.room import Reranker
from reasoning.strategies import STRATEGIES
from traversal.deadline import Deadline
from traversal.seed_order import CONSIDERED, judged_order

WHY = read_question("Why did the pump fail?")
PLACES = ("north", "south", "east", "west", "upper", "lower", "old", "new", "red", "blue")


class FondOf:
    """A judge of relevance that likes one word: a double, so that its order is known."""

    fingerprint = "fond"

    def __init__(self, word):
        self.prompts: dict[str, str] = {}
        self.word = word
        self.asked: list[tuple[str, str]] = []

    def relevance(self, query, passages):
        self.asked += [(query, one) for one in passages]
        if any("blue" in one for one in passages):
            raise PassageTooLong(tokens=600, model="fond", limit=512)
        return [0.9 if self.word in one else 0.1 for one in passages]


@pytest.fixture
def room(shelf, text, told, says):
    """Ten pumps that failed, each for a reason of its own."""
    texts = []
    for place in PLACES:
        words = f"At the {place} mill the pump failed because a seal of the {place} mill froze."
        failed = told(f"At the {place} mill the pump failed", "failed")
        froze = told(f"a seal of the {place} mill froze", "froze")
        texts.append(text(f"{place}.md", words, (says(froze, failed),)))
    return shelf.room(*texts)


def judging(room, word):
    judge = FondOf(word)
    return judge, replace(room, reranker=Reranker("fond", judge, 1, dict, threading.Event()))


def test_the_judge_decides_which_events_are_left_and_makes_none(room):
    plain = explore(WHY, room, Deadline(10)).focus
    assert len(plain.seeds) == 8 and plain.judged == ()
    judge, judged = judging(room, "lower")
    found = explore(WHY, judged, Deadline(10), judge=sentence_judge(judged.reranker)).focus
    assert "At the lower mill" in next(told for query, told in judge.asked if "lower" in told)
    assert {query for query, _ in judge.asked} == {found.focus}
    helps = dict(found.judged)
    assert len(helps) == len(PLACES)
    # One that cannot be read is undecided, and comes behind the one that the judge likes.
    assert sorted(helps.values())[-2:] == [UNDECIDED, 0.9]
    assert [helps[seed.event.id] for seed in found.seeds[:3]] == [0.9, UNDECIDED, 0.1]
    assert len(found.seeds) == 8
    nothing = read_question("Why did the concert begin?")
    assert explore(nothing, judged, Deadline(10), judge=sentence_judge(judged.reranker)).focus.seeds == ()


def test_events_are_judged_only_where_the_recipe_says_so_and_the_trace_tells_it(room):
    judge, judged = judging(room, "lower")
    recipe = STRATEGIES["causal-graph"]
    plain = answer(WHY, judged, recipe)
    assert not judge.asked
    told = answer(WHY, judged, replace(recipe, seed_rerank=True))
    (before,) = [step.detail for step in plain.trace if step.step == "seeds"]
    (after,) = [step.detail for step in told.trace if step.step == "seeds"]
    assert "judged" not in before
    assert (after["by"], after["judge"], len(after["judged"])) == ("fond", "fond", len(PLACES))
    assert {one["event"] for one in after["seeds"]} <= {id_ for id_, _ in after["judged"]}
    assert any("relevance 0.9" in line for line in trace_lines(told.trace, {}))
    # Without a judge the switch changes nothing.
    assert answer(WHY, room, replace(recipe, seed_rerank=True)).text == answer(WHY, room, recipe).text


def test_only_the_best_are_judged_and_equal_ones_stay_as_they_are():
    found = [f"event {number}" for number in range(CONSIDERED + 2)]
    ordered, told = judged_order("rain", found, found, lambda _, texts: [float(one == "event 7") for one in texts])
    assert len(told) == CONSIDERED
    assert ordered == ["event 7", *(one for one in found if one != "event 7")]
