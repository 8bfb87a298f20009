"""Cypher of users on a Neo4j server: the server judges it by its plan before it runs, and can only read.

A query runs on the driver's asynchronous side, for only that can leave a server in the middle of an answer: a server
that makes one huge value does not look at its clock.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any, Literal, TypeVar

import neo4j
from neo4j import exceptions
from neo4j.graph import Node, Path, Relationship
from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time

from causetrail.errors import CypherInvalid, CypherRefused, CypherTooMuch
from kg.cypher import CypherLimits, CypherResult, check_parameters, refuse_missing
from kg.cypher_notes import notes_of
from kg.cypher_ranges import refuse_ranges
from kg.cypher_rules import PROCEDURES, read_query
from kg.cypher_schema import EDGE_PROPERTIES, NODE_PROPERTIES, RELATIONSHIPS
from kg.cypher_values import (
    Capped,
    Json,
    Row,
    clock_text,
    duration_text,
    node_value,
    number_value,
    offset_text,
    path_value,
    relationship_value,
)
from kg.neo4j_cut_queries import LOOK_SECONDS, MARK, CutQueries
from kg.neo4j_cypher_errors import EXPLAIN, cypher_error
from kg.neo4j_server import Neo4jServer

T = TypeVar("T")

KEPT_PROPERTIES = frozenset(
    {
        *("copy_group", "dated", "described_by", "digest", "found", "reasons", "rejected", "sentences", "sketch"),
        *("vector", "vector_digest", "words"),
    }
)
"""What a server's store keeps on nodes for itself, beside the properties of the graph."""
STEPS_REFUSED = (
    *("Administration", "Alter", "Create", "Delete", "Detach", "Drop", "Foreach", "LoadCSV", "Merge", "Remove", "Set"),
    *("Show", "Terminate", "Transaction"),
)
"""Beginnings of the names of steps that no plan may hold, whatever the server says of the query as a whole."""
GRACE_SECONDS = 1.0
"""How long the server may overrun the time of a query before the connection is cut."""
_OTHER_YEARS = "its answer holds a time outside of the years 1 to 9999; return its text by toString()"
FETCH = 50
"""Rows that are on their way at once."""

Answer = tuple[tuple[str, ...], tuple[Row, ...], Literal["rows", "bytes"] | None]


