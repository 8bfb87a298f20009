"""How far a side of a cue goes: not to a clause that only stands beside it, with a subject of its own.

Of "the harbour froze, and the ferry stopped because its engine failed" the engine is told to have stopped the ferry.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.cues import CueMatch
from language.tokens import Sentence
from language.word_classes import WordClass

W = WordClass
_COORDINATES: Final = frozenset({"and", "but", "or", "nor", "yet"})
_BESIDE: Final = _COORDINATES | {"while", "whereas"}
_AGAINST: Final = frozenset({"while", "whereas", "although", "though"})
"""Behind a comma they set one clause against another."""
_BEHIND: Final = frozenset({"after", "although", "before", "even", "once", "since", "though", "unless", "when"})
"""Words of a clause that a reason behind it may be one of: "it sank *after* the pump had failed because of rust"."""
_RELATIVES: Final = frozenset({"which", "who", "whose", "whom", "where", "when"})
_OF_IT: Final = frozenset({"it", "this", "that", "which"})
_OWNING: Final = frozenset({"its", "their", "his", "her"})
_OF_THEM: Final = _OF_IT | {"they", "he", "she", "these"} | _OWNING
"""Subjects that take up what stands before them: "the dam was old and *it* burst because of rain"."""


def bounded(clauses: Clauses, match: CueMatch, left: Span, right: Span) -> tuple[Span, Span]:
    """The sides left and right of a cue without clauses that stand beside them.

    What a fronted reason opens may hold several clauses, but for those behind a comma, and so may a reason.
    """
    construction, before = match.cue.construction, left[1] <= match.first
    if construction == "predicate" and before and match.cue.right == "cause" and _is_reduced(clauses, match.first):
        left = clauses.noun_phrase_before(match.first)
    if before and (
        construction == "predicate" or (match.cue.right == "cause" and construction in ("clause", "phrase"))
    ):
        left = _start(clauses, left, match.end if construction == "predicate" else left[1]), left[1]
    if not before and construction in ("clause", "phrase"):
        left = left[0], _second_main(clauses, left)
    if before and left[0] == 0:
        left = _behind_contrasted(clauses, left), left[1]
    if construction in ("predicate", "phrase") and right[0] >= match.end and before:
        right = right[0], _end_of_part(clauses, (right[0], _end(clauses, right)), clauses.words[match.end - 1])
        if match.first > 0 and clauses.classes[match.first - 1] is W.RELATIVE:
            right = right[0], _end_of_relative(clauses, right)
    return left, right


def _start(clauses: Clauses, side: Span, verb: int) -> int:
    start, end = side
    for place in range(end - 1, start, -1):
        if _parts(clauses, place, verb, _OF_THEM) and _has_own_verb(clauses, start, place):
            return place + 1 if clauses.has_content(place + 1, end) else start
    return start


def _end(clauses: Clauses, side: Span) -> int:
    start, end = side
    return next((place for place in range(start + 1, end) if _parts(clauses, place, end, _OF_IT)), end)


def _behind_contrasted(clauses: Clauses, side: Span) -> int:
    """Where a side starts behind what it is set against: "*unlike the first, which a spark caused,* the second"."""
    start, end = side
    if clauses.words[start : start + 1] not in (["unlike"], ["contrary"]):
        return start
    at = next((place for place in range(start, end) if clauses.words[place] == ","), end)
    if clauses.words[at + 1 : at + 2] and clauses.words[at + 1] in _RELATIVES:
        verb = next((place for place in range(at, end) if clauses.classes[place] in VERBAL), end)
        at = next((place for place in range(verb, end) if clauses.words[place] == ","), end)
    return at + 1 if at + 1 < end else start


def _end_of_part(clauses: Clauses, side: Span, preposition: str) -> int:
    """Where the cause of another part starts: "due to hail *and a few to mildew*"."""
    start, end = side
    for place in range(start + 1, end):
        if clauses.classes[place] is not W.CONJUNCTION:
            continue
        again = next((at for at in range(place + 1, end) if clauses.words[at] == preposition), end)
        between = clauses.classes[place + 1 : again]
        if again < end and any(each is not W.ADVERB for each in between) and VERBAL.isdisjoint(between):
            return place - (clauses.words[place - 1] == ",")
    return end


def _end_of_relative(clauses: Clauses, side: Span) -> int:
    """Where the main clause goes on behind one with "that": "the blast that destroyed the silo *was* set off by"."""
    start, end = side
    for place in range(start + 1, end):
        if clauses.classes[place] in VERBAL and clauses.classes[place - 1] in (W.NOUN, W.ADVERB, W.NUMBER):
            opened = any(
                clauses.classes[at] in (W.RELATIVE, W.SUBORDINATOR, W.CONJUNCTION) for at in range(start, place)
            )
            return end if opened else place
    return end


def _second_main(clauses: Clauses, side: Span) -> int:
    """Where behind a fronted reason the clauses start that a comma parts from the one it is told of."""
    start, end = side
    commas = (place for place in range(start + 1, end - 1) if clauses.words[place] == ",")
    joined = (place for place in commas if clauses.words[place + 1] in _COORDINATES)
    return next((place for place in joined if _parts(clauses, place + 1, end, _OF_THEM)), end)


def _parts(clauses: Clauses, place: int, end: int, taking_up: frozenset[str]) -> bool:
    """Whether a comma or a conjunction parts a clause from one with a subject of its own behind it."""
    if clauses.words[place] in _BEHIND and clauses.starts_clause(place + 1, end):
        return True
    if clauses.words[place] != "," and clauses.words[place] not in _BESIDE:
        return False
    place += 2 if clauses.words[place + 1 : place + 2] == ["that"] else 1
    following = next((at for at in range(place, end) if clauses.classes[at] not in (W.ADVERB, W.CONJUNCTION)), end)
    return following < end and clauses.words[following] not in taking_up and clauses.starts_clause(place, end)


def _has_own_verb(clauses: Clauses, start: int, end: int) -> bool:
    """Whether a stretch has a finite verb that is not of a relative clause."""
    verb = next((place for place in range(start, end) if clauses.classes[place] in VERBAL), end)
    return verb < end and W.RELATIVE not in clauses.classes[start:verb]


def _is_reduced(clauses: Clauses, place: int) -> bool:
    """Whether a participle stands right behind its noun: "an explosion *caused* by dust"."""
    noun = place > 0 and clauses.classes[place - 1] is W.NOUN and not clauses.is_be(place - 1)
    return noun and clauses.classes[place] is W.PARTICIPLE


def clauses_beside(sentence: Sentence) -> list[Sentence]:
    """The clauses of a sentence that stand beside each other, each with a subject of its own, as sentences.

    A reason belongs to the clause before it, and what a comma and "which" open to the noun before that; where the
    sentence has only one clause it is given as it is.
    """
    clauses, count = Clauses(sentence), len(sentence.tokens)
    spans, start = list[Span](), 0
    for place in range(1, count - 1):
        mark = clauses.words[place] == ";" and clauses.words[place + 1] not in _OF_THEM - _OWNING
        word = clauses.words[place]
        contrasts = word in _AGAINST and clauses.words[place - 1] == "," and clauses.starts_clause(place + 1, count)
        joined = word in _COORDINATES and _parts(clauses, place, count, _OF_THEM)
        if mark or ((joined or contrasts) and _has_own_verb(clauses, start, place)):
            spans.append((start, place))
            start = place + 1
    parts = [(first, end) for first, end in (*spans, (start, count)) if first < end]
    return [part for span in parts for part in _with_asides(clauses, span)]


def _with_asides(clauses: Clauses, span: Span) -> list[Sentence]:
    """A clause without what a comma and a relative word open, and that with the noun that it is told of."""
    asides = list(_asides(clauses, span))
    if not asides:
        return [clauses.sentence if span == (0, len(clauses.tokens)) else _part(clauses.sentence, *span)]
    left_out = {place for _, opened, end in asides for place in range(opened, end)}
    whole = _part(clauses.sentence, *span)
    kept = tuple(clauses.tokens[place] for place in range(*span) if place not in left_out)
    text = list(whole.text)
    for place in left_out:
        token = clauses.tokens[place]
        text[token.start - whole.start : token.end - whole.start] = " " * (token.end - token.start)
    main = replace(whole, text="".join(text), tokens=kept)
    return [main, *(_part(clauses.sentence, noun, end) for noun, _, end in asides)]


def _asides(clauses: Clauses, span: Span) -> Iterator[tuple[int, int, int]]:
    """Where the noun phrase starts, the comma behind it stands, and the clause ends that is told of it."""
    start, end = span
    place = start + 1
    while place < end - 2:
        opens = clauses.words[place] == "," and clauses.words[place + 1] in _RELATIVES
        noun = clauses.noun_phrase_before(place) if opens else (place, place)
        if opens and noun[0] < noun[1] and clauses.has_verb(place + 2, end):
            verb = next(at for at in range(place + 2, end) if clauses.classes[at] in VERBAL)
            closed = next((at for at in range(verb, end) if clauses.words[at] == "," or clauses.is_hard(at)), end)
            first = noun[0] - (noun[0] > start and clauses.classes[noun[0] - 1] is W.PREPOSITION)
            yield first, place, closed
            place = closed
        place += 1


def _part(sentence: Sentence, first: int, end: int) -> Sentence:
    tokens = sentence.tokens[first:end]
    start, stop = tokens[0].start, tokens[-1].end
    text = sentence.text[start - sentence.start : stop - sentence.start]
    return replace(sentence, text=text, start=start, end=stop, tokens=tokens)
