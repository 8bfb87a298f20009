"""Several right options: all that documents state are chosen, a cause of a cause among them, and no other."""

from dataclasses import replace

import pytest

from kg.records import Verdict
from models.judge_source import load_judges
from reasoning.choose import choose
from reasoning.room import Bench

EVENT = "the council closed the footbridge"
ROSE, CRACKED, LOOSE = "the river rose by four metres", "a beam had cracked", "the railing was loose"
RELEASED = "the dam released water"
STRIKE, SONG, FIRE = "the ferrymen went on strike", "a singer gave a concert", "the town hall burnt down"
STATED = (
    (EVENT, "closed", ROSE, "rose"),
    (EVENT, "closed", CRACKED, "cracked"),
    (EVENT, "closed", LOOSE, "loose"),
    (ROSE, "rose", RELEASED, "released"),
)
OF_THE_GRAPH = ("default", "causal-graph", "counterfactual", "support-checked", "gap-filling", "abductive")


@pytest.fixture(scope="module")
def bench():
    return Bench("causetrail_judges", load_judges(), dict)


@pytest.fixture
def room(shelf, text, told, says, bench):
    """Three causes of a closure, each in a document of its own, and the cause of one of them."""
    texts = []
    for effect, effect_head, cause, cause_head in STATED:
        words = f"{effect[0].upper()}{effect[1:]} because {cause}."
        claim = says(told(cause, cause_head), told(words[: len(effect)], effect_head))
        texts.append(text(f"{cause_head}.md", words, (claim,)))
    return replace(shelf.room(*texts), bench=bench)


@pytest.mark.parametrize("strategy", ["text-only", "dual-agent", *OF_THE_GRAPH])
@pytest.mark.parametrize(
    ("options", "right"),
    [((ROSE, STRIKE, CRACKED, SONG), (0, 2)), ((SONG, LOOSE, ROSE, CRACKED), (1, 2, 3))],
)
def test_every_option_that_documents_state_is_chosen(room, strategy, options, right):
    choice = choose(EVENT, options, room, strategy)
    assert (choice.chosen, choice.verdict) == (right, Verdict.SUPPORTED)


@pytest.mark.parametrize("strategy", OF_THE_GRAPH)
def test_a_cause_of_a_cause_is_chosen_alone_and_beside_the_links_of_its_chain(room, strategy):
    alone = choose(EVENT, (STRIKE, RELEASED, SONG, FIRE), room, strategy)
    assert (alone.chosen, alone.verdict) == ((1,), Verdict.SUPPORTED)
    assert len(alone.options[1].chains[0].edges) == 2
    beside = choose(EVENT, (RELEASED, ROSE, CRACKED, FIRE), room, strategy)
    assert (beside.chosen, beside.verdict) == ((0, 1, 2), Verdict.SUPPORTED)


@pytest.mark.parametrize("strategy", ["text-only", "dual-agent"])
def test_what_only_two_sentences_together_tell_is_no_stated_cause_for_the_text(room, strategy):
    choice = choose(EVENT, (STRIKE, RELEASED, SONG, ROSE), room, strategy)
    assert (choice.chosen, choice.options[1].verdict) == ((3,), Verdict.INSUFFICIENT)
