"""What an ingest did: counts, times, and the documents that could not be taken in."""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

from causetrail.errors import CausetrailError, error_table
from causetrail.spending import Spending
from extraction.loading.load import Loaded
from kg.store import Bundle, Counts, Outcome


class Failure(BaseModel):
    """One source that could not be taken in; what it gave before is kept."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    source: str
    """Name of the source; empty when the failure has none."""
    code: str
    """Code of the error."""
    message: str
    """What happened."""
    fix: str
    """How to mend it."""
    details: dict[str, str]
    """The error's arguments, for programs."""

    @classmethod
    def of(cls, error: CausetrailError) -> Self:
        """The failure that an error tells."""
        return cls(
            source=str(error.details.get("source", "")),
            code=error.code,
            message=error.message,
            fix=error.fix,
            details={name: str(value) for name, value in error.details.items()},
        )

    def as_error(self) -> CausetrailError:
        """The error again, to be raised where one document was all there was."""
        kind = next((kind for kind in error_table() if kind.code == self.code), CausetrailError)
        return kind(**self.details)


class Skip(BaseModel):
    """One file or folder that was passed over without an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    path: str
    """Where it is."""
    reason: str
    """Why: `hidden`, `unknown ending`, `not a regular file`, `reached before`."""


class IngestReport(BaseModel):
    """The ledger of one ingest. Sentences to claims count what this ingest read; events and edges the collection."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    collection: str
    """The collection it wrote."""
    added: int = Field(ge=0)
    """Documents that are new."""
    replaced: int = Field(ge=0)
    """Documents whose source gave other content before, or that were read anew by changed rules."""
    sources_added: int = Field(ge=0)
    """Sources whose content was there already from another source."""
    unchanged: int = Field(ge=0)
    """Sources that gave the same as before."""
    removed: int = Field(ge=0)
    """Rows that vanished from their file, and whose documents went with them."""
    failed: int = Field(ge=0)
    """Sources that could not be taken in."""
    not_english: int = Field(ge=0)
    """Documents read by this ingest that are not in English: searchable, without claims."""
    sentences: int = Field(ge=0)
    """Sentences read."""
    passages: int = Field(ge=0)
    """Passages cut."""
    pairs: int = Field(ge=0)
    """Question-answer pairs read."""
    repeated_pairs: int = Field(ge=0)
    """Pairs that were left out since the same file has them twice."""
    mentions: int = Field(ge=0)
    """Mentions found."""
    claims: int = Field(ge=0)
    """Claims found."""
    rejected: dict[str, int]
    """Rejected candidate claims by reason."""
    events: int = Field(ge=0)
    """Events of the whole collection afterwards."""
    edges: int = Field(ge=0)
    """Edges of the whole collection afterwards."""
    generation: int = Field(ge=0)
    """Generation of the collection afterwards."""
    seconds: dict[str, float]
    """Wall time by stage: `load`, `sentences`, `claims`, `passages`, `encode`, `commit`, `derive`, `total`.

    Stages before `commit` add up the times of all processes.
    """
    sentences_per_second: float = Field(ge=0)
    """Sentences read in a second of `total`."""
    peak_memory: int = Field(ge=0)
    """Most memory the main process held so far, in bytes."""
    peak_worker_memory: int = Field(ge=0)
    """Most memory one finished worker process held, in bytes; 0 without workers."""
    failures: tuple[Failure, ...]
    """Sources that could not be taken in, in the order they were met."""
    skipped: tuple[Skip, ...]
    """Files and folders that were passed over."""
    models: dict[str, Spending]
    """What was asked of language models, by stage; empty where none was asked."""
    stopped: Failure | None
    """Why it ended before the last document; none when it did not. The same command goes on where it ended."""


class Stopwatch:
    """Adds up wall time by stage."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Adds the time of the block to the stage."""
        started = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] += time.perf_counter() - started

    def add(self, seconds: Mapping[str, float]) -> None:
        """Adds what another stopwatch measured."""
        for name, value in seconds.items():
            self.seconds[name] += value


class Ledger:
    """Grows while an ingest runs, and gives its report."""

    def __init__(self, collection: str) -> None:
        self._collection = collection
        self._started = time.perf_counter()
        self._counts: Counter[str] = Counter()
        self._rejected: Counter[str] = Counter()
        self._failures: list[Failure] = []
        self._skipped: list[Skip] = []
        self._stopped: Failure | None = None
        self.watch = Stopwatch()

    def fail(self, error: CausetrailError) -> None:
        """Notes a source that could not be taken in."""
        self._failures.append(Failure.of(error))

    def stop(self, error: CausetrailError) -> None:
        """Notes why the ingest ends before the last document."""
        self._stopped = Failure.of(error)

    def skip(self, path: str, reason: str) -> None:
        """Notes a file or folder that was passed over."""
        self._skipped.append(Skip(path=path, reason=reason))

    def remove(self) -> None:
        """Notes a row that vanished."""
        self._counts["removed"] += 1

    def settle(self, outcome: Outcome) -> None:
        """Notes what became of a source."""
        self._counts[outcome.value] += 1

    def load(self, loaded: Loaded) -> None:
        """Notes the pairs of a document that is read."""
        self._counts["pairs"] += len(loaded.pairs)
        self._counts["repeated pairs"] += loaded.repeats

    def read(self, bundle: Bundle) -> None:
        """Notes what was found in a document."""
        self._counts["not_english"] += bundle.language != "en"
        self._counts["sentences"] += bundle.sentences
        self._counts["passages"] += len(bundle.passages)
        self._counts["mentions"] += len(bundle.mentions)
        self._counts["claims"] += len(bundle.claims)
        self._rejected.update(bundle.rejected)

    def report(self, counts: Counts, generation: int) -> IngestReport:
        """The report, with the counts of the collection as they are now."""
        total = time.perf_counter() - self._started
        seconds = {name: round(value, 6) for name, value in sorted(self.watch.seconds.items())}
        return IngestReport(
            collection=self._collection,
            added=self._counts[Outcome.ADDED.value],
            replaced=self._counts[Outcome.REPLACED.value],
            sources_added=self._counts[Outcome.SOURCE_ADDED.value],
            unchanged=self._counts[Outcome.UNCHANGED.value],
            removed=self._counts["removed"],
            failed=len(self._failures),
            not_english=self._counts["not_english"],
            sentences=self._counts["sentences"],
            passages=self._counts["passages"],
            pairs=self._counts["pairs"],
            repeated_pairs=self._counts["repeated pairs"],
            mentions=self._counts["mentions"],
            claims=self._counts["claims"],
            rejected=dict(sorted(self._rejected.items())),
            events=counts.events,
            edges=counts.edges,
            generation=generation,
            seconds={**seconds, "total": round(total, 6)},
            sentences_per_second=round(self._counts["sentences"] / total, 3) if total else 0.0,
            peak_memory=_peak_memory(resource.RUSAGE_SELF),
            peak_worker_memory=_peak_memory(resource.RUSAGE_CHILDREN),
            failures=tuple(self._failures),
            skipped=tuple(self._skipped),
            models={},
            stopped=self._stopped,
        )


def _peak_memory(who: int) -> int:
    # Linux counts in kibibytes, macOS in bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(who).ru_maxrss * unit
