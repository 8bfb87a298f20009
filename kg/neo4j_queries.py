"""Every Cypher statement of the server's store, by the question it answers.

Parameters: `$collection`, and `$id`, `$ids` or `$rows` as each says. All start at a unique key or a composite index, so
none looks through a label; relationships are followed from there. `STATE` nodes (`:Meta` with collection '' and id
'collection/NAME') hold what is known of a collection; `:Meta` nodes of the collection itself hold marks and sketches.
"""

from __future__ import annotations

from kg.graph_schema import EDGE_TYPES, STYLE_LABELS, Label
from kg.neo4j_rows import EDGE, NODES

_TYPES = "|".join(EDGE_TYPES)
_SOURCE, _DOCUMENT, _PASSAGE, _MENTION, _CLAIM, _EVENT, _DECISION = (
    NODES[label].returned
    for label in (
        Label.SOURCE,
        Label.DOCUMENT,
        Label.PASSAGE,
        Label.MENTION,
        Label.CLAIM,
        Label.EVENT,
        Label.DECISION,
    )
)
_STATE = "(s:Meta {collection: '', id: 'collection/' + $collection})"

# Collections

BEGIN = f"""
MERGE {_STATE} ON CREATE SET s.generation = 0
SET s.turn = $mark
WITH s, s.mark AS found
SET s.mark = $mark
RETURN found
"""
"""Takes the collection for one writer until the end of the transaction; the mark that the last one left."""

GENERATION = f"MATCH {_STATE} RETURN s.generation"
ADVANCE = f"MATCH {_STATE} SET s.generation = s.generation + 1"
RESOLVER = f"MATCH {_STATE} WHERE s.generation > 0 RETURN coalesce(s.resolver, '')"
SET_RESOLVER = f"MATCH {_STATE} SET s.resolver = $version"
GENERATIONS = """
MATCH (s:Meta) WHERE s.collection = '' AND s.id STARTS WITH 'collection/' RETURN s.id, s.generation ORDER BY s.id
"""
COLLECTIONS = """
MATCH (s:Meta) WHERE s.collection = '' AND s.id STARTS WITH 'collection/'
WITH substring(s.id, 11) AS name
WHERE EXISTS { MATCH (d:Document) WHERE d.collection = name AND d.id STARTS WITH 'd' }
RETURN name
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
EVENTS_IN = """
MATCH (d:Document) WHERE d.collection = $collection AND d.id IN $ids
MATCH (d)-[:HAS_MENTION]->(:Mention)-[:REFERS_TO]->(e:Event) RETURN DISTINCT e.id
"""
PASSAGES = f"MATCH (n:Passage) WHERE n.collection = $collection AND n.id IN $ids RETURN {_PASSAGE}, n.page"
PASSAGES_OF = f"""
MATCH (:Document {{collection: $collection, id: $id}})-[:HAS_PASSAGE]->(n:Passage) RETURN {_PASSAGE}, n.page
"""
PASSAGE_IDS = "MATCH (p:Passage) WHERE p.collection = $collection AND p.id STARTS WITH 'p' RETURN p.id"
PASSAGE_VECTORS = "MATCH (n:Passage) WHERE n.collection = $collection AND n.id IN $ids RETURN n.id, n.vector"
EVENTS_OF_PASSAGES = """
MATCH (p:Passage) WHERE p.collection = $collection AND p.id IN $ids
OPTIONAL MATCH (p)-[:MENTIONS]->(e:Event)
RETURN p.id, collect(e.id)
"""
MENTIONS = f"MATCH (n:Mention) WHERE n.collection = $collection AND n.id IN $ids RETURN {_MENTION}"
MENTIONS_OF = f"""
MATCH (:Document {{collection: $collection, id: $id}})-[:HAS_MENTION]->(n:Mention) RETURN {_MENTION}
"""
MENTION_VECTORS = "MATCH (n:Mention) WHERE n.collection = $collection AND n.id IN $ids RETURN n.id, n.vector"
CLAIMS = f"MATCH (n:Claim) WHERE n.collection = $collection AND n.id IN $ids RETURN {_CLAIM}"
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
COPIES_AMONG = """
MATCH (a:Document) WHERE a.collection = $collection AND a.id IN $ids
MATCH (a)-[:NEAR_COPY_OF]->(b:Document) RETURN a.id, b.id
"""
SET_COPY_GROUPS = """
UNWIND $rows AS row MATCH (d:Document {collection: $collection, id: row.id}) SET d.copy_group = row.least
"""
COPY_GROUP_OF = """
MATCH (d:Document {collection: $collection, id: $id}) WHERE d.copy_group IS NOT NULL
MATCH (d)-[:NEAR_COPY_OF*0..]-(m:Document) RETURN DISTINCT m.id
"""
COPY_GROUPS = """
MATCH (d:Document) WHERE d.collection = $collection AND d.id IN $ids AND d.copy_group IS NOT NULL
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

