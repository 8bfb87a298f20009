"""A collection as a networkx graph, and as GraphML."""

from __future__ import annotations

import io
import json
import re
from typing import TYPE_CHECKING, Any

from kg.export_records import events, proved_edges
from kg.records import Record
from kg.store import GraphStore

if TYPE_CHECKING:
    import networkx

NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML 1.0 document may hold, escaped or not."""


def to_networkx(store: GraphStore, collection: str) -> networkx.MultiDiGraph[str]:
    """Events as nodes and edges from cause to effect, keyed by relation; attributes are the records' fields.

    Edges also have `quotes` and `documents`, one for each of their `claims`. Tuples are lists, enumerations
    their values.
    """
    import networkx

    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(collection=collection)
    for event in events(store, collection):
        graph.add_node(event.id, **_fields(event, "id", "collection"))
    for edge, claims in proved_edges(store, collection):
        graph.add_edge(
            edge.cause,
            edge.effect,
            key=edge.relation.value,
            **_fields(edge, "cause", "effect", "collection"),
            quotes=[claim.quote for claim in claims],
            documents=[claim.document_id for claim in claims],
        )
    return graph


def export_graphml(store: GraphStore, collection: str) -> str:
    """The graph of `to_networkx` as GraphML.

    GraphML knows scalars only: lists are written as JSON, what is not told is left out, and a character that XML cannot
    hold becomes U+FFFD. The canonical export loses nothing.
    """
    import networkx

    graph = to_networkx(store, collection)
    graph.graph = {key: _scalar(value) for key, value in graph.graph.items()}
    for _, attributes in graph.nodes(data=True):
        _make_scalar(attributes)
    for _, _, attributes in graph.edges(data=True):
        _make_scalar(attributes)
    written = io.BytesIO()
    networkx.write_graphml(graph, written, named_key_ids=True)
    return written.getvalue().decode("utf-8") + "\n"


def _fields(record: Record, *without: str) -> dict[str, Any]:
    return record.model_dump(mode="json", exclude=set(without))


def _make_scalar(attributes: dict[str, Any]) -> None:
    for key, value in list(attributes.items()):
        if value is None:
            del attributes[key]
        else:
            attributes[key] = _scalar(value)


def _scalar(value: object) -> str | int | float | bool:
    if isinstance(value, bool | int | float):
        return value
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return NOT_IN_XML.sub("\ufffd", text)
