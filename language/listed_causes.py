"""Causes that a sentence counts and lists behind a colon: "Three factors led to the collapse: rust, frost and wind"."""

from __future__ import annotations

from language.clause_words import ClauseWords, Span
from language.cue_heads import head_lists, head_noun
from language.factuality import factuality_lists
from language.word_classes import WordClass

W = WordClass
_COUNTING = frozenset({W.NUMBER, W.DETERMINER, W.ADJECTIVE})


def listed_behind(clauses: ClauseWords, counted: Span, effect: Span) -> tuple[Span, Span] | None:
    """The list that a sentence gives for what it only counts, and what they led to; none where it gives none.

    Args:
        clauses: The sentence.
        counted: The side of the cause: "three factors".
        effect: What stands behind the cue, the list with it.
    """
    start, end = clauses.trimmed(*counted)
    plain = end > start and all(clauses.classes[place] in _COUNTING for place in range(start, end - 1))
    if not plain or head_noun(clauses, (start, end)) not in head_lists()["counted"]:
        return None
    colon = next((place for place in range(*effect) if clauses.words[place] == ":"), effect[1])
    joined = {"and", ",", ";"}.intersection(clauses.words[colon:])
    # What has a verb is another sentence: "two things led to the strike: pay had been cut, and nobody said why".
    if not joined or clauses.has_verb(colon, len(clauses.words)) or colon == effect[0]:
        return None
    lists = factuality_lists()
    if not (lists.modality.keys() | lists.negators | {"or"}).isdisjoint(clauses.words[colon:]):
        return None
    return (colon + 1, len(clauses.words)), (effect[0], colon)
