from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causetrail.errors import ModelDamaged, ModelMissing
from language.sentences import SentenceReader
from models.event_pairs import (
    NAME,
    EventPairs,
    SentenceEvents,
    directed_logit,
    event_features,
    events_fingerprint,
    pair_features,
    roles,
)
from models.relation_heads import RelationHeads, SentenceScores
from models.weights_card import CARD, HEAD_FILE, WEIGHTS
from training.relation_sets import words_of

SENTENCES = SentenceReader()


@pytest.fixture(scope="module")
def heads() -> RelationHeads:
    return RelationHeads()


@pytest.fixture(scope="module")
def pairs(heads: RelationHeads) -> EventPairs:
    return EventPairs(heads.pairs, heads.fingerprint)


def scores_of(heads: RelationHeads, text: str) -> SentenceScores:
    reading = heads.read(text, words_of(SENTENCES, text))
    assert reading is not None
    assert reading.scores is not None
    return reading.scores


def events_of(heads: RelationHeads, text: str, *names: str) -> SentenceEvents:
    words = [text[start:end] for start, end in words_of(SENTENCES, text)]
    return SentenceEvents(scores_of(heads, text), tuple((words.index(name), words.index(name)) for name in names))


@pytest.mark.parametrize(
    ("text", "events"),
    [
        ("A bomb exploded in the market.", {"exploded"}),
        ("The crash killed ten people.", {"crash", "killed"}),
        ("Three people were arrested after the attack.", {"arrested", "attack"}),
    ],
)
def test_words_that_name_events(heads: RelationHeads, pairs: EventPairs, text: str, events: set[str]) -> None:
    words = [text[start:end] for start, end in words_of(SENTENCES, text)]
    found = pairs.events(scores_of(heads, text)).triggers
    assert {words[first] for first, _ in found} == events
    assert all(first == last for first, last in found)


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("Two people died in the blast.", "blast", "died"),
        ("The protesters were arrested for the attack.", "attack", "arrested"),
        ("The trains stopped because the signals had failed.", "failed", "stopped"),
    ],
)
def test_which_of_two_events_causes_the_other(
    heads: RelationHeads, pairs: EventPairs, text: str, cause: str, effect: str
) -> None:
    forward = text.index(cause) < text.index(effect)
    names = (cause, effect) if forward else (effect, cause)
    (link,) = pairs.links(events_of(heads, text, *names))
    assert (names[link.cause], names[link.effect], link.forward) == (cause, effect, forward)
    assert link.probability > pairs.link_floor


def test_events_that_nothing_links(heads: RelationHeads, pairs: EventPairs) -> None:
    text = "The council met on Tuesday and the team won its match."
    (link,) = pairs.links(events_of(heads, text, "met", "won"))
    assert link.probability < pairs.link_floor


def test_links_from_one_sentence_to_the_next(heads: RelationHeads, pairs: EventPairs) -> None:
    one = events_of(heads, "The dam burst at dawn.", "burst")
    then = events_of(heads, "The valley was flooded and two people drowned.", "flooded", "drowned")
    links = pairs.links(one, then)
    assert {(link.cause, link.effect) if link.forward else (link.effect, link.cause) for link in links} == {
        (0, 0),
        (0, 1),
    }
    assert all(0 <= link.probability <= 1 for link in links)
    assert not pairs.links(one)
    assert not pairs.links(one, SentenceEvents(then.scores, ()))


def made_up(words: int, seed: int) -> SentenceScores:
    draw = np.random.default_rng(seed)
    spans = draw.normal(size=(3, words, words)).astype(np.float32)
    spans[:, np.tril_indices(words, -1)[0], np.tril_indices(words, -1)[1]] = -np.inf
    return SentenceScores(draw.normal(size=(words, 4)).astype(np.float32), spans, float(draw.normal()))


@given(st.integers(1, 12), st.integers(0, 99))
def test_the_best_span_around_each_word(words: int, seed: int) -> None:
    scores = made_up(words, seed)
    expected = [[max(scores.spans[role, : word + 1, word:].ravel()) for word in range(words)] for role in range(3)]
    np.testing.assert_array_equal(roles(scores), np.array(expected, np.float32))
    assert event_features(scores).shape == (words, 4 + 3)


@settings(deadline=None)
@given(st.integers(2, 12), st.integers(0, 99), st.booleans(), st.data())
def test_candidate_spans_lie_apart_around_their_events(
    words: int, seed: int, across: bool, data: st.DataObject
) -> None:
    scores = made_up(words, seed)
    chosen = data.draw(st.sets(st.integers(0, words - 1), min_size=2, max_size=5))
    one = SentenceEvents(scores, tuple((word, word) for word in sorted(chosen)))
    seen = []

    def score(vectors: np.ndarray, candidates: list[tuple[tuple[int, int], tuple[int, int]]]) -> np.ndarray:  # type: ignore[type-arg]
        for cause, effect in candidates:
            assert cause[1] < effect[0] or effect[1] < cause[0]
            assert 0 <= cause[0] <= cause[1] < len(vectors)
            assert 0 <= effect[0] <= effect[1] < len(vectors)
        for (cause, effect), (first, then) in zip(candidates[::2], candidates[1::2], strict=True):
            assert cause[0] <= first[0] <= first[1] <= cause[1]
            assert effect[0] <= then[0] <= then[1] <= effect[1]
        seen.extend(candidates)
        return np.zeros(len(candidates), np.float32)

    ordered, features = pair_features(score, one, one if across else None)
    count = len(chosen)
    assert len(ordered) == (count * count if across else count * (count - 1) // 2)
    assert features.shape[:2] == (2, len(ordered))
    assert features.dtype == np.float32
    assert len(seen) == 4 * len(ordered)


def test_both_directions_of_a_pair_see_the_same_scores_turned_round(heads: RelationHeads) -> None:
    sentence = events_of(heads, "Two people died in the blast.", "died", "blast")
    _, features = pair_features(heads.pairs, sentence, None)
    own, turned = features[0, 0], features[1, 0]
    np.testing.assert_array_equal(own[-8:-4], turned[-4:])
    np.testing.assert_array_equal(own[-4:], turned[-8:-4])


def test_the_log_odds_of_a_direction() -> None:
    told = np.exp([0.0, 2.0, 1.0])
    assert directed_logit(2.0, 1.0) == pytest.approx(np.log(told[1] / (told[0] + told[2])))


def test_heads_on_other_relation_heads_are_refused(heads: RelationHeads) -> None:
    with pytest.raises(ModelMissing, match="other relation heads"):
        EventPairs(heads.pairs, "causetrail_relations-000000000000")


def test_the_packaged_weights_were_trained_on_the_packaged_heads(heads: RelationHeads) -> None:
    card = json.loads((WEIGHTS / NAME / CARD).read_text("utf-8"))
    assert card["heads"] == heads.fingerprint
    assert set(card["licences_of_data"].values()) <= {"CC BY 3.0", "CC0", "MIT"}


def test_a_changed_file_is_refused(tmp_path: Path, heads: RelationHeads) -> None:
    shutil.copytree(WEIGHTS / NAME, tmp_path / NAME)
    with (tmp_path / NAME / HEAD_FILE).open("r+b") as file:
        file.seek(10_000)
        file.write(b"\0\1\2\3")
    with pytest.raises(ModelDamaged, match=HEAD_FILE):
        EventPairs(heads.pairs, heads.fingerprint, tmp_path / NAME)
    with pytest.raises(ModelDamaged, match=HEAD_FILE):
        events_fingerprint(tmp_path / NAME)
    assert events_fingerprint().startswith(NAME)
