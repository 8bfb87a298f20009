from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causetrail.errors import ModelDamaged
from language.sentences import SentenceReader
from models.relation_heads import (
    BUCKETS,
    DISTANCES,
    LONGEST,
    NAME,
    RelationHeads,
    RelationReading,
    Words,
    distance_class,
    heads_fingerprint,
    length_class,
    overlap,
    word_of_token,
)
from models.weights_card import HEAD_FILE, WEIGHTS
from training import relation_sets

SENTENCES = SentenceReader()
SPANS = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda pair: (min(pair), max(pair)))


@pytest.fixture(scope="module")
def heads() -> RelationHeads:
    return RelationHeads()


def words_of(text: str) -> list[tuple[int, int]]:
    return relation_sets.words_of(SENTENCES, text)


def read(heads: RelationHeads, text: str) -> RelationReading:
    reading = heads.read(text, words_of(text))
    assert reading is not None
    return reading


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The trains stopped because the signals had failed.", "the signals had failed", "The trains stopped"),
        ("Heavy rain led to flooding in three towns.", "Heavy rain", "flooding in three towns"),
        ("The workers went on strike over unpaid wages.", "unpaid wages", "The workers went on strike"),
        ("Two people died in the blast.", "the blast", "Two people died"),
    ],
)
def test_a_cause_and_its_effect(heads: RelationHeads, text: str, cause: str, effect: str) -> None:
    words = words_of(text)
    reading = read(heads, text)
    best = reading.relations[0]

    def said(span: Words) -> str:
        return text[words[span[0]][0] : words[span[1]][1]]

    assert reading.causal > 0.5
    assert (said(best.cause), said(best.effect)) == (cause, effect)
    assert best.probability > 0.5


@pytest.mark.parametrize("text", ["The council met on Tuesday in the town hall.", "The bridge is 40 metres long."])
def test_a_sentence_without_a_cause(heads: RelationHeads, text: str) -> None:
    reading = read(heads, text)
    assert reading.causal < 0.5
    assert all(relation.probability < 0.5 for relation in reading.relations)


@settings(max_examples=30, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=120))
def test_any_text_gives_spans_inside_it_or_nothing(heads: RelationHeads, text: str) -> None:
    words = words_of(text)
    reading = heads.read(text, words)
    if reading is None:
        return
    assert 0 <= reading.causal <= 1
    assert len(reading.relations) <= 3
    for relation in reading.relations:
        for first, last in (relation.cause, relation.effect, relation.signal or (0, 0)):
            assert 0 <= first <= last < len(words)
        assert overlap(relation.cause, relation.effect) == 0
        assert 0 <= relation.probability <= 1


def test_a_reading_depends_on_its_text_alone(heads: RelationHeads) -> None:
    text = "The pump failed because its seal was worn."
    before = read(heads, text)
    read(heads, "Another sentence, much longer, that tells of nothing in particular.")
    assert read(heads, text) == before
    assert read(RelationHeads(), text) == before


def test_nothing_and_too_much_are_not_read(heads: RelationHeads) -> None:
    assert heads.read("", []) is None
    long = "pump " * (LONGEST + 1)
    assert heads.read(long, words_of(long)) is None
    dense = "橋" * 600
    assert heads.read(dense, [(0, 600)]) is None


def test_a_changed_file_is_refused(tmp_path: Path) -> None:
    shutil.copytree(WEIGHTS / NAME, tmp_path / NAME)
    with (tmp_path / NAME / HEAD_FILE).open("r+b") as file:
        file.seek(100_000)
        file.write(b"\0\1\2\3")
    for attempt in (RelationHeads, heads_fingerprint):
        with pytest.raises(ModelDamaged, match=HEAD_FILE):
            attempt(tmp_path / NAME)


def test_the_fingerprint_is_known_without_loading(heads: RelationHeads) -> None:
    assert heads_fingerprint() == heads.fingerprint
    assert heads.fingerprint.startswith(NAME)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=20), st.data())
def test_each_token_belongs_to_the_word_that_it_stands_in(sizes: list[int], data: st.DataObject) -> None:
    words: list[tuple[int, int]] = []
    for size in sizes:
        start = words[-1][1] + data.draw(st.integers(0, 1)) if words else 0
        words.append((start, start + size))
    tokens: list[tuple[int, int]] = [(0, 0)]
    for start, end in words:
        cut = data.draw(st.integers(start, end))
        tokens += [(first, last) for first, last in ((start, cut), (cut, end)) if first < last]
    tokens.append((0, 0))
    for (start, end), place in zip(tokens, word_of_token(tokens, words), strict=True):
        assert (place == -1) == (start == end)
        if place >= 0:
            assert words[place][0] <= start < end <= words[place][1]


@given(SPANS, SPANS)
def test_overlap_is_symmetric_and_a_share(one: Words, other: Words) -> None:
    assert overlap(one, other) == overlap(other, one)
    assert 0 <= overlap(one, other) <= 1
    assert (overlap(one, other) == 1) == (one == other)


def test_classes_of_length_and_distance() -> None:
    classes: Sequence[int] = length_class(np.arange(300)).tolist()
    assert classes[0] == 0
    assert classes == sorted(classes)
    assert max(classes) < BUCKETS
    told = {distance_class(*pair) for n in range(20) for pair in (((0, 1), (2 + n, 30)), ((2 + n, 30), (0, 1)))}
    assert told == set(range(2 * DISTANCES))