class ServerCypher:
    """A `CypherRunner` over one database of a server; queries run side by side."""

    def __init__(self, server: Neo4jServer) -> None:
        self._server = server
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._driver: neo4j.AsyncDriver | None = None
        self._thread: threading.Thread | None = None
        self._cut = CutQueries()

    def run(self, query: str, parameters: Mapping[str, Json], limits: CypherLimits) -> CypherResult:
        """Runs one query; see `CypherRunner.run`."""
        begin = time.perf_counter()
        ends = begin + limits.seconds
        tokens = read_query(query, PROCEDURES)
        query = query[: tokens[-1].end]
        check_parameters(parameters)
        refuse_missing(tokens, parameters)
        refuse_ranges(query, tokens, parameters)
        left = ends - time.perf_counter()
        if left <= 0:
            raise CypherTooMuch(reason="its time was up")
        mark = self._cut.mark()
        with self._server.translated():
            try:
                work = self._answer(query, dict(parameters), replace(limits, seconds=left), mark)
                names, rows, truncated = self._done(asyncio.wait_for(work, left + GRACE_SECONDS))
            except TimeoutError:
                self._cut.add(mark)
                # What the server still does is no fault of this query's answer, which is late anyhow.
                with contextlib.suppress(exceptions.Neo4jError, exceptions.DriverError, TimeoutError):
                    self._done(asyncio.wait_for(self._look(), LOOK_SECONDS))
                raise CypherTooMuch(reason="its time was up") from None
            except exceptions.BrokenRecordError:
                raise CypherInvalid(reason=_OTHER_YEARS) from None
            except exceptions.Neo4jError as error:
                raise cypher_error(error, query) or error from None
        return CypherResult(
            columns=names,
            rows=rows,
            truncated=truncated,
            seconds=round(time.perf_counter() - begin, 6),
            notes=notes_of(query, tokens, KEPT_PROPERTIES),
        )

    def _done(self, work: Coroutine[Any, Any, T]) -> T:
        """What comes of work in the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._running()).result()

    def close(self) -> None:
        """Closes the connections."""
        with self._lock:
            loop, driver, thread = self._loop, self._driver, self._thread
            self._loop = self._driver = self._thread = None
        if loop is None or self._process != os.getpid():
            return
        if driver is not None:
            asyncio.run_coroutine_threadsafe(driver.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        if thread is not None:
            thread.join()
        loop.close()

    def _running(self) -> asyncio.AbstractEventLoop:
        """The loop that all queries run in, in a thread of its own."""
        with self._lock:
            if self._process != os.getpid():
                self._loop = self._driver = None
                self._process = os.getpid()
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="cypher", daemon=True)
                self._thread.start()
            return self._loop

    def _session(self) -> neo4j.AsyncSession:
        if self._driver is None:
            uri, settings = self._server.connection()
            self._driver = neo4j.AsyncGraphDatabase.driver(uri, **settings)
        return self._driver.session(
            database=self._server.access.database,
            default_access_mode=neo4j.READ_ACCESS,
            bookmarks=self._server.bookmarks(),
            fetch_size=FETCH,
        )

    async def _look(self) -> int:
        async with self._session() as session:
            return await self._cut.look(session)

    async def _answer(self, query: str, parameters: dict[str, Json], limits: CypherLimits, mark: str) -> Answer:
        told: dict[str, Any] = {"timeout": limits.seconds, "metadata": {MARK: mark}}
        async with self._session() as session:
            await self._cut.refuse_more(session)
            async with await session.begin_transaction(**told) as transaction:
                # Its server sees the query twice as the same text, so that it is planned once.
                plan = await (await transaction.run(f"{EXPLAIN}{query}", parameters)).consume()
                _judge(plan)
            async with await session.begin_transaction(**told) as transaction:
                result = await transaction.run(query, parameters)
                kept = Capped(limits.rows, limits.size)
                async for record in result:
                    if not kept.take(tuple(_value(value) for value in record.values())):
                        break
                return tuple(result.keys()), kept.rows(), kept.truncated


def _judge(summary: neo4j.ResultSummary) -> None:
    """Refuses what the server does not call a reading query, and plans with steps that reach beyond the graph."""
    if summary.query_type != "r" or summary.plan is None:
        raise CypherRefused(reason="it does more than read the graph")
    waiting: list[Any] = [summary.plan]
    while waiting:
        step = waiting.pop()
        waiting.extend(step.get("children", ()))
        name = str(step["operatorType"]).partition("@")[0]
        if name.startswith(STEPS_REFUSED):
            raise CypherRefused(reason="it does more than read the graph")
        if name.startswith("ProcedureCall"):
            called = str(step.get("args", {}).get("Details", "")).partition("(")[0]
            if called not in PROCEDURES:
                raise CypherRefused(reason=f"it calls a procedure; allowed are {', '.join(sorted(PROCEDURES))}")


def _value(value: Any) -> Json:
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return number_value(value)
        case Duration():
            nanoseconds = value.nanoseconds
            seconds = value.seconds
            if nanoseconds < 0:
                seconds, nanoseconds = seconds - 1, nanoseconds + 1_000_000_000
            return duration_text(value.months, value.days, seconds, nanoseconds)
        case Point():
            return f"POINT({' '.join(str(part) for part in value)})"
        case list() | tuple():
            return [_value(part) for part in value]
        case Node():
            return _node(value)
        case Relationship():
            known = EDGE_PROPERTIES if value.type in RELATIONSHIPS else tuple(value.keys())
            return relationship_value(value.type, {key: _value(value[key]) for key in known if key in value})
        case Path():
            return path_value([_node(node) for node in value.nodes], [_value(part) for part in value.relationships])
        case dict():
            return {key: _value(value[key]) for key in sorted(value)}
        case Date():
            return value.iso_format()
        case DateTime():
            return f"{value.date().iso_format()}T{_clock(value)}"
        case Time():
            return _clock(value)
        case bytes() | bytearray():
            return str(value)
    # What is left is a value that the driver could not read, inside of a list or map.
    raise CypherInvalid(reason=_OTHER_YEARS)


def _node(node: Node) -> Json:
    label = min(node.labels, key=lambda name: (name not in NODE_PROPERTIES, name), default="")
    known = NODE_PROPERTIES.get(label)
    return node_value(label, {key: _value(part) for key, part in node.items() if known is None or key in known})


def _clock(value: Time | DateTime) -> str:
    offset = value.utc_offset()
    zone = "" if offset is None else offset_text(offset.total_seconds())
    return clock_text(value.hour, value.minute, value.second, value.nanosecond) + zone
