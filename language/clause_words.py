"""The words of a sentence with their classes, and what a span of them holds; for sentences without a parse.

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
VERBAL: Final = frozenset({W.FINITE, W.AUXILIARY, W.MODAL})
"""The classes that make a clause of a span: a finite verb, an auxiliary or a modal."""
_HARD: Final = frozenset(
    {";", ":", ".", "?", "!", "—", "–", "--", "(", ")", "[", "]", "“", "”", '"', "•", "", "|", "…", "..."}
)
_LOOSE: Final = frozenset(
    {"also", "therefore", "then", "only", "possibly", "probably", "and", "likely", "not", "very", "mainly", "partly"}
    | {"perhaps", "maybe", "presumably", "potentially", "apparently", "largely", "mostly", "primarily", "even"}
)
"""Words at the end of a span that belong to the cue behind it."""
_CONTENT: Final = frozenset({W.NOUN, W.FINITE, W.GERUND, W.INFINITIVE, W.PARTICIPLE, W.ADJECTIVE})


class ClauseWords:
    """The words of one sentence.

    `stops` are the tokens where other cues start, which no argument crosses, and `reasons` those of them that open a
    reason.
    """

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.tokens = sentence.tokens
        self.classes = word_classes(sentence)
        self.words = [token.lower for token in sentence.tokens]
        self.stops: frozenset[int] = frozenset()
        self.reasons: frozenset[int] = frozenset()
        self.holds: frozenset[int] = frozenset()

    def is_hard(self, place: int) -> bool:
        """Whether no clause crosses this token: a stop, a semicolon, a dash, a bracket."""
        return self.classes[place] is W.PUNCTUATION and self.words[place] in _HARD

    def is_be(self, place: int) -> bool:
        """Whether a token is a form of "be"."""
        return self.words[place] in BE

    def has_verb(self, start: int, end: int) -> bool:
        """Whether a finite verb, an auxiliary or a modal stands in the span."""
        return any(word_class in VERBAL for word_class in self.classes[start:end])

    def has_content(self, start: int, end: int) -> bool:
        """Whether a word names something: a noun, an adjective or a full verb, and no letter of a broken word."""
        return any(
            self.classes[place] in _CONTENT and (len(self.words[place]) > 1 or not self.tokens[place].text.islower())
            for place in range(start, end)
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

    def skips_text(self, start: int, end: int) -> bool:
        """Whether text that is no part of the sentence stands inside the span: the foot and head of two pages."""
        text, offset = self.sentence.text, self.sentence.start
        return any(
            text[one.end - offset : other.start - offset].strip() for one, other in pairwise(self.tokens[start:end])
        )

    def subject_of_verb(self, start: int, end: int) -> bool:
        """Whether a noun phrase starts here and a finite verb follows it before anything else does."""
        noun = False
        for place in range(start, end):
            word_class = self.classes[place]
            if word_class in VERBAL:
                return noun
            if word_class in (W.RELATIVE, W.SUBORDINATOR, W.TO, W.GERUND, W.PARTICIPLE, W.CONJUNCTION, W.PUNCTUATION):
                return False
            noun = noun or word_class in (W.NOUN, W.PRONOUN)
        return False

    def _segment_start(self, place: int) -> int:
        start = place
        while start > 0 and not self.is_hard(start - 1) and self.words[start - 1] != ",":
            if self.classes[start - 1] is W.SUBORDINATOR:
                break
            start -= 1
        return start

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
                and self.words[end - 1]
                not in ("in", "out", "off", "up", "down", "over", "on", "through", "along", "around")
            )
            or self.words[end - 1] in _LOOSE
        ):
            end -= 1
        return start, end
