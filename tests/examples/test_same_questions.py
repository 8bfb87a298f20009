"""The same happening asked about in other words gets the same causes, the same verdict and the same proofs."""

from __future__ import annotations

import pytest

from causetrail import Causetrail
from kg.records import Answer

HAPPENINGS = {
    # base form after the subject, past, and the same as a noun, with the time that tells it from others of its kind
    "flood": [
        ("the council", "close the footbridge", "closed the footbridge", "the closure of the footbridge", ""),
        ("gate 2", "open fully", "opened fully", "the full opening of gate 2", ""),
        ("the River Teller", "rise by four metres", "rose by four metres", "the rise of the River Teller", ""),
    ],
    "plant": [
        ("cooling pump P-12", "fail", "failed", "the failure of cooling pump P-12", " in 2019"),
        ("cooling pump P-12", "fail", "failed", "the failure of cooling pump P-12", " on 14 June 2022"),
    ],
    "outage": [
        ("the checkout service", "fail", "failed", "the failure of the checkout service", " in March"),
        ("the checkout service", "fail", "failed", "the failure of the checkout service", " in January"),
    ],
}
WAYS = (
    "Why did {who} {base}{time}?",
    "why did {who} {base}{time}",
    "How come {who} {past}{time}?",
    "Can you tell me why {who} {past}{time}?",
    "{Who} {past}{time}. Why?",
    "Why was it that {who} {past}{time}?",
    "What made {who} {base}{time}?",
    "What caused {who} to {base}{time}?",
    "What led {who} to {base}{time}?",
    "For what reason did {who} {base}{time}?",
    "How did it come that {who} {past}{time}?",
    "What do the documents say about why {who} {past}{time}?",
    "What caused {noun}{time}?",
    "What led to {noun}{time}?",
    "What was the reason for {noun}{time}?",
    "What's the cause of {noun}{time}?",
    "What explains {noun}{time}?",
    "What was behind {noun}{time}?",
    "Which events led to {noun}{time}?",
    "What was {noun} due to{time}?",
    "List the causes of {noun}{time}.",
)


@pytest.mark.parametrize(
    ("collection", "happening"),
    [(collection, happening) for collection, some in HAPPENINGS.items() for happening in some],
    ids=[f"{subject} {past}{time}" for some in HAPPENINGS.values() for subject, _, past, _, time in some],
)
def test_other_words_give_the_same_causes(
    collection: str, happening: tuple[str, str, str, str, str], trails: dict[str, Causetrail]
) -> None:
    who, base, past, noun, time = happening
    told = {}
    for way in WAYS:
        question = way.format(who=who, Who=who[0].upper() + who[1:], base=base, past=past, noun=noun, time=time)
        told[question] = _told(trails[collection].ask(question))

    first = next(iter(told.values()))
    assert first[1]
    assert {question: one for question, one in told.items() if one != first} == {}


@pytest.mark.parametrize(
    "question",
    [
        "Why did the gas alarm not sound?",
        "Why didn't the gas alarm sound?",
        "How come the gas alarm didn't sound?",
        "The gas alarm did not sound. Why?",
        "What kept the gas alarm from sounding?",
        "What prevented the gas alarm from sounding?",
        "What is the reason that the gas alarm did not sound?",
        "What caused the gas alarm not to sound?",
    ],
)
def test_other_words_for_what_did_not_happen(question: str, trails: dict[str, Causetrail]) -> None:
    asked = trails["plant"].ask(question)

    assert _told(asked) == _told(trails["plant"].ask("Why was it that the gas alarm did not sound?"))
    assert any("horn had been disconnected" in evidence.quote for evidence in asked.evidence)


def _told(answer: Answer) -> tuple[object, ...]:
    """What an answer tells, in whatever words it begins."""
    chains = {tuple(chain.edges) for chain in answer.chains}
    return answer.verdict, chains, {(one.document_id, one.start, one.end, one.stance) for one in answer.evidence}
