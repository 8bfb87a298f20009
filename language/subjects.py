"""The verb group that ends at a verb, its subject, and the noun phrase before a relative pronoun; by word classes."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from language.clause_words import VERBAL, ClauseWords, Span
from language.word_classes import WordClass

W = WordClass
_DEGREES: Final = frozenset({"too", "sufficiently", "insufficiently"})
"""Words before an adjective that carry an infinitive with it: too small to cause."""
_LINKING: Final = frozenset({"be", "been", "being", "have", "having", "help", "helps", "helped"})
"""Words of a verb group that are no finite auxiliaries."""
_BEFORE_NOUN: Final = frozenset({W.DETERMINER, W.ADJECTIVE, W.ADVERB, W.NUMBER})
_MODIFIERS: Final = frozenset(
    {"root", "of", "main", "contributing", "proximate", "causal", "underlying", "single", "primary"}
)
"""Words before "cause" and the like that are no adjectives to the word classes."""
_BETWEEN: Final = frozenset({W.NOUN, W.ADJECTIVE, W.ADVERB, W.CONJUNCTION})
"""What may stand between a hedge and the noun that it hedges."""
_EDGE: Final = frozenset({W.PUNCTUATION, W.CONJUNCTION, W.SUBORDINATOR})


class Subjects(ClauseWords):
    """Finds the verb groups, subjects and noun phrases of one sentence."""

    def group_start(self, verb: int) -> int:
        """First of the auxiliaries, modals and adverbs right before a verb; the verb itself where there is none."""
        start = verb
        while start > 0 and self.classes[start - 1] in (W.ADVERB, W.AUXILIARY, W.MODAL):
            start -= 1
        return start

    def verb_group(self, place: int, raising: frozenset[str]) -> int:
        """First token of the verb group that ends at `place`: auxiliaries, adverbs and raising words belong to it."""
        start = place
        while start > 0:
            word, word_class = self.words[start - 1], self.classes[start - 1]
            if word_class in (W.ADVERB, W.AUXILIARY, W.MODAL) or word in _LINKING:
                start -= 1
            elif word_class is W.TO and start > 1 and self._degree(start - 2) >= 0:
                start = self._degree(start - 2)
            elif word_class is W.TO and start > 1 and self._raises(self._before_adverbs(start - 2), raising):
                start = self._before_adverbs(start - 2)
            elif self.words[max(start - 2, 0) : start] == ["in", "turn"]:
                start -= 2
            else:
                break
        while (
            start < place
            and self.classes[start] is W.ADVERB
            and start + 1 < place
            and self.classes[start + 1] is W.ADVERB
        ):
            start += 1
        return start

    def noun_group(self, place: int, hedges: Container[str]) -> int:
        """First token of the noun phrase whose noun is at `place`: determiner, adjectives and hedging words."""
        start = place
        while start > 0 and (
            self.classes[start - 1] in _BEFORE_NOUN
            or self.words[start - 1] in _MODIFIERS
            or self._is_hedge(start - 1, hedges)
            or self._follows_hedge(start - 1, hedges)
        ):
            start -= 1
        return start

    def _is_hedge(self, place: int, hedges: Container[str]) -> bool:
        return self.words[place] in hedges and self.classes[place] not in VERBAL

    def _follows_hedge(self, place: int, hedges: Container[str]) -> bool:
        """Whether a word stands between a hedge and its noun: a possible *but minor* cause, a likely *fire* cause."""
        if self.classes[place + 1] is W.DETERMINER:
            return False
        while place >= 0 and (self.classes[place] in _BETWEEN or self.words[place] == ","):
            if self._is_hedge(place, hedges):
                return True
            place -= 1
        return False

    def _degree(self, place: int) -> int:
        """First token of "severe enough" or "too small" that ends here behind a form of "be"; -1 if there is none."""
        first = place - 1
        if first < 1 or (self.words[place] != "enough" and self.words[first] not in _DEGREES):
            return -1
        before = first - 1
        while before > 0 and self.classes[before] is W.ADVERB:
            before -= 1
        return first if self.is_be(before) else -1

    def _before_adverbs(self, place: int) -> int:
        while (
            place > 0
            and self.classes[place] is W.ADVERB
            and self.words[place] in ("not", "n't", "never", "also", "then")
        ):
            place -= 1
        return place

    def _raises(self, place: int, raising: frozenset[str]) -> bool:
        return (
            self.words[place] in raising
            or self.tokens[place].lemma in raising
            or self.classes[place] in (W.AUXILIARY, W.MODAL)
        )

    def subject(self, end: int) -> Span:
        """The noun phrase that ends before a verb group: from the last clause bound, relative clauses inside it."""
        end = self._before_parenthesis(end)
        start = end
        while start > 0:
            place = start - 1
            word_class = self.classes[place]
            if self.is_hard(place) or place in self.holds:
                break
            if word_class in VERBAL:
                relative = self._relative_before(place)
                if relative <= 0:
                    break
                start = relative - 1 if self.words[relative - 1] == "," else relative
                continue
            if word_class in (W.SUBORDINATOR, W.RELATIVE):
                break
            if self.words[place] == "," and not self._lists(place, end):
                break
            if word_class is W.CONJUNCTION and self.has_verb(self._segment_start(place), place):
                break
            start = place
        return self.trimmed(*self._without_adverbial(start, end))

    def _before_parenthesis(self, end: int) -> int:
        """Steps back over ", which was old," or "(G7)" between a subject and its verb."""
        if end <= 0:
            return end
        if self.words[end - 1] == ")":
            place = end - 1
            while place > 0 and self.words[place] != "(":
                place -= 1
            return place if place > 0 else end
        if self.words[end - 1] != ",":
            return end
        place = end - 2
        while place > 0 and self.words[place] != "," and not self.is_hard(place):
            place -= 1
        return place if place > 0 and self.words[place] == "," else end - 1

    def _relative_before(self, place: int) -> int:
        """Place of the relative pronoun that opens the clause of a verb; -1 where it is a main verb."""
        for before in range(place - 1, -1, -1):
            word_class = self.classes[before]
            if word_class is W.RELATIVE:
                return before
            if word_class in _EDGE:
                return -1
        return -1

    def _lists(self, comma: int, end: int) -> bool:
        """Whether a comma only separates the members of a list of noun phrases that ends before `end`."""
        if self.has_verb(comma + 1, end) or self.classes[comma - 1] not in (W.NOUN, W.NUMBER, W.GERUND):
            return False
        start = self._segment_start(comma)
        if self.has_verb(start, comma) or self.classes[start] in (W.PREPOSITION, W.ADVERB, W.TO):
            return False
        return any(
            self.classes[place] is W.CONJUNCTION and self.words[place] in ("and", "or")
            for place in range(comma + 1, end)
        )

    def _without_adverbial(self, start: int, end: int) -> Span:
        """Drops "in 2012" or "at the time" before "the pump"."""
        if start < end and self.classes[start] in (W.PREPOSITION, W.SUBORDINATOR):
            for place in range(start + 2, end):
                after_noun = self.classes[place - 1] in (W.NOUN, W.NUMBER)
                if after_noun and self.classes[place] in (W.DETERMINER, W.PRONOUN) and self.words[place] != "'s":
                    return place, end
        return start, end

    def noun_phrase_before(self, end: int) -> Span:
        """The noun phrase that ends right before a place, for a relative clause or participle after it."""
        if end > 0 and self.words[end - 1] == ",":
            end -= 1
        start = end
        while start > 0:
            place = start - 1
            if self.classes[place] in VERBAL or self.classes[place] in _EDGE or self.classes[place] is W.RELATIVE:
                break
            if self.classes[place] in (W.GERUND, W.INFINITIVE, W.TO, W.PRONOUN) or place in self.holds:
                break
            if self.classes[place] is W.PREPOSITION and self.words[place] != "of":
                behind = place - 1
                if behind < 0 or self.classes[behind] is not W.NOUN:
                    break
            if self.classes[place] is W.PARTICIPLE:
                break
            start = place
        return self.trimmed(start, end)
