"""Questions whose answers are known: one JSON object a line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from causetrail.errors import QuestionsInvalid, QuestionsUnreadable
from kg.records import Verdict

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_LARGEST: Final = 200_000_000
"""Bytes of a file of questions: more is taken for a mistake."""
_Text = Annotated[str, Field(min_length=1, max_length=20_000)]


class _Item(BaseModel):
    """What both kinds of question have."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str = ""
    """Names the question in the records; the number of its line where none is given."""
    collection: str | None = None
    """The set of documents that is asked; that of the run where none is given."""
    group: str | None = None
    """Figures are also given for each group."""


class AskedItem(_Item):
    """A question, and what is known of its answer: at least one of `answers`, `quotes` and `verdict`."""

    question: _Text
    """As it is asked."""
    answers: tuple[_Text, ...] = ()
    """Words any of which an answer has to hold."""
    quotes: tuple[_Text, ...] = ()
    """Sentences of the documents that an answer has to show."""
    verdict: Verdict | None = None
    """What has to be said of the proposition that is asked."""

    @model_validator(mode="after")
    def _known(self) -> AskedItem:
        if not self.answers and not self.quotes and self.verdict is None:
            raise ValueError("answers, quotes and verdict are all missing")
        return self


class OfferedItem(_Item):
    """An event, causes that are offered for it, and which of them are right."""

    event: _Text
    """What happened."""
    options: Annotated[tuple[_Text, ...], Field(min_length=2, max_length=26)]
    """The causes that are offered."""
    right: Annotated[frozenset[Annotated[int, Field(ge=0)]], Field(min_length=1)]
    """Places of the right ones, from 0."""

    @model_validator(mode="after")
    def _among_the_options(self) -> OfferedItem:
        if max(self.right) >= len(self.options):
            raise ValueError("right names an option that is not offered")
        return self


Item = AskedItem | OfferedItem

_FAULTS: Final = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such field",
    "string_type": "it has to be a text",
    "string_too_short": "it is empty",
    "string_too_long": "it has more than {max_length:,} characters",
    "too_short": "it has fewer than {min_length}",
    "too_long": "it has more than {max_length}",
    "tuple_type": "it has to be a list",
    "frozen_set_type": "it has to be a list",
    "int_type": "it has to be a whole number",
    "int_parsing": "it has to be a whole number",
    "int_from_float": "it has to be a whole number",
    "greater_than_equal": "it has to be {ge} or more",
    "enum": "it has to be {expected}",
}
"""What is wrong with a field, by the kind of fault that validation reports."""


class QuestionsFile(BaseModel):
    """All questions of a file.

    Attributes:
        name: What the file is called.
        items: In the order of the file, each with an id of its own.
        sha256: Hash of the bytes of the file.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    items: tuple[Item, ...]
    sha256: str


def read_questions(path: Path) -> QuestionsFile:
    """Reads a file of questions.

    Args:
        path: JSON lines in UTF-8; empty lines are passed over.

    Raises:
        QuestionsUnreadable: there is no such file, or it is too large or not UTF-8.
        QuestionsInvalid: a line is no question, two have one id, or there is none.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise QuestionsUnreadable(path=path, reason=f"it is larger than {_LARGEST:,} bytes")
        raw = path.read_bytes()
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise QuestionsUnreadable(path=path, reason=(error.strerror or "it cannot be read").lower()) from None
    except UnicodeDecodeError:
        raise QuestionsUnreadable(path=path, reason="it is not UTF-8") from None
    items: dict[str, Item] = {}
    # Only at line feeds: a text may hold other characters at which Python would break lines.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        item = _item(path, number, line)
        if item.id in items:
            raise QuestionsInvalid(path=path, line=number, reason=f"the id {item.id!r} was there before")
        items[item.id] = item
    if not items:
        raise QuestionsInvalid(path=path, line=1, reason="the file holds no question")
    return QuestionsFile(name=path.name, items=tuple(items.values()), sha256=hashlib.sha256(raw).hexdigest())


def _item(path: Path, number: int, line: str) -> Item:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        raise QuestionsInvalid(path=path, line=number, reason="it is not JSON") from None
    if not isinstance(values, dict):
        raise QuestionsInvalid(path=path, line=number, reason="it is not a JSON object")
    kind = OfferedItem if "options" in values else AskedItem
    try:
        item = kind.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        told = _told(first)
        raise QuestionsInvalid(path=path, line=number, reason=f"{place}: {told}" if place else told) from None
    return item if item.id else item.model_copy(update={"id": str(number)})


def _told(fault: ErrorDetails) -> str:
    """A fault in our words."""
    about = fault.get("ctx", {})
    if fault["type"] == "value_error":
        return str(about["error"])
    return _FAULTS.get(fault["type"], "it cannot be read").format(**about)
