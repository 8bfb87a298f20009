"""What a sentence names without telling it as so: "feared that the dam would burst", "arrested on suspicion of arson".

All the words of a question can stand in such a sentence. It answers only where a verb, or a noun of happening, that the
question asks for stands outside of what is feared, imputed, denied or asked. The words are data (`untold.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import takewhile
from typing import Any, Final

from language.clause_words import VERBAL
from language.clauses import Clauses
from language.content_words import content_keys, key_of, question_words
from language.forestalled import asks_for_failing, forestalled
from language.framing import frame_of, names_frame
from language.irrealis import unreal_before
from language.kinds import is_event_noun
from language.lemmas import can_be_noun, can_be_verb, is_past_or_participle, lemma_of
from language.only_named import lacks_noun, names_none, only_names
from language.quick_sentences import quick_sentences
from language.taken_for import asks_for_it, taken_for
from language.tokens import Sentence
from language.unrealised import asks_for_existence
from language.word_classes import BE, DO, HAVE, WordClass

W = WordClass
_DOING: Final = VERBAL | {W.INFINITIVE, W.PARTICIPLE, W.GERUND}
_SUBJECT_START: Final = frozenset({W.DETERMINER, W.NOUN, W.PRONOUN, W.NUMBER, W.ADJECTIVE})
_JOINING: Final = frozenset({W.CONJUNCTION, W.SUBORDINATOR, W.RELATIVE})
_GROUP: Final = frozenset({W.AUXILIARY, W.ADVERB, W.MODAL})
_AGAINST: Final = frozenset({"but", "yet", "although", "though", "however"})
_BEHIND: Final = 6
"""Tokens within which "that", or a preposition, stands behind its verb."""
_DOER: Final = re.compile(r"\W*(?:who|what|which(?: \w+){1,2}?) (?:else )?(?P<verb>[\w-]+)", re.IGNORECASE)
_FAILS: Final = re.compile(r"\bfail(?:s|ed|ing)?\b", re.IGNORECASE)
_FAILS_TO: Final = re.compile(r"\bfail(?:s|ed|ing)? to\b", re.IGNORECASE)
_PERSON: Final = re.compile(r"\b(?:the|an?|this|which|no|any|every|\w+['’]s) suspects?\b", re.IGNORECASE)
"""Who is suspected, named in a question that does not ask for the suspicion."""
_OF_STATE: Final = re.compile(r"\W*(?:was|were|is|are)\b", re.IGNORECASE)
_OF_PAST: Final = re.compile(r"\bdid\b", re.IGNORECASE)
_OF_DONE: Final = re.compile(r"\W*(?:did|was|were|had|has|have)\b", re.IGNORECASE)


def leaves_untold(question: str, sentence: Sentence) -> bool:
    """Whether a happening that a question asks for stands in a sentence only where it is not told as so."""
    exists = asks_for_existence(question)
    if exists and (only_names(question, sentence.text) or lacks_noun(question, sentence.text)):
        return True
    clauses = Clauses(sentence)
    if only_fails_to(question, clauses):
        return True
    asked = _asked_places(question, clauses)
    if exists or _OF_STATE.match(question) is not None:
        asked = _named_places(question, clauses) or asked
    if not asked:
        return False
    keys = content_keys(_PERSON.sub(" ", question))
    untold = {
        place
        for table, place in _governed(clauses)
        if keys.isdisjoint(_keys(table))
        and not (exists and table == "imputed")
        and not (table == "held" and asks_for_it(question))
        and not (table == "forestalled" and asks_for_failing(question))
    }
    if not names_frame(question):
        untold |= {
            place
            for places in asked.values()
            for place in places
            if clauses.classes[place] in _DOING and _is_framed(clauses, place)
        }
    if not _asks_for_doer_or_whether(question):
        if _OF_PAST.search(question) is not None:
            untold |= set(_possible(clauses))
        return any(untold.issuperset(places) for places in asked.values())
    untold |= {place for place in _negated(clauses) if _reported(clauses, place) or not _OF_DONE.match(question)}
    for_done = frozenset(_words("modal", "asked")).isdisjoint(question.lower().split())
    possible = set(_possible(clauses)) if for_done else set()
    done = {key_of(word) for word in question.split() if is_past_or_participle(word.strip(" ?.,").lower())}
    return any(
        (untold | possible if _OF_DONE.match(question) or key in done else untold).issuperset(places)
        for key, places in asked.items()
    )


def leaves_asked(question: str, sentence: Sentence) -> bool:
    """Whether a sentence only asks itself who or what did it, or whether: "do not know *who started the fire*".

    So too what somebody is asked to do, or considers: "considers *closing the office* because rents rose".
    """
    return _names_governed(question, Clauses(sentence), ("asked", "told_to", "weighed"))


@lru_cache(maxsize=16_384)
def tells_of_wish(asked: str, told: str) -> bool:
    """Whether a telling names what is asked about only as what somebody is to do, considers or fails to do."""
    clauses = map(Clauses, quick_sentences(told))
    return any(only_fails_to(asked, each) or _names_governed(asked, each, ("told_to", "weighed")) for each in clauses)


def _names_governed(question: str, clauses: Clauses, tables: Collection[str]) -> bool:
    places = _asked_places(question, clauses)
    if not places:
        return False
    keys = content_keys(question)
    asked = {
        place
        for table, place in _governed(clauses)
        if table in tables and (table == "asked" or keys.isdisjoint(_keys(table)))
    }
    return any(asked.issuperset(each) for each in places.values())


def denies_part(question: str, sentence: Sentence) -> bool:
    """Whether a second verb or an object, all that is asked for, is denied: "and never fell", "found no bomb"."""
    clauses = Clauses(sentence)
    if names_none(question, clauses):
        return True
    asked = _asked_places(question, clauses)
    verbs = {place for place in _negated(clauses) if _joined(clauses, place) and not _reported(clauses, place)}
    keys = content_keys(question)
    denied = verbs | {
        at
        for verb in verbs
        for at in _stretch(clauses, verb + 1)
        # "Did not set it *on fire*", "did not cause *a fire*", where just that is asked for.
        if key_of(clauses.words[verb]) in keys or clauses.words[at - 1 : at + 1] == ["on", "fire"]
    }
    # A storm is a happening, and what it did not do is denied all the same.
    done = {key: places for key, places in asked.items() if any(clauses.classes[place] in _DOING for place in places)}
    asked = done or asked
    return bool(asked) and all(denied.issuperset(places) for places in asked.values())


def only_reports(question: str, sentence: Sentence) -> bool:
    """Whether the happening that a question asks for is only what somebody reported: "had *reported* a leak"."""
    clauses = Clauses(sentence)
    reported = {
        at
        for place, token in enumerate(clauses.tokens)
        if token.lemma in _words("reported", "verbs") and clauses.classes[place] in _DOING
        for at in _stretch(clauses, place + 1)
    }
    places = _asked_places(question, clauses) if reported else {}
    return any(reported.issuperset(each) for each in places.values())


def _is_framed(clauses: Clauses, place: int) -> bool:
    """Whether the words in front make a statement less than a fact: "claims that", "according to legend".

    What is tried or taken back belongs to other readers: a design that was rejected was made.
    """
    if unreal_before(clauses, 0, place) is not None:
        return False
    frame = frame_of(clauses, place)
    return frame.inner[0] > 0 and not frame.is_plain


def _asked_places(question: str, clauses: Clauses) -> dict[str, list[int]]:
    """Where the verbs and happenings stand that a question asks for."""
    asked = question_words(question).keys() | content_keys(question)
    found: dict[str, list[int]] = {}
    happening: set[str] = set()
    two: frozenset[str] = frozenset()
    for place, token in enumerate(clauses.tokens):
        if not token.text[0].isalnum():
            continue
        key = key_of(token.text)
        # The fire of "could catch fire" is no fire besides that.
        if key in asked and key not in two:
            found.setdefault(key, []).append(place)
            # "Demanded that he *resign*" is read as a noun, which the word cannot be.
            only_verb = can_be_verb(token.lower) and not can_be_noun(token.lower)
            if clauses.classes[place] in _DOING or only_verb or is_event_noun(token.lemma):
                happening.add(key)
        two = _keys_of_two(clauses, place) & asked
        for key in two:
            found.setdefault(key, []).append(place)
            happening.add(key)
    return {key: places for key, places in found.items() if key in happening}


def only_fails_to(question: str, clauses: Clauses) -> bool:
    """Whether all failing that a sentence tells is that of a body that did not do something: who failed to see it."""
    if _FAILS.search(question) is None or _FAILS_TO.search(question) is not None:
        return False
    places = [place for place, token in enumerate(clauses.tokens) if token.lemma == "fail"]
    return bool(places) and all(_fails_to(clauses, place) for place in places)


def _fails_to(clauses: Clauses, place: int) -> bool:
    subject = {token.lemma for token in clauses.tokens[slice(*clauses.subject(clauses.group_start(place)))]}
    behind = clauses.words[place + 1 : place + 2] == ["to"] and clauses.classes[place + 2 : place + 3] == (
        W.INFINITIVE,
    )
    return behind and not subject.isdisjoint(_words("failed", "bodies"))


def _named_places(question: str, clauses: Clauses) -> dict[str, list[int]]:
    """Where the nouns stand of which a question asks whether they were there."""
    asked = content_keys(question)
    found: dict[str, list[int]] = {}
    for place, token in enumerate(clauses.tokens):
        if clauses.classes[place] is not W.PUNCTUATION and key_of(token.text) in asked:
            found.setdefault(key_of(token.text), []).append(place)
    return found


def _keys_of_two(clauses: Clauses, place: int) -> frozenset[str]:
    """The key of a verb of two words, which the first of them has not: "set fire", "fell ill"."""
    words = [token.text for token in clauses.tokens[place : place + 2]]
    keys = content_keys(" ".join(words))
    if len(words) > 1 and len(keys) == 1 and all(map(content_keys, words)) and key_of(words[0]) not in keys:
        return keys
    return keys - {key_of(word) for word in words}


def _asks_for_doer_or_whether(question: str) -> bool:
    """Whether a question asks whether something was done, or who or what did it."""
    if _OF_DONE.match(question) is not None:
        return True
    asks = _DOER.match(question)
    verb = "" if asks is None else asks["verb"].lower()
    return verb not in BE | HAVE | DO and (is_past_or_participle(verb) or verb == "set")


def _governed(clauses: Clauses) -> Iterator[tuple[str, int]]:
    """The tokens of what is not told as so, each with the table of what makes it that."""
    for place, token in enumerate(clauses.tokens):
        doing = clauses.classes[place] in _DOING
        lemma = lemma_of(token.lower, "VERB") if doing else token.lemma
        if (doing and lemma in _words("foreseen", "verbs")) or _is_noun(clauses, place, "foreseen"):
            behind = list(_clause_behind(clauses, place))
            if doing and not behind:
                behind = list(_object_behind(clauses, place))
            yield from (("foreseen", at) for at in behind)
        if doing and lemma in _words("told_to", "verbs"):
            yield from (("told_to", at) for at in _infinitive_behind(clauses, place))
        if doing and lemma in _words("weighed", "verbs") and not _is_negated(clauses, place):
            yield from (("weighed", at) for at in _gerund_or_object_behind(clauses, place))
        if lemma in _words("imputed", "verbs") | _words("imputed", "nouns"):
            yield from (("imputed", at) for at in _imputed(clauses, place, _words("imputed", "prepositions")))
        if clauses.words[max(place - 1, 0) : place + 1] == ["not", "guilty"]:
            yield from (("imputed", at) for at in _imputed(clauses, place, _words("imputed", "of_guilt")))
        if doing and lemma in _words("denied", "verbs") and not _is_negated(clauses, place):
            yield from (("denied", at) for at in _stretch(clauses, place + 1))
        if lemma == "rule" and clauses.words[place + 1 : place + 2] == ["out"] and not _is_negated(clauses, place):
            yield from (("denied", at) for at in _stretch(clauses, place + 2))
        if lemma in _words("asked", "verbs"):
            yield from (("asked", at) for at in _question_behind(clauses, place))
        if clauses.classes[place] is W.INFINITIVE and _is_missed(clauses, place):
            yield "missed", place
    yield from (("held", at) for at in taken_for(clauses))
    yield from (("forestalled", at) for at in forestalled(clauses))


def _is_noun(clauses: Clauses, place: int, table: str) -> bool:
    return clauses.classes[place] is W.NOUN and clauses.tokens[place].lemma in _words(table, "nouns")


def _clause_behind(clauses: Clauses, place: int) -> Iterator[int]:
    """The clause, or the infinitive, that a verb or noun governs: "warned the crew *that it leaked*"."""
    opened = place + 1
    while clauses.classes[opened : opened + 1] == (W.ADVERB,):
        opened += 1
    for at in range(opened, min(opened + _BEHIND, len(clauses.words) - 1)):
        if clauses.is_hard(at) or clauses.words[at] == "," or clauses.classes[at] in VERBAL:
            break
        if clauses.words[at] == "that" or (clauses.words[at] == "to" and clauses.classes[at + 1] is W.INFINITIVE):
            yield from _stretch(clauses, at + 1)
            return
    starts = clauses.classes[opened] in _SUBJECT_START if opened < len(clauses.words) else False
    if starts and clauses.classes[place] in _DOING and clauses.subject_of_verb(opened, len(clauses.words)):
        yield from _stretch(clauses, opened)


def _object_behind(clauses: Clauses, place: int) -> Iterator[int]:
    """What is feared, where that is a noun: "feared *a run on the bank*", "warned of *a collapse*"."""
    joined = clauses.words[place + 1 : place + 2] in (["of"], ["for"], ["against"])
    opened = place + 1 + joined
    if (not joined and clauses.tokens[place].lemma in _words("foreseen", "addressing")) or opened >= len(clauses.words):
        return
    for at in range(opened, len(clauses.words)):
        ends = clauses.classes[at] in VERBAL | {W.CONJUNCTION, W.RELATIVE, W.SUBORDINATOR, W.PUNCTUATION}
        if ends or (at == opened and clauses.classes[at] not in _SUBJECT_START):
            return
        yield at


def _infinitive_behind(clauses: Clauses, place: int) -> Iterator[int]:
    for at in range(place + 1, min(place + _BEHIND + 1, len(clauses.words) - 1)):
        if clauses.is_hard(at) or clauses.words[at] in (",", "that") or clauses.classes[at] in VERBAL:
            return
        if clauses.words[at] == "to" and clauses.classes[at + 1] is W.INFINITIVE:
            yield from _up_to_reason(clauses, at + 1)
            return


def _gerund_or_object_behind(clauses: Clauses, place: int) -> Iterator[int]:
    at = place + 1 + (clauses.words[place + 1 : place + 2] in (["of"], ["about"], ["over"]))
    if clauses.classes[at : at + 1] == (W.GERUND,):
        yield from _up_to_reason(clauses, at)
    else:
        yield from _object_behind(clauses, place)


def _up_to_reason(clauses: Clauses, start: int) -> Iterator[int]:
    """The tokens from a place on up to what is told as a fact of it: "closing it *because rents had doubled*"."""
    return takewhile(lambda at: clauses.classes[at] is not W.SUBORDINATOR, _stretch(clauses, start))


def _imputed(clauses: Clauses, place: int, prepositions: frozenset[str]) -> Iterator[int]:
    """What somebody is held for: the gerund, or the noun of a happening, behind a preposition."""
    for at in range(place + 1, min(place + _BEHIND + 4, len(clauses.words) - 1)):
        if clauses.is_hard(at) or clauses.words[at] == ",":
            return
        if clauses.words[at] in prepositions:
            behind = clauses.words[at + 1]
            if behind.endswith("ing") or is_event_noun(clauses.tokens[at + 1].lemma):
                yield from _stretch(clauses, at + 1)
                return


def _question_behind(clauses: Clauses, place: int) -> Iterator[int]:
    at = place + 1
    while at < len(clauses.words) - 1 and (
        clauses.words[at] in _words("asked", "between") or clauses.classes[at] is W.ADVERB
    ):
        at += 1
    if at >= len(clauses.words) - 1:
        return
    verbs = [one for one in clauses.classes[at + 1 : at + 3] if one in VERBAL]
    if clauses.words[at] in _words("asked", "whether") or (clauses.words[at] in _words("asked", "who") and verbs):
        yield from _stretch(clauses, at + 1)


def _stretch(clauses: Clauses, start: int) -> Iterator[int]:
    """The tokens from a place on, up to where another clause is joined."""
    for at in range(start, len(clauses.words)):
        behind = clauses.classes[at + 1 : at + 2]
        comma = clauses.words[at] == "," and bool(behind)
        joins = comma and (behind[0] in _JOINING or at == start or clauses.subject_of_verb(at + 1, len(clauses.words)))
        goes_on = clauses.classes[at] is W.CONJUNCTION and (
            (bool(behind) and behind[0] in VERBAL) or clauses.subject_of_verb(at + 1, len(clauses.words))
        )
        if clauses.is_hard(at) or clauses.words[at] in _AGAINST or joins or (goes_on and at > start):
            return
        yield at


def _is_missed(clauses: Clauses, verb: int) -> bool:
    """Whether an infinitive did not come about: "too late *to save*", "did little *to reduce*"."""
    before = clauses.words[max(verb - 4, 0) : verb]
    if before[-1:] != ["to"]:
        return False
    did = any(token.lemma == "do" for token in clauses.tokens[max(verb - 4, 0) : verb])
    little = before[-2:-1] != [] and before[-2] in _words("missed", "little")
    return (did and little) or (before[-3:-2] == ["too"] and clauses.words[verb - 3] == "too")


def _possible(clauses: Clauses) -> Iterator[int]:
    """The verbs behind "could", "would" and the like."""
    for place, word in enumerate(clauses.words):
        if word in _words("modal", "words"):
            at = place + 1
            while at < len(clauses.words) and (
                clauses.classes[at] in _GROUP or clauses.words[at] in {"have", "be", "been"}
            ):
                at += 1
            group = [token.lemma for token in clauses.tokens[place : at + 1]]
            if at < len(clauses.words) and _words("modal", "later").isdisjoint(group):
                yield at


def _negated(clauses: Clauses) -> Iterator[int]:
    """The verbs that are denied by a word of their own group."""
    for place, word_class in enumerate(clauses.classes):
        if word_class in _DOING and _is_negated(clauses, place):
            rest = clauses.words[place:]
            if _words("negated", "unless").isdisjoint(rest):
                yield place


def _is_negated(clauses: Clauses, verb: int) -> bool:
    first = clauses.group_start(verb)
    words = clauses.words[first:verb]
    only = _words("negated", "unless")
    return _is_of_none(clauses, first) or (not _words("negated", "words").isdisjoint(words) and only.isdisjoint(words))


def _joined(clauses: Clauses, verb: int) -> bool:
    """Whether a verb shares the subject of the one before it, or none of that does it: "smoked *and never fell*"."""
    first = clauses.group_start(verb)
    return first > 0 and (clauses.classes[first - 1] is W.CONJUNCTION or _is_of_none(clauses, first))


def _is_of_none(clauses: Clauses, first: int) -> bool:
    """Whether none of them do what a verb tells: "20 tonnes of oil, *none of which* leaked"."""
    before = clauses.words[max(first - 3, 0) : first]
    return before in (["none", "of", "which"], ["none", "of", "whom"]) or before[-1:] in (
        ["none"],
        ["nobody"],
        ["nothing"],
    )


def _reported(clauses: Clauses, verb: int) -> bool:
    """Whether a verb stands in what somebody says: "said that it had not *dumped*", "says they never *shipped* it"."""
    return any(
        clauses.words[at] == "that" and clauses.has_verb(0, at) and clauses.classes[at] is not W.DETERMINER
        for at in range(verb)
    ) or any(
        clauses.tokens[at].lemma in _words("reported", "saying")
        and clauses.classes[at] in VERBAL
        and clauses.starts_clause(at + 1, verb + 1)
        for at in range(verb)
    )


@cache
def _keys(table: str) -> frozenset[str]:
    """The keys of all words by which a question asks for what a table is about."""
    return frozenset(key_of(word) for kind in ("verbs", "nouns") for word in _table().get(table, {}).get(kind, ()))


@cache
def _words(table: str, kind: str) -> frozenset[str]:
    return frozenset(_table()[table][kind])


@cache
def _table() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files("language").joinpath("untold.toml").read_text(encoding="utf-8"))
