"""The things that are told apart by what stands behind them, or by the place in front of a sentence.

What is told of the director of the museum, of the rivals' shares, or "in Hamburg" is no answer about the director of
the library, the company's shares, or what was so in Bremen. The words are data (`placed_things.toml`).
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

from language.content_words import content_keys, key_of
from language.lemmas import can_be_noun

_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_OF_PLACE: Final = frozenset({"in", "at", "near", "off", "on", "outside", "inside", "across", "around"})
_KINDS: Final = {
    **dict.fromkeys(_OF_PLACE, "place"),
    "of": "of",
    "among": "among",
    "amongst": "among",
    "for": "for",
    "from": "from",
    "between": "between",
}
_BEFORE_NOUN: Final = frozenset(
    {"the", "a", "an", "its", "his", "her", "their", "our", "this", "that", "these", "those", "some", "all", "many"}
)
_FRONT: Final = re.compile(
    r"^\W*(?P<word>in|at|near|off|on|outside|inside|for|among)\s+(?P<rest>[^,.;:]{2,50}?)"
    r"(?=,|\s+(?:the|a|an|it|they|there|many|some|all|most|trains?|no)\b|[.;:]|$)",
    re.IGNORECASE,
)
_OWNER: Final = re.compile(r"(?P<who>[^\W_]+(?:-[^\W_]+)*?)(?:['’]s|(?<=s)['’])\s+")
_DESCRIBING: Final = 2
"""Words that may stand before the noun behind a preposition: "of the *old stone* bridge"."""


class _Slot(NamedTuple):
    """What something hangs from, and how: the key of a noun, and the kind of its preposition."""

    noun: str
    kind: str


def tells_other_placed(asked: str, told: str) -> bool:
    """True when a text tells of a thing of another place or owner than a question, and nowhere names the asked one.

    Args:
        asked: The happening that is asked about.
        told: The telling of one happening.
    """
    wanted = _slots(asked)
    if not wanted:
        return False
    others, front = _slots(told), _front(told)
    named, keys = content_keys(told), content_keys(asked)
    for slot, first in wanted.items():
        elsewhere = slot.kind == "place" and first <= named and not first & others.get(slot, first)
        if not first <= named or (elsewhere and _all_names(others[slot] | first, f"{asked} {told}")):
            rivals = others.get(slot, frozenset())
            if front is not None and front[0] == slot.kind:
                rivals |= {front[1]}
            if rivals and not rivals & keys:
                return True
    return False


@lru_cache(maxsize=16_384)
def _slots(text: str) -> dict[_Slot, frozenset[str]]:
    """The keys of the first words of the noun phrases behind each noun and its preposition."""
    words = list(_WORD.finditer(text))
    found: dict[_Slot, frozenset[str]] = {}
    for owner, owned in pairwise(words):
        base = _OWNER.fullmatch(text[owner.start() : owned.start()])
        if base is not None and can_be_noun(owned.group().casefold()):
            slot = _Slot(key_of(owned.group()), "owner")
            found[slot] = found.get(slot, frozenset()) | {key_of(base["who"])}
    for place in range(1, len(words) - 1):
        kind = _KINDS.get(words[place].group().casefold())
        if kind is None or not _joined(text, words, place):
            continue
        noun = words[place - 1].group().casefold()
        behind = _named(text, words, place + 1)
        if behind and (can_be_noun(noun) or kind in ("place", "for")):
            slot = _Slot(key_of(noun), kind)
            found[slot] = found.get(slot, frozenset()) | {behind}
    return found


def _all_names(keys: frozenset[str], text: str) -> bool:
    """Whether all of the words have capitals in a text."""
    return keys <= {key_of(word.group()) for word in _WORD.finditer(text) if word.group()[0].isupper()}


@lru_cache(maxsize=16_384)
def _front(text: str) -> tuple[str, str] | None:
    """What a sentence opens with: the kind of its preposition and the key of the first word behind it."""
    opened = _FRONT.match(text)
    if opened is None:
        return None
    words = list(_WORD.finditer(opened["rest"]))
    first = _named(opened["rest"], words, 0) if words else ""
    return (_KINDS[opened["word"].casefold()], first) if first else None


def _named(text: str, words: list[re.Match[str]], start: int) -> str:
    """The key of the first word of the noun phrase that starts at a word; empty for one that tells no things apart."""
    at = start
    while at < len(words) and words[at].group().casefold() in _BEFORE_NOUN:
        at += 1
    keys: list[str] = []
    for place in range(at, min(at + 1 + _DESCRIBING, len(words))):
        word = words[place].group()
        plain = word.casefold()
        if (place > at and not _joined(text, words, place - 1)) or plain in _KINDS or plain[0].isdigit():
            break
        if not content_keys(word) or not (can_be_noun(plain) or word[0].isupper()):
            break
        keys.append(key_of(word))
    return "" if not keys or keys[0] in _no_places() else keys[0]


def _joined(text: str, words: list[re.Match[str]], place: int) -> bool:
    """Whether only a space parts a word from the next one."""
    return text[words[place].end() : words[place + 1].start()].isspace()


@cache
def _no_places() -> frozenset[str]:
    table = tomllib.loads(files("language").joinpath("placed_things.toml").read_text(encoding="utf-8"))
    return frozenset(table["no_places"].split())
