"""The relation heads as a torch module on the changed trunk, with the losses they learn by.

Names of parameters and the order of features are those of `models.relation_heads`, which runs them with numpy.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from models.relation_heads import (
    BUCKETS,
    DISTANCES,
    RANK,
    Words,
    distance_class,
    gap,
    length_class,
    length_is_negative,
)
from training.low_rank_trunk import WIDTH, Dropout, LowRankTrunk, learned_tensors

_HIDDEN: Final = 256
_DROPOUT: Final = 0.2
_TRUNK_DROPOUT: Final = 0.1
_RANK_OF_CHANGES: Final = 16
_SPAN_LOSS, _PAIR_LOSS, _SIGNAL_LOSS = 0.35, 4.0, 1.0
_POSITIVE: Final = 3.0
"""Weight of a gold span beside one that is not: of the words' square, a handful are gold."""
_RIVALS, _RIVAL_SIGNALS = 4, 3
"""Best spans of each role that the pair scorer learns to tell from the gold ones."""
_FEW: Final = -4.0
"""First guess of every span's score."""


class Encoded(NamedTuple):
    """An example in tokens and words.

    Attributes:
        ids: Token ids.
        places: Which word each token stands in; -1 for those in none.
        words: Number of words.
        relations: Cause, effect and signals by first and last word.
    """

    corpus: str
    causal: bool
    ids: Sequence[int]
    places: Sequence[int]
    words: int
    relations: Sequence[tuple[Words, Words, Sequence[Words]]]


class RelationNet(nn.Module):
    """Trunk and heads."""

    def __init__(self, graph: Path, corpora: Iterable[str]) -> None:
        """Loads the trunk from the packaged graph; the heads, one for the sentences of each corpus, start at random."""
        super().__init__()
        self.trunk = LowRankTrunk(graph, _RANK_OF_CHANGES, _TRUNK_DROPOUT)
        self.sentence = nn.ModuleDict({corpus: nn.Linear(2 * WIDTH, 1) for corpus in corpora})
        self.attention = nn.Linear(WIDTH, 1)
        self.starts, self.ends = nn.Linear(WIDTH, 3 * RANK), nn.Linear(WIDTH, 3 * RANK)
        self.biaffine = nn.Parameter(torch.randn(3, RANK + 1, RANK + 1) * 0.02)
        self.biaffine.data[:, RANK, RANK] = _FEW
        self.length = nn.Embedding(BUCKETS, 3)
        nn.init.zeros_(self.length.weight)
        self.distance = nn.Embedding(2 * DISTANCES, WIDTH)
        self.pair, self.signal = _perceptron(5 * WIDTH), _perceptron(6 * WIDTH)
        self._dropout = Dropout(_DROPOUT)

    def loss(self, examples: Sequence[Encoded]) -> torch.Tensor:
        """The loss of one batch."""
        words, pooled = self._encode(examples)
        told = torch.cat([self.sentence[one.corpus](row) for one, row in zip(examples, pooled, strict=True)])
        gold = torch.tensor([float(one.causal) for one in examples])
        loss = functional.binary_cross_entropy_with_logits(told, gold)
        scores = self._spans(words)
        sums = dict.fromkeys(("span", "pair", "signal"), torch.zeros(()))
        counts = dict.fromkeys(sums, 0)
        for one, vectors, spans in zip(examples, words, scores, strict=True):
            # SemEval names the head nouns of a relation alone, and of some causal sentences no spans are known.
            if one.corpus == "semeval" or (one.causal and not one.relations):
                continue
            for name, (part, count) in self._losses(one, vectors[: one.words], spans).items():
                sums[name] = sums[name] + part
                counts[name] += count
        for name, factor in (("span", _SPAN_LOSS), ("pair", _PAIR_LOSS), ("signal", _SIGNAL_LOSS)):
            loss = loss + factor * sums[name] / max(counts[name], 1)
        return loss

    def tensors(self) -> dict[str, NDArray[np.float16]]:
        """All that was learned, in the form of `models.relation_heads` but for the calibration."""
        return learned_tensors(self, self.trunk)

    def _encode(self, examples: Sequence[Encoded]) -> tuple[torch.Tensor, torch.Tensor]:
        """Vectors of words, and of sentences."""
        tokens, width = max(len(one.ids) for one in examples), max(one.words for one in examples)
        ids = torch.zeros(len(examples), tokens, dtype=torch.long)
        mask = torch.zeros(len(examples), tokens)
        means = torch.zeros(len(examples), width, tokens)
        for row, one in enumerate(examples):
            ids[row, : len(one.ids)] = torch.tensor(one.ids)
            mask[row, : len(one.ids)] = 1
            for token, word in enumerate(one.places):
                if word >= 0:
                    means[row, word, token] = 1
        means /= means.sum(-1, keepdim=True).clamp(min=1)
        hidden = self.trunk(ids, mask)
        attention = self.attention(self._dropout(hidden))[..., 0].masked_fill(mask == 0, -1e9).softmax(-1)
        pooled = torch.cat([hidden[:, 0], (attention[..., None] * hidden).sum(1)], -1)
        return means @ hidden, self._dropout(pooled)

    def _spans(self, words: torch.Tensor) -> torch.Tensor:
        """Scores of shape (sentences, 3, words, words)."""
        texts, count, _ = words.shape
        dropped = self._dropout(words)
        one = torch.ones(texts, count, 3, 1)
        first, last = (
            torch.cat([_gelu(layer(dropped)).view(texts, count, 3, RANK), one], -1)
            for layer in (self.starts, self.ends)
        )
        scores = torch.einsum("btkr,krq,bukq->bktu", first, self.biaffine, last)
        length = np.clip(np.arange(count)[None] - np.arange(count)[:, None], 0, None)
        result: torch.Tensor = scores + self.length(torch.as_tensor(length_class(length))).permute(2, 0, 1)[None]
        return result

    def _losses(self, one: Encoded, words: torch.Tensor, scores: torch.Tensor) -> dict[str, tuple[torch.Tensor, int]]:
        """Summed losses of one sentence, and what each is to be divided by."""
        # BECauSE has no signals in this schema.
        kinds = 2 if one.corpus == "because" else 3
        square = scores[:kinds, : one.words, : one.words]
        possible = torch.as_tensor(~length_is_negative(one.words))
        gold = torch.zeros(3, one.words, one.words)
        for cause, effect, signals in one.relations:
            gold[0][cause] = gold[1][effect] = 1
            for signal in signals:
                gold[2][signal] = 1
        span = functional.binary_cross_entropy_with_logits(
            square[:, possible], gold[:kinds, possible], reduction="sum", pos_weight=torch.tensor(_POSITIVE)
        )
        losses = {"span": (span, 1)}
        if not one.relations:
            return losses
        rivals = [
            _best(scores[kind, : one.words, : one.words], possible, count)
            for kind, count in ((0, _RIVALS), (1, _RIVALS), (2, _RIVAL_SIGNALS))
        ]
        linked = {(cause, effect) for cause, effect, _ in one.relations}
        causes = dict.fromkeys([*(cause for cause, _ in linked), *rivals[0]])
        effects = dict.fromkeys([*(effect for _, effect in linked), *rivals[1]])
        pairs = [
            (cause, effect) for cause in causes for effect in effects if cause[1] < effect[0] or effect[1] < cause[0]
        ]
        if pairs:
            losses["pair"] = _summed(self._pairs(words, pairs), [pair in linked for pair in pairs])
        if kinds == 3:
            triples = [
                (cause, effect, signal, signal in signals)
                for cause, effect, signals in one.relations
                for signal in dict.fromkeys([*signals, *rivals[2]])
            ]
            losses["signal"] = _summed(self._signals(words, triples), [triple[3] for triple in triples])
        return losses

    def _pairs(self, words: torch.Tensor, pairs: Sequence[tuple[Words, Words]]) -> torch.Tensor:
        between = torch.stack([_between(words, cause, effect) for cause, effect in pairs])
        classes = torch.tensor([distance_class(cause, effect) for cause, effect in pairs])
        features = [
            *_ends(words, [cause for cause, _ in pairs]),
            *_ends(words, [effect for _, effect in pairs]),
            between + self.distance(classes),
        ]
        result: torch.Tensor = self.pair(torch.cat(features, -1))[:, 0]
        return result

    def _signals(self, words: torch.Tensor, triples: Sequence[tuple[Words, Words, Words, bool]]) -> torch.Tensor:
        features = [
            *_ends(words, [cause for cause, *_ in triples]),
            *_ends(words, [effect for _, effect, *_ in triples]),
            *_ends(words, [signal for *_, signal, _ in triples]),
        ]
        result: torch.Tensor = self.signal(torch.cat(features, -1))[:, 0]
        return result


