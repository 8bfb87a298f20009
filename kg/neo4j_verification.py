"""Checks the graph on a server: records by their digests, derived nodes and relationships by what they repeat."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import TracebackType
from typing import Any, Self

from pydantic import ValidationError

from causetrail.errors import StoreDamaged, StoreMissing
from kg.document_facts import DocumentFacts, document_record, source_of
from kg.faults import Fault
from kg.graph_schema import EDGE_TYPES, Label, edge_properties
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_queries import DOCUMENT_TEXT
from kg.neo4j_rows import DIGEST, EDGE, NODES
from kg.neo4j_schema import schema_version
from kg.neo4j_server import Neo4jServer
from kg.neo4j_store import UncheckedNodes
from kg.record_checks import Fields, RecordChecks
from kg.record_tables import EDGES, Row
from kg.store import Progress

_TYPES = "|".join(EDGE_TYPES)
_OURS = "(n.digest IS NOT NULL OR n.collection IN $known)"
"""Nodes that were written by the program, or pretend to be; those of others have been adopted."""

_LABEL_OF = {label.value.lower(): label for label in NODES}
_TEXTS_KEPT = 4
_CLAIMS_AT_ONCE = 1_000

LINKS_OF_DOCUMENTS = """
MATCH (n:{label}) WHERE n.collection IN $known
AND NOT (COUNT {{ (n)<-[:{link}]-() }} = 1 AND
         EXISTS {{ (n)<-[:{link}]-(d:Document) WHERE d.collection = n.collection AND d.id = n.document_id }})
RETURN n.id, n.document_id
"""
SOURCES = """
MATCH (n:Source) WHERE n.collection IN $known
AND NOT (COUNT { (n)-[:GAVE]->() } = 1 AND
         EXISTS { (n)-[:GAVE]->(d:Document) WHERE d.collection = n.collection AND d.id = n.document_id })
RETURN n.id, n.document_id
"""
ENDS_OF_CLAIMS = """
MATCH (n:Claim) WHERE n.collection IN $known
AND NOT (COUNT {{ (n)-[:{end}]->() }} = 1 AND
         EXISTS {{ (n)-[:{end}]->(m:Mention) WHERE m.collection = n.collection AND m.id = n.{key} }})
RETURN n.id, n.document_id
"""
EVENTS_OF_CLAIMS = """
MATCH (n:Claim)-[:{end}]->(m:Mention) WHERE n.collection IN $known
WITH n, [(m)-[:REFERS_TO]->(e) | elementId(e)] AS meant, [(n)-[:{link}]->(e) | elementId(e)] AS told
WHERE meant <> told
RETURN n.id, n.document_id
"""
EVENTS_OF_MENTIONS = """
MATCH (n:Mention) WHERE n.collection IN $known AND COUNT { (n)-[:REFERS_TO]->() } > 1 RETURN n.id, n.document_id
"""
EVENTS_OF_PASSAGES = """
MATCH (n:Passage) WHERE n.collection IN $known
WITH n, COUNT { MATCH (n)-[:CONTAINS]->(:Mention)-[:REFERS_TO]->(e:Event) RETURN DISTINCT e } AS meant,
     COUNT { (n)-[:MENTIONS]->() } AS told,
     COUNT {
       MATCH (n)-[:MENTIONS]->(e:Event) WHERE EXISTS { (n)-[:CONTAINS]->(:Mention)-[:REFERS_TO]->(e) } RETURN e
     } AS right
