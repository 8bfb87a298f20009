"""One statement of a cause and its effect before it becomes a claim, and the claims and mentions of a document."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from extraction.events import MentionMaker
from kg.records import Claim, Mention, Modality, Polarity, Relation
from language.clause_words import Span
from language.clauses import Clauses
from language.factuality import Factuality
from language.times import TimeExpression
from language.tokens import Sentence

LEAST_CONFIDENCE: Final = 0.05
MOST_CONFIDENCE: Final = 0.95
"""Bounds of the confidence of a claim: nobody who reads is ever sure."""
_NOWHERE: Final = (0, 0)


class Located(NamedTuple):
    """An argument: its tokens, the sentence that they are tokens of, and that sentence's place in the document."""

    span: Span
    clauses: Clauses
    place: int


@dataclass(frozen=True, slots=True)
class Statement:
    """What becomes a claim, with its two mentions.

    Attributes:
        first: Place of the first sentence of the quote.
        last: Place of its last sentence: the same one, or the next.
    """

    relation: Relation
    cause: Mention
    effect: Mention
    cue: str
    told: Factuality
    confidence: float
    extractor: str
    first: int
    last: int


class StatementMaker:
    """Makes the statements of one document, and keeps those that are told as claims."""

    def __init__(self, collection: str, document_id: str, sentences: Sequence[Sentence], text: str) -> None:
        self._collection = collection
        self._document_id = document_id
        self._sentences = sentences
        self._text = text
        self._maker = MentionMaker(collection, document_id)
        self.times: dict[int, Sequence[TimeExpression]] = {}
        """The times of each sentence that was read so far, by its place."""
        self.mentions: dict[str, Mention] = {}
        """The mentions of the claims, by id, in the order of their first use."""
        self.claims: dict[str, Claim] = {}
        """The claims, by id, in the order in which they were told."""

    def make(
        self,
        relation: str,
        cause: Located,
        effect: Located,
        told: Factuality,
        *,
        cue: str,
        confidence: float,
        extractor: str,
        object_verb: int | None = None,
        denies: Callable[[int], bool] | None = None,
        intended: bool = False,
    ) -> Statement:
        """A statement.

        Args:
            relation: CAUSES, ENABLES, PREVENTS or BEFORE.
            cause: The argument that comes first in the chain of causes.
            effect: The other one.
            told: How real the relation is said to be.
            cue: The words that signal it.
            confidence: Probability that the sentence states it.
            extractor: Who found it.
            object_verb: The verb that names what happens, where the effect is an object with its infinitive.
            denies: Whether the sentence of both arguments denies what a token names; without it the rules alone say so.
            intended: Whether the cause, and not the effect, is what is planned.

        Raises:
            NoArguments: an argument names no happening.
        """
        together = cause.place == effect.place
        doubts = (told.modality, "actual") if intended else _doubts(relation, told)
        return Statement(
            relation=Relation(relation),
            cause=self._mention(cause, effect.span if together else _NOWHERE, doubts[0], denies=denies),
            effect=self._mention(effect, cause.span if together else _NOWHERE, doubts[1], object_verb, denies),
            cue=cue,
            told=told,
            confidence=round(min(max(confidence, LEAST_CONFIDENCE), MOST_CONFIDENCE), 4),
            extractor=extractor,
            first=min(cause.place, effect.place),
            last=max(cause.place, effect.place),
        )

    def tell(self, statement: Statement) -> None:
        """Keeps a statement as a claim; one that is told again changes nothing."""
        cause = self.mentions.setdefault(statement.cause.id, statement.cause)
        effect = self.mentions.setdefault(statement.effect.id, statement.effect)
        start, end = self._sentences[statement.first].start, self._sentences[statement.last].end
        claim_id = Claim.id_of(
            self._document_id,
            statement.relation,
            cause.id,
            effect.id,
            start,
            end,
            statement.cue,
            statement.extractor,
        )
        self.claims.setdefault(
            claim_id,
            Claim(
                id=claim_id,
                collection=self._collection,
                document_id=self._document_id,
                relation=statement.relation,
                cause_mention=cause.id,
                effect_mention=effect.id,
                start=start,
                end=end,
                quote=self._text[start:end],
                cue=statement.cue,
                polarity=Polarity(statement.told.polarity),
                modality=Modality(statement.told.modality),
                confidence=statement.confidence,
                extractor=statement.extractor,
            ),
        )

    def _mention(
        self,
        argument: Located,
        other: Span,
        modality: str,
        head: int | None = None,
        denies: Callable[[int], bool] | None = None,
    ) -> Mention:
        span, clauses, place = argument
        times = self.times[place]
        return self._maker.make(self._sentences[place], clauses, span, other, times, modality, head, denies)


def _doubts(relation: str, told: Factuality) -> tuple[str, str]:
    """What the claim says of the reality of cause and effect: a plan's goal is planned, what was averted never was."""
    if told.modality == "hypothetical":
        return "hypothetical", "hypothetical"
    if told.modality == "planned":
        return "actual", "planned"
    if relation == "PREVENTS" and told.polarity == "affirmed":
        return "actual", "hypothetical"
    return "actual", "actual"
