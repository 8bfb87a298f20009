"""Queries that were cut and may go on at the server: some of its steps never look whether they were ended."""

from __future__ import annotations

import asyncio
import math
import secrets
import threading
import time

import neo4j
from neo4j import exceptions

from causetrail.errors import CypherBusy

MARK = "causetrail_query"
"""Under this name a transaction carries the mark by which it is found again."""
MOST_RUNNING = 2
"""Cut queries that may run on while new ones are taken."""
BELIEVED_SECONDS = 600.0
"""How long a cut query counts as running where the server does not tell."""
LOOK_SECONDS = 5.0
"""Longest time that a look at the transactions may take."""
FRESH_SECONDS = 1.0
"""How long a look counts: other programs cut queries too."""
PAUSE_SECONDS = 0.5
_RUNNING = """
SHOW TRANSACTIONS YIELD transactionId, metaData, status
WHERE metaData[$name] IN $marks OR (metaData[$name] IS NOT NULL AND status STARTS WITH 'Terminated')
RETURN transactionId AS id, metaData[$name] AS mark
"""
"""Those of this runner, and those that another process left; a user is shown the own transactions at least."""
_END = "TERMINATE TRANSACTIONS $ids"


class CutQueries:
    """The queries of one runner that were cut. Safe to use from threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cut: dict[str, float] = {}
        self._looked_at = -math.inf

    def mark(self) -> str:
        """A new mark for a transaction."""
        return secrets.token_hex(16)

    def add(self, mark: str) -> None:
        """A query was cut: it counts as running until the server says that it is gone."""
        with self._lock:
            self._cut[mark] = time.monotonic()

    async def look(self, session: neo4j.AsyncSession) -> int:
        """Ends those that still run, of any program, as far as the server lets us, and gives their number."""
        begin = time.monotonic()
        with self._lock:
            marks = list(self._cut)
        try:
            found = await session.run(neo4j.Query(_RUNNING, timeout=LOOK_SECONDS), name=MARK, marks=marks)
            running = {record["mark"]: record["id"] async for record in found}
            if running:
                await (await session.run(neo4j.Query(_END, timeout=LOOK_SECONDS), ids=list(running.values()))).consume()
        except exceptions.Neo4jError:
            running = dict.fromkeys(self._believed(marks), "")
        with self._lock:
            kept = {mark: since for mark, since in self._cut.items() if mark in running or mark not in marks}
            self._cut = dict.fromkeys(running, time.monotonic()) | kept
            self._looked_at = begin
            return len(self._cut)

    def _believed(self, marks: list[str]) -> list[str]:
        """Those that were cut not long ago."""
        now = time.monotonic()
        with self._lock:
            return [mark for mark in marks if now - self._cut.get(mark, now) < BELIEVED_SECONDS]

    async def refuse_more(self, session: neo4j.AsyncSession) -> None:
        """Refuses a new query while too many cut ones run.

        Raises:
            CypherBusy: `MOST_RUNNING` of them do.
        """
        with self._lock:
            fresh = time.monotonic() - self._looked_at < FRESH_SECONDS
            running = len(self._cut)
        if not fresh:
            running = await self.look(session)
        if running >= MOST_RUNNING:
            # Most queries that were cut are gone a moment later.
            await asyncio.sleep(PAUSE_SECONDS)
            running = await self.look(session)
        if running >= MOST_RUNNING:
            raise CypherBusy(running=running)
