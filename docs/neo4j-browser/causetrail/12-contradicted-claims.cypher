// 12 Contradicted claims: who says so, who denies it
// Needs $collection. The denied cause is the same event, or one told of in like words.
MATCH (denial:Claim {collection: $collection, polarity: 'negated'})
MATCH (denied:Event)<-[:HAS_CAUSE]-(denial)-[:HAS_EFFECT]->(effect:Event)
MATCH (effect)<-[:HAS_EFFECT]-(claim:Claim)-[:HAS_CAUSE]->(cause:Event)
WHERE claim.polarity = 'affirmed' AND claim.relation = denial.relation
  AND (cause = denied OR EXISTS { (cause)-[:SIMILAR_TO]-(denied) })
MATCH (says:Document)-[:HAS_CLAIM]->(claim)
MATCH (denies:Document)-[:HAS_CLAIM]->(denial)
RETURN cause.description AS cause, effect.description AS effect,
       says.doc_title AS says, claim.modality AS modality, claim.quote AS statement,
       denies.doc_title AS denies, denial.quote AS denial
ORDER BY effect, cause, says, denies
