"""The search index over passages and events, as a protocol and in its embedded form."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Protocol

from causetrail.errors import DocumentUnknown, RecordUnknown
from kg.encoder_check import check_encoder
from kg.encoding import Encoder
from kg.fusion import DEPTH, Fusion, Hit, best_hits, ranked, reciprocal_rank, sum_of_shares
from kg.records import PassageKind
from kg.seed_contents import PAIR_STAMP, READERS
from kg.seed_files import SeedFiles, Snapshot
from kg.store import GraphStore, Progress
from kg.vector_index import Among, VectorIndex
from kg.word_index import EntryKind, WordIndex

BATCH = 1_000
"""Entries read from the store at once."""
READ_ATTEMPTS = 10
"""How often a refresh starts again when records go away under its hands."""


class SeedIndex(Protocol):
    """Finds passages and events by meaning and by words. Derived from the store: it can always be rebuilt."""

    @property
    def encoder(self) -> Encoder:
        """What makes the vectors that are searched and searched by."""
        ...

    def refresh(self, progress: Progress | None = None) -> None:
        """Brings the index to the store's generation; searching does so by itself."""
        ...

    def search_passages(self, text: str, k: int, kind: PassageKind | None = None) -> list[Hit]:
        """The k best passages, of one kind or of both, fused by reciprocal rank; best first, ties by id."""
        ...

    def search_events(self, text: str, k: int) -> list[Hit]:
        """The k best events, fused by reciprocal rank; best first, ties by id."""
        ...


