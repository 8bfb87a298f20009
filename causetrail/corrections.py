"""What a person says of the graph: decisions made, logged, taken back, and the derivation that follows."""

from __future__ import annotations

import getpass
from collections.abc import Sequence
from datetime import UTC, datetime

from causetrail.errors import RecordUnknown
from kg.encoding import Encoder
from kg.hypothesis_note import note_of
from kg.records import Decision, DecisionKind, Hypothesis, record_id
from kg.store import GraphStore


def decide(
    store: GraphStore, collection: str, kind: DecisionKind, subject: Sequence[str], reason: str, by: str | None
) -> Decision:
    """Logs a decision and derives the graph with it.

    Raises:
        RecordUnknown: a part of the subject does not exist.
        DecisionRefused: a standing decision says otherwise.
    """
    decision = _decision(collection, kind, subject, reason, by or _user(), _now())
    store.decide(decision)
    derive(store, collection)
    return decision


def accept(
    store: GraphStore, collection: str, hypothesis_id: str, reason: str, by: str | None, encoder: Encoder
) -> Decision:
    """Commits a note that states a hypothesis, signed, and derives the graph with it.

    Raises:
        RecordUnknown: there is no such hypothesis, or one of its events is gone.
        DecisionRefused: it is decided on.
    """
    who, at = by or _user(), _now()
    hypothesis = next((one for one in store.hypotheses(collection) if one.id == hypothesis_id), None)
    if hypothesis is None:
        raise RecordUnknown(kind="hypothesis", id=hypothesis_id, collection=collection)
    note = note_of(store, hypothesis, who, at, encoder)
    (claim,) = note.claims
    subject = (claim.id, claim.document_id, hypothesis_id)
    decision = _decision(collection, DecisionKind.ACCEPT_HYPOTHESIS, subject, reason, who, at)
    store.accept(decision, note)
    derive(store, collection)
    return decision


def propose(store: GraphStore, collection: str, hypotheses: Sequence[Hypothesis]) -> list[Hypothesis]:
    """Writes what an answer assumed; gives it as it is written now, or was before.

    Raises:
        RecordUnknown: an event is gone.
    """
    at = _now()
    for one in hypotheses:
        store.propose(one.model_copy(update={"created_at": at}))
    written = {one.id: one for one in store.hypotheses(collection)}
    return [written[one.id] for one in hypotheses]


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


def _decision(collection: str, kind: DecisionKind, subject: Sequence[str], reason: str, by: str, at: str) -> Decision:
    named = tuple(sorted(set(subject)))
    return Decision(
        id=record_id("x", kind.value, *named, by, at),
        collection=collection,
        kind=kind,
        subject=named,
        by=by,
        reason=reason,
        at=at,
        undone=False,
    )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _user() -> str:
    """The name of the user; `unknown` where the system has none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"
