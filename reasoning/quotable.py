"""Which sentences of a passage may be quoted for a question, and how much of it they speak of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kg.passage_texts import told_span
from kg.records import Claim, Document, Passage
from kg.rejections import standing_rejections
from language.calendar_marks import calendar_marks
from language.content_words import content_keys, question_words
from language.labels import gives_cause, labelled_of
from language.other_things import is_of_other_thing
from language.question_times import QuestionTime, fits_mark, matches, question_time
from language.questions import Question, asks_yes_or_no
from language.quick_sentences import quick_sentences
from language.tokens import Sentence
from reasoning.evidence import Quoter
from reasoning.room import Room
from traversal.time_fit import published_in


def told_sentences(passage: Passage, quoter: Quoter) -> list[Sentence]:
    """The sentences of a passage that may be quoted, in order: of a pair those of its answer."""
    whole = quoter.text(passage.document_id)
    start, end = told_span(passage, whole)
    return quick_sentences(whole[start:end], start)


def rejected_claims(room: Room) -> defaultdict[str, list[Claim]]:
    """The claims that a person has rejected, by their document."""
    found: defaultdict[str, list[Claim]] = defaultdict(list)
    ids = sorted(standing_rejections(room.store, room.collection))
    for claim in room.store.claims(room.collection, ids).values():
        found[claim.document_id].append(claim)
    return found


def overlaps(claim: Claim, sentence: Sentence) -> bool:
    """Whether a claim was made of a sentence, or of a part of it."""
    return claim.start < sentence.end and sentence.start < claim.end


def in_time(question: Question, sentence: Sentence, beside: Sequence[Sentence], document: Document) -> bool:
    """Whether a sentence tells of the asked time: by itself, or else by its passage, its title or its publication."""
    if question.time is None or (question.time.interval is None and question.time.month is None):
        return True
    own = tells_time(question.time, sentence.text)
    if own is not None:
        return own
    around = _right_before(sentence, beside) if asks_yes_or_no(question.text) else beside
    told = [tells_time(question.time, text) for text in (document.doc_title, *(each.text for each in around))]
    return True in told or (False not in told and published_in(document, question.time))


def _right_before(sentence: Sentence, beside: Sequence[Sentence]) -> Sequence[Sentence]:
    """The sentence before, from which one takes its time; not from one of what had been before that."""
    before = max((each for each in beside if each.end <= sentence.start), key=lambda each: each.end, default=None)
    return () if before is None or any(token.lower == "had" for token in before.tokens) else (before,)


def tells(sentence: Sentence) -> bool:
    """Whether it is a sentence that says something, and asks nothing."""
    return sentence.prose and not sentence.text.rstrip("\"'”’) ").endswith("?")


def with_previous(sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence | None, Sentence]]:
    """Each sentence with the one of prose that stands before it."""
    before: Sentence | None = None
    for sentence in sentences:
        yield before, sentence
        before = sentence if sentence.prose else None


def with_neighbours(
    sentences: Sequence[Sentence],
) -> Iterator[tuple[Sentence | None, Sentence, Sequence[Sentence]]]:
    """Each sentence with the one of prose that stands before it, and with all behind it.

    Before a label of a cause stands what it gives the cause of, be it a heading or some lines above.
    """
    for place, (before, sentence) in enumerate(with_previous(sentences)):
        told = before
        if gives_cause(sentence.text):
            labelled = labelled_of(sentences, place)
            told = None if labelled is None else sentences[labelled]
        yield told, sentence, sentences[place + 1 :]


def word_cover(asked: str, told: str, title: frozenset[str]) -> float:
    """Share of the content words asked for that are told; a word of the document's title counts half.

    Nothing is told when the text speaks of the same thing under another number or name.
    """
    words = question_words(asked)
    keys = content_keys(told)
    covered = sum(1.0 if key in keys else 0.5 if key in title else 0.0 for key in words)
    if not covered or is_of_other_thing(asked, told):
        return 0.0
    return round(covered / len(words), 6)


def tells_time(asked: QuestionTime, text: str) -> bool | None:
    """Whether a text names the asked time; none when it names no time, or leaves open which."""
    told = question_time(text)
    if told is not None and told.interval is not None:
        return matches(asked, told.interval)
    fits = [fits_mark(asked, mark) for mark in calendar_marks(text)]
    return True if True in fits else False if fits and None not in fits else None