class EmbeddedSeedIndex:
    """A seed index in this process, kept in a folder between processes. Safe to call from threads.

    What it finds depends on the store's content and the encoder alone: not on the order in which documents came, nor on
    whether the index was built, updated or loaded.
    """

    def __init__(
        self,
        store: GraphStore,
        encoder: Encoder,
        collection: str,
        directory: Path | None,
        fusion: Fusion = Fusion.RECIPROCAL_RANK,
    ) -> None:
        """Reads nothing yet.

        Args:
            directory: Folder that is this collection's alone; none keeps the index in memory.
        """
        self._store = store
        self._encoder = encoder
        self._collection = collection
        self._fusion = fusion
        self._files = SeedFiles(directory, encoder.fingerprint, encoder.dimension) if directory else None
        self._refreshing = Lock()
        self._snapshot: Snapshot | None = None

    @property
    def encoder(self) -> Encoder:
        """What makes the vectors that are searched and searched by."""
        return self._encoder

    def refresh(self, progress: Progress | None = None) -> None:
        """Brings the index to the store's generation, by what was added, changed and removed since.

        Args:
            progress: Called with the stage `index`, the entries read and the entries to read.

        Raises:
            EncoderMismatch: the collection was ingested with another encoder.
            StoreDamaged: a text does not have its recorded SHA-256.
        """
        with self._refreshing:
            generation = self._store.generation(self._collection)
            base = self._snapshot
            if base is not None and base.generation == generation:
                return
            if base is None and self._files is not None:
                base = self._files.load()
                if base is not None and (base.generation, base.content) == (generation, self._content()):
                    self._snapshot = base
                    return
            self._snapshot = self._updated(base or self._empty(), progress)
            if self._files is not None and any(len(index) for index in self._snapshot.vectors.values()):
                self._files.save(self._snapshot)

    def search_passages(self, text: str, k: int, kind: PassageKind | None = None) -> list[Hit]:
        """The k best passages, of one kind or of both; best first, ties by id.

        Raises:
            PassageTooLong: the text has more tokens than the encoder reads.
        """
        return self._search(EntryKind.PASSAGE, text, k, kind)

    def search_events(self, text: str, k: int) -> list[Hit]:
        """The k best events; best first, ties by id.

        Raises:
            PassageTooLong: the text has more tokens than the encoder reads.
        """
        return self._search(EntryKind.EVENT, text, k)

    def _search(self, kind: EntryKind, text: str, k: int, only: PassageKind | None = None) -> list[Hit]:
        snapshot = self._current()
        vectors, words = snapshot.vectors[kind], snapshot.words
        pairs = words.keys(kind, PAIR_STAMP) if only is not None else []
        among = Among(pairs, only is PassageKind.PAIR) if pairs or only is PassageKind.PAIR else None
        if k < 1 or not (len(vectors) if among is None else among.count(len(vectors))):
            return []
        query = self._encoder.encode_query(text)
        depth = max(DEPTH, k)
        stamp = None if among is None else PAIR_STAMP if among.inside else ""
        near, worded = vectors.best(query, depth, among), words.best(kind, text, depth, stamp)
        ids = words.ids(sorted({*near, *worded}))
        lists = [ranked({ids[key]: score for key, score in found.items()})[:depth] for found in (near, worded)]
        listed = {*lists[0], *lists[1]}
        keys = sorted(key for key, id_ in ids.items() if id_ in listed)
        cosines = {ids[key]: cosine for key, cosine in vectors.products(query, keys).items()}
        scores = {ids[key]: score for key, score in words.scores(kind, text, keys).items()}
        fused = sum_of_shares(cosines, scores) if self._fusion is Fusion.SUM else reciprocal_rank(*lists)
        return best_hits(fused, cosines, scores, k)

    def _current(self) -> Snapshot:
        snapshot = self._snapshot
        while snapshot is None or snapshot.generation != self._store.generation(self._collection):
            self.refresh()
            snapshot = self._snapshot
        return snapshot

    def _empty(self) -> Snapshot:
        return Snapshot(
            generation=0,
            content="",
            fingerprint=self._encoder.fingerprint,
            words=WordIndex(),
            vectors={kind: VectorIndex.empty(self._encoder.dimension) for kind in EntryKind},
        )

    def _updated(self, base: Snapshot, progress: Progress | None) -> Snapshot:
        """A snapshot of what the store holds now, marked with the generation from before it was read.

        A commit in between leaves the mark too low, which the next search notices; a record that goes away in between
        starts the reading again.
        """
        for attempt in range(READ_ATTEMPTS):
            generation = self._store.generation(self._collection)
            words = base.words.copy()
            vectors = {kind: index.copy() for kind, index in base.vectors.items()}
            try:
                ids = self._ids()
                for kind in EntryKind:
                    self._update_kind(kind, ids[kind], words, vectors[kind], progress)
            except (RecordUnknown, DocumentUnknown, KeyError):
                if attempt + 1 == READ_ATTEMPTS:
                    raise
                continue
            return Snapshot(generation, _digest(ids), self._encoder.fingerprint, words, vectors)
        raise AssertionError("unreachable")

    def _update_kind(
        self, kind: EntryKind, ids: Sequence[str], words: WordIndex, vectors: VectorIndex, progress: Progress | None
    ) -> None:
        known = words.stamps(kind)
        wanted = set(ids)
        vectors.remove(words.remove(kind, sorted(known.keys() - wanted)))
        # What an event says can change while its id stays; a passage is fixed by its id.
        to_read = [entry_id for entry_id in ids if kind is EntryKind.EVENT or entry_id not in known]
        if kind is EntryKind.PASSAGE and to_read and not known:
            check_encoder(self._store, self._encoder, self._collection, to_read[0])
        for start in range(0, len(to_read), BATCH):
            batch = to_read[start : start + BATCH]
            entries, rows = READERS[kind](self._store, self._collection, batch)
            changed = [row for row, entry in enumerate(entries) if known.get(entry.id) != entry.stamp]
            stale = [entries[row].id for row in changed if entries[row].id in known]
            vectors.remove(words.remove(kind, stale))
            vectors.add(words.add(kind, [entries[row] for row in changed]), rows[changed])
            if progress is not None:
                progress("index", start + len(batch), len(to_read))

    def _ids(self) -> dict[EntryKind, list[str]]:
        return {
            EntryKind.PASSAGE: self._store.passage_ids(self._collection),
            EntryKind.EVENT: self._store.event_ids(self._collection),
        }

    def _content(self) -> str:
        return _digest(self._ids())


def _digest(ids: Mapping[EntryKind, Sequence[str]]) -> str:
    """Tells one content from another where generations do not: a store made anew at the same place."""
    text = "\n".join("\n".join((kind.value, *ids[kind])) for kind in EntryKind)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
