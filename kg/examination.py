"""What an examination of a store finds: one line for each thing looked at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from kg.store import GraphStore


class State(StrEnum):
    """How a thing stands."""

    OK = "ok"
    WARNING = "warning"
    """It works, but not as well as it could, or not for long."""
    FAILURE = "failure"
    """The store cannot be used, or not for everything."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        check: What was looked at: `port`, `login`, `indexes`.
        found: What was found, in words; never a password.
        advice: What to do about it; empty when nothing is to be done.
    """

    check: str
    state: State
    found: str
    advice: str = ""


def ok(check: str, found: str) -> Finding:
    """A thing that is as it should be."""
    return Finding(check, State.OK, found)


def warning(check: str, found: str, advice: str) -> Finding:
    """A thing that works, but should be mended."""
    return Finding(check, State.WARNING, found, advice)


def failure(check: str, found: str, advice: str) -> Finding:
    """A thing that has to be mended."""
    return Finding(check, State.FAILURE, found, advice)


def collection_findings(store: GraphStore, lease_of: Callable[[str], tuple[str, float] | None]) -> Iterator[Finding]:
    """What the collections of a store hold, whether they wait for derivation, and who derives them.

    Args:
        lease_of: From the name of a collection to the holder of its lease, and when that ends in seconds since 1970.
    """
    names = store.collections()
    if not names:
        yield ok("collections", "none yet; the first ingest or copy makes one")
    for name in names:
        counts = store.counts(name)
        held = f"{counts.documents} document(s), {counts.events} event(s), {counts.edges} edge(s)"
        yield ok("collections", f"{name}: {held}, generation {store.generation(name)}")
        waiting = store.pending(name)
        lease = lease_of(name)
        left = lease[1] - time.time() if lease else 0.0
        if lease and left > 0:
            yield ok("lease", f"{name} is being derived by {lease[0]}; its lease ends in {left:.0f} s")
        elif waiting:
            advice = "Any ingest into it derives the rest; an ingest of a folder that did not change is enough."
            yield warning(
                "derivation", f"{name}: {waiting} block(s) wait, so the graph lacks what they will add", advice
            )
        if lease and left <= 0:
            advice = "Nothing is to be done: the next derivation takes it over."
            yield warning("lease", f"{name}: a lease of {lease[0]} ran out without being given back", advice)
