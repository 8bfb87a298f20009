"""Makes the packaged event heads: which words name events, and which of two events causes the other.

    python -m training.event_pairs

reads EventStoryLine and ECB+ with the packaged relation heads, learns the two perceptrons of `models.event_pairs` from
what they score, and writes the folder that models/ packages, with its card. Calibration and floors come from topics
that were each kept from a training of their own. On one core that takes some minutes. With `--research` the weights are
learned from sets that must not be shipped as well; they are for measuring only.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from torch import nn
from torch.nn import functional

from models.event_pairs import NAME, directed_logit, event_features
from models.relation_heads import Floats, SentenceScores, Words
from models.weights_card import WEIGHTS, sha256_of
from training.cards import write_head
from training.event_examples import (
    BACKWARD,
    FORWARD,
    NONE,
    EventExamples,
    PairExamples,
    Reader,
    Triggers,
    event_examples,
    group_of,
    joined,
    pair_examples,
    span_examples,
)
from training.event_sets import FILES, EventDocument, read_corpus
from training.relation_heads import SHARED_DATA

LICENCES: Final = {
    "eventstoryline": "CC BY 3.0",
    "ecb": "CC BY 3.0",
    "cnc": "CC0",
    "because": "MIT",
    "meci": "text CC BY-SA (Wikipedia)",
    "timebank": "none stated",
}
RESTRICTED: Final = frozenset({"meci", "timebank"})
"""Sets whose weights must not be shipped."""
SHIPPED: Final = ("eventstoryline", "ecb")
RESEARCH: Final = (*SHIPPED, "meci", "timebank")
SPANS: Final = ("cnc", "because")
"""Corpora whose sentences have annotated causes and effects, but no events."""
_UNLINKED: Final = ("ecb", *SPANS)
"""Corpora without links between events."""
FOLDS: Final = 5
_NEVER: Final = -20.0
"""Log-odds of what was never seen."""
_BATCH: Final = 128
_LAST_RATE: Final = 0.02


class Learned(NamedTuple):
    """What a training gives.

    Attributes:
        tensors: The weights as `models.event_pairs` takes them.
        figures: How good they are on what was kept from training.
    """

    tensors: dict[str, NDArray[np.float32]]
    figures: dict[str, float]


def main() -> None:
    """Trains, calibrates, and writes weights and card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED_DATA, help="folder of the labelled sets")
    parser.add_argument("--corpora", nargs="+", choices=tuple(FILES), help="what is trained on, instead of the default")
    parser.add_argument("--research", action="store_true", help="train on sets whose weights must not be shipped too")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, help="folder that is written; that of the package by default")
    arguments = parser.parse_args()
    corpora = arguments.corpora or (RESEARCH if arguments.research else SHIPPED)
    if RESTRICTED & set(corpora) and arguments.output is None:
        parser.error("weights that must not be shipped need an --output outside the package")
    reader = Reader()
    documents = {corpus: read_corpus(arguments.data, corpus) for corpus in corpora}
    learned = learn(reader, documents, annotated_pairs(reader, documents), arguments.seed)
    output = arguments.output or WEIGHTS / NAME
    card: dict[str, Any] = {
        "model": NAME,
        "command": "python -m training.event_pairs --corpora " + " ".join(corpora),
        "licence": "for measuring only" if RESTRICTED & set(corpora) else "Apache-2.0",
        "heads": reader.heads.fingerprint,
        "trained_on": {file: sha256_of(arguments.data / file) for corpus in corpora for file in FILES[corpus]},
        "licences_of_data": {corpus: LICENCES[corpus] for corpus in corpora},
        "seed": arguments.seed,
        "on_held_out": learned.figures,
    }
    write_head(output, learned.tensors, card)
    print(json.dumps(learned.figures, indent=1))


def annotated_pairs(reader: Reader, corpora: Mapping[str, Sequence[EventDocument]]) -> dict[str, PairExamples]:
    """The pairs of annotated events of each corpus that links them."""
    return {name: pair_examples(reader, found) for name, found in corpora.items() if name not in _UNLINKED}


