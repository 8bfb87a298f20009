"""Documents in, graph out: the conductor of an ingest.

Each document is committed by itself, so that an ingest that was stopped, however it was stopped, resumes behind the
last one; the derivation of events and edges follows, and heals what an earlier ingest left undone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from causetrail.errors import CausetrailError, DocumentAborted, DocumentError, LanguageModelError, RecordInvalid
from causetrail.settings import Settings
from extraction.changes import Another, Changes, Unchanged, Vanished
from extraction.claim_source import AskedModel
from extraction.encoder_source import EncoderSource
from extraction.extractor import ExtractorPlan
from extraction.fingerprint import pair_rules_fingerprint, rules_fingerprint
from extraction.ledger import IngestReport, Ledger
from extraction.loading.dates import Published
from extraction.loading.finding import Skipped, find_files
from extraction.loading.load import Loaded
from extraction.origins import FileOrigin, Origin, UploadOrigin
from extraction.resolution import EventResolver
from extraction.workers import MakeExtractor, Reading, read_all
from kg.store import GraphStore, Outcome, Progress


def ingest(
    paths: Sequence[Path],
    store: GraphStore,
    encoder: EncoderSource,
    settings: Settings,
    *,
    base: Path | None = None,
    leaving: Sequence[Path] = (),
    published: Published | None = None,
    asked: AskedModel | None = None,
    progress: Progress | None = None,
    pairs: bool = False,
) -> IngestReport:
    """Takes files and folders in and derives the graph; what did not change is left alone, unread.

    Args:
        paths: Files and folders.
        store: Where to.
        encoder: Makes the vectors; loaded only when a document has to be read.
        settings: Collection, parser, number of processes and limits.
        base: Folder that the names of sources are relative to, as far as the files stand in it.
        leaving: Files and folders that are no documents where they are found below a folder: those of the store.
        published: Date of publication of all these documents; what each says itself when none.
        asked: The language model that reads claims. Documents are then read one after another; where it cannot go on,
            or its budget is spent, the ingest stops, and the report says so.
        progress: Called with `documents`, the files done and all files; then by the derivation.
        pairs: Whether the files hold question-answer pairs, of which no claims are made.

    Returns:
        The ledger, with the error of each source that could not be taken in.

    Raises:
        StoreError: the store cannot be written.
        ModelError: a model cannot be loaded.
    """
    skipped: list[Skipped] = []
    found = list(find_files(paths, skipped, leaving))
    ledger = Ledger(settings.collection)
    for skip in skipped:
        ledger.skip(str(skip.path), skip.reason.value)
    for item in found:
        if isinstance(item, DocumentError):
            ledger.fail(item)
    origins = [FileOrigin(path, base, settings, published, pairs) for path in found if isinstance(path, Path)]
    return _Ingest(store, encoder, settings, published, asked, ledger, progress, pairs).run(origins)


def ingest_bytes(
    data: bytes,
    name: str,
    kind: str,
    store: GraphStore,
    encoder: EncoderSource,
    settings: Settings,
    *,
    published: Published | None = None,
    asked: AskedModel | None = None,
    progress: Progress | None = None,
    pairs: bool = False,
) -> IngestReport:
    """Takes an upload or standard input in; everything else as `ingest`.

    Args:
        data: All bytes.
        name: Name of the source.
        kind: A file ending (`.md`) or a media type.
    """
    origin = UploadOrigin(data, name, kind, settings, published, pairs)
    ledger = Ledger(settings.collection)
    return _Ingest(store, encoder, settings, published, asked, ledger, progress, pairs).run([origin])


class _Ingest:
    """One run."""

    def __init__(
        self,
        store: GraphStore,
        encoder: EncoderSource,
        settings: Settings,
        published: Published | None,
        asked: AskedModel | None,
        ledger: Ledger,
        progress: Progress | None,
        pairs: bool,
    ) -> None:
        self._store = store
        self._collection = settings.collection
        self._jobs = settings.jobs if asked is None else 1
        self._ledger = ledger
        self._progress = progress
        self._rules = (
            pair_rules_fingerprint(encoder)
            if pairs
            else rules_fingerprint(encoder, settings.parser, settings.strictness, settings.domain, asked)
        )
        self._changes = Changes(
            store, settings.collection, self._rules, dated=published is not None, watch=ledger.watch
        )
        threads = 1 if self._jobs > 1 else None
        self._make: MakeExtractor = ExtractorPlan(
            encoder=encoder,
            parser=settings.parser,
            strictness=settings.strictness,
            domain=settings.domain,
            asked=asked,
            rules=self._rules,
            threads=threads,
            pairs=pairs,
        )

    def run(self, origins: Sequence[Origin]) -> IngestReport:
        """Reads and commits what is new, then derives, also when reading had to stop."""
        try:
            with closing(read_all(self._unread(origins), self._collection, self._make, self._jobs)) as readings:
                for reading in readings:
                    self._commit(reading)
        except LanguageModelError as error:
            self._ledger.stop(error)
        with self._ledger.watch.stage("derive"):
            self._store.derive(self._collection, EventResolver(), self._progress)
        return self._ledger.report(self._store.counts(self._collection), self._store.generation(self._collection))

    # What has to be read

    def _unread(self, origins: Sequence[Origin]) -> Iterator[Loaded]:
        """The documents that are not in the store as they are now; settles all others."""
        for done, origin in enumerate(origins):
            self._tell(done, len(origins))
            for change in self._changes.of(origin):
                if isinstance(change, Loaded):
                    self._ledger.load(change)
                    yield change
                else:
                    self._settle(change)
        self._tell(len(origins), len(origins))

    def _settle(self, change: Unchanged | Another | Vanished | DocumentError) -> None:
        match change:
            case Unchanged():
                self._ledger.settle(Outcome.UNCHANGED)
            case Another(document_id, source):
                self._ledger.settle(self._store.add_source(self._collection, document_id, source))
            case Vanished(name):
                self._store.delete_source(self._collection, name)
                self._ledger.remove()
            case DocumentError() as error:
                self._ledger.fail(error)

    # What was read

    def _commit(self, reading: Reading) -> None:
        """Writes a document."""
        bundle = reading.bundle
        if bundle is None:
            self._ledger.fail(_named(reading))
            return
        self._ledger.watch.add(reading.seconds)
        self._ledger.read(bundle)
        try:
            with self._ledger.watch.stage("commit"):
                outcome = self._store.commit_document(bundle)
        except RecordInvalid as error:
            self._ledger.fail(DocumentAborted(source=reading.source.name, reason=error.message))
            return
        self._ledger.settle(outcome)

    def _tell(self, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress("documents", done, total)


def _named(reading: Reading) -> CausetrailError:
    """The error of a reading, with the name of its source."""
    error = reading.error
    assert error is not None  # noqa: S101 - a reading without a bundle has an error
    if "source" in error.details:
        return error
    return DocumentAborted(source=reading.source.name, reason=error.message)
