"""Causes by precedent: what the graph states to have led to such a happening elsewhere, and is told here as well."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from kg.records import Edge, Event, Relation
from kg.store import Direction, GraphStore
from reasoning.material import Material
from reasoning.thresholds import thresholds

_RELATIONS: Final = (Relation.CAUSES, Relation.ENABLES)
"""What prevents a happening is no precedent for what leads to it."""


@dataclass(frozen=True, slots=True)
class Precedent:
    """A happening told beside the effect that may be its cause, since such a thing was the cause of such a thing.

    Attributes:
        cause: Told in a document of the effect.
        edges: Links between other happenings that are alike, the surest first.
    """

    cause: Event
    edges: tuple[Edge, ...]


def precedents(
    effect: Event, meant: Sequence[str], material: Material, relations: Sequence[Relation] = _RELATIONS
) -> list[Precedent]:
    """Causes of such happenings that are told in the documents of this one, those with the most links first.

    Two happenings are alike when the cosine of the vectors of their descriptions is at least `alike`.

    Args:
        effect: What is to be explained.
        meant: Ids of all events that the question may mean; none of them is a cause or a precedent.
        material: The question, its store and its deadline.
        relations: What the graph states that the one does to the other.
    """
    room, figures = material.room, thresholds().abduction
    left_out = {effect.id, *meant}
    hits = room.index.search_events(effect.description, figures.considered)
    others = [hit.id for hit in hits if hit.id not in left_out]
    likeness = _likeness(room.store, room.collection, [effect.id], others)
    kin = [id_ for id_, near in zip(others, likeness[0], strict=True) if near >= figures.alike]
    if not kin:
        return []
    material.deadline.check()
    edges = room.store.edges_at(room.collection, kin, Direction.TO_CAUSES, relations)
    edges = [edge for edge in edges if edge.cause not in left_out]
    beside = sorted(told_beside(effect, material) - left_out - {*kin})
    by_cause: dict[str, list[Edge]] = defaultdict(list)
    likeness = _likeness(room.store, room.collection, [edge.cause for edge in edges], beside)
    for edge, nearness in zip(edges, likeness, strict=True):
        for id_, near in zip(beside, nearness, strict=True):
            if near >= figures.alike and id_ != edge.cause:
                by_cause[id_].append(edge)
    told = room.store.events(room.collection, sorted(by_cause))
    ranked = sorted(by_cause.items(), key=lambda pair: (-len(pair[1]), -pair[1][0].confidence, pair[0]))
    return [Precedent(told[id_], tuple(edges)) for id_, edges in ranked]


def told_beside(effect: Event, material: Material) -> set[str]:
    """Ids of the events of the documents that tell of the effect."""
    store, collection = material.room.store, material.room.collection
    documents = {mention.document_id for mention in store.mentions_of_event(collection, effect.id)}
    passages = [one.id for document in sorted(documents) for one in store.passages_of(collection, document)]
    return {id_ for ids in store.events_of_passages(collection, passages).values() for id_ in ids}


def _likeness(store: GraphStore, collection: str, rows: Sequence[str], columns: Sequence[str]) -> list[list[float]]:
    """Cosines of the descriptions of events, a row for each of the first."""
    if not rows or not columns:
        return [[] for _ in rows]
    ids = list(dict.fromkeys((*rows, *columns)))
    place = {id_: number for number, id_ in enumerate(ids)}
    vectors = np.asarray(store.event_vectors(collection, ids), dtype=np.float32)
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    first, second = vectors[[place[id_] for id_ in rows]], vectors[[place[id_] for id_ in columns]]
    return [[float(value) for value in row] for row in first @ second.T]
