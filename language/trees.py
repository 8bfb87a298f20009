"""Dependency trees, as a spaCy pipeline reads them; sentences and their words stay as the rules cut them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from language.tokens import Sentence

if TYPE_CHECKING:
    from spacy.language import Language

_NO_TREES: Final = frozenset(
    {"tagger", "morphologizer", "attribute_ruler", "lemmatizer", "trainable_lemmatizer", "senter", "ner"}
)
"""Parts of a pipeline that a tree does not need."""


@dataclass(frozen=True)
class Tree:
    """The tree of one sentence; a faulty one, with a cycle, does no harm.

    Attributes:
        heads: For each token the place of the token that governs it; its own place for a root.
        labels: For each token how it hangs from its head: labels of Universal Dependencies, or of spaCy's pipelines.
    """

    heads: tuple[int, ...]
    labels: tuple[str, ...]

    @cached_property
    def above(self) -> tuple[tuple[int, ...], ...]:
        """For each token the tokens that govern it, the nearest first."""
        return tuple(self._above(place) for place in range(len(self.heads)))

    @cached_property
    def subtrees(self) -> tuple[frozenset[int], ...]:
        """For each token the tokens that hang from it, itself included."""
        below: list[set[int]] = [{place} for place in range(len(self.heads))]
        for place, governing in enumerate(self.above):
            for each in governing:
                below[each].add(place)
        return tuple(map(frozenset, below))

    def _above(self, place: int) -> tuple[int, ...]:
        found: list[int] = []
        while self.heads[place] not in (place, *found):
            place = self.heads[place]
            found.append(place)
        return tuple(found)


class TreeReader:
    """Reads the tree of one sentence at a time. Safe to use again; not to be shared by threads."""

    def __init__(self, parser: Language, fingerprint: str) -> None:
        """Takes a pipeline that sets heads, and what changes whenever it could read another tree."""
        self.fingerprint: str = fingerprint
        self._vocab = parser.vocab
        self._parts = [part for name, part in parser.pipeline if name not in _NO_TREES]

    def read(self, sentence: Sentence) -> Tree:
        """The tree over the tokens of the sentence."""
        from spacy.tokens import Doc

        tokens = sentence.tokens
        spaces = [token.end < then.start for token, then in pairwise(tokens)]
        starts: list[bool | int | None] = [place == 0 for place in range(len(tokens))]
        doc = Doc(self._vocab, words=[token.text for token in tokens], spaces=[*spaces, False], sent_starts=starts)
        for part in self._parts:
            doc = part(doc)
        return Tree(tuple(word.head.i for word in doc), tuple(word.dep_ for word in doc))
