// 14 Timeline
// Needs $collection. Times are intervals; `resolution` says how exactly they are known.
// A told cause is asserted as a fact by a document, suspected ones are left out.
MATCH (event:Event)
WHERE event.collection = $collection AND event.time_start IS NOT NULL
RETURN event.time_start AS since, event.time_resolution AS resolution, event.description AS event,
       event.modality AS modality, event.time_end AS until,
       [(cause:Event)-[edge:CAUSES|ENABLES|PREVENTS]->(event) WHERE edge.p_for > 0.5 | cause.description] AS told_causes
ORDER BY since, until, event
