"""What a sentence tells that it takes for something to happen: "the press cannot start unless its guard is shut"."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

_END: Final = re.compile(r"[,;:)]|\s[–—-]\s|[.!?…]*[\"'”’]*\s*$")
_NEGATION: Final = re.compile(r"\b(?:not|never|no|neither|nor|cannot|nothing|nobody)\b|n['’]t\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Precondition:
    """A condition and what hangs on it, in the words of a sentence.

    Attributes:
        outcome: What happens, or cannot, without the condition.
        condition: What it takes, or what would be enough, without its opening word.
        explains: Pairs of whether the outcome happened and whether what the condition tells of did: the one goes back
            to the other.
    """

    outcome: str
    condition: str
    explains: frozenset[tuple[bool, bool]]


def precondition(sentence: str) -> Precondition | None:
    """The first condition that a sentence tells; none where it tells none, or nothing that hangs on it."""
    found = _pattern().search(sentence)
    if found is None:
        return None
    kind = _kinds()[" ".join(found.group().lower().split())]
    mark = _END.search(sentence, found.end())
    stop = mark.start() if mark else len(sentence)
    condition = sentence[found.end() : stop].strip()
    before, after = sentence[: found.start()].strip(" ,;:("), sentence[stop:].strip(" ,;:).")
    outcome = before if before or kind == "requirements" else after
    if not condition or not outcome:
        return None
    if found.group().lower() == "without" and not _general().search(outcome):
        return None
    happens, needed = _NEGATION.search(outcome) is None, _NEGATION.search(condition) is None
    pairs = {(happens, needed), (not happens, not needed)}
    if kind == "missing":
        pairs = {(happens, not needed), (not happens, needed)}
    elif kind == "sufficient":
        pairs = {(happens, needed)}
    return Precondition(outcome, condition, frozenset(pairs))


@cache
def _table() -> dict[str, list[str]]:
    return tomllib.loads(files("language").joinpath("preconditions.toml").read_text(encoding="utf-8"))


@cache
def _kinds() -> dict[str, str]:
    """The kind of each opening."""
    kinds = ("sufficient", "necessary", "missing", "requirements")
    return {opening: kind for kind in kinds for opening in _table()[kind]}


@cache
def _pattern() -> re.Pattern[str]:
    openings = "|".join(one.replace(" ", r"\s+") for one in sorted(_kinds(), key=len, reverse=True))
    return re.compile(rf"(?<!even )(?<!as )(?<!what )\b(?:{openings})\b(?! only)", re.IGNORECASE)


@cache
def _general() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_table()['general'])})\b|n['’]t\b", re.IGNORECASE)
