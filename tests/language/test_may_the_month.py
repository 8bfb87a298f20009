"""The month of May is no modal verb."""

from __future__ import annotations

import pytest

from language.sentences import SentenceReader
from language.word_classes import WordClass, word_classes


@pytest.mark.parametrize(
    ("text", "modal"),
    [
        ("The tank overflowed on 3 May 2021 because the valve stuck.", False),
        ("The storm in May caused the flood.", False),
        ("May 2021 saw a flood.", False),
        ("The valve may have caused the overflow.", True),
        ("May the valve have caused the overflow?", True),
    ],
)
def test_may_is_modal_only_as_a_verb(text: str, modal: bool) -> None:
    (sentence,) = SentenceReader().read(text)
    assert (WordClass.MODAL in word_classes(sentence)) is modal
