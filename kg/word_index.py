"""Words: BM25 over passages and events by SQLite FTS5, kept in memory and written as one image."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Self

import apsw

QUESTION_WORDS = Path(__file__).with_name("question_words.toml")
WORD = re.compile(r"\w+")

SCHEMA = """
CREATE TABLE entry (key INTEGER PRIMARY KEY, kind TEXT NOT NULL, id TEXT NOT NULL, stamp TEXT NOT NULL,
                    UNIQUE (kind, id));
CREATE VIRTUAL TABLE passage_words USING fts5(
    text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
CREATE VIRTUAL TABLE event_words USING fts5(
    text, content='', contentless_delete=1, tokenize='porter unicode61 remove_diacritics 2');
"""
"""An entry's key is its row in the word table of its kind and its number in the vector index of its kind. The texts
themselves stay in the store."""


class EntryKind(StrEnum):
    """What an entry of the index stands for."""

    PASSAGE = "passage"
    EVENT = "event"


WORD_TABLES: Mapping[EntryKind, str] = {EntryKind.PASSAGE: "passage_words", EntryKind.EVENT: "event_words"}


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to index.

    Attributes:
        stamp: Changes with everything of the entry that is indexed.
    """

    id: str
    stamp: str
    text: str


class WordIndex:
    """Keys, ids and words of all entries. Reading is safe from threads; a change is made on a `copy`."""

    def __init__(self, image: bytes | None = None) -> None:
        """An empty index, or the one whose `image` is given.

        Raises:
            ValueError: the image is not one of this class.
        """
        self._lock = Lock()
        self._connection = apsw.Connection(":memory:")
        if image is None:
            self._connection.execute(SCHEMA)
            return
        try:
            self._connection.deserialize("main", image)
            self._connection.execute("SELECT count(*) FROM entry").fetchall()
        except apsw.Error as error:
            raise ValueError("not an image of a word index") from error

    def image(self) -> bytes:
        """The whole index as bytes."""
        with self._lock:
            return self._connection.serialize("main")

    def copy(self) -> Self:
        """An independent index with the same entries."""
        return type(self)(self.image())

    def stamps(self, kind: EntryKind) -> dict[str, str]:
        """The stamp of every entry, by id."""
        return dict(self._rows("SELECT id, stamp FROM entry WHERE kind = ?", (kind.value,)))

    def add(self, kind: EntryKind, entries: Iterable[Entry]) -> list[int]:
        """Adds entries whose ids are new; gives their keys in the same order."""
        keys: list[int] = []
        key: Any
        with self._lock, self._connection:
            for entry in entries:
                (key,) = self._connection.execute(
                    "INSERT INTO entry (kind, id, stamp) VALUES (?, ?, ?) RETURNING key",
                    (kind.value, entry.id, entry.stamp),
                ).fetchall()[0]
                self._connection.execute(
                    f"INSERT INTO {WORD_TABLES[kind]} (rowid, text) VALUES (?, ?)",  # noqa: S608  # a constant
                    (key, entry.text),
                )
                keys.append(key)
        return keys

    def remove(self, kind: EntryKind, ids: Sequence[str]) -> list[int]:
        """Removes entries; gives the keys they had."""
        keys: list[int] = []
        key: Any
        with self._lock, self._connection:
            for entry_id in ids:
                for (key,) in self._connection.execute(
                    "DELETE FROM entry WHERE kind = ? AND id = ? RETURNING key", (kind.value, entry_id)
                ).fetchall():
                    self._connection.execute(
                        f"DELETE FROM {WORD_TABLES[kind]} WHERE rowid = ?",  # noqa: S608  # a constant
                        (key,),
                    )
                    keys.append(key)
        return keys

    def keys(self, kind: EntryKind, stamp: str) -> list[int]:
        """The keys of all entries with this stamp."""
        rows = self._rows("SELECT key FROM entry WHERE kind = ? AND stamp = ? ORDER BY key", (kind.value, stamp))
        return [key for (key,) in rows]

    def ids(self, keys: Sequence[int]) -> dict[int, str]:
        """The ids of keys."""
        marks = ",".join("?" * len(keys))
        return dict(self._rows(f"SELECT key, id FROM entry WHERE key IN ({marks})", tuple(keys)))  # noqa: S608

    def best(self, kind: EntryKind, text: str, count: int, stamp: str | None = None) -> dict[int, float]:
        """At least the `count` entries with the highest BM25 score (k1 = 1.2, b = 0.75), by key.

        With `stamp`, of those that have it; the scores stay those among all. There are fewer when fewer match. Entries
        that tie with the last one are all there, so that the order of insertion never decides.
        """
        query = match_expression(text)
        if not query:
            return {}
        table = WORD_TABLES[kind]
        chosen = "" if stamp is None else "AND +rowid IN (SELECT key FROM entry WHERE kind = ? AND stamp = ?)"
        given = () if stamp is None else (kind.value, stamp)
        wanted = count + 16
        while True:
            rows = self._rows(
                f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? {chosen} ORDER BY rank LIMIT ?",  # noqa: S608
                (query, *given, wanted),
            )
            if len(rows) < wanted or rows[count - 1][1] != rows[-1][1]:
                return {key: -rank for key, rank in rows}
            wanted *= 4

    def scores(self, kind: EntryKind, text: str, keys: Sequence[int]) -> dict[int, float]:
        """BM25 scores of these entries, by key; those that hold no word of the text are left out."""
        query = match_expression(text)
        if not query or not keys:
            return {}
        table = WORD_TABLES[kind]
        marks = ",".join("?" * len(keys))
        # The plus sign keeps SQLite from asking FTS5 once for each rowid, which counts all matches anew each time.
        rows = self._rows(
            f"SELECT rowid, rank FROM {table} WHERE {table} MATCH ? AND +rowid IN ({marks})",  # noqa: S608
            (query, *keys),
        )
        return {key: -rank for key, rank in rows}

    def _rows(self, sql: str, values: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(sql, values).fetchall()


@cache
def question_words() -> frozenset[str]:
    """Words that say how a question is asked, lower case."""
    with QUESTION_WORDS.open("rb") as file:
        return frozenset(word for words in tomllib.load(file).values() for word in words)


def match_expression(text: str, most: int | None = None) -> str:
    """The words of a text as an expression of FTS5 and of Lucene: each quoted, joined with OR; empty without words.

    Nothing of the text reaches the syntax: a word is letters, digits and underscores only. Question words are left out
    unless there are no others; a word counts once.

    Args:
        most: Most words of the expression; the first ones are taken.
    """
    words = list(dict.fromkeys(word.lower() for word in WORD.findall(text)))
    telling = [word for word in words if word not in question_words()]
    return " OR ".join(f'"{word}"' for word in (telling or words)[:most])
