"""What the clause around a statement makes of it."""

from __future__ import annotations

import pytest

from language.clauses import Clauses
from language.cues import cue_table
from language.framing import Frame, frame_of
from language.sentences import SentenceReader

TOLD = "the tank leaked because the valve was rusty"


def framed(text: str) -> tuple[Frame, str]:
    """What is made of the statement of the first cue, and the words of that statement."""
    (sentence,) = SentenceReader().read(text)
    clauses = Clauses(sentence)
    frame = frame_of(clauses, cue_table().find(sentence.tokens)[0].first)
    return frame, " ".join(clauses.words[slice(*frame.inner)])


@pytest.mark.parametrize(
    ("text", "denied", "modality"),
    [
        (f"The rumour that {TOLD} is untrue.", True, "actual"),
        (f"The claim that {TOLD} is a myth.", True, "actual"),
        (f"That {TOLD} is wrong.", True, "actual"),
        (f"It is far from true that {TOLD}.", True, "actual"),
        (f"There is no truth in the rumour that {TOLD}.", True, "actual"),
        (f"The committee rejected the idea that {TOLD}.", True, "actual"),
        (f"It would be a mistake to think {TOLD}.", True, "actual"),
        (f"Nobody believes that {TOLD}.", True, "possible"),
        (f"The report doubts that {TOLD}.", True, "possible"),
        (f"Nobody has shown that {TOLD}.", True, "possible"),
        (f"The inspector did not say that {TOLD}.", False, "hypothetical"),
        (f"Imagine that {TOLD}.", False, "hypothetical"),
        (f"{TOLD.capitalize()}, joked the mayor.", False, "hypothetical"),
        (f"The newspaper retracted its report that {TOLD}.", False, "hypothetical"),
        (f"Many people say {TOLD}.", False, "possible"),
        (f"It was thought for years that {TOLD}.", False, "possible"),
        (f"In the novel by Ada Moor, {TOLD}.", False, "possible"),
        (f"{TOLD.capitalize()}, claimed the owner.", False, "possible"),
        (f"{TOLD.capitalize()}, or so the story goes.", False, "possible"),
    ],
)
def test_what_a_sentence_makes_of_what_it_tells(text: str, denied: bool, modality: str) -> None:
    frame, words = framed(text)
    assert (frame.denied, frame.modality) == (denied, modality)
    assert words == TOLD


@pytest.mark.parametrize(
    "text",
    [
        f"{TOLD.capitalize()}.",
        f"The inspector said that {TOLD}.",
        f"The inquiry found that {TOLD}.",
        f"The fact that {TOLD} is well known.",
        f"It would not be wrong to say that {TOLD}.",
        f"The mayor joked that the sky had fallen, but {TOLD}.",
        "The rumour that the bank was insolvent caused a run on the bank.",
        "The claim that the water was poisoned led to a panic.",
        "The mayor resigned because he had lied to the council.",
        "The film failed because the script was poor.",
    ],
)
def test_what_is_told_plainly(text: str) -> None:
    assert framed(text)[0].is_plain
