"""A plain clause with the question's own words tells what did it; what only comes near that does not."""

from __future__ import annotations

import pytest

from language.quick_sentences import quick_sentences
from language.told_doers import told_doer


@pytest.mark.parametrize(
    ("question", "told", "tells"),
    [
        ("What stopped the train?", "A fallen tree stopped the train.", True),
        ("What stopped production at the Graz plant?", "A broken pump stopped production at the Graz plant.", True),
        ("What damaged the pier?", "The storm of 1987 damaged the old pier.", True),
        ("What damaged the old pier?", "The storm of 1987 damaged the pier.", False),
        ("What stopped the bus?", "The brakes did not stop the bus.", False),
        ("What stopped the bus?", "The bus stopped the next day.", False),
        ("What stopped the crowd?", "Nothing stopped the crowd.", False),
        ("What stopped the train?", "A fallen tree may have stopped the train.", False),
        ("What stopped the fire?", "Rain stopped the spread of the fire.", False),
        ("What stopped the train?", "The tree that stopped the train was removed.", False),
        ("What stopped the train?", "Officials feared that a tree stopped the train.", False),
        ("What stopped the trains to Oslo?", "A strike stopped the trains to Bergen.", False),
        ("What explains the higher rate of diabetes?", "Weight gain explains the higher rate of diabetes.", True),
        ("What explains the rate of diabetes?", "Weight gain explains the rate of obesity.", False),
        ("What explains the collapse?", "The report explains the collapse.", False),
        ("What made the road slippery?", "Heavy rain made the road slippery.", True),
        ("What did the storm damage?", "The storm damaged the pier.", False),
    ],
)
def test_what_did_it_stands_before_the_verb_and_what_it_was_done_to_behind(
    question: str, told: str, tells: bool
) -> None:
    assert bool(told_doer(question, quick_sentences(told)[0])) is tells
