"""What is not told as done: "was acquitted of causing it", "tried to cause it", "the drill simulated what caused it".

The words are data (`irrealis.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from language.clause_words import VERBAL
from language.clauses import Clauses
from language.lemmas import can_be_verb, lemma_of
from language.word_classes import BE, WordClass

W = WordClass
_PASSED: Final = frozenset({"to", "be", "been", "being", "have", "having", "directly", "partly", "wholly", "solely"})
"""Words between what governs a verb and the verb."""
_FIRST: Final = 7
"""Tokens of a sentence among which the subject stands that is told of no real world."""
_DONE: Final = VERBAL | {W.PARTICIPLE, W.INFINITIVE}
_DESCRIBED: Final = frozenset({W.DETERMINER, W.ADJECTIVE, W.PREPOSITION})
Told = tuple[bool, str]
"""Whether something is denied, and its modality."""


def unreal_before(clauses: Clauses, start: int, place: int) -> Told | None:
    """What the words before a verb make of it: "acquitted of having *caused*" denies, "tried to *cause*" tells no fact.

    Args:
        clauses: The sentence.
        start: Where the part of the sentence starts.
        place: The verb, or an auxiliary of it.
    """
    words = clauses.words
    while place < len(words) - 1 and words[place] in _PASSED:
        place += 1
    at = place
    while at >= start:
        for kind, phrase in _phrases():
            first = at - len(phrase)
            if first >= start and _fits(words[first:at], phrase):
                turned = not {"not", "n't", "never"}.isdisjoint(words[max(first - 2, start) : first])
                return (True, "actual") if kind in ("denied", "near") and not turned else (False, "hypothetical")
        at -= 1
        if words[at] not in _PASSED and clauses.classes[at] is not W.ADVERB:
            return None
    return None


def is_only_nearly(clauses: Clauses, place: int) -> bool:
    """Whether a word says of the verb behind it that it did not happen: "it *nearly* collapsed".

    It tells of an amount instead in front of what names one ("nearly all", "almost immediately", "nearly doubled"), and
    of what a noun is in front of its participle ("the nearly finished bridge").
    """
    table, classes = _table()["nearly"], clauses.classes
    if clauses.words[place] not in table["words"] or (place > 0 and classes[place - 1] in _DESCRIBED):
        return False
    verb = next((at for at in range(place + 1, len(classes)) if clauses.words[at] not in _PASSED), len(classes))
    told = classes[verb : verb + 1]
    return told != () and told[0] in _DONE and clauses.tokens[verb].lemma not in table["amounts"]


def is_near(clauses: Clauses, verb: int) -> bool:
    """Whether a finite verb tells only what came near to happening: "*came close to* falling"."""
    words, classes = clauses.words, clauses.classes
    for kind, phrase in _phrases():
        for first in (verb - len(phrase), verb) if kind == "near" else ():
            end = first + len(phrase)
            tells = end == verb or classes[end : end + 1] == (W.GERUND,)
            if first >= 0 and tells and end <= len(words) and _fits(words[first:end], phrase):
                return True
    return False


def tells_near(text: str) -> bool:
    """Whether a text, or a question, tells what came near to happening and did not: "did it *nearly fail*?"."""
    table = _table()["nearly"]
    amounts, pattern = table["amounts"], re.compile(table["text"], re.IGNORECASE)
    verbs = [match["verb"].lower() for match in pattern.finditer(text)]
    return any(_is_verb(verb) and {verb, lemma_of(verb, "VERB")}.isdisjoint(amounts) for verb in verbs)


def _is_verb(word: str) -> bool:
    return word in BE or word.endswith("ing") or (can_be_verb(lemma_of(word, "VERB")) and not word.endswith("ly"))


def is_one_of(clauses: Clauses, group: tuple[int, int]) -> bool:
    """Whether "either ... or" stands before a verb as its subject, or right behind it: each only possibly.

    Args:
        clauses: The sentence.
        group: The words of the verb or the cue.
    """
    opening, joining = _table()["one_of"]["opening"], _table()["one_of"]["joining"]
    start, end = _part(clauses, group)
    for at in range(start, min(group[1] + 1, end)):
        if clauses.words[at] != opening:
            continue
        subject = at < group[0] and joining in clauses.words[at : group[0]] and not clauses.has_verb(at, group[0])
        if subject or (at >= group[0] and joining in clauses.words[at:end]):
            return True
    return False


def is_less_than(clauses: Clauses, group: tuple[int, int]) -> bool:
    """Whether a cause is weighed against a stronger one: "it was *less* due to age *than* to neglect"."""
    _, end = _part(clauses, group)
    return "less" in clauses.words[max(group[0] - 1, 0) : group[1]] and "than" in clauses.words[group[1] : end]


def _part(clauses: Clauses, group: tuple[int, int]) -> tuple[int, int]:
    """The stretch between stops around a group of words."""
    start, end = group
    while start > 0 and not clauses.is_hard(start - 1):
        start -= 1
    while end < len(clauses.words) and not clauses.is_hard(end):
        end += 1
    return start, end


def is_acted(clauses: Clauses, start: int, place: int, fiction: frozenset[str]) -> str | None:
    """The modality of what a drill simulates or a novel has happen; none of what is told otherwise.

    Args:
        clauses: The sentence.
        start: Where the part of the sentence starts.
        place: A token of what is told.
        fiction: Nouns told of no real world.
    """
    verb = next((at for at in range(start, place) if clauses.classes[at] in VERBAL), place)
    if verb == place:
        return None
    lemma = clauses.tokens[verb].lemma
    if lemma in _table()["acted"]["verbs"]:
        return "hypothetical"
    own = verb - 1 >= start and verb - start <= _FIRST and clauses.tokens[verb - 1].lemma in fiction
    # Two nouns at the end are a subject and its verb: "has the ferry *sink*".
    done = clauses.classes[place - 2 : place] == (W.NOUN, W.NOUN) or any(
        clauses.classes[at] in VERBAL | {W.INFINITIVE} for at in range(verb + 1, place + 1)
    )
    makes = done and lemma in _table()["acted"]["makers"]
    names = clauses.classes[verb + 1] in {W.DETERMINER, W.NOUN, W.PRONOUN, W.SUBORDINATOR}
    tells = names and (makes or lemma in _table()["acted"]["tellers"])
    return "possible" if own and tells and W.PREPOSITION not in clauses.classes[start:verb] else None


def _fits(words: Sequence[str], phrase: Sequence[frozenset[str]]) -> bool:
    return all(word in choices or "_" in choices for word, choices in zip(words, phrase, strict=True))


@cache
def _phrases() -> tuple[tuple[str, tuple[frozenset[str], ...]], ...]:
    return tuple(
        (kind, tuple(frozenset(one.split("|")) for one in phrase.split()))
        for kind, phrases in _table()["before"].items()
        for phrase in phrases
    )


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
