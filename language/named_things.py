"""The names that tell things of one sort apart: the Arlen dam and the Hasel dam, the trains to Oslo and to Bergen."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from language.alike_names import tells_alike_name
from language.content_words import content_keys, key_of
from language.initials import is_shortened
from language.lemmas import can_be_noun
from language.lexicon import readings
from language.name_runs import name_spans, opens_sentence
from language.named_doers import tells_another_doer
from language.namesakes import tells_of_namesake
from language.numbered_things import tells_another_number
from language.placed_things import tells_other_placed
from language.timed_things import tells_another_time

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_PLACING = frozenset({"in", "at", "to", "from", "of", "near", "on", "off"})
_ARTICLES = frozenset({"the", "a", "an"})

_WORDS_BEFORE: Final = 3
"""Most words that lead from a noun to a name: "the train to the Oslo"."""
_WORDS_BEHIND: Final = 2

Thing = tuple[str, str]
"""The key of a common noun, and how the name stands with it: a preposition, or nothing where it stands beside it."""


def tells_another_thing(asked: str, told: str) -> bool:
    """True when a text tells of a thing of one sort, or almost of one name, of another number, time, name or place."""
    another = tells_another_number(asked, told) or tells_another_time(asked, told)
    return another or _names_another(asked, told) or tells_other_placed(asked, told)


@lru_cache(maxsize=65_536)
def tell_apart(one: str, other: str) -> bool:
    """True when two texts, neither of which asks, name two things, so that each tells another thing than the other."""
    return one != other and _names_another(one, other) and _names_another(other, one)


def names_and_beside(text: str) -> str:
    """The names of a text with the few words beside them that can tell what they name; empty where it names nothing."""
    words = [(match.start(), match.end()) for match in _WORD.finditer(text)]
    parts: list[tuple[int, int]] = []
    for name, behind_name in name_spans(text):
        before = [place for place, stop in words if stop <= name][-_WORDS_BEFORE:]
        behind = [stop for place, stop in words if place >= behind_name][:_WORDS_BEHIND]
        start = before[0] if before else name
        if parts and start <= parts[-1][1]:
            start = parts.pop()[0]
        parts.append((start, behind[-1] if behind else behind_name))
    return " … ".join(text[start:end] for start, end in parts)


def _names_another(asked: str, told: str) -> bool:
    return (
        tells_another_name(asked, told)
        or tells_of_namesake(asked, told, _sorts())
        or tells_alike_name(asked, told)
        or tells_another_doer(asked, told)
    )


def tells_another_name(asked: str, told: str) -> bool:
    """True when a text tells of the dam of Arlen, and nowhere of Hasel, where a question asks about the dam of Hasel.

    Two names that stand with a noun in other ways ("the explosion at the mill", "the explosion in Orsk") may be of one
    thing, and tell nothing. Nor do a name and its first letters.
    """
    names = names_of_things(asked)
    if not names:
        return False
    others = names_of_things(told)
    words = {word.casefold() for word in _WORD.findall(told)}
    return any(
        not wanted & words and not is_shortened(wanted, told) and not is_shortened(others[thing], asked)
        for thing, wanted in names.items()
        if thing in others
    )


@lru_cache(maxsize=16_384)
def names_of_things(text: str) -> dict[Thing, set[str]]:
    """The names that stand beside a common noun, or behind it and a preposition, in lower case."""
    words = [(match.group(), match.start()) for match in _WORD.finditer(text)]
    found: dict[Thing, set[str]] = {}
    for place, (word, _) in enumerate(words):
        if not _is_name(words, place, text):
            continue
        noun = _noun_beside(words, place, text)
        if noun is not None:
            found.setdefault((key_of(noun.casefold()), ""), set()).add(word.casefold())
        placed = _noun_before(words, place)
        if placed is not None:
            found.setdefault(placed, set()).add(word.casefold())
    return found


def _is_name(words: list[tuple[str, int]], place: int, text: str) -> bool:
    """Whether a word has a capital that its place does not give it, and is no sort of place ("Street") or a number."""
    word, start = words[place]
    if not word[0].isupper() or word.casefold() in _sorts() or not content_keys(word):
        return False
    if opens_sentence(text, start):
        follows = place + 1 < len(words) and words[place + 1][0].casefold() in _sorts()
        return (follows and words[place + 1][0][0].isupper()) or word.casefold() not in readings()
    return True


def _noun_beside(words: list[tuple[str, int]], place: int, text: str) -> str | None:
    """The noun that a name stands before ("Arlen dam", "Mill Street") or behind ("River Teller")."""
    end = place + 1
    while end < len(words) and _is_name(words, end, text) and _joined(words, end, text):
        end += 1
    if end < len(words) and _joined(words, end, text):
        follower = words[end][0]
        if follower.casefold() in _sorts() or (follower.islower() and can_be_noun(follower)):
            return follower if follower.casefold() not in _PLACING else None
    if place and words[place - 1][0].casefold() in _sorts() and _joined(words, place, text):
        return words[place - 1][0]
    return None


def _noun_before(words: list[tuple[str, int]], place: int) -> Thing | None:
    """The noun and the preposition that lead to a name: "the train to Oslo", "a clinic in the Bexley"."""
    at = place - 1
    while at > 0 and (words[at][0][0].isupper() or words[at][0].casefold() in _ARTICLES):
        at -= 1
    if at < 1 or words[at][0].casefold() not in _PLACING:
        return None
    noun = words[at - 1][0]
    return (key_of(noun.casefold()), words[at][0].casefold()) if noun[0].islower() and can_be_noun(noun) else None


def _joined(words: list[tuple[str, int]], place: int, text: str) -> bool:
    """Whether nothing but a space parts a word from the one before it."""
    (before, start), (_, here) = words[place - 1], words[place]
    return text[start + len(before) : here].isspace()


@cache
def _sorts() -> frozenset[str]:
    table = tomllib.loads(files("language").joinpath("named_things.toml").read_text(encoding="utf-8"))
    return frozenset(table["sorts"])
