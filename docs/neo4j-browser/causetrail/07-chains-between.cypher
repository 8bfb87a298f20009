// 07 Chains between two events
// Needs $collection, $cause and $event.
MATCH (effect:Event {collection: $collection, id: $event})
WITH effect
MATCH chain = (cause)-[:CAUSES|ENABLES|PREVENTS*1..8]->(effect)
WHERE cause.id = $cause AND cause.collection = $collection
RETURN chain
ORDER BY reduce(p = 1.0, edge IN relationships(chain) | p * edge.confidence) DESC, length(chain) LIMIT 20