# Events

EVENTS = f"MATCH (n:Event) WHERE n.collection = $collection AND n.id IN $ids RETURN {_EVENT}"
EVENT_IDS = "MATCH (n:Event) WHERE n.collection = $collection AND n.id STARTS WITH 'e' RETURN n.id"
EVENT_VECTORS = "MATCH (n:Event) WHERE n.collection = $collection AND n.id IN $ids RETURN n.id, n.vector"
EVENT_DIGESTS = "MATCH (n:Event) WHERE n.collection = $collection AND n.id IN $ids RETURN n.id, n.digest"
EVENT_OF_MENTION = """
MATCH (:Mention {collection: $collection, id: $id})-[:REFERS_TO]->(e:Event) RETURN e.id
"""
EVENTS_OF = """
MATCH (m:Mention) WHERE m.collection = $collection AND m.id IN $ids
MATCH (m)-[:REFERS_TO]->(e:Event) RETURN m.id, e.id
"""
MENTIONS_OF_EVENT = f"""
MATCH (:Event {{collection: $collection, id: $id}})<-[:REFERS_TO]-(n:Mention) RETURN {_MENTION}
"""
MEMBERS_OF = """
MATCH (e:Event) WHERE e.collection = $collection AND e.id IN $ids
MATCH (e)<-[:REFERS_TO]-(m:Mention) RETURN e.id, collect(m.id)
"""
REFERRED = """
MATCH (e:Event) WHERE e.collection = $collection AND e.id IN $ids AND EXISTS { MATCH (e)<-[:REFERS_TO]-(:Mention) }
RETURN e.id
"""
MERGES = f"""
MATCH (n:Event) WHERE n.collection = $collection AND n.mention_count > 1 AND n.document_count > $documents
RETURN {_EVENT}
"""
PUT_EVENTS = f"""
UNWIND $rows AS row
MERGE (e:Event {{collection: $collection, id: row.properties.id}})
SET e = row.properties
REMOVE e:{":".join(STYLE_LABELS)}
FOREACH (_ IN CASE WHEN 'ToldTwice' IN row.labels THEN [1] ELSE [] END | SET e:ToldTwice)
FOREACH (_ IN CASE WHEN 'ToldOften' IN row.labels THEN [1] ELSE [] END | SET e:ToldOften)
FOREACH (_ IN CASE WHEN 'ToldWidely' IN row.labels THEN [1] ELSE [] END | SET e:ToldWidely)
FOREACH (_ IN CASE WHEN 'Denied' IN row.labels THEN [1] ELSE [] END | SET e:Denied)
FOREACH (_ IN CASE WHEN 'Hedged' IN row.labels THEN [1] ELSE [] END | SET e:Hedged)
WITH e, row
MATCH (told:Mention {{collection: $collection, id: e.described_by}})
MATCH (least:Mention {{collection: $collection, id: row.least}})
SET e.vector = told.vector,
    e.words = reduce(text = e.description + '\n' + e.kind, part IN least.participants | text + '\n' + part)
              + coalesce('\n' + least.place, '')
"""
DELETE_EVENTS = "MATCH (e:Event) WHERE e.collection = $collection AND e.id IN $ids DETACH DELETE e"
REFER = """
UNWIND $rows AS row
MATCH (m:Mention {collection: $collection, id: row.mention})
MATCH (e:Event {collection: $collection, id: row.event})
CREATE (m)-[:REFERS_TO]->(e)
WITH m, e
CALL (m, e) { MATCH (m)<-[:CAUSE_MENTION]-(c:Claim) CREATE (c)-[:HAS_CAUSE]->(e) }
CALL (m, e) { MATCH (m)<-[:EFFECT_MENTION]-(c:Claim) CREATE (c)-[:HAS_EFFECT]->(e) }
CALL (m, e) { MATCH (m)<-[:CONTAINS]-(p:Passage) MERGE (p)-[:MENTIONS]->(e) }
"""
"""Makes mentions that refer to no event refer to one, and repeats it from their claims and passages."""

