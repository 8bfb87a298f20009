"""Training of the coreference head on a made-up corpus, from the archive to the packaged form."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from extraction.tellings import telling
from models.adapted_trunk import TRUNK
from models.encoder import PACKAGED
from models.event_coreference import EventCoreference, PairHead, Telling, likenesses
from models.onnx_session import load_tokenizer
from models.weights_card import WEIGHTS, open_weights
from tests.training.test_coreference_sets import archive, document
from training import event_coreference
from training.event_clusters import clusters_of
from training.event_net import EventNet, Read, read_tokens

pytestmark = pytest.mark.torch
TEXTS = ("The pump failed at night.", "The failure of the pump was seen.", "A gate fell on the road.", "Rain fell.")
TRIGGERS = ("failed", "failure", "fell", "fell")


def told() -> list[Telling]:
    found = []
    for number, (text, trigger) in enumerate(zip(TEXTS, TRIGGERS, strict=True)):
        start = text.index(trigger)
        found.append(telling(text, f"d{number}", (start, start + len(trigger)), (0, len(text)), trigger))
    return found


def read() -> list[Read]:
    tokenizer = load_tokenizer(WEIGHTS / PACKAGED / "tokenizer.json", PACKAGED)
    chains = ("one", "one", "two", "three")
    encoded = [tokenizer.encode(one.text) for one in told()]
    return [read_tokens(t, c, e.ids, e.offsets) for t, c, e in zip(told(), chains, encoded, strict=True)]


def test_numpy_scores_as_torch_does() -> None:
    torch.manual_seed(1)
    net = EventNet(WEIGHTS / PACKAGED / "model.onnx").eval()
    pairs = [(0, 1), (0, 2), (2, 3), (1, 0)]
    likeness = likenesses(told(), pairs)
    with torch.no_grad():
        vectors = net.vectors(read())
        wanted = net.logits(vectors, torch.tensor(pairs), torch.as_tensor(likeness)).numpy()
    found = PairHead(net.tensors()).logits(vectors.numpy(), pairs, likeness)
    assert found == pytest.approx(wanted, abs=2e-2)
    assert found[0] == pytest.approx(found[3], abs=1e-5)


def test_only_the_upper_layers_are_changed() -> None:
    net = EventNet(WEIGHTS / PACKAGED / "model.onnx")
    net.loss(read()).backward()  # type: ignore[no-untyped-call]
    learned = {name for name, value in net.named_parameters() if value.grad is not None}
    assert not any(f"layers.{number}." in name for name in learned for number in range(8))
    assert any("layers.11." in name for name in learned)
    changed = [name for name in net.tensors() if name.startswith(TRUNK)]
    assert len(changed) == 4 * 6 * 2


def test_every_mention_is_drawn_once_beside_strangers() -> None:
    groups = [read()[:2], read()[2:]]
    drawn = list(event_coreference.batches(groups, random.Random(0)))
    assert len(drawn) == 2
    for batch in drawn:
        texts = [mention.telling.text for mention in batch]
        assert len(texts) == len(set(texts))
        assert set(TEXTS[:2]) <= set(texts) or set(TEXTS[2:]) <= set(texts)


def test_clusters_join_by_the_mean_of_their_pairs() -> None:
    probabilities = np.array([[1, 0.9, 0.2], [0.9, 1, 0.6], [0.2, 0.6, 1]], np.float32)
    assert sorted(map(sorted, clusters_of(probabilities, 0.5))) == [[0, 1], [2]]
    assert sorted(map(sorted, clusters_of(probabilities, 0.35))) == [[0, 1, 2]]
    assert sorted(map(sorted, clusters_of(probabilities, 0.95))) == [[0], [1], [2]]
    assert clusters_of(probabilities[:1, :1], 0.5) == [[0]]


def test_training_writes_what_the_program_loads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents, listed = {}, []
    for topic in ("1", "2", "3", "36"):
        for half in ("ecb", "ecbplus"):
            name = f"{topic}_1{half}"
            sentences = ["The pump failed .", "The failure was seen ."]
            documents[name] = document(name, sentences, [(1, [3], f"ACT{topic}{half}"), (2, [6], f"ACT{topic}{half}")])
            listed += [(topic, f"1{half}", 0), (topic, f"1{half}", 1)]
    archive(tmp_path / "data" / event_coreference.ECB_PLUS, documents, listed)
    output = tmp_path / "out"
    arguments = ["--data", str(tmp_path / "data"), "--epochs", "1", "--topics", "2", "--output", str(output)]
    monkeypatch.setattr(sys, "argv", ["event_coreference", *arguments])
    event_coreference.main()
    card = open_weights(output).card
    # Topics 1 and 3 are trained on, 2 is a development topic, and 36 is never read.
    assert (card["mentions"], card["on_development"]["mentions"]) == (8, 4)
    assert 0 < card["threshold"] < 1
    head = EventCoreference(output)
    scores = head.probabilities(told(), head.read(told()), [(0, 1), (2, 3)])
    assert scores.shape == (2,)
    assert ((scores > 0) & (scores < 1)).all()
