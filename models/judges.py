"""The packaged judges: small decisions over pairs of texts, by heads on adapted encoders.

A pair is read as one text, first the mark of the task, then both parts, so that each word of one is compared with each
of the other (a cross-encoder: Nogueira and Cho 2019, arXiv 1901.04085); the vectors of the first token and the mean of
all go through a linear layer of the task. What helps to answer a question is judged together with the nearness of its
vector and the words it shares. Scores are turned into probabilities by temperature (Guo et al. 2017, arXiv
1706.04599, section 4.2) or a logistic curve, fitted on pairs that were kept from training.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from causetrail.errors import PassageTooLong
from models.adapted_trunk import AdaptedTrunk, trunk_and_head
from models.encoder import PACKAGED
from models.onnx_encoder import MAX_TOKENS, QUERY_PREFIX, OnnxEncoder
from models.weights_card import HEAD_FILE, WEIGHTS, open_weights

NAME: Final = "causetrail_judges"

Floats = NDArray[np.float32]


class Task(StrEnum):
    """What is judged of a pair of texts."""

    ENTAILMENT = "entailment"
    """Premise and hypothesis: does the second follow from the first, contradict it, or neither."""
    RELEVANCE = "relevance"
    """Query and passage: does the passage help to answer."""
    CAUSE = "cause"
    """Cause and effect: how plausible is it that the first led to the second."""
    SUFFICIENCY = "sufficiency"
    """Question and evidence: does the evidence suffice for an answer."""


MARKS: Final = {Task.ENTAILMENT: 1, Task.RELEVANCE: 2, Task.CAUSE: 3, Task.SUFFICIENCY: 4}
"""Token id of each task: entries of the encoder's vocabulary that no text has."""
OUTPUTS: Final = {Task.ENTAILMENT: 3, Task.RELEVANCE: 1, Task.CAUSE: 1, Task.SUFFICIENCY: 1}
"""Scores of each task; those of entailment are of entailment, neither and contradiction."""

TRUNKS: Final[Mapping[str, tuple[Task, ...]]] = {
    "texts": (Task.ENTAILMENT, Task.RELEVANCE, Task.SUFFICIENCY),
    "events": (Task.CAUSE,),
}
"""The tasks of each adapted encoder, by the beginning of its tensors' names.

What leads to what is learned apart: beside the others, which ask what is said of what, it is learned worse.
"""
SEPARATOR: Final = 102
"""Token behind each of the two texts."""
LAST_SIGN: Final = 1_995
"""The tokens up to here are marks, punctuation and single characters; words and pieces of words follow."""
CALIBRATION: Final = "calibration."
"""How the names of what turns scores into probabilities begin."""
_VECTORS_KEPT: Final = 1_024
"""Texts whose vectors are kept: the query of a reranking stands beside each passage, and a passage beside each option
of a choice."""


class Inference(NamedTuple):
    """Probabilities, adding up to one, that a hypothesis follows from a premise, that neither, that it contradicts."""

    entailed: float
    neutral: float
    contradicted: float


