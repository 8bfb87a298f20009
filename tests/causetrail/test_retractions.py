"""What a later sentence, or the end of the same one, takes back is no fact; what is said beside it changes nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

TOLD = "Blasting caused the landslide at Orn."
DID, WHAT = "Did blasting cause the landslide at Orn?", "What caused the landslide at Orn?"
BURNED = "Arson destroyed the mill."
SUPPORTED, CONTRADICTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT
STRATEGIES = ["default", "text-only"]
Alone = Callable[[str], Causetrail]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "question", "verdict"),
    [
        (f"{TOLD} These reports were wrong.", DID, CONTRADICTED),
        (f"{TOLD} These reports were wrong.", WHAT, INSUFFICIENT),
        (f"{TOLD} The inquiry ruled this out.", DID, CONTRADICTED),
        (f"{TOLD} The agency later withdrew this report.", DID, INSUFFICIENT),
        (f"{TOLD} The agency later withdrew this report.", WHAT, INSUFFICIENT),
        (f"{TOLD} The slope was bare. The paper has since retracted the claim.", WHAT, INSUFFICIENT),
        ("An earlier report said that blasting caused the landslide at Orn; it was withdrawn.", WHAT, INSUFFICIENT),
        (f"{TOLD[:-1]}; this was later disproved.", DID, CONTRADICTED),
        (f"{TOLD[:-1]}, but the report was later withdrawn.", WHAT, INSUFFICIENT),
        (f"{BURNED} The police later withdrew this report.", "What destroyed the mill?", INSUFFICIENT),
        (f"{BURNED} The police later withdrew this report.", "Did arson destroy the mill?", INSUFFICIENT),
        (f"{TOLD} This report was widely read.", WHAT, SUPPORTED),
        (f"{TOLD} The paper withdrew its staff.", WHAT, SUPPORTED),
        (f"{TOLD} These reports were confirmed.", DID, SUPPORTED),
        (f"{TOLD[:-1]}; the owner withdrew his staff.", WHAT, SUPPORTED),
    ],
)
def test_what_is_taken_back_is_no_fact(text: str, question: str, verdict: Verdict, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is verdict, told.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("opening", "verdict"),
    [
        ("It is untrue that", CONTRADICTED),
        ("It is not true that", CONTRADICTED),
        ("The ministry denies that", CONTRADICTED),
        ("The ministry neither confirms nor denies that", INSUFFICIENT),
        ("The ministry would neither confirm nor deny that", INSUFFICIENT),
        ("The ministry could not confirm or deny that", INSUFFICIENT),
        ("The ministry refused to confirm that", INSUFFICIENT),
        ("The ministry confirms that", SUPPORTED),
        ("It is true that", SUPPORTED),
    ],
)
def test_what_is_neither_confirmed_nor_denied_is_not_denied(
    opening: str, verdict: Verdict, strategy: str, alone: Alone
) -> None:
    told = alone(f"{opening} b{TOLD[1:]}").ask(DID, strategy=strategy)
    assert told.verdict is verdict, told.text


@pytest.mark.parametrize("strategy", ["default", "text-only", "causal-graph"])
def test_what_a_novel_tells_behind_a_comma_is_no_fact(strategy: str, alone: Alone) -> None:
    assert alone(f"{TOLD[:-1]}, in the novel.").ask(WHAT, strategy=strategy).verdict is not SUPPORTED
    assert alone(f"{TOLD[:-1]}, in the north.").ask(WHAT, strategy=strategy).verdict is SUPPORTED


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_was_not_the_reason_is_denied(strategy: str, alone: Alone) -> None:
    question = "Did ice cause the mill at Orb to close?"
    assert alone("Ice was not the reason that the mill at Orb closed.").ask(question, strategy).verdict is CONTRADICTED
    assert alone("Ice was the reason that the mill at Orb closed.").ask(question, strategy).verdict is SUPPORTED
