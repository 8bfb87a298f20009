"""What the answers that a question offers say of themselves."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from importlib.resources import files

_SPACES = re.compile(r"\s+")
_MARKS = " \t\n.,;:!?\"'“”‘’«»()"


def choice_key(text: str) -> str:
    """What makes two offered answers one: their words, whatever their case, white space and the marks around them."""
    return _SPACES.sub(" ", unicodedata.normalize("NFKC", text)).strip(_MARKS).casefold()


def is_none_of_the_others(text: str) -> bool:
    """Whether an offered answer only says that the others are wrong."""
    return _pattern("none_of_the_others").fullmatch(choice_key(text)) is not None


def is_prospective(text: str) -> bool:
    """Whether it tells what somebody meant to do."""
    return _pattern("prospective").search(text) is not None


def is_intended(text: str) -> bool:
    """Whether it tells what somebody meant to do; "due to", "will" and the like alone say no such thing."""
    return _pattern("intended").search(text) is not None


def is_announced(text: str) -> bool:
    """Whether it tells what was still to come when it was written, whoever meant it."""
    return is_intended(text) or _pattern("announced").search(text) is not None


@cache
def _pattern(name: str) -> re.Pattern[str]:
    table = tomllib.loads(files("language").joinpath("choices.toml").read_text(encoding="utf-8"))
    return re.compile(table[name], re.IGNORECASE)
