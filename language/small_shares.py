"""Things of which a sentence tells something by a part: "not all patients", "few passengers", "ten of the 200 men".

What few passengers did is no answer to what the passengers did, and what ten of them did none to what all 200 did. The
words are data (`small_shares.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Final, NamedTuple

from language.content_words import content_keys, key_of

_WORD: Final = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_NAMING: Final = 2
"""Words behind that may name the things: "few *old passengers*"."""


class _Share(NamedTuple):
    """A subject of a sentence that is only a part of some things: where it starts, and the words behind it."""

    start: int
    behind: list[re.Match[str]]


def tells_small_share(asked: str, told: str) -> str | None:
    """The words for a part of the things that a question asks about, where a text tells only of that part; else none.

    Args:
        asked: The happening that is asked about.
        told: The text.
    """
    part = _part_of_all(asked, told)
    if part is not None:
        return part
    shares = list(_shares(told))
    if not shares or _share().search(asked) is not None:
        return None
    keys = content_keys(asked)
    for share in shares:
        named = next((word for word in share.behind if key_of(word.group()) in keys), None)
        if named is None:
            continue
        beside = content_keys(f"{told[: share.start]} {told[named.end() :]}")
        if key_of(named.group()) not in beside:
            return " ".join(told[share.start : named.end()].split()).lower()
    return None


def _part_of_all(asked: str, told: str) -> str | None:
    """The words for a part, where a question asks about all of the things, or about the number it is taken from."""
    words = [*_WORD.finditer(told)] if _part().search(told) is not None else []
    for match in _part().finditer(told):
        things = [word for word in words if word.start() >= match.end()][:_NAMING]
        keys = {key_of(word.group()) for word in things}
        wanted = [asked[: word.start()] for word in _WORD.finditer(asked) if key_of(word.group()) in keys]
        whole = match["whole"]
        of_all = any(_all().search(before) or (whole and _ends_with(before, whole)) for before in wanted)
        told_of_all = any(_all().search(told[: word.start()]) for word in words if key_of(word.group()) in keys)
        if of_all and not told_of_all and match["part"].lower() not in asked.lower():
            return " ".join(told[match.start() : things[0].end()].split()).lower()
    return None


def _ends_with(before: str, number: str) -> bool:
    """Whether a number stands in front of the thing, or one word before: "200 (old) passengers"."""
    return number.lower() in [word.group().lower() for word in _WORD.finditer(before)][-_NAMING:]


def _shares(text: str) -> Iterator[_Share]:
    for match in _share().finditer(text):
        if _opening().search(text, 0, match.start()) is not None:
            behind = [*islice(_WORD.finditer(text, match.end()), _NAMING)]
            yield _Share(match.start(), behind)


@cache
def _share() -> re.Pattern[str]:
    table = _table()
    return re.compile(rf"\b(?:{'|'.join(table['shares'])}){table['of']}(?![\w-])", re.IGNORECASE)


@cache
def _part() -> re.Pattern[str]:
    table = _table()
    number = f"(?:{table['numbers']})"
    part = f"(?P<part>{number}|{table['parts']})"
    whole = f"of{table['of_whole']}(?: (?P<whole>{number}))?"
    return re.compile(rf"\b{part}(?: {whole})?(?![\w-])", re.IGNORECASE)


@cache
def _all() -> re.Pattern[str]:
    return re.compile(_table()["all"], re.IGNORECASE)


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(_table()["opening"], re.IGNORECASE)


@cache
def _table() -> dict[str, str]:
    return tomllib.loads(files("language").joinpath("small_shares.toml").read_text(encoding="utf-8"))
