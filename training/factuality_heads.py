"""Makes the packaged factuality heads: which relation a sentence states, how real it is said to be, what is denied.

    python -m training.factuality_heads

reads labelled relations and denied words (`training.factuality_sets`) with the packaged relation heads, learns from
them, and writes the folder that models/ packages, with its card. The figures on the card, and the floor of what counts
as denied, come from heads that were trained without the sentences or topics they are measured on, in five parts. On one
core that takes a quarter of an hour.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from models.factuality_heads import MODALITIES, NAME, RELATIONS, anchors
from models.relation_heads import Floats, Words
from models.weights_card import WEIGHTS, sha256_of
from training.cards import write_head
from training.event_examples import Reader
from training.factuality_net import DenialNet, TellingNet, Windows, tensors_of, windows_of
from training.factuality_sets import (
    FILES,
    LICENCES,
    TELLINGS,
    TRAIN,
    Denial,
    ToldRelation,
    denials,
    name_of,
    told_relations,
)
from training.relation_heads import SHARED_DATA, touched
from training.relation_sets import Characters

FOLDS: Final = 5
_EPOCHS: Final = 15
_DENIAL_EPOCHS: Final = 6
_BATCH, _DENIAL_BATCH = 64, 128
_RATE: Final = 2e-3
_WEIGHT_DECAY: Final = 0.05
_WARM_UP: Final = 50
_LAST_RATE: Final = 0.02
_LARGEST_GRADIENT: Final = 1.0
_AT_ONCE: Final = 256
_NEWS: Final = 3.0
"""Weight of an event of ECB+ beside a word of a treebank."""

Rows = NDArray[np.int64]


def main() -> None:
    """Trains, measures, and writes weights and card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED_DATA, help="folder of the labelled sets")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=WEIGHTS / NAME, help="folder that is written")
    arguments = parser.parse_args()
    seed = arguments.seed
    reader = Reader()
    told = told_relations(arguments.data, TRAIN)
    tellings = Tellings(reader, told)
    of_tellings = figures(tellings, tellings.out_of_fold(seed))
    print(json.dumps(of_tellings, indent=1), flush=True)
    words = Denials(reader, denials(arguments.data))
    floor, of_denials = words.floor(seed)
    print(json.dumps(of_denials, indent=1), flush=True)
    card: dict[str, Any] = {
        "model": NAME,
        "command": "python -m training.factuality_heads",
        "licence": "Apache-2.0",
        "heads": reader.heads.fingerprint,
        "labels": sha256_of(TELLINGS),
        "trained_on": {file: sha256_of(arguments.data / file) for files in FILES.values() for file in files},
        "licences_of_data": dict(LICENCES),
        "relations": len(told),
        "words": len(words.denied),
        "epochs": [_EPOCHS, _DENIAL_EPOCHS],
        "seed": seed,
        "on_held_out_relations": of_tellings,
        "on_held_out_events": of_denials,
    }
    tensors: dict[str, NDArray[Any]] = {
        **tensors_of("telling", tellings.trained(np.arange(len(told)), seed)),
        **tensors_of("denial", words.trained(np.arange(len(words.denied)), seed)),
        "denial_floor": np.array([floor], np.float32),
    }
    write_head(arguments.output, tensors, card)


class Tellings:
    """Labelled relations as a net reads them."""

    def __init__(self, reader: Reader, told: Sequence[ToldRelation]) -> None:
        """Reads their sentences."""
        read = [read_relation(reader, one) for one in told]
        self._windows = windows_of((early, anchors(*spans)) for early, spans in read)
        self._signalled = np.array([[signal is not None] for _, (*_, signal) in read], np.float32)
        self._folds = np.array([int(name_of(one.text), 16) % FOLDS for one in told])
        self.relations = np.array([RELATIONS.index(one.relation) for one in told])
        self.modalities = np.array([MODALITIES.index(one.modality) for one in told])

    def trained(self, rows: Rows, seed: int) -> TellingNet:
        """A net that has learned from some of them."""
        relations, modalities = torch.as_tensor(self.relations), torch.as_tensor(self.modalities)
        torch.manual_seed(seed)
        net = TellingNet(self._windows.means.shape[-1])
        run = self._run_by(net)

        def loss(batch: Rows) -> torch.Tensor:
            scores = run(batch)
            of_relations, of_modalities = scores[:, : len(RELATIONS)], scores[:, len(RELATIONS) :]
            return functional.cross_entropy(of_relations, relations[batch]) + functional.cross_entropy(
                of_modalities, modalities[batch]
            )

        _fit(net, loss, rows, _EPOCHS, _BATCH)
        return net

    def out_of_fold(self, seed: int) -> Floats:
        """Scores of `RELATIONS` and of `MODALITIES` for all, by nets that were trained without their sentences."""
        scores = np.zeros((len(self._folds), len(RELATIONS) + len(MODALITIES)), np.float32)
        for fold in range(FOLDS):
            net = self.trained(np.flatnonzero(self._folds != fold), seed)
            rows = np.flatnonzero(self._folds == fold)
            scores[rows] = _scored(self._run_by(net), rows)
        return scores

    def _run_by(self, net: TellingNet) -> Callable[[Rows], torch.Tensor]:
        return lambda rows: net(self._windows.chosen(rows), self._signalled[rows])


