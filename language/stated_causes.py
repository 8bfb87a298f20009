"""Which words of a sentence a cue makes the cause and which the effect, roughly, and whether that is stated as a fact.

For text that is read while a question waits. It looks at whole sides of a cue, not for the exact spans of mentions, so
that a sentence can be compared with a question; claims are never made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce

from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.content_words import content_keys
from language.contrasts import Contrast, contrasts
from language.corrections import Corrected, corrected
from language.cue_heads import UNKNOWN, asks_for_heads, clause_behind, heads_fit, names_happening, tells_amount
from language.cues import Cue, CueMatch, CueTable, cue_table
from language.denied_reasons import (
    contrasted_from,
    denies_happening_or_reason,
    restated,
    without_negators,
)
from language.denied_twice import denied_twice
from language.factuality import factuality_lists, lacks_proof, of_claims, of_clause, weaker
from language.framing import frame_of
from language.fronted_reasons import cleft, inverted
from language.kinds import KindTable, kind_table
from language.labels import colon_behind_cause
from language.listed_causes import listed_behind
from language.none_of_them import none_of_them
from language.parted_sides import parted_sides
from language.pointed_happenings import count_of_clauses, pointed_happening, points_back
from language.retractions import taken_back
from language.side_bounds import bounded
from language.tokens import Sentence, Token
from language.word_classes import BE, WordClass

_POINTING = frozenset({"that", "because"})
_NOUN_NEXT = ((WordClass.NOUN,), (WordClass.ADJECTIVE,))
_GROUP = frozenset({WordClass.AUXILIARY, WordClass.ADVERB, WordClass.MODAL})
_NO_VERB = frozenset({WordClass.NOUN, WordClass.ADJECTIVE, WordClass.DETERMINER})
_NEAR = 2
"""Tokens within which "will" stands before its verb."""
_FRONTED = frozenset({"clause", "phrase"})

_PUT_AFTER = frozenset({"not", "although", "though", "albeit", "despite", "whereas", "notwithstanding"})
"""What opens, behind a comma, what is no part of the side before: "due to debts, *although* some blamed the road"."""
_CONCEDING = frozenset({"although", "though", "while", "whereas", "despite", "notwithstanding"})
"""What opens a clause in front that the sentence sets against what it tells: "*although* some blamed the road, ..."."""
_PUT_ASIDE = (["rather", "than"], ["instead", "of"])
"""What opens a phrase in front that is no part of what is told: "*rather than* the heat, it was the cold"."""


@dataclass(frozen=True, slots=True)
class StatedCause:
    """One cue in a sentence and what stands on its two sides.

    Attributes:
        cue_text: The alternative of the cue that was matched, as a claim names it.
        cause: The words on the side of the cause; those of the cue as well where it holds them ("so thick that").
        effect: The words on the side of the effect, likewise ("led the crew to leave").
        reaches_back: True when the side before the cue is the sentence before and not this one.
        affirmed: False when the relation is denied.
        announced: True when the effect is told as what will happen, and the cause as its cause.
        of_it: True when the effect is "it" and stands for a happening of the sentence before.
        happened: True when the sentence seems to deny the effect and denies a reason for it only.
        happens_behind: True when it is the sentence behind that says so.
        modality: `actual`, or else what makes it less: `possible`, `planned` or `hypothetical`.
    """

    cue: Cue
    cue_text: str
    cause: str
    effect: str
    reaches_back: bool
    affirmed: bool
    modality: str
    announced: bool = False
    of_it: bool = False
    happened: bool = False
    happens_behind: bool = False

    @property
    def actual(self) -> bool:
        """Whether it is told as a fact."""
        return self.modality == "actual"

    def sides(self, before: Sentence | None) -> tuple[str, str]:
        """Cause and effect, with the sentence before in place of the side that it tells."""
        if not self.reaches_back or before is None:
            return self.cause, self.effect
        if self.of_it:
            clauses = Clauses(before)
            happening = pointed_happening(clauses)
            return self.cause, self.effect if happening is None else _words(before, happening)
        return (before.text, self.effect) if not self.cause.strip() else (self.cause, before.text)


def stated_causes(sentence: Sentence, behind: Sequence[Sentence] = ()) -> list[StatedCause]:
    """What the cues of a sentence state, from left to right; none for headings, tables and questions.

    Args:
        sentence: The sentence.
        behind: Those behind, which may take it back; the first may tell that it is the reason that is denied, and not
            what happened.
    """
    return _told(sentence, behind, of_order=False)


def stated_orders(sentence: Sentence) -> list[StatedCause]:
    """What the cues of a sentence state of the order in time and no more; `cause` holds what came first."""
    return _told(sentence, (), of_order=True)


def stated_as(sentence: Sentence) -> tuple[bool, bool]:
    """Whether a sentence as a whole affirms what it tells, and whether it tells it as a fact."""
    sentence = corrected(sentence).sentence
    clauses = Clauses(sentence)
    told = of_clause(clauses, (0, len(sentence.tokens)))
    affirmed = told.polarity == "affirmed" or any(stated.happened for stated in stated_causes(sentence))
    affirmed = affirmed and not any(none_of_them(clauses, match) for match in cue_table().find(clauses.tokens))
    verbs = [place for place, word_class in enumerate(clauses.classes) if word_class in VERBAL]
    plain = all(frame_of(clauses, place).is_plain for place in verbs)
    doubled = denied_twice(clauses, _behind_that(clauses))
    if doubled is not None:
        return True, doubled == "actual"
    shown = affirmed or not lacks_proof(clauses)
    return affirmed, told.modality == "actual" and plain and shown


def _behind_that(clauses: Clauses) -> int:
    """The token behind the first "that"; 0 where there is none."""
    return clauses.words.index("that") + 1 if "that" in clauses.words else 0


def denies_reason(sentence: Sentence, asked: str) -> bool:
    """Whether a sentence denies of what a question names that it was a reason, and tells it in no other part."""
    stated = stated_causes(sentence)
    denied = " ".join(one.cause for one in stated if not one.affirmed)
    told = " ".join(f"{one.cause} {one.effect}" if one.affirmed else one.effect for one in stated)
    if not denied:
        return False
    # "Burnt" toast is of the kind of a fire, and no word of one.
    words = _plain_words(denied) - _plain_words(told)
    named = {word for word in words & _plain_words(asked) if content_keys(word)}
    return bool(named) or not content_keys(asked).isdisjoint(content_keys(denied) - content_keys(told))


def _plain_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.lower()))


def may_deny_reason(sentence: Sentence) -> bool:
    """Whether a sentence denies what happened, or only a reason of it: "it did not burst because of frost"."""
    return denies_happening_or_reason(Clauses(sentence))


def part_is_actual(sentence: Sentence, part: tuple[int, int]) -> bool:
    """Whether the words from one character of a sentence to another tell what is or was, not what would be."""
    start, end = (sentence.start + place for place in part)
    within = [place for place, token in enumerate(sentence.tokens) if start <= token.start < end]
    return not within or of_clause(Clauses(sentence), (within[0], within[-1] + 1)).modality == "actual"


def _told(sentence: Sentence, behind: Sequence[Sentence], *, of_order: bool) -> list[StatedCause]:
    if not sentence.prose or sentence.text.rstrip("\"'”’)").endswith("?"):
        return []
    following = behind[0] if behind and behind[0].prose else None
    found = _stated_in(sentence, following, of_order, cue_table(), kind_table())
    if not found:
        return []
    denied, doubted = taken_back(sentence, behind)
    return [replace(one, affirmed=one.affirmed and not denied, modality=weaker(one.modality, doubted)) for one in found]


# One question reads the same sentences for several of its steps.
@lru_cache(maxsize=2_048)
def _stated_in(
    whole: Sentence, following: Sentence | None, of_order: bool, cues: CueTable, _kinds: KindTable
) -> tuple[StatedCause, ...]:
    """What the cues of a sentence state by themselves; the tables are those of the domain in use."""
    left = corrected(whole)
    sentence = left.sentence
    matches = [match for match in cues.find(sentence.tokens) if (match.cue.relation == "BEFORE") is of_order]
    if not matches:
        return ()
    clauses = Clauses(sentence)
    after = None if following is None else Clauses(following)
    apart = contrasts(clauses)
    used = [match for match in matches if _is_used(clauses, match)]
    corrections = [_words(whole, span) for span in left.excluded]
    return tuple(
        one
        for match in used
        for stated in _stated(sentence, clauses, match, after, apart)
        for one in _corrected(stated, match, left, corrections)
    )


def _is_used(clauses: Clauses, match: CueMatch) -> bool:
    """Whether a causative verb is a verb here, and an active one with an object where the effect is its object."""
    if match.cue.construction != "predicate":
        return True
    if clauses.classes[match.first] in _NO_VERB:
        return False
    before = match.first - 1
    while before >= 0 and clauses.classes[before] is WordClass.ADVERB:
        before -= 1
    passive = before >= 0 and clauses.words[before] in BE and clauses.words[match.first] not in BE
    # "the wagon derailed on the line": nothing is the object of a verb that a preposition follows.
    objectless = match.end < len(clauses.classes) and clauses.classes[match.end] is WordClass.PREPOSITION
    return not (match.cue.right == "effect" and (passive or objectless))


def _stated(
    sentence: Sentence, clauses: Clauses, match: CueMatch, behind: Clauses | None, apart: Sequence[Contrast]
) -> list[StatedCause]:
    """What a cue states, and what the sentence sets against a side of it, denied."""
    tokens = sentence.tokens
    left, right = (0, match.first), (match.end, len(tokens))
    opens = not any(token.text[0].isalnum() for token in tokens[: match.first])
    reaches_back = False
    if opens and match.cue.construction in _FRONTED:
        comma = next((i for i in range(match.end, len(tokens)) if tokens[i].text == ","), len(tokens))
        left, right = (comma, len(tokens)), (match.end, comma)
    elif opens:
        reaches_back = True
    elif (closed := _of_closing_adverb(clauses, match)) is not None:
        reaches_back, left, right = closed
    if match.cue.through:
        parted = parted_sides(clauses, match)
        if parted is None:
            return []
        reaches_back = False
        left, right = parted
    fronted = None
    if match.cue.right == "cause" and not match.cue.through:
        fronted = cleft(clauses, match) or inverted(clauses, match)
    if fronted is not None:
        reaches_back = False
        left, right = fronted
    if match.cue.construction == "noun":
        given = _given_behind(clauses, match)
        if given is None:
            return []
        reaches_back = False
        left, right = given
    if not _fits(clauses, match, left, right):
        return []
    sides = left, right
    left, right = bounded(clauses, match, *_within(tokens, left, right))
    if match.cue.construction == "predicate" and match.cue.right == "effect":
        left, right = listed_behind(clauses, left, right) or (left, right)
    before = _words(sentence, (left[0], match.end) if match.cue.keeps == "left" else left, apart)
    after = _words(sentence, (match.first, right[1]) if match.cue.keeps == "right" else right, apart)
    cause, effect = (after, before) if match.cue.right == "cause" else (before, after)
    of_it = points_back(clauses, match) and fronted is None
    affirmed, modality = _factual(clauses, match)
    will = modality == "planned" and WordClass.MODAL in clauses.classes[max(match.first - _NEAR, 0) : match.first]
    for side in (left, right):
        modality = weaker(modality, of_clause(clauses, side).modality)
    told, between = _told_between(clauses, match, left, right)
    affirmed, modality = affirmed and told, weaker(modality, between)
    if match.cue.right == "cause":
        will = of_clause(clauses, left).modality == "planned"
    announced = will and modality == "planned" and match.cue.modality == "actual"
    back = reaches_back or of_it
    stated = StatedCause(match.cue, match.text, cause, effect, back, affirmed, modality, announced, of_it)
    stated = _of_denied_reason(stated, clauses, match, left, behind)
    denied = none_of_them(clauses, match)
    if denied:
        return [replace(stated, cause=_words(sentence, span), affirmed=False) for span in denied]
    return [stated, *_set_apart(stated, sentence, sides, apart)]


def _of_closing_adverb(clauses: Clauses, match: CueMatch) -> tuple[bool, Span, Span] | None:
    """The sides of an adverb that ends its sentence, and whether its cause is what was told before.

    So it is where the sentence has one clause ("four died *as a result*"); of two, the first may be the cause: "it
    rained for a week, and the crop rotted *as a result*".
    """
    ends = match.cue.construction == "adverb" and match.cue.relation == "CAUSES"
    if not ends or any(token.text[0].isalnum() for token in clauses.tokens[match.end :]):
        return None
    if count_of_clauses(clauses) == 1:
        return True, (0, 0), (0, match.first)
    for place in range(match.first - 1, 0, -1):
        if clauses.words[place] == "and" and clauses.starts_clause(place + 1, match.first):
            return (False, (0, place), (place + 1, match.first)) if clauses.has_verb(0, place) else None
    return None


def _corrected(stated: StatedCause, match: CueMatch, left: Corrected, excluded: Sequence[str]) -> Iterator[StatedCause]:
    """What is stated, and the denied statements of what is corrected: "caused *not by ice* but by speed"."""
    stated = replace(stated, cause=left.left_of(stated.cause), effect=left.left_of(stated.effect))
    yield stated
    causal = (left.gap > match.first) is (stated.cue.right == "cause")
    for words in excluded if stated.affirmed else ():
        cause, effect = (words, stated.effect) if causal else (stated.cause, words)
        yield replace(stated, cause=cause, effect=effect, affirmed=False)


def _given_behind(clauses: Clauses, match: CueMatch) -> tuple[Span, Span] | None:
    """The sides of a noun cue: of "X was the cause of Y" X and Y, and likewise of "the cause of Y was X".

    Returns:
        What the noun is said to be, and what stands behind the cue; none where nothing is named: "is not known".
    """
    start, count = clauses.noun_group(match.first, factuality_lists().modality), len(clauses.tokens)
    before = (0, start)
    if start > 0 and (clauses.is_be(start - 1) or clauses.words[start - 1] in ("as", "not", "n't")):
        return before, (match.end, count)
    colon = colon_behind_cause(clauses.sentence, match.end)
    if colon is not None:
        return (colon + 1, count), (match.end, colon)
    behind = clause_behind(match)
    told = None if behind is None else clauses.reason_clause(behind)
    if behind is not None and behind < match.end and told is None:
        return None
    place = match.end if told is None else told[1]
    opens = match.end if told is None else told[0]
    while place < count and not clauses.is_be(place):
        place += 1
    if place == count:
        return before, (match.end, count)
    end = place
    first = place
    while first > match.end and clauses.classes[first - 1] in _GROUP:
        first -= 1
    while end < count and (clauses.classes[end] in _GROUP or clauses.is_be(end) or clauses.words[end] in _POINTING):
        end += 1
    if end == count or clauses.words[end] in UNKNOWN or clauses.words[end - 1] in UNKNOWN:
        return None
    if clauses.classes[end] is WordClass.PARTICIPLE and clauses.classes[end + 1 : end + 2] not in _NOUN_NEXT:
        following = clauses.words[end + 1 : end + 3]
        if following != ["to", "be"]:
            return None
        end += 3
    return (end, count), (opens, first)


def _told_between(clauses: Clauses, match: CueMatch, left: Span, right: Span) -> tuple[bool, str]:
    """Whether what joins the sides of a noun affirms it, and its modality: "the cause of it *may have been* ice"."""
    if match.cue.construction != "noun" or right[1] >= left[0]:
        return True, "actual"
    told = of_clause(clauses, (right[1], left[0]))
    return told.polarity == "affirmed", told.modality


def _fits(clauses: Clauses, match: CueMatch, left: Span, right: Span) -> bool:
    """Whether the sides have the heads that the cue asks for."""
    cue = match.cue
    cause = right if cue.right == "cause" else left
    if clauses.words[match.end - 1] == "by" and tells_amount(clauses, cause):
        return False
    # "It was started by": what "it" stands for is a happening of the sentence before.
    if not asks_for_heads(cue) or points_back(clauses, match):
        return True
    if cue.construction == "predicate" and not cue.through:
        left = clauses.subject(clauses.verb_group(match.first, factuality_lists().raising))
        if left[0] >= left[1]:
            left = clauses.noun_phrase_before(match.first)
    cause, effect = (right, left) if cue.right == "cause" else (left, right)
    happens = cue.cause_in or not cue.needs_event or names_happening(clauses, cause)
    return bool(happens) and heads_fit(cue, clauses, cause, effect)


def _set_apart(
    stated: StatedCause, sentence: Sentence, sides: tuple[Span, Span], apart: Sequence[Contrast]
) -> Iterator[StatedCause]:
    """The denied statements of what is set against a side: "ice *rather than speed* caused it"."""
    for causal, (start, end) in zip((stated.cue.right != "cause", stated.cue.right == "cause"), sides, strict=True):
        for contrast in apart:
            if start <= contrast.whole[0] and contrast.whole[1] <= end and stated.affirmed:
                words = _words(sentence, contrast.excluded)
                cause, effect = (words, stated.effect) if causal else (stated.cause, words)
                yield replace(stated, cause=cause, effect=effect, affirmed=False)


def _of_denied_reason(
    stated: StatedCause, clauses: Clauses, match: CueMatch, left: tuple[int, int], behind: Clauses | None
) -> StatedCause:
    """With its effect affirmed, where the sentence denies a reason of it only."""
    contrasted = contrasted_from(clauses, match)
    if contrasted is not None:
        effect = without_negators(clauses, (left[0], min(left[1], contrasted)))
        return replace(stated, effect=effect, affirmed=contrasted < match.first, happened=True)
    after_all = restated(clauses, match, left, behind)
    if after_all is None:
        return stated
    effect = without_negators(clauses, left)
    return replace(stated, effect=effect, affirmed=False, happened=True, happens_behind=after_all.follows)


def _within(
    tokens: Sequence[Token], left: tuple[int, int], right: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """The sides as far as the clauses around them go: not past a semicolon, nor past ", not" or ", although" there."""
    starts = [place + 1 for place in range(*left) if tokens[place].text == ";"]
    aside = [token.lower for token in tokens[left[0] : left[0] + 2]]
    if aside in _PUT_ASIDE or not _CONCEDING.isdisjoint(aside[:1]):
        starts += [place + 1 for place in range(*left) if tokens[place].text == ","][:1]
    ends = [
        place
        for place in range(*right)
        if tokens[place].text == ";"
        or (tokens[place].text == "," and place + 1 < right[1] and tokens[place + 1].text.lower() in _PUT_AFTER)
    ]
    return (max(starts, default=left[0]), left[1]), (right[0], min(ends, default=right[1]))


def _words(sentence: Sentence, span: Span, apart: Sequence[Contrast] = ()) -> str:
    """The words of a span, without what the sentence sets apart."""
    parts, (start, end) = [], span
    for first, last in (one.whole for one in apart):
        if span[0] <= first and last <= span[1]:
            parts.append((start, first))
            start = last
    return " ".join(
        sentence.text[sentence.tokens[one].start - sentence.start : sentence.tokens[last - 1].end - sentence.start]
        for one, last in (*parts, (start, end))
        if one < last
    )


def _factual(clauses: Clauses, match: CueMatch) -> tuple[bool, str]:
    """Whether a cue is affirmed, and its modality.

    Where the first argument starts is not known here, so whatever governs any start of it counts.
    """
    first = match.first
    while first > 0 and clauses.classes[first - 1] in _GROUP:
        first -= 1
    if match.cue.construction == "predicate":
        # "is said to have caused", "appears to have caused"
        first = clauses.verb_group(first, factuality_lists().raising)
    elif match.cue.construction == "noun":
        first = clauses.noun_group(first, factuality_lists().modality)
    subject = match.cue.construction in ("predicate", "noun")
    group, frame = (first, match.end), frame_of(clauses, first)
    told = list(of_claims(clauses, group, range(first + 1), subject=subject, frame=frame))
    affirmed = all(each.polarity == "affirmed" for each in told) and match.cue.polarity == "affirmed"
    modality = reduce(weaker, (each.modality for each in told), match.cue.modality)
    if WordClass.MODAL in clauses.classes[first : match.end]:
        # "can cause" tells what is possible in general, not what happened.
        modality = weaker(modality, "possible")
    return affirmed, modality