UNREFER = """
MATCH (m:Mention) WHERE m.collection = $collection AND m.id IN $ids
MATCH (m)-[r:REFERS_TO]->(:Event)
DELETE r
WITH m
CALL (m) { MATCH (m)<-[:CAUSE_MENTION]-(:Claim)-[r:HAS_CAUSE]->(:Event) DELETE r }
CALL (m) { MATCH (m)<-[:EFFECT_MENTION]-(:Claim)-[r:HAS_EFFECT]->(:Event) DELETE r }
"""
"""Takes that back, but for what passages mention."""

FORGET_PASSAGE_EVENTS = """
UNWIND $rows AS row
MATCH (m:Mention {collection: $collection, id: row.mention})<-[:CONTAINS]-(p:Passage)
MATCH (p)-[old:MENTIONS]->(:Event {collection: $collection, id: row.before})
WITH DISTINCT p, old, endNode(old) AS e
WHERE NOT EXISTS { MATCH (p)-[:CONTAINS]->(n:Mention)-[:REFERS_TO]->(e) WHERE n.collection = $collection }
DELETE old
"""
"""Once the mentions refer elsewhere: a passage forgets the events that none of its mentions refers to any more."""

SIMILAR_TO = """
MATCH (:Event {collection: $collection, id: $id})-[:SIMILAR_TO]-(e:Event) RETURN DISTINCT e.id
"""
SIMILAR_AT = """
MATCH (e:Event) WHERE e.collection = $collection AND e.id IN $ids
MATCH (e)-[n:SIMILAR_TO]-(:Event) RETURN DISTINCT startNode(n).id, endNode(n).id
"""
INSERT_SIMILAR = """
UNWIND $rows AS row
MATCH (a:Event {collection: $collection, id: row.a})
MATCH (b:Event {collection: $collection, id: row.b})
CREATE (a)-[:SIMILAR_TO]->(b)
"""
DELETE_SIMILAR = """
UNWIND $rows AS row
MATCH (:Event {collection: $collection, id: row.a})-[n:SIMILAR_TO]->(:Event {collection: $collection, id: row.b})
DELETE n
"""
DANGLING = """
MATCH (m:Mention) WHERE m.collection = $collection AND m.kind > ''
MATCH (m)-[:REFERS_TO]->(e) WHERE NOT e:Event OR e.collection <> $collection
RETURN m.id, coalesce(e.id, 'unknown')
"""

# Edges

