"""Passages that answer a question only together: bridges of names against plain likeness in meaning.

    python -m benchmarks.multihop [--data ../shared/data]

Of the passages that support the answer of a question, the share among the five that come first. Plain retrieval ranks
by the packaged encoder alone. Questions at even places of HotpotQA and MuSiQue set the figures of `reasoning`, and so
did XQuAD's even articles; those at odd places set nothing. XQuAD's questions need one passage each and show what
bridges cost there. Differences are of the same questions, with 95 % intervals over questions drawn with replacement.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from benchmarks.bootstrap import SEED
from benchmarks.results import write_result
from benchmarks.retrieval_sets import Retrieval, cut_passage, retrievals
from evaluation.intervals import mean_of, paired_p
from kg.fusion import DEPTH, Hit, best_hits, ranked, reciprocal_rank
from kg.word_index import Entry, EntryKind, WordIndex
from models.encoder import PACKAGED, load_encoder
from models.onnx_encoder import OnnxEncoder
from reasoning.bridges import walk
from reasoning.thresholds import BridgeThresholds, thresholds

BRIDGES: Final = "bridges"
BEST: Final = 5
_READ: Final = 20
_PARAGRAPHS: Final = 300
_PLAIN: Final = "plain"


class AskedSet(NamedTuple):
    """Questions with the places of their passages, and by name which of them stand in a part of the set."""

    title: str
    retrieval: Retrieval
    parts: Mapping[str, Sequence[int]]


class ClosedLibrary:
    """Passages in memory, searched as the index of a collection searches them."""

    def __init__(self, passages: Sequence[str], encoder: OnnxEncoder) -> None:
        self._passages = {f"{place:05}": text for place, text in enumerate(passages)}
        self._encoder = encoder
        self._vectors = encoder.encode_passages(passages)
        self._words = WordIndex()
        entries = [Entry(id_, "", text) for id_, text in self._passages.items()]
        self._id_of = dict(zip(self._words.add(EntryKind.PASSAGE, entries), self._passages, strict=True))
        self._found: dict[str, list[Hit]] = {}

    def search(self, query: str, most: int) -> list[Hit]:
        """The best passages by meaning and words; what was searched once is known."""
        if query not in self._found:
            self._found[query] = self._searched(query)
        return self._found[query][:most]

    def texts(self, ids: Sequence[str]) -> Mapping[str, str]:
        """The passages by id."""
        return {id_: self._passages[id_] for id_ in ids}

    def nearest(self, query: str) -> list[int]:
        """The places of the passages by likeness in meaning alone."""
        near = self._vectors @ self._encoder.encode_query(query)[0]
        return [int(place) for place in np.argsort(-near, kind="stable")]

    def _searched(self, query: str) -> list[Hit]:
        near = dict(zip(self._passages, map(float, self._vectors @ self._encoder.encode_query(query)[0]), strict=True))
        words = {self._id_of[key]: score for key, score in self._words.best(EntryKind.PASSAGE, query, DEPTH).items()}
        fused = reciprocal_rank(ranked(near)[:DEPTH], ranked(words)[:DEPTH])
        return best_hits(fused, near, words, DEPTH)


def main() -> None:
    """Measures all and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments = parser.parse_args()
    encoder = load_encoder(PACKAGED, 1)
    assert isinstance(encoder, OnnxEncoder)
    figures: dict[str, list[str]] = {}
    for some in asked_sets(arguments.data):
        library = ClosedLibrary(some.retrieval.passages, encoder)
        told = measured(some.retrieval, library)
        for part, places in some.parts.items():
            for ranking, found in told.items():
                name = f"{some.title}{part}, {len(places)} questions, {ranking}"
                figures[name] = _cells([found[place] for place in places], [told[_PLAIN][place] for place in places])
                print(name, *figures[name], sep=" | ", flush=True)
    write_result(
        "multihop",
        command="python -m benchmarks.multihop",
        data="100 questions each of HotpotQA and MuSiQue, 300 of XQuAD's even and 300 of its odd articles",
        baseline="plain: likeness in meaning by the packaged encoder alone",
        columns=(f"recall at {BEST}", "less plain", "p"),
        figures=figures,
        seed=SEED,
    )


