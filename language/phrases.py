"""Fitting the words of a document into a sentence of ours, without changing what they say."""

from __future__ import annotations

import re
from functools import lru_cache

from language.kinds import kind_of
from language.lemmas import gerund_of, is_past_or_participle, lemma_of
from language.lexicon import readings
from language.quick_sentences import quick_sentences
from language.word_classes import WordClass, word_classes

_SUBJECTS = frozenset({WordClass.NOUN, WordClass.PRONOUN, WordClass.NUMBER, WordClass.GERUND, WordClass.DETERMINER})
_FINITE = frozenset({WordClass.FINITE, WordClass.AUXILIARY, WordClass.MODAL})
_OBJECT_STARTS = frozenset({WordClass.DETERMINER, WordClass.NUMBER, WordClass.PRONOUN})
_DETACHED = frozenset({WordClass.RELATIVE, WordClass.SUBORDINATOR})
_SPACE_BEFORE_MARK = re.compile(r" (?=[,;:.])")
_OPEN_END = re.compile(
    r"(?: (?:was|were|is|are|be|been|being|very|most|likely|probably|also|then|and|or|that|which))+$"
)
"""Words that open what the cue then tells ("the fault was very *likely due to*") and stand bare without it."""
_OPENING = " \t\n,;:–—-\"'“‘("
_CLOSING = " \t\n,;:.!?–—-\"'”’"


@lru_cache(maxsize=4_096)
def is_clause(phrase: str) -> bool:
    """Whether a stretch of text has a subject and a finite verb of its own, and is not a noun phrase."""
    for sentence in quick_sentences(phrase):
        subject = False
        for word_class in word_classes(sentence):
            if word_class in _DETACHED:
                break
            if subject and word_class in _FINITE:
                return True
            subject = subject or word_class in _SUBJECTS
    return False


@lru_cache(maxsize=4_096)
def is_predicate(phrase: str) -> bool:
    """Whether a stretch of text is a past verb with its object and without a subject: "destroyed much of the roof"."""
    sentences = quick_sentences(phrase)
    if not sentences or len(sentences[0].tokens) < 2:
        return False
    classes = word_classes(sentences[0])
    return is_past_or_participle(sentences[0].tokens[0].lower) and classes[1] in _OBJECT_STARTS


def as_part(phrase: str, *, opened_sentence: bool) -> str:
    """The phrase as it reads in the middle of a sentence: with single spaces and without marks at its ends.

    A capital that is only there because the phrase opened its sentence goes as well.

    Args:
        opened_sentence: True when the phrase stood at the start of a sentence in its document.
    """
    words = _SPACE_BEFORE_MARK.sub("", " ".join(phrase.split())).lstrip(_OPENING).rstrip(_CLOSING)
    words = _OPEN_END.sub("", words) or words
    if phrase.count("(") > phrase.count(")"):
        words = words.replace("(", "", 1) if words.count("(") == 1 and words.startswith("(") else words + ")"
    elif words.count(")") > words.count("("):
        words = words.rstrip(")")
    first, _, rest = words.partition(" ")
    named = rest[:1].isupper() or rest[:1].isdigit()
    if opened_sentence and first.istitle() and (first.lower() in _SMALL or (not named and _is_common(first))):
        words = words[0].lower() + words[1:]
    return words


def as_happening(phrase: str, kind: str) -> str:
    """What somebody was made to do as a noun phrase: "the pump to stop" as "the pump stopping".

    Args:
        phrase: The words of a happening.
        kind: Its kind; words whose verb behind "to" is of another kind stay as they are ("the decision to close it").
    """
    whom, to, rest = phrase.partition(" to ")
    verb, _, behind = rest.partition(" ")
    told = behind.partition(" ")[0] if verb == "be" else verb
    if not to or lemma_of(verb, "VERB") != verb or kind_of(lemma_of(told, "VERB")) != kind or is_clause(whom):
        return phrase
    return " ".join(filter(None, (whom, gerund_of(verb), behind)))


def as_opening(part: str) -> str:
    """The phrase as it reads at the start of a sentence."""
    return part[:1].upper() + part[1:]


_SMALL = frozenset(
    {"the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their", "our", "it", "he", "she", "they"}
    | {"we", "no", "some", "all", "both", "each", "on", "in", "at", "by", "during", "after", "before", "from", "with"}
)


@lru_cache(maxsize=4_096)
def _is_common(word: str) -> bool:
    """Whether the lexicon knows the word as a common one."""
    return word.lower() in readings()
