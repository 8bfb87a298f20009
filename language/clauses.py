"""Bounds of clauses and complements around a place in a sentence, by word classes; for sentences without a parse."""

from __future__ import annotations

from typing import Final

from language.clause_words import VERBAL, Span
from language.subjects import Subjects
from language.word_classes import WordClass

W = WordClass
_SUBJECT_START: Final = frozenset({W.DETERMINER, W.NOUN, W.PRONOUN, W.NUMBER, W.ADJECTIVE})
_SUBJECT_PRONOUNS: Final = frozenset({"he", "she", "they", "we", "i", "it", "there"})
_OPENS_CLAUSE: Final = frozenset(
    {W.SUBORDINATOR, W.RELATIVE, W.PREPOSITION, W.CONJUNCTION, W.FINITE, W.TO, W.PUNCTUATION}
)
_TEMPORAL: Final = frozenset(
    ["when", "while", "before", "after", "until", "till", "once", "where", "whilst", "whenever", "since", "as"]
)
_CONTENT_CLAUSE: Final = frozenset(["that", "whether", "how", "why", "if"])
_GIVING: Final = frozenset(["give", "cite", "name", "state", "offer", "provide", "mention", "see", "know"])
_FRONTED: Final = frozenset(["when", "once", "after", "while", "whilst", "if", "unless", "although", "though"])
_SAYING: Final = frozenset(
    [
        "say",
        "claim",
        "believe",
        "think",
        "report",
        "state",
        "add",
        "suggest",
        "know",
        "find",
        "tell",
        "argue",
        "allege",
        "fear",
        "suspect",
        "note",
        "conclude",
        "admit",
    ]
)


def _is_name(text: str) -> bool:
    return text[:1].isupper() and text.isalpha() and len(text) > 2


