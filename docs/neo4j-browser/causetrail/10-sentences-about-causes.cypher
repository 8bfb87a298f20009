// 10 From an event to the sentences: its causes, the claims, their documents
// Needs $collection and $event. Click a claim and read `quote`.
MATCH (effect:Event {collection: $collection, id: $event})
MATCH (effect)<-[of_effect:HAS_EFFECT]-(claim:Claim)-[of_cause:HAS_CAUSE]->(cause:Event)
MATCH (document:Document)-[has:HAS_CLAIM]->(claim)
RETURN effect, of_effect, claim, of_cause, cause, has, document
ORDER BY cause.id, claim.id LIMIT 100
