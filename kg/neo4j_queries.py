"""Every Cypher statement of the server's store on documents, decisions and hypotheses, by the question it answers.

Parameters: `$collection`, and `$id`, `$ids` or `$rows` as each says. All start at a unique key or a composite index, so
none looks through a label; relationships are followed from there. `STATE` nodes (`:Meta` with collection '' and id
'collection/NAME') hold what is known of a collection; `:Meta` nodes of the collection itself hold marks and sketches.
"""

from __future__ import annotations

from kg.graph_schema import Label
from kg.neo4j_rows import NODES

_SOURCE, _DOCUMENT, _PASSAGE, _MENTION, _CLAIM, _DECISION, _HYPOTHESIS = (
    NODES[label].returned
    for label in (
        Label.SOURCE,
        Label.DOCUMENT,
        Label.PASSAGE,
        Label.MENTION,
        Label.CLAIM,
        Label.DECISION,
        Label.HYPOTHESIS,
    )
)


def among(name: str, label: str) -> str:
    """Finds nodes by `$ids`; the hint keeps a planner that expects most of a graph from reading through all of it."""
    key = f"{name}:{label}(collection, id)"
    return f"MATCH ({name}:{label}) USING INDEX {key} WHERE {name}.collection = $collection AND {name}.id IN $ids"


LAST_MARKS = 64
"""How many writers leave marks that can be found: more than commit while a lost connection is made anew."""
_STATE = "(s:Meta {collection: '', id: 'collection/' + $collection})"

# Collections

BEGIN = f"""
MERGE {_STATE} ON CREATE SET s.generation = 0
SET s.turn = $mark
WITH s, CASE WHEN s.marks IS :: LIST<STRING> NOT NULL THEN s.marks ELSE [] END AS marks
SET s.marks = ([$mark] + [mark IN marks WHERE mark <> $mark])[..{LAST_MARKS}]
RETURN CASE WHEN $mark IN marks THEN $mark END, coalesce(s.turn = $mark, false)
"""
"""Takes the collection for one writer until the end of the transaction; the mark, if a writer before left it.

Whether the collection was taken comes second: a node that was dropped while this one waited for it is not there.
"""

GENERATION = f"MATCH {_STATE} RETURN s.generation"
ADVANCE = f"""
MATCH {_STATE}
OPTIONAL MATCH (m:Meta {{collection: '', id: 'schema'}})
WITH s, CASE WHEN m.forgotten IS :: INTEGER NOT NULL AND m.forgotten > 0 THEN m.forgotten ELSE 0 END AS forgotten
SET s.generation = CASE WHEN s.generation IS :: INTEGER NOT NULL AND s.generation >= 0
                   THEN 1 + CASE s.generation WHEN 0 THEN forgotten ELSE s.generation END END
RETURN s.generation
"""
"""Counts on; a new collection from the largest generation that was forgotten. Gives a null for what is
no generation."""

FORGET_DECISIONS = "MATCH (n:Decision) WHERE n.collection = $collection AND n.id STARTS WITH 'x' DETACH DELETE n"
FORGET_HYPOTHESES = "MATCH (n:Hypothesis) WHERE n.collection = $collection AND n.id STARTS WITH 'h' DETACH DELETE n"
FORGET_META = "MATCH (k:Meta) WHERE k.collection = $collection AND k.id > '' DETACH DELETE k"
FORGET = f"""
MATCH {_STATE}
MATCH (m:Meta {{collection: '', id: 'schema'}})
SET m.forgotten = CASE WHEN m.forgotten IS :: INTEGER NOT NULL AND m.forgotten > 0 THEN m.forgotten ELSE 0 END
WITH s, m, CASE WHEN s.generation IS :: INTEGER NOT NULL AND s.generation > m.forgotten THEN s.generation
           ELSE m.forgotten END AS most
SET m.forgotten = most
DETACH DELETE s
"""
"""Removes what is known of a collection; the first SET takes the node for this transaction alone."""
RESOLVER = f"MATCH {_STATE} WHERE s.generation > 0 RETURN coalesce(s.resolver, '')"
SET_RESOLVER = f"MATCH {_STATE} SET s.resolver = $version"
GENERATIONS = """
MATCH (s:Meta) WHERE s.collection = '' AND s.id STARTS WITH 'collection/' RETURN substring(s.id, 11), s.generation
"""
LEASE = f"MATCH {_STATE} WHERE s.lease_holder IS NOT NULL RETURN s.lease_holder, s.lease_expires"
SET_LEASE = f"MATCH {_STATE} SET s.lease_holder = $holder, s.lease_expires = $expires"
CLEAR_LEASE = f"MATCH {_STATE} WHERE s.lease_holder = $holder REMOVE s.lease_holder, s.lease_expires"

