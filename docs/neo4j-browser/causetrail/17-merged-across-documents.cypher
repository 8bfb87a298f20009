// 17 Events merged across documents, and why
// Needs $collection. `why` names what the mentions of different documents share.
MATCH (event:Event)
WHERE event.collection = $collection AND event.mention_count > 1 AND event.document_count > 1
MATCH (event)<-[:REFERS_TO]-(one:Mention), (event)<-[:REFERS_TO]-(other:Mention)
WHERE one.document_id < other.document_id
WITH event, one, other,
     CASE WHEN one.incident = other.incident THEN ['incident ' + one.incident] ELSE [] END
     + CASE WHEN one.time_start < other.time_end AND other.time_start < one.time_end
            THEN ['time from ' + one.time_start] ELSE [] END
     + [thing IN one.participants WHERE thing IN other.participants | 'participant ' + thing]
     + CASE WHEN one.place = other.place THEN ['place ' + one.place] ELSE [] END AS shared
UNWIND shared AS reason
RETURN event.description AS event, event.document_count AS documents,
       collect(DISTINCT reason) AS why, collect(DISTINCT one.text) + collect(DISTINCT other.text) AS mentions
ORDER BY documents DESC, event
