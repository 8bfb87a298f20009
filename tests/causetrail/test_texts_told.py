"""What an answer says is true to the documents, reads as a sentence, and is said once."""

from __future__ import annotations

from collections.abc import Callable

from api.printing import answer_lines
from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
STRIKE = "The strike ended after the union accepted a 6 percent pay rise."
FERRY = "The ferry sank on Monday."


def test_another_time_is_told_as_exactly_as_the_document_tells_it(alone: Alone) -> None:
    text = (
        "In 2019 the reservoir ran dry because of a drought. In March 2021 the reservoir ran dry because of a leak. "
        "On 4 May 2022 the reservoir ran dry because a valve had been left open."
    )
    (told,) = alone(text).ask("Why did the reservoir run dry in 2020?").missing
    assert "at another time (2019, 2021-03, 2022-05-04)" in told


def test_the_sentence_that_is_told_as_likely_is_not_shown_as_missing(alone: Alone) -> None:
    told = alone(f"{STRIKE} It had begun over working hours.").ask("Why did the strike end?")
    assert told.verdict is Verdict.HYPOTHESISED and STRIKE in told.text
    assert not any(STRIKE in line for line in told.missing)


def test_the_nearest_sentence_is_printed_once(alone: Alone) -> None:
    told = alone(FERRY).ask("Why did the ferry sink?")
    printed = list(answer_lines(told))
    assert sum(line.count("The ferry sank") for line in printed) == 1
    assert printed[-1].startswith("  missing: The nearest that the documents come to it is 1 (told.md:1); no statement")
    near = alone(STRIKE).ask("Why did the strike end?", strategy="text-only")
    assert any(line.endswith("may be said in 1 (told.md:1).") for line in answer_lines(near))
