"""The arguments of connectives: Y because X, due to X, Y, X; therefore Y, X, killing Y."""

from __future__ import annotations

from typing import Final

from extraction.antecedents import Antecedents, Argument, Arguments, NoArguments
from language.clause_words import Span
from language.cues import CueMatch
from language.factuality import factuality_lists
from language.fronted_reasons import cleft
from language.time_nouns import time_nouns
from language.word_classes import WordClass

W = WordClass
_JOINING: Final = frozenset({"clause", "phrase"})
"""Constructions whose cues can share a main clause: "because of X and because Y"."""
_PRONOUNS: Final = frozenset(
    [
        "this",
        "that",
        "it",
        "these",
        "those",
        "which",
        "they",
        "he",
        "she",
        "them",
        "him",
        "what",
        "there",
        "we",
        "i",
        "you",
        "such",
    ]
)


class Connectives(Antecedents):
    """Finds the arguments of cues that join clauses, phrases and sentences."""

    def connective(self, match: CueMatch) -> Arguments:
        """Y because X; because X, Y; Y due to X; due to X, Y."""
        here, cue = self._here, match.cue
        split = cleft(here, match) if cue.right == "cause" else None
        if split is not None:
            return self._split(split, self._connective_group(match))
        group = self._connective_group(match)
        fronted = here.opens_clause(match.first) and cue.keeps != "left"
        shared = self._coordinated(match)
        if fronted and shared is None and cue.right == "effect" and cue.relation != "BEFORE" and match.first == 0:
            raise NoArguments("other_meaning")
        right = self._behind(match, fronted=fronted and shared is None)
        if right[0] < right[1] and all(word in _PRONOUNS for word in here.words[right[0] : right[1]]):
            return Arguments(Argument(here.clause_before(match.first)), self._pointed(right, match.first), group)
        if shared is not None:
            left = shared
        elif fronted and (
            here.words[match.first] != "," or here.classes[match.first - 1] in (W.SUBORDINATOR, W.RELATIVE)
        ):
            left = self._main_behind(right[1])
        elif cue.keeps == "left":
            left = here.clause_before(match.end - 1)
        else:
            left = here.clause_before(match.first)
        if fronted and left[0] >= left[1] and cue.relation == "BEFORE":
            left, right = self._without_comma(match, left)
        return Arguments(Argument(left), Argument(right), group)

    def _without_comma(self, match: CueMatch, left: Span) -> tuple[Span, Span]:
        """After X Y, with no comma between: Y starts at a subject behind the verb or the noun phrase of X."""
        here = self._here
        whole = here.clause_after(match.end)
        second = here.second_subject(*whole)
        if second > 0:
            return (second, whole[1]), here.trimmed(match.end, second)
        right = here.complement(match.end, fronted=True)
        if match.cue.needs_verb or not here.has_content(*right):
            return left, right
        return self._main_behind(right[1]), right

    def _behind(self, match: CueMatch, *, fronted: bool) -> Span:
        here, cue = self._here, match.cue
        if cue.construction == "phrase":
            right = here.complement(match.end, fronted=fronted)
            if cue.keeps == "right" and right[0] < right[1]:
                # "for *lack of funds*": all but the preposition.
                right = match.first + 1, right[1]
        else:
            right = here.clause_after(match.end)
            if not self._has_own_verb(right):
                if cue.needs_verb or cue.relation != "BEFORE":
                    raise NoArguments("other_meaning")
                right = here.complement(match.end, fronted=fronted)
        if cue.not_time and right[0] < right[1] and self._is_time(match.end):
            raise NoArguments("other_meaning")
        if right[0] < right[1] and not here.has_content(*right):
            words = here.words[right[0] : right[1]]
            if not all(word in _PRONOUNS for word in words):
                raise NoArguments("time_only")
        return right

    def _has_own_verb(self, span: Span) -> bool:
        """Whether a clause has a finite verb outside a relative clause: not "the storm, which was long"."""
        here = self._here
        comma = next((place for place in range(*span) if here.words[place] == ","), -1)
        if comma > 0 and not here.has_verb(span[0], comma) and here.subject_of_verb(comma + 1, span[1]):
            return False
        if here.classes[span[0] : span[0] + 1] == (W.GERUND,):
            # "because *burning coal had* spoiled it": the gerund describes the subject.
            return here.classes[span[0] + 1 : span[0] + 2] == (W.NOUN,) and here.has_verb(span[0] + 2, span[0] + 3)
        relative = next((place for place in range(*span) if here.classes[place] is W.RELATIVE), span[1])
        aside = relative > span[0] and here.words[relative - 1] == ","
        return here.has_verb(span[0], relative) or (not aside and here.has_verb(*span))

    def _is_time(self, place: int) -> bool:
        here = self._here
        if place >= len(here.classes):
            return False
        counted = {token.lemma for token in here.tokens[place + 1 : place + 2]}
        counts = here.words[place].isalpha() and counted.isdisjoint(time_nouns())
        return here.classes[place] in (W.PREPOSITION, W.ADVERB) or (here.classes[place] is W.NUMBER and not counts)

    def _connective_group(self, match: CueMatch) -> Span:
        here, start = self._here, match.first
        while start > 0 and (
            here.classes[start - 1] is W.ADVERB or (here.words[start - 1] == "," and self._hedges(start - 2))
        ):
            start -= 1
        return start, match.end

    def _hedges(self, place: int) -> bool:
        return place >= 0 and self._here.words[place] in factuality_lists().modality

    def _coordinated(self, match: CueMatch) -> Span | None:
        """The main clause of "because X and because Y" for the second of the two."""
        here = self._here
        place = match.first - 1
        while place >= 0 and here.classes[place] is W.ADVERB:
            place -= 1
        if place < 1 or here.words[place] not in ("and", "or", "but", "partly"):
            return None
        mains = [
            self._mains[other.first]
            for other in self._matches
            if other.first < match.first
            and other.first in self._mains
            and other.cue.construction in _JOINING
            and other.cue.right == match.cue.right
            and not here.has_verb(other.end, other.end)
        ]
        return mains[-1] if mains else None

    def adverb(self, match: CueMatch) -> Arguments:
        """X. As a result, Y; X and therefore Y; X, thus raising Y; X. Y therefore happened."""
        here = self._here
        split = cleft(here, match) if match.cue.right == "cause" else None
        if split is not None:
            return self._split(split, (match.first, match.end))
        right = here.clause_after(match.end)
        group = match.first, match.end
        start = match.first
        while start > 0 and here.classes[start - 1] in (W.CONJUNCTION, W.ADVERB, W.PUNCTUATION):
            start -= 1
        if start == 0:
            if match.cue.construction == "adverb" and match.cue.scope == "inside":
                raise NoArguments("no_cause_argument")
            return Arguments(self._sentence_before(), Argument(self._told(right)), group)
        if start < match.first and not here.has_verb(*right) and here.classes[match.end : match.end + 1] != (W.GERUND,):
            raise NoArguments("no_effect_argument")
        if start < match.first or here.classes[match.end : match.end + 1] == (W.GERUND,):
            left = here.clause_before(start) if start == match.first else self._before_mark(start)
            return Arguments(Argument(left), Argument(right), group)
        own = here.clause_before(match.first)
        verbless = own[0] >= own[1]
        first = here.subject(match.first)[0] if verbless else own[0]
        if not verbless and not here.has_verb(*right) and here.classes[match.first - 1] is not W.AUXILIARY:
            raise NoArguments("no_effect_argument")
        effect = here.trimmed(first, right[1])
        if here.has_verb(0, max(first - 1, 0)) and first > 0 and here.words[first - 1] in (",", ";", "and"):
            return Arguments(Argument(self._before_mark(first)), Argument(self._told(effect)), group)
        return Arguments(self._sentence_before(), Argument(self._told(effect)), group)

    def _before_mark(self, end: int) -> Span:
        """The clause before a semicolon, dash or comma."""
        here = self._here
        while end > 0 and here.classes[end - 1] is W.PUNCTUATION:
            end -= 1
        return here.clause_before(end)

    def _told(self, span: Span) -> Span:
        if not self._here.has_content(*span):
            return span[0], span[0]
        return span

    def participle(self, match: CueMatch) -> Arguments:
        """X, killing Y: the participle is the effect."""
        here = self._here
        right = here.complement(match.end)
        self._require_name(here, right)
        if match.cue.right == "effect" and self._is_ruled(right):
            raise NoArguments("not_a_verb")
        return Arguments(
            Argument(here.clause_before(match.first)), Argument((match.end - 1, right[1])), (match.first, match.end)
        )

    def _is_ruled(self, span: Span) -> bool:
        """Whether a participle only modifies the subject of a verb: "*blocking* posts must not be moved"."""
        here = self._here
        verb = next((place for place in range(*span) if here.classes[place] in (W.AUXILIARY, W.MODAL)), -1)
        return verb >= 0 and here.subject_of_verb(span[0], verb + 1)
