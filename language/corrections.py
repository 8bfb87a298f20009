"""What a sentence corrects: "caused *not by ice but by speed*", "closed *neither by snow nor by wind but* by rain".

So does "*not* caused by *ice but by* speed", whose words are not all in a row.

The words in front of "but" are told as not so, and the sentence reads without them as it would have been written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.cues import CueMatch, CueTable, cue_table
from language.tokens import Sentence
from language.word_classes import WordClass

W = WordClass
_LONGEST: Final = 16
"""Tokens within which "but" stands."""
_NO_CORRECTION: Final = frozenset(
    {"only", "just", "merely", "simply", "all", "every", "least", "because", "to", "that"}
)
"""Behind "not" they correct nothing: "*not only* ice but speed"."""
_NEGATORS: Final = frozenset({"not", "n't"})
_LIMITS: Final = frozenset(
    {"only", "just", "merely", "simply", "solely", "all", "purely", "entirely", "exclusively", "wholly"}
)
"""In a denied cue they leave the first cause a cause: "not *solely* due to ice but to speed"."""
_PHRASE: Final = frozenset(
    {W.NOUN, W.DETERMINER, W.ADJECTIVE, W.NUMBER, W.PREPOSITION, W.CONJUNCTION, W.GERUND, W.PARTICIPLE}
)
_NAMES: Final = frozenset({W.NOUN, W.GERUND, W.NUMBER})


class Corrected(NamedTuple):
    """A sentence without what it corrects.

    Attributes:
        sentence: With the tokens that are left; its text and places are those of the document.
        excluded: The tokens of each phrase that is told as not so, of the whole sentence.
        gap: Place of the first token that was left out.
        left_out: The words that were.
    """

    sentence: Sentence
    excluded: tuple[Span, ...]
    gap: int = 0
    left_out: str = ""

    def left_of(self, text: str) -> str:
        """A text of the sentence without the words that were left out."""
        return " ".join(text.replace(self.left_out, " ").split()) if self.left_out else text


def corrected(sentence: Sentence) -> Corrected:
    """The sentence as it would read without "not X but"; the sentence itself where it corrects nothing."""
    lower = [token.lower for token in sentence.tokens]
    if "but" not in lower or {"not", "n't", "neither"}.isdisjoint(lower):
        return Corrected(sentence, ())
    return _corrected(sentence, cue_table())


@lru_cache(maxsize=256)
def _corrected(sentence: Sentence, cues: CueTable) -> Corrected:
    clauses = Clauses(sentence)
    for place, word in enumerate(clauses.words):
        but = _but(clauses, place) if word in ("not", "neither") else None
        if but is None:
            continue
        tokens = (*sentence.tokens[:place], *sentence.tokens[but + 1 :])
        first, last = (sentence.tokens[at] for at in (place, but))
        left_out = sentence.text[first.start - sentence.start : last.end - sentence.start]
        excluded = tuple(_excluded(clauses, place + 1, but))
        return Corrected(replace(sentence, tokens=tokens), excluded, place, left_out)
    for match in cues.find(sentence.tokens):
        negator, behind = _corrected_cue(clauses, match, cues)
        if behind <= match.end:
            continue
        tokens = tuple(
            token for at, token in enumerate(sentence.tokens) if at != negator and not match.end <= at < behind
        )
        first, last = (sentence.tokens[at] for at in (match.end, behind - 1))
        left_out = sentence.text[first.start - sentence.start : last.end - sentence.start]
        but = clauses.words.index("but", match.end)
        excluded = tuple(_excluded(clauses, match.end, but))
        return Corrected(replace(sentence, tokens=tokens), excluded, match.end - 1, left_out)
    return Corrected(sentence, ())


def _corrected_cue(clauses: Clauses, match: CueMatch, cues: CueTable) -> tuple[int, int]:
    """Of "not due to X but to Y" the place of "not" and the first of Y; two zeros where the cue is not corrected."""
    words, classes, end = clauses.words, clauses.classes, match.end
    before = range(max(match.first - 1, 0), end)
    negator = next((at for at in before if words[at] in _NEGATORS), None)
    but = next((at for at in range(end, min(end + _LONGEST, len(words))) if words[at] == "but"), None)
    if match.cue.right != "cause" or negator is None or but is None or not _LIMITS.isdisjoint(words[negator:end]):
        return 0, 0
    between = [at for at in range(end, but) if words[at] not in (",", "nor", "or")]
    # Behind "due to" a noun that can be a verb looks like an infinitive: "due to ice".
    taken = frozenset({W.INFINITIVE}) if words[end - 1] == "to" else frozenset()
    if any(classes[at] not in _PHRASE | taken for at in between) or not any(
        classes[at] in _NAMES | taken for at in between
    ):
        return 0, 0
    again = next((one for one in cues.find(clauses.tokens) if one.first == but + 1), None)
    if again is not None and (again.cue.right, again.cue.construction) == ("cause", "phrase"):
        return negator, again.end
    repeated = classes[end - 1] in (W.PREPOSITION, W.TO) and words[but + 1 : but + 2] == [words[end - 1]]
    return (negator, but + 2) if repeated and but + 2 < len(words) else (0, 0)


def _but(clauses: Clauses, place: int) -> int | None:
    """Where "but" stands that goes with "not" or "neither"; none where what stands between is no phrase."""
    words, classes = clauses.words, clauses.classes
    but = next((at for at in range(place + 1, min(place + _LONGEST, len(words))) if words[at] == "but"), None)
    if but is None or but + 1 >= len(words) or words[place + 1] in _NO_CORRECTION:
        return None
    between = [at for at in range(place + 1, but) if words[at] not in (",", "nor", "neither")]
    if any(classes[at] not in _PHRASE for at in between) or not any(classes[at] in _NAMES for at in between):
        return None
    if (words[place] == "neither") is not ("nor" in words[place:but]):
        return None
    leads = classes[place + 1] is W.PREPOSITION
    if leads:
        return but if words[but + 1] == words[place + 1] else None
    if classes[but + 1] not in _PHRASE or classes[but + 1] is W.PREPOSITION:
        return None
    # "it was not ice, but the driver was drunk" goes on with a clause of its own.
    verb = next((at for at in range(but + 1, len(words)) if classes[at] in VERBAL or classes[at] is W.RELATIVE), None)
    own = clauses.has_verb(0, place) and verb is not None and classes[verb] in VERBAL
    return None if own else but


def _excluded(clauses: Clauses, start: int, end: int) -> Iterator[Span]:
    """The phrases between, each without its preposition."""
    first = start
    for at in range(start, end + 1):
        if at < end and clauses.words[at] not in ("nor", ","):
            continue
        opened = first + (first < at and clauses.classes[first] is W.PREPOSITION)
        if opened < at:
            yield opened, at
        first = at + 1
