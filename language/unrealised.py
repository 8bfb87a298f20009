"""What a sentence names without telling that it came about: "avoided a crash", "the plan to close it".

All the words of a question can stand in such a sentence, and yet it answers the question only where that asks for the
avoiding, the plan, the announcement or the accusation. The words are data (`unrealised.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

from language.clauses import Clauses
from language.content_words import content_keys, key_of
from language.kinds import is_event_noun
from language.lemmas import can_be_verb, lemma_of
from language.tokens import Sentence
from language.word_classes import BE, WordClass

W = WordClass
_NEAR: Final = 4
"""Tokens before a governor within which what turns it stands."""
_REACH: Final = 10
"""Tokens within which "from" and "of" stand behind their verb."""
_NAMING: Final = frozenset({W.DETERMINER, W.ADJECTIVE, W.NOUN, W.NUMBER, W.ADVERB})
_DOING: Final = frozenset({W.INFINITIVE, W.PARTICIPLE, W.GERUND, W.FINITE})
_FINITE: Final = frozenset({W.FINITE, W.AUXILIARY, W.MODAL})
_OPENERS: Final = frozenset({W.SUBORDINATOR, W.RELATIVE})
_FORMS: Final = frozenset({"be", "have"})
_NO_GOVERNORS: Final = frozenset({"turned", "done", "prepositions", "decided_nouns", "modals", "asked"})
_WORD: Final = re.compile(r"\w+")
_EXISTENCE: Final = re.compile(r"\W*(?:is|are|was|were|has|have|had) there\b|.*\b(?:happen|occur|take place)\b", re.I)


class Unrealised(NamedTuple):
    """A word for what is not told as having come about.

    Attributes:
        place: Its token.
        table: What governs it, as the table of data is called.
    """

    place: int
    table: str


def asks_for_existence(question: str) -> bool:
    """Whether a question asks whether something happened, and not who did it: "was there a fire?"."""
    return _EXISTENCE.match(question) is not None


def tells_unrealised(question: str, sentence: Sentence) -> bool:
    """Whether a sentence names what a question asks of only as prevented, wished, foretold or imputed.

    An accusation leaves open who did it, and not whether it was done.
    """
    asked = content_keys(question)
    exists = asks_for_existence(question)
    of_future = not _words("foretold", "asked").isdisjoint(_WORD.findall(question.casefold()))
    found: dict[str, str] = {}
    clauses = Clauses(sentence)
    places = set()
    for place, table in _unrealised(clauses):
        places.add(place)
        found[key_of(clauses.tokens[place].text)] = table
    passed = {*(["accused"] if exists else []), *(["foretold"] if of_future else [])}
    wanted = [key for key, table in found.items() if key in asked and table not in passed]
    if not wanted:
        return False
    told = {key_of(token.text) for place, token in enumerate(clauses.tokens) if place not in places}
    return any(key not in told and asked.isdisjoint(_keys(found[key])) for key in wanted)


def _unrealised(clauses: Clauses) -> Iterator[Unrealised]:
    lemmas = [token.lemma for token in clauses.tokens]
    done = not _words("wished", "done").isdisjoint(lemmas) or ("carry", "out") in pairwise(lemmas)
    for place, lemma in enumerate(lemmas):
        if clauses.classes[place] in _DOING:
            yield from _kept_off(clauses, place)
        if lemma in _words("accused", "verbs") | _words("accused", "nouns"):
            yield from (Unrealised(at, "accused") for at in _imputed(clauses, place))
        if not done and lemma in _words("wished", "verbs") | _words("wished", "nouns"):
            yield from (Unrealised(at, "wished") for at in _wished(clauses, place))
        if not done and lemma in _words("foretold", "verbs") | _words("foretold", "nouns"):
            yield from (Unrealised(at, "foretold") for at in _foretold(clauses, place))
        if not done and clauses.words[place : place + 3][1:] == ["to", "be"] and clauses.is_be(place):
            yield from (Unrealised(at, "wished") for at in _verb_from(clauses, place + 2))


def _kept_off(clauses: Clauses, verb: int) -> Iterator[Unrealised]:
    """What a verb of preventing or calling off has as its object, or as its subject where it is passive."""
    lemma = clauses.tokens[verb].lemma
    turned = _words("kept_off", "turned")
    before = clauses.tokens[max(verb - _NEAR, 0) : verb]
    if any(token.lower in turned or token.lemma in turned for token in before):
        return
    if lemma in _words("kept_off", "from"):
        gerund = _gerund_behind_from(clauses, verb)
        if gerund is not None:
            yield Unrealised(gerund, "kept_off")
            return
    if not any(lemma in _words("kept_off", kind) for kind in ("happenings", "deeds", "decided")):
        return
    for head in _undergoing(clauses, verb):
        noun = clauses.tokens[head].lemma
        event = clauses.classes[head] is W.GERUND or is_event_noun(noun)
        avoided = event and lemma in _words("kept_off", "deeds")
        dropped = lemma in _words("kept_off", "decided") and noun in _words("kept_off", "decided_nouns")
        if avoided or dropped or lemma in _words("kept_off", "happenings"):
            yield Unrealised(head, "kept_off")


def _undergoing(clauses: Clauses, verb: int) -> list[int]:
    """The last nouns of what a verb is done to, one for each part that "and" joins."""
    before = verb - 1
    while before > 0 and clauses.classes[before] is W.ADVERB:
        before -= 1
    if before >= 0 and clauses.words[before] in BE:
        group = before
        while group > 0 and clauses.classes[group - 1] in {W.AUXILIARY, W.ADVERB}:
            group -= 1
        start, end = clauses.subject(group)
        return _heads(clauses, start, end)
    return _heads(clauses, verb + 1, len(clauses.words))


def _heads(clauses: Clauses, start: int, end: int) -> list[int]:
    heads: list[int] = []
    place = start
    while place < end:
        if clauses.classes[place] is W.GERUND:
            return [*heads, place]
        first = place
        while place < end and clauses.classes[place] in _NAMING:
            place += 1
        nouns = [at for at in range(first, place) if clauses.classes[at] is W.NOUN]
        if not nouns:
            break
        heads.append(nouns[-1])
        if place >= end or clauses.words[place] not in {"and", "or", ","}:
            break
        place += 1
    return heads


def _gerund_behind_from(clauses: Clauses, verb: int) -> int | None:
    for at in range(verb + 1, min(verb + _REACH, len(clauses.words) - 1)):
        if clauses.is_hard(at) or clauses.words[at] == ",":
            return None
        if clauses.words[at] == "from" and clauses.words[at + 1].endswith("ing"):
            return next(_verb_from(clauses, at + 1), at + 1)
    return None


def _imputed(clauses: Clauses, governor: int) -> Iterator[int]:
    """What somebody is accused or acquitted of: a verb, or the noun of a deed."""
    for at in range(governor + 1, min(governor + _REACH, len(clauses.words) - 1)):
        if clauses.is_hard(at) or clauses.words[at] == ",":
            return
        if clauses.words[at] in _words("accused", "prepositions"):
            verbs = list(_verb_from(clauses, at + 1))
            if verbs:
                yield from verbs
                return
            nouns = [head for head in _heads(clauses, at + 1, len(clauses.words)) if _is_deed(clauses, head)]
            if nouns:
                yield from nouns
                return


def _is_deed(clauses: Clauses, place: int) -> bool:
    return is_event_noun(clauses.tokens[place].lemma)


def _wished(clauses: Clauses, governor: int) -> Iterator[int]:
    """The verb of "tried to land", "the plan to close"; the deed of "the plan for the closure"."""
    behind = governor + 1
    while clauses.classes[behind : behind + 1] == (W.ADVERB,):
        behind += 1
    if clauses.words[behind : behind + 1] == ["to"]:
        yield from _verb_from(clauses, behind + 1)
    elif clauses.words[behind : behind + 1] == ["for"] and clauses.tokens[governor].lemma in _words("wished", "nouns"):
        yield from (head for head in _heads(clauses, behind + 1, len(clauses.words)) if _is_deed(clauses, head))


def _foretold(clauses: Clauses, governor: int) -> Iterator[int]:
    """The verbs of what was to come: "announced that it would *cut* jobs and *close* the mill"."""
    for at in range(governor + 1, min(governor + _REACH, len(clauses.words) - 1)):
        word, word_class = clauses.words[at], clauses.classes[at]
        if word_class is W.MODAL and word in _words("foretold", "modals"):
            # "said that the leak would have caused a fire", "the crane they said would fall"
            if at > governor + 1 and clauses.words[at + 1] not in {"have", "not", "n't", "never"}:
                yield from _verbs_joined(clauses, at + 1)
            return
        if clauses.is_hard(at) or word == "," or word_class in _FINITE or (word != "that" and word_class in _OPENERS):
            return


def _verbs_joined(clauses: Clauses, place: int) -> Iterator[int]:
    yield from _verb_from(clauses, place)
    for at in range(place, len(clauses.words) - 1):
        if clauses.is_hard(at) or clauses.classes[at] in _OPENERS:
            return
        if clauses.words[at] in {"and", "or"} and _is_base_form(clauses, at + 1):
            yield at + 1


def _is_base_form(clauses: Clauses, place: int) -> bool:
    """Whether a word is a verb without an ending, where "close the mill" may look like an adjective."""
    word = clauses.words[place]
    object_follows = clauses.classes[place + 1 : place + 2] == (W.DETERMINER,)
    verbal = clauses.classes[place] in {W.INFINITIVE, W.FINITE} or (object_follows and can_be_verb(word))
    return verbal and lemma_of(word, "VERB") == word


def _verb_from(clauses: Clauses, place: int) -> Iterator[int]:
    """The full verb, or what is said with "be", from a place on: "having been *drunk*"."""
    first = place
    while place < len(clauses.words) and (
        clauses.tokens[place].lemma in _FORMS or clauses.classes[place] in {W.ADVERB, W.AUXILIARY}
    ):
        place += 1
    if place >= len(clauses.words):
        return
    doing = clauses.classes[place] in _DOING or clauses.words[place].endswith("ing")
    if doing or (place > first and clauses.classes[place] is W.ADJECTIVE):
        yield place


@cache
def _keys(table: str) -> frozenset[str]:
    """The keys of all words by which a question asks for what a table is about."""
    governors = (words for kind, words in _table()[table].items() if kind not in _NO_GOVERNORS)
    return frozenset(key_of(word) for words in governors for word in words)


@cache
def _words(table: str, kind: str) -> frozenset[str]:
    return frozenset(_table()[table][kind])


@cache
def _table() -> dict[str, dict[str, list[str]]]:
    return tomllib.loads(files("language").joinpath("unrealised.toml").read_text(encoding="utf-8"))
