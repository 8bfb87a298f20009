// 04 Find events by words
// Needs $collection and $words.
CALL db.index.fulltext.queryNodes('causetrail_event_words', $words) YIELD node AS event, score
WHERE event.collection = $collection
RETURN event.id AS id, event.description AS event, event.time_start AS since, event.document_count AS documents, score
ORDER BY score DESC, id LIMIT 25
