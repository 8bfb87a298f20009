"""The expansion of `traversal.expansion` as one Cypher query, written by hand: the baseline of the program's own.

It gives the same subgraph within the same budget: levels, the most reliable edges of each event, the most reliable
events of each level, the edges back into what was reached, and the denied edges at the seeds.
"""

from __future__ import annotations

from collections.abc import Sequence

import neo4j

from kg.records import CAUSAL_RELATIONS
from kg.store import Direction
from traversal.expansion import Budget

EdgeKey = tuple[str, str, str]

_TYPES = "|".join(relation.value for relation in CAUSAL_RELATIONS)
_FIELDS = (
    "relation: r.relation, confidence: r.confidence, p_for: r.p_for, p_against: r.p_against, support: r.support,"
    " against: r.against, consistent: r.consistent, claims: r.claims"
)

_SEEDS = """
MATCH (s:Event) WHERE s.collection = $collection AND s.id IN $seeds
WITH collect(s) AS frontier
CALL (frontier) {{
  UNWIND frontier AS e
  CALL (e) {{
    MATCH {denied} WHERE r.relation IN $relations
    RETURN r ORDER BY r.confidence DESC, far.id, r.relation LIMIT $fan_out
  }}
  RETURN collect({{cause: startNode(r).id, effect: endNode(r).id, {fields}}}) AS denied
}}
WITH frontier, frontier AS reached, denied, [] AS followed
"""

_LEVEL = """
CALL (frontier) {{
  UNWIND frontier AS e
  CALL (e) {{
    MATCH {pattern} WHERE r.p_for >= $floor
    RETURN r, far ORDER BY r.confidence DESC, far.id, r.relation LIMIT $fan_out
  }}
  WITH r, far, startNode(r).id AS cause, endNode(r).id AS effect
  ORDER BY r.confidence DESC, cause, effect, r.relation
  RETURN collect(far) AS ends, collect({{far: far, cause: cause, effect: effect, {fields}}}) AS level
}}
CALL (ends, reached) {{
  UNWIND ends AS far
  WITH far, reached WHERE NOT far IN reached
  WITH collect(DISTINCT far) AS beyond
  RETURN beyond
}}
WITH denied, followed + level AS followed, beyond[0 .. {room}] AS frontier, reached
WITH denied, followed, frontier, reached + frontier AS reached
"""

_END = """
CALL (followed, reached) {{
  UNWIND followed AS edge
  WITH edge, reached WHERE edge.far IN reached
  RETURN collect(DISTINCT [edge.cause, edge.effect, edge.relation, edge.confidence, edge.p_for, edge.p_against,
    edge.support, edge.against, edge.consistent, edge.claims]) AS edges
}}
RETURN [e IN reached | e.id] AS events, edges,
  [d IN denied | [d.cause, d.effect, d.relation, d.confidence]] AS denied
"""


def expansion_query(direction: Direction, hops: int) -> str:
    """The query; takes `$collection`, `$seeds`, `$relations`, `$floor`, `$fan_out` and `$room`."""
    arrow = "(e)<-[r:{}]-(far:Event)" if direction is Direction.TO_CAUSES else "(e)-[r:{}]->(far:Event)"
    level = _LEVEL.format(pattern=arrow.format(_TYPES), fields=_FIELDS, room="$room - size(reached)")
    last = _LEVEL.format(pattern=arrow.format(_TYPES), fields=_FIELDS, room="0")
    start = _SEEDS.format(denied=arrow.format("RULED_OUT"), fields=_FIELDS)
    return start + level * hops + last + _END.format()


def expand_bare(
    session: neo4j.Session, query: str, collection: str, seeds: Sequence[str], budget: Budget
) -> tuple[set[str], set[EdgeKey], set[EdgeKey]]:
    """Events reached, edges between them, and denied edges at the seeds."""
    found = session.run(
        query,
        collection=collection,
        seeds=list(seeds),
        relations=[relation.value for relation in CAUSAL_RELATIONS],
        floor=budget.floor,
        fan_out=budget.fan_out,
        room=budget.max_nodes,
    ).single(strict=True)
    edges: set[EdgeKey] = {(edge[0], edge[1], edge[2]) for edge in found["edges"]}
    denied: set[EdgeKey] = {(edge[0], edge[1], edge[2]) for edge in found["denied"]}
    return set(found["events"]), edges, denied
