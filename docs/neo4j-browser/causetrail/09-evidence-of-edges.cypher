// 09 Evidence of the edges to an event: the sentences, with document and offsets
// Needs $collection and $event. Offsets count characters of the document's text.
MATCH (effect:Event {collection: $collection, id: $event})<-[:HAS_EFFECT]-(claim:Claim)-[:HAS_CAUSE]->(cause:Event)
MATCH (document:Document)-[:HAS_CLAIM]->(claim)
RETURN claim.polarity AS polarity, claim.modality AS modality, claim.quote AS quote, document.doc_title AS document,
       claim.start AS start, claim.end AS end,
       substring(document.text, claim.start, claim.end - claim.start) = claim.quote AS verbatim,
       cause.description AS cause, claim.relation AS relation, claim.confidence AS confidence,
       document.sources AS sources
ORDER BY cause, polarity, document, start
