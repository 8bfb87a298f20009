// 18 Similar events that were not merged
// Needs $collection. Chains never follow SIMILAR_TO.
MATCH (one:Event)
WHERE one.collection = $collection AND one.id IS NOT NULL
MATCH pair = (one)-[:SIMILAR_TO]->(other:Event)
RETURN pair
ORDER BY one.id, other.id LIMIT 100
