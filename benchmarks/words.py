"""Looking words up at 200,000 passages: the packaged index (SQLite FTS5) beside rank-bm25.

python -m benchmarks.words
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from benchmarks.results import write_result
from kg.word_index import Entry, EntryKind, WordIndex

if TYPE_CHECKING:
    from rank_bm25 import BM25Okapi

VOCABULARY = 50_000
WORDS_PER_PASSAGE = 40
ZIPF_EXPONENT = 1.1
FREQUENT = frozenset(f"word{rank}" for rank in range(100))
"""The most frequent words stand for those that the index leaves out of questions."""
QUERIES = 100
REFERENCE_QUERIES = 20
CHANGES = 100

T = TypeVar("T")


def main() -> None:
    """Generates passages, measures both, and stores the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    random = np.random.default_rng(arguments.seed)
    texts = [" ".join(words) for words in draw_words(random, (arguments.passages, WORDS_PER_PASSAGE))]
    drawn = draw_words(random, (QUERIES, 40))
    questions = [" ".join([word for word in words if word not in FREQUENT][:6]) for words in drawn]
    figures = {**measure_index(texts, questions), **measure_reference(texts, questions[:REFERENCE_QUERIES])}
    write_result(
        "words",
        command=f"python -m benchmarks.words --passages {arguments.passages} --seed {arguments.seed}",
        data=f"{arguments.passages} generated passages of {WORDS_PER_PASSAGE} words, drawn from {VOCABULARY} by Zipf's"
        f" law (exponent {ZIPF_EXPONENT}); questions of 6 words without the 100 most frequent",
        baseline="rank-bm25 (BM25Okapi), which cannot add or delete",
        seed=arguments.seed,
        figures=figures,
    )


def draw_words(random: np.random.Generator, shape: tuple[int, int]) -> list[list[str]]:
    """Words whose frequency falls with their rank as Zipf's law says; shape (texts, words)."""
    weights = 1.0 / np.arange(1, VOCABULARY + 1) ** ZIPF_EXPONENT
    ranks = random.choice(VOCABULARY, size=shape, p=weights / weights.sum())
    return [[f"word{rank}" for rank in row] for row in ranks]


def measure_index(texts: Sequence[str], questions: Sequence[str]) -> dict[str, object]:
    """Build, size, load, search, add and delete of the packaged index."""
    entries = [Entry(id=f"p{number:024x}", stamp="", text=text) for number, text in enumerate(texts)]
    index = WordIndex()
    build, _ = timed(lambda: index.add(EntryKind.PASSAGE, entries))
    image = index.image()
    load, index = timed(lambda: WordIndex(image))
    search = [timed(partial(index.best, EntryKind.PASSAGE, q, 100))[0] for q in questions]
    keys = list(range(1, 201))
    scores = [timed(partial(index.scores, EntryKind.PASSAGE, q, keys))[0] for q in questions]
    new = [Entry(id=f"n{number}", stamp="", text=text) for number, text in enumerate(texts[:CHANGES])]
    add = [timed(partial(index.add, EntryKind.PASSAGE, [e]))[0] for e in new]
    delete = [timed(partial(index.remove, EntryKind.PASSAGE, [e.id]))[0] for e in new]
    return {
        "fts5_build_seconds": round(build, 2),
        "fts5_megabytes": round(len(image) / 1e6, 1),
        "fts5_load_milliseconds": milliseconds([load]),
        "fts5_search_p50_milliseconds": milliseconds(search),
        "fts5_score_200_p50_milliseconds": milliseconds(scores),
        "fts5_add_p50_milliseconds": milliseconds(add),
        "fts5_delete_p50_milliseconds": milliseconds(delete),
    }


def measure_reference(texts: Sequence[str], questions: Sequence[str]) -> dict[str, object]:
    """Build, size and search of rank-bm25 over the same words."""
    from rank_bm25 import BM25Okapi

    words = [text.split() for text in texts]
    build, reference = timed(lambda: BM25Okapi(words))
    search = [timed(partial(_best_of_reference, reference, q))[0] for q in questions]
    counts = sum(sys.getsizeof(count) for count in reference.doc_freqs)
    return {
        "rank_bm25_build_seconds": round(build, 2),
        "rank_bm25_megabytes_of_counts": round(counts / 1e6, 1),
        "rank_bm25_search_p50_milliseconds": milliseconds(search),
    }


def _best_of_reference(reference: BM25Okapi, question: str) -> NDArray[np.intp]:
    return np.argpartition(-reference.get_scores(question.split()), 100)[:100]


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds, which other programs on the machine do not count in, and the result."""
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def milliseconds(seconds: Sequence[float]) -> float:
    """The median in milliseconds."""
    return round(1_000 * statistics.median(seconds), 2)


if __name__ == "__main__":
    main()
