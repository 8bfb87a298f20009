"""Checks the graph on a server: records by their digests, derived nodes and relationships by what they repeat."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import TracebackType
from typing import Any, Self

from causetrail.errors import StoreDamaged, StoreMissing
from kg.document_facts import facts_of, source_of, stored_document
from kg.faults import Fault
from kg.graph_schema import EDGE_TYPES, RULED_OUT, STYLE_LABELS, Label, edge_properties, style_labels
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_queries import DOCUMENT_TEXT
from kg.neo4j_rows import DIGEST, EDGE, FOUND, NODES, digest_bytes, found_digests, is_vector, vector_digest
from kg.neo4j_schema import schema_version
from kg.neo4j_server import Neo4jServer
from kg.neo4j_store import UncheckedNodes
from kg.pages import page_at
from kg.record_checks import BESIDE, Fields, RecordChecks
from kg.record_tables import EDGES, Row
from kg.resolution import Resolver
from kg.seed_contents import event_words
from kg.store import Progress

_TYPES = "|".join(EDGE_TYPES)
_OURS = "(n.digest IS NOT NULL OR n.collection IN $known AND n.id IS NOT NULL)"
"""Nodes that were written by the program, or pretend to be; those of others lack a part of the key."""

_OUR_TYPE = f"n.relation IN {list(EDGE_TYPES)} AND type(n) IN [n.relation, '{RULED_OUT}']"

_LABEL_OF = {label.value.lower(): label for label in NODES}
_TEXTS_KEPT = 4
_CLAIMS_AT_ONCE = 1_000

LINKS_OF_DOCUMENTS = """
MATCH (n:{label}) WHERE n.collection IN $known AND n.id IS NOT NULL
AND NOT (COUNT {{ (n)<-[:{link}]-() }} = 1 AND
         EXISTS {{ (n)<-[:{link}]-(d:Document) WHERE d.collection = n.collection AND d.id = n.document_id }})
RETURN n.id, n.document_id
"""
SOURCES = """
MATCH (n:Source) WHERE n.collection IN $known AND n.id IS NOT NULL
AND NOT (COUNT { (n)-[:GAVE]->() } = 1 AND
         EXISTS { (n)-[:GAVE]->(d:Document) WHERE d.collection = n.collection AND d.id = n.document_id })
RETURN n.id, n.document_id
"""
ENDS_OF_CLAIMS = """
MATCH (n:Claim) WHERE n.collection IN $known AND n.id IS NOT NULL
AND NOT (COUNT {{ (n)-[:{end}]->() }} = 1 AND
         EXISTS {{ (n)-[:{end}]->(m:Mention) WHERE m.collection = n.collection AND m.id = n.{key} }})
RETURN n.id, n.document_id
"""
EVENTS_OF_CLAIMS = """
MATCH (n:Claim)-[:{end}]->(m:Mention) WHERE n.collection IN $known AND n.id IS NOT NULL
WITH n, [(m)-[:REFERS_TO]->(e) | elementId(e)] AS meant, [(n)-[:{link}]->(e) | elementId(e)] AS told
WHERE meant <> told
RETURN n.id, n.document_id
"""
EVENTS_OF_MENTIONS = """
MATCH (n:Mention) WHERE n.collection IN $known AND n.id IS NOT NULL AND COUNT { (n)-[:REFERS_TO]->() } > 1
RETURN n.id, n.document_id
"""
EVENTS_OF_PASSAGES = """
MATCH (n:Passage) WHERE n.collection IN $known AND n.id IS NOT NULL
WITH n, COUNT { MATCH (n)-[:CONTAINS]->(:Mention)-[:REFERS_TO]->(e:Event) RETURN DISTINCT e } AS meant,
     COUNT { (n)-[:MENTIONS]->() } AS told,
     COUNT {
       MATCH (n)-[:MENTIONS]->(e:Event) WHERE EXISTS { (n)-[:CONTAINS]->(:Mention)-[:REFERS_TO]->(e) } RETURN e
     } AS right
WHERE meant <> told OR told <> right
RETURN n.id, n.document_id
"""
EVENTS = """
MATCH (n:Event) WHERE n.collection IN $known AND n.id IS NOT NULL
MATCH (told:Mention {collection: n.collection, id: n.described_by})
MATCH (least:Mention {collection: n.collection, id: 'm' + substring(toStringOrNull(n.id), 1)})
RETURN n.id, n.description, n.kind, n.words, n.vector, told.id, told.vector_digest,
       least.id, least.participants, least.place
