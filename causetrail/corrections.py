"""What a person says of the graph: decisions made, logged, taken back, and the derivation that follows."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from datetime import UTC, datetime

from kg.records import Decision, DecisionKind, record_id
from kg.store import GraphStore


def decide(
    store: GraphStore, collection: str, kind: DecisionKind, subject: Sequence[str], reason: str, by: str | None
) -> Decision:
    """Logs a decision and derives the graph with it.

    Raises:
        RecordUnknown: a part of the subject does not exist.
        DecisionRefused: a standing decision says otherwise.
    """
    who = by or _user()
    at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    subject = tuple(sorted(set(subject)))
    decision = Decision(
        id=record_id("x", kind.value, *subject, who, at),
        collection=collection,
        kind=kind,
        subject=subject,
        by=who,
        reason=reason,
        at=at,
        undone=False,
    )
    store.decide(decision)
    derive(store, collection)
    return decision


def undo(store: GraphStore, collection: str, decision_id: str) -> Decision:
    """Takes a decision back and derives the graph without it.

    Raises:
        RecordUnknown: there is none.
    """
    decision = store.undo(collection, decision_id)
    derive(store, collection)
    return decision


def derive(store: GraphStore, collection: str) -> None:
    """The second commit, after a change that was no ingest."""
    from extraction.resolution import EventResolver

    store.derive(collection, EventResolver())


def _user() -> str:
    """The name of the user; `unknown` where the system has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
