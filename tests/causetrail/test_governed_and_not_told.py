"""What somebody fears, denies, foresees or is suspected of is no fact; beside it stands what is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
TOLD = (Verdict.SUPPORTED,)
NO_FACT = (Verdict.INSUFFICIENT, Verdict.CONTRADICTED, Verdict.HYPOTHESISED)
FEARED = "Residents feared that the dam would burst. It did not."
ARRESTED = "A man was arrested on suspicion of setting fire to a barn. He was released without charge."
WARNED = "The airline had warned that a strike would ground 300 flights."
DENIED = "The company said that it had not dumped waste into the river."
FOUND = "The court found that the firm dumped waste into the river."
UNKNOWN = "Police do not know who started the fire."
REJECTED = "The company rejected claims that its pesticide had killed the bees. A parasite killed them, it said."


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question", "verdicts"),
    [
        (FEARED, "Did the dam burst?", NO_FACT),
        (FEARED, "What did residents fear?", TOLD),
        ("The dam burst, as residents had feared.", "Did the dam burst?", TOLD),
        (ARRESTED, "Did the man set fire to the barn?", NO_FACT),
        (ARRESTED, "Who set fire to the barn?", NO_FACT),
        (ARRESTED, "Who was arrested on suspicion of setting fire to a barn?", TOLD),
        ("The suspect pleaded not guilty to poisoning the lake.", "Did the suspect poison the lake?", NO_FACT),
        (DENIED, "Did the company dump waste into the river?", NO_FACT),
        (DENIED, "Who dumped waste into the river?", NO_FACT),
        (FOUND, "Did the firm dump waste into the river?", TOLD),
        (FOUND, "Who dumped waste into the river?", TOLD),
        ("Police said that a driver had hit the wall.", "Who hit the wall?", TOLD),
        (WARNED, "What grounded 300 flights?", NO_FACT),
        (WARNED, "Were 300 flights grounded?", NO_FACT),
        (f"{WARNED[:-1]}, and on Monday the strike grounded 300 flights.", "What grounded 300 flights?", TOLD),
        ("She warned the crew and then closed the valve.", "Who closed the valve?", TOLD),
        ("The hospital warned that a shortage of blood would delay operations.", "Were operations delayed?", NO_FACT),
        ("It recalled 9,000 cars because the brakes could fail.", "Did the brakes fail?", NO_FACT),
        ("The report rules out sabotage.", "Was it sabotage?", NO_FACT),
        ("My uncle smoked for 40 years and never fell ill.", "Did my uncle fall ill?", (Verdict.CONTRADICTED,)),
        ("The antidote came too late to save the child.", "Did the antidote save the child?", NO_FACT),
        ("The strike did little to reduce production.", "Did the strike reduce production?", NO_FACT),
        ("Doctors expected that the treatment would cure most patients.", "What cured most patients?", NO_FACT),
        ("Few expected that the treatment would work, but it cured most patients.", "What cured most patients?", TOLD),
        (UNKNOWN, "What started the fire?", NO_FACT),
        (UNKNOWN, "Did police start the fire?", NO_FACT),
        (REJECTED, "What killed the bees?", NO_FACT),
        ("According to legend, a jealous baker set the mill alight.", "Who set the mill alight?", NO_FACT),
        ("The ministry is investigating claims that soldiers burned the village.", "Who burned the village?", NO_FACT),
        ("The king, who feared the French, built the castle in 1204.", "Did the king build the castle?", TOLD),
        ("The guard did not lock the gate until nine.", "Who locked the gate?", TOLD),
    ],
)
def test_what_stands_under_a_governor_is_no_fact(
    text: str, question: str, verdicts: tuple[Verdict, ...], strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict in verdicts, told.text