def asked_sets(data: Path) -> Iterator[AskedSet]:
    """The sets with their parts.

    Args:
        data: Folder of the labelled data.
    """
    for title, retrieval in retrievals(data):
        if title in {"HotpotQA", "MuSiQue"}:
            yield AskedSet(title, retrieval, _parts(retrieval))
    yield _xquad(data)


def _parts(retrieval: Retrieval) -> dict[str, Sequence[int]]:
    """All questions, both halves, and those with so many passages."""
    places = range(len(retrieval.questions))
    parts: dict[str, Sequence[int]] = {"": places, ", even places": places[::2], ", odd places": places[1::2]}
    sizes = [len(helping) for _, helping in retrieval.questions]
    for size in sorted({*sizes}):
        parts[f", {size} passages"] = [place for place in places if sizes[place] == size]
    return parts


def _xquad(data: Path) -> AskedSet:
    """Paragraphs, and questions of even and odd articles."""
    passages: list[str] = []
    asked: tuple[list[tuple[str, frozenset[int]]], ...] = ([], [])
    for number, article in enumerate(json.loads((data / "xquad/xquad.en.json").read_text("utf-8"))["data"]):
        for paragraph in article["paragraphs"]:
            asked[number % 2].extend((one["question"], frozenset({len(passages)})) for one in paragraph["qas"])
            passages.append(cut_passage(paragraph["context"]))
    draw = random.Random(SEED)
    even, odd = (draw.sample(some, _PARAGRAPHS) for some in asked)
    parts = {", even articles": range(_PARAGRAPHS), ", odd articles": range(_PARAGRAPHS, 2 * _PARAGRAPHS)}
    return AskedSet("XQuAD", Retrieval(passages, [*even, *odd]), parts)


def measured(retrieval: Retrieval, library: ClosedLibrary) -> dict[str, list[float]]:
    """The recall of each question, by ranking.

    Args:
        retrieval: The questions.
        library: Their passages.
    """
    told: dict[str, list[float]] = {}

    def walked(figures: BridgeThresholds) -> Callable[[str], list[int]]:
        return lambda question: [int(hit.id) for hit in walk(question, library, _READ, figures)[0]]

    rankings = {BRIDGES: walked(thresholds().bridges)}
    rankings |= {name: walked(thresholds().bridges.model_copy(update=change)) for name, change in _WITHOUT.items()}
    rankings |= {_PLAIN: library.nearest, "plain and words, by rank": lambda question: _fused(question, library)}
    for name, ranking in rankings.items():
        told[name] = []
        for question, helping in retrieval.questions:
            told[name].append(recall(ranking(question), helping))
    return told


_WITHOUT: Final[dict[str, dict[str, float]]] = {
    "without names": {"names": 0},
    "from the first passage alone": {"starts": 1},
    "without the words of the index": {"words_weight": 0.0},
    "without a cost of the step": {"step_cost": 0.0},
    "the second passage scored alone": {"onward": 1.0},
}
"""What is changed in each ablation."""


def recall(order: Sequence[int], helping: frozenset[int]) -> float:
    """Share of the passages that help among the first ones."""
    return len(helping & {*order[:BEST]}) / len(helping)


def _fused(question: str, library: ClosedLibrary) -> list[int]:
    return [int(hit.id) for hit in library.search(question, _READ)]


def _cells(values: Sequence[float], plain: Sequence[float]) -> list[str]:
    less = [value - base for value, base in zip(values, plain, strict=True)]
    gained = mean_of(less)
    return [
        str(mean_of(values)),
        f"{gained.value:+.3f} ({gained.low:+.3f} to {gained.high:+.3f})",
        f"{paired_p(less):.4f}",
    ]


if __name__ == "__main__":
    main()
