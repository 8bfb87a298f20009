""" "As" before what had come about, and "as" before a likeness, a manner or a time."""

from __future__ import annotations

import pytest

from language.finished_clauses import opens_finished
from language.quick_sentences import quick_sentences


@pytest.mark.parametrize(
    ("text", "opens"),
    [
        ("The job failed as its account had lost permission.", True),
        ("The pumps did not start as their breaker had been tripped by water.", True),
        ("The driver braked as the train passed the signal.", False),
        ("He left as soon as the train had stopped.", False),
        ("The crew waited as they had been told.", False),
        ("The man named as the thief had fled.", False),
        ("He was known as the man who had stolen it.", False),
        ("She worked as a nurse and had lost her job.", False),
        ("Instruments such as the viol had emerged.", False),
    ],
)
def test_as_opens_a_reason_only_before_what_had_come_about(text: str, opens: bool) -> None:
    words = [token.lower for token in quick_sentences(text)[0].tokens]
    at = words.index("as")
    assert opens_finished(words, at, at + 1) is opens
