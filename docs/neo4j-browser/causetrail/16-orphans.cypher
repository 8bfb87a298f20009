// 16 Orphans: events without any edge
// Needs $collection. Mostly plans, and statements that count for nothing yet.
MATCH (event:Event)
WHERE event.collection = $collection AND event.id IS NOT NULL
  AND NOT EXISTS { (event)-[:CAUSES|ENABLES|PREVENTS|BEFORE|RULED_OUT]-() }
RETURN event.description AS event, event.modality AS modality,
       [(event)<-[:HAS_CAUSE|HAS_EFFECT]-(claim:Claim) | claim.quote] AS claims
ORDER BY event LIMIT 100
