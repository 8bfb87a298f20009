"""Passages: nothing lost, nothing too long, aligned with sentences."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.passages import PassageCutter
from kg.encoding import Encoder
from kg.records import Document, Passage
from language.sentences import SentenceReader
from models.encoder import load_encoder

READER = SentenceReader()


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder("bge-small-en-v1.5", threads=1)


def cut(encoder: Encoder, text: str, pages: Sequence[int] = ()) -> tuple[Passage, ...]:
    return PassageCutter(encoder).cut("main", Document.id_of(text), text, READER.read(text), pages)


def check(encoder: Encoder, text: str, passages: Sequence[Passage]) -> None:
    outside, done = "", 0
    for ordinal, passage in enumerate(passages):
        assert passage.ordinal == ordinal
        assert passage.start >= done
        outside += text[done : passage.start]
        done = passage.end
    outside += text[done:]
    assert outside.strip() == ""
    quotes = [text[p.start : p.end] for p in passages]
    assert all(quote == quote.strip() for quote in quotes)
    assert max(encoder.count_tokens(quotes), default=0) <= encoder.max_tokens


WORDS = st.sampled_from(
    [
        "The pump failed.",
        "water ",
        "\n\n",
        "# Heading\n\n",
        "- item\n",
        "| a | b |\n",
        "x" * 700,
        "é́",
        "漢字" * 90,
        "🙂",
        " ",
    ]
)
TEXTS = st.one_of(
    st.lists(WORDS, min_size=1, max_size=40).map("".join),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=300),
)


@given(TEXTS)
@settings(max_examples=60, deadline=None)
def test_nothing_is_lost_and_nothing_is_too_long(text: str) -> None:
    encoder = load_once()
    check(encoder, text, cut(encoder, text))


def load_once(cache: list[Encoder] = []) -> Encoder:  # noqa: B006
    if not cache:
        cache.append(load_encoder("bge-small-en-v1.5", threads=1))
    return cache[0]


def test_passages_end_where_sentences_end(encoder: Encoder) -> None:
    text = " ".join(f"Pump {n} failed because its seal had worn thin over the winter." for n in range(60))
    passages = cut(encoder, text)
    ends = {sentence.end for sentence in READER.read(text)}
    assert len(passages) > 3
    assert all(p.end in ends for p in passages)
    counts = encoder.count_tokens([text[p.start : p.end] for p in passages])
    assert all(120 <= count <= 182 for count in counts[:-1])
    check(encoder, text, passages)


def test_a_sentence_longer_than_the_encoder_reads_is_cut_at_words(encoder: Encoder) -> None:
    text = "The pump " + "pumped water and " * 900 + "stopped."
    passages = cut(encoder, text)
    assert len(passages) > 4
    assert all(text[p.end] == " " for p in passages[:-1])
    check(encoder, text, passages)


def test_one_endless_word_is_cut_and_kept(encoder: Encoder) -> None:
    text = "ab1" * 4000
    check(encoder, text, cut(encoder, text))


def test_a_heading_stands_with_the_text_under_it(encoder: Encoder) -> None:
    paragraph = "The pump failed because its seal had worn thin. " * 14
    text = f"{paragraph}\n\n## Findings\n\n{paragraph}"
    passages = cut(encoder, text)
    holder = next(p for p in passages if "Findings" in text[p.start : p.end])
    assert text[holder.start : holder.end].startswith(("## Findings", "Findings"))


def test_the_page_is_that_of_the_first_character(encoder: Encoder) -> None:
    paragraph = "The pump failed because its seal had worn thin. " * 14
    text = f"{paragraph}\n\n{paragraph}"
    second = len(paragraph) + 2
    pages = {p.start >= second: p.page for p in cut(encoder, text, pages=(0, second))}
    assert pages == {False: 1, True: 2}


def test_other_languages_have_passages_too(encoder: Encoder) -> None:
    text = "Насос вышел из строя, потому что износилось уплотнение. " * 30 + "水位计发生故障。" * 200
    check(encoder, text, cut(encoder, text))


@pytest.mark.shared_data
def test_a_whole_report(encoder: Encoder) -> None:
    report = Path(__file__).parents[3] / "shared" / "data" / "reports" / "TAIC_r_2004_113.txt"
    if not report.exists():
        pytest.skip("the labelled data is not there")
    text = report.read_text(encoding="utf-8")
    check(encoder, text, cut(encoder, text))