# Sources and documents

SOURCE_STATE = """
MATCH (n:Source {collection: $collection, id: $id})-[:GAVE]->(d:Document)
RETURN n.id, n.origin, d.id, n.raw_sha256, n.normaliser, d.extraction, d.dated, coalesce(d.published, '')
"""
SOURCES_OF_ORIGIN = """
MATCH (n:Source)-[:GAVE]->(d:Document) WHERE n.collection = $collection AND n.origin = $id
RETURN n.id, n.origin, d.id, n.raw_sha256, n.normaliser, d.extraction, d.dated, coalesce(d.published, '')
"""
SOURCES_OF = f"MATCH (:Document {{collection: $collection, id: $id}})<-[:GAVE]-(n:Source) RETURN {_SOURCE}"
SOURCE_HELD = "MATCH (n:Source {collection: $collection, id: $id}) RETURN n.document_id, n.digest"
INSERT_SOURCE = f"""
MATCH (n:Document {{collection: $collection, id: $id}})
CREATE (given:Source)-[:GAVE]->(n) SET given = $properties
WITH n
RETURN {_DOCUMENT}, n.pages, [(n)<-[:GAVE]-(s:Source) | [{_SOURCE.replace("n.", "s.")}]]
"""
DELETE_SOURCE = "MATCH (n:Source {collection: $collection, id: $id}) DETACH DELETE n"
DELETE_SOURCES_OF = "MATCH (:Document {collection: $collection, id: $id})<-[:GAVE]-(n:Source) DETACH DELETE n"
FACTS = f"MATCH (n:Document {{collection: $collection, id: $id}}) RETURN {_DOCUMENT}"
DOCUMENT_AND_SOURCES = f"""
MATCH (n:Document {{collection: $collection, id: $id}})
RETURN {_DOCUMENT}, n.pages, [(n)<-[:GAVE]-(s:Source) | [{_SOURCE.replace("n.", "s.")}]]
"""
INSERT_DOCUMENT = "CREATE (d:Document) SET d = $properties"
UPDATE_DOCUMENT = "MATCH (d:Document {collection: $collection, id: $id}) SET d += $properties"
DELETE_DOCUMENT = "MATCH (d:Document {collection: $collection, id: $id}) DETACH DELETE d"
DOCUMENT = "MATCH (d:Document {collection: $collection, id: $id}) RETURN d {.*, text: null}"
DOCUMENTS = """
MATCH (d:Document) WHERE d.collection = $collection AND d.id > $after
WITH d ORDER BY d.id LIMIT $limit RETURN d {.*, text: null}
"""
DOCUMENT_TEXT = "MATCH (d:Document {collection: $collection, id: $id}) RETURN d.text, d.sha256"

# What was found in documents

