"""Whether a sentence tells in a question's own words what did something: "a tree stopped the train" tells what did."""

from __future__ import annotations

import re
from typing import Final

from language.clauses import Clauses
from language.content_words import content_keys, key_of
from language.factuality import factuality_lists
from language.lemmas import can_be_verb, is_past_or_participle, is_third_person, lemma_of
from language.other_things import is_of_other_thing
from language.quick_sentences import quick_sentences
from language.stated_causes import stated_as
from language.tokens import Sentence
from language.word_classes import WordClass

W = WordClass
_ASKED: Final = re.compile(r"\W*what (?P<verb>[a-z]+) (?P<object>.+?)\W*", re.IGNORECASE)
_ASKED_DEED: Final = re.compile(
    r"\W*(?:what (?:did|does|do) .+? (?P<bare>[a-z]+)|(?:who|what) (?:has |have |had )?(?P<done>[a-z]+) .+?)\W*",
    re.IGNORECASE,
)
_ASKING: Final = frozenset(
    {"happen", "become", "mean", "cause", "lead", "say", "think", "call", "go", "come", "get", "take", "make"}
)
"""Verbs that a sentence may leave out that answers all the same."""
_AUXILIARIES: Final = frozenset({"be", "have", "do"})
_OF_SUBJECT: Final = frozenset({W.DETERMINER, W.ADJECTIVE, W.NOUN, W.NUMBER, W.PARTICIPLE, W.GERUND, W.PREPOSITION})
_NOBODY: Final = frozenset({"no", "neither", "none", "nothing", "few", "little"})


def asked_deed(question: str) -> str:
    """The key of the verb of which a question asks who or what did it, or what it was done to; empty for any other."""
    did = _ASKED_DEED.fullmatch(question)
    if did is None:
        return ""
    verb = (did["done"] or did["bare"]).lower()
    told = is_past_or_participle(verb) if did["done"] else can_be_verb(verb)
    plain = lemma_of(verb, "VERB") in _AUXILIARIES | _ASKING
    return key_of(verb) if told and not plain and content_keys(verb) else ""


def told_doer(question: str, sentence: Sentence) -> str:
    """What did just what a question asks of, where a sentence states it as a fact in a plain clause; else empty.

    The noun that it was done to has to be the same: what stopped the spread of the fire did not stop the fire.
    """
    asked = _ASKED.fullmatch(question)
    if asked is None or not (is_past_or_participle(asked["verb"].lower()) or is_third_person(asked["verb"].lower())):
        return ""
    if lemma_of(asked["verb"], "VERB") in _AUXILIARIES or stated_as(sentence) != (True, True):
        return ""
    clauses = Clauses(sentence)
    if lemma_of(asked["verb"], "VERB") == "explain" and _is_told_by(clauses, factuality_lists().officials):
        # A report that explains the collapse is no cause of it.
        return ""
    places = [at for at, word in enumerate(clauses.words) if word == asked["verb"].lower()]
    if len(places) != 1 or clauses.classes[places[0]] is not W.FINITE or not _is_subject(clauses, places[0]):
        return ""
    told, wanted = _nouns(clauses, places[0] + 1), _object(asked["object"])
    same = bool(told) and bool(wanted) and told[-1] == wanted[-1] and set(wanted) <= set(told)
    named = content_keys(asked["object"]) <= content_keys(sentence.text)
    if not same or not named or is_of_other_thing(question, sentence.text):
        return ""
    return sentence.text[: sentence.tokens[places[0]].start - sentence.start].strip()


def _is_told_by(clauses: Clauses, tellers: frozenset[str]) -> bool:
    return any(token.lemma in tellers for token in clauses.tokens)


def _is_subject(clauses: Clauses, end: int) -> bool:
    """Whether the words up to a verb are one noun phrase, which names something."""
    classes = clauses.classes[:end]
    plain = all(each in _OF_SUBJECT for each in classes) and not any(clauses.is_hard(at) for at in range(end))
    named = W.NOUN in classes and classes[0] is not W.PREPOSITION
    return plain and named and _NOBODY.isdisjoint(clauses.words[:end])


def _object(phrase: str) -> list[str]:
    sentences = quick_sentences(phrase)
    return _nouns(Clauses(sentences[0]), 0) if len(sentences) == 1 else []


def _nouns(clauses: Clauses, start: int) -> list[str]:
    """The keys of the words of the noun phrase that starts here, its noun last."""
    found: list[str] = []
    for at in range(start, len(clauses.words)):
        if clauses.is_hard(at) or clauses.classes[at] not in _OF_SUBJECT - {W.PREPOSITION}:
            break
        if content_keys(clauses.words[at]):
            found.append(key_of(clauses.words[at]))
    return found
