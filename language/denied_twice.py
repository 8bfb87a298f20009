"""What a sentence makes of a statement of which it denies the denial: "no doubt that", "has not been ruled out that".

The words are data (`denied_twice.toml`).
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Final

from language.clauses import Clauses

_FARTHEST: Final = 14
"""Tokens from the words that deny the denial to the verb of the statement."""


def denied_twice(clauses: Clauses, place: int) -> str | None:
    """The modality of what a verb tells where a denial of it is denied before it.

    Args:
        clauses: The sentence.
        place: The first token of the group of the verb.

    Returns:
        `actual` behind "no doubt that", `possible` behind "cannot be ruled out that"; none where neither stands.
    """
    start = max(place - _FARTHEST, 0)
    start = next((at + 1 for at in range(place - 1, start - 1, -1) if clauses.is_hard(at)), start)
    before = " ".join(clauses.words[start:place])
    return next((kind for kind, pattern in _patterns().items() if pattern.search(before) is not None), None)


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    table = tomllib.loads(files("language").joinpath("denied_twice.toml").read_text(encoding="utf-8"))
    return {kind: re.compile(rf"\b(?:{'|'.join(lines)})\b") for kind, lines in table.items()}
