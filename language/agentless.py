"""Whether a text tells that something was done, and not by what: "cows were killed", "a contaminated well"."""

from __future__ import annotations

import re
from typing import Final

from language.clauses import Clauses
from language.content_words import content_keys, key_of
from language.kinds import kind_names, kind_of
from language.lemmas import is_past_or_participle, lemma_of
from language.quick_sentences import quick_sentences
from language.word_classes import WordClass

W = WordClass
_DOER: Final = re.compile(
    r"\W*(?P<word>who|what|which(?: \w+){1,2}?) (?:has |have |had )?(?:else )?(?P<verb>[a-z-]+)\b(?! by\b)"
    r"(?P<object>(?! (?:because|due|owing|after|when|as|in|on|at|by|with|from|of|for|since|during)\b)"
    r"(?: [^\W\d_][\w'’-]*)*)",
    re.IGNORECASE,
)
_BY_WHOM: Final = frozenset({"by"})
_BY: Final = _BY_WHOM | frozenset(
    {"with", "from", "of", "in", "through", "for", "because", "due", "owing", "when", "after"}
)


def names_no_doer(question: str, told: str) -> bool:
    """Whether a question asks what did something, and a text tells of nothing that did it.

    It has the verb only where nothing is told to do it, or, of a kind of happening, not at all.
    """
    asked = _DOER.match(question)
    if asked is None or not is_past_or_participle(asked["verb"].lower()):
        return False
    key = key_of(asked["verb"])
    telling = _BY_WHOM if asked["word"].lower() == "who" else _BY
    agentless = [
        _is_agentless(clauses, at, telling, content_keys(asked["object"]))
        for clauses in map(Clauses, quick_sentences(told))
        for at, token in enumerate(clauses.tokens)
        if token.text[0].isalnum() and key_of(token.text) == key
    ]
    if not agentless:
        # What broke something is told by no sentence in which nothing breaks.
        return asked["word"].lower() == "what" and kind_of(lemma_of(asked["verb"].lower(), "VERB")) in kind_names()
    return all(agentless)


def _is_agentless(clauses: Clauses, verb: int, telling: frozenset[str], wanted: frozenset[str]) -> bool:
    formed = clauses.classes[verb] in (W.PARTICIPLE, W.ADJECTIVE)
    describes = formed and verb > 0 and clauses.classes[verb - 1] is W.DETERMINER
    at = verb - 1
    while at > 0 and clauses.classes[at] is W.ADVERB:
        at -= 1
    passive = formed and at >= 0 and clauses.is_be(at)
    # "The bus stopped the next day" tells of nothing that stopped the bus.
    itself = clauses.classes[verb] is W.FINITE and at >= 0 and key_of(clauses.words[at]) in wanted
    behind = clauses.words[verb + 1 : _end(clauses, verb)]
    return (describes or passive or itself) and telling.isdisjoint((*behind, clauses.words[0]))


def _end(clauses: Clauses, verb: int) -> int:
    for at in range(verb + 1, len(clauses.words)):
        if clauses.is_hard(at) or (
            clauses.words[at] in (",", "and", "but") and clauses.subject_of_verb(at + 1, len(clauses.words))
        ):
            return at
    return len(clauses.words)
