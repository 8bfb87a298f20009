"""Makes the packaged relation heads: what tells causal sentences, causes, effects and signals.

    python -m training.relation_heads

trains changes of the packaged encoder and the heads on it together, calibrates their probabilities on sentences that
were kept from training, and writes the folder that models/ packages, with its card. On one core that takes about an
hour; a GPU is used when there is one. What is kept is a tenth of the Causal News Corpus: heads that are trained without
it (`--corpora because`) stay uncalibrated.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from language.sentences import SentenceReader
from models.encoder import PACKAGED
from models.onnx_session import load_tokenizer
from models.relation_heads import LONGEST, NAME, RelationHeads, Words, overlap, word_of_token
from models.weights_card import WEIGHTS, sha256_of
from training.cards import write_head
from training.fitting import Schedule, fit
from training.relation_net import Encoded, RelationNet
from training.relation_sets import Characters, Example, is_held_out, training_set, words_of

SHARED_DATA: Final = Path("../shared/data")
FILES: Final = {
    "cnc": ("causal_news_corpus/train_subtask1.csv", "causal_news_corpus/train_subtask2.csv"),
    "because": ("unicausal/because_train.csv",),
    "semeval": ("unicausal/semeval2010t8_train.csv",),
}
DEFAULT: Final = ("cnc", "because")
LICENCES: Final = {"cnc": "CC0", "because": "MIT", "semeval": "CC BY 3.0"}
_BATCH: Final = 16
_SORTED: Final = 20
"""Batches whose sentences are sorted by length together, so that little is padding."""
_TRUNK_RATE, _HEAD_RATE = 1e-3, 7e-4
_WARM_UP: Final = 100
"""Steps until the full rate; a tenth of all steps where they are fewer."""
_LAST_RATE: Final = 0.02
_LONGEST_TOKENS: Final = 400
_UNCALIBRATED: Final = {"relation_calibration": (1.0, 0.0, 0.0), "sentence_calibration": (1.0, 0.0)}
_HALF: Final = 0.5


def main() -> None:
    """Trains, calibrates, and writes weights and card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED_DATA, help="folder of the labelled sets")
    parser.add_argument("--corpora", nargs="+", choices=tuple(FILES), default=DEFAULT, help="what is trained on")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sentences", type=int, help="train on so many sentences only, to try it")
    parser.add_argument("--output", type=Path, default=WEIGHTS / NAME, help="folder that is written")
    arguments = parser.parse_args()
    torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")
    examples = training_set(arguments.data, arguments.corpora)
    held_out = [one for one in examples if is_held_out(one)]
    encoder = ExampleEncoder()
    encoded = [one for one in map(encoder.encode, (one for one in examples if not is_held_out(one))) if one is not None]
    net = train(encoded[: arguments.sentences], arguments.corpora, epochs=arguments.epochs, seed=arguments.seed)
    card: dict[str, Any] = {
        "model": NAME,
        "command": " ".join(["python -m training.relation_heads --corpora", *arguments.corpora]),
        "licence": "Apache-2.0",
        "trunk": PACKAGED,
        "trained_on": {
            file: sha256_of(arguments.data / file) for corpus in arguments.corpora for file in FILES[corpus]
        },
        "licences_of_data": {corpus: LICENCES[corpus] for corpus in arguments.corpora},
        "sentences": len(encoded[: arguments.sentences]),
        "held_out": len(held_out),
        "epochs": arguments.epochs,
        "seed": arguments.seed,
    }
    tensors = net.tensors()
    write_weights(arguments.output, tensors, _UNCALIBRATED, card)
    if held_out:
        calibration, figures = calibrated(RelationHeads(arguments.output), held_out)
        write_weights(arguments.output, tensors, calibration, {**card, "on_held_out": figures})
        print(json.dumps(figures, indent=1))


class ExampleEncoder:
    """Turns examples into the tokens of the encoder and the words of the program's own sentence reader."""

    def __init__(self) -> None:
        self._tokenizer = load_tokenizer(WEIGHTS / PACKAGED / "tokenizer.json", PACKAGED)
        self._reader = SentenceReader()

    def words(self, text: str) -> list[Characters]:
        """The words of a text, as `words_of` gives them."""
        return words_of(self._reader, text)

    def encode(self, example: Example) -> Encoded | None:
        """The example in tokens and words; none when it is empty or too long to learn from."""
        words = self.words(example.text)
        encoding = self._tokenizer.encode(example.text)
        if not words or len(words) > LONGEST or len(encoding.ids) > _LONGEST_TOKENS:
            return None
        relations = [
            (touched(words, gold.cause), touched(words, gold.effect), [touched(words, one) for one in gold.signals])
            for gold in example.relations
        ]
        places = word_of_token(encoding.offsets, words)
        return Encoded(example.corpus, example.causal, encoding.ids, places, len(words), relations)


