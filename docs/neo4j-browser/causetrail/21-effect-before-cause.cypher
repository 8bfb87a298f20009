// 21 Inconsistent edges: the effect came before the cause
// Needs $collection.
MATCH (cause:Event)
WHERE cause.collection = $collection AND cause.time_start IS NOT NULL
MATCH (cause)-[edge:CAUSES|ENABLES|PREVENTS|BEFORE]->(effect:Event)
WHERE NOT edge.consistent
RETURN cause, edge, effect
ORDER BY cause.id, effect.id LIMIT 100
