"""Who says what led to something, and of what."""

from __future__ import annotations

import pytest

from language.attribution import Account, accounts_of
from language.quick_sentences import quick_sentences


def _told(text: str) -> list[Account]:
    found: list[Account] = []
    before = ""
    for sentence in quick_sentences(text):
        accounts = accounts_of(sentence, before)
        before = accounts[-1].effect if accounts else sentence.text
        found += accounts
    return found


@pytest.mark.parametrize(
    ("text", "sources", "causes"),
    [
        ("Police say arson destroyed the mill.", ["Police"], ["Arson"]),
        ("Arson destroyed the mill, police said.", ["police"], ["Arson"]),
        ("The mill, police say, was destroyed by arson.", ["police"], ["arson"]),
        ("“Arson caused the fire,” said the owner.", ["the owner"], ["Arson"]),
        ("According to the owner, the fire was caused by arson.", ["the owner"], ["arson"]),
        ("The mill burned because of arson, according to police.", ["police"], ["arson"]),
        ("In the view of the owner, arson destroyed the mill.", ["the owner"], ["Arson"]),
        ("The minister told parliament that ice caused the crash.", ["The minister"], ["Ice"]),
        ("Police blame arson for the fire at Wick.", ["Police"], ["arson"]),
        ("The owner blames the fire on a short circuit.", ["The owner"], ["a short circuit"]),
        ("The owner attributes the fire to a short circuit.", ["The owner"], ["a short circuit"]),
        (
            "Police say arson destroyed the mill, but the owner insists it was a short circuit.",
            ["Police", "the owner"],
            ["Arson", "a short circuit"],
        ),
    ],
)
def test_the_source_and_its_cause(text: str, sources: list[str], causes: list[str]) -> None:
    told = _told(text)
    assert [one.source for one in told] == sources
    assert [one.cause.strip(" .") for one in told] == causes


@pytest.mark.parametrize(
    "text",
    [
        "Arson destroyed the mill.",
        "Nobody says arson destroyed the mill.",
        "Some say arson destroyed the mill.",
        "The police do not say that arson destroyed the mill.",
        "Police said nothing about what destroyed the mill.",
        "The owner denies that arson destroyed the mill.",
        "The company says overtime also caused the strike.",
        "Because the police say arson destroyed the mill, the owner was paid nothing.",
        "What did police say destroyed the mill?",
    ],
)
def test_no_account_that_stands_against_another(text: str) -> None:
    assert _told(text) == []


@pytest.mark.parametrize(
    "behind", ["The owner says a short circuit destroyed it.", "The owner says a short circuit did."]
)
def test_what_is_not_named_again_is_what_was_told(behind: str) -> None:
    first, second = _told(f"Police say arson destroyed the mill. {behind}")
    assert first.effect == second.effect


def test_a_denial_of_another_account_gives_no_cause() -> None:
    _, denial = _told("Police say arson destroyed the mill. The owner denies this.")
    assert denial.denies
    assert not denial.cause
