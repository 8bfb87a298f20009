"""A statement apart from the condition under which it holds, and from its exception."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

_END: Final = re.compile(r"[,;:)]|\s[–—-]\s|[.!?…]*[\"'”’]*\s*$")


@dataclass(frozen=True, slots=True)
class Conditions:
    """The parts of a sentence.

    Attributes:
        claim: What is left without the other two, in single spaces.
        condition: Start and end of the stretch that says when the statement holds; none where nothing does.
        exception: Start and end of the stretch that says when it does not; none likewise.
    """

    claim: str
    condition: tuple[int, int] | None
    exception: tuple[int, int] | None


def conditions(sentence: str) -> Conditions:
    """Cuts the first condition and the first exception out of a sentence.

    Each reaches from its opening word to the next mark, or to where the other one opens. Offsets are those of the
    sentence.
    """
    condition, exception = _opening("condition", sentence), _opening("exception", sentence)
    ends = {}
    for name, start, other in (("condition", condition, exception), ("exception", exception, condition)):
        if start is not None:
            bound = other if other is not None and other > start else len(sentence)
            # The mark may not belong to the opening itself.
            found = _END.search(sentence, start + 1)
            ends[name] = (start, len(sentence[: min(bound, found.start() if found else bound)].rstrip()))
    cuts = sorted(ends.values())
    kept, last = [], 0
    for start, end in cuts:
        kept.append(sentence[last:start])
        last = end
    kept.append(sentence[last:])
    claim = " ".join(part.strip(" ,;") for part in kept).strip(" ,;")
    claim = re.sub(r"\s+", " ", re.sub(r"\s*\(\s*\)|\s+(?=[.!?…,;])", "", claim))
    return Conditions(claim, ends.get("condition"), ends.get("exception"))


def _opening(kind: str, sentence: str) -> int | None:
    found = _pattern(kind).search(sentence)
    return None if found is None else found.start()


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    table = tomllib.loads(files("language").joinpath("conditions.toml").read_text(encoding="utf-8"))
    openings = sorted(table[kind]["openings"], key=len, reverse=True)
    # "as if" and "what if" open no condition, nor does "but not only".
    return re.compile(rf"(?<!as )(?<!what )\b(?:{'|'.join(openings)})\b(?! only)", re.IGNORECASE)
