from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from models.encoder import PACKAGED
from models.onnx_encoder import LAYERS, OnnxEncoder
from models.relation_heads import RelationHeads
from models.weights_card import WEIGHTS, open_weights
from tests.training.test_relation_heads import CAUSES, EFFECTS
from tests.training.test_relation_sets import HEADER
from training import causal_sentences
from training.causal_sentence_net import CausalSentenceHeads, CausalSentenceNet, probabilities
from training.causal_sentences import Labelled, batches, f1_by_threshold, weights_of
from training.sentence_states import STATES, SentenceStates

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def states() -> SentenceStates:
    return SentenceStates()


def test_states_are_those_of_both_trunks(states: SentenceStates) -> None:
    text = "The road flooded because a bolt sheared ."
    read = states.read(text)
    assert read.shape[1:] == (STATES, 384)
    first = read[0, len(LAYERS) - 1].astype(np.float32)
    vector = OnnxEncoder(WEIGHTS / PACKAGED, 1).encode_passages([text])[0]
    np.testing.assert_allclose(first / np.linalg.norm(first), vector, atol=2e-3)
    hidden = RelationHeads().trunk.read(text)
    assert hidden is not None
    np.testing.assert_allclose(read[:, -1].astype(np.float32), hidden.states, atol=1e-2)


def test_a_sentence_that_the_encoder_cannot_read_is_refused(states: SentenceStates) -> None:
    with pytest.raises(ValueError, match="512"):
        states.read("pump " * 600)


def test_a_score_does_not_depend_on_the_neighbours_of_its_sentence(states: SentenceStates) -> None:
    torch.manual_seed(0)
    net = CausalSentenceNet(["semeval", "altlex"]).eval()
    texts = ["The pump stopped .", "A bridge closed because a bolt had sheared in the cold night .", "Rain fell ."]
    read = [states.read(text) for text in texts]
    together = probabilities(net, read)
    assert together.shape == (3, 2)
    for place, one in enumerate(read):
        np.testing.assert_allclose(together[place], probabilities(net, [one])[0], atol=1e-5)


def test_small_corpora_weigh_more_and_each_sentence_is_in_one_batch() -> None:
    sentences = [
        Labelled("altlex" if place % 5 == 0 else "semeval", True, 0, np.zeros((place % 7 + 1, STATES, 2), np.float16))
        for place in range(100)
    ]
    assert weights_of(sentences) == {"altlex": 2.0, "semeval": 1.0}
    drawn = [id(one) for batch in batches(sentences, random.Random(0)) for one in batch]
    assert sorted(drawn) == sorted(map(id, sentences))


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=20))
def test_f1_by_threshold_is_that_of_its_definition(told: list[tuple[float, bool]]) -> None:
    for threshold, score in f1_by_threshold([one for one, _ in told], [gold for _, gold in told]).items():
        right = sum(gold for one, gold in told if one >= threshold)
        called, causal = sum(one >= threshold for one, _ in told), sum(gold for _, gold in told)
        assert score == pytest.approx(2 * right / (called + causal))


@pytest.mark.slow
def test_one_command_makes_both_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, states: SentenceStates
) -> None:
    others = tmp_path / "data" / "unicausal"
    others.mkdir(parents=True)
    (tmp_path / "data" / "causal_news_corpus").mkdir()
    for task, header in (("1", "text,label\n"), ("2", HEADER)):
        (tmp_path / "data" / "causal_news_corpus" / f"dev_subtask{task}.csv").write_text(header, "utf-8")
    pairs = [(cause, effect) for cause in CAUSES for effect in EFFECTS]
    causal = "".join(f"{one} because {other} .,{one} because {other} .,1,0\n" for other, one in pairs)
    plain = "".join(f"{one} and then {other} .,{one} and then {other} .,0,0\n" for other, one in pairs)
    for name in ("because", "semeval2010t8", "altlex", "ctb"):
        (others / f"{name}_train.csv").write_text(HEADER + causal + plain, "utf-8")
        (others / f"{name}_test.csv").write_text(HEADER, "utf-8")
    target = tmp_path / "heads"
    options = ["--data", str(tmp_path / "data"), "--epochs", "12", "--output", str(target)]
    monkeypatch.setattr(sys, "argv", ["causal_sentences", *options])
    causal_sentences.main()
    assert open_weights(target / "permitted").card["licence"] == "Apache-2.0"
    research = open_weights(target / "research").card
    assert research["licence"] == "for measuring only"
    assert set(research["thresholds"]) == {"semeval", "altlex", "timebank"}
    heads = CausalSentenceHeads(target / "permitted")
    assert heads.corpora == ["semeval"]
    read = [states.read(f"The gate jammed {word} a pipe froze .") for word in ("because", "and then")]
    assert heads.are_causal(read, "semeval") == [True, False]