CLAIMS_FROM = f"""
MATCH (cause:Event) WHERE cause.collection = $collection AND cause.id IN $ids
MATCH (cause)<-[:HAS_CAUSE]-(n:Claim)-[:HAS_EFFECT]->(effect:Event) RETURN {_CLAIM}, cause.id, effect.id
"""
CLAIMS_AT = f"""
MATCH (e:Event) WHERE e.collection = $collection AND e.id IN $ids
MATCH (e)<-[:HAS_CAUSE|HAS_EFFECT]-(n:Claim)
WITH DISTINCT n
MATCH (cause:Event)<-[:HAS_CAUSE]-(n)-[:HAS_EFFECT]->(effect:Event) RETURN {_CLAIM}, cause.id, effect.id
"""
EDGE_DIGESTS = f"""
MATCH (e:Event) WHERE e.collection = $collection AND e.id IN $ids
MATCH (e)-[n:{_TYPES}]-(:Event) RETURN DISTINCT startNode(n).id, endNode(n).id, n.relation, n.digest
"""
EDGES_FROM = f"""
MATCH (e:Event) WHERE e.collection = $collection AND e.id IN $ids
MATCH (e)-[n:{_TYPES}]->(:Event) RETURN {EDGE.returned}
"""
INSERT_EDGES = {
    type_: f"""
UNWIND $rows AS row
MATCH (a:Event {{collection: $collection, id: row.cause}})
MATCH (b:Event {{collection: $collection, id: row.effect}})
CREATE (a)-[n:{type_}]->(b) SET n = row.properties
"""
    for type_ in EDGE_TYPES
}
"""By the relationship that an edge becomes."""

DELETE_EDGES = f"""
UNWIND $rows AS row
MATCH (a:Event {{collection: $collection, id: row.cause}})
MATCH (b:Event {{collection: $collection, id: row.effect}})
MATCH (a)-[n:{_TYPES}]->(b) WHERE n.relation = row.relation
DELETE n
"""
EDGES_TO_CAUSES = """
MATCH (e:Event) WHERE e.collection = $collection AND e.id IN $ids
CALL (e) {{
  MATCH (e)<-[n:{types}]-(far:Event) WHERE n.p_for >= $floor
  RETURN n ORDER BY n.confidence DESC, far.id, n.relation LIMIT $limit
  UNION ALL
  MATCH (e)<-[n:RULED_OUT]-(:Event) WHERE $ruled_out AND n.relation IN $relations
  RETURN n
}}
RETURN {edge}
"""
"""Edges that end at the events, so many at each, and those ruled out; `{types}` are of the closed set."""

EDGES_TO_EFFECTS = """
MATCH (e:Event) WHERE e.collection = $collection AND e.id IN $ids
CALL (e) {{
  MATCH (e)-[n:{types}]->(far:Event) WHERE n.p_for >= $floor
  RETURN n ORDER BY n.confidence DESC, far.id, n.relation LIMIT $limit
  UNION ALL
  MATCH (e)-[n:RULED_OUT]->(:Event) WHERE $ruled_out AND n.relation IN $relations
  RETURN n
}}
RETURN {edge}
"""
"""Edges that start at the events, so many at each, and those ruled out; `{types}` are of the closed set."""

# How much there is

COUNT_DOCUMENTS = """
MATCH (d:Document) WHERE d.collection = $collection AND d.id STARTS WITH 'd'
RETURN count(d), sum(CASE d.language WHEN 'en' THEN 0 ELSE 1 END), sum(d.length), sum(d.sentences), collect(d.rejected)
"""
COUNT_PASSAGES = "MATCH (n:Passage) WHERE n.collection = $collection AND n.id STARTS WITH 'p' RETURN count(n)"
COUNT_MENTIONS = "MATCH (n:Mention) WHERE n.collection = $collection AND n.id STARTS WITH 'm' RETURN count(n)"
COUNT_CLAIMS = "MATCH (n:Claim) WHERE n.collection = $collection AND n.id STARTS WITH 'c' RETURN count(n)"
COUNT_DECISIONS = "MATCH (n:Decision) WHERE n.collection = $collection AND n.id STARTS WITH 'x' RETURN count(n)"
GRAPH_SIZE = f"""
MATCH (n:Event) WHERE n.collection = $collection AND n.id STARTS WITH 'e'
RETURN count(n), sum(COUNT {{ (n)-[:{_TYPES}]->() }})
"""
