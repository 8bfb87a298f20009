"""What speaks against a claim of the rules: a cue that means something else here, or an argument that was cut wrongly.

The first is refused. Each doubt of the second kind lowers the confidence, and the strictness that a user sets decides
whether the claim is kept. The words are data (`doubts.toml`).
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from extraction.events import head_of
from extraction.statements import Located
from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.cues import CueMatch
from language.factuality import of_clause
from language.kinds import is_event_noun
from language.none_of_them import none_of_them
from language.word_classes import WordClass

W = WordClass
DOUBT: Final = 0.6
"""Factor on the confidence of a claim for each doubt."""
_LONG_LIST: Final = 60
"""Tokens from which a sentence with a mark of layout is a list that ran together."""
_CLOCK_DIGITS: Final = 4
_JUDGEMENT: Final = 6
"""Words of "it is most unlikely indeed that"."""
_NOMINAL: Final = frozenset({W.NOUN, W.GERUND, W.ADJECTIVE, W.NUMBER, W.PARTICIPLE, W.INFINITIVE})
_OPENERS: Final = frozenset({W.RELATIVE, W.SUBORDINATOR})


class Case(NamedTuple):
    """One claim in the making.

    Attributes:
        here: The sentence of the cue.
        left, right: The arguments as the cue table means them; the left one may stand in the sentence before.
    """

    match: CueMatch
    here: Clauses
    left: Located
    right: Located

    @property
    def together(self) -> bool:
        """Whether both arguments stand in the sentence of the cue."""
        return self.left.place == self.right.place


def refused(case: Case) -> bool:
    """Whether the cue does not mean here what it means in the table."""
    return any(test(case) for test in _OTHER_MEANINGS)


def doubts(case: Case) -> int:
    """How many doubts a claim raises."""
    arguments = sum(any(test(case, one) for one in (case.left, case.right)) for test in _DOUBTS_OF_ARGUMENTS)
    return arguments + sum(test(case) for test in _DOUBTS)


def _word_before(argument: Located) -> str:
    start = argument.span[0]
    return argument.clauses.words[start - 1] if start else ""


def _follows_cue(case: Case, argument: Located) -> bool:
    """Whether the words before an argument are those of the cue."""
    start = argument.span[0]
    return argument.clauses is case.here and case.match.first < start <= case.match.end + 1


def _first_classes(clauses: Clauses, span: Span) -> tuple[WordClass, ...]:
    """The classes of a span up to its first comma, relative word or subordinator."""
    start, end = span
    stop = next((at for at in range(start, end) if clauses.classes[at] in _OPENERS or clauses.words[at] == ","), end)
    return clauses.classes[start:stop]


def _clause_start(clauses: Clauses, place: int) -> int:
    """Where the clause of a place opens: behind a hard mark, a relative word or a subordinator."""
    while place > 0 and not clauses.is_hard(place - 1) and clauses.classes[place - 1] not in _OPENERS:
        place -= 1
    return place


def _is_half(case: Case, argument: Located) -> bool:
    """Whether the span has lost the first of what is joined: "the bridge and *the engine room* caused"."""
    clauses, (start, end) = argument.clauses, argument.span
    if _word_before(argument) not in ("and", "or") or clauses.has_verb(start, end) or _follows_cue(case, argument):
        return False
    opened = _clause_start(clauses, start - 1)
    return W.NOUN in clauses.classes[opened : start - 1] and not clauses.has_verb(opened, start - 1)


def _hangs(case: Case, argument: Located) -> bool:
    """Whether it is what a preposition or a verb leads to, and not the subject: "a slide on *the slope* caused"."""
    clauses, (start, end) = argument.clauses, argument.span
    relative = next((place for place in range(start, end) if clauses.classes[place] is W.RELATIVE), end)
    if start == 0 or clauses.has_verb(start, relative) or _follows_cue(case, argument) or argument is case.right:
        return False
    if clauses.classes[start - 1] is W.INFINITIVE:
        return True
    if W.RELATIVE in clauses.classes[end : case.match.first]:
        return False
    opened = _clause_start(clauses, start - 1)
    return clauses.classes[start - 1] is W.PREPOSITION and W.NOUN in clauses.classes[opened : start - 1]


def _is_cut_off(_: Case, argument: Located) -> bool:
    """Whether the span ends where its verb only begins: "they were considered *to be*"."""
    clauses, (start, end) = argument.clauses, argument.span
    return end - start > 1 and clauses.is_be(end - 1) and clauses.words[end - 2] == "to"


def _is_judged(case: Case, argument: Located) -> bool:
    """Whether the reason is one for the judgement and not for what is judged: "it was odd that *it ran*, because"."""
    words, start = argument.clauses.words, argument.span[0]
    if case.match.cue.construction != "clause" or case.match.cue.right != "cause" or argument is case.right:
        return False
    before = words[max(start - _JUDGEMENT, 0) : start]
    if before[-1:] != ["that"] or {("it", "is"), ("it", "was")}.isdisjoint(pairwise(before)):
        return False
    judgements = tuple(_table()["judgements"])
    return any(word.startswith(judgements) for word in before)


def _is_time_clause(case: Case, argument: Located) -> bool:
    """Whether the clause only tells when the one before it was: "it stopped after *it landed*, because"."""
    clauses, start = argument.clauses, argument.span[0]
    prior = clauses.words[max(start - 2, 0) : start] == ["prior", "to"]
    if not prior and _word_before(argument) not in _table()["time_openers"]:
        return False
    before = clauses.classes[_clause_start(clauses, start - 1) : start - 1]
    return not _follows_cue(case, argument) and any(one is W.NOUN or one in VERBAL for one in before)


def _is_empty(_: Case, argument: Located) -> bool:
    """Whether the span names no happening: "*the fact* caused"."""
    clauses, (start, end) = argument.clauses, argument.span
    if clauses.has_verb(start, end):
        return False
    return clauses.tokens[head_of(clauses, argument.span)].lemma in _table()["empty"]


def _is_stub(_: Case, argument: Located) -> bool:
    """Whether all that the span says is that something was: "*it was considered*", "*to have*"."""
    clauses, span = argument.clauses, argument.span
    carriers = _table()["carriers"]
    return not any(
        (clauses.classes[place] in _NOMINAL and clauses.tokens[place].lemma not in carriers)
        or (clauses.classes[place] is W.FINITE and clauses.tokens[place].lemma not in carriers)
        for place in range(*span)
    )


def _is_aside(case: Case, argument: Located) -> bool:
    """Whether it is the clause beside the main one: "the train braked *as it approached*. Therefore"."""
    if case.match.cue.construction != "adverb" or argument is not case.left:
        return False
    words, asides = argument.clauses.words, _table()["asides"]
    return words[argument.span[0]] in asides or _word_before(argument) in asides


def _is_condition(case: Case) -> bool:
    """Whether it is a condition and no order in time: "if it rains, then"."""
    first = _clause_start(case.left.clauses, case.left.span[0])
    opened = [*case.left.clauses.words[max(first - 1, 0) : first + 1]]
    return case.match.text.startswith("then") and not {"if", "unless", "had", "should"}.isdisjoint(opened)


def _is_distance(case: Case) -> bool:
    """Whether it tells where and not when: "320 m before the crossing"."""
    here, first = case.here, case.match.first
    if case.match.cue.relation != "BEFORE" or case.right.clauses.has_verb(*case.right.span) or first < 2:
        return False
    return here.tokens[first - 1].lemma in _table()["lengths"] and here.classes[first - 2] is W.NUMBER


def _is_clock(case: Case) -> bool:
    """Whether a time of day follows, which is no happening: "after 1330 the wind backed"."""
    here, start = case.here, case.match.end
    word = here.words[start] if start < len(here.words) else ""
    named = here.classes[start + 1 : start + 2] in ((W.NOUN,), (W.ADJECTIVE,))
    return case.match.cue.relation == "BEFORE" and word.isdigit() and len(word) == _CLOCK_DIGITS and not named


def _is_attribute(case: Case) -> bool:
    """Whether the cue is an adjective and no verb: "the maximum permitted speed"."""
    here, match = case.here, case.match
    if match.cue.construction != "predicate" or match.end - match.first != 1 or not match.first:
        return False
    before, behind = here.classes[match.first - 1], here.classes[match.end : match.end + 1]
    attribute = before in (W.DETERMINER, W.ADJECTIVE) or here.words[match.first - 1] in ("maximum", "minimum")
    return attribute and behind == (W.NOUN,) and here.words[match.first].endswith("ed")


def _compares(case: Case) -> bool:
    """Whether it is a comparison: "as he had done", "than that due to"."""
    here, match = case.here, case.match
    behind = here.classes[match.end : match.end + 2]
    if match.text == "as":
        done = behind[:1] == (W.PRONOUN,) and here.words[match.end + 1 : match.end + 3][1:] == ["done"]
        return done or behind[:1] in ((W.AUXILIARY,), (W.MODAL,))
    return here.words[max(match.first - 2, 0) : match.first] == ["than", "that"]


def _measures(case: Case) -> bool:
    """Whether it tells how long, and not what: "this was 51 seconds after"."""
    return case.match.cue.relation == "BEFORE" and any(
        one.clauses.words[one.span[0] : one.span[0] + 2] in (["this", "was"], ["it", "was"])
        and one.clauses.classes[one.span[0] + 2 : one.span[0] + 3] == (W.NUMBER,)
        for one in (case.left, case.right)
    )


def _is_verb(case: Case) -> bool:
    """Whether the cue is a verb and tells no order in time: "he was closely following another train"."""
    here, match = case.here, case.match
    before = match.first - 1
    while before >= 0 and here.words[before].endswith("ly"):
        before -= 1
    return (
        match.cue.relation == "BEFORE"
        and here.words[match.first].endswith("ing")
        and before >= 0
        and here.is_be(before)
    )


def _is_compound(case: Case) -> bool:
    """Whether a hyphen ties the cue to the next word: "the before-landing checklist"."""
    here, end = case.here, case.match.end
    behind = here.tokens[end : end + 2]
    if not behind or not behind[0].text.startswith("-"):
        return False
    if len(behind[0].text) > 1:
        return behind[0].text[1].isalpha()
    return len(behind) > 1 and behind[0].end == behind[1].start and behind[1].text.isalpha()


def _is_earlier(case: Case) -> bool:
    """Whether it says "earlier" or "later" of what is told, and nothing follows: "never used it *before* was"."""
    behind = case.here.classes[case.match.end : case.match.end + 1]
    return case.match.text in ("before", "after") and bool(VERBAL.intersection(behind))


def _tells_since(case: Case) -> bool:
    """Whether it tells from when on, and no reason: "*since this accident* the rules have changed"."""
    here, end = case.here, case.match.end
    if case.match.cue.relation == "BEFORE" or here.words[end - 1] != "since":
        return False
    named = here.classes[end : end + 2] == (W.DETERMINER, W.NOUN) and is_event_noun(here.tokens[end + 1].lemma)
    behind = here.tokens[end + 2 : end + 3]
    other = here.classes[end + 2 : end + 3] in ((W.DETERMINER,), (W.PRONOUN,))
    return named and (other or any(token.text[:1].isupper() for token in behind))


def _is_allowed(case: Case) -> bool:
    """Whether what stands before is what was allowed: "a vessel *allowed* to operate near the coast"."""
    here, match = case.here, case.match
    one_word = match.cue.construction == "predicate" and match.end - match.first == 1
    return one_word and match.cue.relation == "ENABLES" and here.classes[match.end : match.end + 1] == (W.TO,)


def _points_on(case: Case) -> bool:
    """Whether the cue points at a noun and not at what was told: "issued *after that* date"."""
    here, end = case.here, case.match.end
    if here.words[case.match.first : end] not in (["after", "that"], ["after", "this"]):
        return False
    return here.classes[end : end + 1] == (W.NOUN,) and VERBAL.isdisjoint(here.classes[end + 1 : end + 2])


def _has_no_object(case: Case) -> bool:
    """Whether it is no verb with an object: "the wagons *derailed* to the right", "to hold *derailed* wagons"."""
    here, cue, end = case.here, case.match.cue, case.match.end
    if cue.construction != "predicate" or cue.keeps != "right" or case.match.end - case.match.first > 1:
        return False
    before, behind = here.classes[max(case.match.first - 2, 0) : case.match.first], here.classes[end : end + 1]
    if before[-1:] == (W.INFINITIVE,) or (before == (W.PREPOSITION, W.GERUND) and behind == (W.NOUN,)):
        return True
    return not {W.PUNCTUATION, W.AUXILIARY, W.TO}.isdisjoint(behind)


def _is_turned(case: Case) -> bool:
    """Whether what turns the words is cut off: "nor *the pilot knew*", "it is inappropriate that *it is used*"."""
    named = none_of_them(case.here, case.match)
    return any(
        (_word_before(one) in ("nor", "neither") and not (named and one is case.right))
        or one.clauses.words[max(one.span[0] - 2, 0) : one.span[0]] == ["inappropriate", "that"]
        for one in (case.left, case.right)
    )


def _reassures(case: Case) -> bool:
    """Whether what is given is no reason: "will not refrain from telling it because it may hurt"."""
    words = case.left.clauses.words[slice(*case.left.span)]
    return case.match.cue.right == "cause" and ("not", "refrain") in pairwise(words)


def _runs_on(case: Case) -> bool:
    """Whether the verb behind the object belongs to the whole sentence: "to prevent *accidents will be*"."""
    cue = case.match.cue
    if cue.construction != "predicate" or cue.relation not in ("ENABLES", "PREVENTS") or cue.right != "effect":
        return False
    return W.MODAL in _first_classes(case.here, case.right.span)


def _splits_fronted(case: Case) -> bool:
    """Whether the effect starts inside of what is fronted: "because of rain and *wind the match*"."""
    cause = case.right
    fronted = case.together and case.match.cue.construction == "phrase" and case.left.span[0] > cause.span[1]
    return fronted and case.here.words[case.left.span[0] - 1] in ("and", "or")


def _is_nearer(case: Case) -> bool:
    """Whether what came before is the nearest act and not the main one: "asked to look at the trim before"."""
    if case.match.cue.relation != "BEFORE" or not case.together or case.left.span[0] > case.match.first:
        return False
    here, (start, end) = case.here, case.left.span
    verb = next((place for place in range(start, end) if here.classes[place] in VERBAL), end)
    return W.TO in here.classes[verb:end] or any(here.classes[place] in _OPENERS for place in range(verb + 1, end))


def _denies_outcome(case: Case) -> bool:
    """Whether the effect is an act that did not follow: "*no claims were made* as a result of the report"."""
    words = case.left.clauses.words[slice(*case.left.span)]
    told = words[:1] == ["no"] and not _table()["outcomes"].isdisjoint(words)
    return case.match.text == "as a result of" and case.match.cue.right == "cause" and told


def _is_forbidden(case: Case) -> bool:
    """Whether a purpose is told of what is not done: "posts must not be moved to allow a train through"."""
    here, first = case.here, case.match.first
    purpose = case.match.cue.construction == "predicate" and first > 0 and here.classes[first - 1] is W.TO
    return purpose and case.together and of_clause(here, case.left.span).polarity == "negated"


def _joins_halves(case: Case) -> bool:
    """Whether the cause is the first half of the sentence: "it had the other on its right *and was therefore*"."""
    here, (start, end) = case.here, case.right.span
    if case.match.cue.construction != "adverb" or case.together or not start < case.match.first < end:
        return False
    joint = next((at for at in range(start, case.match.first) if here.classes[at] is W.CONJUNCTION), start)
    return here.has_verb(_clause_start(here, start), joint) and here.has_verb(joint, end)


def _takes_verb(case: Case) -> bool:
    """Whether the cause took in the verb of the sentence: "the risk of derailments due to *cracked frames is high*"."""
    cue = case.match.cue
    if cue.construction != "phrase" or cue.right != "cause":
        return False
    return not VERBAL.isdisjoint(_first_classes(case.here, case.right.span))


def _is_list(case: Case) -> bool:
    """Whether a glossary or the head of a page ran into the sentence."""
    here = case.here
    return len(here.words) > _LONG_LIST and not _table()["layout"].isdisjoint(here.words)


_OTHER_MEANINGS: Final[tuple[Callable[[Case], bool], ...]] = (
    _is_condition,
    _is_distance,
    _is_clock,
    _is_attribute,
    _compares,
    _reassures,
    _is_turned,
    _denies_outcome,
    _measures,
    _is_verb,
    _is_compound,
    _is_earlier,
    _tells_since,
    _is_allowed,
    _points_on,
    _has_no_object,
)
_DOUBTS_OF_ARGUMENTS: Final[tuple[Callable[[Case, Located], bool], ...]] = (
    _is_half,
    _hangs,
    _is_time_clause,
    _is_empty,
    _is_stub,
    _is_aside,
    _is_cut_off,
    _is_judged,
)
_DOUBTS: Final[tuple[Callable[[Case], bool], ...]] = (
    _splits_fronted,
    _is_nearer,
    _is_list,
    _runs_on,
    _is_forbidden,
    _joins_halves,
    _takes_verb,
)


@cache
def _table() -> dict[str, frozenset[str]]:
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return {name: frozenset(words) for name, words in table.items()}
