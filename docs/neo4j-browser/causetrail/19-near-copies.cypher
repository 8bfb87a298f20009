// 19 Near copies: documents that count as one voice
// Needs $collection. Documents of one group support an edge once.
MATCH (document:Document)
WHERE document.collection = $collection AND document.id IS NOT NULL AND document.copy_group IS NOT NULL
RETURN document.copy_group AS copies, count(*) AS documents, collect(document.doc_title) AS titles
ORDER BY documents DESC, copies LIMIT 100
