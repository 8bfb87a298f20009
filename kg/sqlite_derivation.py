"""The second commit: one holder of a lease resolves the marked blocks and derives their edges.

Each step is one transaction of bounded size that reads its blocks whole and writes what differs, so it can be repeated
after a crash at any point and by any process, and ends in the same graph.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence

from causetrail.errors import LeaseLost, StoreLocked
from kg.record_tables import DECISIONS, MENTIONS
from kg.records import Decision, Event, Mention
from kg.resolution import Resolver
from kg.sqlite_clusters import ClusterTables
from kg.sqlite_connection import StoreFile
from kg.sqlite_marks import MarkTables
from kg.store import Derivation, Progress

MENTIONS_PER_STEP = 2_000
"""Mentions after which a step takes no further block; a block is never divided."""

_POLL_SECONDS = 0.05
_LONGEST_LEASE_SECONDS = 3_600.0
"""A lease that runs longer was taken by a clock that was wrong."""


class DerivationTables(MarkTables, ClusterTables):
    """Derives the graph."""

    def __init__(self, file: StoreFile, lease_seconds: float) -> None:
        super().__init__(file)
        self._lease_seconds = lease_seconds

    def derive(self, collection: str, resolver: Resolver, progress: Progress | None = None) -> Derivation:
        """The second commit: resolves marked blocks and derives their edges until none is marked.

        Waits for the lease when another process holds it, at most the configured wait. A lease that was lost to another
        process is waited for in the same way: what is done is done, and either may finish the rest.

        Raises:
            StoreLocked: the lease was not free in time.
        """
        blocks = 0
        while self.pending(collection) or self._resolver_of(collection) not in {resolver.version, None}:
            with contextlib.suppress(LeaseLost), self._lease(collection) as holder:
                self._mark_for_version(collection, resolver.version)
                total = self.pending(collection)
                while left := self.pending(collection):
                    blocks += self._step(collection, resolver, holder)
                    total = max(total, left)
                    if progress is not None:
                        progress("derive", total - self.pending(collection), total)
        with self._file.reading():
            events, edges = self._file.rows(
                "SELECT (SELECT count(*) FROM event WHERE collection = ?1),"
                " (SELECT count(*) FROM edge WHERE collection = ?1)",
                (collection,),
            )[0]
            return Derivation(blocks=blocks, events=events, edges=edges, generation=self.generation(collection))

    def _step(self, collection: str, resolver: Resolver, holder: str) -> int:
        """Derives marked blocks in one transaction; gives their number."""
        blocks, mentions, changed = 0, 0, False
        with self._file.writing():
            self._renew(collection, holder)
            for kinds in self._marked_blocks(collection):
                size, differs = self._derive_block(collection, kinds, resolver)
                self._file.run_many(
                    "DELETE FROM mark WHERE collection = ? AND kind = ?", [(collection, kind) for kind in kinds]
                )
                blocks, mentions, changed = blocks + 1, mentions + size, changed or differs
                if mentions >= MENTIONS_PER_STEP:
                    break
            if changed:
                self._advance(collection)
        return blocks

    def _marked_blocks(self, collection: str) -> Iterator[list[str]]:
        """Kinds of each block with a mark, blocks by their least marked kind."""
        block_of = self._tied_kinds(collection)
        kinds_of: dict[str, list[str]] = defaultdict(list)
        for kind in sorted(block_of):
            kinds_of[block_of[kind]].append(kind)
        done: set[str] = set()
        rows = self._file.rows("SELECT kind FROM mark WHERE collection = ? ORDER BY kind", (collection,))
        for kind in (str(row[0]) for row in rows):
            block = block_of.get(kind, kind)
            if block not in done:
                done.add(block)
                yield kinds_of.get(block, [kind])

    def _derive_block(self, collection: str, kinds: Sequence[str], resolver: Resolver) -> tuple[int, bool]:
        """Resolves one block and derives the edges at it; the number of its mentions, and whether anything changed."""
        asked = json.dumps(kinds)
        sql = f"{MENTIONS.select} WHERE collection = ? AND kind IN (SELECT value FROM json_each(?)) ORDER BY id"  # noqa: S608
        mentions = {m.id: m for m in map(MENTIONS.from_row, self._file.rows(sql, (collection, asked)))}
        if not mentions:
            return 0, False
        resolved = resolver.resolve(tuple(mentions.values()), self._decisions_on(collection, asked))
        clusters = [[mentions[id_] for id_ in cluster] for cluster in resolved.clusters]
        _check_partition(mentions, clusters)
        changed = self._write_clusters(collection, (), clusters, resolved.reasons)
        ids = sorted(Event.id_of(min(cluster)) for cluster in resolved.clusters)
        similar = {(Event.id_of(a), Event.id_of(b)) for a, b in resolved.similar}
        return len(mentions), self._write_similar(collection, ids, similar) or changed

    def _write_similar(self, collection: str, ids: Sequence[str], wanted: set[tuple[str, str]]) -> bool:
        found = set()
        for end in ("a", "b"):
            sql = f"SELECT a, b FROM similar_events WHERE collection = ? AND {end} IN (SELECT value FROM json_each(?))"  # noqa: S608
            found.update(self._rows_in(sql, collection, ids))
        self._file.run_many(
            "DELETE FROM similar_events WHERE collection = ? AND a = ? AND b = ?",
            [(collection, *pair) for pair in sorted(found - wanted)],
        )
        self._file.run_many(
            "INSERT INTO similar_events (collection, a, b) VALUES (?, ?, ?)",
            [(collection, *pair) for pair in sorted(wanted - found)],
        )
        return found != wanted

    def _decisions_on(self, collection: str, kinds: str) -> tuple[Decision, ...]:
        """Standing merges and splits that name a mention of these kinds, oldest first."""
        sql = (
            f"{DECISIONS.select} WHERE decision.collection = ?1 AND decision.kind IN ('merge', 'split')"  # noqa: S608
            " AND decision.undone = 0 AND EXISTS (SELECT 1 FROM decision_subject JOIN mention"
            " ON mention.collection = decision_subject.collection AND mention.id = decision_subject.subject_id"
            " WHERE decision_subject.collection = ?1 AND decision_subject.decision_id = decision.id"
            " AND mention.kind IN (SELECT value FROM json_each(?2))) ORDER BY decision.at, decision.id"
        )
        return tuple(map(DECISIONS.from_row, self._file.rows(sql, (collection, kinds))))

    def _resolver_of(self, collection: str) -> str | None:
        """Version of the resolver that the events come from; none for a collection that does not exist."""
        rows = self._file.rows("SELECT resolver FROM collection WHERE name = ?", (collection,))
        return rows[0][0] if rows else None

    def _mark_for_version(self, collection: str, version: str) -> None:
        """Marks every block when the events come from another version of the resolver."""
        if self._resolver_of(collection) == version:
            return
        with self._file.writing():
            self._file.rows(
                "INSERT INTO mark (collection, kind) SELECT DISTINCT collection, kind FROM mention WHERE collection = ?"
                " ON CONFLICT DO NOTHING",
                (collection,),
            )
            self._file.rows("UPDATE collection SET resolver = ? WHERE name = ?", (version, collection))

    # The lease

    @contextlib.contextmanager
    def _lease(self, collection: str) -> Iterator[str]:
        """Holds the lease; gives the holder's name."""
        holder = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(8)}"
        deadline = time.monotonic() + self._file.wait_seconds
        while not self._take(collection, holder):
            if time.monotonic() >= deadline:
                raise StoreLocked(path=str(self._file.path), seconds=f"{self._file.wait_seconds:g}")
            time.sleep(_POLL_SECONDS)
        try:
            yield holder
        finally:
            with self._file.writing():
                self._file.rows("DELETE FROM lease WHERE collection = ? AND holder = ?", (collection, holder))

    def _take(self, collection: str, holder: str) -> bool:
        now = time.time()
        with self._file.writing():
            held = self._file.rows("SELECT holder, expires FROM lease WHERE collection = ?", (collection,))
            if held and now < held[0][1] <= now + _LONGEST_LEASE_SECONDS and _may_live(held[0][0]):
                return False
            self._file.rows(
                "INSERT INTO lease (collection, holder, expires) VALUES (?, ?, ?)"
                " ON CONFLICT (collection) DO UPDATE SET holder = excluded.holder, expires = excluded.expires",
                (collection, holder, now + self._lease_seconds),
            )
        return True

    def _renew(self, collection: str, holder: str) -> None:
        renewed = self._file.rows(
            "UPDATE lease SET expires = ? WHERE collection = ? AND holder = ? RETURNING holder",
            (time.time() + self._lease_seconds, collection, holder),
        )
        if not renewed:
            raise LeaseLost(collection=collection)


def _may_live(holder: str) -> bool:
    """Whether a holder could still be at work: false for a process of this machine that has ended."""
    host, process, _ = holder.rsplit(":", 2)
    if host != socket.gethostname():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _check_partition(mentions: dict[str, Mention], clusters: Sequence[Sequence[Mention]]) -> None:
    clustered = [mention.id for cluster in clusters for mention in cluster]
    if sorted(clustered) != sorted(mentions) or not all(clusters):
        raise ValueError("a resolver has to put every mention of the block into exactly one cluster")
