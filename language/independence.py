"""Sentences that tell of something without a cause: "it would have been closed anyway", "even without the rain"."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files


def happens_anyway(sentence: str) -> bool:
    """Whether it says that something would have happened all the same."""
    return _pattern("anyway").search(sentence) is not None


def without_what(sentence: str) -> tuple[str, str]:
    """The words for the cause that something happens without, as far as the next comma, and the rest of the sentence.

    The first is empty where it says no such thing.
    """
    lacking = _pattern("without").search(sentence)
    denied = _pattern("denied").search(sentence) if lacking is None else None
    found = lacking or denied
    if found is None:
        return "", sentence
    start = found.end() if found is lacking else found.start()
    words = sentence[start:].partition(",")[0]
    return words, f"{sentence[: found.start()]} {sentence[start + len(words) :]}"


@cache
def _pattern(name: str) -> re.Pattern[str]:
    table = tomllib.loads(files("language").joinpath("independence.toml").read_text(encoding="utf-8"))
    return re.compile(table[name], re.IGNORECASE)
