"""Checks stored rows one by one against their digests, their ids and their documents, whatever database holds them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from kg.document_facts import DOCUMENT_COLUMNS, SOURCE_COLUMNS
from kg.faults import Fault
from kg.record_tables import CLAIMS, DECISIONS, EDGES, EVENTS, HYPOTHESES, MENTIONS, PASSAGES, digest_of
from kg.records import found_first, record_id
from kg.rederivation import Rederivation
from kg.resolution import Resolver
from kg.store import Progress

BESIDE = "beside"

Fields = dict[str, Any]
"""The columns of a row by name, its `digest`, and under `BESIDE` a list of what is wrong with what stands beside them,
if anything can be."""

REPORT_EVERY = 500
"""Records after which progress is told."""

_ID_PARTS = {
    "passage": ("p", ("document_id", "ordinal", "start", "end", "kind")),
    "mention": ("m", ("document_id", "start", "end")),
    "claim": (
        "c",
        ("document_id", "relation", "cause_mention", "effect_mention", "start", "end", "cue", "extractor"),
    ),
    "hypothesis": ("h", ("cause", "effect", "premise")),
}
"""The prefix and the fields that each id is the hash of."""

_KEYS = frozenset({"collection", "id", "name", "document_id", "cause", "effect", "relation"})
"""Columns that records are known by."""

_ALTERED = "its fields are not the ones that were written"
_OTHER_TYPE = "its fields are not even of the type that was written"


class RecordChecks(ABC):
    """One pass over all records; a subclass reads them, past whatever is damaged.

    Attributes:
        checked: Number of records checked, by kind.
    """

    def __init__(self) -> None:
        self.checked: Counter[str] = Counter()
        self._ids: dict[str, set[tuple[str, str]]] = defaultdict(set)
        self._faults: list[Fault] = []
        self._progress: Progress | None = None

    @abstractmethod
    def _walk(self, kind: str, columns: Sequence[str]) -> Iterator[Fields]:
        """All rows of one kind, in any order in which those of a document stand together."""

    @abstractmethod
    def _total(self, kind: str) -> int:
        """About how many there are."""

    @abstractmethod
    def _text(self, document: tuple[str, str]) -> str | None:
        """The text of a document, by collection and id; none when it is missing or cannot be read."""

    def _check_records(self, collection: str | None) -> None:
        """Checks the records of one collection, or of all."""
        self._check("document", DOCUMENT_COLUMNS, self._document, collection)
        self._check("source", SOURCE_COLUMNS, self._source, collection)
        self._check("passage", PASSAGES.columns, self._passage, collection)
        self._check("mention", MENTIONS.columns, self._mention, collection)
        self._check("claim", CLAIMS.columns, self._claim, collection)
        self._check("decision", DECISIONS.columns, lambda _: [], collection)
        self._check("hypothesis", HYPOTHESES.columns, lambda fields: _wrong_id("hypothesis", fields), collection)
        self._check("event", EVENTS.columns, lambda _: [], collection)
        self._check("edge", EDGES.columns, self._edge, collection)
        for owner, id_ in sorted(self._ids["document"] - self._ids["given"]):
            if collection in {None, owner}:
                self._faults.append(Fault("document", id_, id_, "no source gives it"))

    def _check_derived(self, store: Rederivation, collection: str | None, resolver: Resolver | None) -> None:
        """Derives the graph once more from the records that have no fault, and notes what differs.

        Mentions are resolved once more only where all of them, and all decisions, are as they were written.
        """
        wrong = {fault.id for fault in self._faults}
        if any(fault.kind in {"mention", "decision", "hypothesis"} for fault in self._faults):
            resolver = None
        owners = sorted({owner for kind in ("document", "event", "mention") for owner, _ in self._ids[kind]})
        for owner in owners:
            if collection in {None, owner}:
                events = sorted(id_ for held_by, id_ in self._ids["event"] if held_by == owner)
                found = store.differences(owner, events, wrong, resolver)
                self._faults += [Fault(kind, id_, None, what) for kind, id_, what in found]

    def _check(
        self, kind: str, columns: Sequence[str], check: Callable[[Fields], list[str]], collection: str | None
    ) -> None:
        """Walks the rows of one kind and notes what is wrong with each."""
        total = self._total(kind)
        for fields in self._walk(kind, columns):
            keys = [fields[key] for key in _KEYS & fields.keys()]
            if kind == "source" and all(isinstance(key, str) for key in keys):
                self._ids["given"].add((fields["collection"], fields["document_id"]))
            if collection is not None and fields["collection"] != collection:
                continue
            digest, wrong = fields.pop("digest"), fields.pop(BESIDE, [])
            name = _name(kind, fields)
            if all(isinstance(key, str) for key in keys):
                try:
                    wrong = [_ALTERED, *wrong] if digest_of(fields) != digest else wrong
                    wrong = wrong + check(fields)
                except (TypeError, ValueError):
                    wrong = [_OTHER_TYPE]
                if (fields["collection"], name) in self._ids[kind]:
                    wrong = [*wrong, "it is there twice"]
                self._ids[kind].add((fields["collection"], name))
            else:
                wrong = [_OTHER_TYPE]
            if wrong:
                document = fields.get("document_id")
                known = document if isinstance(document, str) else None
                self._faults.append(Fault(kind, name, known, "; ".join(wrong)))
            self.checked[kind] += 1
            if self._progress is not None and self.checked[kind] % REPORT_EVERY == 0:
                self._progress(kind, self.checked[kind], total)

    def _document(self, fields: Fields) -> list[str]:
        text = self._text((fields["collection"], fields["id"]))
        if text is None:
            return ["its text is missing or cannot be read"]
        found = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if found != fields["sha256"]:
            return ["its text is not the one that was written"]
        return [] if record_id("d", found) == fields["id"] else ["its id is not the hash of its text"]

    def _source(self, fields: Fields) -> list[str]:
        return self._missing("document", fields)

    def _passage(self, fields: Fields) -> list[str]:
        return self._missing("document", fields) + _wrong_id("passage", fields)

    def _mention(self, fields: Fields) -> list[str]:
        return self._missing("document", fields) + _wrong_id("mention", fields) + self._wrong_quote(fields, "text")

    def _claim(self, fields: Fields) -> list[str]:
        wrong = self._missing("document", fields) + _wrong_id("claim", fields) + self._wrong_quote(fields, "quote")
        for end in ("cause_mention", "effect_mention"):
            if (fields["collection"], fields[end]) not in self._ids["mention"]:
                wrong.append(f"its {end.replace('_', ' ')} is missing")
        return wrong

    def _edge(self, fields: Fields) -> list[str]:
        return [
            f"its {end} is missing"
            for end in ("cause", "effect")
            if (fields["collection"], fields[end]) not in self._ids["event"]
        ]

    def _missing(self, kind: str, fields: Fields) -> list[str]:
        there = (fields["collection"], fields["document_id"]) in self._ids[kind]
        return [] if there else ["its document is missing"]

    def _wrong_quote(self, fields: Fields, field: str) -> list[str]:
        text = self._text((fields["collection"], fields["document_id"]))
        start, end = fields["start"], fields["end"]
        if text is None or text[max(start, 0) : max(end, 0)] == fields[field]:
            return []
        return ["its words are not what stands at its offsets"]


def _wrong_id(kind: str, fields: Fields) -> list[str]:
    prefix, parts = _ID_PARTS[kind]
    values = (found_first(fields[part]) if part == "extractor" else fields[part] for part in parts)
    expected = record_id(prefix, *values)
    return [] if fields["id"] == expected else ["its id is not the hash of its fields"]


def _name(kind: str, fields: Fields) -> str:
    match kind:
        case "edge":
            return f"{fields['cause']} {fields['relation']} {fields['effect']}"
        case "source":
            return str(fields["name"])
        case _:
            return str(fields["id"])