def learn(
    reader: Reader,
    corpora: Mapping[str, Sequence[EventDocument]],
    annotated: Mapping[str, PairExamples],
    seed: int = 0,
) -> Learned:
    """Both heads with their calibration and floors.

    Floors of research weights are set on MECI alone, those of others on EventStoryLine.

    Args:
        reader: Reads the sentences.
        corpora: The documents of each corpus.
        annotated: As `annotated_pairs` gives them, of these corpora at least.
        seed: Of the first weights, and of the order of examples.
    """
    words = event_examples(reader, [one for name, found in corpora.items() if name not in SPANS for one in found])
    events = [_fit_events(words, np.array(kept), seed) for kept in _folds(words.groups)]
    scores = _out_of_fold(words.groups, lambda fold, rows: _run(events[fold], words.features[rows]))
    event_line = _line(scores, words.labels)
    event_floor = _best_floor(_probability(scores, event_line), words.labels, np.ones(len(scores), np.bool_))
    all_events = _fit_events(words, np.ones(len(words.labels), np.bool_), seed)

    spans = [one for name in SPANS for one in corpora.get(name, ())]
    more = [span_examples(reader, spans, _finder(all_events, event_line, event_floor))] if spans else []
    known = joined([annotated[name] for name in corpora if name in annotated])
    tuned = next(name for name in ("meci", "eventstoryline") if name in corpora)
    groups = sorted(set(words.groups))
    finders = {group: _finder(events[place % FOLDS], event_line, event_floor) for place, group in enumerate(groups)}
    found = pair_examples(reader, corpora[tuned], finders)
    fold_of = {group: place % FOLDS for place, group in enumerate(groups)}
    nets = [
        _fit_links(joined([_chosen(known, [fold_of[one] != fold for one in known.groups]), *more]), seed)
        for fold in range(FOLDS)
    ]
    held = {
        name: _Held(pairs, nets, fold_of, {group_of(one) for one in corpora[tuned]})
        for name, pairs in (("known", known), ("found", found))
    }
    lines = [_line(*held["found"].of(across=across)) for across in (False, True)]
    tensors = {
        **_tensors("event", all_events),
        **_tensors("link", _fit_links(joined([known, *more]), seed)),
        "event_calibration": np.array(event_line, np.float32),
        "event_floor": np.array([event_floor], np.float32),
        "link_calibration": np.array(lines, np.float32),
        "link_floor": np.array([held["known"].best_floor(lines)], np.float32),
        "found_link_floor": np.array([held["found"].best_floor(lines)], np.float32),
    }
    figures = {
        "words": len(words.labels),
        "events": int(words.labels.sum()),
        "events_f1": _f1(_probability(scores, event_line), words.labels, event_floor),
        "pairs": len(known.labels),
        "links": int((known.labels != NONE).sum()),
        "links_f1": held["known"].f1(lines, float(tensors["link_floor"][0])),
        "found_links_f1": held["found"].f1(lines, float(tensors["found_link_floor"][0])),
    }
    return Learned(tensors, figures)


class _Held:
    """Pairs of the corpus that floors are set on, scored by the nets that were trained without their groups."""

    def __init__(
        self, pairs: PairExamples, nets: Sequence[nn.Module], fold_of: Mapping[str, int], tuned: set[str]
    ) -> None:
        folds = np.array([fold_of[group] for group in pairs.groups])
        directions = np.zeros((2, len(folds)), np.float32)
        for fold, net in enumerate(nets):
            rows = folds == fold
            for way in (0, 1):
                directions[way, rows] = _run(net, pairs.features[way][rows])
        forward = directions[0] >= directions[1]
        self._logits = np.array([directed_logit(max(pair), min(pair)) for pair in directions.T.tolist()])
        self._right = pairs.labels == np.where(forward, FORWARD, BACKWARD)
        self._across = pairs.across
        self._counted = np.array([group in tuned for group in pairs.groups])
        self._judged = pairs.judged
        self._links = int((pairs.labels[self._counted] != NONE).sum())

    def of(self, *, across: bool) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """The log-odds of the likelier direction of each pair, and whether it is right."""
        rows = (self._across == across) & self._counted
        return self._logits[rows], self._right[rows]

    def best_floor(self, lines: Sequence[Sequence[float]]) -> float:
        """The probability from which F1 is best."""
        right, judged = self._right[self._counted], self._judged[self._counted]
        return _best_floor(self._probabilities(lines), right, judged, self._links)

    def f1(self, lines: Sequence[Sequence[float]], floor: float) -> float:
        """F1 over the judged pairs."""
        told = (self._probabilities(lines) >= floor) & self._judged[self._counted]
        right = int((told & self._right[self._counted]).sum())
        return round(2 * right / max(int(told.sum()) + self._links, 1), 4)

    def _probabilities(self, lines: Sequence[Sequence[float]]) -> NDArray[np.float64]:
        both = [_probability(self._logits, line) for line in lines]
        likely: NDArray[np.float64] = np.where(self._across, both[1], both[0])[self._counted]
        return likely


def _folds(groups: Sequence[str]) -> list[list[bool]]:
    """For each fold which rows are trained on."""
    places = {group: place % FOLDS for place, group in enumerate(sorted(set(groups)))}
    return [[places[group] != fold for group in groups] for fold in range(FOLDS)]


