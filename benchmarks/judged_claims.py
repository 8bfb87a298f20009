"""Precision of the claims from the investigation reports, by claims drawn at random and judged by a reader.

    python -m benchmarks.judged_claims --data ../shared/data

The judgements are stored beside this file, by where the two arguments stand: the reports' words are not. A claim is
right when its sentence states this relation in this direction, with this polarity and modality, and both arguments name
what it relates. Claims were drawn, judged and studied in turn, and what was learned from a draw went into the program
before the next one:

- `study`: 400 claims of the rules alone, from every other report;
- `before`: 100 of the rules alone, from the reports between; `second` to `fifth`: 100 each, from those reports too;
- `sixth`: 100 from all reports, none of which had been judged before, though nine differ from judged ones by words at
  their ends. It is the precision at the default setting; how many of them the program still tells is printed.

From `before` on, the readers were given claims of two draws mixed, and were told neither which was which nor how sure
the program was.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.bootstrap import SEED, share_of, with_interval
from benchmarks.results import write_result
from causetrail import Causetrail

JUDGEMENTS: Final = Path(__file__).with_name("judged_claims.csv")
RIGHT: Final = "right"
CONFIDENCES: Final = (0.45, 0.55, 0.65, 0.8, 1.0)
"""Bounds of the classes of confidence."""
DRAWS: Final = ("study", "before", "second", "third", "fourth", "fifth", "sixth")
MEASURED: Final = "sixth"
"""The draw that is measured on, and that nothing is learned from."""
COMPARED: Final = ("before", MEASURED)


class Place(NamedTuple):
    """What a judgement is of: a claim by its document and the characters of its arguments."""

    document: str
    relation: str
    cause: str
    effect: str
    polarity: str
    modality: str


class Judgement(NamedTuple):
    """One claim that was judged.

    Attributes:
        draws: In which draws it was, of `DRAWS`.
        verdict: `right`, or what is wrong with it.
    """

    place: Place
    draws: frozenset[str]
    verdict: str


def read_judgements(path: Path = JUDGEMENTS) -> list[Judgement]:
    """The stored judgements."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Judgement(Place(*(row[name] for name in Place._fields)), frozenset(row["draws"].split("+")), row["verdict"])
            for row in csv.DictReader(file)
        ]


def places_told(trail: Causetrail) -> dict[Place, float]:
    """Every claim of a collection, with its confidence."""
    records: dict[str, dict[str, dict[str, Any]]] = {"document": {}, "mention": {}, "claim": {}}
    for line in trail.export():
        record = json.loads(line)
        if record["record"] in records:
            records[record["record"]][record["id"]] = record
    spans = {name: f"{one['start']}-{one['end']}" for name, one in records["mention"].items()}
    files = {document.id: Path(document.sources[0]).name for document in trail.documents()}
    return {
        Place(
            files[claim["document_id"]],
            claim["relation"],
            spans[claim["cause_mention"]],
            spans[claim["effect_mention"]],
            claim["polarity"],
            claim["modality"],
        ): claim["confidence"]
        for claim in records["claim"].values()
    }


def counted(judgements: Iterable[Judgement]) -> list[Counter[str]]:
    """Of each claim whether it is right, for intervals over claims."""
    return [Counter(claims=1, right=judgement.verdict == RIGHT) for judgement in judgements]


def main() -> None:
    """Compares both draws, and says how much of what was judged the program tells now."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments = parser.parse_args()
    judgements = read_judgements()
    with tempfile.TemporaryDirectory() as folder, Causetrail(f"sqlite:///{folder}/reports.db") as trail:
        trail.ingest(arguments.data / "reports")
        told = places_told(trail)
    precision = share_of("right", "claims")
    figures: dict[str, list[str]] = {}
    for relation in ("all", "CAUSES", "ENABLES", "PREVENTS", "BEFORE"):
        columns = []
        for draw in COMPARED:
            rows = [one for one in judgements if draw in one.draws and relation in ("all", one.place.relation)]
            columns.append(f"{with_interval(counted(rows), precision)} of {len(rows)}")
        figures[f"precision, {relation}"] = columns
    for name, verdicts in (("right", True), ("wrong", False)):
        rows = [one for one in judgements if "before" in one.draws and (one.verdict == RIGHT) is verdicts]
        still = sum(one.place in told for one in rows)
        figures[f"of those of the rules alone, {name} ones that are told now"] = ["-", f"{still} of {len(rows)}"]
    rows = [one for one in judgements if MEASURED in one.draws]
    figures[f"of the draw {MEASURED}, told now"] = ["-", f"{sum(one.place in told for one in rows)} of {len(rows)}"]
    reasons = sorted({one.verdict for one in judgements if not one.draws.isdisjoint(COMPARED)} - {RIGHT})
    for reason in reasons:
        figures[reason.replace("-", " ")] = [
            f"{sum(one.verdict == reason for one in judgements if draw in one.draws)}" for draw in COMPARED
        ]
    for draw in DRAWS:
        rows = [one for one in judgements if draw in one.draws]
        figures[f"precision of the draw {draw}, by the program of its time"] = [
            "-",
            f"{with_interval(counted(rows), precision)} of {len(rows)}",
        ]
    for least, most in itertools.pairwise(CONFIDENCES):
        rows = [one for one in judgements if MEASURED in one.draws and least <= told.get(one.place, -1.0) < most]
        if rows:
            figures[f"precision at a confidence of {least} to {most}"] = [
                "-",
                f"{with_interval(counted(rows), precision)} of {len(rows)}",
            ]
    write_result(
        "judged_claims",
        command="python -m benchmarks.judged_claims --data ../shared/data",
        data=f"{len(judgements)} claims of 26 investigation reports, which hold {len(told)} at the default setting",
        baseline="the rules alone, before heads, trees and scorecard judged them",
        columns=("rules alone", "default"),
        figures=figures,
        seed=SEED,
    )


if __name__ == "__main__":
    main()
