"""Documents in: from paths and bytes to a derived, searchable graph; and the names under which they are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from causetrail.errors import ArgumentInvalid, SettingInvalid, StoreMissing
from kg.addresses import files_of, is_server, path_of

if TYPE_CHECKING:
    from causetrail.parts import Parts
    from causetrail.settings import Settings
    from causetrail.spending import Spending
    from extraction.claim_source import AskedModel
    from extraction.estimate import Estimate
    from extraction.ledger import IngestReport
    from extraction.loading.dates import Published
    from kg.store import Progress


def take_files(
    parts: Parts,
    settings: Settings,
    paths: Sequence[Path],
    published: str | None,
    progress: Progress | None,
    pairs: bool = False,
) -> IngestReport:
    """Takes files and folders in, and brings the index up to date.

    Raises:
        ArgumentInvalid: `published` is no date.
    """
    from extraction.encoder_source import encoder_source
    from extraction.pipeline import ingest

    date = _date(published)
    asked, spent = _asked(parts, settings, progress, pairs=pairs)
    store = parts.store(create=True)
    parts.mark_answers()
    before = store.generation(settings.collection)
    report = ingest(
        paths,
        store,
        encoder_source(settings.encoder),
        settings,
        base=_base(settings),
        leaving=files_of(settings.store),
        published=date,
        asked=asked,
        progress=progress,
        pairs=pairs,
    )
    return _indexed(_with_use(report, spent()), before, parts, settings, progress)


def estimate_files(parts: Parts, settings: Settings, paths: Sequence[Path]) -> Estimate:
    """What taking these files and folders in would ask of the language model; the store stays as it is.

    Raises:
        ModelNotChosen: no language model reads claims.
    """
    from extraction.encoder_source import encoder_source
    from extraction.estimate import estimate

    asked, _ = _asked(parts, settings)
    if asked is None:
        raise SettingInvalid(
            name="claims_by", value=repr(settings.claims_by), reason="an estimate is of what a language model reads"
        )
    try:
        store = parts.store()
    except StoreMissing:
        store = None
    return estimate(
        paths,
        store,
        encoder_source(settings.encoder),
        settings,
        asked,
        base=_base(settings),
        leaving=files_of(settings.store),
    )


def take_bytes(
    parts: Parts,
    settings: Settings,
    data: bytes,
    name: str,
    media_type: str | None,
    published: str | None,
    progress: Progress | None,
    pairs: bool = False,
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
    asked, spent = _asked(parts, settings, progress, pairs=pairs)
    store = parts.store(create=True)
    parts.mark_answers()
    before = store.generation(settings.collection)
    report = ingest_bytes(
        data,
        name,
        media_type or PurePosixPath(name).suffix,
        store,
        encoder_source(settings.encoder),
        settings,
        published=date,
        asked=asked,
        progress=progress,
        pairs=pairs,
    )
    return _indexed(_with_use(report, spent()), before, parts, settings, progress)


def _asked(
    parts: Parts, settings: Settings, progress: Progress | None = None, *, pairs: bool = False
) -> tuple[AskedModel | None, Callable[[], Mapping[str, Spending]]]:
    """The language model that reads claims, if the settings have one read, and what it is asked here, by stage.

    No claims are read of pairs.

    Raises:
        ModelNotChosen: they do, and name none.
    """
    if settings.claims_by == "local" or pairs:
        return None, dict
    from extraction.asking import STAGE, Asking
    from extraction.claim_source import AskedModel
    from models.language_model_source import calls_at_once

    models = parts.language_models().apart()
    reader = models.need("reader", f"claims_by = {settings.claims_by}")
    at_once = calls_at_once(settings, "reader")
    asking = Asking(models.seconds, models.sampling.max_tokens, at_once, settings.llm_trust)
    asked = AskedModel(reader.at(STAGE), asking, settings.claims_by == "model", progress)
    return asked, models.ledger.by_stage


def _with_use(report: IngestReport, spent: Mapping[str, Spending]) -> IngestReport:
    """The report with what was asked of language models."""
    return report.model_copy(update={"models": {stage: one for stage, one in spent.items() if one.asked}})


def _indexed(
    report: IngestReport, before: int, parts: Parts, settings: Settings, progress: Progress | None
) -> IngestReport:
    """The report, once the index holds what the ingest changed; `before` is the generation it began with.

    What language models answered of documents that it replaced or removed is forgotten; what they answered of one in
    the middle of which it stopped is still wanted.
    """
    if report.replaced + report.removed:
        parts.forget_answers()
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
