from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from language.layout import read_blocks
from language.sentences import SentenceReader

READER = SentenceReader()
LINES = st.lists(
    st.sampled_from(
        [
            "The pump failed.",
            "because the seal of the pump had been worn for a long time before the inspection and",
            "",
            "- a bullet",
            "# Heading",
            "| a | b |",
            "```",
            "4.1.3. The gauge stopped. It was old.",
            "Narrative ........ 3",
            "Page 10 | Report 10-001",
            "> quoted text",
            "---",
            "\f",
            "12",
            "…",
        ]
    ),
    max_size=12,
).map("\n".join)


def texts(text: str) -> list[str]:
    return [" ".join(sentence.text.split()) for sentence in READER.read(text)]


def prose(text: str) -> list[str]:
    return [" ".join(sentence.text.split()) for sentence in READER.read(text) if sentence.prose]


@settings(deadline=None)
@given(st.one_of(st.text(max_size=300), LINES))
@example("Ünïcode 😀 failed. \u2028 Next\u0085 line\r\n\r\nEnd.")
@example("\x1cA.\x00B")
@example("00000\r00000\x0c0000000000000\x0c0\ra")
@example("<\rPage 0000|000\ra")
@example("0<0\r0<0\x0c00000000000<0\x0ca\r0<0")
def test_every_offset_is_exact_and_only_layout_is_left_out(text: str) -> None:
    check_offsets(text)


@pytest.mark.parametrize("unit", ["a", "(", "word ", ".", "a.b", "\n", ". ", "1.\n", "| ", "'", "http://a.b/", "- a\n"])
def test_offsets_of_long_texts(unit: str) -> None:
    check_offsets(unit * (30_000 // len(unit)))


def check_offsets(text: str) -> None:
    sentences = READER.read(text)
    position, block = 0, 0
    for sentence in sentences:
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == sentence.text.strip()
        assert sentence.start >= position
        assert sentence.block >= block
        assert sentence.tokens[0].start == sentence.start
        assert sentence.tokens[-1].end == sentence.end
        inner = sentence.start
        for token in sentence.tokens:
            assert text[token.start : token.end] == token.text
            assert token.text
            assert token.start >= inner
            assert not text[inner : token.start].strip() or block_marks(text[inner : token.start], text)
            inner = token.end
        assert not text[position : sentence.start].strip() or block_marks(text[position : sentence.start], text)
        position, block = sentence.end, sentence.block
    assert not text[position:].strip() or block_marks(text[position:], text)


def block_marks(between: str, text: str) -> bool:
    """Marks of the layout: short, without letters or numbers, or a running head, which names a page or comes back."""
    return all(
        len(line.strip()) <= 12
        or "Page" in line
        or not any(map(str.isalnum, line))
        or lines_told(text)[without_numbers(line)] > 1
        for line in between.splitlines()
    )


@lru_cache(maxsize=1)
def lines_told(text: str) -> Counter[str]:
    """How often each line of a text comes."""
    return Counter(without_numbers(line) for line in text.splitlines())


def without_numbers(line: str) -> str:
    return re.sub(r"\d+", "", line).strip()


@settings(deadline=None)
@given(st.one_of(st.text(max_size=300), LINES))
def test_blocks_have_the_documents_length_and_do_not_overlap(text: str) -> None:
    position = 0
    for block in read_blocks(text):
        assert block.start >= position
        stretch = text[block.start : block.start + len(block.text)]
        assert len(stretch) == len(block.text)
        assert all(ours in (theirs, " ") for ours, theirs in zip(block.text, stretch, strict=True))
        position = block.start + len(block.text)


@pytest.mark.parametrize(
    "text",
    [
        "He met Mr. Smith in No. 5 on approx. 3 May.",
        "The U.S. Navy ship left at 5 p.m. Monday.",
        "The valve (see Fig. 3) opened, e.g. by J. R. Smith of Acme Inc. in Texas.",
        "It rose by 3.5 m in St. Louis.",
        'He asked "Why?" and left.',
        "The train ... stopped at last.",
        "The Hon. J.R. Smith spoke.",
    ],
)
def test_a_full_stop_inside_a_sentence(text: str) -> None:
    assert texts(text) == [text]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The pump failed. The mine flooded.", 2),
        ("The pump failed at 5 p.m. The mine flooded.", 2),
        ("He left the U.S. The ship sank.", 2),
        ('"It failed." The mine flooded.', 2),
        ("The pump failed (again). Why? Nobody knows!", 3),
        ("The route went via the line.4 This was permitted.", 2),
        ("It failed in 2014. The mine flooded.", 2),
        ("Answer: no. Then it broke.", 2),
        ("泵坏了。矿井被淹了。", 2),
    ],
)
def test_where_sentences_end(text: str, count: int) -> None:
    assert len(texts(text)) == count


