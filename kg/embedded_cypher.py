"""Cypher on the embedded store: a view of all its collections, kept beside its file, read by a process of its own."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, cast

from causetrail.errors import (
    CypherTooMuch,
    CypherUnsupported,
    CypherViewTooLarge,
    StoreReadOnly,
)
from kg.apart import command_of, environment
from kg.cypher import CypherLimits, CypherResult, check_parameters, refuse_missing
from kg.cypher_notes import notes_of
from kg.cypher_ranges import refuse_ranges
from kg.cypher_rules import PROCEDURES, read_query
from kg.cypher_tokens import without_comments
from kg.cypher_values import Json
from kg.embedded_cypher_dialect import column_names, names_links, refuse_labels, translate
from kg.embedded_cypher_errors import embedded_error, refuse_brackets
from kg.embedded_cypher_files import ViewFiles, ViewImage
from kg.embedded_cypher_unlike import compares_values
from kg.embedded_cypher_view import build_view_apart, expected_bytes
from kg.store import GraphStore

MEGABYTE = 1_000_000


class EmbeddedCypher:
    """A `CypherRunner` over one embedded store. Queries take turns."""

    def __init__(self, store: GraphStore, path: Path, folder: Path, most_bytes: int) -> None:
        """Nothing is read yet.

        Args:
            path: The store's file.
            folder: Where the view is kept.
            most_bytes: Largest view, in bytes of memory.
        """
        self._store = store
        self._path = path
        self._files = ViewFiles(folder)
        self._most_bytes = most_bytes
        self._spare: tempfile.TemporaryDirectory[str] | None = None
        self._turn = threading.Lock()
        self._generations: tuple[tuple[str, int], ...] = ()
        self._state = ""
        self._worker: _Worker | None = None

    def run(self, query: str, parameters: Mapping[str, Json], limits: CypherLimits) -> CypherResult:
        """Runs one query; see `CypherRunner.run`."""
        begin = time.perf_counter()
        ends = begin + limits.seconds
        tokens = read_query(query, PROCEDURES)
        check_parameters(parameters)
        refuse_missing(tokens, parameters)
        refuse_ranges(query, tokens, parameters)
        refuse_brackets(query, tokens)
        translated = translate(query, tokens, parameters)
        if not self._turn.acquire(timeout=max(0.0, ends - time.perf_counter())):
            raise CypherTooMuch(reason="other queries took all its time")
        try:
            # A view that has to be built first may take longer than a query may.
            left = ends - time.perf_counter()
            if left <= 0:
                raise CypherTooMuch(reason="its time was up")
            image = self._image()
            if image.twins:
                refuse_labels(query, tokens)
            request = {
                "query": translated,
                "written": without_comments(query)[: tokens[-1].end],
                "in_order": names_links(tokens),
                "parameters": parameters,
                "rows": limits.rows,
                "size": limits.size,
                "seconds": left,
            }
            answer = self._ask(image, request)
        finally:
            self._turn.release()
        if "error" in answer:
            raise embedded_error(answer, query, tokens)
        if compares_values(tokens):
            _refuse_twofold(answer["rows"])
        return CypherResult(
            columns=column_names(query, tokens, answer["columns"]),
            rows=tuple(tuple(row) for row in answer["rows"]),
            truncated=answer["truncated"],
            seconds=round(time.perf_counter() - begin, 6),
            notes=notes_of(query, tokens),
        )

    def is_current(self) -> bool:
        """Whether the kept view is that of the store as it is now; none is built."""
        with self._store.snapshot():
            return self._files.load(self._current_state()) is not None

    def close(self) -> None:
        """Ends the process that holds the view."""
        with self._turn:
            self._end_worker()

    def _image(self) -> ViewImage:
        """The view of the store as it is now."""
        while True:
            with self._store.snapshot():
                state = self._current_state()
                image = self._files.load(state)
                if image is None:
                    self._refuse_size()
            if image is None:
                image = self._built(state)
            if image is not None:
                return image

    def _built(self, state: str) -> ViewImage | None:
        """The view, made anew; in a folder of its own where there is no writing beside the store.

        None when the store changed before it was read.
        """
        try:
            return self._files.keep(state, self._build)
        except StoreReadOnly:
            self._spare = tempfile.TemporaryDirectory(prefix="causetrail-cypher-")
            self._files = ViewFiles(Path(self._spare.name))
            return self._built(state)
        except _Moved:
            return None

    def _build(self, target: Path) -> bool:
        twins, generations = build_view_apart(self._path, target)
        if generations != self._generations:
            raise _Moved
        return twins

    def _current_state(self) -> str:
        """A digest that tells this graph from every other one, also from that of a store made anew in its place.

        The ids are read once; as long as this object holds the store, its generations tell whether it changed.
        """
        names = self._store.collections()
        generations = tuple((name, self._store.generation(name)) for name in names)
        if not self._state or generations != self._generations:
            digest = hashlib.sha256(json.dumps(generations).encode())
            for name in names:
                digest.update(json.dumps(asdict(self._store.counts(name)), sort_keys=True).encode())
                for ids in (self._store.passage_ids(name), self._store.event_ids(name)):
                    digest.update("\n".join([*ids, ""]).encode())
                for decision in self._store.decisions(name):
                    digest.update(decision.model_dump_json().encode())
            self._state, self._generations = digest.hexdigest(), generations
        return self._state

    def _refuse_size(self) -> None:
        needed = expected_bytes([self._store.counts(name) for name in self._store.collections()])
        if needed > self._most_bytes:
            raise CypherViewTooLarge(
                path=str(self._path), needed=needed // MEGABYTE, limit=self._most_bytes // MEGABYTE
            )

    def _ask(self, image: ViewImage, request: Mapping[str, Json]) -> dict[str, Any]:
        worker = self._worker
        if worker is None or worker.state != image.state or not worker.alive():
            self._end_worker()
            worker = self._worker = _Worker(image)
        answer = worker.ask(request)
        if not worker.alive():
            self._end_worker()
        return answer

    def _end_worker(self) -> None:
        if self._worker is not None:
            self._worker.end()
            self._worker = None


def _refuse_twofold(rows: Sequence[Sequence[Json]]) -> None:
    """Refuses a column that holds 1 and 1.0 as two values, where a server, which calls them one, may give one row."""
    for column in zip(*rows, strict=True):
        shown: dict[str, str] = {}
        for value in column:
            text = json.dumps(value, sort_keys=True)
            if shown.setdefault(json.dumps(_as_floats(value), sort_keys=True), text) != text:
                what = "1 and 1.0 in one column that is grouped or made distinct"
                raise CypherUnsupported(what=what, advice="Make all of them floats: toFloat(x).")


def _as_floats(value: Json) -> Json:
    match value:
        case bool():
            return value
        case int() | float():
            return value + 0.0
        case list():
            return [_as_floats(part) for part in value]
        case dict():
            return {key: _as_floats(part) for key, part in value.items()}
    return value


class _Moved(Exception):
    """The store changed between the look at its state and the building of its view."""


class _Worker:
    """A running `kg.embedded_cypher_worker`."""

    def __init__(self, image: ViewImage) -> None:
        self.state = image.state
        self._owner = os.getpid()
        self._process = subprocess.Popen(  # noqa: S603 - this program itself, and the path of our own file
            command_of("kg.embedded_cypher_worker", [str(image.path)]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
            text=True,
            encoding="utf-8",
        )
        self._input = cast("IO[str]", self._process.stdin)
        self._output = cast("IO[str]", self._process.stdout)
        self._told = self._read()

    def alive(self) -> bool:
        """Whether it can be asked: a forked process has no worker of its own."""
        return self._owner == os.getpid() and self._process.poll() is None

    def ask(self, request: Mapping[str, Json]) -> dict[str, Any]:
        """Puts one request; when the process ends instead of answering, says why."""
        if not self._told.get("ready"):
            return self._told
        try:
            self._input.write(json.dumps(request) + "\n")
            self._input.flush()
        except OSError:
            return self._why()
        return self._read()

    def end(self) -> None:
        """Ends it."""
        if self._owner != os.getpid():
            return
        self._process.kill()
        with contextlib.suppress(OSError):
            self._input.close()
        self._output.close()
        self._process.wait()

    def _read(self) -> dict[str, Any]:
        line = self._output.readline()
        return dict(json.loads(line)) if line.endswith("\n") else self._why()

    def _why(self) -> dict[str, Any]:
        status = self._process.wait()
        return {"error": "time" if status == -signal.SIGALRM else "memory"}
