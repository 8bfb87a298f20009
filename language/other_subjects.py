"""Whether two tellings name different things as what did it: what stopped the trains is no answer about the buses."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from language.clause_words import VERBAL
from language.content_words import content_keys, key_of
from language.lemmas import can_be_verb
from language.quick_sentences import quick_sentences
from language.word_classes import WordClass, word_classes

W = WordClass
_COMING_ABOUT: Final = ("start", "begin", "happen", "occur", "erupt", "break", "arise", "come", "take", "place", "go")
_PREPOSITIONS: Final = frozenset(
    {"of", "in", "at", "on", "to", "from", "for", "with", "by", "over", "near", "between", "off"}
)
_BEFORE_NOUN: Final = frozenset({W.DETERMINER, W.ADJECTIVE, W.NUMBER, W.NOUN, W.ADVERB})


def other_subject(asked: str, told: str) -> str:
    """The key of what is asked about, where a telling names something else in its place and nowhere names that.

    Returns:
        The key of the noun; empty where the two may be of one thing.
    """
    wanted, given = _subject(asked), _subject(told)
    if not wanted or not given or wanted in content_keys(told) or given in content_keys(asked):
        return ""
    return wanted


def predicate_of(asked: str) -> frozenset[str]:
    """The keys of what something is asked to have done, where a question names that: of "the protests turn violent".

    Verbs that only say that it came about are left out.
    """
    subject = _subject(asked)
    if not subject:
        return frozenset()
    words = asked.split()
    place = next((at for at, word in enumerate(words) if key_of(word.strip(".,?")) == subject), len(words))
    if words[place + 1 : place + 2] and words[place + 1].lower() in _PREPOSITIONS:
        return frozenset()
    return content_keys(" ".join(words[place + 1 :])) - {key_of(verb) for verb in _COMING_ABOUT}


@lru_cache(maxsize=16_384)
def _subject(text: str) -> str:
    """The key of the last noun of the noun phrase that a text opens with; empty where it opens with none.

    Questions have their verbs in a form that may be a noun: of "the job fail" it is the job.
    """
    sentences = quick_sentences(text)
    if not sentences:
        return ""
    classes, nouns, finite = word_classes(sentences[0]), list[str](), False
    for at, token in enumerate(sentences[0].tokens):
        if classes[at] not in _BEFORE_NOUN:
            finite = classes[at] in VERBAL
            break
        if classes[at] is W.NOUN:
            nouns = [*nouns, token.text] if at and classes[at - 1] is W.NOUN else [token.text]
    if len(nouns) > 1 and not finite and can_be_verb(nouns[-1].lower()):
        nouns.pop()
    return key_of(nouns[-1]) if nouns else ""
