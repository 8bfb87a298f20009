// 22 Causes with the most independent support
// Needs $collection. `support` and `against` count documents; near copies count as one.
// What is only suspected reads `may cause`.
MATCH (cause:Event)
WHERE cause.collection = $collection AND cause.id IS NOT NULL
MATCH (cause)-[edge:CAUSES|ENABLES|PREVENTS]->(effect:Event)
RETURN cause.description AS cause, edge.reads AS reads, effect.description AS effect, edge.support AS support,
       edge.against AS against, edge.p_for AS p_for, edge.confidence AS confidence, edge.quotes AS quotes
ORDER BY support DESC, p_for DESC, cause, effect LIMIT 25
