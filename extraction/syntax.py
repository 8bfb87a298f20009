"""The bounds of arguments set right by a dependency tree: no phrase is cut in two, and no other clause is taken in.

The arguments are found by the same rules with or without a tree. Labels of Universal Dependencies and of spaCy's
English pipelines are understood.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Protocol

from language.clause_words import Span
from language.clauses import Clauses
from language.factuality import factuality_lists
from language.tokens import Sentence
from language.trees import Tree
from language.word_classes import WordClass

_SUBJECTS: Final = frozenset({"nsubj", "nsubjpass", "nsubj:pass", "csubj", "csubjpass", "csubj:pass"})
_PARTS: Final = frozenset({"conj", "nmod", "amod", "compound", "flat", "fixed", "nummod", "nmod:poss", "pobj", "prep"})
"""How a part of a noun phrase or a further coordinate hangs behind its head."""
_MODIFIERS: Final = frozenset({"amod", "compound", "det", "nummod", "nmod:poss", "poss"})
"""How a word hangs from a noun behind it."""
_SETS_AGAINST: Final = frozenset({"rather", "instead", "but"})
_ENDS_PHRASE: Final = frozenset({WordClass.RELATIVE, WordClass.SUBORDINATOR, WordClass.TO})
"""Behind these a verb has another subject."""
_LONGEST: Final = 12
"""Most tokens that an argument grows by at either end; the tree of a longer part is often wrong."""


class Trees(Protocol):
    """What reads trees: `language.trees.TreeReader`."""

    fingerprint: str

    def read(self, sentence: Sentence) -> Tree: ...


class Bounds:
    """The bounds of arguments in one sentence."""

    def __init__(self, here: Clauses, tree: Tree, cues: Collection[Span]) -> None:
        """Takes the sentence, its tree, and the tokens of all its cues."""
        self._here = here
        self._tree = tree
        self._cues = frozenset(place for cue in cues for place in range(*cue))

    def settled(self, span: Span, cue: Span, other: Span) -> Span:
        """The whole phrase or clause that a span stands for.

        Args:
            span: The argument as the rules found it, not empty.
            cue: The tokens of its cue.
            other: The other argument; empty when it stands in another sentence.
        """
        taken = self._cues | frozenset(range(*other))
        if taken.intersection(range(*span)) - self._cues:
            return span
        span = self._without_governing_clause(span, cue)
        span = self._from_its_start(span, cue, taken)
        return self._to_its_end(span, cue, taken)

    def hangs_elsewhere(self, span: Span, cue: Span, other: Span) -> bool:
        """Whether the clause behind a cue hangs from a word that the other argument does not have.

        Args:
            span: The clause.
            cue: The tokens that join it.
            other: What the rules say that it is joined to.
        """
        joined = {*range(*span), *range(*cue)}
        governors = {self._tree.heads[place] for place in joined} - joined
        return bool(governors) and governors.isdisjoint(range(*other))

    def _without_governing_clause(self, span: Span, cue: Span) -> Span:
        """Without the clause that the cue itself hangs from: "to prevent *accidents* will be at risk"."""
        start, end = span
        if start < cue[1] or WordClass.PUNCTUATION in self._here.classes[cue[1] : start]:
            return span
        governing = {above for place in range(*cue) for above in self._tree.above[place]} - set(range(*cue))
        below = frozenset().union(*(self._tree.subtrees[place] for place in range(*cue)))
        stop = next((place for place in range(start, end) if place not in below), end)
        if stop == end or not governing.intersection(range(stop, end)):
            return span
        cut = self._here.trimmed(start, stop)
        return cut if self._here.has_content(*cut) else span

    def _from_its_start(self, span: Span, cue: Span, taken: Collection[int]) -> Span:
        """With the whole subject that it begins inside of, and without the adverbial clause that it leaves."""
        start, end = span
        for place in (start, *self._tree.above[start]):
            label, below = self._tree.labels[place], self._tree.subtrees[place]
            first, behind = min(below), max(below) + 1
            governor = self._tree.heads[place]
            if label in _SUBJECTS and first < start and place < end:
                of_span = start <= governor < end
                of_cue = cue[0] <= governor < cue[1] and not start <= place < end
                whole = self._here.trimmed(first, end)
                if (of_span or of_cue) and self._may_take(whole[0], start, taken):
                    return whole
            leaves = first < start and behind < end and behind <= governor < end
            if label == "advcl" and leaves and "," in self._here.words[behind - 1 : behind + 1]:
                cut = self._here.trimmed(behind, end)
                return cut if self._here.has_verb(*cut) else span
        return span

    def _to_its_end(self, span: Span, cue: Span, taken: Collection[int]) -> Span:
        """With the noun that its last words modify, and what that governs: "measured *and informed decisions*"."""
        start, end = span
        behind = self._next_part((start, end), cue, taken)
        while behind > end:
            grown = self._here.trimmed(start, behind)
            if grown != (start, behind):
                return grown if grown[1] > end else (start, end)
            end, behind = behind, self._next_part((start, behind), cue, taken)
        return start, end

    def _next_part(self, span: Span, cue: Span, taken: Collection[int]) -> int:
        """Where the next part of the last phrase of a span ends; the end of the span when there is none."""
        (start, end), heads, labels = span, self._tree.heads, self._tree.labels
        for place in range(end, min(end + _LONGEST, len(heads))):
            below = self._tree.subtrees[place]
            modified = any(heads[each] == place and labels[each] in _MODIFIERS for each in range(start, end))
            governed = start <= heads[place] < end and labels[place] in _PARTS
            governed = governed or (place > end and self._is_infinitive(place, (start, end), cue))
            if self._here.words[end] == "," and labels[place] != "conj":
                continue
            behind = place + 1 if modified else max(below) + 1
            joined = below.issuperset(range(end, behind)) and not (governed and self._is_other(place, end, behind))
            if (modified or governed) and joined and self._may_take(end, behind, taken):
                return behind
        return end

    def _is_infinitive(self, place: int, span: Span, cue: Span) -> bool:
        """Whether a verb tells what the object does: "caused the brakes *to apply*"."""
        opens = self._here.classes[span[1]] is WordClass.TO and span[1] in self._tree.subtrees[place]
        governor, label = self._tree.heads[place], self._tree.labels[place]
        of_cue = cue[1] <= span[0] and cue[0] <= governor < cue[1] and label in ("xcomp", "ccomp", "advcl")
        return opens and (of_cue or (span[0] <= governor < span[1] and label == "acl"))

    def _is_other(self, place: int, first: int, end: int) -> bool:
        """Whether the part of the tree below a token is no part of the phrase: a clause, its subject, or a denial."""
        here, classes = self._here, self._here.classes
        clause = any(
            self._tree.labels[below] in _SUBJECTS or classes[below] is WordClass.RELATIVE
            for below in self._tree.subtrees[place]
        )
        denied = not (factuality_lists().negators | _SETS_AGAINST).isdisjoint(here.words[first:end])
        ahead = next((at for at in range(end, len(classes)) if here.is_hard(at) or classes[at] in _ENDS_PHRASE), end)
        subject = self._tree.labels[place] == "conj" and here.has_verb(end, ahead)
        joined = classes[first] is WordClass.CONJUNCTION or here.words[first] == ","
        beside = joined and here.opens_other_case(first + 1)
        return clause or denied or subject or beside or here.has_verb(first, end)

    def _may_take(self, first: int, end: int, taken: Collection[int]) -> bool:
        return (
            0 < end - first <= _LONGEST
            and not any(place in taken or self._here.is_hard(place) for place in range(first, end))
            and not self._here.skips_text(max(first - 1, 0), min(end + 1, len(self._here.words)))
        )