def touched(words: Sequence[Characters], span: Characters) -> Words:
    """First and last of the words that a span of characters touches."""
    inside = [place for place, (start, end) in enumerate(words) if start < span[1] and span[0] < end]
    return inside[0], inside[-1]


def train(examples: Sequence[Encoded], corpora: Sequence[str], *, epochs: int, seed: int) -> RelationNet:
    """The net after the last epoch; the log goes to standard output."""
    torch.manual_seed(seed)
    net = RelationNet(WEIGHTS / PACKAGED / "model.onnx", corpora)
    steps = epochs * -(-len(examples) // _BATCH)
    warm_up = min(_WARM_UP, -(-steps // 10))
    schedule = Schedule(epochs, steps, warm_up, _TRUNK_RATE, _HEAD_RATE, _LAST_RATE)
    fit(net, net.loss, partial(batches, examples), schedule, random.Random(seed))
    return net


def batches(examples: Sequence[Encoded], draw: random.Random) -> Iterator[list[Encoded]]:
    """All examples once, in random batches of about the same length."""
    order = list(range(len(examples)))
    draw.shuffle(order)
    drawn: list[list[int]] = []
    for start in range(0, len(order), _BATCH * _SORTED):
        near = sorted(order[start : start + _BATCH * _SORTED], key=lambda place: len(examples[place].ids))
        drawn.extend(near[first : first + _BATCH] for first in range(0, len(near), _BATCH))
    draw.shuffle(drawn)
    for places in drawn:
        yield [examples[place] for place in places]


def write_weights(
    target: Path,
    tensors: dict[str, NDArray[Any]],
    calibration: Mapping[str, Sequence[float]],
    card: dict[str, Any],
) -> None:
    """Writes the folder."""
    numbers = {name: np.array(values, dtype=np.float32) for name, values in calibration.items()}
    write_head(target, {**tensors, **numbers}, card)


def calibrated(heads: RelationHeads, held_out: Sequence[Example]) -> tuple[dict[str, list[float]], dict[str, float]]:
    """Calibration by logistic regression (Platt 1999), and how good it is on the sentences that it is made from.

    The heads must be uncalibrated: their probabilities are then the logistic of the scores.
    """
    encoder = ExampleEncoder()
    sentences, causal = [], []
    relations, right = [], []
    for example in held_out:
        words = encoder.words(example.text)
        reading = heads.read(example.text, words)
        if reading is None:
            continue
        sentences.append((_logit(reading.causal),))
        causal.append(example.causal)
        if example.causal and not example.relations:
            continue
        gold = [(touched(words, one.cause), touched(words, one.effect)) for one in example.relations]
        for relation in reading.relations:
            relations.append((_logit(relation.probability), _logit(reading.causal)))
            right.append(
                any(overlap(relation.cause, c) >= _HALF and overlap(relation.effect, e) >= _HALF for c, e in gold)
            )
    of_sentences, of_relations = _fitted(sentences, causal), _fitted(relations, right)
    return {
        "sentence_calibration": [*map(float, of_sentences.coef_[0]), float(of_sentences.intercept_[0])],
        "relation_calibration": [*map(float, of_relations.coef_[0]), float(of_relations.intercept_[0])],
    }, {
        "sentences": len(causal),
        "sentences_causal": sum(causal),
        "sentences_brier": _brier(of_sentences, sentences, causal),
        "relations_proposed": len(right),
        "relations_right": sum(right),
        "relations_brier": _brier(of_relations, relations, right),
    }


def _fitted(scores: Sequence[tuple[float, ...]], right: Sequence[bool]) -> LogisticRegression:
    return LogisticRegression(C=100.0).fit(np.array(scores), np.array(right))


def _brier(fitted: LogisticRegression, scores: Sequence[tuple[float, ...]], right: Sequence[bool]) -> float:
    """Mean squared error of the probabilities."""
    return round(float(np.mean((fitted.predict_proba(np.array(scores))[:, 1] - np.array(right)) ** 2)), 4)


def _logit(probability: float) -> float:
    clipped = min(max(probability, 1e-9), 1 - 1e-9)
    return float(np.log(clipped / (1 - clipped)))


if __name__ == "__main__":
    main()
