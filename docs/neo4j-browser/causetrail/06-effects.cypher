// 06 Effects of an event
// Needs $collection and $event.
MATCH (cause:Event {collection: $collection, id: $event})
MATCH chain = (cause)-[:CAUSES|ENABLES|PREVENTS*1..6]->(:Event)
RETURN chain
ORDER BY length(chain), [event IN nodes(chain) | event.id] LIMIT 100
