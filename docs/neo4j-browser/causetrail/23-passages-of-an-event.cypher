// 23 Passages that mention an event
// Needs $collection and $event.
MATCH (event:Event {collection: $collection, id: $event})<-[:MENTIONS]-(passage:Passage)<-[:HAS_PASSAGE]-(document:Document)
RETURN document.doc_title AS document, document.published AS published, passage.page AS page, passage.start AS start,
       passage.text AS text
ORDER BY published, document, start LIMIT 100
