"""Causal News Corpus V2, dev: is the sentence causal, and where are cause, effect and signal.

    python -m benchmarks.causal_news_corpus [--data ../shared/data/causal_news_corpus] [--split dev]

Six dev sentences that also stand in train are left out. A sentence counts as causal when a claim other than BEFORE was
read from it. Spans are exact ones of cause, effect and signal, under the matching of predicted and gold relations of a
sentence that gives the best F1, as the shared task scores them; beside it is the share of gold relations whose cause
and effect both overlap a prediction with IoU of at least one half. The rules have no training, so seeds do not enter.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.results import write_result
from extraction.causes import ClaimReader
from kg.records import Claim, Mention, Relation
from language.cues import cue_table
from language.sentences import SentenceReader

_TAG = re.compile(r"</?(ARG0|ARG1|SIG\d)>")
_MOST_MATCHED = 6
"""Most relations of one sentence whose matchings are all tried."""


class Spans(NamedTuple):
    """Word positions of one relation; an empty set where a part is missing."""

    cause: frozenset[int]
    effect: frozenset[int]
    signal: frozenset[int]


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of one of the corpus's tables."""
    with path.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))


def gold_spans(marked: str) -> Spans:
    """Word positions from the text with its tags."""
    positions: dict[str, set[int]] = {"ARG0": set(), "ARG1": set(), "SIG": set()}
    within: set[str] = set()
    for place, word in enumerate(marked.split()):
        for tag in _TAG.finditer(word):
            if not tag.group().startswith("</"):
                within.add(tag.group(1)[:4] if tag.group(1).startswith("ARG") else "SIG")
        for kind in within:
            positions[kind].add(place)
        for tag in _TAG.finditer(word):
            if tag.group().startswith("</"):
                within.discard(tag.group(1)[:4] if tag.group(1).startswith("ARG") else "SIG")
    return Spans(frozenset(positions["ARG0"]), frozenset(positions["ARG1"]), frozenset(positions["SIG"]))


def word_positions(text: str, start: int, end: int) -> frozenset[int]:
    """Positions of the white-space separated words that the characters touch."""
    words = [(found.start(), found.end()) for found in re.finditer(r"\S+", text)]
    return frozenset(place for place, (first, last) in enumerate(words) if first < end and start < last)


class Row(NamedTuple):
    """The scores of one system on one task."""

    task: str
    system: str
    scores: dict[str, float]


class Reader:
    """The rules, on one sentence of the corpus at a time."""

    def __init__(self) -> None:
        self._sentences = SentenceReader()
        self._claims = ClaimReader()

    def relations(self, text: str) -> list[Spans]:
        """Predicted relations of a text, BEFORE left out."""
        sentences = self._sentences.read(text)
        found = self._claims.read("main", "d" + "0" * 24, sentences, None, text)
        mentions = {mention.id: mention for mention in found.mentions}
        return [_spans(text, claim, mentions) for claim in found.claims if claim.relation is not Relation.BEFORE]

    def cue_positions(self, text: str) -> list[frozenset[int]]:
        """Word positions of every cue of a text."""
        return [
            word_positions(text, sentence.tokens[match.first].start, sentence.tokens[match.end - 1].end)
            for sentence in self._sentences.read(text)
            for match in cue_table().find(sentence.tokens)
            if match.cue.relation != "BEFORE"
        ]


def _spans(text: str, claim: Claim, mentions: dict[str, Mention]) -> Spans:
    cause, effect = mentions[claim.cause_mention], mentions[claim.effect_mention]
    return Spans(
        word_positions(text, cause.start, cause.end), word_positions(text, effect.start, effect.end), frozenset()
    )


def with_signals(spans: Sequence[Spans], cues: Sequence[frozenset[int]]) -> list[Spans]:
    """Gives each relation the cue that lies nearest to both of its arguments."""

    def distance(one: Spans, cue: frozenset[int]) -> tuple[int, int]:
        middle = min(cue)
        return min(abs(middle - place) for place in one.cause) + min(
            abs(middle - place) for place in one.effect
        ), middle

    return [
        one._replace(signal=min(cues, key=lambda cue: distance(one, cue))) if cues and one.cause and one.effect else one
        for one in spans
    ]


def iou(one: frozenset[int], other: frozenset[int]) -> float:
    """Intersection over union; 0 when both are empty."""
    return len(one & other) / len(one | other) if one | other else 0.0


