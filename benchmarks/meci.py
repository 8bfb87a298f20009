"""MECI English, dev: directed causal edges between events, precision, recall and F1, for the rules alone.

    python -m benchmarks.meci [--data ../shared/data/meci] [--split dev]

With gold mentions, an argument of a claim stands for the gold trigger it contains: the one that is its head, else the
first; claims with an argument that contains none are left out. With predicted mentions each claim counts, and an edge
is right when the heads of both arguments are gold triggers that are linked in this direction. Claims of BEFORE and
denied claims make no edge. The baseline links each trigger to the next one of its sentence.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.results import write_result
from extraction.causes import ClaimReader
from kg.records import Mention, Polarity, Relation
from language.lemmas import lemma_of
from language.sentences import SentenceReader

Edge = tuple[str, str]


def trigger_in(mention: Mention, events: Mapping[str, Mapping[str, Any]], *, head_only: bool) -> str | None:
    """The gold trigger that a mention stands for; none when it holds none."""
    inside = sorted(
        (event["start"], name)
        for name, event in events.items()
        if mention.start <= event["start"] and event["end"] <= mention.end
    )
    for _, name in inside:
        words = events[name]["text"].lower().split()
        if any(mention.lemma in (lemma_of(word, "VERB"), lemma_of(word, "NOUN"), word) for word in words):
            return name
    return None if head_only or not inside else inside[0][1]


def next_trigger_edges(text: str, events: Mapping[str, Mapping[str, Any]]) -> set[Edge]:
    """The baseline: every trigger causes the next one of its sentence."""
    ordered = sorted((event["start"], name) for name, event in events.items())
    edges = set()
    for (first, cause), (second, effect) in itertools.pairwise(ordered):
        if "\t" not in text[first:second]:
            edges.add((cause, effect))
    return edges


def score(chunks: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Figures over all passages: with gold mentions, with predicted ones, and of the baseline."""
    sentences, claims = SentenceReader(), ClaimReader()
    counts = {name: [0, 0] for name in ("gold mentions", "predicted mentions", "next trigger")}
    gold_count = 0
    for chunk in chunks:
        gold = {(cause, effect) for cause, effect in chunk["causes"]}
        gold_count += len(gold)
        # A tab parts the sentences; a line break does the same for the reader and keeps the offsets.
        text = chunk["text"].replace("\t", "\n")
        found = claims.read("main", "d" + "0" * 24, sentences.read(text), None, text)
        mentions = {mention.id: mention for mention in found.mentions}
        edges: dict[str, set[Edge]] = {
            "gold mentions": set(),
            "next trigger": next_trigger_edges(chunk["text"], chunk["events"]),
        }
        predicted: set[Edge] = set()
        missed = 0
        for claim in found.claims:
            if claim.relation is Relation.BEFORE or claim.polarity is Polarity.NEGATED:
                continue
            pair = mentions[claim.cause_mention], mentions[claim.effect_mention]
            loose = [trigger_in(mention, chunk["events"], head_only=False) for mention in pair]
            heads = [trigger_in(mention, chunk["events"], head_only=True) for mention in pair]
            if loose[0] and loose[1] and loose[0] != loose[1]:
                edges["gold mentions"].add((loose[0], loose[1]))
            if heads[0] and heads[1]:
                predicted.add((heads[0], heads[1]))
            else:
                missed += 1
        for name, linked in edges.items():
            counts[name][0] += len(linked & gold)
            counts[name][1] += len(linked)
        counts["predicted mentions"][0] += len(predicted & gold)
        counts["predicted mentions"][1] += len(predicted) + missed
    figures: dict[str, float] = {"passages": len(chunks), "gold edges": gold_count}
    for name, (true, made) in counts.items():
        for measure, value in zip(("precision", "recall", "f1"), f1(true, made, gold_count), strict=True):
            figures[f"{name}, {measure}"] = round(value, 4)
    return figures


def f1(true: int, predicted: int, gold: int) -> tuple[float, float, float]:
    """Precision, recall and F1; 0 where there is nothing to divide by."""
    precision = true / predicted if predicted else 0.0
    recall = true / gold if gold else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def main() -> None:
    """Scores the rules and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--split", choices=("dev", "train"), default="dev")
    arguments = parser.parse_args()
    path = arguments.data / "meci" / f"meci_en_{arguments.split}.jsonl"
    chunks = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    write_result(
        f"meci_{arguments.split}",
        command=f"python -m benchmarks.meci --split {arguments.split}",
        data=f"MECI English {arguments.split} (text CC BY-SA)",
        baseline="next trigger: every event causes the next one of its sentence",
        figures=score(chunks),
    )


if __name__ == "__main__":
    main()
