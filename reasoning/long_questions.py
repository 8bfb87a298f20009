"""What a question that the encoder cannot read whole is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from causetrail.errors import PassageTooLong, QuestionTooLong


@contextmanager
def refusing_long(text: str) -> Iterator[None]:
    """The encoder counts tokens and people count characters: told is how many of these characters it would read."""
    try:
        yield
    except PassageTooLong as error:
        tokens, limit = int(str(error.details["tokens"])), int(str(error.details["limit"]))
        raise QuestionTooLong(length=len(text), limit=len(text) * limit // tokens) from None
