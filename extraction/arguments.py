"""The two arguments of a cue: which words name the cause and which the effect, by its construction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from extraction.antecedents import Argument, Arguments, NoArguments
from extraction.connectives import Connectives
from extraction.nominals import Nominals
from extraction.predicates import Predicates
from language.clause_words import Span
from language.contrasts import Contrast, contrasts
from language.corrections import corrected
from language.cues import CueMatch
from language.none_of_them import none_of_them


class ArgumentFinder(Predicates, Nominals, Connectives):
    """Finds the arguments of the cues of one sentence, cue by cue from left to right."""

    def find(self, match: CueMatch) -> list[Arguments]:
        """The arguments of one cue; two pairs for "not X but Y" and "because X and Y".

        Raises:
            NoArguments: there are no two arguments, or what looks like a cue means something else.
        """
        self._here.holds = frozenset(
            place
            for other in self._matches
            if other is not match
            and other.cue.construction in ("clause", "phrase", "adverb")
            and not other.cue.cause_in
            for place in range(other.first, other.end)
        ) | frozenset(self._fronted)
        found = _CONSTRUCTIONS[match.cue.construction](self, match)
        leads_up = match.cue.relation == "BEFORE" and match.cue.construction == "predicate" and not found.left.before
        if leads_up and self._names_time(found.left.span):
            raise NoArguments("time_only")
        for argument, role in ((found.left, match.cue.left), (found.right, match.cue.right)):
            if argument.span[0] >= argument.span[1]:
                raise NoArguments(f"no_{role}_argument")
        if match.cue.construction in ("clause", "phrase") and found.right.span[1] <= found.left.span[0]:
            self._fronted.update(range(match.first, found.right.span[1]))
        if not found.left.before:
            self._mains[match.first] = found.left.span
        if match.cue.construction == "predicate" and match.cue.right == "effect":
            self._effects[match.first] = found.right.span
        denied = none_of_them(self._here, match)
        if denied:
            return [replace(found, right=Argument(self._here.trimmed(*span)), denied=True) for span in denied]
        return [*self._contrasted(found), *self._second_reason(match, found)]

    def _second_reason(self, match: CueMatch, found: Arguments) -> list[Arguments]:
        """Y of "because X and Y", where both are clauses."""
        here, end = self._here, found.right.span[1]
        if match.cue.construction != "clause" or match.cue.right != "cause" or match.cue.relation == "BEFORE":
            return []
        if here.words[end : end + 1] != ["and"] or end + 1 in here.stops or not here.has_verb(*found.right.span):
            return []
        second = here.clause_after(end + 1)
        if not here.has_verb(*second) or found.left.span[0] >= second[0]:
            return []
        return [Arguments(found.left, Argument(second), found.group, found.modality)]

    def _contrasted(self, found: Arguments) -> list[Arguments]:
        """Parts "was not X but Y" and "X rather than Y" into the denied and the asserted pair."""
        here = self._here
        apart = self._set_apart(found)
        if apart:
            return apart
        after = found.right if found.right.span[0] >= found.group[1] else found.left
        if after.before:
            return [found]
        start, end = after.span
        but = next((place for place in range(start, end) if here.words[place] == "but"), -1)
        excluded = [one for one in corrected(here.sentence).excluded if start <= one[0] < but] if but >= 0 else []
        if excluded and after is found.right:
            # The rest of the sentence is read without what it corrects.
            return [replace(found, right=Argument(here.trimmed(*span)), denied=True) for span in excluded]
        if but < 0 or here.words[found.group[1] - 1] not in ("not", "n't"):
            return [found]
        pairs = []
        for span, group in ((here.trimmed(start, but), found.group), (here.trimmed(but + 1, end), (but, but + 1))):
            part = Argument(span)
            left, right = (found.left, part) if after is found.right else (part, found.right)
            if span[0] < span[1]:
                pairs.append(Arguments(left, right, group, found.modality))
        return pairs

    def _set_apart(self, found: Arguments) -> list[Arguments]:
        """The pair without what the sentence sets against an argument, and the denied pairs of that; none without."""
        here = self._here
        sides = {"left": found.left, "right": found.right}
        kept, denied = dict(sides), []
        for contrast in contrasts(here):
            side = next((name for name, one in sides.items() if self._belongs(contrast, one, found.group)), None)
            if side is None:
                continue
            start, end = kept[side].span
            span = here.trimmed(start, min(end, contrast.whole[0]))
            apart = Argument(here.trimmed(*contrast.excluded))
            denied.append(
                replace(found, left=apart, denied=True) if side == "left" else replace(found, right=apart, denied=True)
            )
            if span[0] < span[1]:
                kept[side] = Argument(span)
        return [replace(found, left=kept["left"], right=kept["right"]), *denied] if denied else []

    def _belongs(self, contrast: Contrast, argument: Argument, group: Span) -> bool:
        """Whether a phrase is set against an argument: inside of it or right behind it, on its side of the cue."""
        if argument.before:
            return False
        (start, end), (first, last) = argument.span, contrast.whole
        same_side = last <= group[0] if end <= group[0] else first >= group[1]
        return same_side and start < first <= end


_CONSTRUCTIONS: Final[dict[str, Callable[[ArgumentFinder, CueMatch], Arguments]]] = {
    "predicate": ArgumentFinder.predicate,
    "clause": ArgumentFinder.connective,
    "phrase": ArgumentFinder.connective,
    "adverb": ArgumentFinder.adverb,
    "noun": ArgumentFinder.noun,
    "participle": ArgumentFinder.participle,
}
