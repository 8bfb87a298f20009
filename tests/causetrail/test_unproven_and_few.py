"""A lack of proof is no denial, and what few did, or not all, is no plain answer; neither is ever told as a fact."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
DRUG = (
    "The judge said it was not proven that the drug caused the defects. The drug was withdrawn because sales were poor."
)
VACCINE = "There is no evidence that the vaccine caused the illness."
ARSON = "The hall burned down. There was no evidence of arson."
RULED_OUT = "Tests ruled out that the vaccine caused the illness."
NOT_ALL = "Not all patients died because of the infection. Some had cancer."
FEW = "Few passengers complained because of the delay."
SOME = "A few passengers complained because of the delay."
SUPPORTED, CONTRADICTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT


@pytest.mark.parametrize("strategy", ["default", "text-only", "causal-graph"])
@pytest.mark.parametrize(
    ("text", "question", "verdict"),
    [
        (DRUG, "Did the drug cause the defects?", INSUFFICIENT),
        (DRUG, "Why was the drug withdrawn?", SUPPORTED),
        (VACCINE, "Did the vaccine cause the illness?", INSUFFICIENT),
        (VACCINE, "What caused the illness?", INSUFFICIENT),
        (RULED_OUT, "Did the vaccine cause the illness?", CONTRADICTED),
        (NOT_ALL, "Did the infection cause patients to die?", INSUFFICIENT),
        (NOT_ALL, "Why did patients die?", INSUFFICIENT),
        (FEW, "Why did passengers complain?", INSUFFICIENT),
        (FEW, "Did the delay cause passengers to complain?", INSUFFICIENT),
        (FEW, "Why did few passengers complain?", SUPPORTED),
        (SOME, "Why did passengers complain?", SUPPORTED),
    ],
)
def test_neither_a_lack_of_proof_nor_a_few_is_told_as_more(
    text: str, question: str, verdict: Verdict, strategy: str, alone: Alone
) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is verdict, told.text
    if verdict is INSUFFICIENT:
        assert "denied" not in told.text
        assert "No statement was found" not in told.text
        assert any(evidence.quote in text for evidence in told.evidence)


@pytest.mark.parametrize("strategy", ["default", "text-only"])
def test_no_evidence_of_it_is_no_denial_of_it(strategy: str, alone: Alone) -> None:
    told = alone(ARSON).ask("Was there arson?", strategy=strategy)
    assert told.verdict is INSUFFICIENT, told.text
    assert "There was no evidence of arson." in told.text