INSERT_MENTIONS = """
MATCH (d:Document {collection: $collection, id: $id})
UNWIND $rows AS row
CREATE (d)-[:HAS_MENTION]->(m:Mention) SET m = row
"""
INSERT_CLAIMS = """
MATCH (d:Document {collection: $collection, id: $id})
UNWIND $rows AS row
MATCH (a:Mention {collection: $collection, id: row.cause_mention})
MATCH (b:Mention {collection: $collection, id: row.effect_mention})
CREATE (d)-[:HAS_CLAIM]->(c:Claim), (c)-[:CAUSE_MENTION]->(a), (c)-[:EFFECT_MENTION]->(b)
SET c = row
FOREACH (_ IN CASE row.polarity WHEN 'negated' THEN [1] ELSE [] END | SET c:Denied)
FOREACH (_ IN CASE row.modality WHEN 'actual' THEN [] ELSE [1] END | SET c:Hedged)
"""
INSERT_PASSAGES = """
MATCH (d:Document {collection: $collection, id: $id})
UNWIND $rows AS row
CREATE (d)-[:HAS_PASSAGE]->(p:Passage) SET p = row.properties
WITH p, row UNWIND row.mentions AS mention
MATCH (m:Mention {collection: $collection, id: mention})
CREATE (p)-[:CONTAINS]->(m)
"""
SET_PASSAGE_PAGES = """
UNWIND $rows AS row MATCH (p:Passage {collection: $collection, id: row.id}) SET p.page = row.page
"""
DELETE_CLAIMS_OF = "MATCH (:Document {collection: $collection, id: $id})-[:HAS_CLAIM]->(n:Claim) DETACH DELETE n"
DELETE_PASSAGES_OF = "MATCH (:Document {collection: $collection, id: $id})-[:HAS_PASSAGE]->(n:Passage) DETACH DELETE n"
DELETE_MENTIONS_OF = "MATCH (:Document {collection: $collection, id: $id})-[:HAS_MENTION]->(n:Mention) DETACH DELETE n"
KINDS_IN = """
MATCH (:Document {collection: $collection, id: $id})-[:HAS_MENTION]->(m:Mention) RETURN DISTINCT m.kind
"""
EVENTS_IN = f"""
{among("d", "Document")}
MATCH (d)-[:HAS_MENTION]->(:Mention)-[:REFERS_TO]->(e:Event) WHERE e.id > '' RETURN DISTINCT e.id
"""
PASSAGES = f"{among('n', 'Passage')} RETURN {_PASSAGE}, n.page"
PASSAGES_OF = f"""
MATCH (:Document {{collection: $collection, id: $id}})-[:HAS_PASSAGE]->(n:Passage) RETURN {_PASSAGE}, n.page
"""
PASSAGE_IDS = "MATCH (p:Passage) WHERE p.collection = $collection AND p.id STARTS WITH 'p' RETURN p.id"
PASSAGE_VECTORS = f"{among('n', 'Passage')} RETURN n.id, n.vector"
EVENTS_OF_PASSAGES = f"""
{among("p", "Passage")}
OPTIONAL MATCH (p)-[:MENTIONS]->(e:Event) WHERE e.id > ''
RETURN p.id, collect(e.id)
"""
MENTIONS = f"{among('n', 'Mention')} RETURN {_MENTION}"
MENTIONS_OF = f"""
MATCH (:Document {{collection: $collection, id: $id}})-[:HAS_MENTION]->(n:Mention) RETURN {_MENTION}
"""
MENTION_VECTORS = f"{among('n', 'Mention')} RETURN n.id, n.vector"
CLAIMS = f"{among('n', 'Claim')} RETURN {_CLAIM}"
CLAIMS_OF = f"MATCH (:Document {{collection: $collection, id: $id}})-[:HAS_CLAIM]->(n:Claim) RETURN {_CLAIM}"
CLAIMS_BETWEEN = f"""
MATCH (:Event {{collection: $collection, id: $cause}})<-[:HAS_CAUSE]-(n:Claim)
MATCH (n)-[:HAS_EFFECT]->(:Event {{collection: $collection, id: $effect}})
RETURN {_CLAIM}
"""

# Near-copies

INDEX_SKETCH = """
MATCH (d:Document {collection: $collection, id: $id})
UNWIND $rows AS hash
MERGE (k:Meta {collection: $collection, id: 'sketch/' + hash})
CREATE (d)-[:SKETCHED]->(k)
"""
UNINDEX_SKETCH = """
MATCH (d:Document {collection: $collection, id: $id})-[s:SKETCHED]->(k:Meta)
DELETE s
WITH k WHERE NOT EXISTS { MATCH (k)<-[:SKETCHED]-() }
DELETE k
"""
SKETCHED = """
MATCH (d:Document) WHERE d.collection = $collection AND d.id STARTS WITH 'd'
RETURN d.id, d.sketch, [(d)-[:SKETCHED]->(k:Meta) | substring(toStringOrNull(k.id), 7)]
"""
SKETCHES_SHARING = """
UNWIND $rows AS hash
MATCH (k:Meta {collection: $collection, id: 'sketch/' + hash})<-[:SKETCHED]-(d:Document)
RETURN DISTINCT d.id, d.sketch
"""
INSERT_COPIES = """
UNWIND $rows AS row
MATCH (a:Document {collection: $collection, id: row.a})
MATCH (b:Document {collection: $collection, id: row.b})
CREATE (a)-[:NEAR_COPY_OF]->(b)
"""
DELETE_COPIES = """
MATCH (d:Document {collection: $collection, id: $id}) REMOVE d.copy_group
WITH d MATCH (d)-[n:NEAR_COPY_OF]-(:Document) DELETE n
"""
COPIES_AMONG = f"""
{among("a", "Document")}
MATCH (a)-[:NEAR_COPY_OF]->(b:Document) RETURN a.id, b.id
"""
SET_COPY_GROUPS = """
UNWIND $rows AS row MATCH (d:Document {collection: $collection, id: row.id}) SET d.copy_group = row.least
"""
COPY_GROUP_OF = """
MATCH (d:Document {collection: $collection, id: $id}) WHERE d.copy_group IS NOT NULL
MATCH (d)-[:NEAR_COPY_OF*0..]-(m:Document) RETURN DISTINCT m.id
"""
COPY_GROUPS = f"""
{among("d", "Document")} AND d.copy_group IS NOT NULL
RETURN d.id, d.copy_group
"""

