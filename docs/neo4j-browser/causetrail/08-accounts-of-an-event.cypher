// 08 What is said to have caused an event: told, suspected, ruled out
// Needs $collection and $event. Suspicions come with their claim; a like event told of elsewhere is shown beside a cause.
MATCH (effect:Event {collection: $collection, id: $event})
MATCH (effect)<-[edge:CAUSES|ENABLES|PREVENTS|RULED_OUT]-(cause:Event)
OPTIONAL MATCH suspicion = (cause)<-[:HAS_CAUSE]-(claim:Claim)-[:HAS_EFFECT]->(effect)
  WHERE claim.modality <> 'actual'
OPTIONAL MATCH (cause)-[similar:SIMILAR_TO]-(other:Event)
RETURN effect, edge, cause, suspicion, similar, other
ORDER BY edge.confidence DESC, cause.id, claim.id, other.id
