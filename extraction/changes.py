"""What an ingest finds to do, source by source, told before it is done: nothing is written here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from causetrail.errors import DocumentError
from extraction.ledger import Stopwatch
from extraction.loading.load import Loaded
from extraction.origins import Origin
from kg.records import Document
from kg.store import GraphStore, Source, SourceState


class Unchanged(NamedTuple):
    """A source that gives what it gave before, as these rules read it."""

    name: str


class Another(NamedTuple):
    """One more source of a document that is there as these rules read it, which need not be read."""

    document_id: str
    source: Source


class Vanished(NamedTuple):
    """A row that its file does not have any more."""

    name: str


Change = Loaded | Unchanged | Another | Vanished | DocumentError
"""A `Loaded` is a document that has to be read, and an error one that cannot be."""


class Changes:
    """Compares sources with what a store holds of them."""

    def __init__(
        self,
        store: GraphStore | None,
        collection: str,
        rules: str,
        *,
        dated: bool = False,
        watch: Stopwatch | None = None,
    ) -> None:
        """Looks at nothing yet.

        Args:
            store: What is there already; none where there is no store yet.
            collection: The collection of the documents.
            rules: What they would be read by (`extraction.fingerprint`).
            dated: Whether the caller says when all these documents were published.
            watch: Where the time of loading is added up.
        """
        self._store = store
        self._collection = collection
        self._rules = rules
        self._dated = dated
        self._watch = watch or Stopwatch()

    def of(self, origin: Origin) -> Iterator[Change]:
        """What has to be done for one file or upload. To be done before the next is asked for: it may change that."""
        try:
            states = self._store.sources_of_origin(self._collection, origin.name) if self._store is not None else []
            if self._is_unchanged(origin, states):
                yield Unchanged(origin.name)
            else:
                yield from self._of_documents(origin, states)
        except DocumentError as error:
            yield error

    def _is_unchanged(self, origin: Origin, states: Sequence[SourceState]) -> bool:
        """True for a file that is one document and was read from the same bytes by the same rules.

        A file of rows is always looked into: an ingest may have been stopped between two of its rows. So is every file
        when the caller gives the date.
        """
        if self._dated or len(states) != 1 or states[0].name != origin.name:
            return False
        state = states[0]
        return (
            state.normaliser == origin.normaliser
            and state.raw_sha256 == origin.raw_sha256()
            and self._has_content(state.document_id)
        )

    def _of_documents(self, origin: Origin, states: Sequence[SourceState]) -> Iterator[Change]:
        vanished = {state.name for state in states}
        for item in self._loaded(origin):
            if isinstance(item, DocumentError):
                yield item
                vanished.discard(str(item.details.get("source")))
                if item.details.get("source") == origin.name:
                    # Without the whole file nobody knows which rows are gone.
                    return
                continue
            vanished.discard(item.source.name)
            document_id = Document.id_of(item.text)
            yield Another(document_id, item.source) if self._is_there(item.source, document_id) else item
        for name in sorted(vanished):
            yield Vanished(name)

    def _loaded(self, origin: Origin) -> Iterator[Loaded | DocumentError]:
        items = origin.load()
        while True:
            with self._watch.stage("load"):
                item = next(items, None)
            if item is None:
                return
            yield item

    def _is_there(self, source: Source, document_id: str) -> bool:
        """Whether the store holds this content as these rules read it; it may then have got one more source."""
        if self._store is None or not self._has_content(document_id):
            return False
        document = self._store.document(self._collection, document_id)
        # Its least source dates a document, and relative times depend on the date: it has to be read anew.
        return not (source.name <= document.sources[0] and source.published != document.published)

    def _has_content(self, document_id: str) -> bool:
        return self._store is not None and self._store.has_content(self._collection, document_id, self._rules)
