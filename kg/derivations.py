"""The second commit: one holder of a lease resolves the marked blocks and derives their edges.

Each step is one transaction of bounded size that reads its blocks whole and writes what differs, so it can be repeated
after a crash at any point and by any process, and ends in the same graph.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from causetrail.errors import LeaseLost, StoreLocked
from kg.block_marks import BlockMarks
from kg.clusters import Clusters
from kg.records import Decision, Event, Mention
from kg.resolution import Resolver
from kg.store import Derivation, Progress

MENTIONS_PER_STEP = 5_000
"""Mentions after which a step takes no further block; a block is never divided."""

_POLL_SECONDS = 0.05
_LONGEST_LEASE_SECONDS = 3_600.0
"""A lease that runs longer was taken by a clock that was wrong."""


class Derivations(BlockMarks, Clusters):
    """Derives the graph."""

    _lease_seconds: float
    """How long a derivation may stay silent before another process takes it over."""

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
                    blocks += self._transact(collection, lambda: self._step(collection, resolver, holder))
                    total = max(total, left)
                    if progress is not None:
                        progress("derive", total - self.pending(collection), total)
        events, edges = self._graph_size(collection)
        return Derivation(blocks=blocks, events=events, edges=edges, generation=self.generation(collection))

    def _step(self, collection: str, resolver: Resolver, holder: str) -> int:
        """Derives marked blocks in one transaction; gives their number."""
        self._renew(collection, holder)
        blocks = self._next_blocks(collection)
        block_of = {kind: kinds[0] for kinds in blocks for kind in kinds}
        mentions_of: dict[str, list[Mention]] = defaultdict(list)
        for mention in self._block(collection, sorted(block_of)):
            mentions_of[block_of[mention.kind]].append(mention)
        clusters: list[list[Mention]] = []
        reasons: dict[str, tuple[str, ...]] = {}
        similar: set[tuple[str, str]] = set()
        decisions = self._standing_on_mentions(collection)
        for block in sorted(mentions_of):
            resolved = resolve_block(mentions_of[block], decisions, resolver)
            clusters += resolved[0]
            reasons |= resolved[1]
            similar |= resolved[2]
        changed = self._write_clusters(collection, (), clusters, reasons)
        ids = sorted(Event.id_of(min(mention.id for mention in cluster)) for cluster in clusters)
        if self._write_similar(collection, ids, similar) or changed:
            self._advance(collection)
        self._delete_marks(collection, sorted(block_of))
        return len(blocks)

    def _next_blocks(self, collection: str) -> list[list[str]]:
        """Kinds of each of the next blocks with a mark, by their least marked kind, as many as one step takes."""
        block_of = self._tied_kinds(collection)
        kinds_of: dict[str, list[str]] = defaultdict(list)
        for kind in sorted(block_of):
            kinds_of[block_of[kind]].append(kind)
        marked = {block_of.get(kind, kind): None for kind in self._marks(collection)}
        blocks = [kinds_of.get(block, [block]) for block in marked]
        sizes = self._kind_sizes(collection, [kind for kinds in blocks for kind in kinds])
        taken: list[list[str]] = []
        mentions = 0
        for kinds in blocks:
            taken.append(kinds)
            mentions += sum(sizes.get(kind, 0) for kind in kinds)
            if mentions >= MENTIONS_PER_STEP:
                break
        return taken

    def _write_similar(self, collection: str, ids: Sequence[str], wanted: set[tuple[str, str]]) -> bool:
        found = self.similar_pairs(collection, ids)
        self._delete_similar(collection, sorted(found - wanted))
        self._insert_similar(collection, sorted(wanted - found))
        return found != wanted

    def _mark_for_version(self, collection: str, version: str) -> None:
        """Marks every block when the events come from another version of the resolver."""
        if self._resolver_of(collection) == version:
            return

        def work() -> None:
            self._insert_marks(collection, self._kinds(collection))
            self._set_resolver(collection, version)

        self._transact(collection, work)

    # The lease

    @contextlib.contextmanager
    def _lease(self, collection: str) -> Iterator[str]:
        """Holds the lease; gives the holder's name."""
        holder = f"{_machine()}:{os.getpid()}:{secrets.token_hex(8)}"
        deadline = time.monotonic() + self._wait_seconds
        while not self._transact(collection, lambda: self._take(collection, holder)):
            if time.monotonic() >= deadline:
                raise StoreLocked(path=self._place, seconds=f"{self._wait_seconds:g}")
            time.sleep(_POLL_SECONDS)
        try:
            yield holder
        finally:
            self._transact(collection, lambda: self._clear_lease(collection, holder))

    def _take(self, collection: str, holder: str) -> bool:
        now = time.time()
        held = self._lease_held(collection)
        if held and now < held[1] <= now + _LONGEST_LEASE_SECONDS and _may_live(held[0]):
            return False
        self._set_lease(collection, holder, now + self._lease_seconds)
        return True

    def _renew(self, collection: str, holder: str) -> None:
        held = self._lease_held(collection)
        if held is None or held[0] != holder:
            raise LeaseLost(collection=collection)
        self._set_lease(collection, holder, time.time() + self._lease_seconds)


def _may_live(holder: str) -> bool:
    """Whether a holder could still be at work: false for a process that would be seen from here, and has ended."""
    machine, _, process = holder.rpartition(":")[0].rpartition(":")
    if machine != _machine() or not process.isdecimal():
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def resolve_block(
    block: Sequence[Mention], decisions: Sequence[Decision], resolver: Resolver
) -> tuple[list[list[Mention]], dict[str, tuple[str, ...]], set[tuple[str, str]]]:
    """Clusters of a block, why their mentions are one, and pairs of similar events."""
    mentions = {mention.id: mention for mention in block}
    on_these = tuple(decision for decision in decisions if any(id_ in mentions for id_ in decision.subject))
    resolved = resolver.resolve(tuple(block), on_these)
    clusters = [[mentions[id_] for id_ in cluster] for cluster in resolved.clusters]
    _check_partition(mentions, clusters)
    return clusters, resolved.reasons, {(Event.id_of(a), Event.id_of(b)) for a, b in resolved.similar}


def _check_partition(mentions: Mapping[str, Mention], clusters: Sequence[Sequence[Mention]]) -> None:
    clustered = [mention.id for cluster in clusters for mention in cluster]
    if sorted(clustered) != sorted(mentions) or not all(clusters):
        raise ValueError("a resolver has to put every mention of the block into exactly one cluster")


def _machine() -> str:
    """What tells processes that can see each other: containers may share a name, and each counts from process 1."""
    space = ""
    # Only Linux has them; where they are not to be read, nothing but the name tells.
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        space = f"/{boot}/{Path('/proc/self/ns/pid').stat().st_ino}"
    return socket.gethostname() + space
