// 24 Search the text of the documents
// Needs $collection and $words.
CALL db.index.fulltext.queryNodes('causetrail_passage_text', $words) YIELD node AS passage, score
WHERE passage.collection = $collection
MATCH (document:Document)-[:HAS_PASSAGE]->(passage)
RETURN document.doc_title AS document, passage.start AS start, score, passage.text AS text
ORDER BY score DESC, passage.id LIMIT 20
