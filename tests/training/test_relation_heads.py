from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from models.adapted_trunk import TRUNK
from models.encoder import PACKAGED
from models.relation_heads import Heads, RelationHeads, word_vectors
from models.weights_card import WEIGHTS, open_weights
from tests.training.test_relation_sets import HEADER
from training import relation_heads
from training.relation_heads import ExampleEncoder, batches, touched
from training.relation_net import RelationNet
from training.relation_sets import Example, SpanRelation

pytestmark = pytest.mark.torch
CAUSES = ("the seal leaked", "a bolt sheared", "rain fell for days", "the fuse was old", "the gate jammed")
EFFECTS = ("The pump stopped", "A bridge closed", "The lights failed", "The road flooded")


def rows(first: int, last: int) -> tuple[str, str]:
    """Both tables of the corpus, of the numbered pairs of a cause and an effect."""
    pairs = [(cause, effect) for cause in CAUSES for effect in EFFECTS][first:last]
    sentences = "".join(
        f"{effect} because {cause} .,1\nNo news of it came to {effect.split()[1]} {number} .,0\n"
        for number, (cause, effect) in enumerate(pairs)
    )
    spans = "".join(
        f"{effect} because {cause} .,<ARG1>{effect}</ARG1> <SIG0>because</SIG0> <ARG0>{cause}</ARG0> .,1,1\n"
        for cause, effect in pairs
    )
    return "text,label\n" + sentences, HEADER + spans


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    (folder / "causal_news_corpus").mkdir(parents=True)
    (folder / "unicausal").mkdir()
    for split, (first, last) in {"train": (0, 18), "dev": (18, 20)}.items():
        for task, table in enumerate(rows(first, last), start=1):
            (folder / "causal_news_corpus" / f"{split}_subtask{task}.csv").write_text(table, "utf-8")
    for name in ("because", "semeval2010t8", "altlex", "ctb"):
        (folder / "unicausal" / f"{name}_test.csv").write_text(HEADER, "utf-8")
    return folder


@pytest.mark.slow
def test_one_command_makes_heads_with_their_card(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "heads"
    options = ["--data", str(data), "--corpora", "cnc", "--epochs", "12", "--output", str(target)]
    monkeypatch.setattr(sys, "argv", ["relation_heads", *options])
    relation_heads.main()
    losses = [float(one) for one in re.findall(r"epoch \d+ of 12: loss ([\d.]+)", capsys.readouterr().out)]
    assert len(losses) == 12
    assert losses[-1] < losses[0] / 2
    card = open_weights(target).card
    assert card["licences_of_data"] == {"cnc": "CC0"}
    assert set(card["trained_on"]) == set(relation_heads.FILES["cnc"])
    assert card["held_out"] > 0
    text = "The road flooded because a bolt sheared ."
    reading = RelationHeads(target).read(text, ExampleEncoder().words(text))
    assert reading is not None
    assert reading.relations


def test_the_heads_of_training_and_those_that_are_shipped_score_alike() -> None:
    torch.manual_seed(0)
    net = RelationNet(WEIGHTS / PACKAGED / "model.onnx", ["cnc"]).eval()
    for parameter in net.parameters():
        parameter.data = parameter.data.half().float()
    encoded = ExampleEncoder().encode(
        Example("The road flooded because a bolt sheared .", "cnc", True, (SpanRelation((25, 39), (0, 16), ()),))
    )
    assert encoded is not None
    with torch.no_grad():
        states = net.trunk(torch.tensor([list(encoded.ids)]), torch.ones(1, len(encoded.ids)))
        words, pooled = net._encode([encoded])
        spans = net._spans(words)[0].numpy()
        pair = net._pairs(words[0], [((4, 6), (0, 2)), ((0, 2), (4, 6))]).numpy()
        causal = net.sentence["cnc"](pooled).item()
    tensors = net.tensors()
    heads = Heads(tensors)
    vectors = word_vectors(states[0].numpy(), encoded.places)
    np.testing.assert_allclose(vectors, words[0].numpy(), atol=1e-4)
    upper = np.triu_indices(len(vectors))
    np.testing.assert_allclose(heads._spans(vectors)[:, *upper], spans[:, *upper], atol=1e-3)
    np.testing.assert_allclose(heads.pairs(vectors, [((4, 6), (0, 2)), ((0, 2), (4, 6))]), pair, atol=1e-3)
    assert heads._causal(states[0].numpy(), "cnc") == pytest.approx(causal, abs=1e-3)
    assert sum(name.startswith(TRUNK) for name in tensors) == 2 * 72


def test_words_that_a_span_touches() -> None:
    words = [(0, 3), (4, 8), (9, 16)]
    assert touched(words, (4, 16)) == (1, 2)
    assert touched(words, (5, 6)) == (1, 1)


def test_each_example_is_in_one_batch() -> None:
    import random

    encoder = ExampleEncoder()
    examples = [
        one
        for one in (encoder.encode(Example("pump " * count, "cnc", False, ())) for count in range(1, 100))
        if one is not None
    ]
    drawn = [one for batch in batches(examples, random.Random(0)) for one in batch]
    assert sorted(one.words for one in drawn) == list(range(1, 100))


def test_what_cannot_be_learned_from_is_left_out() -> None:
    encoder = ExampleEncoder()
    assert encoder.encode(Example(" ", "cnc", False, ())) is None
    assert encoder.encode(Example("pump " * 300, "cnc", False, ())) is None


@pytest.mark.slow
def test_heads_without_held_out_sentences_stay_uncalibrated(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (data / "unicausal" / "because_train.csv").write_text(rows(0, 4)[1], "utf-8")
    target = tmp_path / "heads"
    options = ["--data", str(data), "--corpora", "because", "--epochs", "1", "--output", str(target)]
    monkeypatch.setattr(sys, "argv", ["relation_heads", *options])
    relation_heads.main()
    card = open_weights(target).card
    assert card["held_out"] == 0
    assert "on_held_out" not in card
    text = "The road flooded because a bolt sheared ."
    assert RelationHeads(target).read(text, ExampleEncoder().words(text), "because") is not None
