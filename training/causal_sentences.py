"""Makes heads that tell causal sentences, each in the sense of one corpus. They are for measuring and not packaged.

    python -m training.causal_sentences

trains them on frozen hidden states of the two packaged trunks and writes two folders: `permitted` (SemEval-2010 task 8,
CC BY 3.0) and `research` (AltLex and Causal-TimeBank too, which no shipped weights may be trained on). On one core that
takes about ten minutes.

What the program takes for a cause is the notion of the Causal News Corpus, for which the packaged relation heads have
an output of their own: nothing in it would ask these.

The training sentences of a corpus are cut into folds. Each net of a folder learns from all folds but one; together the
nets give every training sentence a probability by a net that has not seen it, and on these the least probability of a
causal sentence is chosen, for the best F1. Sentences to be judged get the mean of the nets.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import save_file
from torch.nn import functional

from models.relation_heads import heads_fingerprint
from models.weights_card import sha256_of
from training.cards import write_card
from training.causal_sentence_net import CausalSentenceNet, probabilities
from training.relation_sets import measured_texts, unicausal, without_near_copies
from training.sentence_states import SentenceStates

FILES: Final = {
    "semeval": "unicausal/semeval2010t8_train.csv",
    "altlex": "unicausal/altlex_train.csv",
    "timebank": "unicausal/ctb_train.csv",
}
LICENCES: Final = {"semeval": "CC BY 3.0", "altlex": "for measuring only", "timebank": "for measuring only"}
FOLDERS: Final = {"permitted": ("semeval",), "research": ("semeval", "altlex", "timebank")}
_FOLDS: Final = 3
_BATCH: Final = 32
_SORTED: Final = 20
"""Batches whose sentences are sorted by length together, so that little is padding."""
_RATE: Final = 1e-3
_WARM_UP: Final = 0.1
"""Share of the steps until the full rate."""
_LAST_RATE: Final = 0.02


class Labelled(NamedTuple):
    """One training sentence.

    Attributes:
        fold: The net that does not learn from it.
        states: What `SentenceStates.read` gives.
    """

    corpus: str
    causal: bool
    fold: int
    states: NDArray[np.float16]


def main() -> None:
    """Reads all sentences once, trains, and writes weights and cards."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the labelled sets")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path(".cache/causal_sentences"), help="folder of the two")
    arguments = parser.parse_args()
    sentences = labelled(arguments.data)
    for name, corpora in FOLDERS.items():
        chosen = [one for one in sentences if one.corpus in corpora]
        nets = [
            train(
                [one for one in chosen if one.fold != fold],
                corpora,
                epochs=arguments.epochs,
                seed=arguments.seed + fold,
            )
            for fold in range(_FOLDS)
        ]
        thresholds, figures = chosen_thresholds(nets, chosen, corpora)
        folder = arguments.output / name
        folder.mkdir(parents=True, exist_ok=True)
        for fold, net in enumerate(nets):
            save_file(
                {key: value.half() for key, value in net.state_dict().items()}, folder / f"model_{fold}.safetensors"
            )
        write_card(
            folder,
            {
                "model": f"causal_sentences_{name}",
                "command": "python -m training.causal_sentences",
                "licence": "Apache-2.0" if name == "permitted" else "for measuring only",
                "heads": heads_fingerprint(),
                "trained_on": {FILES[corpus]: sha256_of(arguments.data / FILES[corpus]) for corpus in corpora},
                "licences_of_data": {corpus: LICENCES[corpus] for corpus in corpora},
                "sentences": len(chosen),
                "epochs": arguments.epochs,
                "seed": arguments.seed,
                "corpora": corpora,
                "thresholds": thresholds,
                "on_held_out": figures,
            },
        )
        print(json.dumps({name: figures}, indent=1), flush=True)


