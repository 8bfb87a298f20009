"""Where it is the reason that is denied, what happened is not; a denial of what happened stays one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
FROST = "The tank at Orn did not burst because of frost."
MADE = f"{FROST} Rust made the tank burst."
CAUSED = f"{FROST} The burst of the tank was caused by rust."
CLEFT = f"{FROST} It was rust that made it burst."
APART = f"{FROST} The night was mild. Rust made the tank at Orn burst."
FIRST = f"Rust made the tank at Orn burst. {FROST}"
VALVE = "The tank at Orn did not burst because the valve was open."
BOILER = "The pump at Orn did not fail because of the new seal. The motor failed because of dust."
COLD = f"{FROST} It was cold."
SUPPORTED, CONTRADICTED = Verdict.SUPPORTED, Verdict.CONTRADICTED


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize("text", [MADE, CAUSED, CLEFT, APART, FIRST])
def test_what_happened_for_another_reason_did_happen(text: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask("Did the tank at Orn burst?", strategy=strategy)
    assert told.verdict is SUPPORTED, told.text


@pytest.mark.parametrize("text", [MADE, CAUSED, CLEFT, APART, FIRST])
def test_the_graph_alone_never_denies_it(text: str, alone: Alone) -> None:
    told = alone(text).ask("Did the tank at Orn burst?", strategy="causal-graph")
    assert told.verdict is not CONTRADICTED, told.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize("text", [MADE, CAUSED, CLEFT])
def test_the_reason_is_denied(text: str, strategy: str, alone: Alone) -> None:
    told = alone(text).ask("Did the tank at Orn burst because of frost?", strategy=strategy)
    assert told.verdict is CONTRADICTED, told.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question", "verdict"),
    [
        (VALVE, "Did the tank at Orn burst?", CONTRADICTED),
        (VALVE, "Why did the tank at Orn not burst?", SUPPORTED),
        (BOILER, "Did the pump at Orn fail?", CONTRADICTED),
        (BOILER, "Why did the pump at Orn not fail?", SUPPORTED),
        (COLD, "Did the tank at Orn burst?", CONTRADICTED),
    ],
)
def test_what_did_not_happen_is_denied(text: str, question: str, verdict: Verdict, strategy: str, alone: Alone) -> None:
    told = alone(text).ask(question, strategy=strategy)
    assert told.verdict is verdict, told.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize("behind", ["It burst", "It burst two days later"])
def test_why_it_happened_is_told_by_the_other_reason(behind: str, strategy: str, alone: Alone) -> None:
    told = alone(f"{FROST} {behind} because the wall was rusty.").ask(
        "Why did the tank at Orn burst?", strategy=strategy
    )
    assert told.verdict is SUPPORTED, told.text
    assert "rusty" in told.text


@pytest.mark.parametrize("behind", ["It held because the wall was new.", "It was closed because the pump burst."])
def test_what_it_did_besides_is_no_reason_why_it_happened(behind: str, alone: Alone) -> None:
    told = alone(f"{FROST} {behind}").ask("Why did the tank at Orn burst?", strategy="text-only")
    assert told.verdict is not SUPPORTED, told.text
