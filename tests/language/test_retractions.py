"""What a sentence behind another makes of it."""

from __future__ import annotations

import pytest

from language.quick_sentences import quick_sentences
from language.retractions import taken_back

TOLD = "Blasting caused the landslide at Orn."
REPORTED = "The Herald reported that blasting caused the landslide at Orn."
DENIED, WITHDRAWN, STANDS = (True, "actual"), (False, "hypothetical"), (False, "actual")


def _made_of(first: str, behind: str) -> tuple[bool, str]:
    sentence, *others = quick_sentences(f"{first} {behind}")
    return taken_back(sentence, others)


@pytest.mark.parametrize(
    "behind",
    [
        "This was false.",
        "These reports were wrong.",
        "That turned out to be false.",
        "However, that was incorrect.",
        "The report was not true.",
        "The claims are unfounded.",
        "It was a hoax.",
        "It was later found that this was false.",
        "It turned out that this was not the case.",
        "The inquiry ruled this out.",
        "This theory has been ruled out.",
        "Experts have since refuted this theory.",
        "The inquiry dismissed this theory.",
        "An inquiry found this to be untrue.",
        "A later study disproved this.",
        "There is no truth in this.",
    ],
)
def test_it_is_denied(behind: str) -> None:
    assert _made_of(TOLD, behind) == DENIED


@pytest.mark.parametrize("behind", ["The inquiry found no evidence of this.", "This has never been proven."])
def test_it_is_left_without_proof(behind: str) -> None:
    assert _made_of(TOLD, behind) == (True, "possible")


@pytest.mark.parametrize(
    ("first", "behind"),
    [
        (TOLD, "This was wrong."),
        (TOLD, "In fact, this was wrong."),
        (TOLD, "The agency later withdrew this report."),
        (TOLD, "The paper has since retracted the claim."),
        (TOLD, "That claim has been retracted."),
        (TOLD, "The report was withdrawn the next day."),
        (TOLD, "This report was widely read. It was later withdrawn."),
        (TOLD, "The slope had been bare for years. The report was later withdrawn."),
        (TOLD, "The geologists have since withdrawn their conclusion."),
        (TOLD, "The newspaper corrected the story on Monday."),
        (TOLD, "The agency later said that this was wrong."),
        (REPORTED, "The Herald is a daily paper. It later retracted the report."),
        (REPORTED, "It was later withdrawn."),
    ],
)
def test_nobody_says_it_any_more(first: str, behind: str) -> None:
    assert _made_of(first, behind) == WITHDRAWN


@pytest.mark.parametrize(
    "behind",
    [
        "This report was widely read.",
        "The paper withdrew its staff.",
        "These reports were confirmed.",
        "The study confirmed this.",
        "The army later withdrew.",
        "The operator withdrew it.",
        "It was withdrawn.",
        "The owner withdrew the complaint.",
        "This was later rescinded.",
        "The inquiry ruled out rain.",
        "The report was not withdrawn.",
        "Nobody has withdrawn the report.",
        "The agency may withdraw this report.",
        "This claim was never withdrawn.",
        "The claim that rain caused it was false.",
        "The insurer rejected the claim.",
        "This was not false.",
        "This was a mistake.",
        "That was the wrong season for it.",
        "That was false hope.",
        "It was wrong to blast there.",
        "It is not known whether this is true.",
        "The story was told in a film.",
        "Rain caused the flood at Arl. This was false.",
        "The Herald reported that the mayor had resigned. The report was withdrawn.",
    ],
)
def test_it_stands(behind: str) -> None:
    assert _made_of(TOLD, behind) == STANDS


def test_another_paragraph_takes_nothing_back() -> None:
    sentence, *others = quick_sentences(f"{TOLD}\n\nThis was false.")
    assert taken_back(sentence, others) == STANDS
