"""Whether a sentence tells of another deed than a question for yes or no asks for, though it has all its words.

"Maria told Elena that her brother had sold the boat" tells of no sale by Maria, and of aspirin that "reduced pain but
increased bleeding" nobody is told that it reduces bleeding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.content_words import content_keys, key_of
from language.lemmas import can_be_verb, is_past_or_participle, lemma_of
from language.quick_sentences import quick_sentences
from language.tokens import Sentence
from language.word_classes import DO, WordClass

W = WordClass
_DOING: Final = VERBAL | {W.PARTICIPLE, W.INFINITIVE, W.GERUND}
_GROUP: Final = frozenset({W.AUXILIARY, W.ADVERB, W.MODAL})
_BEHIND_SUBJECT: Final = frozenset({W.NOUN, W.PRONOUN, W.ADVERB, W.NUMBER, W.GERUND})
_TAKEN_UP: Final = frozenset({"it", "them", "him", "her", "this", "that", "these", "those"})
_PERSONS: Final = frozenset({"he", "she"})
_ASKED: Final = re.compile(r"\W*(?:did|does|do|has|have|had|was|were|is|are)\b", re.IGNORECASE)


class _Deed(NamedTuple):
    """What a question asks for.

    Attributes:
        doer: The key of the last noun of its subject.
        verb: The key of its verb.
        rest: The keys of the words behind the verb.
        passive: Whether its subject is what it was done to.
    """

    doer: str
    verb: str
    rest: frozenset[str]
    passive: bool


def tells_other_deed(question: str, sentence: Sentence) -> bool:
    """Whether each verb of a sentence that a question asks for has another subject there, or another object.

    A verb of the other voice, and one whose subject is not told, may be of the same.
    """
    clauses = Clauses(sentence)
    for deed in _deeds(question):
        places = [
            place
            for place, token in enumerate(clauses.tokens)
            if key_of(token.text) == deed.verb and (clauses.classes[place] in _DOING or _is_set_against(clauses, place))
        ]
        if places:
            return all(
                _has_other_doer(deed, clauses, place) or _has_other_object(deed, clauses, place) for place in places
            )
    return False


def _deeds(question: str) -> Iterator[_Deed]:
    """What a question may ask for: behind "did" a noun may be the verb, as in "did the storm *damage* it"."""
    sentences = quick_sentences(question) if _ASKED.match(question) is not None else []
    if len(sentences) != 1:
        return
    clauses = Clauses(sentences[0])
    for verb in _verbs_asked(clauses):
        nouns = _nouns(clauses, (1, verb))
        if nouns and W.CONJUNCTION not in clauses.classes[1:verb]:
            # Of two deeds that are asked for together, what stands behind the second belongs to that.
            end = next((at for at, one in enumerate(clauses.classes) if at > verb and one is W.CONJUNCTION), None)
            rest = frozenset(key for word in clauses.words[verb + 1 : end] for key in content_keys(word))
            yield _Deed(nouns[-1], key_of(clauses.words[verb]), rest, clauses.is_be(0))


def _verbs_asked(clauses: Clauses) -> Iterator[int]:
    words = clauses.words
    bare = words[0] in DO
    for at in range(2, len(words)):
        is_form = lemma_of(words[at], "VERB") == words[at] if bare else is_past_or_participle(words[at])
        if can_be_verb(words[at]) and is_form and clauses.classes[at - 1] in _BEHIND_SUBJECT:
            yield at


def _nouns(clauses: Clauses, span: Span) -> list[str]:
    """The keys of the nouns of a noun phrase up to its first preposition, and of pronouns none."""
    found: list[str] = []
    for at in range(*span):
        if clauses.classes[at] in (W.PREPOSITION, W.RELATIVE) and found:
            break
        if clauses.classes[at] in (W.NOUN, W.GERUND):
            found.append(key_of(clauses.words[at]))
    return found


def _has_other_doer(deed: _Deed, clauses: Clauses, verb: int) -> bool:
    first = clauses.group_start(verb)
    passive = any(map(clauses.is_be, range(first, verb)))
    if passive is not deed.passive or clauses.classes[verb] not in (*VERBAL, W.PARTICIPLE):
        return False
    start, end = _own_subject(clauses, clauses.subject(first))
    nouns = _nouns(clauses, (start, end))
    if nouns and deed.doer in content_keys(clauses.sentence.text) and deed.rest.isdisjoint(nouns):
        # "The trains stopped because of the strike": the strike stopped the trains.
        own = [at for at in range(start, end) if key_of(clauses.words[at]) == deed.doer]
        # Isa's son is not Isa.
        return all(clauses.words[at + 1 : at + 2] in (["'s"], ["'"]) for at in own)
    pronoun = clauses.words[start] if end - start == 1 else ""
    if pronoun not in _PERSONS:
        return False
    # Of two who are named before, nobody knows which "she" is.
    names = {token.text for token in clauses.tokens[:start] if token.text[0].isupper()}
    return len({name for name in names if content_keys(name)}) > 1


def _own_subject(clauses: Clauses, span: Span) -> Span:
    """The subject without what stands before "that", or without a relative clause of its own."""
    start, end = span
    for at in range(end - 1, start, -1):
        if clauses.classes[at] in (W.RELATIVE, W.SUBORDINATOR):
            if clauses.has_verb(at, end):
                end = at
            else:
                start = at + 1
            break
    return start, end


def _has_other_object(deed: _Deed, clauses: Clauses, verb: int) -> bool:
    """Whether what it was done to is what another verb of the subject has: "raised one *but lowered the other*"."""
    count = len(clauses.words)
    end = next((at for at in range(verb + 1, count) if _joins_verb(clauses, at)), count)
    joined = end < count or any(_joins_verb(clauses, at) for at in range(verb))
    wanted = deed.rest
    if not joined or not wanted or not _TAKEN_UP.isdisjoint(clauses.words[verb + 1 : end]):
        return False
    own = {key for word in clauses.words[verb + 1 : end] for key in content_keys(word)}
    others = {key for word in (*clauses.words[:verb], *clauses.words[end:]) for key in content_keys(word)}
    return wanted.isdisjoint(own) and not wanted.isdisjoint(others)


def _joins_verb(clauses: Clauses, place: int) -> bool:
    """Whether a conjunction leads to a second verb of the same subject."""
    if clauses.classes[place] is not W.CONJUNCTION:
        return False
    at = place + 1
    while at < len(clauses.words) and clauses.classes[at] in _GROUP:
        at += 1
    if at >= len(clauses.words):
        return False
    return _is_set_against(clauses, at) or clauses.classes[at] in (W.FINITE, W.PARTICIPLE)


def _is_set_against(clauses: Clauses, place: int) -> bool:
    """Whether a past form stands behind "but", which joins no second word to a noun: "but *increased* bleeding"."""
    return clauses.words[max(place - 1, 0)] == "but" and is_past_or_participle(clauses.words[place])
