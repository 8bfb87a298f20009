"""Mentions as the coreference head reads them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.tellings import telling, telling_of, trigger_of
from tests.extraction.test_resolution import mention


@pytest.mark.parametrize(
    ("text", "lemma", "trigger"),
    [
        ("the gauge had failed", "fail", "failed"),
        ("the failures of both pumps", "failure", "failures"),
        ("the gearbox broke down", "break down", "broke"),
        ("something odd", "fail", "something odd"),
    ],
)
def test_the_trigger_is_the_word_of_the_lemma(text: str, lemma: str, trigger: str) -> None:
    found = mention("1", 7, text, lemma=lemma)
    start, end = trigger_of(found)
    assert text[start - 7 : end - 7] == trigger


def test_the_text_around_is_cut_at_words_and_holds_the_sentence() -> None:
    text = "word " * 300 + "The pump failed." + " more" * 300
    start = text.index("The pump")
    found = telling_of(mention("1", start, "The pump failed.", lemma="fail"), text)
    assert found.text[slice(*found.sentence)] == "The pump failed."
    assert found.text[slice(*found.trigger)] == "failed"
    assert set(found.text.replace("The pump failed.", "").split()) == {"word", "more"}
    assert len(found.text) < 700
    assert found.words == {"pump"}


@given(st.text(min_size=1, max_size=1_500), st.data())
def test_spans_keep_their_words(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, min(len(text), start + 40)))
    first = data.draw(st.integers(max(0, start - 300), start))
    last = data.draw(st.integers(end, min(len(text), end + 300)))
    found = telling(text, "d", (start, end), (first, last), "x")
    assert found.text[slice(*found.trigger)] == text[start:end]
    assert found.text[slice(*found.sentence)] == text[first:last]
