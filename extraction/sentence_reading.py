"""One sentence as all that look for claims in it read it: each of them asks, and what is asked for is made once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from language.clauses import Clauses
from language.cues import CueMatch, cue_table
from language.tokens import Sentence

if TYPE_CHECKING:
    from models.relation_heads import RelationReading


class Heads(Protocol):
    """What reads a sentence: `models.relation_heads.RelationHeads`."""

    fingerprint: str

    def read(self, text: str, words: Sequence[tuple[int, int]]) -> RelationReading | None: ...


class SentenceReading:
    """Clauses, cues and relations of one sentence, each made when it is first asked for."""

    def __init__(self, sentence: Sentence, heads: Heads | None) -> None:
        """Reads nothing yet.

        Args:
            sentence: The sentence.
            heads: The heads for the causes of a sentence, if any read.
        """
        self.sentence = sentence
        self._heads = heads

    @cached_property
    def clauses(self) -> Clauses:
        """Its words and their classes."""
        return Clauses(self.sentence)

    @cached_property
    def cues(self) -> list[CueMatch]:
        """What the cue table finds in it."""
        return cue_table().find(self.sentence.tokens)

    @cached_property
    def relations(self) -> RelationReading | None:
        """What the heads read in it; none without heads, and for a sentence that they do not read."""
        if self._heads is None:
            return None
        first = self.sentence.start
        words = [(token.start - first, token.end - first) for token in self.sentence.tokens]
        return self._heads.read(self.sentence.text, words)
