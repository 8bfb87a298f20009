"""The tables of the embedded store, as SQL by schema version.

Records that prove something (sources, documents, passages, mentions, claims, decisions) and derived ones (events,
edges) stand in one table each, a column for a field, with a digest over all fields of the row. Texts and vectors stand
apart so that rows stay small. Identifiers are unique inside a collection.
"""

from __future__ import annotations

APPLICATION_ID = 0x43547261
"""Stands in the header of every store file (`CTra`), so that a file is known for ours before it is opened."""

RESERVED_BYTES = 8
"""Bytes at the end of every page that hold its checksum."""

VERSION_1 = """
CREATE TABLE collection (
  name TEXT NOT NULL PRIMARY KEY,
  generation INTEGER NOT NULL,
  resolver TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE document (
  "key" INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  language TEXT NOT NULL,
  length INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  extraction TEXT NOT NULL,
  dated TEXT NOT NULL,
  sentences INTEGER NOT NULL,
  rejected TEXT NOT NULL,
  sketch TEXT NOT NULL,
  digest BLOB NOT NULL,
  UNIQUE (collection, id)
) STRICT;

CREATE TABLE document_text (
  collection TEXT NOT NULL,
  document_id TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (collection, document_id)
) STRICT;

CREATE TABLE source (
  "key" INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  name TEXT NOT NULL,
  document_id TEXT NOT NULL,
  origin TEXT NOT NULL,
  raw_sha256 TEXT NOT NULL,
  doc_title TEXT NOT NULL,
  published TEXT,
  published_resolution TEXT,
  media_type TEXT NOT NULL,
  pages TEXT NOT NULL,
  normaliser TEXT NOT NULL,
  digest BLOB NOT NULL,
  UNIQUE (collection, name)
) STRICT;
CREATE INDEX source_document ON source (collection, document_id, name);
CREATE INDEX source_origin ON source (collection, origin, name);

CREATE TABLE passage (
  "key" INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  document_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  kind TEXT NOT NULL,
  digest BLOB NOT NULL,
  UNIQUE (collection, id)
) STRICT;
CREATE INDEX passage_document ON passage (collection, document_id, ordinal);

CREATE TABLE passage_vector (
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (collection, id)
) STRICT;

CREATE TABLE mention (
  "key" INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  document_id TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  sentence_start INTEGER NOT NULL,
  sentence_end INTEGER NOT NULL,
  text TEXT NOT NULL,
  lemma TEXT NOT NULL,
  kind TEXT NOT NULL,
  polarity TEXT NOT NULL,
  modality TEXT NOT NULL,
  participants TEXT NOT NULL,
  place TEXT,
  incident TEXT,
  time_start TEXT,
  time_end TEXT,
  time_resolution TEXT,
  digest BLOB NOT NULL,
  UNIQUE (collection, id)
) STRICT;
CREATE INDEX mention_document ON mention (collection, document_id, start, "end", id);
CREATE INDEX mention_kind ON mention (collection, kind, id);

CREATE TABLE mention_vector (
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  vector BLOB NOT NULL,
  UNIQUE (collection, id)
) STRICT;

CREATE TABLE claim (
  "key" INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  document_id TEXT NOT NULL,
  relation TEXT NOT NULL,
  cause_mention TEXT NOT NULL,
  effect_mention TEXT NOT NULL,
  start INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  quote TEXT NOT NULL,
  cue TEXT NOT NULL,
  polarity TEXT NOT NULL,
  modality TEXT NOT NULL,
  confidence REAL NOT NULL,
  extractor TEXT NOT NULL,
  digest BLOB NOT NULL,
  UNIQUE (collection, id)
) STRICT;
CREATE INDEX claim_document ON claim (collection, document_id, start, "end", id);
CREATE INDEX claim_cause ON claim (collection, cause_mention);
CREATE INDEX claim_effect ON claim (collection, effect_mention);

CREATE TABLE decision (
  "key" INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  "by" TEXT NOT NULL,
  reason TEXT NOT NULL,
  at TEXT NOT NULL,
  undone INTEGER NOT NULL,
  digest BLOB NOT NULL,
  UNIQUE (collection, id)
) STRICT;

CREATE TABLE decision_subject (
  collection TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  decision_id TEXT NOT NULL,
  PRIMARY KEY (collection, subject_id, decision_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE event (
  "key" INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  description TEXT NOT NULL,
  kind TEXT NOT NULL,
  polarity TEXT NOT NULL,
  modality TEXT NOT NULL,
  time_start TEXT,
  time_end TEXT,
  time_resolution TEXT,
  mention_count INTEGER NOT NULL,
  document_count INTEGER NOT NULL,
  described_by TEXT NOT NULL,
  reasons TEXT NOT NULL,
  digest BLOB NOT NULL,
  UNIQUE (collection, id)
) STRICT;

CREATE TABLE event_mention (
  collection TEXT NOT NULL,
  mention_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  PRIMARY KEY (collection, mention_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_mention_event ON event_mention (collection, event_id, mention_id);

CREATE TABLE edge (
  "key" INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  cause TEXT NOT NULL,
  effect TEXT NOT NULL,
  relation TEXT NOT NULL,
  ruled_out INTEGER NOT NULL,
  confidence REAL NOT NULL,
  p_for REAL NOT NULL,
  p_against REAL NOT NULL,
  support INTEGER NOT NULL,
  against INTEGER NOT NULL,
  consistent INTEGER NOT NULL,
  claims TEXT NOT NULL,
  digest BLOB NOT NULL,
  UNIQUE (collection, cause, effect, relation)
) STRICT;
CREATE INDEX edge_effect ON edge (collection, effect);

CREATE TABLE similar_events (
  collection TEXT NOT NULL,
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  PRIMARY KEY (collection, a, b)
) STRICT, WITHOUT ROWID;
CREATE INDEX similar_events_b ON similar_events (collection, b);

CREATE TABLE sketch_hash (
  collection TEXT NOT NULL,
  hash TEXT NOT NULL,
  document_id TEXT NOT NULL,
  PRIMARY KEY (collection, hash, document_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE near_copy (
  collection TEXT NOT NULL,
  a TEXT NOT NULL,
  b TEXT NOT NULL,
  PRIMARY KEY (collection, a, b)
) STRICT, WITHOUT ROWID;
CREATE INDEX near_copy_b ON near_copy (collection, b);

CREATE TABLE copy_group (
  collection TEXT NOT NULL,
  document_id TEXT NOT NULL,
  least TEXT NOT NULL,
  PRIMARY KEY (collection, document_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX copy_group_least ON copy_group (collection, least, document_id);

CREATE TABLE mark (
  collection TEXT NOT NULL,
  kind TEXT NOT NULL,
  PRIMARY KEY (collection, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE lease (
  collection TEXT NOT NULL PRIMARY KEY,
  holder TEXT NOT NULL,
  expires REAL NOT NULL
) STRICT, WITHOUT ROWID;
"""
"""The first version."""

VERSION_2 = """
CREATE TABLE hypothesis (
  "key" INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  cause TEXT NOT NULL,
  effect TEXT NOT NULL,
  premise TEXT NOT NULL,
  entailment REAL NOT NULL,
  plausibility REAL NOT NULL,
  retrieval REAL NOT NULL,
  contradiction REAL NOT NULL,
  score REAL NOT NULL,
  model TEXT NOT NULL,
  created_at TEXT,
  digest BLOB NOT NULL,
  UNIQUE (collection, id)
) STRICT;
"""
"""Hypotheses that were written."""

VERSION_3 = "ALTER TABLE mention ADD COLUMN time_words TEXT;"
"""The time beside a mention, without a year."""

READ_AS: dict[int, str] = {3: "CREATE TEMP VIEW mention AS SELECT *, NULL AS time_words FROM main.mention"}
"""By version, how a connection that changes nothing reads the tables of an earlier one."""

MIGRATIONS: tuple[str, ...] = (VERSION_1, VERSION_2, VERSION_3)
"""Scripts that lead from each version to the next; a file of version n has had the first n."""

SCHEMA_VERSION = len(MIGRATIONS)
"""The version this program writes."""
