"""Constraints and indexes on the server, made once and brought up to date by version; and whose database it is."""

from __future__ import annotations

import math
import re
import time

from causetrail.errors import (
    DatabaseForeign,
    DatabaseMixed,
    SchemaRefused,
    ServerRefused,
    ServerVersion,
    StoreDamaged,
    StoreMissing,
    StoreNewer,
)
from kg.graph_schema import Label
from kg.neo4j_server import Neo4jServer

LEAST_VERSION = (5, 23)
"""First version whose vector indexes take vectors of any length, as collections of several encoders need. Versions by
the year (2025.01) follow version 5."""

META = "Meta"
"""Label of the nodes that the store keeps for itself: schema, collections, marks, sketches."""

PASSAGE_TEXT, EVENT_WORDS = "causetrail_passage_text", "causetrail_event_words"
PASSAGE_VECTOR, EVENT_VECTOR = "causetrail_passage_vector", "causetrail_event_vector"

ANALYSER = "english"
"""Takes words by their stems, as the embedded index does."""

LABELS = (*(label.value for label in Label), META)
"""All labels that the program writes."""

RANGE_INDEXES = (
    ("Event", "kind"),
    ("Event", "time_start"),
    ("Event", "mention_count"),
    ("Mention", "kind"),
    ("Claim", "polarity"),
    ("Claim", "modality"),
    ("Source", "document_id"),
    ("Source", "origin"),
)
"""Label and property; the collection comes first in each."""

VERSION_1 = (
    *(
        f"CREATE CONSTRAINT causetrail_{label.lower()}_id IF NOT EXISTS"
        f" FOR (n:{label}) REQUIRE (n.collection, n.id) IS UNIQUE"
        for label in LABELS
    ),
    *(
        f"CREATE INDEX causetrail_{label.lower()}_{key} IF NOT EXISTS FOR (n:{label}) ON (n.collection, n.{key})"
        for label, key in RANGE_INDEXES
    ),
    f"CREATE FULLTEXT INDEX {PASSAGE_TEXT} IF NOT EXISTS FOR (n:Passage) ON EACH [n.text]"
    f" OPTIONS {{indexConfig: {{`fulltext.analyzer`: '{ANALYSER}'}}}}",
    f"CREATE FULLTEXT INDEX {EVENT_WORDS} IF NOT EXISTS FOR (n:Event) ON EACH [n.words]"
    f" OPTIONS {{indexConfig: {{`fulltext.analyzer`: '{ANALYSER}'}}}}",
    f"CREATE VECTOR INDEX {PASSAGE_VECTOR} IF NOT EXISTS FOR (n:Passage) ON (n.vector)"
    " OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine'}}",
    f"CREATE VECTOR INDEX {EVENT_VECTOR} IF NOT EXISTS FOR (n:Event) ON (n.vector)"
    " OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine'}}",
)
"""The first version."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (VERSION_1,)
"""Statements that lead from each version to the next; a database of version n has had the first n."""

SCHEMA_VERSION = len(MIGRATIONS)
"""The version this program writes."""

INDEX_SECONDS = 300
"""Longest wait for new indexes to be filled."""

OTHERS_SECONDS, PAUSE_SECONDS = 5.0, 0.2
"""How long it is tried again after a refusal, which another program that makes the same schema may have caused; and the
time between two attempts."""

COMPONENTS = "CALL dbms.components() YIELD name, versions, edition RETURN name, versions[0], edition"
FOUND_VERSION = "MATCH (m:Meta {collection: '', id: 'schema'}) WHERE m.program = 'causetrail' RETURN m.version"
NOTE_VERSION = (
    "MERGE (m:Meta {collection: '', id: 'schema'}) SET m.program = 'causetrail', m.version = $version RETURN m.version"
)
COUNT_NODES = """
MATCH (n:{label})
RETURN count(n), sum(CASE WHEN n.collection IS NOT NULL AND n.id IS NOT NULL THEN 1 ELSE 0 END)
"""
"""All nodes of a label, and those among them that have the key of the graph's own."""
AWAIT_INDEXES = f"CALL db.awaitIndexes({INDEX_SECONDS})"


