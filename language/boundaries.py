"""Where sentences end in running text, by rule: full stops that end one, and those that do not."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

_CLOSERS: Final = "'\"’”»)\\]"
_CANDIDATE: Final = re.compile(
    rf"(?P<stop>[.!?…]+)(?P<close>[{_CLOSERS}]{{0,4}}|(?<=[^\W\d_]{{3}}\.)\d{{1,2}})(?=\s)|(?P<wide>[。！？]+)[」』”’]?"
)
_BEFORE: Final = re.compile(r"[^\s(\[\"'“‘]{1,40}$")
_NEXT: Final = re.compile(r"\s+(?P<open>[(\[\"'“‘«*_]*)(?P<word>[^\s]{1,40})")
_INITIAL: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_EDGE: Final = re.compile(r"^\W+|\W+$")


@cache
def _table() -> dict[str, frozenset[str]]:
    path = Path(__file__).with_name("sentences.toml")
    return {name: frozenset(words) for name, words in tomllib.loads(path.read_text(encoding="utf-8")).items()}


def sentence_ends(text: str) -> Iterator[int]:
    """Offsets, one past the last character of each sentence but the last of the text, in order.

    Args:
        text: One paragraph; line ends inside it count as spaces.
    """
    for match in _CANDIDATE.finditer(text):
        if match["wide"] or _ends(text, match):
            yield match.end()


def _ends(text: str, match: re.Match[str]) -> bool:
    follow = _NEXT.match(text, match.end())
    if follow is None:
        return False
    word = follow["word"]
    if word[:1].islower():
        return False
    if match["stop"] != ".":
        return True
    before = _BEFORE.search(text, max(0, match.start() - 41), match.start())
    if before is None:
        return not match["close"] or text[match.start() - 1 : match.start()] not in ("", " ")
    if match["close"]:
        return True
    return _ends_after(before.group(), word, at_start=not text[: before.start()].strip())


def _ends_after(last: str, word: str, *, at_start: bool) -> bool:
    table, last_lower = _table(), last.lower()
    word_lower = _EDGE.sub("", word).lower()
    opens = word_lower in table["openers"] and word[:1].isupper()
    if at_start and (last.isdigit() or len(last) == 1):
        return False
    if last_lower in table["followed_by_number"] and word[:1].isdigit():
        return False
    if last_lower in table["clock"]:
        return word_lower not in table["after_clock"]
    if last_lower in table["always_followed"]:
        return False
    if last_lower in table["may_end"] or (_INITIAL.fullmatch(last) and last != "I"):
        return opens
    return True
