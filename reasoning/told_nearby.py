"""A sentence near by that may tell what led to something, or what followed from it, where no link of the graph does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Final

from kg.records import Evidence, Stance
from language.beside import Beside, may_tell_cause_of_before, named_beside
from language.clauses import Clauses
from language.content_words import content_keys, key_of, question_words
from language.labels import gives_cause_above
from language.named_things import tells_another_thing
from language.paired_things import tells_other_of_pair
from language.pointed_happenings import count_of_clauses
from language.question_times import QuestionTime, without_time
from language.questions import Question, QuestionKind
from language.quick_sentences import quick_sentences
from language.side_cores import is_about, names_just
from language.stated_causes import StatedCause, stated_causes
from language.taken_up import taken_up, without_report
from language.tokens import Sentence
from language.told_again import with_antecedent
from language.told_doers import told_doer
from reasoning.evidence import Quoter
from reasoning.quotable import overlaps, rejected_claims, tells_time, with_neighbours
from reasoning.room import Room
from reasoning.text_draft import denies

_NEAR: Final = 2_000
"""Characters before and behind a place that are near it: a page or so."""
_ONSET: Final = ("start", "begin", "erupt", "make")
_SHARED: Final = 0.5
"""Least share of the content words of two tellings that both have, for them to be maybe of one thing."""


def told_nearby(
    words: str, beside: Evidence, room: Room, quoter: Quoter, *, forward: bool, itself: bool = True
) -> Evidence | None:
    """The sentence near by in which it may be told, so that nobody is told that no document tells it.

    Two tellings of neighbouring sentences ("a short circuit", "the short circuit") are not always one event of the
    graph, and then no chain leads on, though a person reads it there. A sentence of which a person rejected a
    claim is left out.

    Args:
        words: What happened.
        beside: Where that is told.
        room: Has the decisions.
        quoter: Reads its document.
        forward: Whether what followed is looked for, not what led to it.
        itself: Whether the sentences there may be it.
    """
    for before, sentence, behind in _near(beside, room, quoter, itself=itself):
        if any(_tells(words, stated, before, forward=forward) for stated in stated_causes(sentence, behind)):
            return quoter.span(beside.document_id, sentence.start, sentence.end, Stance.CONTEXT)
    return None


def named_nearby(
    words: str, beside: Evidence, room: Room, quoter: Quoter, *, forward: bool, itself: bool = True
) -> tuple[Beside, Evidence]:
    """The sentence near by that names something beside the happening, where that may be its cause, or what followed.

    Documents tell causes in more wordings than are known; where a sentence may hold one nobody is told that none does.

    Returns:
        How likely it holds one, and the likeliest sentence; `beside` where there is none.
    """
    best, of_it = (Beside.NOTHING, beside), False
    for _, sentence, behind in _near(beside, room, quoter, itself=itself):
        named = named_beside(words, sentence, forward=forward)
        if named is Beside.NOTHING and not forward and _may_be_of_it(sentence, beside, behind_it=of_it):
            named = Beside.CAUSE
        told_here = sentence.start < beside.end and beside.start < sentence.end
        if named > best[0] or (told_here and named is best[0] is not Beside.NOTHING):
            best = named, quoter.span(beside.document_id, sentence.start, sentence.end, Stance.CONTEXT)
        of_it = told_here and bool(behind)
    return best


def _may_be_of_it(sentence: Sentence, beside: Evidence, *, behind_it: bool) -> bool:
    """Whether a sentence may give the cause of what is told before it: right behind it, or by a label further on."""
    labelled = sentence.start >= beside.end and gives_cause_above(sentence.text)
    return labelled or (behind_it and may_tell_cause_of_before(sentence))


def _near(
    beside: Evidence, room: Room, quoter: Quoter, *, itself: bool
) -> Iterator[tuple[Sentence | None, Sentence, Sequence[Sentence]]]:
    """The sentences near a place, each with the one before it and those behind, but for those of rejected claims."""
    whole = quoter.text(beside.document_id)
    start, end = max(0, beside.start - _NEAR), min(len(whole), beside.end + _NEAR)
    sentences = quick_sentences(whole[start:end], start)
    sentences = sentences[1 if start > 0 else 0 : -1 if end < len(whole) else None]
    left_out = rejected_claims(room)[beside.document_id]
    for before, sentence, behind in with_neighbours(sentences):
        if not itself and sentence.start < beside.end and beside.start < sentence.end:
            continue
        if not any(overlaps(claim, sentence) for claim in left_out):
            yield before, sentence, behind


def _tells(words: str, stated: StatedCause, before: Sentence | None, *, forward: bool) -> bool:
    if not stated.affirmed or stated.cue.relation == "PREVENTS":
        return False
    cause, effect = stated.sides(before)
    asked, other = (cause, effect) if forward else (effect, cause)
    if not stated.reaches_back:
        asked = with_antecedent(words, asked, before)
    return same_words(words, asked) and bool(content_keys(other) - content_keys(words))


def states_what_is_asked(question: Question, quotes: Sequence[Evidence]) -> bool:
    """Whether a quote states, as a fact, what led to just what is asked about, or what followed, in all its words.

    Such a quote cannot be of another happening, as far as words tell; which of several is asked about, a time may, and
    then the quote has to tell what led to what happened at that time.
    """
    told = [sentence for quote in quotes for sentence in quick_sentences(quote.quote)]
    if question.kind is QuestionKind.WHY and any(told_doer(question.text, sentence) for sentence in told):
        return True
    why = question.kind is QuestionKind.WHY and not question.negated
    if not why and question.kind is not QuestionKind.EFFECTS:
        return False
    return any(
        _states(question, stated, sentence, before, quoted)
        for quoted in (quick_sentences(quote.quote) for quote in quotes)
        for before, sentence, _ in with_neighbours(quoted)
        for stated in stated_causes(sentence)
    )


def _states(
    question: Question, stated: StatedCause, sentence: Sentence, before: Sentence | None, quoted: Sequence[Sentence]
) -> bool:
    forward = question.kind is QuestionKind.EFFECTS
    # "It was caused by a leak": what "it" is stands in the sentence before.
    cause, effect = stated.sides(before) if stated.of_it else (stated.cause, stated.effect)
    asked, other = (cause, effect) if forward else (effect, cause)
    asked = without_report(asked)
    prevented = not forward and stated.cue.relation == "PREVENTS"
    keys = frozenset(question_words(question.focus))
    if not stated.actual or not stated.affirmed or denies(asked) or prevented or not content_keys(other) - keys:
        return False
    if tells_other_of_pair(question.with_order(question.focus), asked):
        return False
    if forward or question.time is None or question.time.first:
        # A quote of two sentences stands where its passage tells of no other one.
        meant = not forward and taken_up(question.focus, asked, sentence, quoted) is not None
        asked = question.focus if meant else asked
        told_words = [frozenset(question_words(words)) for words in (asked, without_time(asked))]
        return any(_only_of(words, keys) for words in told_words) or names_just(keys, asked)
    # Its day tells which of several "a blackout in Riga" is, where the blackout is asked about.
    plain = without_time(asked)
    told = frozenset(question_words(plain))
    of_it = keys <= told and len(keys) >= _SHARED * len(told) and is_about(keys, plain)
    return (of_it or _only_of(told, keys) or names_just(keys, plain)) and _is_at(question.time, asked, sentence)


def _is_at(time: QuestionTime, side: str, sentence: Sentence) -> bool:
    """Whether a side of a cue is of a time: by its own words, or those that open its sentence of one clause."""
    if time.latest:
        return False
    if tells_time(time, side) is not None:
        return tells_time(time, side) is True
    rest = without_time(sentence.text).lstrip(" ,")
    opening = sentence.text.removesuffix(rest)
    opens = len(opening) + len(rest) == len(sentence.text)
    return opens and tells_time(time, opening) is True and count_of_clauses(Clauses(sentence)) == 1


def _only_of(told: frozenset[str], asked: Set[str]) -> bool:
    """Whether two tellings have the same words but for those that only say that it came about: "the fire *started*"."""
    onset = {key_of(verb) for verb in _ONSET}
    return told == asked or (told - onset == asked - onset and bool(told - onset))


def same_words(words: str, side: str) -> bool:
    """Whether two tellings have the same content words, or one has some of the other's and no others."""
    keys, told = frozenset(question_words(words)), content_keys(side)
    if not keys or not told or tells_another_thing(words, side) or tells_other_of_pair(words, side):
        return False
    return (keys <= told or told <= keys) and len(keys & told) >= _SHARED * len(keys | told)
