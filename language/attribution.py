"""Who says, by a sentence, what led to something: "police say arson destroyed it", "the owner blames a short circuit".

One account of a happening may stand against another, which a plain statement of the document does not. The words are
data (`attribution.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from language.clause_words import VERBAL
from language.clauses import Clauses
from language.content_words import content_keys, key_of
from language.kinds import kind_of
from language.quick_sentences import quick_sentences
from language.stated_causes import stated_as, stated_causes
from language.tokens import Sentence, Token
from language.word_classes import WordClass

_LONGEST_SOURCE: Final = 10
"""Tokens within which the verb of saying stands."""
_JOINTS: Final = re.compile(r"(?:[,;]\s+|\s+)(?:but|while|whereas|and|although|though|yet)\s+|[;,]\s+")
"""Where a sentence may go over to another account."""
_FRONTED: Final = (
    re.compile(r"(?:according to|in the (?:view|opinion) of) ([^,]{2,80}), (.+)$", re.IGNORECASE),
    re.compile(r"according to ((?:(?:the|a|an|its|his|her|their) )?[\w-]+) (.+)$", re.IGNORECASE),
)
_ADDRESSED: Final = 6
"""Tokens within which "that" stands behind the verb: "told the court *that*"."""
_CLOSING: Final = re.compile(rf"(?:{_JOINTS.pattern})$")
_KINDS: Final = ("saying", "finding", "blaming", "tracing", "denying")
"""What stands between a source and what it tells."""
_AUXILIARIES: Final = frozenset({"has", "have", "had"})
_QUOTES: Final = '"“”'
_CAUSES: Final = "CAUSES"


class Account(NamedTuple):
    """What one source gives as the cause of a happening.

    Attributes:
        source: Who, in the words of the sentence.
        cause: In words.
        effect: In words; one that only points back has those of what it points at.
        found: Whether it was looked into, and is not merely said.
        denies: Whether it gives no cause, and denies the one that another source gives.
    """

    source: str
    cause: str
    effect: str
    found: bool = False
    denies: bool = False


def accounts_of(sentence: Sentence, before: str) -> list[Account]:
    """The causes that a sentence attributes to who tells them, from left to right.

    Args:
        sentence: The sentence.
        before: What was told right before, which an effect that is not named again points at; empty where nothing was.
    """
    if not sentence.prose or sentence.text.rstrip("\"'”’)").endswith("?"):
        return []
    if _attributing().isdisjoint(token.lower for token in sentence.tokens):
        return []
    told = list(_blamed_by(sentence.text))
    for source, rest, kind in () if told else _said(sentence.text):
        if not _words("adding").isdisjoint(rest.lower().rstrip(".").split()):
            continue
        denied = before and re.fullmatch(_pattern("denied" if kind == "denying" else "otherwise"), rest.lower())
        if denied:
            told.append(Account(source, "", before, denies=True))
        if denied or kind == "denying":
            continue
        causes = [*_causes(rest, kind)]
        if not causes and before and kind == "saying":
            causes = [*_failures(rest, before)]
        for cause, effect in causes:
            happening = _happening(effect, before)
            if happening and content_keys(cause):
                told.append(Account(source, cause, happening, kind == "finding"))
                before = happening
    return told


def _blamed_by(text: str) -> Iterator[Account]:
    """Who blames what, behind a passive: "was blamed *on ice by the owner*, *on speed by the coast guard*"."""
    verbs = "|".join(sorted(_words("blaming") | _words("tracing")))
    opened = re.match(rf"(?i)(?P<effect>[^,;]+?) (?:was|were|is|are) (?:\w+ )?(?:{verbs}) (?=on|to)", text.strip())
    if opened is not None:
        for each in re.finditer(r"(?i)\b(?:on|to) (?P<cause>[^,;]+?) by (?P<source>[^,;.]+)", text[opened.end() :]):
            if content_keys(each["source"]) and _words("nobody").isdisjoint(each["source"].lower().split()):
                yield Account(each["source"], each["cause"], opened["effect"])


def _said(text: str) -> Iterator[tuple[str, str, str]]:
    """The sources of a sentence, what each says, and by which kind of word."""
    text = text.strip().rstrip(".")
    starts = [0]
    for joint in _JOINTS.finditer(text):
        if _in_front(text[joint.end() :]) is not None:
            starts.append(joint.end())
    ends = [*starts[1:], len(text)]
    for start, end in zip(starts, ends, strict=True):
        part = _CLOSING.sub("", text[start:end])
        found = _in_front(part) or _behind(part)
        if found is not None:
            yield found


def _in_front(part: str) -> tuple[str, str, str] | None:
    """Who says it, where that stands in front."""
    fronted = next((found for one in _FRONTED if (found := one.match(part)) is not None), None)
    if fronted is not None and (fronted.re is _FRONTED[0] or _has_verb(fronted[2])):
        return _named(fronted[1], fronted[2], "saying")
    sentences = quick_sentences(part)
    if len(sentences) != 1:
        return None
    clauses = Clauses(sentences[0])
    for place, word in enumerate(clauses.words[: _LONGEST_SOURCE + 1]):
        if word == "," or clauses.is_hard(place):
            return None
        kind = next((kind for kind in _KINDS if word in _words(kind)), None)
        if kind is not None and place > 0:
            tokens = clauses.tokens
            last = place - (clauses.words[place - 1] in _AUXILIARIES)
            # "told the court that", "said on Monday that"
            near = clauses.words[place : place + _ADDRESSED]
            behind = place + 1 + (near.index("that") if "that" in near else 0)
            behind = behind if behind < len(tokens) else place + 1
            opens = clauses.classes[0] in (WordClass.SUBORDINATOR, WordClass.RELATIVE, WordClass.PREPOSITION)
            if opens or last < 1 or behind >= len(tokens) or clauses.words[behind] in _words("no_statement"):
                return None
            offset = sentences[0].start
            source = sentences[0].text[: tokens[last - 1].end - offset]
            return _named(source, sentences[0].text[tokens[behind].start - offset :], kind)
        if clauses.classes[place] in VERBAL and word not in _AUXILIARIES:
            return None
    return None


def _behind(part: str) -> tuple[str, str, str] | None:
    """Who says it, where that stands behind."""
    told = re.match(r"(?i)(.+?),? according to ([^,]{2,80})$", part)
    if told is not None:
        return _named(told[2], told[1], "saying")
    verbs = "|".join(sorted(_words("saying")))
    inside = re.match(rf"(?i)([^,]+), ([^,]{{2,60}}?) (?:{verbs}), (.+)$", part)
    if inside is not None:
        return _named(inside[2], f"{inside[1]} {inside[3]}", "saying")
    for kind in ("saying", "finding"):
        verbs = "|".join(sorted(_words(kind)))
        told = re.match(rf"(?i)(.+),[{_QUOTES}]? (?:(?:{verbs}) ([^,]{{2,60}})|([^,]{{2,60}}?) (?:{verbs}))$", part)
        if told is not None:
            return _named(told[2] or told[3], told[1], kind)
    return None


def _named(source: str, rest: str, kind: str) -> tuple[str, str, str] | None:
    words = re.findall(r"n't\b|[\w-]+", source.lower())
    named = _words("nobody").isdisjoint(words) and content_keys(source)
    return (source, rest.strip(f"{_QUOTES} "), kind) if named else None


def _causes(rest: str, kind: str) -> Iterator[tuple[str, str]]:
    """The causes that are given, each with its effect; an effect that is not named is empty."""
    if kind in ("blaming", "tracing"):
        patterns = {
            "blaming": (r"(?P<effect>.+) on (?P<cause>.+)", r"(?P<cause>.+?) for (?P<effect>.+)", r"(?P<cause>[^,]+)"),
            "tracing": (r"(?P<effect>.+) to (?P<cause>.+)",),
        }[kind]
        blamed = next((found for one in patterns if (found := re.fullmatch(one, rest)) is not None), None)
        if blamed is not None:
            yield blamed["cause"], blamed.groupdict().get("effect") or ""
        return
    for sentence in quick_sentences(f"{rest[:1].upper()}{rest[1:]}."):
        stated = [one for one in stated_causes(sentence) if one.cue.relation == _CAUSES]
        for one in stated:
            if one.affirmed and one.actual and (one.of_it or not one.reaches_back):
                yield one.cause, "" if one.of_it else one.effect
        if not stated:
            yield from _pointed(sentence.text.rstrip("."))


def _pointed(text: str) -> Iterator[tuple[str, str]]:
    """The cause of what is not named again: "it was a short circuit", "a short circuit did"."""
    so, pointing = ("|".join(sorted(_words(name), key=len, reverse=True)) for name in ("named_so", "pointing"))
    told = re.fullmatch(rf"(?i)(?:{so}) (?P<cause>[^,]+)", text) or re.fullmatch(
        rf"(?i)(?P<cause>[^,]+?) (?:{pointing})", text
    )
    if told is not None and not _has_verb(told["cause"]):
        yield told["cause"], ""


def _failures(rest: str, before: str) -> Iterator[tuple[str, str]]:
    """What went wrong by another source, which names no effect: "the captain says *the rudder failed*"."""
    told = content_keys(before)
    for sentence in quick_sentences(f"{rest[:1].upper()}{rest[1:]}."):
        affirmed, actual = stated_as(sentence)
        keys = content_keys(sentence.text)
        of_failure = any(key_of(token.text) in keys and _goes_wrong(token) for token in sentence.tokens)
        if affirmed and actual and of_failure and keys.isdisjoint(told):
            yield sentence.text.rstrip("."), ""


def _goes_wrong(token: Token) -> bool:
    return kind_of(token.lemma) in _words("going_wrong") or token.lemma in _words("faulty")


def _has_verb(text: str) -> bool:
    return any(one in VERBAL for each in quick_sentences(text) for one in Clauses(each).classes)


def _happening(effect: str, before: str) -> str:
    """The effect, or what it points at: "destroyed *it*"; empty where it points at nothing told."""
    points = re.search(r"(?i)\b(?:it|this|that|them|these)\b", effect) is not None
    keys = content_keys(effect)
    if keys and not points:
        return effect
    return before if keys <= content_keys(before) else effect


@cache
def _attributing() -> frozenset[str]:
    """The words without which nothing is attributed to anybody."""
    return frozenset({"according", "view", "opinion"}).union(*map(_words, _KINDS))


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(_table()[name])


def _pattern(name: str) -> str:
    return str(_table()[name])


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