def _out_of_fold(
    groups: Sequence[str], run: Callable[[int, NDArray[np.bool_]], NDArray[np.float32]]
) -> NDArray[np.float32]:
    scores = np.zeros(len(groups), np.float32)
    for fold, kept in enumerate(_folds(groups)):
        rows = ~np.array(kept)
        scores[rows] = run(fold, rows)
    return scores


def _fit_events(words: EventExamples, rows: NDArray[np.bool_], seed: int) -> nn.Sequential:
    features, labels = torch.from_numpy(words.features[rows]), torch.from_numpy(words.labels[rows].astype(np.float32))

    def loss(net: nn.Module, batch: torch.Tensor) -> torch.Tensor:
        return functional.binary_cross_entropy_with_logits(net(features[batch])[:, 0], labels[batch])

    return _fitted(features.shape[1], 64, len(labels), loss, epochs=5, rate=2e-3, seed=seed)


def _fit_links(pairs: PairExamples, seed: int) -> nn.Sequential:
    features, labels = torch.from_numpy(pairs.features), torch.from_numpy(pairs.labels)

    def loss(net: nn.Module, batch: torch.Tensor) -> torch.Tensor:
        forward, backward = net(features[0, batch])[:, 0], net(features[1, batch])[:, 0]
        return functional.cross_entropy(torch.stack([torch.zeros_like(forward), forward, backward], 1), labels[batch])

    return _fitted(features.shape[2], 32, len(labels), loss, epochs=10, rate=1e-3, seed=seed)


def _fitted(
    inputs: int,
    hidden: int,
    count: int,
    loss: Callable[[nn.Module, torch.Tensor], torch.Tensor],
    *,
    epochs: int,
    rate: float,
    seed: int,
) -> nn.Sequential:
    """A perceptron after the last epoch."""
    torch.manual_seed(seed)
    net = nn.Sequential(nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, 1))
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.01)
    steps = epochs * -(-count // _BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(_LAST_RATE, 1 - step / steps))
    for _ in range(epochs):
        for batch in torch.split(torch.randperm(count), _BATCH):
            optimizer.zero_grad()
            loss(net, batch).backward()  # type: ignore[no-untyped-call]
            optimizer.step()
            schedule.step()
    return net.eval()


def _run(net: nn.Module, features: Floats) -> NDArray[np.float32]:
    with torch.no_grad():
        scores: NDArray[np.float32] = net(torch.from_numpy(np.ascontiguousarray(features)))[:, 0].numpy()
    return scores


def _finder(net: nn.Module, line: Sequence[float], floor: float) -> Triggers:
    def find(scores: SentenceScores) -> list[Words]:
        likely = _probability(_run(net, event_features(scores)), line)
        return [(int(word), int(word)) for word in np.flatnonzero(likely >= floor)]

    return find


def _chosen(pairs: PairExamples, rows: Sequence[bool]) -> PairExamples:
    kept = np.array(rows)
    groups = [group for group, one in zip(pairs.groups, rows, strict=True) if one]
    return PairExamples(pairs.features[:, kept], pairs.labels[kept], pairs.across[kept], pairs.judged[kept], groups)


def _line(scores: NDArray[Any], right: NDArray[np.bool_]) -> list[float]:
    """Slope and constant of a logistic regression on one score (Platt 1999); never likely where none is right."""
    if not right.any():
        return [0.0, _NEVER]
    fitted = LogisticRegression(C=100.0).fit(scores[:, None], right)
    return [float(fitted.coef_[0, 0]), float(fitted.intercept_[0])]


def _probability(scores: NDArray[Any], line: Sequence[float]) -> NDArray[np.float64]:
    likely: NDArray[np.float64] = 1 / (1 + np.exp(-(line[0] * scores.astype(np.float64) + line[1])))
    return likely


def _best_floor(
    likely: NDArray[np.float64], right: NDArray[np.bool_], judged: NDArray[np.bool_], gold: int | None = None
) -> float:
    """The probability from which F1 is best over the judged ones."""
    gold = int(right.sum()) if gold is None else gold
    order = np.flatnonzero(judged)[np.argsort(-likely[judged], kind="stable")]
    f1 = 2 * np.cumsum(right[order]) / (np.arange(1, len(order) + 1) + gold)
    return float(likely[order[int(np.argmax(f1))]])


def _f1(likely: NDArray[np.float64], right: NDArray[np.bool_], floor: float) -> float:
    told = likely >= floor
    return round(2 * int((told & right).sum()) / int(told.sum() + right.sum()), 4)


def _tensors(name: str, net: nn.Module) -> dict[str, NDArray[np.float32]]:
    return {f"{name}.{key}": value.numpy() for key, value in net.state_dict().items()}


if __name__ == "__main__":
    main()
