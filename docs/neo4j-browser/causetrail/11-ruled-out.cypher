// 11 Causes that were ruled out
// Needs $collection.
MATCH (claim:Claim {collection: $collection, polarity: 'negated'})
MATCH (cause:Event)<-[:HAS_CAUSE]-(claim)-[:HAS_EFFECT]->(effect:Event)
MATCH (cause)-[edge:RULED_OUT]->(effect)
RETURN DISTINCT cause, edge, effect
ORDER BY effect.id, cause.id