def labelled(data: Path) -> list[Labelled]:
    """The training sentences of all corpora, without near-copies of what is measured on."""
    states, measured = SentenceStates(), measured_texts(data)
    return [
        Labelled(corpus, one.causal, hashlib.sha256(one.text.encode()).digest()[0] % _FOLDS, states.read(one.text))
        for corpus in FILES
        for one in without_near_copies(unicausal(data / "unicausal", corpus, "train"), measured)
    ]


def train(sentences: Sequence[Labelled], corpora: Sequence[str], *, epochs: int, seed: int) -> CausalSentenceNet:
    """The net after the last epoch; the log goes to standard output."""
    torch.manual_seed(seed)
    draw = random.Random(seed)
    net = CausalSentenceNet(corpora)
    weights = weights_of(sentences)
    optimizer = torch.optim.AdamW(net.parameters(), lr=_RATE, weight_decay=0.01)
    steps = epochs * -(-len(sentences) // _BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1.0, (step + 1) / (_WARM_UP * steps)) * max(_LAST_RATE, 1 - step / steps)
    )
    begun = time.monotonic()
    for epoch in range(epochs):
        net.train()
        losses = []
        for batch in batches(sentences, draw):
            columns = torch.tensor([corpora.index(one.corpus) for one in batch])
            scores = net([one.states for one in batch])[torch.arange(len(batch)), columns]
            gold = torch.tensor([float(one.causal) for one in batch])
            weight = torch.tensor([weights[one.corpus] for one in batch])
            loss = functional.binary_cross_entropy_with_logits(scores, gold, weight, reduction="sum") / weight.sum()
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
        print(
            f"epoch {epoch + 1} of {epochs}: loss {np.mean(losses):.3f}, {time.monotonic() - begun:.0f} s", flush=True
        )
    return net.eval()


def weights_of(sentences: Sequence[Labelled]) -> dict[str, float]:
    """Weight of a sentence of each corpus: the root of how many times smaller it is than the largest."""
    counts: dict[str, int] = {}
    for one in sentences:
        counts[one.corpus] = counts.get(one.corpus, 0) + 1
    return {corpus: (max(counts.values()) / count) ** 0.5 for corpus, count in counts.items()}


def batches(sentences: Sequence[Labelled], draw: random.Random) -> Iterator[list[Labelled]]:
    """All sentences once, in random batches of about the same length."""
    order = list(sentences)
    draw.shuffle(order)
    drawn: list[list[Labelled]] = []
    for start in range(0, len(order), _BATCH * _SORTED):
        near = sorted(order[start : start + _BATCH * _SORTED], key=lambda one: len(one.states))
        drawn.extend(near[first : first + _BATCH] for first in range(0, len(near), _BATCH))
    draw.shuffle(drawn)
    yield from drawn


def chosen_thresholds(
    nets: Sequence[CausalSentenceNet], sentences: Sequence[Labelled], corpora: Sequence[str]
) -> tuple[dict[str, float], dict[str, float]]:
    """For each corpus the threshold of the best F1 on sentences that the net had not seen, and that F1."""
    thresholds, figures = {}, {}
    for column, corpus in enumerate(corpora):
        told: list[float] = []
        gold: list[bool] = []
        for fold, net in enumerate(nets):
            left_out = [one for one in sentences if one.corpus == corpus and one.fold == fold]
            told.extend(probabilities(net, [one.states for one in left_out])[:, column])
            gold.extend(one.causal for one in left_out)
        scores = f1_by_threshold(told, gold)
        thresholds[corpus] = max(scores, key=lambda threshold: scores[threshold])
        figures[f"{corpus}_f1"] = round(scores[thresholds[corpus]], 4)
    return thresholds, figures


def f1_by_threshold(told: Sequence[float], gold: Sequence[bool]) -> Mapping[float, float]:
    """F1 when all that have at least a probability are called causal, for each of the probabilities."""
    scores, right = {}, 0
    for place, (probability, causal) in enumerate(sorted(zip(told, gold, strict=True), reverse=True), start=1):
        right += causal
        scores[float(probability)] = 2 * right / (place + sum(gold))
    return scores


if __name__ == "__main__":
    main()
