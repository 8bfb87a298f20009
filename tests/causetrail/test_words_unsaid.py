"""A yes to a question that names both ends itself vouches for all its words, or is none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
MILL = "The pumps went on. The mill stopped because of a power cut."
SHIP = "The ship left Oslo at noon. The vessel sank because of a leak in its hull."


@pytest.mark.parametrize("strategy", ["default", "causal-graph", "gap-filling"])
@pytest.mark.parametrize(
    ("text", "question", "word"),
    [
        (MILL, "Did the pumps stop because of a power cut?", "pumps"),
        (SHIP, "Did a leak cause the ship to sink?", "ship"),
    ],
)
def test_a_word_that_no_quote_has_makes_it_a_possibility(
    text: str, question: str, word: str, strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is Verdict.HYPOTHESISED
    assert told.text.startswith(f"Possibly, but the quotes do not speak of “{word}”: “The ")
    assert told.confidence < 0.5


@pytest.mark.parametrize("strategy", ["default", "causal-graph", "gap-filling"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (MILL, "Did the mill stop because of a power cut?"),
        (SHIP, "Did a leak cause the vessel to sink?"),
    ],
)
def test_what_the_quotes_say_in_all_its_words_is_a_yes(text: str, question: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert (told.verdict, told.text.split()[0]) == (Verdict.SUPPORTED, "Yes.")
