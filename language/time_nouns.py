"""Nouns that only say when something was, and name no happening by themselves; the words are in `time_nouns.toml`."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def _table() -> dict[str, list[str]]:
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


@cache
def time_nouns() -> frozenset[str]:
    """Lemmas that only say when: "the week", "March"."""
    return frozenset(_table()["only_when"])


@cache
def stretch_nouns() -> frozenset[str]:
    """`time_nouns` and what stands for a stretch of time before "leading up to": "the shifts", "the events"."""
    return time_nouns() | frozenset(_table()["stretches"])