def span_counts(gold: Sequence[Spans], predicted: Sequence[Spans]) -> Counter[str]:
    """True positives, predicted and gold spans under the best matching of relations."""
    counts: Counter[str] = Counter()
    for part in range(3):
        counts["predicted"] += sum(1 for one in predicted if one[part])
        counts["gold"] += sum(1 for one in gold if one[part])
    longer, shorter = (gold, predicted) if len(gold) >= len(predicted) else (predicted, gold)
    longer, shorter = longer[:_MOST_MATCHED], shorter[:_MOST_MATCHED]
    best = 0
    for chosen in itertools.permutations(longer, len(shorter)):
        hits = sum(
            1
            for one, other in zip(shorter, chosen, strict=True)
            for part in range(3)
            if one[part] and one[part] == other[part]
        )
        best = max(best, hits)
    counts["true"] = best
    counts["relations"] = len(gold)
    counts["overlapping"] = sum(
        1 for one in gold if any(iou(one.cause, p.cause) >= 0.5 and iou(one.effect, p.effect) >= 0.5 for p in predicted)
    )
    return counts


def f1(true: int, predicted: int, gold: int) -> tuple[float, float, float]:
    """Precision, recall and F1; 0 where there is nothing to divide by."""
    precision = true / predicted if predicted else 0.0
    recall = true / gold if gold else 0.0
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def sentence_rows(reader: Reader, rows: Iterable[dict[str, str]]) -> list[Row]:
    """Sentence scores of the rules and of calling every sentence causal."""
    pairs = [(row["label"] == "1", bool(reader.relations(row["text"]))) for row in rows]
    true = sum(1 for gold, told in pairs if gold and told)
    causal = sum(1 for gold, _ in pairs if gold)
    table = []
    for name, hits, told in (
        ("rules", true, sum(1 for _, told in pairs if told)),
        ("always causal", causal, len(pairs)),
    ):
        precision, recall, score = f1(hits, told, causal)
        table.append(
            Row("sentence", name, {"precision": precision, "recall": recall, "f1": score, "sentences": len(pairs)})
        )
    return table


def span_rows(reader: Reader, rows: Iterable[dict[str, str]]) -> list[Row]:
    """Span scores of the rules, and of taking the words before and after the first cue."""
    grouped: dict[str, list[Spans]] = {}
    for row in rows:
        if row["text_w_pairs"]:
            grouped.setdefault(row["text"], []).append(gold_spans(row["text_w_pairs"]))
    rules: Counter[str] = Counter()
    halves: Counter[str] = Counter()
    for text, gold in grouped.items():
        cues = reader.cue_positions(text)
        rules += span_counts(gold, with_signals(reader.relations(text), cues))
        count = len(text.split())
        split = [Spans(frozenset(range(max(cue) + 1, count - 1)), frozenset(range(min(cue))), cue) for cue in cues[:1]]
        halves += span_counts(gold, split)
    table = []
    for name, counts in (("rules", rules), ("halves around the first cue", halves)):
        precision, recall, score = f1(counts["true"], counts["predicted"], counts["gold"])
        overlap = counts["overlapping"] / counts["relations"] if counts["relations"] else 0.0
        table.append(
            Row("spans", name, {"precision": precision, "recall": recall, "f1": score, "both_iou_half": overlap,
                                "relations": counts["relations"]})
        )  # fmt: skip
    return table


def main() -> None:
    """Scores the rules and writes the result beside this file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--split", choices=("dev", "train"), default="dev")
    arguments = parser.parse_args()
    folder = arguments.data / "causal_news_corpus"
    seen = {row["text"] for row in read_rows(folder / "train_subtask1.csv")} if arguments.split == "dev" else set()
    sentences = [row for row in read_rows(folder / f"{arguments.split}_subtask1.csv") if row["text"] not in seen]
    spans = [row for row in read_rows(folder / f"{arguments.split}_subtask2.csv") if row["text"] not in seen]
    reader = Reader()
    rows = [*sentence_rows(reader, sentences), *span_rows(reader, spans)]
    write_result(
        f"causal_news_corpus_{arguments.split}",
        command=f"python -m benchmarks.causal_news_corpus --split {arguments.split}",
        data=f"Causal News Corpus V2 {arguments.split} (CC0), sentences that also stand in train left out of dev",
        baseline="sentences: calling each causal; spans: the words on either side of the first cue",
        figures={
            f"{row.task}, {row.system}, {name}": round(value, 4) for row in rows for name, value in row.scores.items()
        },
    )


if __name__ == "__main__":
    main()
