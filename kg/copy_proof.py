"""The proof that a collection is the same in two stores: counts, the canonical export, and all that it leaves out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from itertools import zip_longest
from typing import Any

from causetrail.errors import StoreUnlike
from kg.encoding import Vectors
from kg.export import export_jsonl
from kg.store import Counts, GraphStore, Progress


@dataclass(frozen=True, slots=True)
class Proof:
    """What identifies the content of a collection.

    Attributes:
        export_sha256: SHA-256 of the canonical export.
        passages_sha256: SHA-256 of what the export leaves out: passages, all vectors, sources in full, what reading the
            documents counted, and the dates that relative times were resolved with.
    """

    counts: Counts
    export_sha256: str
    passages_sha256: str


def prove_alike(
    source: GraphStore, target: GraphStore, collection: str, progress: Progress | None = None
) -> tuple[Proof, Proof]:
    """Compares a collection in two stores, and gives the proof of each.

    Args:
        progress: Called with the stage `compare`, documents compared, and documents there are.

    Raises:
        StoreUnlike: they differ; names the first difference.
    """
    counts = source.counts(collection), target.counts(collection)
    for field in fields(Counts):
        there, here = (getattr(found, field.name) for found in counts)
        if there != here:
            raise _unlike(target, collection, f"{field.name.replace('_', ' ')}: {here} instead of {there}")
    export = _hash_exports(source, target, collection)
    passages = _hash_documents(source, target, collection, counts[0].documents, progress)
    return Proof(counts[0], export[0], passages[0]), Proof(counts[1], export[1], passages[1])


def _hash_exports(source: GraphStore, target: GraphStore, collection: str) -> tuple[str, str]:
    hashes = hashlib.sha256(), hashlib.sha256()
    for there, here in zip_longest(export_jsonl(source, collection), export_jsonl(target, collection)):
        if there != here:
            raise _unlike(target, collection, f"{_record(here)} instead of {_record(there)}")
        for digest, line in zip(hashes, (there, here), strict=True):
            digest.update(line.encode("utf-8"))
    return hashes[0].hexdigest(), hashes[1].hexdigest()


def _hash_documents(
    source: GraphStore, target: GraphStore, collection: str, total: int, progress: Progress | None
) -> tuple[str, str]:
    hashes = hashlib.sha256(), hashlib.sha256()
    for done, document in enumerate(source.documents(collection), start=1):
        parts = [dict(_unexported(store, collection, document.id)) for store in (source, target)]
        for name in parts[0]:
            if parts[0][name] != parts[1][name]:
                raise _unlike(target, collection, f"the {name} of document {document.id} differ")
        for digest, found in zip(hashes, parts, strict=True):
            digest.update(json.dumps([document.id, found], sort_keys=True).encode("ascii"))
        if progress is not None:
            progress("compare", done, total)
    return hashes[0].hexdigest(), hashes[1].hexdigest()


def _unexported(store: GraphStore, collection: str, document_id: str) -> Iterator[tuple[str, Any]]:
    """What the canonical export leaves out of a document, by its name."""
    bundle = store.bundle(collection, document_id)
    yield "sources", [asdict(source) for source in store.sources(collection, document_id)]
    yield "date of relative times", bundle.source.published
    yield "counts", [bundle.sentences, dict(bundle.rejected)]
    yield "passages", [passage.model_dump(mode="json") for passage in bundle.passages]
    yield "vectors of passages", _vectors_sha256(bundle.passage_vectors)
    yield "vectors of mentions", _vectors_sha256(bundle.mention_vectors)


def _vectors_sha256(vectors: Vectors) -> str:
    return hashlib.sha256(vectors.astype("<f4").tobytes()).hexdigest()


def _record(line: str | None) -> str:
    """What a line of the canonical export tells of, in words; its hash tells it from others of the same id."""
    if line is None:
        return "nothing"
    fields_ = json.loads(line)
    name = fields_.get("id") or " ".join(
        str(fields_[key]) for key in ("cause", "relation", "effect", "events") if key in fields_
    )
    return f"{fields_['record']} {name} ({hashlib.sha256(line.encode('utf-8')).hexdigest()[:12]})"


def _unlike(target: GraphStore, collection: str, difference: str) -> StoreUnlike:
    return StoreUnlike(address=target.address, reason=f"in the collection {collection}, {difference}")
