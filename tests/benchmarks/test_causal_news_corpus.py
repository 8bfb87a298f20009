from __future__ import annotations

from collections.abc import Sequence

import pytest

from benchmarks.causal_news_corpus import SENTENCES, SPANS, Claims, HalvesAroundCue, Heads, Spans, scored, span_counts
from training.relation_sets import Example, SpanRelation

TEXT = "The road flooded because a bolt sheared ."
GOLD = SpanRelation((25, 39), (0, 16), ((17, 24),))
EXAMPLES = [Example(TEXT, "cnc", True, (GOLD,)), Example("The dam held .", "cnc", False, ())]


def spans(*parts: Sequence[int]) -> Spans:
    return Spans(*map(frozenset, parts))


def test_each_relation_is_matched_once_and_as_is_best() -> None:
    gold = [spans([0, 1], [3], [2]), spans([5], [7], [])]
    predicted = [spans([5], [8], []), spans([0, 1], [3], [4])]
    assert span_counts(gold, predicted) == {"true": 3, "predicted": 5, "gold": 5, "relations": 2, "overlapping": 1}
    assert span_counts(gold, []) == {"true": 0, "predicted": 0, "gold": 5, "relations": 2, "overlapping": 0}


def test_a_reader_that_is_right_has_full_scores() -> None:
    class Right:
        def is_causal(self, text: str) -> bool:
            return text == TEXT

        def relations(self, text: str) -> list[SpanRelation]:
            return [GOLD] if text == TEXT else []

    figures = scored([Right(), Right()], EXAMPLES)
    assert set(figures) == {*SENTENCES, *SPANS}
    assert all(len(columns) == 2 and columns[0].startswith("1.000") for columns in figures.values())


def test_what_rules_read_is_scored_as_the_program_takes_it() -> None:
    rules = Claims("rules")
    assert rules.is_causal(TEXT)
    assert not rules.is_causal(EXAMPLES[1].text)
    assert rules.relations(TEXT) == [GOLD]
    assert HalvesAroundCue(rules).relations(TEXT) == [GOLD]


@pytest.mark.parametrize("corpus", ["cnc", "because"])
def test_heads_of_a_folder_read_by_the_corpus_that_is_named(corpus: str) -> None:
    heads = Heads(corpus=corpus)
    assert heads.is_causal(TEXT)
    assert [(one.cause, one.effect) for one in heads.relations(TEXT)][:1] == [GOLD[:2]]