def _perceptron(width: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(width, _HIDDEN), nn.GELU(approximate="tanh"), Dropout(_DROPOUT), nn.Linear(_HIDDEN, 1)
    )


def _gelu(values: torch.Tensor) -> torch.Tensor:
    return functional.gelu(values, approximate="tanh")


def _best(scores: torch.Tensor, possible: torch.Tensor, count: int) -> list[Words]:
    """The best spans; of few words there may be fewer than asked for."""
    width = scores.shape[1]
    with torch.no_grad():
        places = scores.masked_fill(~possible, -1e9).flatten().topk(min(count, int(possible.sum()))).indices
    return [(int(place) // width, int(place) % width) for place in places]


def _summed(scores: torch.Tensor, gold: Sequence[bool]) -> tuple[torch.Tensor, int]:
    wanted = torch.tensor([float(one) for one in gold])
    return functional.binary_cross_entropy_with_logits(scores, wanted, reduction="sum"), len(gold)


def _ends(words: torch.Tensor, spans: Iterable[Words]) -> tuple[torch.Tensor, torch.Tensor]:
    first, last = torch.tensor(list(spans)).T
    sums = torch.cat([torch.zeros(1, words.shape[1]), words.cumsum(0)])
    return words[first] + words[last], (sums[last + 1] - sums[first]) / (last + 1 - first)[:, None]


def _between(words: torch.Tensor, cause: Words, effect: Words) -> torch.Tensor:
    first, last = gap(cause, effect)
    return words[first:last].mean(0) if last > first else torch.zeros(words.shape[1])
