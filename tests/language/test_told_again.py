"""What a pronoun stands for by the sentence before."""

from __future__ import annotations

import pytest

from language.quick_sentences import quick_sentences
from language.told_again import with_antecedent


@pytest.mark.parametrize(
    ("asked", "text", "clause", "meant"),
    [
        ("the pump stop", "The pump failed on 3 May.", "It stopped", "pump stopped"),
        ("the pump stop", "The pump failed.", "Later it stopped", "pump stopped"),
        ("the pump stop", "The pump failed.", "The crew said, it stopped", "pump stopped"),
        ("the fire spread", "The fire started in the old kitchen.", "It spread", "fire spread"),
        ("the gate be shut", "The gate was shut by the guard.", "it was shut", "the gate be shut"),
        ("the gate be shut", "The guard shut the wall.", "it was shut", "it was shut"),
        ("the pump stop", "The pump of the mill failed.", "It stopped", "It stopped"),
        ("the pump stop", "The pump did not fail.", "It stopped", "It stopped"),
        ("the pump stop", "Did the pump fail?", "It stopped", "It stopped"),
        ("pump 2 stop", "Pump 3 failed.", "It stopped", "It stopped"),
        ("the pump stop", "The pump failed.", "The valve stopped", "The valve stopped"),
    ],
)
def test_a_pronoun_stands_for_the_one_thing_that_can_be_meant(asked: str, text: str, clause: str, meant: str) -> None:
    assert with_antecedent(asked, clause, quick_sentences(text)[0]) == meant


def test_nothing_stands_before_the_first_sentence() -> None:
    assert with_antecedent("the pump stop", "It stopped", None) == "It stopped"