# Marks and decisions

PENDING = "MATCH (k:Meta) WHERE k.collection = $collection AND k.id STARTS WITH 'mark/' RETURN count(k)"
MARKS = "MATCH (k:Meta) WHERE k.collection = $collection AND k.id STARTS WITH 'mark/' RETURN substring(k.id, 5)"
INSERT_MARKS = "UNWIND $rows AS kind MERGE (:Meta {collection: $collection, id: 'mark/' + kind})"
DELETE_MARKS = "UNWIND $rows AS kind MATCH (k:Meta {collection: $collection, id: 'mark/' + kind}) DELETE k"
KINDS = "MATCH (m:Mention) WHERE m.collection = $collection AND m.kind > '' RETURN DISTINCT m.kind"
KIND_SIZES = "MATCH (m:Mention) WHERE m.collection = $collection AND m.kind IN $ids RETURN m.kind, count(m)"
BLOCK = f"MATCH (n:Mention) WHERE n.collection = $collection AND n.kind IN $ids RETURN {_MENTION}"
DECISIONS = f"MATCH (n:Decision) WHERE n.collection = $collection AND n.id STARTS WITH 'x' RETURN {_DECISION}"
DECISION = f"MATCH (n:Decision {{collection: $collection, id: $id}}) RETURN {_DECISION}"
INSERT_DECISION = "CREATE (n:Decision) SET n = $properties"
UPDATE_DECISION = "MATCH (n:Decision {collection: $collection, id: $id}) SET n += $properties"
MERGED_KINDS = """
MATCH (n:Decision) WHERE n.collection = $collection AND n.id STARTS WITH 'x' AND n.kind = 'merge' AND NOT n.undone
UNWIND n.subject AS subject
MATCH (m:Mention {collection: $collection, id: subject})
RETURN DISTINCT n.id, m.kind
"""
REJECTED = """
MATCH (n:Decision) WHERE n.collection = $collection AND n.id STARTS WITH 'x'
AND n.kind = 'reject_claim' AND NOT n.undone
UNWIND n.subject AS subject RETURN subject
"""

# Hypotheses

HYPOTHESES = f"MATCH (n:Hypothesis) WHERE n.collection = $collection AND n.id STARTS WITH 'h' RETURN {_HYPOTHESIS}"
PUT_HYPOTHESIS = "MERGE (n:Hypothesis {collection: $collection, id: $id}) SET n = $properties"
LINK_HYPOTHESES = """
MATCH (n:Hypothesis) WHERE n.collection = $collection AND n.id STARTS WITH 'h'
CALL (n) { MATCH (n)-[old:WOULD_LINK_CAUSE|WOULD_LINK_EFFECT]->() DELETE old }
CALL (n) {
  MATCH (:Mention {collection: $collection, id: 'm' + substring(toStringOrNull(n.cause), 1)})-[:REFERS_TO]->(e:Event)
  CREATE (n)-[:WOULD_LINK_CAUSE]->(e)
}
CALL (n) {
  MATCH (:Mention {collection: $collection, id: 'm' + substring(toStringOrNull(n.effect), 1)})-[:REFERS_TO]->(e:Event)
  CREATE (n)-[:WOULD_LINK_EFFECT]->(e)
}
"""
"""Links every hypothesis with the events that now hold the mentions which its ids were made from."""
