"""Claims that the program takes from single labelled sentences, and whether the annotation bears them out."""

from __future__ import annotations

from typing import Final, NamedTuple

from benchmarks.claim_readers import reader_of
from kg.records import Relation
from language.content_words import content_keys
from language.sentences import SentenceReader
from training.relation_sets import Characters, Example, SpanRelation
from training.word_overlap import iou, word_positions

_DOCUMENT: Final = "d" + "0" * 24
_HALF: Final = 0.5


class SentenceClaim(NamedTuple):
    """One claim by the characters of its cause and its effect.

    Attributes:
        cue: The words that signal it, as the claim names them.
        confidence: Of the claim, 0.05 to 0.95, with four digits behind the point.
    """

    cause: Characters
    effect: Characters
    cue: str
    confidence: float


class SentenceClaims:
    """Takes the claims of one sentence at a time."""

    def __init__(self, way: str) -> None:
        """Loads one of `benchmarks.claim_readers.WAYS`."""
        self._sentences = SentenceReader()
        self._claims = reader_of(way)

    def read(self, text: str) -> list[SentenceClaim]:
        """All claims but those that tell an order in time and no more."""
        found = self._claims.read("main", _DOCUMENT, self._sentences.read(text), None, text)
        spans = {mention.id: (mention.start, mention.end) for mention in found.mentions}
        return [
            SentenceClaim(
                spans[claim.cause_mention],
                spans[claim.effect_mention],
                claim.cue,
                claim.confidence,
            )
            for claim in found.claims
            if claim.relation is not Relation.BEFORE
        ]


class Judged(NamedTuple):
    """What the annotation says of a claim; direction counts.

    Attributes:
        placed: A gold relation has about its bounds: the words of both arguments overlap those of the claim with an
            intersection over union of at least one half. That asks for more than that the sentence states the relation.
        stated: A gold relation shares a content word with it in the cause, and one in the effect.
    """

    placed: bool
    stated: bool


def judged(claim: SentenceClaim, example: Example) -> Judged:
    """What the annotated relations of the sentence say of a claim.

    A purpose is annotated as the cause of the act that serves it, so claims of a purpose count as wrong.
    """
    return Judged(
        any(_is_placed(claim, gold, example.text) for gold in example.relations),
        any(_is_stated(claim, gold, example.text) for gold in example.relations),
    )


def _is_placed(claim: SentenceClaim, gold: SpanRelation, text: str) -> bool:
    return all(
        iou(word_positions(text, one), word_positions(text, other)) >= _HALF
        for one, other in ((claim.cause, gold.cause), (claim.effect, gold.effect))
    )


def _is_stated(claim: SentenceClaim, gold: SpanRelation, text: str) -> bool:
    return all(
        content_keys(text[slice(*one)]) & content_keys(text[slice(*other)])
        for one, other in ((claim.cause, gold.cause), (claim.effect, gold.effect))
    )