def server_version(server: Neo4jServer) -> tuple[str, str]:
    """Version and edition of the server, as it tells them."""
    for name, version, edition in server.rows(COMPONENTS):
        if name == "Neo4j Kernel":
            return str(version), str(edition)
    return "", ""


def prepare(server: Neo4jServer, *, create: bool) -> None:
    """Judges the database, and makes or migrates its schema.

    Args:
        create: Make the schema when there is none.

    Raises:
        ServerVersion: the server is too old.
        StoreMissing: no schema is there, and it is not to be made.
        StoreNewer: a newer program wrote it.
        DatabaseForeign: the database holds nodes of another program under the labels of the graph, and is not shared.
        DatabaseMixed: some of them could not be told from the graph's own, shared or not.
        SchemaRefused: a constraint or an index cannot be made.
    """
    end = math.inf
    while True:
        try:
            _prepare(server, create=create)
            return
        except (DatabaseMixed, SchemaRefused):
            # Two programs that open one empty database are in each other's way until the first is done.
            now = time.monotonic()
            end = min(end, now + OTHERS_SECONDS)
            if now >= end:
                raise
        time.sleep(PAUSE_SECONDS)


def _prepare(server: Neo4jServer, *, create: bool) -> None:
    with server.prompt(server.access.connect_seconds):
        found = schema_version(server)
    if found > SCHEMA_VERSION:
        raise StoreNewer(path=server.address, found=found, known=SCHEMA_VERSION)
    if found == SCHEMA_VERSION:
        return
    refuse_old(server)
    if not found:
        if not create:
            raise StoreMissing(path=server.address, address=server.address)
        refuse_foreign(server, adopt=server.access.adopt)
    for statements in MIGRATIONS[found:]:
        for statement in statements:
            _execute(server, statement)
    server.rows(AWAIT_INDEXES)
    server.transact(lambda: server.rows(NOTE_VERSION, version=SCHEMA_VERSION), lambda mark: None)


def schema_version(server: Neo4jServer) -> int:
    """Version of the schema in the database; 0 when the program never wrote to it."""
    rows = server.rows(FOUND_VERSION)
    if rows and not isinstance(rows[0][0], int):
        raise StoreDamaged(path=server.address, what="the version of its schema was altered")
    return int(rows[0][0]) if rows else 0


def refuse_old(server: Neo4jServer) -> None:
    """Refuses a server that lacks what the schema needs.

    Raises:
        ServerVersion: it is too old.
    """
    version, edition = server_version(server)
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if numbers < LEAST_VERSION:
        needed = f"Neo4j {'.'.join(map(str, LEAST_VERSION))} or later, of any edition"
        raise ServerVersion(address=server.address, found=f"Neo4j {version or 'unknown'} {edition}", needed=needed)


def refuse_foreign(server: Neo4jServer, *, adopt: bool) -> None:
    """Refuses a database without a schema that holds nodes under the labels of the graph.

    Args:
        adopt: Take those that no query of the graph finds, because they lack a property that all of its nodes have.

    Raises:
        DatabaseMixed: it holds some that would be found.
        DatabaseForeign: it holds others, and they are not to be taken.
    """
    counts = {label: server.rows(COUNT_NODES.format(label=label))[0] for label in LABELS}
    place = {"database": server.access.database, "address": server.address}
    for label, (_, alike) in counts.items():
        if alike:
            raise DatabaseMixed(**place, count=alike, label=label)
    for label, (count, _) in counts.items():
        if count and not adopt:
            raise DatabaseForeign(**place, count=count, label=label)


def made_by(statement: str) -> str:
    """The name of the constraint or index that a statement of `MIGRATIONS` makes."""
    return statement.partition(" IF NOT EXISTS")[0].rsplit(" ", 1)[-1]


def _execute(server: Neo4jServer, statement: str) -> None:
    try:
        server.execute(statement)
    except ServerRefused as error:
        raise SchemaRefused(database=server.access.database, address=server.address, name=made_by(statement)) from error
