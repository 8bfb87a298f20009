// 03 The causal graph of a collection
// Needs $collection. The events with the most links first.
MATCH (event:Event)
WHERE event.collection = $collection AND event.id IS NOT NULL
WITH event, COUNT { (event)-[:CAUSES|ENABLES|PREVENTS|RULED_OUT]-() } AS links
WHERE links > 0
ORDER BY links DESC, event.id LIMIT 100
MATCH (event)-[edge:CAUSES|ENABLES|PREVENTS|RULED_OUT]->(effect:Event)
RETURN event, edge, effect
ORDER BY links DESC, event.id, effect.id
