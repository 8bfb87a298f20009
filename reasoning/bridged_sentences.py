"""Two sentences that answer a question only together: one tells a name, the other what is asked of what it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kg.records import Claim, PassageKind
from language.content_words import content_keys, question_words
from language.facts import can_answer, points_back
from language.name_runs import name_key
from language.questions import Question
from language.quick_sentences import quick_sentences
from language.retractions import is_taken_back
from reasoning.evidence import Quoter
from reasoning.left_open import is_left_open
from reasoning.passages import ChosenPassages
from reasoning.quotable import in_time, overlaps, rejected_claims, tells, with_neighbours, word_cover
from reasoning.room import Room


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence stands."""

    document_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SentencePair:
    """Two sentences of two passages that a name links.

    Attributes:
        name: The name, which the first one tells.
        text: Both, one behind the other.
        cover: Share of the words of the question that they have.
    """

    name: str
    first: Place
    second: Place
    text: str
    cover: float


def sentence_pairs(
    question: Question, read: ChosenPassages, most: int, room: Room, quoter: Quoter
) -> list[SentencePair]:
    """For each bridge, the sentence with its name and most words of the question, and the one with most of the rest.

    Args:
        question: What is asked.
        read: The passages, and how they were come to.
        most: Bridges that are looked at, best first.
        room: Knows which claims a person has rejected.
        quoter: Gives the texts.
    """
    found: dict[tuple[Place, Place], SentencePair] = {}
    asked = question_words(question.text).keys()
    rejected = rejected_claims(room)
    for bridge in read.read_bridges[:most]:
        naming = [
            (place, one)
            for place, one in _quotable(bridge.source, question, read, rejected, quoter)
            if name_key(bridge.name) in name_key(one)
        ]
        telling = [
            (place, one)
            for place, one in _quotable(bridge.found, question, read, rejected, quoter)
            if can_answer(question.text, one)
        ]
        if naming and telling:
            first, named = max(naming, key=lambda pair: len(content_keys(pair[1]) & asked))
            left = asked - content_keys(named)
            second, told = max(telling, key=lambda pair: len(content_keys(pair[1]) & left))
            text = f"{named} {told}"
            cover = word_cover(question.text, text, frozenset())
            found.setdefault((first, second), SentencePair(bridge.name, first, second, text, cover))
    return list(found.values())


def _quotable(
    passage_id: str, question: Question, read: ChosenPassages, rejected: Mapping[str, list[Claim]], quoter: Quoter
) -> Iterator[tuple[Place, str]]:
    """The sentences of a passage of prose that may be quoted; one that points back has the one before it with it."""
    passage = read.passages[passage_id]
    if passage.kind is PassageKind.PAIR:
        return
    document, whole = quoter.document(passage.document_id), quoter.text(passage.document_id)
    sentences = quick_sentences(whole[passage.start : passage.end], passage.start)
    for before, one, behind in with_neighbours(sentences):
        if not tells(one) or not in_time(question, one, sentences, document):
            continue
        if is_left_open(question, one) or is_taken_back(one, behind):
            continue
        if not any(overlaps(claim, one) for claim in rejected.get(passage.document_id, ())):
            start = before.start if before is not None and points_back(one.text) else one.start
            yield Place(passage.document_id, start, one.end), whole[start : one.end]
