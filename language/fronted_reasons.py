"""Reasons in front of what they explain, with no comma between: clefts and inversions."""

from __future__ import annotations

from typing import Final

from language.clause_words import Span
from language.clauses import Clauses
from language.cues import CueMatch
from language.word_classes import DO, WordClass

_AUXILIARY: Final = frozenset({WordClass.AUXILIARY, WordClass.MODAL})
_TAKE_THAT: Final = frozenset(
    {"fact", "claim", "idea", "belief", "way", "extent", "report", "reports", "rumour", "rumor", "suspicion", "view"}
    | {"fear", "fears", "concern", "concerns", "news", "hope", "assumption", "point", "possibility", "evidence", "so"}
)
"""Words that a clause with "that" may belong to."""
_SUBJECT: Final = frozenset({WordClass.DETERMINER, WordClass.NOUN, WordClass.PRONOUN, WordClass.NUMBER})


def cleft(clauses: Clauses, match: CueMatch) -> tuple[Span, Span] | None:
    """Effect and cause of "it was because of ice that the gate jammed"; none where it is no such sentence."""
    place = match.first
    if clauses.words[place] != "it":
        place -= 1
        while place >= 0 and (clauses.is_be(place) or clauses.classes[place] is WordClass.ADVERB):
            place -= 1
        bare = place + 1 == match.first and not clauses.is_be(match.first)
        if place < 0 or clauses.words[place] != "it" or bare:
            return None
    count = len(clauses.words)
    for that in range(match.end + 1, count - 1):
        if clauses.is_hard(that) or clauses.words[that] in _TAKE_THAT:
            return None
        if clauses.words[that] == "that" and clauses.has_verb(that + 1, count):
            clause = clauses.has_verb(match.end, that)
            if clause is (match.text.endswith("because") or match.cue.construction == "clause"):
                return (that + 1, count), (match.end, that)
    return None


def inverted(clauses: Clauses, match: CueMatch) -> tuple[Span, Span] | None:
    """Effect and cause of "only because the valve had rusted did the tank leak"; none where it is no such sentence."""
    if clauses.words[: match.first] != ["only"] or match.cue.construction not in ("clause", "phrase"):
        return None
    count = len(clauses.words)
    turned = [
        place
        for place in range(match.end + 1, count - 1)
        if clauses.classes[place] in _AUXILIARY
        and clauses.classes[place + 1] in _SUBJECT
        and clauses.has_verb(match.end, place) is (match.cue.construction == "clause")
    ]
    turned = [place for place in turned if clauses.words[place] in DO] or turned
    return ((turned[-1], count), (match.end, turned[-1])) if turned else None
