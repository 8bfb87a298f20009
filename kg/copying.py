"""Copies collections from one store into another of any kind, document by document, and proves that both are alike.

Every document goes through the commit that an ingest uses, so that every quote is checked again. What the target has
already is left alone: a copy that was interrupted at any point goes on when it is run again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from causetrail.errors import ArgumentInvalid, CopyRefused, ServerReadOnly, StoreReadOnly, StoreUnlike
from kg.copy_proof import Proof, prove_alike
from kg.records import Document
from kg.resolution import Resolver
from kg.store import GraphStore, Progress


@dataclass(frozen=True, slots=True)
class CollectionCopy:
    """What became of one collection.

    Attributes:
        copied: Documents that were written and that the target did not have.
        replaced: Documents that the target had otherwise, or with other sources, and that are now what the source says.
        present: Documents that the target had already, with the same sources.
        decisions: Decisions that were written or taken back.
        source: Counts and hashes of the collection that was copied.
        target: Those of the copy, which are equal.
    """

    collection: str
    copied: int
    replaced: int
    present: int
    decisions: int
    source: Proof
    target: Proof


@dataclass(frozen=True, slots=True)
class CopyReport:
    """What a copy did.

    Attributes:
        source: Address of the store that was copied.
        target: Address of the copy.
        collections: By name.
    """

    source: str
    target: str
    collections: tuple[CollectionCopy, ...]


def copy(
    source: GraphStore,
    target: GraphStore,
    collections: Sequence[str] | None,
    resolver: Resolver,
    progress: Progress | None = None,
) -> CopyReport:
    """Copies collections, derives their graphs in the target, and compares everything.

    The source is only written to when its own graph waits for derivation.

    Args:
        collections: Names; all that hold documents or decisions when not given.
        resolver: The one that both graphs are derived with.
        progress: Called with a stage's name (`copy`, `derive`, `compare`), what is done of it and how much there is.

    Raises:
        ArgumentInvalid: both addresses are the same, or the source does not hold a collection.
        CopyRefused: the target holds something else in a collection, or the source cannot be derived; nothing was
            written to the target.
        StoreUnlike: the copy is not like the source; names the first difference.
    """
    if source.address == target.address:
        raise ArgumentInvalid(argument="TO", value=repr(target.address), reason="it is the store that is copied")
    held = source.collections()
    names = held if collections is None else sorted(set(collections))
    for name in names:
        if name not in held:
            raise ArgumentInvalid(
                argument="--collection", value=repr(name), reason=f"{source.address} does not hold it"
            )
        _derive_source(source, name, resolver, progress)
        _refuse_foreign(source, target, name)
    copies = tuple(_copy_collection(source, target, name, resolver, progress) for name in names)
    return CopyReport(source.address, target.address, copies)


def _derive_source(source: GraphStore, collection: str, resolver: Resolver, progress: Progress | None) -> None:
    try:
        source.derive(collection, resolver, progress)
    except (StoreReadOnly, ServerReadOnly):
        reason = f"its graph at {source.address} waits for derivation, and cannot be written"
        advice = "Make it writable for once, or copy it from where it can be written."
        raise CopyRefused(collection=collection, reason=reason, advice=advice) from None


def _refuse_foreign(source: GraphStore, target: GraphStore, collection: str) -> None:
    """Refuses a target with documents, sources or decisions of its own, or where a standing decision was undone."""
    documents = {document.id: document for document in target.documents(collection)}
    decided = {decision.id: decision.undone for decision in target.decisions(collection)}
    if not documents and not decided:
        return
    sources = {name for document in documents.values() for name in document.sources}
    for document in source.documents(collection):
        documents.pop(document.id, None)
        sources.difference_update(document.sources)
    undone = set()
    for decision in source.decisions(collection):
        if decided.pop(decision.id, False) and not decision.undone:
            undone.add(decision.id)
    proposed = {one.id for one in target.hypotheses(collection)} - {one.id for one in source.hypotheses(collection)}
    foreign = (("document", documents), ("source", sources), ("decision", decided), ("hypothesis", proposed))
    for kind, found in foreign:
        if found:
            reason = (
                f"{target.address} already holds {len(found)} {kind}(s) that are not in it, {min(found)} for example"
            )
            advice = "Nothing was written. Give a target that is empty, or that holds a part of the same documents."
            raise CopyRefused(collection=collection, reason=reason, advice=advice)
    if undone:
        reason = (
            f"{len(undone)} decision(s) that stand in it were undone in {target.address}, {min(undone)} for example"
        )
        advice = (
            "Nothing was written. Undo them in what is copied too (causetrail decisions undo), or drop the copy with: "
            f"causetrail collections drop {collection} --store {target.address}"
        )
        raise CopyRefused(collection=collection, reason=reason, advice=advice)


def _copy_collection(
    source: GraphStore, target: GraphStore, collection: str, resolver: Resolver, progress: Progress | None
) -> CollectionCopy:
    generation = source.generation(collection)
    held = {document.id for document in target.documents(collection)}
    _release_sources(source, target, collection)
    total = source.counts(collection).documents
    became = {"copied": 0, "replaced": 0, "present": 0}
    for done, document in enumerate(source.documents(collection), start=1):
        written = _copy_document(source, target, document)
        became["present" if not written else "replaced" if document.id in held else "copied"] += 1
        if progress is not None:
            progress("copy", done, total)
    _copy_hypotheses(source, target, collection)
    decisions = _copy_decisions(source, target, collection)
    target.derive(collection, resolver, progress)
    if source.generation(collection) != generation:
        raise StoreUnlike(address=target.address, reason=f"the collection {collection} was changed while it was copied")
    proofs = prove_alike(source, target, collection, progress)
    return CollectionCopy(collection, **became, decisions=decisions, source=proofs[0], target=proofs[1])


def _release_sources(source: GraphStore, target: GraphStore, collection: str) -> None:
    """Takes from the target's documents the sources that give another document in the source."""
    held = {name: document.id for document in target.documents(collection) for name in document.sources}
    if not held:
        return
    given = {name: document.id for document in source.documents(collection) for name in document.sources}
    for name in sorted(held):
        if held[name] != given.get(name):
            target.delete_source(collection, name)


def _copy_document(source: GraphStore, target: GraphStore, document: Document) -> bool:
    """Writes one document with all its sources, unless it is there alike; whether it was written."""
    place = (document.collection, document.id)
    sources = source.sources(*place)
    # Content whose times were resolved with another date than the least source gives cannot be told from other such.
    current = source.has_content(*place, document.extraction) and target.has_content(*place, document.extraction)
    if current and target.sources(*place) == sources:
        return False
    bundle = source.bundle(*place)
    target.commit_document(bundle)
    for other in sources:
        if other != bundle.source:
            target.add_source(*place, other)
    return True


def _copy_hypotheses(source: GraphStore, target: GraphStore, collection: str) -> None:
    known = {hypothesis.id: hypothesis for hypothesis in target.hypotheses(collection)}
    for hypothesis in source.hypotheses(collection):
        if known.get(hypothesis.id) != hypothesis:
            target.write_hypothesis(hypothesis)


def _copy_decisions(source: GraphStore, target: GraphStore, collection: str) -> int:
    known = {decision.id: decision for decision in target.decisions(collection)}
    missing = [decision for decision in source.decisions(collection) if known.get(decision.id) != decision]
    for decision in missing:
        target.log_decision(decision)
    return len(missing)
