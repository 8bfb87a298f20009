"""The happening that "it" stands for where the next sentence says what it was caused by."""

from __future__ import annotations

from typing import Final

from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.cues import CueMatch, cue_table
from language.factuality import of_clause
from language.kinds import is_event_noun
from language.word_classes import WordClass

W = WordClass
_IT: Final = frozenset({"it", "this", "that"})
_BRINGS_FORTH: Final = frozenset(
    {"leave", "produce", "create", "make", "open", "tear", "reveal", "show", "release", "emit"}
)
"""Verbs whose object may be what was caused: "the crash left a gap in the wall. It was caused by the engine"."""
_IN_PHRASE: Final = frozenset({W.DETERMINER, W.ADJECTIVE, W.NUMBER, W.NOUN, W.PARTICIPLE})
_OPENS_GROUP: Final = frozenset({W.FINITE, W.AUXILIARY, W.MODAL})
_GROUP: Final = frozenset({W.AUXILIARY, W.ADVERB, W.MODAL})


def points_back(clauses: Clauses, match: CueMatch) -> bool:
    """Whether a sentence opens with "it" as what a cue says the cause of: "*it was* caused by a leak"."""
    before = [place for place in range(match.first) if clauses.words[place] not in ("but", "and", ",")]
    subject, rest = before[:1], before[1:]
    return (
        match.cue.takes_it
        and bool(subject)
        and clauses.words[subject[0]] in _IT
        and all(clauses.is_be(place) or clauses.classes[place] in _GROUP for place in rest)
    )


def pointed_happening(before: Clauses) -> Span | None:
    """The noun phrase of the one happening that a sentence is about; none where it tells of several, or of none.

    Where the sentence denies a cause it is about what that was no cause of: "the rain did not cause *the landslide*".
    """
    if before.words[-1:] == ["?"]:
        return None
    side = _not_caused(before)
    if side is None:
        side = 0, len(before.words)
        brings_forth = any(token.lemma.lower() in _BRINGS_FORTH for token in before.tokens)
        if brings_forth or _causes_another(before) or count_of_clauses(before) != 1:
            return None
    heads = [place for place in range(*side) if _is_happening(before, place)]
    if len(heads) != 1:
        return None
    start = end = heads[0]
    while start > side[0] and before.classes[start - 1] in _IN_PHRASE:
        start -= 1
    if start > 0 and before.classes[start - 1] in (W.PREPOSITION, W.TO):
        return None
    while end < side[1] and before.classes[end] not in VERBAL | _GROUP and not before.is_hard(end):
        end += 1
    return before.trimmed(start, end)


def _is_happening(clauses: Clauses, place: int) -> bool:
    following = clauses.classes[place + 1 : place + 2]
    return clauses.classes[place] is W.NOUN and following != (W.NOUN,) and is_event_noun(clauses.tokens[place].lemma)


def _not_caused(clauses: Clauses) -> Span | None:
    """The side of the effect of the one cause that a sentence denies; none where it denies none."""
    matches = [match for match in cue_table().find(clauses.tokens) if match.cue.relation == "CAUSES"]
    if len(matches) != 1 or matches[0].cue.construction != "predicate" or matches[0].cue.keeps:
        return None
    match = matches[0]
    if of_clause(clauses, (0, match.end)).polarity != "negated":
        return None
    return (match.end, len(clauses.words)) if match.cue.right == "effect" else (0, match.first)


def _causes_another(clauses: Clauses) -> bool:
    """Whether a sentence tells what the happening led to: "it" may stand for either."""
    return any(match.cue.relation == "CAUSES" and not match.cue.keeps for match in cue_table().find(clauses.tokens))


def count_of_clauses(clauses: Clauses) -> int:
    """How many groups of verbs a sentence has: "the report said the dam failed" has two."""
    groups, inside = 0, False
    for word_class in clauses.classes:
        if word_class in _OPENS_GROUP:
            groups += not inside
        inside = word_class in _OPENS_GROUP or (inside and word_class in (W.ADVERB, W.PARTICIPLE, W.INFINITIVE))
    return groups
