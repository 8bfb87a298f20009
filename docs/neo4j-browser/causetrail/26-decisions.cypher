// 26 Decisions of people, and what they are about
// Needs $collection.
MATCH (decision:Decision)
WHERE decision.collection = $collection AND decision.id IS NOT NULL
UNWIND decision.subject AS subject
OPTIONAL MATCH (claim:Claim {collection: $collection, id: subject})
OPTIONAL MATCH (mention:Mention {collection: $collection, id: subject})
RETURN decision.at AS at, decision.by AS by, decision.kind AS kind, decision.undone AS undone,
       decision.reason AS reason, collect(coalesce(claim.quote, mention.text, subject)) AS about
ORDER BY at, kind