WHERE meant <> told OR told <> right
RETURN n.id, n.document_id
"""
VECTORS_OF_EVENTS = """
MATCH (n:Event) WHERE n.collection IN $known
MATCH (m:Mention {collection: n.collection, id: n.described_by})
WHERE n.vector <> m.vector OR (n.vector IS NULL) <> (m.vector IS NULL) OR n.words IS NULL
RETURN n.id, null
"""
DOCUMENTS = """
MATCH (n:Document) WHERE n.collection IN $known
RETURN n {{.*, text: null}}, [{facts}], [(n)<-[:GAVE]-(s:Source) | [{source}]]
"""
PASSAGES = """
MATCH (n:Passage) WHERE n.collection IN $known
RETURN n.collection, n.id, n.document_id, n.start, n.`end`, n.text, [(n)-[:CONTAINS]->(m:Mention) | m.id]
"""
EDGES_TOLD = f"""
MATCH (a:Event)-[n:{_TYPES}]->(:Event) WHERE a.collection IN $known
RETURN {EDGE.returned}, n.quotes, n.documents, n.reads, startNode(n).collection = endNode(n).collection
"""
KNOWN = "MATCH (s:Meta) WHERE s.collection = '' AND s.id STARTS WITH 'collection/' RETURN substring(s.id, 11)"

_UNLINKED = "it is not linked with what it names"
_OTHER_EVENT = "it is linked with another event than its mentions"


class ServerVerification(RecordChecks):
    """One pass over a database."""

    def __init__(self, address: str, access: Neo4jAccess, *, wait_seconds: float) -> None:
        super().__init__()
        self._server = Neo4jServer(address, access, wait_seconds=wait_seconds)
        if not schema_version(self._server):
            self._server.close()
            raise StoreMissing(path=address, address=address)
        self._known = sorted(row[0] for row in self._server.rows(KNOWN))
        self._held: dict[tuple[str, str], list[tuple[int, int, str]]] = defaultdict(list)
        self._text_of = lru_cache(_TEXTS_KEPT)(self._read_text)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()

    def faults(self, collection: str | None, progress: Progress | None) -> list[Fault]:
        """All that is wrong in one collection, or in all of them."""
        self._progress = progress
        if collection is not None:
            self._known = [name for name in self._known if name == collection]
        self._check_records(collection)
        self._check_links()
        self._check_documents()
        self._check_passages()
        try:
            self._check_edges()
            self._check_derived(UncheckedNodes(self._server), collection)
        except StoreDamaged as damage:
            what = f"the graph was not derived anew: {damage.details['what']}"
            self._faults.append(Fault("table", "edge", None, what))
        return self._faults

    def _walk(self, kind: str, columns: Sequence[str]) -> Iterator[Fields]:
        if kind == "edge":
            table, pattern = EDGE, f"(:Event)-[n:{_TYPES}]->(:Event) WHERE (n.digest IS NOT NULL)"
        else:
            table, pattern = NODES[_LABEL_OF[kind]], f"(n:{_LABEL_OF[kind].value}) WHERE {_OURS}"
        for *values, digest in self._server.stream(
            f"MATCH {pattern} RETURN {table.returned}, n.digest", known=self._known
        ):
            fields: dict[str, Any] = dict(zip(columns, table.row(values), strict=True))
            if kind == "mention":
                place = (fields["start"], fields["end"], fields["id"])
                self._held[fields["collection"], fields["document_id"]].append(place)
            yield fields | {DIGEST: bytes.fromhex(digest) if digest else b""}

    def _total(self, kind: str) -> int:
        pattern = f"()-[n:{_TYPES}]->()" if kind == "edge" else f"(n:{_LABEL_OF[kind].value})"
        return int(self._server.rows(f"MATCH {pattern} RETURN count(n)")[0][0])

    def _text(self, document: tuple[str, str]) -> str | None:
        return self._text_of(document)

    def _read_text(self, document: tuple[str, str]) -> str | None:
        found = self._server.rows(DOCUMENT_TEXT, collection=document[0], id=document[1])
        return found[0][0] if found and isinstance(found[0][0], str) else None

    def _check_links(self) -> None:
        for label, link in (("Passage", "HAS_PASSAGE"), ("Mention", "HAS_MENTION"), ("Claim", "HAS_CLAIM")):
            self._note(label.lower(), LINKS_OF_DOCUMENTS.format(label=label, link=link), _UNLINKED)
        self._note("source", SOURCES, _UNLINKED)
        for end, key, link in (
            ("CAUSE_MENTION", "cause_mention", "HAS_CAUSE"),
            ("EFFECT_MENTION", "effect_mention", "HAS_EFFECT"),
        ):
            self._note("claim", ENDS_OF_CLAIMS.format(end=end, key=key), _UNLINKED)
            self._note("claim", EVENTS_OF_CLAIMS.format(end=end, link=link), _OTHER_EVENT)
        self._note("mention", EVENTS_OF_MENTIONS, "it refers to more than one event")
        self._note("passage", EVENTS_OF_PASSAGES, _OTHER_EVENT)
        self._note("event", VECTORS_OF_EVENTS, "its vector or its words are not those of its mentions")

    def _note(self, kind: str, query: str, what: str) -> None:
        for id_, document_id in self._server.stream(query, known=self._known):
            self._faults.append(Fault(kind, str(id_), document_id, what))

    def _check_documents(self) -> None:
        facts, source = NODES[Label.DOCUMENT].returned, NODES[Label.SOURCE].returned.replace("n.", "s.")
        for told, values, given in self._server.stream(DOCUMENTS.format(facts=facts, source=source), known=self._known):
            sources = sorted((source_of(NODES[Label.SOURCE].row(row)) for row in given), key=lambda one: one.name)
            if sources and not _follows(told, values, sources):
                what = "its fields are not those of its sources"
                self._faults.append(Fault("document", str(told["id"]), str(told["id"]), what))

    def _check_passages(self) -> None:
        for places in self._held.values():
            places.sort()
        for collection, id_, document_id, start, end, words, told in self._server.stream(PASSAGES, known=self._known):
            text = self._text((collection, document_id))
            places = self._held[collection, document_id]
            inside = places[bisect_left(places, (start, 0, "")) : bisect_left(places, (end, 0, ""))]
            if text is not None and text[start:end] != words:
                self._faults.append(Fault("passage", id_, document_id, "its words are not what stands at its offsets"))
            if sorted(told) != sorted(mention for _, last, mention in inside if last <= end):
                self._faults.append(Fault("passage", id_, document_id, _UNLINKED))

    def _check_edges(self) -> None:
        rows: list[Row] = []
        for row in self._server.stream(EDGES_TOLD, known=self._known):
            rows.append(row)
            if len(rows) == _CLAIMS_AT_ONCE:
                self._compare_edges(rows)
                rows = []
        self._compare_edges(rows)

    def _compare_edges(self, rows: Sequence[Row]) -> None:
        store = UncheckedNodes(self._server)
        for collection in {row[0] for row in rows}:
            asked = [row for row in rows if row[0] == collection]
            ids = [id_ for row in asked for id_ in row[EDGES.columns.index("claims")] or ()]
            claims = store.claims(collection, ids)
            for *values, quotes, documents, reads, within in asked:
                edge = EDGES.from_row(EDGE.row(values))
                proofs = [claims[id_] for id_ in edge.claims if id_ in claims]
                wanted = edge_properties(
                    edge, [claim.quote for claim in proofs], [claim.document_id for claim in proofs]
                )
                if (wanted["quotes"], wanted["documents"], wanted["reads"], True) != (quotes, documents, reads, within):
                    name = f"{edge.cause} {edge.relation} {edge.effect}"
                    self._faults.append(Fault("edge", name, None, "its quotes are not those of its claims"))


def _follows(told: dict[str, Any], values: Sequence[Any], sources: Sequence[Any]) -> bool:
    """Whether the fields of a document's node are those that its facts and sources add up to."""
    try:
        record = document_record(DocumentFacts(*NODES[Label.DOCUMENT].row(values)), sources)
    except ValidationError:
        return False
    return all(told.get(key) == value for key, value in record.model_dump(mode="json").items())