class Judges:
    """Judges pairs of texts. Safe to use from threads; pairs of one call are judged side by side."""

    def __init__(self, directory: Path = WEIGHTS / NAME, threads: int = 1) -> None:
        """Checks and reads the weights in `directory`; the encoder adapted by them is loaded when first used.

        Args:
            directory: The folder of the weights.
            threads: Pairs that are judged at the same time; each takes one processor.

        Raises:
            ModelDamaged: a file is not the one that was packaged.
        """
        self.fingerprint: str = open_weights(directory).fingerprint
        tensors = load_file(directory / HEAD_FILE)
        self._changes: dict[str, dict[str, NDArray[Any]]] = {}
        self._trunks: dict[str, AdaptedTrunk] = {}
        self._loading = threading.Lock()
        self._heads = {name: value for name, value in tensors.items() if name.startswith(CALIBRATION)}
        for name in TRUNKS:
            self._changes[name], heads = trunk_and_head(_of(name, tensors))
            self._heads |= heads
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="judge")
        self._threads = threads
        self._vector = lru_cache(_VECTORS_KEPT)(self._encoded)

    def inferences(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """What follows from what, of premises and hypotheses.

        Raises:
            PassageTooLong: a pair has more tokens than the encoder reads; none is judged then.
        """
        scores = self.scores(Task.ENTAILMENT, pairs) / self._heads[CALIBRATION + Task.ENTAILMENT][0]
        return inferences_of(scores)

    @property
    def prompts(self) -> Mapping[str, str]:
        """None: no language model is asked."""
        return {}

    def relevance(
        self, query: str, passages: Sequence[str], nearness: Sequence[float] | Floats | None = None
    ) -> list[float]:
        """Probability for each passage that it helps to answer the query.

        Args:
            query: A question or a search.
            passages: Texts to judge.
            nearness: Cosine of the packaged encoder's vectors of query and each passage, where they are known already;
                worked out when not given.

        Raises:
            PassageTooLong: as `inferences`.
        """
        pairs = [(query, passage) for passage in passages]
        scores = self.scores(Task.RELEVANCE, pairs)
        if nearness is None:
            asked = self._vector(QUERY_PREFIX + query)
            nearness = [float(found @ asked) for found in self._pool.map(self._vector, passages)]
        shared = [shared_words(self.token_ids(Task.RELEVANCE, *pair)) for pair in pairs]
        told = np.column_stack([scores[:, 0], np.array(nearness), np.array(shared)])
        return self._probabilities(Task.RELEVANCE, told)

    def causes(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Probability for each pair of a candidate cause and an event that the first led to the second.

        Raises:
            PassageTooLong: as `inferences`.
        """
        return self._probabilities(Task.CAUSE, self.scores(Task.CAUSE, pairs))

    def sufficiency(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Probability for each pair of a question and evidence that the evidence suffices for an answer.

        Raises:
            PassageTooLong: as `inferences`.
        """
        return self._probabilities(Task.SUFFICIENCY, self.scores(Task.SUFFICIENCY, pairs))

    def scores(self, task: Task, pairs: Sequence[tuple[str, str]]) -> Floats:
        """What stands before calibration: shape (pairs, `OUTPUTS` of the task).

        Each pair is read on its own: in a batch its int8 activations would be scaled by its neighbours, and what is
        judged of it would depend on them.

        Raises:
            PassageTooLong: as `inferences`.
        """
        encoded = [self.token_ids(task, *pair) for pair in pairs]
        for ids in encoded:
            if len(ids) > MAX_TOKENS:
                raise PassageTooLong(tokens=len(ids), model=NAME, limit=MAX_TOKENS)
        weight, bias = self._heads[f"heads.{task}.weight"], self._heads[f"heads.{task}.bias"]
        pooled = list(self._pool.map(partial(self._pooled, self._trunk(task)), encoded))
        if not pooled:
            return np.zeros((0, OUTPUTS[task]), dtype=np.float32)
        scores: Floats = np.stack(pooled) @ weight.T + bias
        return scores

    def token_ids(self, task: Task, first: str, second: str) -> list[int]:
        """The tokens of a pair as they are read, marks included."""
        return marked(task, self._trunk(task).token_ids(first, second))

    def _trunk(self, task: Task) -> AdaptedTrunk:
        """The trunk of a task; most questions need one of the two, and loading one takes longer than an answer.

        Raises:
            ModelDamaged: a file of the encoder is not the one that was packaged.
            ModelMissing: the files are intact, but the installed runtime cannot run them.
        """
        (name,) = (name for name, tasks in TRUNKS.items() if task in tasks)
        with self._loading:
            if name not in self._trunks:
                self._trunks[name] = AdaptedTrunk(WEIGHTS / PACKAGED, self._changes[name])
            return self._trunks[name]

    def _pooled(self, trunk: AdaptedTrunk, ids: Sequence[int]) -> Floats:
        states = trunk.states(ids)
        return np.concatenate([states[0], states.mean(axis=0)])

    def _encoded(self, text: str) -> Floats:
        with self._loading:
            encoder = self._encoder
        vector: Floats = encoder.encode_passages([text])[0]
        return vector

    @cached_property
    def _encoder(self) -> OnnxEncoder:
        return OnnxEncoder(WEIGHTS / PACKAGED, self._threads)

    def _probabilities(self, task: Task, told: Floats) -> list[float]:
        """The logistic curve of what is told of each pair, shape (pairs, what is told)."""
        *slopes, constant = self._heads[CALIBRATION + task]
        return [float(value) for value in 1 / (1 + np.exp(-(told @ np.array(slopes) + constant)))]


def inferences_of(scores: Floats | NDArray[np.float64]) -> list[Inference]:
    """The softmax of scores of entailment, neither and contradiction: shape (pairs, 3)."""
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return [Inference(*map(float, row / row.sum())) for row in shares]


def marked(task: Task, token_ids: Sequence[int]) -> list[int]:
    """The tokens of a pair with the mark of a task behind the first one."""
    start, *rest = token_ids
    return [start, MARKS[task], *rest]


def shared_words(token_ids: Sequence[int]) -> float:
    """Share of the words of a pair's first text that its second has too, the rare ones weighing more: 0 to 1.

    The encoder's vocabulary stands in the order of how often its words are used, and by Zipf's law the logarithm of the
    place says how rare a word is.
    """
    end = token_ids.index(SEPARATOR)
    asked = {token for token in token_ids[:end] if token > LAST_SIGN}
    found = asked.intersection(token_ids[end:])
    return sum(map(_rarity, found)) / sum(map(_rarity, asked)) if asked else 0.0


def _rarity(token: int) -> float:
    return float(np.log1p(token - LAST_SIGN))


def _of(trunk: str, tensors: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """The tensors of a trunk and its heads, by the names they have there."""
    start = f"{trunk}."
    return {name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)}
