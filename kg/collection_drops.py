"""Removes a collection whole: its documents one by one, then all that outlives documents."""

from __future__ import annotations

from contextlib import suppress

from causetrail.errors import CollectionUnknown, DocumentUnknown
from kg.document_commits import DocumentCommits
from kg.store import Progress


class CollectionDrops(DocumentCommits):
    """Drops collections."""

    def drop(self, collection: str, progress: Progress | None = None) -> int:
        """Removes a collection: documents, decisions, marks, lease, and that it was ever there.

        Each document goes in a transaction of its own, and the rest in a last one. A drop that was interrupted goes on
        when it is called again; documents that others commit meanwhile go too. A collection of this name that is made
        later counts generations on from where this one ended, so that nothing takes it for the old one.

        Args:
            progress: Called with the stage `drop`, documents removed, and documents there are.

        Returns:
            The number of documents that were removed.

        Raises:
            CollectionUnknown: the store holds nothing of this name.
        """
        if not self.generation(collection):
            raise CollectionUnknown(collection=collection, address=self._place)
        done = 0
        while not self._transact(collection, lambda: self._forget_if_empty(collection)):
            ids = [document.id for document in self.documents(collection)]
            total = done + len(ids)
            for document_id in ids:
                with suppress(DocumentUnknown):
                    self.delete_document(collection, document_id)
                done += 1
                if progress is not None:
                    progress("drop", done, total)
        return done

    def _forget_if_empty(self, collection: str) -> bool:
        """Whether no document is left; then nothing else is left either."""
        if next(self.documents(collection), None) is not None:
            return False
        self._forget(collection)
        return True