class Clauses(Subjects):
    """Finds the clause bounds of one sentence."""

    def opens_clause(self, place: int) -> bool:
        """Whether a clause or phrase at this place is fronted: nothing of its main clause stands before it."""
        before = place - 1
        while before >= 0 and self.classes[before] is W.ADVERB:
            before -= 1
        if before < 0 or self.is_hard(before) or self.classes[before] is W.CONJUNCTION:
            return True
        if self.classes[before] is W.SUBORDINATOR or (
            self.words[before] == "that" and self.classes[before] is W.RELATIVE
        ):
            return True
        if self.words[before] != ",":
            return False
        if before and self.classes[before - 1] in (W.CONJUNCTION, W.SUBORDINATOR):
            return True
        start = before
        while start > 0 and not self.is_hard(start - 1):
            start -= 1
        return not self.has_verb(start, before)

    def clause_before(self, end: int) -> Span:
        """The clause with a finite verb that ends before a place; empty where there is none."""
        while end > 0 and (self.words[end - 1] in (",", "-") or self.classes[end - 1] in (W.CONJUNCTION, W.ADVERB)):
            if self.classes[end - 1] is W.ADVERB and self.words[end - 1] not in (
                "only",
                "simply",
                "just",
                "not",
                "n't",
            ):
                break
            end -= 1
        start, found = end, False
        while start > 0:
            place = start - 1
            word_class, word = self.classes[place], self.words[place]
            if self.is_hard(place) or place in self.holds:
                if found or self.words[place] not in (")", '"', "”", "“", "("):
                    break
            elif word_class in VERBAL:
                if found and self._reports(place):
                    break
                found = True
            elif found and word_class is W.SUBORDINATOR and not self._carries_on(place):
                break
            elif found and word_class is W.RELATIVE and word not in ("where",):
                antecedent = self.noun_phrase_before(place)
                return self.trimmed(antecedent[0] if antecedent[0] < antecedent[1] else start, end)
            elif found and (word == "," or word_class is W.CONJUNCTION) and self.starts_clause(start, end):
                break
            start = place
        return self.trimmed(start, end) if found else (end, end)

    def _reports(self, place: int) -> bool:
        """Whether a verb of saying stands right before what is said: the pilot *said* the engine failed."""
        following = self.classes[place + 1] if place + 1 < len(self.classes) else W.PUNCTUATION
        return self.tokens[place].lemma in _SAYING and following in _SUBJECT_START

    def _carries_on(self, place: int) -> bool:
        """Whether a subordinate clause only adds a time to the main clause before it: did not slow when it came."""
        if self.words[place] not in _TEMPORAL:
            return False
        start = self._segment_start(place)
        return start < place and self.has_verb(start, place)

    def starts_clause(self, start: int, end: int) -> bool:
        """Whether what starts here has a subject of its own and a finite verb."""
        place = start
        while place < end and self.classes[place] in (W.ADVERB, W.CONJUNCTION):
            place += 1
        if self.classes[place : place + 2] == (W.PREPOSITION, W.NUMBER):
            # "and *in 2008* the levee broke"
            place += 2
        if place >= end or (self.classes[place] not in _SUBJECT_START and self.classes[place] is not W.GERUND):
            return False
        for following in range(place, end):
            if self.classes[following] in VERBAL:
                return True
            if self.words[following] == "," or self.classes[following] in (W.RELATIVE, W.SUBORDINATOR):
                return False
        return False

    def clause_after(self, start: int) -> Span:
        """The clause that starts at a place, up to its bound."""
        start = self._skip(start)
        end, found = start, False
        count = len(self.tokens)
        # "because *when it was opened*, it was empty": the clause begins with another one.
        opened = start < count and self.words[start] in _FRONTED
        while end < count:
            word_class, word = self.classes[end], self.words[end]
            if self.is_hard(end) or (end in self.stops and end > start):
                break
            if word_class in VERBAL:
                found = True
            elif word == "," and found and opened and self.subject_of_verb(end + 1, count):
                opened = found = False
            elif (
                (word == "," and found and not self._resumes(end))
                or (found and word_class is W.CONJUNCTION and self.starts_clause(end + 1, count))
                or (found and word_class is W.CONJUNCTION and self._other_infinitive(start, end + 1))
                or (found and word_class is W.CONJUNCTION and self.opens_other_case(end + 1))
                or (found and word_class is W.SUBORDINATOR and word not in _CONTENT_CLAUSE)
            ):
                break
            end += 1
        return self.trimmed(start, end)

    def reason_clause(self, start: int) -> Span | None:
        """The clause behind "the reason why", up to the "be" that gives the reason; none without such a verb."""
        for place in range(start + 1, len(self.tokens)):
            if self.is_hard(place):
                return None
            if self.is_be(place) and self.has_verb(start, place) and not self.holds_no_predicate(start, place):
                return self.trimmed(start, place)
        return None

    def holds_no_predicate(self, start: int, end: int) -> bool:
        """Whether a stretch leaves its last verb open, or what is given is its object: "the reason he *gave*"."""
        last = self.classes[end - 1]
        open_ = last in (W.RELATIVE, W.SUBORDINATOR, W.MODAL) or (last is W.AUXILIARY and not self.is_be(end - 1))
        return end > start and (open_ or self.tokens[end - 1].lemma in _GIVING)

    def _other_infinitive(self, start: int, place: int) -> bool:
        """Whether an infinitive here is coordinated with one before the clause: to stop once it is safe and *wait*."""
        infinitive = place < len(self.classes) and self.classes[place] is W.INFINITIVE
        return infinitive and W.INFINITIVE not in self.classes[start:place]

    def _resumes(self, comma: int) -> bool:
        """Whether the clause goes on after a comma: the end of a parenthesis, then its verb."""
        opened = any(
            self.words[place] == "," and self.classes[place + 1] is W.RELATIVE
            for place in range(max(comma - 12, 0), comma)
        )
        return opened and comma + 1 < len(self.tokens) and self.classes[comma + 1] in VERBAL

    def complement(self, start: int, *, fronted: bool = False) -> Span:
        """The noun phrase, infinitive or content clause that starts at a place, up to its bound."""
        start = self._skip(start)
        count = len(self.tokens)
        if start < count and self.words[start] == "that" and self.classes[start] in (W.SUBORDINATOR, W.RELATIVE):
            return self.clause_after(start + 1)
        end = start
        while end < count:
            word_class, word = self.classes[end], self.words[end]
            if self.is_hard(end) or (end in self.stops and end > start):
                break
            if word_class is W.RELATIVE or (word_class is W.SUBORDINATOR and word not in _CONTENT_CLAUSE):
                break
            if word == "," and not self._list_goes_on(end):
                break
            if word_class is W.CONJUNCTION and (self.starts_clause(end + 1, count) or self._verb_next(end + 1)):
                break
            if word_class is W.CONJUNCTION and self.opens_other_case(end + 1):
                break
            if fronted and word_class in VERBAL:
                end = self._last_phrase_start(start, end)
                break
            end += 1
        return self.trimmed(start, end)

    def opens_other_case(self, place: int) -> bool:
        """Whether another case of the same opens behind a conjunction: "because of pay *and Bob* because of stress"."""
        reason = min((one for one in self.reasons if one > place), default=-1)
        if (
            reason <= place
            or self.has_verb(place, reason)
            or self.classes[reason - 1] in (W.CONJUNCTION, W.PUNCTUATION)
        ):
            return False
        return self.has_content(place, reason)

    def _skip(self, start: int) -> int:
        while (
            start < len(self.tokens)
            and self.words[start] in (",", ":", "that")
            and (self.words[start] != "that" or self.classes[start] in (W.SUBORDINATOR, W.RELATIVE))
        ):
            start += 1
        return start

    def _verb_next(self, place: int) -> bool:
        while place < len(self.tokens) and self.classes[place] is W.ADVERB:
            place += 1
        return place < len(self.tokens) and (self.classes[place] in VERBAL)

    def _list_goes_on(self, comma: int) -> bool:
        place, conjunction = comma + 1, False
        while place < len(self.tokens) and place <= comma + 14:
            if self.classes[place] in VERBAL or self.classes[place] in (W.RELATIVE, W.SUBORDINATOR):
                return False
            if self.is_hard(place):
                break
            if self.classes[place] is W.CONJUNCTION and self.words[place] in ("and", "or"):
                conjunction = self.classes[place - 1] in (W.NOUN, W.PUNCTUATION)
            place += 1
        following = comma + 1
        return (
            conjunction and following < len(self.tokens) and self.classes[following] in (_SUBJECT_START - {W.PRONOUN})
        )

    def _last_phrase_start(self, start: int, verb: int) -> int:
        for place in range(verb - 1, start, -1):
            if self.classes[place] in (W.DETERMINER, W.PRONOUN) and self.classes[place - 1] in (W.NOUN, W.NUMBER):
                return place
        first = verb
        while first - 1 > start and self.classes[first - 1] is W.NOUN and _is_name(self.tokens[first - 1].text):
            first -= 1
        named = first < verb and self.classes[first - 1] is W.NOUN
        return first if named else verb

    def second_subject(self, start: int, end: int) -> int:
        """Where a second clause starts behind a first one with no comma between; -1 where there is none."""
        verb = next((place for place in range(start, end) if self.classes[place] in VERBAL), end)
        for place in range(start + 2, end):
            named = self.words[place] in _SUBJECT_PRONOUNS and self.classes[place - 1] in (W.NOUN, W.NUMBER)
            if place < verb + 2 and not named:
                continue
            nominal = self.words[place] in _SUBJECT_PRONOUNS or (
                self.classes[place] is W.DETERMINER
                and self.classes[place - 1] in (W.NOUN, W.NUMBER)
                and self.words[place] != "'s"
            )
            if nominal and self.classes[place - 1] not in _OPENS_CLAUSE and self.subject_of_verb(place, end):
                return place
        return -1

    def main_clause(self) -> Span:
        """The first main clause of the sentence, without fronted adverbials; empty where there is no finite verb."""
        place, count = 0, len(self.tokens)
        while place < count and self.classes[place] in (W.ADVERB, W.CONJUNCTION, W.PUNCTUATION, W.NUMBER):
            place += 1
        if place < count and self.classes[place] in (W.SUBORDINATOR, W.PREPOSITION, W.GERUND, W.PARTICIPLE, W.TO):
            comma = next((at for at in range(place, count) if self.words[at] == ","), -1)
            if comma > 0 and self.has_verb(comma + 1, count):
                place = comma + 1
        span = self.clause_after(place)
        return span if self.has_verb(*span) else (span[0], span[0])
