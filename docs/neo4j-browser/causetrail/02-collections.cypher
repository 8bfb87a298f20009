// 02 What is in the database
MATCH (document:Document)
WHERE document.collection IS NOT NULL AND document.id IS NOT NULL
WITH document.collection AS collection, count(*) AS documents
RETURN collection, documents,
       COUNT { MATCH (m:Mention) WHERE m.collection = collection AND m.id IS NOT NULL } AS mentions,
       COUNT { MATCH (c:Claim) WHERE c.collection = collection AND c.id IS NOT NULL } AS claims,
       COUNT { MATCH (e:Event) WHERE e.collection = collection AND e.id IS NOT NULL } AS events,
       COUNT { MATCH (e:Event)-[:CAUSES|ENABLES|PREVENTS|BEFORE|RULED_OUT]->()
               WHERE e.collection = collection AND e.id IS NOT NULL } AS edges
ORDER BY collection
