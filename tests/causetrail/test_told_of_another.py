"""What is told of another one, of a part, or as no fact, answers nothing; what is told of the asked one does."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
SUPPORTED, CONTRADICTED = (Verdict.SUPPORTED,), (Verdict.CONTRADICTED,)
NO_FACT = (Verdict.INSUFFICIENT, Verdict.HYPOTHESISED)
HAMBURG = "In Hamburg the subway was shut down because of flooding. In Bremen, trams ran as usual."
FARMERS = "Farmers in the north lost their harvest because of frost. Farmers in the south lost theirs to hail."
SHARES = "The company's shares rose because the trial succeeded, and rivals' shares fell because investors sold them."
LIBRARY = (
    "The director of the museum resigned because thefts had come to light. The director of the library resigned too."
)
STAGE = "The second stage failed because of ice. The first stage worked."
PASSENGERS = "Ten of the 200 passengers were injured because the bus braked hard."
BOEING = "Unlike the Boeing, which crashed because of a jammed rudder, the Airbus landed safely on one engine."
SHIP = (
    "The ship sank because the captain was drunk, according to the harbour master. The captain says the rudder failed."
)
NOT_EXCLUDED = "Investigators have not ruled out that a cigarette caused the fire."
NO_DOUBT = "There is no doubt that the landslide was caused by the road works."
STRIKES = "Trains stood still because of a strike in France. There was no strike in Germany."
POLICE = "The police investigated the crash because a child had died."
RING = "A second examination revealed a broken piston ring, which had caused the loss of power."
TSUNAMI = "A tsunami warning led to panic in the harbour."
SIMULATED = "In the simulation, a leak of 5 kilograms led to an explosion."
RAIN = "Heavy rain caused a landslide near Arlen."
NURSES = (
    "A study found that night work increased the risk of cancer. A larger study of 50,000 women found no such increase."
)
BRIDGE = "The bridge did not collapse immediately when the ship struck it. It fell because a pier gave way."


@pytest.mark.parametrize("strategy", ["default", "causal-graph"])
@pytest.mark.parametrize(
    ("text", "question", "verdicts"),
    [
        (HAMBURG, "Why was the subway in Bremen shut down?", NO_FACT),
        (HAMBURG, "Why was the subway in Hamburg shut down?", SUPPORTED),
        (FARMERS, "Why did farmers in the south lose their harvest?", NO_FACT),
        (FARMERS, "Why did farmers in the north lose their harvest?", SUPPORTED),
        (SHARES, "Why did the company's shares fall?", NO_FACT),
        (SHARES, "Why did rivals' shares fall?", SUPPORTED),
        (LIBRARY, "Why did the director of the library resign?", NO_FACT),
        (STAGE, "Why did the first stage fail?", NO_FACT),
        (STAGE, "Why did the second stage fail?", SUPPORTED),
        (PASSENGERS, "Why were 200 passengers injured?", NO_FACT),
        (PASSENGERS, "Why were passengers injured?", SUPPORTED),
        (BOEING, "Why did the Airbus crash?", NO_FACT),
        (SHIP, "Why did the ship sink?", NO_FACT),
        (NOT_EXCLUDED, "Did a cigarette cause the fire?", NO_FACT),
        (NO_DOUBT, "Did the road works cause the landslide?", SUPPORTED),
        (POLICE, "What caused the crash?", NO_FACT),
        (RAIN, "What caused the landslide?", SUPPORTED),
        (TSUNAMI, "Did a tsunami cause panic?", NO_FACT),
        (TSUNAMI, "What led to panic?", SUPPORTED),
        (SIMULATED, "What led to an explosion?", NO_FACT),
    ],
)
def test_another_one_or_no_fact_gives_no_cause(
    text: str, question: str, verdicts: tuple[Verdict, ...], strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict in verdicts, told.text


@pytest.mark.parametrize(
    ("text", "question", "verdicts"),
    [
        (BOEING, "Did the Airbus crash?", NO_FACT),
        (BOEING, "Did the Boeing crash?", SUPPORTED),
        (TSUNAMI, "Was there a tsunami?", NO_FACT),
        (TSUNAMI, "Was there panic in the harbour?", SUPPORTED),
        (SIMULATED, "Was there an explosion?", NO_FACT),
        (STRIKES, "Was there a strike?", SUPPORTED),
        (STRIKES, "Was there a strike in Germany?", CONTRADICTED),
        (BRIDGE, "Did the bridge collapse?", NO_FACT),
        (NURSES, "Does night work increase the risk of cancer?", NO_FACT),
        (STAGE, "Did the first stage fail?", NO_FACT),
        (STAGE, "Did the second stage fail?", SUPPORTED),
        ("The stage failed to ignite.", "Did the stage fail?", SUPPORTED),
        ("The vaccine did not fail to protect the children.", "Did the vaccine fail?", CONTRADICTED),
    ],
)
def test_yes_or_no_is_told_of_the_one_asked(
    text: str, question: str, verdicts: tuple[Verdict, ...], alone: Alone
) -> None:
    told = alone(text).ask(question)
    assert told.verdict in verdicts, told.text


def test_what_was_found_and_not_the_finding_is_the_cause(alone: Alone) -> None:
    told = alone(RING).ask("What caused the loss of power?")
    assert told.verdict is Verdict.SUPPORTED
    assert "examination" not in told.text.partition("because")[2]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "The owner said that poor sales forced the mill to close. In fact, sales had been good.",
            "Why did the mill close?",
        ),
        ("The study could not show that the diet lowers blood pressure.", "Does the diet lower blood pressure?"),
    ],
)
def test_what_is_set_right_or_not_shown_is_no_fact_and_no_denial(text: str, question: str, alone: Alone) -> None:
    told = alone(text).ask(question)
    assert told.verdict in NO_FACT, told.text
