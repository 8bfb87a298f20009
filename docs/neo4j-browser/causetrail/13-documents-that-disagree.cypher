// 13 Documents that disagree
// Needs $collection. Two documents with their claims: the one says that it caused the event, the other denies it.
MATCH (denial:Claim {collection: $collection, polarity: 'negated'})
MATCH (denied:Event)<-[of_denied:HAS_CAUSE]-(denial)-[denial_of:HAS_EFFECT]->(effect:Event)
MATCH (effect)<-[claim_of:HAS_EFFECT]-(claim:Claim)-[of_cause:HAS_CAUSE]->(cause:Event)
WHERE claim.polarity = 'affirmed' AND claim.relation = denial.relation
  AND (cause = denied OR EXISTS { (cause)-[:SIMILAR_TO]-(denied) })
MATCH (says:Document)-[says_it:HAS_CLAIM]->(claim)
MATCH (denies:Document)-[denies_it:HAS_CLAIM]->(denial)
WHERE says <> denies
RETURN says, says_it, claim, of_cause, cause, claim_of, effect, denies, denies_it, denial, of_denied, denied, denial_of
ORDER BY effect.id, claim.id, denial.id
