"""An answer says when the limit `hops` ended its chain, and only then."""

from dataclasses import replace
from itertools import pairwise

import pytest

from api.printing import answer_lines
from causetrail.settings import Settings
from kg.records import Verdict
from reasoning.answer import answer

HAPPENINGS = (
    ("the council closed the footbridge", "closed"),
    ("the river rose by four metres", "rose"),
    ("the Arlen dam released water", "released"),
    ("the gauge of the dam failed", "failed"),
    ("the lightning struck a mast", "struck"),
)
WHY = "Why did the council close the footbridge?"
EFFECTS = "What followed after the lightning struck a mast?"


def chain_of(text, told, says):
    """A document for each link, from the closed footbridge back to the lightning."""
    documents = []
    for number, (effect, cause) in enumerate(pairwise(HAPPENINGS)):
        sentence = f"{effect[0][0].upper()}{effect[0][1:]} because {cause[0]}."
        start = told(f"{effect[0][0].upper()}{effect[0][1:]}", effect[1])
        documents.append(text(f"{number}.md", sentence, (says(told(*cause), start),)))
    return documents


@pytest.mark.parametrize("question", [WHY, EFFECTS])
@pytest.mark.parametrize("hops", [1, 2, 3, 4, 5])
def test_a_chain_that_the_limit_ended_is_said_to_be_cut(shelf, text, told, says, question, hops):
    room = replace(shelf.room(*chain_of(text, told, says)), settings=Settings(hops=hops))
    found = answer(question, room)
    assert found.verdict is Verdict.SUPPORTED
    links = len(found.chains[0].edges)
    assert hops <= links <= hops + 1 or links == 4
    assert found.cut_at_hops is (links < 4)
    lines = list(answer_lines(found))
    assert any("raise the setting hops" in line for line in lines) is found.cut_at_hops
    assert found.model_dump(mode="json")["cut_at_hops"] is found.cut_at_hops


def test_a_circle_of_causes_is_not_cut(shelf, text, told, says):
    documents = chain_of(text, told, says)[:3]
    back = "The gauge of the dam failed because the council closed the footbridge."
    cause, effect = told("the council closed the footbridge", "closed"), told("The gauge of the dam failed", "failed")
    room = replace(shelf.room(*documents, text("back.md", back, (says(cause, effect),))), settings=Settings(hops=3))
    found = answer(WHY, room)
    assert (len(found.chains[0].edges), found.cut_at_hops) == (3, False)
