"""Of what stopped something a plain sentence tells; to stop a happening is not to bring it about."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
STOPPED = (
    "A fallen tree stopped the train at Elm. The bus stopped at Orn the next day. The brakes did not stop the lorry."
)
HALTED = "Rain halted the spread of the fire at Elm."
SUPPORTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.INSUFFICIENT


@pytest.mark.parametrize(
    ("text", "question", "verdict"),
    [
        (STOPPED, "What stopped the train?", SUPPORTED),
        (STOPPED, "Why did the train stop?", SUPPORTED),
        (STOPPED, "What stopped the bus?", INSUFFICIENT),
        (STOPPED, "What stopped the lorry?", INSUFFICIENT),
        (HALTED, "What halted the spread of the fire?", SUPPORTED),
        (HALTED, "Did rain cause the spread of the fire?", INSUFFICIENT),
    ],
)
def test_what_stopped_a_thing_is_told_and_what_was_stopped_was_not_caused(
    alone: Alone, text: str, question: str, verdict: Verdict
) -> None:
    assert alone(text).ask(question).verdict is verdict
