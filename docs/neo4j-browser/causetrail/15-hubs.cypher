// 15 Hubs: the events with the most causes and effects
// Needs $collection. Suspected causes and effects count as told ones do.
MATCH (event:Event)
WHERE event.collection = $collection AND event.id IS NOT NULL
WITH event,
     COUNT { (event)<-[:CAUSES|ENABLES|PREVENTS]-() } AS causes,
     COUNT { (event)-[:CAUSES|ENABLES|PREVENTS]->() } AS effects,
     COUNT { (event)<-[:RULED_OUT]-() } AS ruled_out
WHERE causes + effects + ruled_out > 1
RETURN event.description AS event, causes, effects, ruled_out, event.document_count AS documents, event.id AS id
ORDER BY causes + effects + ruled_out DESC, id LIMIT 25
