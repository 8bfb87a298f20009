"""What deleting one document costs, in a small graph and in a large one, with and without a mention of the hub."""

from __future__ import annotations

import time
from collections.abc import Mapping

from benchmarks.graph_generator import COLLECTION, HUB_DOCUMENTS, ByWords, GeneratedGraph
from benchmarks.spread import spread
from kg.records import Document, Relation
from kg.store import Bundle, Direction, GraphStore

Measures = dict[str, list[float]]
"""By name of the measure with its unit, one for each document."""


def measure_deletes(graph: GeneratedGraph, stores: Mapping[str, GraphStore], rounds: int) -> Measures:
    """Deletes documents and derives, then commits them again and derives, so that the graph is as before.

    All documents are of the same size; how many edges there are at the events that they tell of is told, since by the
    power law the more frequent events have more of them in a larger graph.
    """
    found: Measures = {}
    # The first is not counted: it warms up.
    for turn in range(rounds + 1):
        for hub in (False, True):
            document = _document(graph, turn, hub)
            bundle = graph.bundle(document)
            id_ = Document.id_of(bundle.text)
            kind = "document that tells of the hub" if hub else "ordinary document"
            if turn:
                edges = _edges_at_its_events(bundle, next(iter(stores.values())))
                found.setdefault(f"{kind}, edges at its events", []).append(edges)
            for name in list(stores) if turn % 2 else list(stores)[::-1]:
                store = stores[name]
                times = [time.perf_counter()]
                store.delete_document(COLLECTION, id_)
                times.append(time.perf_counter())
                store.derive(COLLECTION, ByWords())
                times.append(time.perf_counter())
                store.commit_document(bundle)
                store.derive(COLLECTION, ByWords())
                times.append(time.perf_counter())
                if turn:
                    parts = zip(
                        ("delete", "derive after it", "commit and derive again"), times, times[1:], strict=False
                    )
                    for part, begin, end in parts:
                        found.setdefault(f"{kind}, {name}, {part}, s", []).append(end - begin)
    return found


def delete_figures(by_size: Mapping[int, Measures]) -> dict[str, list[object]]:
    """The measures by size of the graph, and how many times those of the smallest they are."""
    figures: dict[str, list[object]] = {}
    least = by_size[min(by_size)]
    for what in least:
        figures[what] = [spread(found[what]) for found in by_size.values()]
        figures[f"{what.removesuffix(', s')}, times that of the smallest graph"] = [
            spread([mine / smallest for mine, smallest in zip(sorted(found[what]), sorted(least[what]), strict=True)])
            for found in by_size.values()
        ]
    return figures


def _document(graph: GeneratedGraph, turn: int, hub: bool) -> int:
    """The number of a document that does or does not tell of the hub, another each turn."""
    tenth = graph.documents // 10 // HUB_DOCUMENTS * HUB_DOCUMENTS
    return tenth * (1 + turn % 9) + (0 if hub else 1)


def _edges_at_its_events(bundle: Bundle, store: GraphStore) -> int:
    """Edges from and to the events that a document tells of: what its deletion has to look at again."""
    found = store.events_of_mentions(COLLECTION, [mention.id for mention in bundle.mentions])
    return sum(
        len(store.edges_at(COLLECTION, list(found.values()), way, tuple(Relation), ruled_out=None)) for way in Direction
    )
