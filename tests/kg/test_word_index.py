from __future__ import annotations

import numpy as np
import pytest
from rank_bm25 import BM25Okapi

from kg.word_index import Entry, EntryKind, WordIndex, match_expression

VOCABULARY = [f"word{number}" for number in range(300)]


def corpus(seed: int, size: int = 400) -> list[list[str]]:
    random = np.random.default_rng(seed)
    weights = 1 / np.arange(1, len(VOCABULARY) + 1)
    lengths = random.integers(5, 60, size)
    return [list(random.choice(VOCABULARY, length, p=weights / weights.sum())) for length in lengths]


def spearman(first: list[float], second: list[float]) -> float:
    ranks = [np.argsort(np.argsort(values, kind="stable"), kind="stable") for values in (first, second)]
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


@pytest.mark.parametrize("seed", range(5))
def test_bm25_agrees_with_rank_bm25(seed: int) -> None:
    # Words of which fewer than half of the texts hold one: above that the two floor the weight of a word differently.
    texts = corpus(seed)
    index = WordIndex()
    keys = index.add(EntryKind.PASSAGE, [Entry(str(n), "", " ".join(words)) for n, words in enumerate(texts)])
    reference = BM25Okapi(texts, k1=1.2, b=0.75)
    random = np.random.default_rng(seed + 100)
    for _ in range(10):
        question = list(dict.fromkeys(random.choice(VOCABULARY[20:], 3)))
        scores = index.best(EntryKind.PASSAGE, " ".join(question), len(texts))
        expected = reference.get_scores(question)
        assert {keys.index(key) for key in scores} == set(np.flatnonzero(expected))
        assert expected[keys.index(max(scores, key=scores.__getitem__))] == pytest.approx(expected.max(), rel=0.01)
        assert spearman(list(scores.values()), [expected[keys.index(key)] for key in scores]) > 0.98


def test_entries_that_go_leave_no_trace_in_the_scores() -> None:
    texts = [Entry(str(n), "", " ".join(words)) for n, words in enumerate(corpus(1, 60))]
    grown, fresh = WordIndex(), WordIndex()
    grown.add(EntryKind.PASSAGE, texts)
    grown.remove(EntryKind.PASSAGE, [entry.id for entry in texts[20:]])
    fresh.add(EntryKind.PASSAGE, texts[:20])
    assert grown.best(EntryKind.PASSAGE, "word1 word30", 60) == fresh.best(EntryKind.PASSAGE, "word1 word30", 60)
    assert grown.stamps(EntryKind.PASSAGE) == fresh.stamps(EntryKind.PASSAGE)
    assert grown.best(EntryKind.EVENT, "word1", 5) == {}


def test_scores_of_chosen_entries_are_those_of_the_list() -> None:
    index = WordIndex()
    keys = index.add(EntryKind.PASSAGE, [Entry(str(n), "", " ".join(words)) for n, words in enumerate(corpus(2))])
    every = index.best(EntryKind.PASSAGE, "word40 word41", len(keys))
    assert index.scores(EntryKind.PASSAGE, "word40 word41", keys[:100]) == {
        key: score for key, score in every.items() if key in keys[:100]
    }


def test_a_copy_is_independent() -> None:
    index = WordIndex()
    index.add(EntryKind.PASSAGE, [Entry("a", "", "gauge")])
    copy = index.copy()
    copy.remove(EntryKind.PASSAGE, ["a"])
    assert index.stamps(EntryKind.PASSAGE) == {"a": ""}
    assert copy.stamps(EntryKind.PASSAGE) == {}


def test_questions_become_quoted_words() -> None:
    assert match_expression('Why did "the" Gauge fail, gauge?') == '"gauge" OR "fail"'
    assert match_expression("why?") == '"why"'
    assert match_expression('" * ^ -') == ""


@pytest.mark.parametrize("image", [b"", b"not a database", b"SQLite format 3\x00" + bytes(200)])
def test_what_is_no_image_is_refused(image: bytes) -> None:
    with pytest.raises(ValueError, match="image"):
        WordIndex(image)
