from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causetrail.errors import ModelDamaged, ModelMissing
from language.sentences import SentenceReader
from models.factuality_heads import (
    BEFORE,
    BEHIND,
    MODALITIES,
    NAME,
    NOWHERE,
    PLACES,
    RELATIONS,
    FactualityHeads,
    Telling,
    anchors,
    factuality_fingerprint,
    window,
)
from models.relation_heads import Floats, RelationHeads, Words
from models.weights_card import HEAD_FILE, WEIGHTS
from training.relation_heads import touched
from training.relation_sets import words_of

SENTENCES = SentenceReader()


@pytest.fixture(scope="module")
def trunk() -> RelationHeads:
    return RelationHeads()


@pytest.fixture(scope="module")
def heads(trunk: RelationHeads) -> FactualityHeads:
    return FactualityHeads(trunk.fingerprint)


def early_of(trunk: RelationHeads, text: str) -> Floats:
    reading = trunk.read(text, words_of(SENTENCES, text))
    assert reading is not None
    assert reading.early is not None
    return reading.early


def span(text: str, phrase: str) -> Words:
    start = text.index(phrase)
    return touched(words_of(SENTENCES, text), (start, start + len(phrase)))


def told(trunk: RelationHeads, heads: FactualityHeads, text: str, cause: str, effect: str, signal: str) -> Telling:
    spans = (span(text, cause), span(text, effect), span(text, signal) if signal else None)
    return heads.tell(early_of(trunk, text), *spans)


@pytest.mark.parametrize(
    ("text", "cause", "effect", "signal", "modality"),
    [
        ("The storm caused a blackout.", "The storm", "a blackout", "caused", "actual"),
        ("The leak may have caused the fire.", "The leak", "the fire", "may have caused", "possible"),
        ("They marched to demand better pay.", "demand better pay", "They marched", "to", "planned"),
        ("If the dam breaks, the valley will flood.", "the dam breaks", "the valley will flood", "If", "hypothetical"),
    ],
)
def test_how_real_a_relation_is(
    trunk: RelationHeads, heads: FactualityHeads, text: str, cause: str, effect: str, signal: str, modality: str
) -> None:
    shares = told(trunk, heads, text, cause, effect, signal).modalities
    assert max(shares, key=lambda name: shares[name]) == modality


@pytest.mark.parametrize(
    ("text", "cause", "effect", "signal", "relation"),
    [
        ("The storm caused a blackout.", "The storm", "a blackout", "caused", "CAUSES"),
        ("The new rules allow banks to lend more.", "The new rules", "banks to lend more", "", "ENABLES"),
        ("The new rules prevent banks from lending more.", "The new rules", "banks from lending more", "", "PREVENTS"),
    ],
)
def test_which_relation_it_is(
    trunk: RelationHeads, heads: FactualityHeads, text: str, cause: str, effect: str, signal: str, relation: str
) -> None:
    shares = told(trunk, heads, text, cause, effect, signal).relations
    assert max(shares, key=lambda name: shares[name]) == relation


@pytest.mark.parametrize(
    ("text", "word", "denied"),
    [
        ("The alarm did not sound.", "sound", True),
        ("The alarm sounded.", "sounded", False),
        ("There was no fire in the mill.", "fire", True),
        ("There was a fire in the mill, and nobody had closed the door.", "fire", False),
    ],
)
def test_what_is_denied(trunk: RelationHeads, heads: FactualityHeads, text: str, word: str, denied: bool) -> None:
    assert (heads.denial(early_of(trunk, text), span(text, word)) >= heads.denial_floor) is denied


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_any_words_give_shares(heads: FactualityHeads, data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 40))
    cut = data.draw(st.integers(1, count - 1))
    early = np.random.default_rng(count).normal(size=(count, 384)).astype(np.float32)
    spans = [(0, cut - 1), (cut, count - 1)]
    place = data.draw(st.integers(0, count - 1))
    telling = heads.tell(early, *data.draw(st.permutations(spans)), data.draw(st.sampled_from([None, (place, place)])))
    assert tuple(telling.relations) == RELATIONS
    assert tuple(telling.modalities) == MODALITIES
    for shares in telling:
        assert all(share >= 0 for share in shares.values())
        assert sum(shares.values()) == pytest.approx(1, abs=1e-5)
    assert 0 <= heads.denial(early, (place, place)) <= 1


@given(st.integers(1, 60), st.data())
def test_a_window_holds_each_word_around_a_span_once(count: int, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, count - 1))
    last = data.draw(st.integers(first, count - 1))
    places = window((first, last), count)
    words = [place for place in places if place != NOWHERE]
    assert len(places) == PLACES
    assert len(set(words)) == len(words)
    assert words == sorted(words)
    assert set(words) <= set(range(count))
    around = {*range(max(first - BEFORE, 0), first), *range(last + 1, min(last + 1 + BEHIND, count)), first, last}
    assert around <= set(words)


@pytest.mark.parametrize(
    ("cause", "effect", "signal", "stands"),
    [
        ((0, 1), (4, 5), (2, 2), (2, 2)),
        ((0, 1), (4, 5), None, (2, 3)),
        ((4, 5), (0, 1), None, (2, 3)),
        ((0, 1), (2, 5), None, (1, 1)),
    ],
)
def test_what_stands_for_a_signal(cause: Words, effect: Words, signal: Words | None, stands: Words) -> None:
    assert anchors(cause, effect, signal) == (cause, effect, stands)


def test_a_changed_file_is_refused(tmp_path: Path, trunk: RelationHeads) -> None:
    shutil.copytree(WEIGHTS / NAME, tmp_path / NAME)
    with (tmp_path / NAME / HEAD_FILE).open("r+b") as file:
        file.seek(50_000)
        file.write(b"\0\1\2\3")
    with pytest.raises(ModelDamaged, match=HEAD_FILE):
        FactualityHeads(trunk.fingerprint, tmp_path / NAME)
    with pytest.raises(ModelDamaged, match=HEAD_FILE):
        factuality_fingerprint(tmp_path / NAME)


def test_heads_of_another_trunk_are_refused() -> None:
    with pytest.raises(ModelMissing, match="other relation heads"):
        FactualityHeads("another")


def test_the_fingerprint_is_known_without_loading(heads: FactualityHeads) -> None:
    assert factuality_fingerprint() == heads.fingerprint
    assert heads.fingerprint.startswith(NAME)
