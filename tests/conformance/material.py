"""Small documents for the tests of stores, written as statements; a resolver; and all a store says, as one text."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np

from kg.addresses import open_store
from kg.components import connected
from kg.neo4j_access import Neo4jAccess
from kg.records import (
    Claim,
    Decision,
    DecisionKind,
    Document,
    Hypothesis,
    Mention,
    Modality,
    Passage,
    PassageKind,
    Polarity,
    Relation,
    Resolution,
    record_id,
)
from kg.resolution import Resolved
from kg.store import Bundle, GraphStore, Source
from tests.neo4j.server import PASSWORD, USER

DIMENSION = 4
ACCESS = Neo4jAccess(user=USER, password=PASSWORD)


def open_at(address: str, *, wait_seconds: float = 60, lease_seconds: float = 5.0, create: bool = False) -> GraphStore:
    """The store at an address of either kind; by default it waits for as long as a busy machine may take."""
    return open_store(address, wait_seconds=wait_seconds, lease_seconds=lease_seconds, create=create, access=ACCESS)


@dataclass(frozen=True)
class Statement:
    """One sentence. A happening is written `kind-number`; equal names on equal days are one event."""

    cause: str
    effect: str
    relation: Relation = Relation.CAUSES
    polarity: Polarity = Polarity.AFFIRMED
    modality: Modality = Modality.ACTUAL
    confidence: float = 0.8
    cause_day: int | None = None
    effect_day: int | None = None


def source_of(name: str, **fields: object) -> Source:
    given = Source(
        name=name,
        raw_sha256=sha256(name.encode()).hexdigest(),
        origin=name.split("#", maxsplit=1)[0],
        doc_title=f"About {name}",
        published=None,
        published_resolution=None,
        media_type="text/plain",
        pages=(),
        normaliser="n1",
    )
    return replace(given, **fields)  # type: ignore[arg-type]


def bundle_of(
    name: str,
    statements: Sequence[Statement],
    *,
    collection: str = "main",
    extraction: str = "x1",
    words: str = "",
    source: Source | None = None,
) -> Bundle:
    """A document of one sentence for each statement, after the free `words`; each sentence is a passage."""
    sentences = [f"{s.cause} on {s.cause_day} did {s.relation.value} {s.effect} on {s.effect_day}." for s in statements]
    lead = f"{words or 'Report ' + name}. "
    text = lead + " ".join(sentences)
    document_id = Document.id_of(text)
    source = source or source_of(name)
    mentions: list[Mention] = []
    claims: list[Claim] = []
    passages: list[Passage] = []
    start = len(lead)
    for ordinal, (statement, sentence) in enumerate(zip(statements, sentences, strict=True)):
        end = start + len(sentence)
        span = (start, end)
        cause = _mention(text, collection, document_id, statement.cause, start, span, statement.cause_day)
        effect_at = text.rindex(statement.effect, start, end)
        effect = _mention(text, collection, document_id, statement.effect, effect_at, span, statement.effect_day)
        mentions += [cause, effect]
        parts = (document_id, statement.relation, cause.id, effect.id, start, end, "did", "rules-1")
        claims.append(
            Claim(
                id=Claim.id_of(*parts),
                collection=collection,
                document_id=document_id,
                relation=statement.relation,
                cause_mention=cause.id,
                effect_mention=effect.id,
                start=start,
                end=end,
                quote=sentence,
                cue="did",
                polarity=statement.polarity,
                modality=statement.modality,
                confidence=statement.confidence,
                extractor="rules-1",
            )
        )
        passages.append(
            Passage(
                id=Passage.id_of(document_id, ordinal, start, end, PassageKind.PROSE),
                collection=collection,
                document_id=document_id,
                ordinal=ordinal,
                start=start,
                end=end,
                page=None if not source.pages else sum(1 for page in source.pages if page <= start),
                kind=PassageKind.PROSE,
            )
        )
        start = end + 1
    return Bundle(
        collection=collection,
        source=source,
        text=text,
        language="en",
        extraction=extraction,
        sentences=len(sentences) + 1,
        passages=tuple(passages),
        passage_vectors=np.stack([vector_of(text[p.start : p.end]) for p in passages])
        if passages
        else np.zeros((0, DIMENSION), np.float32),
        mentions=tuple(mentions),
        mention_vectors=np.stack([vector_of(m.text) for m in mentions])
        if mentions
        else np.zeros((0, DIMENSION), np.float32),
        claims=tuple(claims),
        rejected={"question": 1},
    )


def vector_of(text: str) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """A unit vector that depends on the text alone."""
    numbers = np.frombuffer(sha256(text.encode()).digest()[: 4 * DIMENSION], dtype="<u4").astype(np.float32) + 1
    return (numbers / np.linalg.norm(numbers)).astype(np.float32)


def _mention(
    text: str, collection: str, document_id: str, name: str, start: int, sentence: tuple[int, int], day: int | None
) -> Mention:
    end = start + len(name)
    assert text[start:end] == name
    return Mention(
        id=Mention.id_of(document_id, start, end),
        collection=collection,
        document_id=document_id,
        start=start,
        end=end,
        sentence_start=sentence[0],
        sentence_end=sentence[1],
        text=name,
        lemma=name,
        kind=name.split("-", maxsplit=1)[0],
        polarity=Polarity.AFFIRMED,
        modality=Modality.ACTUAL,
        participants=(),
        place=None,
        incident=None,
        time_start=None if day is None else f"2014-03-{day:02d}T00:00:00Z",
        time_end=None if day is None else f"2014-03-{day + 1:02d}T00:00:00Z",
        time_resolution=None if day is None else Resolution.DAY,
    )


class ByName:
    """Mentions of one name and day are one event; a split leaves each mention alone; a merge joins clusters."""

    def __init__(self, version: str = "by-name-1", by_day: bool = True) -> None:
        self.version = version
        self.by_day = by_day

    def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
        known = {mention.id for mention in mentions}
        alone = {id_ for d in decisions if d.kind is DecisionKind.SPLIT for id_ in d.subject}
        first: dict[tuple[str, ...], str] = {}
        pairs = []
        for mention in sorted(mentions, key=lambda mention: mention.id):
            key = (mention.lemma, (mention.time_start or "") if self.by_day else "", mention.polarity.value)
            if mention.id in alone:
                key = (*key, mention.id)
            pairs.append((first.setdefault(key, mention.id), mention.id))
        for decision in decisions:
            here = [id_ for id_ in decision.subject if id_ in known]
            if decision.kind is DecisionKind.MERGE and here:
                pairs += [(here[0], id_) for id_ in here[1:]]
        least = connected(sorted(known), pairs)
        clusters: dict[str, list[str]] = {}
        for id_ in sorted(known):
            clusters.setdefault(least[id_], []).append(id_)
        lemma = {mention.id: mention.lemma for mention in mentions}
        similar = [(a, b) for a in clusters for b in clusters if a < b and lemma[a] == lemma[b]]
        return Resolved(
            clusters=tuple(sorted(tuple(ids) for ids in clusters.values())),
            similar=tuple(sorted(similar)),
            reasons={id_: ("same name",) for id_, ids in clusters.items() if len(ids) > 1},
        )


def decision_of(kind: DecisionKind, *subject: str, at: int = 1, collection: str = "main") -> Decision:
    moment = f"2026-01-01T00:00:{at:02d}Z"
    ids = tuple(sorted(subject))
    return Decision(
        id=record_id("x", kind.value, ids, "ann", moment),
        collection=collection,
        kind=kind,
        subject=ids,
        by="ann",
        reason="",
        at=moment,
        undone=False,
    )


def content(store: GraphStore, collection: str = "main") -> str:
    """Everything a store says of a collection, without generations."""
    said: list[object] = []
    for document in store.documents(collection):
        said.append(document.model_dump(mode="json"))
        said.append(store.document_text(collection, document.id))
        said += [record.model_dump(mode="json") for record in store.passages_of(collection, document.id)]
        said += [record.model_dump(mode="json") for record in store.mentions_of(collection, document.id)]
        said += [record.model_dump(mode="json") for record in store.claims_of(collection, document.id)]
    said.append(graph(store, collection))
    passages = store.passage_ids(collection)
    said.append(store.events_of_passages(collection, passages))
    said.append(store.passage_vectors(collection, passages).tolist())
    said += [decision.model_dump(mode="json") for decision in store.decisions(collection)]
    said.append(repr(store.counts(collection)))
    return json.dumps(said, indent=1)


def graph(store: GraphStore, collection: str = "main") -> str:
    """What a store derived for a collection."""
    said: list[object] = []
    ids = store.event_ids(collection)
    for id_, event in store.events(collection, ids).items():
        said += [id_, event.model_dump(mode="json"), store.similar_events(collection, id_)]
        said.append([mention.id for mention in store.mentions_of_event(collection, id_)])
    said.append(store.event_vectors(collection, ids).tolist())
    said += [edge.model_dump(mode="json") for edge in store.edges(collection)]
    said += [(merge.event.id, merge.mentions, merge.reasons) for merge in store.merges(collection)]
    return json.dumps(said, indent=1)


NewStore = Callable[[], GraphStore]


def hypothesis_between(
    store: GraphStore, cause_mention: str, effect_mention: str, collection: str = "main", **fields: object
) -> Hypothesis:
    """A hypothesis, not written yet, that the event of one mention led to that of another."""
    found = store.events_of_mentions(collection, [cause_mention, effect_mention])
    premise = "The leak led to the fire."
    cause, effect = found[cause_mention], found[effect_mention]
    given: dict[str, Any] = {
        "id": Hypothesis.id_of(cause, effect, premise),
        "collection": collection,
        "cause": cause,
        "effect": effect,
        "premise": premise,
        "entailment": 0.25,
        "plausibility": 0.75,
        "retrieval": 0.5,
        "contradiction": 0.0,
        "score": 0.675,
        "model": "judge-1",
        "created_at": "2026-01-01T00:00:01Z",
    }
    return Hypothesis(**given | fields)
