"""The same passages read for claims by rules, heads, a small language model and all of them: what is told, and rightly?

    python -m benchmarks.extractors --data ../shared/data

Passages of five sentences are drawn from the investigation reports, one a report (`benchmarks.report_passages`), and
taken in as documents of their own, once for each way of reading:

- `rules`, `heads`: each alone, the heads at a probability of at least one half, as in `benchmarks.causal_news_corpus`;
- `local`: both, which judge each other; the default settings;
- `SmolLM2`: `claims_by = model`: the language model finds, the heads judge, the default strictness keeps;
- `SmolLM2, unjudged`: all that it says in the same answers and that stands in the text, however unlikely to the heads;
- `both`: `claims_by = both`; and of its claims those that the language model and the local readers both found.

`both` asks the language model anew, so that its time is measured and its answers are compared. Claims were judged by a
reader by the rule of `benchmarks.judged_claims`, those of all ways mixed in an order drawn by chance, without being
told who had found them nor how sure it was; `--unjudged` prints those without a judgement so, and stores nothing. The
judgements are stored by where the two arguments stand in the report: its words are not. Intervals are 95 % ones over
passages drawn with replacement.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.bootstrap import SEED, share_of, with_interval
from benchmarks.claim_readers import reader_of
from benchmarks.judged_claims import RIGHT, Place
from benchmarks.report_passages import Passage, drawn, written
from benchmarks.results import write_result
from causetrail import Causetrail
from causetrail.settings import Settings, load_settings
from extraction.asking import EXTRACTOR, STAGE, Asking
from extraction.causes import ClaimReader
from extraction.encoder_source import encoder_source
from extraction.extractor import DocumentExtractor, ExtractorPlan
from extraction.llm import ModelReader
from extraction.loading.load import Loaded, load
from extraction.resolution import EventResolver
from kg.addresses import open_store
from models.language_model_source import load_language_models
from models.relation_heads import RelationHeads

JUDGEMENTS: Final = Path(__file__).with_name("extractors_judged.csv")
PASSAGES: Final = 20
MODEL: Final = "smollm2"
MODEL_SECONDS: Final = 600.0
"""Time of one call: on a busy processor it shall be slow, and not be given up."""
LOCAL, ASKED, UNJUDGED, BOTH, AGREED = "local", "SmolLM2", "SmolLM2, unjudged", "both", "both, found by both"
BY_SETTINGS: Final = {LOCAL: "local", ASKED: "model", BOTH: "both"}
"""The ways that a setting offers: by name the value of `claims_by`."""
ALONE: Final = ("rules", "heads")
REASONS: Final = {
    "answer_unusable": "windows without a usable answer",
    "quote_not_verbatim": "dropped: no sentence holds its quote",
    "cause_not_verbatim": "dropped: its sentence does not hold its cause",
    "effect_not_verbatim": "dropped: its sentence does not hold its effect",
    "half_a_word": "dropped: an argument cuts a word",
    "arguments_overlap": "dropped: cause and effect share words",
    "no_content": "dropped: an argument names nothing",
    "denial_disputed": "dropped: the rules disagree on its denial",
    "doubtful": "left out: less likely than the strictness asks",
}
"""Why a candidate gives no claim; the cues of the rules have more reasons."""


class Shown(NamedTuple):
    """The words of a claim, for a judge."""

    quote: str
    cause: str
    effect: str


@dataclass(frozen=True)
class Told:
    """What one way of reading tells.

    Attributes:
        claims: By where they stand in their report: who found them.
        rejected: Candidates that gave no claim, by reason.
        seconds: Time of finding claims, with that of the language model.
        spent: What was asked of the language model, by the names of `causetrail.spending`.
        faults: How many `verify` finds in the store.
    """

    claims: Mapping[Place, str]
    rejected: Mapping[str, int]
    seconds: float
    spent: Mapping[str, Any]
    faults: int


class Reading:
    """Takes the same passages in, by one way after the other."""

    def __init__(self, passages: Sequence[Passage], folder: Path) -> None:
        """Writes the passages.

        Args:
            passages: What is read.
            folder: Where to, with the stores and with what the language model answers.
        """
        self.passages = {passage.name: passage for passage in passages}
        self.shown: dict[Place, Shown] = {}
        """The words of every claim that any way told."""
        self._folder = folder
        self._files = folder / "passages"
        self._files.mkdir()
        written(passages, self._files)

    def by_settings(self, way: str) -> Told:
        """Reads as a value of `claims_by` has it."""
        settings = self._settings(way, claims_by=BY_SETTINGS[way], llm="none" if way == LOCAL else MODEL)
        with Causetrail(settings=settings) as trail:
            report = trail.ingest(self._files)
            assert not report.failures, report.failures
            assert report.stopped is None, report.stopped
            spent = report.models[STAGE].model_dump() if report.models else {}
            return Told(
                self._claims(trail), report.rejected, report.seconds["claims"], spent, len(trail.verify().faults)
            )

    def by(self, way: str, claims: ClaimReader) -> Told:
        """Reads by a reader that no setting offers."""
        settings = self._settings(way)
        plan = ExtractorPlan(
            encoder=encoder_source(settings.encoder),
            parser=settings.parser,
            strictness=settings.strictness,
            domain=None,
            asked=None,
            rules=claims.version,
            threads=None,
        )
        extractor = DocumentExtractor(plan, claims)
        rejected: Counter[str] = Counter()
        seconds = 0.0
        with open_store(settings.store, wait_seconds=30.0, lease_seconds=30.0, create=True) as store:
            for path in sorted(self._files.iterdir()):
                for loaded in load(path, settings, path.name):
                    assert isinstance(loaded, Loaded), loaded
                    bundle, times = extractor.extract(loaded, settings.collection)
                    rejected.update(bundle.rejected)
                    seconds += times["claims"]
                    store.commit_document(bundle)
            store.derive(settings.collection, EventResolver())
        with Causetrail(settings=settings) as trail:
            return Told(self._claims(trail), rejected, seconds, {}, len(trail.verify().faults))

    def unjudged(self) -> Told:
        """What the language model said when `ASKED` was read, and stands in the text."""
        models = load_language_models(self._settings(ASKED, llm=MODEL))
        reader = models.need("reader", UNJUDGED).at(STAGE)
        asking = Asking(models.seconds, models.sampling.max_tokens, concurrency=1, trust=0.5)
        try:
            told = self.by(UNJUDGED, ClaimReader(model=ModelReader(reader, RelationHeads(), asking), by_rules=False))
        finally:
            models.close()
        assert models.ledger.total().calls == 0, "it has to be what was answered before"
        return told

    def answers(self, way: str) -> dict[str, str]:
        """What the language model answered, by the key of the call."""
        kept = [json.loads(path.read_text("utf-8")) for path in self._cache(way).rglob("*.json")]
        return {entry["key"]: entry["text"] for entry in kept}

    def _settings(self, way: str, **more: str) -> Settings:
        return load_settings(
            store=f"sqlite:///{self._folder / way}.db",
            llm_cache=self._cache(way),
            llm_seconds=MODEL_SECONDS,
            llm_concurrency=1,
            **more,
        )

    def _cache(self, way: str) -> Path:
        return self._folder / f"{way}-answers"

    def _claims(self, trail: Causetrail) -> dict[Place, str]:
        """The claims of a store by where they stand in their report: who found them; keeps their words."""
        spans = {}
        for line in trail.export():
            record = json.loads(line)
            if record["record"] == "mention":
                spans[record["id"]] = record["start"], record["end"]
        told = {}
        for document in trail.documents():
            passage = self.passages[Path(document.sources[0]).name]
            assert trail.text(document.id).rstrip() == passage.text
            for claim in trail.claims(document=document.id):
                cause, effect = spans[claim.cause_mention], spans[claim.effect_mention]
                place = Place(
                    passage.document,
                    claim.relation.value,
                    passage.place(*cause),
                    passage.place(*effect),
                    claim.polarity.value,
                    claim.modality.value,
                )
                told[place] = claim.extractor
                self.shown[place] = Shown(claim.quote, passage.text[slice(*cause)], passage.text[slice(*effect)])
        return told


def read_verdicts(path: Path = JUDGEMENTS) -> dict[Place, str]:
    """The stored judgements: `right`, or what is wrong."""
    with path.open(encoding="utf-8", newline="") as file:
        return {Place(*(row[name] for name in Place._fields)): row["verdict"] for row in csv.DictReader(file)}


def agreed(told: Told) -> Told:
    """Of claims of all readers together those that the language model and another one found."""
    found = {place: extractor for place, extractor in told.claims.items() if _by_several(extractor.split("+"))}
    return Told(found, {}, told.seconds, {}, told.faults)


def _by_several(extractors: Sequence[str]) -> bool:
    return EXTRACTOR in extractors and len(extractors) > 1


def figures_of(
    told: Mapping[str, Told], passages: Sequence[Passage], verdicts: Mapping[Place, str]
) -> dict[str, list[str]]:
    """The figures by name, one for each way."""
    figures: dict[str, list[str]] = {}

    def add(name: str, figure: object) -> None:
        figures.setdefault(name, []).append(f"{figure}")

    for found in told.values():
        rows = [_counted(found, passage, verdicts) for passage in passages]
        add("claims told", len(found.claims))
        add("of them right", sum(row["right"] for row in rows))
        add("precision", with_interval(rows, share_of("right", "claims")) if found.claims else "-")
        add("passages with a claim", sum(row["claims"] > 0 for row in rows))
        for reason, name in REASONS.items():
            add(name, found.rejected.get(reason, 0) if found.rejected else "-")
        others = sum(count for reason, count in found.rejected.items() if reason not in REASONS)
        add("cues without a claim, for other reasons", others if found.rejected else "-")
        for name in ("calls", "prompt_tokens", "completion_tokens"):
            add(name.replace("_", " "), found.spent.get(name, "-"))
        add("seconds for finding claims", f"{found.seconds:.2f}")
        add("faults found by verify", found.faults)
    return figures


def _counted(found: Told, passage: Passage, verdicts: Mapping[Place, str]) -> Counter[str]:
    inside = [place for place in found.claims if place.document == passage.document]
    return Counter(claims=len(inside), right=sum(verdicts[place] == RIGHT for place in inside))


def print_unjudged(shown: Mapping[Place, Shown], verdicts: Mapping[Place, str]) -> None:
    """Prints the claims that have no judgement, in an order drawn by chance."""
    places = sorted(set(shown) - set(verdicts))
    random.Random(SEED).shuffle(places)
    for place in places:
        words = (" ".join(one.split()) for one in shown[place])
        print(",".join(place), *words, sep="\n    ", end="\n\n")


def main() -> None:
    """Reads the passages by each way and stores what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--unjudged", action="store_true", help="print the claims that were not judged, and no more")
    arguments = parser.parse_args()
    passages = drawn(arguments.data / "reports", PASSAGES, SEED)
    verdicts = read_verdicts() if JUDGEMENTS.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        reading = Reading(passages, Path(folder))
        told = {way: reading.by(way, reader_of(way)) for way in ALONE}
        told[LOCAL] = reading.by_settings(LOCAL)
        told[ASKED] = reading.by_settings(ASKED)
        told[UNJUDGED] = reading.unjudged()
        told[BOTH] = reading.by_settings(BOTH)
        told[AGREED] = agreed(told[BOTH])
        first, again = reading.answers(ASKED), reading.answers(BOTH)
    if arguments.unjudged:
        print_unjudged(reading.shown, verdicts)
        return
    assert verdicts.keys() >= reading.shown.keys(), "claims without a judgement: judge what --unjudged prints"
    figures = figures_of(told, passages, verdicts)
    same = sum(first[key] == text for key, text in again.items() if key in first)
    figures["answers that were the same when asked again"] = [
        f"{same} of {len(first)}" if way == BOTH else "-" for way in told
    ]
    write_result(
        "extractors",
        command="python -m benchmarks.extractors --data ../shared/data",
        data=f"{PASSAGES} passages of five sentences, each from another of 26 investigation reports; "
        f"{len(reading.shown)} different claims, judged by a reader",
        baseline="the rules alone",
        columns=tuple(told),
        figures=figures,
        rows=[{"document": one.document, "start": one.start, "characters": len(one.text)} for one in passages],
        seed=SEED,
    )


if __name__ == "__main__":
    main()
