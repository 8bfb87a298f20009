"""The arguments of verbs: X caused Y, Y was caused by X, X, which caused Y, closed the valve to prevent Y."""

from __future__ import annotations

from typing import Final

from extraction.antecedents import Antecedents, Argument, Arguments, NoArguments
from language.clause_words import Span
from language.cues import CueMatch
from language.factuality import factuality_lists, of_clause
from language.fronted_reasons import cleft
from language.lemmas import is_third_person
from language.parted_sides import parted_sides
from language.time_nouns import stretch_nouns
from language.word_classes import BE, WordClass

W = WordClass
_SHORT: Final = frozenset({"insufficient", "inadequate", "insufficiently", "inadequately", "too"})
_FINDING: Final = frozenset(
    {"reveal", "find", "discover", "show", "identify", "detect", "uncover", "spot", "expose", "locate", "observe"}
)
"""Verbs of which the object, and not the finding of it, did what is told behind it."""
_ENOUGH: Final = frozenset({"enough", "sufficient", "sufficiently", "adequate", "adequately"})
_NOMINAL: Final = frozenset({W.NOUN, W.PRONOUN, W.NUMBER, W.RELATIVE})


class Predicates(Antecedents):
    """Finds the arguments of cues that are verbs."""

    def predicate(self, match: CueMatch) -> Arguments:
        """X caused Y; Y was caused by X; X, which caused Y; a fire caused by X; closed the valve to prevent Y."""
        here = self._here
        split = cleft(here, match) if match.cue.right == "cause" else None
        if split is not None:
            return self._split(split, (match.first, match.end))
        self._require_verb(match)
        if match.cue.through:
            return self._parted(match)
        start = here.verb_group(match.first, factuality_lists().raising)
        # The words that an argument keeps are its own when they name the happening, else the verb stands outside.
        kept = match.first if match.cue.needs_event or match.cue.keeps_verb else match.first + 1
        right = here.complement(match.end)
        if match.cue.needs_verb:
            right = here.clause_after(match.end)
            if not here.has_verb(*right):
                raise NoArguments("other_meaning")
        if (match.cue.keeps == "right" and right[0] < right[1]) or (
            match.end - match.first > 1 and match.cue.keeps == "right"
        ):
            right = kept, max(right[1], match.end)
        self._require_name(here, right)
        if match.cue.needs_event and not here.has_content(match.end, right[1]):
            raise NoArguments("no_effect_argument")
        self._require_object(match, right)
        group = (start, match.end)
        before = here.classes[start - 1] if start else W.PUNCTUATION
        own = here.classes[match.first]
        auxiliary = any(here.is_be(place) for place in range(start, match.first))
        reduced = own in (W.PARTICIPLE, W.GERUND) and not auxiliary and before is not W.PUNCTUATION
        if (reduced or (own is W.PARTICIPLE and not auxiliary) or before is W.RELATIVE) and not (
            match.cue.needs_verb or match.cue.keeps
        ):
            right = here.complement(match.end, fronted=True)
        if before is W.TO:
            return self._purpose(match, start, right)
        if before is W.RELATIVE or (before is W.PRONOUN and here.words[start - 1] == "which"):
            return Arguments(self._antecedent(start - 1), Argument(right), group)
        if own is W.GERUND and not auxiliary:
            return self._gerund(start, right, group)
        if start == 0 and own in (W.PARTICIPLE, W.GERUND):
            raise NoArguments(f"no_{match.cue.left}_argument")
        if own is W.PARTICIPLE and not auxiliary:
            return Arguments(
                Argument(here.noun_phrase_before(start) if reduced else here.clause_before(start)),
                Argument(right),
                group,
            )
        if before is W.CONJUNCTION:
            shared = self._shared_subject(match, start)
            # "may slip and cause": the modal verb of the first verb is that of the second too.
            modality = of_clause(here, shared).modality if own is W.INFINITIVE else "actual"
            return Arguments(Argument(shared), Argument(right), group, modality)
        left = here.subject(start)
        bare = (
            start < match.first and not here.has_verb(start, match.first) and here.classes[match.first] is W.INFINITIVE
        )
        if bare or (left[0] >= left[1] and before is W.PUNCTUATION):
            left = here.clause_before(start)
        return Arguments(self._pointed(left, start, match), Argument(right), group)

    def _parted(self, match: CueMatch) -> Arguments:
        """Traced Y to X, blamed X for Y: both stand behind the verb."""
        here = self._here
        sides = parted_sides(here, match)
        if sides is None:
            raise NoArguments("other_meaning")
        for side in sides:
            self._require_name(here, side)
        group = here.verb_group(match.first, factuality_lists().raising), match.end
        if here.classes[group[0] - 1 : group[0]] == (W.TO,):
            raise NoArguments("infinitive")
        return Arguments(Argument(sides[0]), Argument(sides[1]), group)

    def _require_object(self, match: CueMatch, right: Span) -> None:
        """Refuses nouns taken for verbs: "entered into *force* in June", "the *leading* wheel moved to"."""
        here, first = self._here, match.first
        object_next = match.cue.right == "effect" and match.end == first + 1 and right[0] < right[1]
        if (
            object_next
            and here.classes[match.end] is W.PREPOSITION
            and here.classes[match.end + 1 : match.end + 2] != (W.NUMBER,)
        ):
            raise NoArguments("not_a_verb")
        if match.cue.causative and here.words[match.end - 1] == "to":
            following = here.classes[match.end : match.end + 1]
            if following != (W.INFINITIVE,) or here.classes[first - 1 : first] == (W.ADJECTIVE,):
                raise NoArguments("not_a_verb")

    def _names_time(self, span: Span) -> bool:
        """Whether a noun phrase only says when: "the week" of "the week leading up to the strike"."""
        here, noun, times = self._here, -1, stretch_nouns()
        for place in range(*span):
            if here.classes[place] is W.NOUN:
                noun = place
            elif noun >= 0 and (here.words[place] != "of" or here.tokens[noun].lemma not in times):
                break
        return noun >= 0 and here.tokens[noun].lemma in times

    def _require_verb(self, match: CueMatch) -> None:
        here, first = self._here, match.first
        own = here.classes[first]
        before = here.classes[first - 1] if first else W.PUNCTUATION
        if own in (W.NOUN, W.ADJECTIVE, W.DETERMINER):
            plural = first > 0 and here.words[first - 1].endswith("s") and own is W.NOUN
            following = here.classes[match.end] if match.end < len(here.classes) else W.PUNCTUATION
            verbal = before in _NOMINAL and following not in (W.PREPOSITION, W.PUNCTUATION, W.AUXILIARY)
            if here.tokens[first].text[:1].isupper() and first > 0:
                raise NoArguments("not_a_verb")
            if not (verbal and (is_third_person(here.words[first]) or plural)):
                raise NoArguments("not_a_verb")
        if own in (W.PARTICIPLE, W.FINITE) and match.cue.right == "effect" and here.words[first] not in BE:
            place = first - 1
            while place >= 0 and here.classes[place] is W.ADVERB:
                place -= 1
            if place >= 0 and here.words[place] in (*BE, "being", "been", "get", "got"):
                raise NoArguments("passive_without_agent")
            if own is W.PARTICIPLE and before not in (W.AUXILIARY, W.ADVERB, W.INFINITIVE):
                raise NoArguments("not_a_verb")

    def _purpose(self, match: CueMatch, start: int, right: Span) -> Arguments:
        here = self._here
        if match.cue.needs_event:
            raise NoArguments("infinitive")
        governor = here.tokens[start - 2] if start >= 2 else None
        if governor is not None and governor.lemma in factuality_lists().infinitive_nouns:
            raise NoArguments("infinitive")
        group = (start - 1, match.end)
        left = self._main_behind(right[1]) if here.opens_clause(start - 1) else here.clause_before(start - 1)
        short = self._falls_short(left)
        return Arguments(Argument(left), Argument(right), group, "actual" if short else "planned", denied=short)

    def _falls_short(self, span: Span) -> bool:
        """Whether a clause says that something was not enough for what its infinitive names: "too low to avoid it"."""
        words = self._here.words[span[0] : span[1]]
        lacking = not _SHORT.isdisjoint(words)
        enough = next((place for place, word in enumerate(words) if word in _ENOUGH), -1)
        return lacking or (enough >= 0 and not {"not", "n't", "never"}.isdisjoint(words[:enough]))

    def _gerund(self, start: int, right: Span, group: Span) -> Arguments:
        here = self._here
        before = here.classes[start - 1] if start else W.PUNCTUATION
        if before is W.PREPOSITION:
            if here.words[start - 1] != "without":
                raise NoArguments("gerund_after_preposition")
            return Arguments(Argument(here.clause_before(start - 1)), Argument(right), (start - 1, group[1]))
        if before is W.CONJUNCTION:
            # "killing the pilot and injuring two others": both have what stands before the first.
            listed = [
                other.first
                for other in self._matches
                if other.first < start and other.first in self._mains and here.classes[other.end - 1] is W.GERUND
            ]
            if listed:
                return Arguments(Argument(self._mains[listed[-1]]), Argument(right), group)
        if before is W.NOUN:
            return Arguments(Argument(here.noun_phrase_before(start)), Argument(right), group)
        return Arguments(Argument(self._outcome(here.clause_before(start))), Argument(right), group)

    def _antecedent(self, relative: int) -> Argument:
        """What a relative pronoun stands for: the noun phrase before it, or, behind a comma, the clause.

        Of what somebody found it is the thing: "revealed *a broken ring*, which had caused it".
        """
        here = self._here
        place = relative
        while place > 0 and here.classes[place - 1] is W.PREPOSITION:
            place -= 1
        if place == relative and here.words[relative] == "which" and relative and here.words[relative - 1] == ",":
            clause = here.clause_before(relative - 1)
            finds = any(
                here.classes[at] is W.FINITE and here.tokens[at].lemma in _FINDING and not here.is_be(at - 1)
                for at in range(max(clause[0], 1), clause[1])
            )
            if clause[0] < clause[1] and not finds:
                return Argument(self._outcome(clause))
        return Argument(here.noun_phrase_before(place))

    def _shared_subject(self, match: CueMatch, start: int) -> Span:
        """The subject that two verbs share: of an earlier cue when that is the first verb, else its whole clause."""
        here = self._here
        clause = here.clause_before(start - 1)
        for other in self._matches:
            if (
                other.cue.construction == "predicate"
                and clause[0] <= other.first < clause[1]
                and other.first < match.first
            ):
                return self._mains.get(other.first, (0, 0))
        verb = next((place for place in range(*clause) if here.classes[place] in (W.FINITE, W.AUXILIARY, W.MODAL)), -1)
        states = verb >= 0 and here.is_be(verb) and W.PARTICIPLE not in here.classes[verb + 1 : verb + 3]
        return here.subject(verb) if states else clause
