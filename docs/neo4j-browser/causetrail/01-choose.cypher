// 01 Choose what to look at: a collection, an event, a cause
// Change the three texts and run it. It sets $collection, $words, $event and $cause, which the other queries use.
:param [{collection, words, event, cause}] => {
  WITH 'flood' AS collection, 'council closed the footbridge' AS words, 'float jammed by ice' AS cause_words
  CALL db.index.fulltext.queryNodes('causetrail_event_words', words) YIELD node, score
  WHERE node.collection = collection
  WITH collection, words, cause_words, node.id AS event ORDER BY score DESC, event LIMIT 1
  CALL db.index.fulltext.queryNodes('causetrail_event_words', cause_words) YIELD node, score
  WHERE node.collection = collection
  RETURN collection, words, event, node.id AS cause ORDER BY score DESC, cause LIMIT 1
}
