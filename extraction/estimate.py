"""What an ingest would ask of a language model, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from causetrail.errors import DocumentError
from causetrail.settings import Settings
from extraction.asking import Asker
from extraction.causes import unfit
from extraction.changes import Another, Change, Changes, Unchanged
from extraction.claim_source import AskedModel
from extraction.encoder_source import EncoderSource
from extraction.fingerprint import rules_fingerprint
from extraction.loading.finding import find_files
from extraction.loading.load import Loaded
from extraction.origins import FileOrigin
from kg.store import GraphStore
from language.english import detect_language
from language.sentences import SentenceReader
from models.counted_model import Foreseen


class Estimate(BaseModel):
    """What taking documents in would ask of the language model that reads claims, without repairs.

    An answer that cannot be used is asked for once more, with the answer and its fault in the prompt: were none usable,
    that would more than double what is told here.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    model: str
    """What would run, in words for people."""
    documents: int = Field(ge=0)
    """Documents that would be read."""
    unchanged: int = Field(ge=0)
    """Documents that are in the store as they are now."""
    failed: int = Field(ge=0)
    """Files that cannot be read."""
    calls: int = Field(ge=0)
    """Calls that would be made, without repairs of unusable answers: at worst as many more."""
    kept_calls: int = Field(ge=0)
    """Calls that the cache would answer."""
    prompt_tokens: int = Field(ge=0)
    """Tokens of the prompts, rather too many, without those of repairs."""
    most_completion_tokens: int = Field(ge=0)
    """Tokens of the answers, were each as long as it may be, without repairs."""
    price_of: str
    """The name of the model in a table of prices."""
    most_cost: float | None
    """With answers as long as they may be and without repairs, in the unit of the prices; none where the price is not
    known."""


def estimate(
    paths: Sequence[Path],
    store: GraphStore | None,
    encoder: EncoderSource,
    settings: Settings,
    asked: AskedModel,
    *,
    base: Path | None = None,
    leaving: Sequence[Path] = (),
) -> Estimate:
    """Loads the documents and counts; nothing is asked or encoded, and nothing but an empty cache is made.

    Args:
        paths: As `extraction.pipeline.ingest`.
        store: What is there already; none where there is no store yet.
        encoder: As `ingest`.
        settings: As `ingest`.
        asked: The model, which knows its cache and its price, and how it would be asked.
        base: As `ingest`.
        leaving: As `ingest`.
    """
    rules = rules_fingerprint(encoder, settings.parser, settings.strictness, settings.domain, asked)
    changes = Changes(store, settings.collection, rules)
    asker, sentences = Asker(asked.model, asked.asking), SentenceReader()
    documents = unchanged = failed = 0
    foreseen: list[Foreseen] = []
    for change in _changes(paths, changes, settings, base, leaving):
        failed += isinstance(change, DocumentError)
        unchanged += isinstance(change, Unchanged | Another)
        documents += isinstance(change, Loaded)
        if isinstance(change, Loaded) and detect_language(change.text) == "en":
            read = enumerate(sentences.read(change.text))
            windows = list(asker.windows([(place, one) for place, one in read if unfit(one) is None]))
            foreseen += asker.foresee(windows)
    costs = [one.cost for one in foreseen]
    called = sum(not one.kept for one in foreseen)
    return Estimate(
        model=asked.model.describe(),
        documents=documents,
        unchanged=unchanged,
        failed=failed,
        calls=called,
        kept_calls=len(foreseen) - called,
        prompt_tokens=sum(one.prompt_tokens for one in foreseen),
        most_completion_tokens=called * asked.asking.max_tokens,
        price_of=asked.model.name,
        most_cost=None if None in costs else round(sum(cost for cost in costs if cost is not None), 6),
    )


def _changes(
    paths: Sequence[Path],
    changes: Changes,
    settings: Settings,
    base: Path | None,
    leaving: Sequence[Path],
) -> Iterator[Change]:
    for found in find_files(paths, [], leaving):
        if isinstance(found, DocumentError):
            yield found
        else:
            yield from changes.of(FileOrigin(found, base, settings, None))
