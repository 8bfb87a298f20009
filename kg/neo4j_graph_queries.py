"""Every Cypher statement of the server's store on what is derived: events, the edges between them, and their number.

Parameters and starts are as in `kg.neo4j_queries`.
"""

from __future__ import annotations

from kg.graph_schema import EDGE_TYPES, STYLE_LABELS, Label
from kg.neo4j_queries import among
from kg.neo4j_rows import EDGE, NODES

_TYPES = "|".join(EDGE_TYPES)
_EVENT, _MENTION, _CLAIM = (NODES[label].returned for label in (Label.EVENT, Label.MENTION, Label.CLAIM))

_OURS = f"n.relation IN {list(EDGE_TYPES)} AND far.id > ''"
"""Edges `n` from or to `far` that are not of another program, which may call its relationships the same."""

# Events

EVENTS = f"{among('n', 'Event')} RETURN {_EVENT}"
EVENT_IDS = "MATCH (n:Event) WHERE n.collection = $collection AND n.id STARTS WITH 'e' RETURN n.id"
EVENT_VECTORS = f"{among('n', 'Event')} RETURN n.id, n.vector"
EVENT_DIGESTS = f"{among('n', 'Event')} RETURN n.id, n.digest"
EVENT_OF_MENTION = """
MATCH (:Mention {collection: $collection, id: $id})-[:REFERS_TO]->(e:Event) WHERE e.id > '' RETURN e.id
"""
EVENTS_OF = f"""
{among("m", "Mention")}
MATCH (m)-[:REFERS_TO]->(e:Event) WHERE e.id > '' RETURN m.id, e.id
"""
MENTIONS_OF_EVENT = f"""
MATCH (:Event {{collection: $collection, id: $id}})<-[:REFERS_TO]-(n:Mention) RETURN {_MENTION}
"""
MEMBERS_OF = f"""
{among("e", "Event")}
MATCH (e)<-[:REFERS_TO]-(m:Mention) WHERE m.id > '' RETURN e.id, collect(m.id)
"""
REFERRED = f"""
{among("e", "Event")} AND EXISTS {{ MATCH (e)<-[:REFERS_TO]-(:Mention) }}
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
DELETE_EVENTS = f"{among('e', 'Event')} DETACH DELETE e"
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

UNREFER = f"""
{among("m", "Mention")}
MATCH (m)-[r:REFERS_TO]->(:Event)
DELETE r
WITH m
CALL (m) {{ MATCH (m)<-[:CAUSE_MENTION]-(:Claim)-[r:HAS_CAUSE]->(:Event) DELETE r }}
CALL (m) {{ MATCH (m)<-[:EFFECT_MENTION]-(:Claim)-[r:HAS_EFFECT]->(:Event) DELETE r }}
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
MATCH (:Event {collection: $collection, id: $id})-[:SIMILAR_TO]-(e:Event) WHERE e.id > '' RETURN DISTINCT e.id
"""
SIMILAR_AT = f"""
{among("e", "Event")}
MATCH (e)-[n:SIMILAR_TO]-(far:Event) WHERE far.id > '' RETURN DISTINCT startNode(n).id, endNode(n).id
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
MATCH (m)-[:REFERS_TO]->(e) WHERE NOT e:Event OR coalesce(e.collection, '') <> $collection
RETURN coalesce(toStringOrNull(m.id), 'unknown'), coalesce(toStringOrNull(e.id), 'unknown')
"""

# Edges

CLAIMS_FROM = f"""
{among("cause", "Event")}
MATCH (cause)<-[:HAS_CAUSE]-(n:Claim)-[:HAS_EFFECT]->(effect:Event) WHERE effect.id > ''
RETURN {_CLAIM}, cause.id, effect.id
"""
CLAIMS_AT = f"""
{among("e", "Event")}
MATCH (e)<-[:HAS_CAUSE|HAS_EFFECT]-(n:Claim)
WITH DISTINCT n
MATCH (cause:Event)<-[:HAS_CAUSE]-(n)-[:HAS_EFFECT]->(effect:Event) WHERE cause.id > '' AND effect.id > ''
RETURN {_CLAIM}, cause.id, effect.id
"""
EDGE_DIGESTS = f"""
{among("e", "Event")}
MATCH (e)-[n:{_TYPES}]-(far:Event) WHERE {_OURS}
RETURN DISTINCT startNode(n).id, endNode(n).id, n.relation, n.digest
"""
EDGES_FROM = f"""
{among("e", "Event")}
MATCH (e)-[n:{_TYPES}]->(far:Event) WHERE {_OURS} RETURN {EDGE.returned}
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


_TOLD = f"collect([{EDGE.returned}])"
"""All edges `n` in one row, since each row costs the server and the driver more than what stands in it."""


def _edges_at(left: str, right: str) -> str:
    """Edges that end or start at the events, so many at each; `{types}` of the closed set for those that stand."""
    return f"""
{among("e", "Event")}
CALL (e) {{{{
  MATCH (e){left}[n:{{types}}]{right}(far:Event) WHERE n.p_for >= $floor
  RETURN n ORDER BY n.confidence DESC, far.id, n.relation LIMIT $stand
  UNION ALL
  MATCH (e){left}[n:RULED_OUT]{right}(far:Event) WHERE n.relation IN $relations
  RETURN n ORDER BY n.confidence DESC, far.id, n.relation LIMIT $denied
}}}}
RETURN {_TOLD}
"""


def _edges_back(left: str, right: str) -> str:
    """Of the first edges of each event those that lead to one of `$reached`; whether others do not, and were more."""
    return f"""
{among("e", "Event")}
CALL (e) {{{{
  MATCH (e){left}[n:{{types}}]{right}(far:Event) WHERE n.p_for >= $floor
  WITH n, far.id AS far ORDER BY n.confidence DESC, far, n.relation LIMIT $most + 1
  WITH collect([n, far]) AS found
  WITH found[0..$most] AS first, size(found) > $most AS more
  RETURN more, [pair IN first WHERE pair[1] IN $reached | pair[0]] AS back,
    any(pair IN first WHERE NOT pair[1] IN $reached) AS on
}}}}
WITH collect(back) AS backs, collect(on) AS ons, collect(more) AS mores
CALL (backs) {{{{ UNWIND backs AS back UNWIND back AS n RETURN {_TOLD} AS edges }}}}
RETURN edges, any(on IN ons WHERE on), any(more IN mores WHERE more)
"""


EDGES_TO_CAUSES = _edges_at("<-", "-")
EDGES_TO_EFFECTS = _edges_at("-", "->")
EDGES_BACK_TO_CAUSES = _edges_back("<-", "-")
EDGES_BACK_TO_EFFECTS = _edges_back("-", "->")

# How much there is

COLLECTIONS = """
MATCH (s:Meta) WHERE s.collection = '' AND s.id STARTS WITH 'collection/'
WITH substring(s.id, 11) AS name
WHERE EXISTS { MATCH (d:Document) WHERE d.collection = name AND d.id STARTS WITH 'd' }
   OR EXISTS { MATCH (x:Decision) WHERE x.collection = name AND x.id STARTS WITH 'x' }
RETURN name
"""
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