def test_a_line_end_in_a_paragraph_ends_nothing() -> None:
    text = "The pump failed because the seal was worn, and the water rose in the gallery until the\nMine was flooded."
    assert len(texts(text)) == 1


def test_a_full_line_goes_on_even_with_a_capital() -> None:
    text = (
        "The water rose in the lower gallery of the mine because nobody had told the people of Arlen\nDam of the rain."
    )
    assert len(texts(text)) == 1
    assert (
        len(texts("Water in the mine\nThe water rose in the lower gallery because nobody had told the people of it."))
        == 2
    )


def test_a_report_page() -> None:
    text = (
        "<< Page 3 >>\n"
        "Report 09 -101 |Page 3 3. Factual information\n"
        "Narrative\n"
        "3.1. ZH Class Wagon\n"
        "3.1.1. A ZH wagon is a high volume door wagon on a modified ZA class wagon under-frame that was\n"
        "built in 1995. It is heavy.\n"
        "1 The Government purchased the rail business from the company in July 2008.\n"
        "Figure 1\n"
        "A ZH class wagon\n"
        "Contents ................ 7\n"
    )
    assert prose(text) == [
        "A ZH wagon is a high volume door wagon on a modified ZA class wagon under-frame that was built in 1995.",
        "It is heavy.",
        "The Government purchased the rail business from the company in July 2008.",
    ]


def test_a_sentence_goes_on_behind_a_page_break() -> None:
    text = "It was found that the standards of the\n\n<< Page 4 >>\nPage 4 | Report 1\n\nindustry were not met. Next."
    (first, second) = (sentence for sentence in READER.read(text) if sentence.prose)
    assert [token.text for token in first.tokens][-7:] == ["of", "the", "industry", "were", "not", "met", "."]
    assert second.text == "Next."


def test_a_paragraph_glued_to_a_running_head() -> None:
    text = "Page 6 | Report 09 -101 3.2.12. From the reference mark it was confirmed that the\nframe was old."
    assert prose(text) == ["From the reference mark it was confirmed that the frame was old."]


def test_markdown() -> None:
    text = (
        "# The pump failed\n\nThe seal was *worn*.\n\n- The mine flooded.\n- the gauge stuck because of dust\n\n"
        "> It was dark.\n> Nobody came.\n\n| 14:32 | The pump stopped. |\n|---|---|\n\n"
        "```\nx = 1. Then 2.\n```\nIt ended.\n"
    )
    assert prose(text) == [
        "The seal was *worn*.",
        "The mine flooded.",
        "the gauge stuck because of dust",
        "It was dark.",
        "Nobody came.",
        "It ended.",
    ]


def test_text_without_a_full_stop_is_prose_when_it_says_something() -> None:
    assert prose("the pump failed because the seal wore out") == ["the pump failed because the seal wore out"]
    assert prose("Key Commission Personnel") == []


def test_the_reader_is_the_same_for_the_same_text() -> None:
    text = "The pump failed. The mine flooded."
    assert SentenceReader().read(text) == READER.read(text)
    assert SentenceReader().fingerprint == READER.fingerprint
