// 27 Hypotheses: premises that no document states
// Needs $collection. They are never edges, and no chain uses them.
MATCH (hypothesis:Hypothesis)
WHERE hypothesis.collection = $collection AND hypothesis.id IS NOT NULL
MATCH link = (cause:Event)<-[:WOULD_LINK_CAUSE]-(hypothesis)-[:WOULD_LINK_EFFECT]->(effect:Event)
RETURN link
ORDER BY hypothesis.score DESC, hypothesis.id LIMIT 100