class Denials:
    """Words that name what is denied or not, as a net reads them."""

    def __init__(self, reader: Reader, found: Sequence[Denial]) -> None:
        """Reads their sentences; a word that the program does not read as one is left out."""
        items: list[tuple[Floats, tuple[Words]]] = []
        kept = []
        for one in found:
            read = reader.read_early(one.text)
            inside = read and [place for place, word in enumerate(read[0]) if word[0] < one.end and one.start < word[1]]
            if read and inside and inside[-1] < len(read[1]):
                items.append((read[1], ((inside[0], inside[-1]),)))
                kept.append(one)
        self._windows: Windows = windows_of(items)
        self.denied = np.array([one.denied for one in kept], np.bool_)
        self._topics = [one.topic for one in kept]

    def trained(self, rows: Rows, seed: int) -> DenialNet:
        """A net that has learned from some of them."""
        gold = torch.as_tensor(self.denied.astype(np.float32))
        weights = torch.tensor([_NEWS if topic else 1.0 for topic in self._topics])
        torch.manual_seed(seed)
        net = DenialNet(self._windows.means.shape[-1])
        run = self._run_by(net)

        def loss(batch: Rows) -> torch.Tensor:
            return functional.binary_cross_entropy_with_logits(run(batch), gold[batch], weights[batch])

        _fit(net, loss, rows, _DENIAL_EPOCHS, _DENIAL_BATCH)
        return net

    def floor(self, seed: int) -> tuple[float, dict[str, float]]:
        """The probability from which F1 is best on topics of ECB+ that were kept from training, and the F1."""
        fold_of = {topic: place % FOLDS for place, topic in enumerate(sorted(set(self._topics) - {""}))}
        folds = np.array([fold_of.get(topic, FOLDS) for topic in self._topics])
        scores = np.zeros(len(folds))
        for fold in range(FOLDS):
            net = self.trained(np.flatnonzero(folds != fold), seed)
            rows = np.flatnonzero(folds == fold)
            scores[rows] = _scored(self._run_by(net), rows)
        news = folds < FOLDS
        scores, denied = scores[news], self.denied[news]
        order = np.argsort(-scores, kind="stable")
        f1 = 2 * np.cumsum(denied[order]) / (np.arange(1, len(order) + 1) + denied.sum())
        best = int(np.argmax(f1))
        floor = float(1 / (1 + np.exp(-scores[order[best]])))
        return floor, {
            "events": len(order),
            "denied": int(denied.sum()),
            "denied_f1_at_the_floor": round(float(f1[best]), 4),
        }

    def _run_by(self, net: DenialNet) -> Callable[[Rows], torch.Tensor]:
        return lambda rows: net(self._windows.chosen(rows))


def figures(tellings: Tellings, scores: Floats) -> dict[str, float]:
    """Share of relations and of modalities that are told right, and F1 of each one of them."""
    told: dict[str, float] = {}
    for name, names, first, gold in (
        ("relations", RELATIONS, 0, tellings.relations),
        ("modalities", MODALITIES, len(RELATIONS), tellings.modalities),
    ):
        best = scores[:, first : first + len(names)].argmax(1)
        told[name] = round(float((best == gold).mean()), 4)
        for place, one in enumerate(names):
            found, wanted = best == place, gold == place
            told[f"{one}_f1"] = round(2 * int((found & wanted).sum()) / max(int(found.sum() + wanted.sum()), 1), 4)
    return told


def read_relation(reader: Reader, one: ToldRelation) -> tuple[Floats, tuple[Words, Words, Words | None]]:
    """The early vectors of a sentence's words, and first and last word of cause, effect and signal in it.

    Raises:
        ValueError: the sentence is empty or too long.
    """
    read = reader.read_early(one.text)
    if read is None:
        raise ValueError(f"a sentence of {one.corpus} is empty or too long")
    words, early = read
    return early, words_of_relation(words, one)


def words_of_relation(words: Sequence[Characters], one: ToldRelation) -> tuple[Words, Words, Words | None]:
    """First and last word of cause, effect and signal, of the words of the sentence or of a part that holds them."""
    signal = touched(words, one.spans.signals[0]) if one.spans.signals else None
    return touched(words, one.spans.cause), touched(words, one.spans.effect), signal


def _fit(net: nn.Module, loss: Callable[[Rows], torch.Tensor], rows: Rows, epochs: int, size: int) -> None:
    """Trains a net in place on some rows."""
    optimizer = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=_WEIGHT_DECAY)
    steps = epochs * -(-len(rows) // size)
    rates = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / _WARM_UP) * max(_LAST_RATE, 1 - step / steps)
    )
    net.train()
    for _ in range(epochs):
        for batch in torch.split(torch.randperm(len(rows)), size):
            optimizer.zero_grad()
            loss(rows[batch.numpy()]).backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), _LARGEST_GRADIENT)
            optimizer.step()
            rates.step()
    net.eval()


def _scored(run: Callable[[Rows], torch.Tensor], rows: Rows) -> Floats:
    with torch.no_grad():
        parts = [run(rows[first : first + _AT_ONCE]) for first in range(0, len(rows), _AT_ONCE)]
    scores: Floats = torch.cat(parts).numpy() if parts else np.zeros(0, np.float32)
    return scores


if __name__ == "__main__":
    main()
