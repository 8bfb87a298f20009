"""Things of one sort that a document tells apart by the noun before theirs: the search and the payments service."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from language.content_words import content_keys, key_of
from language.lemmas import can_be_adjective, can_be_noun

_PAIR: Final = re.compile(r"(?=\b(?P<kind>[a-z]+(?:-[a-z]+)*)\s+(?P<noun>[a-z]+)\b)", re.IGNORECASE)
_PLACED: Final = re.compile(
    r"\b(?P<noun>[a-z]+) (?P<word>in|among|for|at|near|of) (?:the |an? )?(?P<other>[\w-]+)", re.IGNORECASE
)
"""A thing that is told by where it is, or of whom: "the trial in children"."""
_BEFORE: Final = re.compile(
    r"(?:\b(?:the|a|an|its|his|her|their|our|this|that|each|every|no|some|all)|[\d,.;:(]|^)\s*$", re.IGNORECASE
)

_LONGEST: Final = 12
"""Characters before a noun within which its article stands."""


def kind_apart(asked: str, told: str, whole: str) -> str | None:
    """The words by which a question names another kind of thing than what is told, where the document names both.

    Args:
        asked: The question.
        told: What is told.
        whole: The text of the document.

    Returns:
        "search service", where only a payments service is told of; none where nothing is told apart.
    """
    told_of, named = _kinds(told), content_keys(told)
    for noun, kinds in _kinds(asked).items():
        others = told_of.get(noun, frozenset()) - kinds
        for kind in kinds:
            if (
                others
                and kind not in named
                and not others & content_keys(asked)
                and kind in _kinds(whole).get(noun, ())
            ):
                return next(
                    match["kind"] + " " + match["noun"]
                    for match in _PAIR.finditer(asked)
                    if (key_of(match["kind"]), key_of(match["noun"])) == (kind, noun)
                )
    return None


def kind_later(asked: str, told: str, at: int, whole: str) -> str | None:
    """The words by which a question names a thing that its document names only behind what is told: "the lorry driver".

    "The driver was dazzled" tells nothing of the lorry driver where that one is spoken of only behind it.

    Args:
        asked: The question.
        told: What is told.
        at: Where that starts in its document.
        whole: The text of the document.
    """
    named = content_keys(told)
    known = {(key_of(match["kind"]), key_of(match["noun"])) for match in _PAIR.finditer(told)}
    for kind, noun in _pairs(asked):
        if (key_of(kind), key_of(noun)) in known or key_of(noun) not in named:
            continue
        first = re.search(rf"\b{re.escape(kind)}\s+{re.escape(noun)}(?:s|es)?\b", whole, re.IGNORECASE)
        if first is not None and first.start() > at:
            return f"{kind} {noun}"
    for placed in _PLACED.finditer(asked):
        noun, other = placed["noun"], placed["other"]
        if key_of(noun) not in named or content_keys(other) <= named:
            continue
        introduced, behind = r"\b(?:an?|another)\s+(?:\w+\s+)?", r"\s+(?:the\s+|an?\s+)?"
        form = rf"{introduced}{re.escape(noun)}\s+{placed['word']}{behind}{re.escape(other)}\b"
        first = re.search(form, whole, re.IGNORECASE)
        if first is not None and first.start() > at:
            return placed.group()
    return None


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Each noun with the noun or the name right before it, behind an article."""
    for match in _PAIR.finditer(text):
        kind, noun = match["kind"], match["noun"]
        described = kind[0].isupper() and match.start() > 0
        plain = can_be_noun(kind.lower()) and not can_be_adjective(kind.lower())
        named = (described or plain) and can_be_noun(noun.lower()) and content_keys(kind)
        if named and _opened(text, match.start()):
            yield kind, noun


def _opened(text: str, place: int) -> bool:
    """Whether an article, a mark or the start stands before a word; only the few characters there are looked at."""
    return _BEFORE.search(text, max(0, place - _LONGEST), place) is not None


@lru_cache(maxsize=256)
def _kinds(text: str) -> dict[str, frozenset[str]]:
    """The keys of the nouns right before each noun, where an article or the start opens the two."""
    found: dict[str, frozenset[str]] = {}
    for match in _PAIR.finditer(text):
        kind, noun = match["kind"].lower(), match["noun"].lower()
        if can_be_noun(kind) and can_be_noun(noun) and content_keys(kind) and _opened(text, match.start()):
            found[key_of(noun)] = found.get(key_of(noun), frozenset()) | {key_of(kind)}
    return found
