"""What the arguments of a cue are, and how a pronoun or a shared clause is resolved to one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from language.clause_words import Span
from language.clauses import Clauses
from language.cues import CueMatch, cue_table
from language.labels import behind_label
from language.pointed_happenings import pointed_happening, points_back
from language.word_classes import WordClass

W = WordClass
_PRONOUNS: Final = frozenset(
    {"this", "that", "it", "these", "those", "which", "they", "he", "she", "them", "him", "what", "there", "we", "i"}
)
_POINTERS: Final = frozenset({"this", "that", "it", "these", "those", "which"})


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: a span of tokens in the sentence of the cue, or in the one before it."""

    span: Span
    before: bool = False


@dataclass(frozen=True, slots=True)
class Arguments:
    """Both arguments of a cue.

    Attributes:
        left, right: As the cue table means them.
        group: The words that carry the relation, with auxiliaries and adverbs: where factuality is told.
        modality: What the construction itself says: `planned` for a purpose.
        denied: True for what the sentence sets against the real cause ("rather than by the weather").
    """

    left: Argument
    right: Argument
    group: Span
    modality: str = "actual"
    denied: bool = False


class NoArguments(Exception):
    """A cue without two arguments; `reason` is the name under which the rejection is counted."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _told_in(before: Clauses) -> Span:
    """What a sentence tells; of a heading all, and of a line with a label what stands behind it."""
    if not before.sentence.prose:
        return before.trimmed(0, len(before.words))
    start = behind_label(before.sentence)
    return before.clause_after(start) if start else before.main_clause()


def _is_reduced(here: Clauses, place: int) -> bool:
    """Whether a participle starts here that stands for a clause: a fire *caused* by a leak; not: has *caused* it."""
    before = place - 1
    while before >= 0 and here.classes[before] is W.ADVERB:
        before -= 1
    carried = before >= 0 and here.classes[before] in (W.AUXILIARY, W.MODAL)
    return here.classes[place] in (W.PARTICIPLE, W.GERUND) and not carried


class Antecedents:
    """One sentence with its cues, the way to the sentence before it, and the arguments found so far."""

    def __init__(self, here: Clauses, previous: Callable[[], Clauses | None], matches: Sequence[CueMatch]) -> None:
        """Takes the sentence, the way to the adjacent sentence before it, and the cues found in it, left to right."""
        self._here = here
        self._previous = previous
        self._matches = matches
        self._mains: dict[int, Span] = {}
        self._effects: dict[int, Span] = {}
        self._fronted: set[int] = set()
        here.stops = frozenset(
            match.first
            for match in matches
            # "because its float was jammed by ice": what does not cut the clause may be all of a reason.
            if not match.cue.cause_in and (match.cue.construction != "predicate" or _is_reduced(here, match.first))
        )

        here.reasons = frozenset(
            match.first
            for match in matches
            if match.cue.right == "cause" and match.cue.construction in ("clause", "phrase")
        )

    def _split(self, sides: tuple[Span, Span], group: Span) -> Arguments:
        """The sides of "it was because of X that Y"."""
        effect, cause = self._here.clause_after(sides[0][0]), self._here.trimmed(*sides[1])
        return Arguments(Argument(effect), Argument(cause), group)

    def _outcome(self, span: Span) -> Span:
        """What a clause ends in: Y of "X caused Y", so that ", which led to Z" goes on from Y."""
        inside = [effect for first, effect in sorted(self._effects.items()) if span[0] <= first < span[1]]
        return inside[-1] if inside else span

    def _pointed(self, span: Span, start: int, match: CueMatch | None = None) -> Argument:
        """Resolves a subject that is only a pronoun to the clause before it, in this sentence or the one before.

        Where a cue says what "it" was caused by, it is the happening that the sentence before is about, if that is one.
        """
        here = self._here
        previous = self._previous() if match is not None and points_back(here, match) else None
        happening = None if previous is None else pointed_happening(previous)
        if happening is not None:
            return Argument(happening, before=True)
        words = here.words[span[0] : span[1]]
        if not words or any(word not in _PRONOUNS for word in words):
            return Argument(span)
        if words[-1] not in _POINTERS:
            raise NoArguments("pronoun_without_antecedent")
        if span[0] and here.words[span[0] - 1] == "that":
            return self._sentence_before()
        if here.opens_clause(span[0]) and not here.has_verb(0, span[0]):
            return self._sentence_before()
        clause = here.clause_before(span[0])
        if clause[0] >= clause[1]:
            raise NoArguments("pronoun_without_antecedent")
        return Argument(self._outcome(clause))

    def _sentence_before(self) -> Argument:
        previous = self._previous()
        if previous is None:
            raise NoArguments("pronoun_without_antecedent")
        span = _told_in(previous)
        if span[0] >= span[1] or previous.words[-1] == "?":
            raise NoArguments("pronoun_without_antecedent")
        for match in cue_table().find(previous.tokens):
            if (
                match.cue.construction == "predicate"
                and match.cue.right == "effect"
                and span[0] <= match.first < span[1]
            ):
                effect = previous.complement(match.end)
                if previous.has_content(*effect):
                    # "destroyed the hall": the hall alone is a thing and does not happen.
                    start = match.first if match.cue.keeps == "right" else effect[0]
                    return Argument((start, effect[1]), before=True)
        return Argument(span, before=True)

    def _main_behind(self, end: int) -> Span:
        """The main clause after a fronted clause or phrase that ends about here."""
        here = self._here
        place = end
        while place < len(here.words) and place <= end + 2 and here.words[place] != ",":
            place += 1
        comma = place < len(here.words) and here.words[place] == ","
        span = here.clause_after(place + 1 if comma else end)
        return span if here.has_verb(*span) else (span[0], span[0])

    def _require_name(self, here: Clauses, span: Span) -> None:
        words = here.words[span[0] : span[1]]
        if words and all(word in _PRONOUNS for word in words):
            raise NoArguments("pronoun_without_antecedent")
