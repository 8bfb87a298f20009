"""What a side of a cue is about: its verb and what belongs to it, or its noun, and not what only tells which one.

"The trial over *the death of the nurse* was postponed because ..." tells why something was postponed, and of no death.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.content_words import content_keys, key_of
from language.quick_sentences import quick_sentences
from language.tokens import Token
from language.word_classes import BE, HAVE, WordClass

W = WordClass
_GROUP: Final = VERBAL | {W.ADVERB, W.PARTICIPLE, W.INFINITIVE}
_TELLS_NOTHING: Final = frozenset(
    {"happen", "occur", "begin", "start", "arise", "follow", "come", "go", "take", "break"}
)
"""Verbs of which the subject tells what happened: "the explosion *occurred*", "the strike *went on*"."""
_BRINGS: Final = frozenset(
    {"announce", "bring", "call", "cause", "create", "declare", "experience", "face", "form", "give", "impose", "issue"}
    | {
        "launch",
        "lead",
        "make",
        "open",
        "order",
        "produce",
        "report",
        "record",
        "see",
        "set",
        "spark",
        "stage",
        "suffer",
    }
    | {"trigger", "undergo", "become", "develop", "catch", "get", "lose", "contract", "sustain", "post", "hold", "show"}
    | {"incur", "generate", "register", "prompt", "introduce", "commit", "begin", "do", "put", "run", "remain", "hit"}
    | {"enter", "join", "provoke", "induce", "result", "contribute", "reach", "grow", "rise", "fall", "turn", "stop"}
)
"""Verbs of which the object can tell what happened: "the firm *announced* layoffs", "the ship *suffered* an outage"."""


def is_about(words: frozenset[str], side: str) -> bool:
    """Whether some of the words stand in what a side is about; true as well where that has no content of its own.

    Args:
        words: Keys of content words.
        side: Words of a document on one side of a cue.
    """
    core = _core(side)
    return not core or not core.isdisjoint(words)


def names_just(words: frozenset[str], side: str) -> bool:
    """Whether a side is a noun phrase for what some words name, whatever else it tells of it: "a *leak* near Arlen".

    Args:
        words: Keys of content words, all of which the side has to have.
        side: As above.
    """
    sentences = quick_sentences(side.strip(" ,.;"))
    if len(sentences) != 1 or not words or not words <= content_keys(side):
        return False
    clauses = Clauses(sentences[0])
    # Without who says it, and without the rest of the cue: "they found that *the fire* had been started by".
    told = [at + 1 for at, word in enumerate(clauses.words) if word == "that" and clauses.has_verb(0, at)]
    start, end = (told[-1] if told else 0), len(clauses.words)
    while end > start and clauses.classes[end - 1] in VERBAL | {W.PARTICIPLE} and clauses.words[end - 1] in BE | HAVE:
        end -= 1
    inside = quick_sentences(" ".join(clauses.tokens[at].text for at in range(start, end)))
    if len(inside) != 1:
        return False
    clauses = Clauses(inside[0])
    start, verb, end = _parts(clauses)
    if verb >= 0:
        return False
    first, last = _noun(clauses, (start, end))
    last = next((at for at in range(first, last) if clauses.words[at] == "of" and at > first), last)
    nouns = [at for at in range(first, last) if clauses.classes[at] is W.NOUN]
    return bool(nouns) and key_of(clauses.words[nouns[-1]]) in words


@lru_cache(maxsize=4_096)
def is_object_alone(words: frozenset[str], side: str) -> bool:
    """Whether a side names something only as what is done something to: "the police investigated *the crash*".

    Args:
        words: Keys of the content words that are asked for; with the verb of the side it is just that which is asked.
        side: As above.
    """
    sentences = quick_sentences(side.strip(" ,.;"))
    if len(sentences) != 1:
        return False
    clauses = Clauses(sentences[0])
    start, verb, end = _parts(clauses)
    if verb < 0 or _what_is_said(clauses, verb, end) != verb:
        return False
    verbs = _verbs(clauses, verb, end)
    lemmas = {one.lemma.lower() for one in verbs}
    calls_off = clauses.words[verb + len(verbs) : verb + len(verbs) + 1] == ["off"]
    plain = (calls_off or lemmas.isdisjoint(_TELLS_NOTHING | _BRINGS)) and not all(
        one.lower in BE | HAVE for one in verbs
    )
    behind = verb + len(verbs)
    goes_on = VERBAL | {W.SUBORDINATOR, W.RELATIVE, W.CONJUNCTION, W.PUNCTUATION}
    closed = next((at for at in range(behind, end) if clauses.classes[at] in goes_on), end)
    passive = any(one.lower in BE for one in verbs)
    return (
        plain
        and not passive
        and words.isdisjoint(content_keys(" ".join(one.text for one in verbs)))
        and words.isdisjoint(_keys(clauses, (start, verb)))
        and words.isdisjoint(_keys(clauses, (closed, end)))
        and not words.isdisjoint(_keys(clauses, (behind, closed)))
    )


@lru_cache(maxsize=4_096)
def _core(side: str) -> frozenset[str]:
    sentences = quick_sentences(side.strip(" ,.;"))
    if len(sentences) != 1:
        return frozenset()
    clauses = Clauses(sentences[0])
    start, verb, end = _parts(clauses)
    if verb < 0:
        return _keys(clauses, _noun(clauses, (start, end))) | _keys(clauses, _doing(clauses, (start, end)))
    said = _what_is_said(clauses, verb, end)
    if said != verb:
        return _keys(clauses, _without_relative(clauses, (said, end)))
    told = _keys(clauses, _without_relative(clauses, (verb, end)))
    light = all(one.lower in BE | HAVE or one.lemma.lower() in _TELLS_NOTHING for one in _verbs(clauses, verb, end))
    return told | _keys(clauses, _noun(clauses, (start, verb))) if light or not told else told


def _what_is_said(clauses: Clauses, verb: int, end: int) -> int:
    """Where the clause starts that somebody says, behind "that": a reason is one of it; the verb where none is."""
    said = (
        place + 1
        for place in range(verb + 1, end)
        if clauses.words[place] == "that" and clauses.classes[place] is W.SUBORDINATOR
    )
    return next((start for start in said if clauses.has_verb(start, end)), verb)


def _parts(clauses: Clauses) -> tuple[int, int, int]:
    """Where a side starts, its own finite verb, which is -1 without one, and its end."""
    start, end = 0, len(clauses.words)
    while start < end and clauses.classes[start] in (W.SUBORDINATOR, W.CONJUNCTION, W.PUNCTUATION):
        start += 1
    place = start
    while place < end:
        if clauses.classes[place] is W.RELATIVE:
            place = _behind_relative(clauses, place)
        elif clauses.classes[place] in VERBAL:
            return start, place, end
        else:
            place += 1
    return start, -1, end


def _behind_relative(clauses: Clauses, place: int) -> int:
    """Where the clause ends, at the earliest, that a relative word opens: behind its group of verbs."""
    count = len(clauses.words)
    while place < count and clauses.classes[place] not in VERBAL:
        place += 1
    while place < count and clauses.classes[place] in _GROUP:
        place += 1
    return place


def _without_relative(clauses: Clauses, span: Span) -> Span:
    start, end = span
    return start, next((place for place in range(start, end) if clauses.classes[place] is W.RELATIVE), end)


def _noun(clauses: Clauses, span: Span) -> Span:
    """A noun phrase without what only tells which one: relative clauses, participles, all prepositions but "of"."""
    start, end = span
    for place in range(start + 1, end):
        which = clauses.classes[place] in (W.RELATIVE, W.PARTICIPLE, W.TO) and clauses.classes[place - 1] is W.NOUN
        if which or (clauses.classes[place] is W.PREPOSITION and clauses.words[place] != "of"):
            return start, place
    return span


def _doing(clauses: Clauses, span: Span) -> Span:
    """What somebody does in the infinitive: "the crew *to leave*"."""
    place = next((place for place in range(*span) if clauses.classes[place] is W.INFINITIVE), span[1])
    return place, span[1]


def _verbs(clauses: Clauses, verb: int, end: int) -> list[Token]:
    group = verb
    while group < end and clauses.classes[group] in _GROUP:
        group += 1
    return [clauses.tokens[place] for place in range(verb, group) if clauses.classes[place] is not W.ADVERB]


def _keys(clauses: Clauses, span: Span) -> frozenset[str]:
    return content_keys(" ".join(clauses.tokens[place].text for place in range(*span)))
