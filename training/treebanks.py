"""Treebanks in CoNLL-U as spaCy documents, a paragraph each, with the text as it was written.

Words that the treebank writes together ("don't", "gonna") are joined again, so that a tokeniser sees what it will see
in use. Entities are read where a treebank marks them (GUM); elsewhere they are unknown, not absent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import conllu
from conllu.models import Token as Row
from conllu.models import TokenList
from spacy.tokens import Doc, Span
from spacy.vocab import Vocab

_MARK: Final = re.compile(r"\((?P<opened>\d+)-(?P<kind>[a-z]+)[^()]*(?P<single>\))?|(?P<closed>\d+)\)")
"""One bracket of GUM's entities: `(3-person-...` opens, `3)` closes, `(3-person-...)` does both."""
_LABELS: Final = {
    "person": "PERSON",
    "organization": "ORG",
    "place": "PLACE",
    "event": "EVENT",
    "time": "TIME",
    "object": "OBJECT",
}
_NAMES: Final = frozenset({"PROPN"})
_TIMES: Final = frozenset({"PROPN", "NUM"})
_ATTRIBUTES: Final = frozenset({"PRON", "ADJ", "VERB"})
_OF_CLAUSES: Final = frozenset({"PRON", "VERB", "AUX", "SCONJ"})
_LONGEST: Final = 8
"""Most words of an entity: a longer span is a name with its apposition or clause, and the name inside it is taken."""


class _Marked(NamedTuple):
    start: int
    end: int
    label: str


def read_treebank(path: Path, vocab: Vocab, *, entities: bool) -> Iterator[Doc]:
    """The paragraphs of a treebank, in order; `user_data["document"]` counts the documents they stand in.

    Args:
        path: A file in CoNLL-U.
        vocab: Vocabulary of the documents.
        entities: Whether the file marks entities as GUM does.
    """
    number = 0
    for sentences in _paragraphs(path):
        number += any(key.startswith("newdoc") for key in sentences[0].metadata)
        doc = _doc(sentences, vocab, entities=entities)
        doc.user_data["document"] = number
        yield doc


def _paragraphs(path: Path) -> Iterator[list[TokenList]]:
    gathered: list[TokenList] = []
    with path.open(encoding="utf-8") as lines:
        for sentence in conllu.parse_incr(lines):
            begins = any(key.split()[0] in ("newdoc", "newpar") for key in sentence.metadata)
            if begins and gathered:
                yield gathered
                gathered = []
            gathered.append(sentence)
    if gathered:
        yield gathered


def _doc(sentences: Sequence[TokenList], vocab: Vocab, *, entities: bool) -> Doc:
    columns: dict[str, list[Any]] = {
        name: [] for name in ("words", "spaces", "tags", "pos", "morphs", "lemmas", "heads", "deps", "sent_starts")
    }
    marked: list[_Marked] = []
    for sentence in sentences:
        first = len(columns["words"])
        rows = [row for row in sentence if isinstance(row["id"], int)]
        inside = _written_together(sentence)
        for row in rows:
            columns["words"].append(row["form"])
            columns["spaces"].append(row["id"] not in inside and not _no_space(row))
            columns["tags"].append(row["xpos"] or "")
            columns["pos"].append(row["upos"])
            columns["morphs"].append("|".join(f"{name}={value}" for name, value in (row["feats"] or {}).items()))
            columns["lemmas"].append(row["lemma"])
            columns["heads"].append(first + (row["head"] or row["id"]) - 1)
            columns["deps"].append("ROOT" if row["head"] == 0 else row["deprel"])
            columns["sent_starts"].append(row["id"] == 1)
        if entities:
            marked.extend(_Marked(first + start, first + end, label) for start, end, label in _entities(rows))
    doc = Doc(
        vocab,
        words=columns["words"],
        spaces=columns["spaces"],
        tags=columns["tags"],
        pos=columns["pos"],
        morphs=columns["morphs"],
        lemmas=columns["lemmas"],
        heads=columns["heads"],
        deps=columns["deps"],
        sent_starts=columns["sent_starts"],
    )
    if entities:
        doc.set_ents([Span(doc, start, end, label) for start, end, label in marked], default="outside")
    else:
        doc.set_ents([], default="missing")
    return doc


def _written_together(sentence: TokenList) -> set[int]:
    """Numbers of the words that no space follows, because they are one written word with the next, or end one."""
    joined: set[int] = set()
    for row in sentence:
        if isinstance(row["id"], tuple) and row["id"][1] == "-":
            first, _, last = row["id"]
            joined.update(range(first, last + 1 if _no_space(row) else last))
    return joined


def _no_space(row: Row) -> bool:
    return (row["misc"] or {}).get("SpaceAfter") == "No"


def _entities(rows: Sequence[Row]) -> list[_Marked]:
    """Named entities and times of a sentence, none inside another: the longest first."""
    taken: set[int] = set()
    chosen = []
    for one in sorted(_spans(rows), key=lambda span: (span.start - span.end, span.start)):
        bare = _bare(rows, one)
        places = set(range(bare.start, bare.end))
        if places and len(places) <= _LONGEST and not places & taken and _is_name(rows, bare):
            taken |= places
            chosen.append(bare)
    return sorted(chosen)


def _spans(rows: Sequence[Row]) -> Iterable[_Marked]:
    opened: dict[str, list[tuple[int, str]]] = {}
    for place, row in enumerate(rows):
        for mark in _MARK.finditer((row["misc"] or {}).get("Entity", "")):
            if mark["opened"]:
                opened.setdefault(mark["opened"], []).append((place, mark["kind"]))
            number = mark["closed"] or (mark["opened"] if mark["single"] else None)
            if number is None or not opened.get(number):
                continue
            start, kind = opened[number].pop()
            if kind in _LABELS:
                yield _Marked(start, place + 1, _LABELS[kind])


def _bare(rows: Sequence[Row], one: _Marked) -> _Marked:
    """The span without articles and lower-case attributes before it and the mark of a possessive after it."""
    start, end = one.start, one.end
    while start < end and _stands_before(rows[start]):
        start += 1
    if end > start and rows[end - 1]["upos"] == "PART":
        end -= 1
    return _Marked(start, end, one.label)


def _stands_before(row: Row) -> bool:
    return row["upos"] == "DET" or (row["upos"] in _ATTRIBUTES and row["form"].islower())


def _is_name(rows: Sequence[Row], one: _Marked) -> bool:
    """Whether the word that heads the span is a name, or a number in a time, and the span holds no clause."""
    words = rows[one.start : one.end]
    inside = range(one.start + 1, one.end + 1)
    heads = [row for row in words if row["head"] not in inside]
    if not heads or any(row["upos"] in _OF_CLAUSES and row["form"].islower() for row in words):
        return False
    return heads[0]["upos"] in (_TIMES if one.label == "TIME" else _NAMES)
