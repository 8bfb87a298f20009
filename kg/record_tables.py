"""Between records and rows: one table for a kind of record, a column for a field, a digest over all of them.

The digest is the SHA-256 of the row's canonical JSON. It tells an altered row from a written one even where the altered
field is not part of the id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from causetrail.errors import StoreDamaged
from kg.records import Claim, Decision, Edge, Event, Hypothesis, Mention, Passage, Record

R = TypeVar("R", bound=Record)
J = TypeVar("J")

Row = tuple[Any, ...]
"""One row: text, whole numbers, floats, bytes or None."""

Value = str | int | float | None

_LATER = frozenset({"time_words"})
"""Fields that records did not have at first: rows without them stay what they are."""


class RecordTable(Generic[R]):
    """How one kind of record is kept in the table of its name.

    Attributes:
        columns: Fields of the record, in its order, then the columns that the store adds.
        select: `SELECT` of all columns, to be continued with `WHERE`; rows go to `from_row`.
        insert: `INSERT` of a row that `to_row` made.
    """

    def __init__(
        self,
        name: str,
        record: type[R],
        *,
        listed: Sequence[str] = (),
        left_out: Sequence[str] = (),
        added: Sequence[str] = (),
    ) -> None:
        self.name = name
        self._record = record
        self._listed = frozenset(listed)
        self._fields = tuple(field for field in record.model_fields if field not in left_out)
        self.columns = (*self._fields, *added)
        self.selected = ", ".join(f'{name}."{column}"' for column in self.columns)
        named = ", ".join(f'"{column}"' for column in self.columns)
        marks = ", ".join("?" for _ in range(len(self.columns) + 1))
        self.select = f"SELECT {self.selected} FROM {name}"  # noqa: S608 - names are constants
        self.insert = f"INSERT INTO {name} ({named}, digest) VALUES ({marks})"  # noqa: S608

    def to_row(self, record: R, **added: str) -> tuple[object, ...]:
        """The row of a record, its digest last; `added` fills the columns that the store adds."""
        values = [_stored(getattr(record, field)) for field in self._fields]
        values.extend(added[column] for column in self.columns[len(self._fields) :])
        return (*values, self.digest(values))

    def from_row(self, row: Row, **left_out: object) -> R:
        """The record of a row; `left_out` gives the fields that are not stored.

        Raises:
            StoreDamaged: another program wrote something that no record can hold.
        """
        fields: dict[str, object] = dict(zip(self._fields, row, strict=False))
        for field in self._listed:
            fields[field] = told_list(row[self._fields.index(field)], f"the {self.name} {fields.get('id', '')}")
        return self.from_fields({**fields, **left_out})

    def from_fields(self, told: Mapping[str, object]) -> R:
        """The record of its fields by name, lists as lists; what else is told is passed over.

        Raises:
            StoreDamaged: another program wrote something that no record can hold.
        """
        try:
            return self._record.model_validate({key: told[key] for key in self._record.model_fields})
        except (ValidationError, KeyError):
            what = f"the {self.name} {told.get('id', '')} cannot be read"
            raise StoreDamaged(path="The store", what=what) from None

    def digest(self, values: Sequence[object]) -> bytes:
        """The digest of a row's values, 32 bytes."""
        return digest_of(dict(zip(self.columns, values, strict=False)))


def told_list(text: object, owner: str) -> list[Any]:
    """The list that a column holds as JSON.

    Args:
        owner: What messages call the record that has the column.

    Raises:
        StoreDamaged: another program wrote something else.
    """
    return told_json(text, list, owner)


def told_json(text: object, form: type[J], owner: str) -> J:
    """What a column holds as JSON.

    Args:
        form: What it has to be.
        owner: What messages call the thing that has the column.

    Raises:
        StoreDamaged: another program wrote something else.
    """
    try:
        told = json.loads(text) if isinstance(text, str) else None
    except ValueError:
        told = None
    if not isinstance(told, form):
        raise StoreDamaged(path="The store", what=f"{owner} cannot be read")
    return told


def reasons_of(row: Row) -> tuple[str, ...]:
    """Why the mentions of an event are one, from its row of `EVENTS` without a digest.

    Raises:
        StoreDamaged: another program wrote something else.
    """
    return tuple(told_list(row[-1], f"the event {row[0]}"))


def digest_of(fields: Mapping[str, object]) -> bytes:
    """SHA-256 of the fields as JSON with sorted keys, 32 bytes; of a later field only where it holds something."""
    fields = {name: value for name, value in fields.items() if value is not None or name not in _LATER}
    text = json.dumps(fields, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return sha256(text.encode("ascii")).digest()


def _stored(value: object) -> Value:
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, tuple):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(f"no column holds a {type(value).__name__}")


PASSAGES = RecordTable("passage", Passage, left_out=("page",))
"""A passage's page follows from the pages of its document's least source, which may change."""

MENTIONS = RecordTable("mention", Mention, listed=("participants",))
CLAIMS = RecordTable("claim", Claim)
DECISIONS = RecordTable("decision", Decision, listed=("subject",))
HYPOTHESES = RecordTable("hypothesis", Hypothesis)
EVENTS = RecordTable("event", Event, added=("described_by", "reasons"))
"""`described_by` is the mention whose wording and vector describe the event; `reasons` say why its mentions are one."""

EDGES = RecordTable("edge", Edge, listed=("claims",))
