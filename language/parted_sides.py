"""The two sides of a verb that both stand behind it, parted by a preposition: "traced *the leak* to *a valve*"."""

from __future__ import annotations

from typing import Final

from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.cues import CueMatch
from language.word_classes import WordClass

W = WordClass
_PARTING: Final = frozenset({"to", "on", "for"})
_NEGATORS: Final = frozenset({"not", "n't", "never", "hardly", "nor", "neither", "cannot"})


def parted_sides(clauses: Clauses, match: CueMatch) -> tuple[Span, Span] | None:
    """The spans before and behind the preposition of a cue.

    Returns:
        None where another preposition or a clause comes first, as in "blamed the fire *for* the losses on Monday", or
        where the verb is a passive one, which has one of its sides before it. None also where it is denied: who does
        not trace the leak to the valve does not deny that it came from there.
    """
    words, classes = clauses.words, clauses.classes
    first = clauses.group_start(match.first)
    group = words[first : match.first]
    if any(map(clauses.is_be, range(first, match.first))) or not {"being", "been", "get", "got"}.isdisjoint(group):
        return None
    if not _NEGATORS.isdisjoint(group):
        return None
    # What is traced, or attributed, may have a place: "the decline *on* Bell Road to a lower limit".
    parting = {match.cue.through} if match.cue.through == "to" else _PARTING
    for place in range(match.end, len(words)):
        if words[place] in parting:
            infinitive = classes[place + 1 : place + 2] == (W.INFINITIVE,)
            if words[place] != match.cue.through or infinitive:
                return None
            end = place
            while end > match.end and classes[end - 1] is W.ADVERB:
                end -= 1
            left = clauses.trimmed(match.end, end) if end > match.end else _described(clauses, match.first)
            return left, clauses.complement(place + 1)
        if classes[place] in VERBAL | {W.RELATIVE, W.SUBORDINATOR} or clauses.is_hard(place) or words[place] == ",":
            return None
    return None


def _described(clauses: Clauses, verb: int) -> Span:
    """What a relative clause with its own subject is about: the collapse, of "the collapse, *which they blame* on"."""
    relative = clauses.subject(verb)[0] - 1
    if relative < 1 or clauses.classes[relative] is not W.RELATIVE:
        return verb, verb
    return clauses.noun_phrase_before(relative - (clauses.words[relative - 1] == ","))
