"""What a text names without telling of it: the fire of a fire drill, the shortage of fears of a shortage.

"A bomb threat led to the evacuation" tells of no bomb, and a lack of rain of no rain. The words are data
(`only_named.toml`).
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from language.clause_words import VERBAL
from language.clauses import Clauses
from language.content_words import content_keys, key_of
from language.lemmas import lemma_of
from language.quick_sentences import quick_sentences
from language.word_classes import WordClass

W = WordClass
_DESCRIBING: Final = frozenset({W.ADJECTIVE, W.NOUN, W.PARTICIPLE, W.NUMBER, W.GERUND})
_EXISTENCE: Final = re.compile(
    r"\W*(?:(?:was|were|is|are|has|have|had) there (?:been )?(?P<there>.+)|(?:did|does|do|has|have) (?P<subject>.+?) "
    r"(?:ever )?(?:happen|happened|occur|occurred|take place|taken place|break out|broken out))\W*$",
    re.IGNORECASE,
)
_CHANGED: Final = re.compile(r"\b(?:worse|(?:more|less) [a-z]+)$", re.IGNORECASE)
_REACH: Final = 4
"""Tokens of a noun phrase before its noun that are looked at."""


def only_names(asked: str, told: str) -> bool:
    """Whether a text has the noun that a noun phrase asks for only where that tells of something else.

    Args:
        asked: A noun phrase, or a question for whether there was something; of what has a verb nothing is said.
        told: A sentence, or a part of one.
    """
    of_existence = _noun_of_existence(asked)
    head = _head(asked) if of_existence is None else of_existence
    if not head or head not in content_keys(told) or _unreal_words().search(told) is None:
        return False
    wanted = content_keys(asked)
    found = False
    for sentence in quick_sentences(told):
        clauses = Clauses(sentence)
        for place, token in enumerate(clauses.tokens):
            if clauses.classes[place] in (W.NOUN, W.ADJECTIVE, W.PARTICIPLE) and key_of(token.text) == head:
                if not _is_beside_it(clauses, place, wanted):
                    return False
                found = True
    return found


def lacks_noun(question: str, told: str) -> bool:
    """Whether a question asks whether there was something that a text does not name at all."""
    head = _noun_of_existence(question)
    return bool(head) and head not in content_keys(told)


def _noun_of_existence(question: str) -> str | None:
    """The key of the noun of which a question asks whether it was there; none for any other question."""
    existence = _EXISTENCE.match(question)
    return None if existence is None else _head(existence["there"] or existence["subject"])


@lru_cache(maxsize=4_096)
def _head(phrase: str) -> str:
    """The key of the last noun before the first preposition of a noun phrase; empty for anything else."""
    sentences = quick_sentences(phrase.strip(" ?.,"))
    if len(sentences) != 1:
        return ""
    clauses = Clauses(sentences[0])
    head = ""
    for place, word_class in enumerate(clauses.classes):
        if word_class is W.NOUN:
            head = key_of(clauses.words[place])
        elif word_class in VERBAL or word_class in (W.PRONOUN, W.CONJUNCTION):
            return ""
        elif word_class in (W.PREPOSITION, W.RELATIVE, W.PARTICIPLE) and head:
            break
    return head


def _is_beside_it(clauses: Clauses, place: int, wanted: frozenset[str]) -> bool:
    """Whether a noun only says which drill, fears of what, or is what was attempted; not where that is asked for."""
    behind = place + 1
    if behind < len(clauses.words) and clauses.classes[behind] is W.NOUN and not clauses.is_hard(behind):
        last = behind
        while clauses.classes[last + 1 : last + 2] == (W.NOUN,):
            last += 1
        named = clauses.tokens[last].lemma
        if named in _words("unreal_heads") and key_of(clauses.words[last]) not in wanted:
            return True
    start = place
    while start > 0 and clauses.classes[start - 1] in _DESCRIBING and place - start < _REACH:
        start -= 1
        if clauses.words[start] in _words("unreal") and key_of(clauses.words[start]) not in wanted:
            return True
    while start > 0 and clauses.classes[start - 1] in (W.DETERMINER, W.NUMBER, W.ADVERB):
        start -= 1
    governor = start - 2
    if governor < 0 or clauses.words[start - 1] not in _words("between"):
        return False
    lemma = clauses.tokens[governor].lemma
    return lemma in _words("unreal_nouns") and key_of(clauses.words[governor]) not in wanted


def only_changes(asked: str, told: str) -> bool:
    """Whether a text tells that something became worse, or more of something, where only that itself is asked for."""
    changed = _CHANGED.search(told.rstrip(" .,;"))
    return changed is not None and content_keys(f"{changed.group()} worse").isdisjoint(content_keys(asked))


def is_taken_as_given(question: str, clauses: Clauses) -> bool:
    """Whether a sentence takes as given that there was what is asked for: "after *the quake* there was no power".

    So does one that only denies what was done to it: "*the fire* was not started by a cow".
    """
    head = _noun_of_existence(question)
    return head is not None and bool(head) and (_is_given_subject(head, clauses) or _stands_behind_given(head, clauses))


def _is_given_subject(head: str, clauses: Clauses) -> bool:
    """Whether "the" and a noun are the subject of a passive verb that is denied, and would be of no unreal thing."""
    for place, token in enumerate(clauses.tokens):
        if clauses.classes[place] is not W.NOUN or key_of(token.text) != head:
            continue
        first = place
        while first > 0 and clauses.classes[first - 1] in (*_DESCRIBING, W.DETERMINER):
            first -= 1
        verb = next((at for at in range(place + 1, len(clauses.words)) if clauses.classes[at] in VERBAL), 0)
        definite = clauses.words[first] in ("the", "this", "that") and W.RELATIVE not in clauses.classes[place:verb]
        if not definite or not verb or not clauses.is_be(verb) or clauses.words[verb + 1] not in ("not", "never"):
            continue
        done = clauses.tokens[verb + 2 : verb + 3]
        participle = clauses.classes[verb + 2 : verb + 3] == (W.PARTICIPLE,)
        if participle and lemma_of(done[0].lower, "VERB") not in _words("of_unreal"):
            return True
    return False


def _stands_behind_given(head: str, clauses: Clauses) -> bool:
    return any(
        key_of(token.text) == head
        and clauses.classes[place] is W.NOUN
        and any(
            clauses.words[at] == "the" and clauses.words[at - 1] in _words("given")
            for at in range(max(place - _REACH, 1), place)
        )
        for place, token in enumerate(clauses.tokens)
    )


def names_none(question: str, clauses: Clauses) -> bool:
    """Whether a sentence has what a question asks for only behind "no": "police found *no bomb*"."""
    of_existence = _noun_of_existence(question)
    heads = content_keys(question) if of_existence is None else {of_existence}
    places = [
        place
        for place, token in enumerate(clauses.tokens)
        if clauses.classes[place] is W.NOUN and key_of(token.text) in heads
    ]
    return any(
        all(_is_none(clauses, place) for place in places if key_of(clauses.words[place]) == key)
        for key in {key_of(clauses.words[place]) for place in places}
    )


def _is_none(clauses: Clauses, noun: int) -> bool:
    first = noun
    while first > 0 and clauses.classes[first - 1] in _DESCRIBING:
        first -= 1
    free = clauses.words[max(first - 2, 0) : first] in (["free", "of"], ["free", "from"], ["devoid", "of"])
    return free or (first > 0 and clauses.words[first - 1] == "no")


@cache
def _unreal_words() -> re.Pattern[str]:
    """The words, in any form, without which a text only names nothing."""
    listed = _words("unreal_heads") | _words("unreal_nouns") | _words("unreal")
    return re.compile(rf"\b(?:{'|'.join(sorted(listed))})", re.IGNORECASE)


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_table()[name])


@cache
def _table() -> dict[str, list[str]]:
    return tomllib.loads(files("language").joinpath("only_named.toml").read_text(encoding="utf-8"))
