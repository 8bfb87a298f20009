// 25 Claims by extractor and cue
// Needs $collection.
MATCH (claim:Claim)
WHERE claim.collection = $collection AND claim.id IS NOT NULL
RETURN claim.extractor AS extractor, claim.cue AS cue, claim.relation AS relation, count(*) AS claims,
       round(avg(claim.confidence), 3) AS mean_confidence, head(collect(claim.quote)) AS example
ORDER BY claims DESC, cue, relation
