"""Documents in: from paths and bytes to a derived, searchable graph; and the names under which they are kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from causetrail.errors import ArgumentInvalid
from kg.addresses import files_of, is_server, path_of

if TYPE_CHECKING:
    from causetrail.parts import Parts
    from causetrail.settings import Settings
    from extraction.ledger import IngestReport
    from extraction.loading.dates import Published
    from kg.store import Progress


def take_files(
    parts: Parts, settings: Settings, paths: Sequence[Path], published: str | None, progress: Progress | None
) -> IngestReport:
    """Takes files and folders in, and brings the index up to date.

    Raises:
        ArgumentInvalid: `published` is no date.
    """
    from extraction.encoder_source import encoder_source
    from extraction.pipeline import ingest

    date = _date(published)
    store = parts.store(create=True)
    before = store.generation(settings.collection)
    report = ingest(
        paths,
        store,
        encoder_source(settings.encoder),
        settings,
        base=_base(settings),
        leaving=files_of(settings.store),
        published=date,
        progress=progress,
    )
    return _indexed(report, before, parts, settings, progress)


def take_bytes(
    parts: Parts,
    settings: Settings,
    data: bytes,
    name: str,
    media_type: str | None,
    published: str | None,
    progress: Progress | None,
) -> IngestReport:
    """Takes one upload in, and brings the index up to date.

    Raises:
        ArgumentInvalid: `name` is empty or not printable, or `published` is no date.
    """
    from extraction.encoder_source import encoder_source
    from extraction.pipeline import ingest_bytes

    if not name.strip() or not name.isprintable():
        raise ArgumentInvalid(argument="name", value=ascii(name), reason="it must be printable and not empty")
    date = _date(published)
    store = parts.store(create=True)
    before = store.generation(settings.collection)
    report = ingest_bytes(
        data,
        name,
        media_type or PurePosixPath(name).suffix,
        store,
        encoder_source(settings.encoder),
        settings,
        published=date,
        progress=progress,
    )
    return _indexed(report, before, parts, settings, progress)


def _indexed(
    report: IngestReport, before: int, parts: Parts, settings: Settings, progress: Progress | None
) -> IngestReport:
    """The report, once the index holds what the ingest changed; `before` is the generation it began with."""
    if report.generation != before:
        parts.index(settings.collection).refresh(progress)
    return report


def spellings(settings: Settings, name: str) -> tuple[str, ...]:
    """What a source may be kept as: the name itself, or what the file of this name is called in the store."""
    from extraction.origins import source_name

    if "\x00" in name:
        return (name,)
    return tuple(dict.fromkeys((name, source_name(Path(name), _base(settings)))))


def _base(settings: Settings) -> Path:
    """The folder that names of sources are relative to: the one that holds the store, or that one works in."""
    return Path.cwd() if is_server(settings.store) else path_of(settings.store).parent


def _date(given: str | None) -> Published | None:
    from extraction.loading.dates import parse_date

    date = parse_date(given)
    if given is not None and date is None:
        raise ArgumentInvalid(argument="published", value=repr(given), reason="write a date as 2024-03-02")
    return date