"""
SIMILAR = """
MATCH (a)-[r:SIMILAR_TO]->(b) WHERE a:Event AND a.collection IN $known OR b:Event AND b.collection IN $known
WITH a, b, count(r) AS times
WHERE times > 1 OR NOT (a:Event AND b:Event AND coalesce(a.collection = b.collection AND a.id < b.id, false))
RETURN coalesce(toStringOrNull(a.id), 'unknown'), null
"""
HYPOTHESES = """
MATCH (n:Hypothesis) WHERE n.collection IN $known AND n.id IS NOT NULL
WITH n, [(n)-[:{link}]->(e) | elementId(e)] AS told,
     COLLECT {{
       MATCH (m:Mention {{collection: n.collection, id: 'm' + substring(toStringOrNull(n.{end}), 1)}})
       MATCH (m)-[:REFERS_TO]->(e:Event) RETURN elementId(e)
     }} AS meant
WHERE told <> meant
RETURN n.id, null
"""
OTHER_META = """
MATCH (n:Meta) WHERE n.collection IN $known
AND NOT coalesce(n.id STARTS WITH 'mark/', false)
AND NOT (coalesce(n.id STARTS WITH 'sketch/', false) AND EXISTS { (n)<-[:SKETCHED]-(:Document) })
RETURN coalesce(toStringOrNull(n.id), 'unknown'), null
"""
STATES = """
MATCH (s:Meta) WHERE s.collection = '' AND s.id STARTS WITH 'collection/'
RETURN substring(s.id, 11),
       s.generation IS :: INTEGER NOT NULL AND s.generation >= 0
       AND s.resolver IS :: STRING AND s.lease_holder IS :: STRING AND s.lease_expires IS :: FLOAT
       AND s.turn IS :: STRING AND s.marks IS :: LIST<STRING NOT NULL>
"""
"""Every collection by its name, and whether all that is known of it is of the type that was written."""

FORGOTTEN = """
MATCH (s:Meta {collection: '', id: 'schema'}) WHERE NOT (s.forgotten IS :: INTEGER AND coalesce(s.forgotten >= 0, true))
RETURN s.id
"""

DOCUMENTS = """
MATCH (n:Document) WHERE n.collection IN $known AND n.id IS NOT NULL
RETURN n {{.*, text: null}}, [{facts}], [(n)<-[:GAVE]-(s:Source) | [{source}]]
"""
PASSAGES = """
MATCH (n:Passage) WHERE n.collection IN $known AND n.id IS NOT NULL
RETURN n.collection, n.id, n.document_id, n.start, n.`end`, n.text, n.page, [(n)-[:CONTAINS]->(m:Mention) | m.id]
"""
EDGES_TOLD = f"""
MATCH (a:Event)-[n:{_TYPES}]->(b:Event) WHERE a.collection IN $known AND b.collection = a.collection
AND {_OUR_TYPE} AND n.digest IS NOT NULL
RETURN {EDGE.returned}, n.quotes, n.documents, n.reads
"""
RELATIONSHIPS = f"""
MATCH (a)-[n:{_TYPES}]->(b)
WHERE n.digest IS NOT NULL OR a:Event AND a.collection IN $known OR b:Event AND b.collection IN $known
RETURN {EDGE.returned}, type(n),
       a:Event AND b:Event AND a.collection = b.collection AND {_OUR_TYPE}, n.digest
