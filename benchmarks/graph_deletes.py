"""What deleting one document costs, in a small graph and in a large one, with and without a mention of the hub."""

from __future__ import annotations

import time
from collections.abc import Mapping

from benchmarks.graph_generator import COLLECTION, HUB_DOCUMENTS, ByWords, GeneratedGraph
from benchmarks.spread import spread
from kg.records import Document
from kg.store import GraphStore

Seconds = dict[str, list[float]]
"""By name of the measure, one for each document."""


def measure_deletes(graph: GeneratedGraph, stores: Mapping[str, GraphStore], rounds: int) -> Seconds:
    """Deletes documents and derives, then commits them again and derives, so that the graph is as before.

    All documents are of the same size.
    """
    found: Seconds = {}
    # The first is not counted: it warms up.
    for turn in range(rounds + 1):
        for hub in (False, True):
            document = _document(graph, turn, hub)
            bundle = graph.bundle(document)
            id_ = Document.id_of(bundle.text)
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
                    kind = "document that tells of the hub" if hub else "ordinary document"
                    for part, begin, end in parts:
                        found.setdefault(f"{kind}, {name}, {part}", []).append(end - begin)
    return found


def delete_figures(by_size: Mapping[int, Seconds]) -> dict[str, list[object]]:
    """The seconds by size of the graph, and how many times as long it takes as in the smallest."""
    figures: dict[str, list[object]] = {}
    least = by_size[min(by_size)]
    for what in least:
        figures[f"{what}, s"] = [spread(found[what]) for found in by_size.values()]
        figures[f"{what}, times that of the smallest graph"] = [
            spread([mine / smallest for mine, smallest in zip(sorted(found[what]), sorted(least[what]), strict=True)])
            for found in by_size.values()
        ]
    return figures


def _document(graph: GeneratedGraph, turn: int, hub: bool) -> int:
    """The number of a document that does or does not tell of the hub, another each turn."""
    tenth = graph.documents // 10 // HUB_DOCUMENTS * HUB_DOCUMENTS
    return tenth * (1 + turn % 9) + (0 if hub else 1)
