"""What the ids in a trace stand for, in words that a person can read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from kg.store import GraphStore

_ID = re.compile("[cdep][0-9a-f]{24}")


def ids_in(value: object) -> set[str]:
    """The ids of documents, passages, events and claims among the values of a trace."""
    if isinstance(value, str):
        return {value} if _ID.fullmatch(value) else set()
    if isinstance(value, dict):
        return {id_ for name, inner in value.items() for id_ in ids_in(name) | ids_in(inner)}
    if isinstance(value, list | tuple):
        return {id_ for inner in value for id_ in ids_in(inner)}
    return set()


def words_of(ids: Iterable[str], store: GraphStore, collection: str) -> dict[str, str]:
    """Words for each id that the collection holds.

    Returns:
        For a document its least source, for a passage `source [start:end]`, for an event its description, for a claim
        its quote.
    """
    by_kind: dict[str, list[str]] = defaultdict(list)
    for id_ in sorted(set(ids)):
        by_kind[id_[0]].append(id_)
    told = {id_: event.description for id_, event in store.events(collection, by_kind["e"]).items()}
    told |= {id_: claim.quote for id_, claim in store.claims(collection, by_kind["c"]).items()}
    passages = store.passages(collection, by_kind["p"])
    wanted = {*by_kind["d"], *(passage.document_id for passage in passages.values())}
    sources = {found.id: found.sources[0] for found in store.documents(collection) if found.id in wanted}
    for id_, passage in passages.items():
        told[id_] = f"{sources[passage.document_id]} [{passage.start}:{passage.end}]"
    return told | {id_: source for id_, source in sources.items() if id_ in by_kind["d"]}
