// 05 Root causes of an event
// Needs $collection and $event. Roots are events of which no cause is told.
// A link of a chain that reads `may cause` is only suspected.
MATCH (effect:Event {collection: $collection, id: $event})
MATCH chain = (root:Event)-[:CAUSES|ENABLES|PREVENTS*1..8]->(effect)
WHERE NOT EXISTS { (root)<-[:CAUSES|ENABLES|PREVENTS]-() }
RETURN chain
ORDER BY reduce(p = 1.0, edge IN relationships(chain) | p * edge.confidence) DESC, root.id LIMIT 50
