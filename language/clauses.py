"""Bounds of clauses and noun phrases around a place in a sentence, by word classes; for sentences without a parse.

All spans are pairs of token indexes, end exclusive. A span is empty (`start == end`) where nothing fits.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from language.lemmas import is_past_or_participle
from language.tokens import Sentence
from language.word_classes import BE, WordClass, word_classes

Span = tuple[int, int]

W = WordClass
_HARD: Final = frozenset(
    {";", ":", ".", "?", "!", "—", "–", "--", "(", ")", "[", "]", "“", "”", '"', "•", "", "|", "…", "..."}
)
_VERBAL: Final = frozenset({W.FINITE, W.AUXILIARY, W.MODAL})
_SUBJECT_START: Final = frozenset({W.DETERMINER, W.NOUN, W.PRONOUN, W.NUMBER, W.ADJECTIVE})
_SUBJECT_PRONOUNS: Final = frozenset({"he", "she", "they", "we", "i", "it", "there"})
_OPENS_CLAUSE: Final = frozenset(
    {W.SUBORDINATOR, W.RELATIVE, W.PREPOSITION, W.CONJUNCTION, W.FINITE, W.TO, W.PUNCTUATION}
)
_TEMPORAL: Final = frozenset(
    ["when", "while", "before", "after", "until", "till", "once", "where", "whilst", "whenever", "since", "as"]
)
_CONTENT_CLAUSE: Final = frozenset(["that", "whether", "how", "why", "if"])
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
_DEGREES: Final = frozenset({"too", "sufficiently", "insufficiently"})
"""Words before an adjective that carry an infinitive with it: too small to cause."""
_LINKING: Final = frozenset({"be", "been", "being", "have", "having", "help", "helps", "helped"})
"""Words of a verb group that are no finite auxiliaries."""
_LOOSE: Final = frozenset(
    {"also", "therefore", "then", "only", "possibly", "probably", "and", "likely", "not", "very", "mainly", "partly"}
    | {"perhaps", "maybe", "presumably", "potentially", "apparently", "largely", "mostly", "primarily", "even"}
)
"""Words at the end of a span that belong to the cue behind it."""
_EDGE: Final = frozenset({W.PUNCTUATION, W.CONJUNCTION, W.SUBORDINATOR})
_ADVERBIAL_OPENERS: Final = frozenset({W.PREPOSITION, W.ADVERB, W.TO})
_CONTENT: Final = frozenset({W.NOUN, W.FINITE, W.GERUND, W.INFINITIVE, W.PARTICIPLE, W.ADJECTIVE})


def _is_name(text: str) -> bool:
    return text[:1].isupper() and text.isalpha() and len(text) > 2


class Clauses:
    """The clause bounds of one sentence; `stops` are the tokens where other cues start, which no argument crosses."""

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self.tokens = sentence.tokens
        self.classes = word_classes(sentence)
        self.words = [token.lower for token in sentence.tokens]
        self.stops: frozenset[int] = frozenset()
        self.holds: frozenset[int] = frozenset()

    def has_verb(self, start: int, end: int) -> bool:
        """Whether a finite verb, an auxiliary or a modal stands in the span."""
        return any(word_class in _VERBAL for word_class in self.classes[start:end])

    def skips_text(self, start: int, end: int) -> bool:
        """Whether text that is no part of the sentence stands inside the span: the foot and head of two pages."""
        text, offset = self._sentence.text, self._sentence.start
        return any(
            text[one.end - offset : other.start - offset].strip() for one, other in pairwise(self.tokens[start:end])
        )

    def tells_past(self, start: int, end: int) -> bool:
        """Whether the span has a finite verb of the past or a perfect: what happened and no rule or habit."""
        for place, word in enumerate(self.words[start:end], start):
            if self.classes[place] is W.FINITE and is_past_or_participle(word):
                return True
            perfect = word in ("has", "have") and W.PARTICIPLE in self.classes[place + 1 : place + 4]
            if word in ("was", "were", "had", "did", "could") or perfect:
                return True
        return False

    def has_content(self, start: int, end: int) -> bool:
        """Whether the span has a word that names something: a noun, an adjective or a full verb."""
        return any(word_class in _CONTENT for word_class in self.classes[start:end])

    def is_hard(self, place: int) -> bool:
        """Whether no clause crosses this token: a stop, a semicolon, a dash, a bracket."""
        return self.classes[place] is W.PUNCTUATION and self.words[place] in _HARD

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
        start = before
        while start > 0 and not self.is_hard(start - 1):
            start -= 1
        return not self.has_verb(start, before)

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
            if word_class in _VERBAL:
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

    def _segment_start(self, place: int) -> int:
        start = place
        while start > 0 and not self.is_hard(start - 1) and self.words[start - 1] != ",":
            if self.classes[start - 1] is W.SUBORDINATOR:
                break
            start -= 1
        return start

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
            if self.classes[place] in _VERBAL or self.classes[place] in _EDGE or self.classes[place] is W.RELATIVE:
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
            elif word_class in _VERBAL:
                if found and self._reports(place):
                    break
                found = True
            elif found and word_class is W.SUBORDINATOR and not self._carries_on(place):
                break
            elif found and word_class is W.RELATIVE and word not in ("where",):
                antecedent = self.noun_phrase_before(place)
                return self.trimmed(antecedent[0] if antecedent[0] < antecedent[1] else start, end)
            elif found and (word == "," or word_class is W.CONJUNCTION) and self._starts_clause(start, end):
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

    def _starts_clause(self, start: int, end: int) -> bool:
        """Whether what starts here has a subject of its own and a finite verb."""
        place = start
        while place < end and self.classes[place] in (W.ADVERB, W.CONJUNCTION):
            place += 1
        if place >= end or (self.classes[place] not in _SUBJECT_START and self.classes[place] is not W.GERUND):
            return False
        for following in range(place, end):
            if self.classes[following] in _VERBAL:
                return True
            if self.words[following] == "," or self.classes[following] in (W.RELATIVE, W.SUBORDINATOR):
                return False
        return False

    def clause_after(self, start: int) -> Span:
        """The clause that starts at a place, up to its bound."""
        start = self._skip(start)
        end, found = start, False
        count = len(self.tokens)
        while end < count:
            word_class, word = self.classes[end], self.words[end]
            if self.is_hard(end) or (end in self.stops and end > start):
                break
            if word_class in _VERBAL:
                found = True
            elif (
                (word == "," and found and not self._resumes(end))
                or (found and word_class is W.CONJUNCTION and self._starts_clause(end + 1, count))
                or (found and word_class is W.CONJUNCTION and self._other_infinitive(start, end + 1))
                or (found and word_class is W.SUBORDINATOR and word not in _CONTENT_CLAUSE)
            ):
                break
            end += 1
        return self.trimmed(start, end)

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
        return opened and comma + 1 < len(self.tokens) and self.classes[comma + 1] in _VERBAL

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
            if word_class is W.CONJUNCTION and (self._starts_clause(end + 1, count) or self._verb_next(end + 1)):
                break
            if fronted and word_class in _VERBAL:
                end = self._last_phrase_start(start, end)
                break
            end += 1
        return self.trimmed(start, end)

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
        return place < len(self.tokens) and (self.classes[place] in _VERBAL)

    def _list_goes_on(self, comma: int) -> bool:
        place, conjunction = comma + 1, False
        while place < len(self.tokens) and place <= comma + 14:
            if self.classes[place] in _VERBAL or self.classes[place] in (W.RELATIVE, W.SUBORDINATOR):
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
        verb = next((place for place in range(start, end) if self.classes[place] in _VERBAL), end)
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

    def subject_of_verb(self, start: int, end: int) -> bool:
        """Whether a noun phrase starts here and a finite verb follows it before anything else does."""
        noun = False
        for place in range(start, end):
            word_class = self.classes[place]
            if word_class in _VERBAL:
                return noun
            if word_class in (W.RELATIVE, W.SUBORDINATOR, W.TO, W.GERUND, W.PARTICIPLE, W.CONJUNCTION, W.PUNCTUATION):
                return False
            noun = noun or word_class in (W.NOUN, W.PRONOUN)
        return False

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

    def trimmed(self, start: int, end: int) -> Span:
        """Without words at either end that name nothing: conjunctions, marks, adverbs, prepositions."""
        while start < end and (
            self.classes[start] in (W.PUNCTUATION, W.CONJUNCTION)
            or (self.classes[start] is W.ADVERB and self.words[start] not in ("not", "never"))
            or (self.classes[start] is W.SUBORDINATOR)
            or ((self.words[start] == "that" and self.classes[start] is not W.DETERMINER) and end - start > 1)
        ):
            start += 1
        while end > start and (
            self.classes[end - 1] in (W.PUNCTUATION, W.CONJUNCTION, W.SUBORDINATOR, W.RELATIVE, W.TO, W.DETERMINER)
            or (
                self.classes[end - 1] is W.PREPOSITION
                and self.words[end - 1] not in ("in", "out", "off", "up", "down", "over", "on")
            )
            or self.words[end - 1] in _LOOSE
        ):
            end -= 1
        return start, end

    def is_be(self, place: int) -> bool:
        """Whether a token is a form of "be"."""
        return self.words[place] in BE
