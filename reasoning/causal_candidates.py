"""The causes, or effects, that sentences of the passages tell for a question: what the causal agent chooses from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kg.records import Claim
from language.choices import is_announced, is_intended
from language.content_words import content_keys
from language.facts import leaves_open, supposes
from language.questions import Question, QuestionKind
from language.stated_causes import stated_as, stated_causes
from language.tokens import Sentence
from reasoning.evidence import Quoter
from reasoning.passages import ChosenPassages
from reasoning.quotable import in_time, overlaps, rejected_claims, tells, told_sentences, with_neighbours, word_cover
from reasoning.room import Room
from reasoning.text_draft import denies, fit, is_claim_of, is_unrealised
from reasoning.thresholds import thresholds

ASKING_OF_CAUSES = frozenset({QuestionKind.WHY, QuestionKind.EFFECTS, QuestionKind.HOW, QuestionKind.DID})
"""The kinds of questions that have candidates."""


@dataclass(frozen=True, slots=True)
class ToldSentence:
    """A sentence that was read.

    Attributes:
        before: The sentence of prose before it in its passage; none at the start.
        behind: Those behind it there.
    """

    document_id: str
    sentence: Sentence
    before: Sentence | None
    behind: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """Its words."""
        return self.sentence.text

    @property
    def place(self) -> tuple[str, int, int]:
        """Document, start and end."""
        return self.document_id, self.sentence.start, self.sentence.end


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cause and its effect, as a sentence tells them.

    Attributes:
        start: First character of the quote in its document; that of the sentence before where the cue reaches back.
        cause: Words on the side of the cause.
        effect: Words on the side of the effect.
        cover: Share of the asked happening that stands where the question needs it.
        confidence: That of the cue; for a plan without one, what such a plan weighs.
        cue: What states the link; empty for a plan of the very thing that was asked about.
        planned: Whether it was still to come when it was written.
        denied: Whether it is denied that the one led to the other.
    """

    document_id: str
    start: int
    end: int
    cause: str
    effect: str
    cover: float
    confidence: float
    cue: str
    planned: bool = False
    denied: bool = False

    @property
    def place(self) -> tuple[str, int, int]:
        """Document, start and end."""
        return self.document_id, self.start, self.end

    @property
    def score(self) -> float:
        """Confidence that it answers the question."""
        return round(self.cover * self.confidence, 6)


def candidates_of(
    question: Question, read: ChosenPassages, room: Room, quoter: Quoter
) -> tuple[list[Candidate], list[ToldSentence]]:
    """What the passages tell, best first and each once, and all their sentences that tell anything.

    A sentence tells a candidate by the same figures by which it answers in the text draft, but also when it only tells
    what was planned, or denies that the one led to the other. A claim that a person has rejected tells none.

    Args:
        question: Why, what followed, how or did; another has no candidates.
        read: The passages.
        room: Knows the rejected claims.
        quoter: Gives the texts.
    """
    rejected = rejected_claims(room)
    found: dict[Candidate, None] = {}
    sentences: dict[tuple[str, int, int], ToldSentence] = {}
    for hit in read.hits:
        passage = read.passages[hit.id]
        document = quoter.document(passage.document_id)
        beside = told_sentences(passage, quoter)
        title = content_keys(document.doc_title)
        for before, sentence, behind in with_neighbours(beside):
            told = ToldSentence(passage.document_id, sentence, before, tuple(behind))
            if not tells(sentence):
                continue
            sentences.setdefault(told.place, told)
            left_out = rejected[passage.document_id]
            if question.kind in ASKING_OF_CAUSES and in_time(question, sentence, beside, document):
                found |= dict.fromkeys(_candidates(question, told, left_out, title))
    ranked = sorted(found, key=lambda one: (-one.score, -one.cover, one.document_id, one.start))
    return ranked, list(sentences.values())


def _candidates(
    question: Question, told: ToldSentence, rejected: Sequence[Claim], title: frozenset[str]
) -> Iterator[Candidate]:
    figures = thresholds().text
    sentence, linked = told.sentence, False
    unrealised = is_unrealised(question, sentence)
    for stated in stated_causes(sentence, told.behind):
        planned = not stated.actual
        if unrealised and stated.affirmed:
            continue
        if planned and (not is_announced(sentence.text) or supposes(sentence.text) or not stated.affirmed):
            continue
        if any(is_claim_of(claim, stated, sentence) for claim in rejected):
            continue
        start = sentence.start
        if stated.reaches_back:
            if told.before is None:
                continue
            start = told.before.start
        cause, effect = stated.sides(told.before)
        cover = fit(question, stated, cause, effect, title)
        if cover < figures.side_coverage:
            continue
        linked = True
        denied = not stated.affirmed or (question.kind is QuestionKind.DID and denies(effect))
        confidence = stated.cue.confidence
        yield Candidate(
            *(told.document_id, start, sentence.end, _bare(cause), _bare(effect), cover, confidence),
            *(stated.cue.text, planned, denied),
        )
    refused = any(overlaps(claim, sentence) for claim in rejected)
    if not linked and not refused and question.kind is QuestionKind.WHY and not question.negated:
        yield from _plan(question, told)


def _plan(question: Question, told: ToldSentence) -> Iterator[Candidate]:
    """The plan of the very thing that was asked about: the antecedent of its being done."""
    text = told.text
    cover = word_cover(question.focus, text, frozenset())
    affirmed, _ = stated_as(told.sentence)
    if cover < thresholds().text.context_coverage or not affirmed:
        return
    if is_intended(text) and not denies(text) and not supposes(text) and not leaves_open(question.text, text):
        weight = thresholds().causal_agent.plan
        yield Candidate(*told.place, _bare(text), question.focus, cover, weight, "", planned=True)


def _bare(words: str) -> str:
    return " ".join(words.split()).strip(" ,;.")
