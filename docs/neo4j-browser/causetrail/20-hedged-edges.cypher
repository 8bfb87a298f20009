// 20 Hedged edges: suspected, possible, never told as a fact
// Needs $collection. However many suspect it, P+ of such an edge stays at 0.5 or less.
MATCH (claim:Claim)
WHERE claim.collection = $collection AND claim.modality IN ['possible', 'planned', 'hypothetical']
  AND claim.polarity = 'affirmed'
MATCH told = (cause:Event)<-[:HAS_CAUSE]-(claim)-[:HAS_EFFECT]->(effect:Event)
MATCH (cause)-[edge:CAUSES|ENABLES|PREVENTS|BEFORE]->(effect)
WHERE edge.p_for <= 0.5 AND edge.relation = claim.relation
RETURN told, edge
ORDER BY claim.id, edge.relation