"""
_BESIDE = {"passage": "[n.vector, n.vector_digest]", "mention": "[n.vector, n.vector_digest]"} | dict.fromkeys(
    ("claim", "event"), "labels(n)"
)
"""What else is read of the nodes of a kind while they are walked."""


_FOUND = ("passage", "mention", "claim")
"""What is found in documents, in the order of `found_digests`."""

_UNLINKED = "it is not linked with what it names"
_OTHER_EVENT = "it is linked with another event than its mentions"


class ServerVerification(RecordChecks):
    """One pass over a database."""

    def __init__(self, address: str, access: Neo4jAccess, resolver: Resolver | None, *, wait_seconds: float) -> None:
        super().__init__()
        self._resolver = resolver
        self._server = Neo4jServer(address, access, wait_seconds=wait_seconds)
        if not schema_version(self._server):
            self._server.close()
            raise StoreMissing(path=address, address=address)
        self._states = {row[0]: row[1] for row in self._server.rows(STATES)}
        self._known = sorted(self._states)
        self._pages: dict[tuple[str, str], Sequence[int]] = {}
        self._held: dict[tuple[str, str], list[tuple[int, int, str]]] = defaultdict(list)
        self._found: dict[tuple[str, str, str], list[str]] = defaultdict(list)
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
        self._check_states(collection)
        self._check_links()
        self._check_documents()
        self._check_passages()
        self._check_events()
        try:
            self._check_edges()
            self._check_derived(UncheckedNodes(self._server), collection, self._resolver)
        except StoreDamaged as damage:
            what = f"the graph was not derived anew: {damage.details['what']}"
            self._faults.append(Fault("table", "edge", None, what))
        return self._faults

    def _walk(self, kind: str, columns: Sequence[str]) -> Iterator[Fields]:
        if kind == "edge":
            yield from self._walk_edges(columns)
            return
        table, pattern = NODES[_LABEL_OF[kind]], f"(n:{_LABEL_OF[kind].value}) WHERE {_OURS}"
        query = f"MATCH {pattern} RETURN {table.returned}, {_BESIDE.get(kind, '[]')}, n.digest"
        for *values, beside, digest in self._server.stream(query, known=self._known):
            fields: Fields = dict(zip(columns, table.row(values), strict=True))
            if kind in _FOUND:
                self._note_found(kind, fields)
            if kind == "mention":
                self._hold(fields)
            yield fields | {DIGEST: digest_bytes(digest), BESIDE: _wrong_beside(kind, fields, beside)}

    def _walk_edges(self, columns: Sequence[str]) -> Iterator[Fields]:
        for *values, type_, ours, digest in self._server.stream(RELATIONSHIPS, known=self._known):
            fields: Fields = dict(zip(columns, EDGE.row(values), strict=True))
            if ours:
                yield fields | {DIGEST: digest_bytes(digest)}
            else:
                name = f"{fields['cause']} {type_} {fields['effect']}"
                self._faults.append(Fault("edge", name, None, "another program wrote this relationship"))

    def _note_found(self, kind: str, fields: Fields) -> None:
        *document, id_ = (fields["collection"], fields["document_id"], fields["id"])
        if all(isinstance(key, str) for key in (*document, id_)):
            self._found[kind, document[0], document[1]].append(id_)

    def _hold(self, mention: Fields) -> None:
        place = (mention["start"], mention["end"], mention["id"])
        document = (mention["collection"], mention["document_id"])
        if all(map(isinstance, (*place, *document), (int, int, str, str, str))):
            self._held[document].append(place)

    def _total(self, kind: str) -> int:
        pattern = f"()-[n:{_TYPES}]->()" if kind == "edge" else f"(n:{_LABEL_OF[kind].value})"
        return int(self._server.rows(f"MATCH {pattern} RETURN count(n)")[0][0])

    def _text(self, document: tuple[str, str]) -> str | None:
        return self._text_of(document)

    def _read_text(self, document: tuple[str, str]) -> str | None:
        found = self._server.rows(DOCUMENT_TEXT, collection=document[0], id=document[1])
        return found[0][0] if found and isinstance(found[0][0], str) else None

    def _check_states(self, collection: str | None) -> None:
        for name, sound in sorted(self._states.items()):
            if collection in {None, name} and not sound:
                self._faults.append(Fault("collection", name, None, "what is known of it was altered"))
        if self._server.rows(FORGOTTEN):
            what = "the generation that dropped collections left in it was altered"
            self._faults.append(Fault("schema", "schema", None, what))
        owners = {owner for kind in _LABEL_OF for owner, _ in self._ids[kind]}
        for name in sorted(owners - self._states.keys()):
            self._faults.append(Fault("collection", name, None, "what is known of it is missing"))
        self._note("mark", OTHER_META, "another program wrote this node, or left it behind")

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
        for end, link in (("cause", "WOULD_LINK_CAUSE"), ("effect", "WOULD_LINK_EFFECT")):
            self._note("hypothesis", HYPOTHESES.format(end=end, link=link), _UNLINKED)
        self._note("mention", EVENTS_OF_MENTIONS, "it refers to more than one event")
        self._note("passage", EVENTS_OF_PASSAGES, _OTHER_EVENT)
        self._note("event", SIMILAR, "another program wrote that it resembles another node")

    def _note(self, kind: str, query: str, what: str) -> None:
        for id_, document_id in self._server.stream(query, known=self._known):
            self._faults.append(Fault(kind, str(id_), document_id if isinstance(document_id, str) else None, what))

    def _check_documents(self) -> None:
        facts, source = NODES[Label.DOCUMENT].returned, NODES[Label.SOURCE].returned.replace("n.", "s.")
        for told, values, given in self._server.stream(DOCUMENTS.format(facts=facts, source=source), known=self._known):
            id_ = str(told["id"])
            digests = found_digests(*(self._found.pop((kind, told["collection"], id_), ()) for kind in _FOUND))
            written = told.get(FOUND)
            if not isinstance(written, list) or len(written) != len(_FOUND):
                self._faults.append(
                    Fault("document", id_, id_, "what tells its passages, mentions and claims was altered")
                )
                written = digests
            for kind, now, then in zip(_FOUND, digests, written, strict=True):
                if now != then:
                    self._faults.append(Fault("document", id_, id_, f"its {kind}s are not those that were found in it"))
            try:
                sources = sorted((source_of(NODES[Label.SOURCE].row(row)) for row in given), key=lambda one: one.name)
                record = stored_document(facts_of(NODES[Label.DOCUMENT].row(values)), sources)
            except StoreDamaged:
                # The walk has named the source or the document that cannot be read.
                continue
            self._pages[record.collection, id_] = record.pages
            if any(told.get(key) != value for key, value in record.model_dump(mode="json").items()):
                self._faults.append(Fault("document", id_, id_, "its fields are not those of its sources"))

    def _check_passages(self) -> None:
        for places in self._held.values():
            places.sort()
        for collection, id_, document_id, start, end, words, page, told in self._server.stream(
            PASSAGES, known=self._known
        ):
            if not all(map(isinstance, (id_, document_id, start, end), (str, str, int, int))):
                # The walk has named it.
                continue
            document = (collection, document_id)
            text, places = self._text(document), self._held[document]
            if document in self._pages and page != page_at(self._pages[document], start):
                self._faults.append(Fault("passage", id_, document_id, "its page is not the one of its first word"))
            inside = places[bisect_left(places, (start, 0, "")) : bisect_left(places, (end, 0, ""))]
            if text is not None and text[start:end] != words:
                self._faults.append(Fault("passage", id_, document_id, "its words are not what stands at its offsets"))
            if sorted(map(str, told)) != sorted(mention for _, last, mention in inside if last <= end):
                self._faults.append(Fault("passage", id_, document_id, _UNLINKED))

    def _check_events(self) -> None:
        wrong = {fault.id for fault in self._faults}
        for row in self._server.stream(EVENTS, known=self._known):
            id_, description, kind, words, vector, told, digest, least, participants, place = row
            if told not in wrong and not _is_whole(vector, digest):
                self._faults.append(
                    Fault("event", id_, None, "its vector is not that of the mention that describes it")
                )
            if wrong.isdisjoint({id_, least}) and words != event_words(description, kind, participants, place):
                self._faults.append(Fault("event", id_, None, "its words are not those of its mentions"))

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
        wrong = {fault.id for fault in self._faults}
        sound = [row for row in rows if f"{row[1]} {row[3]} {row[2]}" not in wrong]
        for collection in {row[0] for row in sound}:
            asked = [(EDGES.from_row(EDGE.row(row[:-3])), *row[-3:]) for row in sound if row[0] == collection]
            claims = store.claims(collection, [id_ for edge, *_ in asked for id_ in edge.claims if id_ not in wrong])
            for edge, quotes, documents, reads in asked:
                if wrong.intersection(edge.claims):
                    continue
                proofs = [claims[id_] for id_ in edge.claims if id_ in claims]
                wanted = edge_properties(
                    edge, [claim.quote for claim in proofs], [claim.document_id for claim in proofs]
                )
                if (wanted["quotes"], wanted["documents"], wanted["reads"]) != (quotes, documents, reads):
                    name = f"{edge.cause} {edge.relation} {edge.effect}"
                    self._faults.append(Fault("edge", name, None, "its quotes are not those of its claims"))


def _wrong_beside(kind: str, fields: Fields, beside: Sequence[Any]) -> list[str]:
    """What is wrong with the vector of a passage or mention, or with the labels of a claim or event."""
    match kind:
        case "passage" | "mention":
            return [] if _is_whole(*beside) else ["its vector is not the one that was written"]
        case "claim" | "event" if isinstance(told_by := fields.get("document_count", 1), int):
            wanted = style_labels(fields["polarity"], fields["modality"], told_by)
            if set(wanted) != set(STYLE_LABELS).intersection(beside):
                return ["its labels for viewers are not those of its fields"]
    return []


def _is_whole(vector: object, digest: object) -> bool:
    return is_vector(vector) and vector_digest(vector) == digest
