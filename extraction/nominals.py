"""The arguments of nouns: the cause of Y was X, X was the cause of Y, X was named as the cause of Y."""

from __future__ import annotations

from typing import Final

from extraction.antecedents import Antecedents, Argument, Arguments, NoArguments
from language.clause_words import Span
from language.cue_heads import UNKNOWN, clause_behind
from language.cues import CueMatch
from language.factuality import factuality_lists, of_noun
from language.labels import colon_behind_cause
from language.word_classes import WordClass

W = WordClass
_FULL_VERBS: Final = frozenset({W.FINITE, W.PARTICIPLE, W.INFINITIVE, W.GERUND})


class Nominals(Antecedents):
    """Finds the arguments of cues that are nouns."""

    def noun(self, match: CueMatch) -> Arguments:
        """The cause of Y was X; X was the cause of Y; X was identified as the cause of Y."""
        here = self._here
        behind = clause_behind(match)
        reason = None if behind is None else here.reason_clause(behind)
        if behind is not None and behind < match.end and reason is None:
            raise NoArguments("no_copula")
        right = here.complement(match.end, fronted=True) if reason is None else reason
        if right[0] >= right[1]:
            right = here.clause_after(match.end)
        self._require_name(here, right)
        start = here.noun_group(match.first, factuality_lists().modality)
        if start > 0 and here.is_be(start - 1):
            group = (here.verb_group(start - 1, factuality_lists().raising), match.end)
            return Arguments(self._pointed(here.subject(group[0]), group[0]), Argument(right), group)
        if start > 1 and here.words[start - 1] == "as":
            return self._named(match, start, right)
        colon = colon_behind_cause(here.sentence, match.end)
        if colon is not None:
            left = here.clause_after(colon + 1)
            return Arguments(Argument(left), Argument(right), (start, match.end), of_noun(here, (start, match.first)))
        copula = right[1]
        while (
            copula < len(here.words) and copula <= right[1] + 2 and here.classes[copula] not in (W.AUXILIARY, W.MODAL)
        ):
            copula += 1
        return self._across_copula(copula, right, of_noun(here, (start, match.first)))

    def _across_copula(self, copula: int, right: Span, modality: str) -> Arguments:
        here = self._here
        end = copula
        while end < len(here.words) and here.classes[end] in (W.AUXILIARY, W.MODAL, W.ADVERB, W.INFINITIVE):
            end += 1
        if end == copula or not any(here.is_be(place) for place in range(copula, end)):
            raise NoArguments("no_copula")
        if (
            end < len(here.words)
            and here.classes[end] in (W.PARTICIPLE, W.FINITE)
            and here.words[end + 1 : end + 3]
            in (
                ["to", "be"],
                ["to", "have"],
            )
        ):
            end += 4 if here.words[end + 2] == "have" else 3
        elif end < len(here.words) and (here.words[end] in UNKNOWN or here.words[end - 1] in UNKNOWN):
            raise NoArguments("unknown_cause")
        if here.classes[end : end + 1] == (W.PARTICIPLE,) and not self._modifies(end):
            raise NoArguments("unknown_cause")
        if here.words[end : end + 1] == ["because"]:
            end += 1
        left = here.clause_after(end) if here.words[end : end + 1] == ["that"] else here.complement(end)
        self._require_name(here, left)
        return Arguments(Argument(left), Argument(right), (copula, end), modality)

    def _modifies(self, place: int) -> bool:
        """Whether a participle stands before its noun, "was *increased* stress": "was recorded" is a passive."""
        following = self._here.classes[place + 1 : place + 2]
        return following in ((W.NOUN,), (W.ADJECTIVE,))

    def _named(self, match: CueMatch, start: int, right: Span) -> Arguments:
        here = self._here
        verb = start - 2
        denials = factuality_lists().denials | factuality_lists().dismissals
        while verb >= 0 and here.classes[verb] not in _FULL_VERBS and here.words[verb] not in denials:
            verb -= 1
        if verb < 0:
            raise NoArguments("no_copula")
        if here.words[verb + 1] == "out":
            if verb + 2 < start - 1:
                return Arguments(Argument(here.trimmed(verb + 2, start - 1)), Argument(right), (verb, match.end))
            start = verb + 2
        if verb == start - 2:
            group = here.verb_group(verb, frozenset()), match.end
            return Arguments(self._pointed(here.subject(group[0]), group[0]), Argument(right), group)
        return Arguments(Argument(here.trimmed(verb + 1, start - 1)), Argument(right), (verb, match.end))
