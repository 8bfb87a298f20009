"""A draft that abstains, and names in plain words what would have to be known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from kg.records import Chain, Evidence, Mode, Verdict
from language.beside import Beside, holds_own_cause
from language.calendar_marks import calendar_marks
from language.content_words import names_nothing
from language.questions import Question, QuestionKind
from reasoning.draft import Draft
from reasoning.empty_collection import empty_told
from reasoning.evidence import Quoter, place_of
from reasoning.findings import Findings
from reasoning.late_causes import Dated
from reasoning.links import LinkReader
from reasoning.quotable import word_cover
from reasoning.reliable import doubtful_told
from reasoning.room import Room
from reasoning.ruled_out import ruled_out_causes, ruled_out_told
from reasoning.thresholds import thresholds
from reasoning.times_told import time_told
from reasoning.told_nearby import named_nearby, told_nearby
from reasoning.withheld import unanswered
from reasoning.wording import any_of, cut_told, event_words, may_be_told, missing_cause, missing_effect, say
from traversal.seeds import Seed, SeedSearch

_SHOWN: Final = 3
"""Most sentences that are shown as near to a happening that was not found."""


def draft_of_missing(
    question: Question, found: Findings, context: Evidence | None, room: Room, reader: LinkReader, quoter: Quoter
) -> Draft:
    """What is missing for an answer: the happening itself, its cause, its effect, or the link between two."""
    evidence: list[Evidence] = []
    empty = empty_told(room) if context is None and not found.focus.seeds else None
    if empty is not None:
        missing = [empty]
    elif asks_of_nothing(question):
        missing = [say("missing", "unnamed")]
    elif question.kind in {QuestionKind.HOW, QuestionKind.DID}:
        missing = list(_of_link(question, found, context))
        evidence += [context] if context is not None and _names_both(question, context) else _near(found, quoter)
    elif question.kind is QuestionKind.WHAT_IF:
        missing = [say("missing", "what_if")]
    elif question.kind is QuestionKind.PLAIN:
        missing = [_unmatched("plain", found.focus) if context is None else _quoted("plain_quoted", context)]
        evidence += [] if context is None else [context]
    else:
        missing = list(_of_one_end(question, found, context, room, quoter))
        if context is not None and not found.focus.outside:
            evidence.append(context)
        elif not found.focus.seeds:
            evidence += _near(found, quoter)
    missing += doubtful_told(found.doubtful, reader, quoter)
    if question.kind is QuestionKind.WHY:
        denials = ruled_out_causes(found, reader)
        missing += [ruled_out_told(denial, quoter) for denial in denials]
        evidence += [shown for denial in denials for shown in denial.evidence(quoter)]
    if found.cuts:
        missing.append(cut_told(found.cuts))
    missing = list(dict.fromkeys(missing))
    return Draft(
        mode=Mode.GRAPH,
        verdict=Verdict.INSUFFICIENT,
        text=unanswered(missing),
        confidence=round(1.0 - _closeness(question, found, context), 6),
        evidence=tuple(evidence),
        missing=tuple(missing),
        reasons={"nearest_rejected": found.focus.nearest},
    )


def asks_of_nothing(question: Question) -> bool:
    """Whether a question holds no word by which its answer could be told from any other sentence: "hello", "why"."""
    return names_nothing(question.text) and names_nothing(question.focus)


def _of_one_end(
    question: Question, found: Findings, context: Evidence | None, room: Room, quoter: Quoter
) -> Iterator[str]:
    search = found.focus
    forward = question.kind is QuestionKind.EFFECTS
    told = [seed for seed in search.seeds if not seed.opposite or question.negated]
    if question.negated and (told[0].opposite if told else context is None and not search.outside):
        yield say("missing", "prevention")
    elif told and told[0].match >= thresholds().graph.sure_match:
        words, at = event_words(told[0].event), quoter.telling(told[0].event.id)
        yield _untold(words, [at] if context is None else [at, context], room, quoter, forward=forward)
    elif told and context is None:
        yield say("missing", "nearest", nearest=event_words(told[0].event))
    elif search.outside:
        yield say("missing", "other_time", times=_times(search.outside))
    elif context is not None:
        yield from _of_nearest(question.focus, context, room, quoter, forward=forward)
    else:
        yield _unmatched("nothing", search)


def _untold(words: str, places: Sequence[Evidence], room: Room, quoter: Quoter, *, forward: bool) -> str:
    """That no document tells it; or the sentence in which it may be told, where there is one."""
    for at in places:
        near = told_nearby(words, at, room, quoter, forward=forward)
        if near is not None:
            return may_be_told(words, place_of(near), near.quote, forward=forward)
    named, near = max((named_nearby(words, at, room, quoter, forward=forward) for at in places), key=lambda one: one[0])
    if named is Beside.CAUSE:
        return may_be_told(words, place_of(near), near.quote, forward=forward)
    if named is Beside.SOMETHING or (holds_own_cause(words) and not forward):
        return _quoted("plain_quoted", near)
    return missing_effect(words) if forward else missing_cause(words)


def _of_nearest(focus: str, context: Evidence, room: Room, quoter: Quoter, *, forward: bool) -> Iterator[str]:
    """The nearest sentence, with the one in which it may be told; that none tells it only where none seems to."""
    near = told_nearby(focus, context, room, quoter, forward=forward)
    named = Beside.CAUSE
    if near is None:
        named, near = named_nearby(focus, context, room, quoter, forward=forward)
    if named is Beside.NOTHING:
        yield _quoted("effects_quoted" if forward else "why_quoted", context)
        return
    if (near.start, near.end) != (context.start, context.end) or named is Beside.SOMETHING:
        yield _quoted("plain_quoted", context)
    if named is Beside.CAUSE:
        yield may_be_told(None, place_of(near), near.quote, forward=forward)


def _quoted(entry: str, context: Evidence) -> str:
    return say("missing", entry, place=place_of(context), quote=" ".join(context.quote.split()))


def _near(found: Findings, quoter: Quoter) -> list[Evidence]:
    """Where is told what comes nearest to a happening that was not found: at another time, or of another name."""
    lost = [search for search in (found.cause, found.focus) if search is not None and not search.seeds]
    near = [(*search.outside, *search.others)[:_SHOWN] for search in lost]
    return list(dict.fromkeys(quoter.telling(seed.event.id) for seeds in near for seed in seeds))


def _names_both(question: Question, context: Evidence) -> bool:
    """Whether a sentence names the asked cause as well as the asked effect, so that it may link them."""
    ends = (question.cause, question.effect)
    return all(word_cover(end, context.quote, frozenset()) == 1.0 for end in ends if end)


def _of_link(question: Question, found: Findings, context: Evidence | None) -> Iterator[str]:
    if context is not None and _names_both(question, context):
        yield _quoted("plain_quoted", context)
        return
    searches = [search for search in (found.cause, found.focus) if search is not None]
    lost = [search for search in searches if not search.seeds]
    for search in lost:
        if search.outside:
            yield say("missing", "other_time_of", focus=search.focus, times=_times(search.outside))
        else:
            yield _unmatched("nothing_of", search)
    if lost:
        return
    yield say("missing", "no_link", cause=question.cause or "", effect=question.effect or "")
    if found.onward:
        yield say("missing", "ends_at", cause=question.cause or "", end=_end(found.onward, -1))
    if found.backward:
        yield say("missing", "starts_at", effect=question.effect or "", end=_end(found.backward, 0))


def _end(chains: Sequence[Chain], place: int) -> str:
    return event_words(chains[0].events[place])


def _unmatched(entry: str, search: SeedSearch) -> str:
    """That it was not found, and the words of it that nothing found has; of those of form alone nothing is said."""
    told = say("missing", entry, focus=search.focus)
    if search.others:
        told = f"{told} {say('missing', 'of_another', nearest=event_words(search.others[0].event))}"
    if search.unknown_words and len(search.unknown_words) < len(search.focus.split()):
        return f"{told} {say('missing', 'words', words=any_of(search.unknown_words))}"
    return told


def _times(seeds: Sequence[Seed]) -> str:
    dated = [one.time for seed in seeds if (one := Dated.of(seed.event)) is not None]
    if dated:
        return ", ".join(dict.fromkeys(map(time_told, sorted(dated, key=lambda time: (time.start, time.end)))))
    told = [f"“{event_words(seed.event)}”" for seed in seeds if calendar_marks(seed.event.description)]
    return ", ".join(dict.fromkeys(told)) or "by the dates of the documents"


def _closeness(question: Question, found: Findings, context: Evidence | None) -> float:
    """How close the collection came to an answer: a happening that is known leaves more doubt than one that is not.

    It is known by the events it may stand for, or by a sentence that tells of it.
    """
    searches = [search for search in (found.cause, found.focus) if search is not None]
    known = min(search.seeds[0].match if search.seeds else search.nearest for search in searches)
    told = 0.0 if context is None else word_cover(question.focus, context.quote, frozenset())
    return 0.5 * max(known, told)
