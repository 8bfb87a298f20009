"""Cues and kinds of happenings of a domain: a table that a user adds, without code, to the packaged ones."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from causetrail.errors import SettingInvalid
from language import cues, kinds
from language.cues import CueTable, packaged_cue_data
from language.kinds import KindTable, packaged_kind_data

_TABLES: Final = frozenset({"cue", "irregular", "kinds"})


@dataclass(frozen=True, slots=True)
class Domain:
    """The tables of a domain, over the packaged ones.

    Attributes:
        fingerprint: Changes with the content of the user's file.
    """

    cues: CueTable
    kinds: KindTable
    fingerprint: str


def load_domain(path: Path) -> Domain:
    """Reads a file of the form of `cues.toml` with the table `kinds` of `kinds.toml`; every part may be left out.

    What it says of a pattern or a word counts, whatever the packaged tables say.

    Raises:
        SettingInvalid: the file cannot be read, is no TOML, or an entry has a fault, which the message names.
    """
    try:
        content = path.read_bytes()
        data = tomllib.loads(content.decode("utf-8"))
    except OSError as error:
        raise _wrong(path, error.strerror or "it cannot be read") from None
    except ValueError as error:
        raise _wrong(path, f"it is no TOML in UTF-8: {error}") from None
    _check_form(path, data)
    try:
        return Domain(
            CueTable(packaged_cue_data(), data),
            KindTable(packaged_kind_data(), data.get("kinds")),
            hashlib.sha256(content).hexdigest()[:12],
        )
    except SettingInvalid as error:
        told = error.details
        raise _wrong(path, f"its {told['name']} {told['value']}: {told['reason']}") from None


@contextmanager
def in_domain(domain: Domain | None) -> Iterator[None]:
    """Reads by the tables of the domain, in this thread, as long as the context lasts; by the packaged ones if none."""
    if domain is None:
        yield
        return
    of_cues, of_kinds = cues.IN_USE.set(domain.cues), kinds.IN_USE.set(domain.kinds)
    try:
        yield
    finally:
        cues.IN_USE.reset(of_cues)
        kinds.IN_USE.reset(of_kinds)


def _check_form(path: Path, data: Mapping[str, Any]) -> None:
    unknown = sorted(set(data) - _TABLES)
    if unknown:
        raise _wrong(path, f"it has the unknown tables {', '.join(unknown)}; known are {', '.join(sorted(_TABLES))}")
    entries = data.get("cue", [])
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        raise _wrong(path, "a cue is written as an entry [[cue]]")
    for table in ("irregular", "kinds"):
        if not isinstance(data.get(table, {}), Mapping):
            raise _wrong(path, f"{table} is written as a table [{table}]")


def _wrong(path: Path, reason: str) -> SettingInvalid:
    return SettingInvalid(name="domain", value=str(path), reason=reason)
