"""Causal News Corpus V2: is the sentence causal, and where are cause, effect and signal, by each way of reading.

    python -m benchmarks.causal_news_corpus [--data ../shared/data] [--split dev]

Six dev sentences that also stand in train are left out. "Heads" are what the learned heads say; "claims" what the
program takes as claims, where a sentence is causal when a claim other than BEFORE was read from it, a purpose is no
cause of the act, and each claim has the nearest cue for its signal. Spans are exact ones of cause, effect and signal,
under the matching of predicted and gold relations of a sentence that gives the best F1, as the shared task scores them;
beside it is the share of gold relations whose cause and effect both overlap a prediction with IoU of at least one half.
Intervals are 95 % ones over sentences drawn with replacement.
"""

from __future__ import annotations

import argparse
import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from benchmarks.bootstrap import SEED, f1_of, share_of, with_interval
from benchmarks.claim_readers import WAYS
from benchmarks.results import write_result
from benchmarks.sentence_claims import SentenceClaims
from language.cues import cue_table
from language.sentences import SentenceReader
from models.relation_heads import NAME, RelationHeads, RelationReading
from models.weights_card import WEIGHTS
from training.relation_sets import Characters, Example, SpanRelation, causal_news, words_of
from training.word_overlap import iou, word_positions

_MOST_MATCHED: Final = 6
"""Most relations of one sentence whose matchings are all tried."""
_LIKELY: Final = 0.42
"""Least probability of a causal sentence: half of the F1 that is expected (Lipton et al. 2014, arXiv 1402.1892)."""
_FURTHER: Final = 0.35
"""Least probability of a second or third relation of a sentence that is known to be causal."""


class Spans(NamedTuple):
    """Word positions of one relation; an empty set where a part is missing."""

    cause: frozenset[int]
    effect: frozenset[int]
    signal: frozenset[int]


class Reader(Protocol):
    """A way of reading one sentence of the corpus."""

    def is_causal(self, text: str) -> bool:
        """Whether the sentence tells of a cause and its effect."""

    def relations(self, text: str) -> list[SpanRelation]:
        """The relations of a sentence that is known to be causal."""


class Claims:
    """The claims that the program would take, on one sentence of the corpus at a time."""

    def __init__(self, way: str) -> None:
        self._sentences = SentenceReader()
        # Each sentence is asked for twice.
        self._claims = cache(SentenceClaims(way).read)

    def is_causal(self, text: str) -> bool:
        """Whether a claim is read from the sentence."""
        return bool(self._claims(text))

    def relations(self, text: str) -> list[SpanRelation]:
        """The claims of the sentence, each with the cue that is nearest to both of its arguments."""
        cues = self.cues(text)
        return [
            SpanRelation(
                claim.cause,
                claim.effect,
                (min(cues, key=lambda cue: _distance(cue, claim.cause, claim.effect)),) if cues else (),
            )
            for claim in self._claims(text)
        ]

    def cues(self, text: str) -> list[Characters]:
        """Where the cues of a sentence stand, those of order in time left out."""
        return [
            (sentence.tokens[match.first].start, sentence.tokens[match.end - 1].end)
            for sentence in self._sentences.read(text)
            for match in cue_table().find(sentence.tokens)
            if match.cue.relation != "BEFORE"
        ]


def _distance(cue: Characters, cause: Characters, effect: Characters) -> tuple[int, int]:
    return sum(max(cue[0] - span[1], span[0] - cue[1], 0) for span in (cause, effect)), cue[0]


class HalvesAroundCue:
    """The baseline: every sentence is causal, and the words on either side of its first cue are effect and cause."""

    def __init__(self, rules: Claims) -> None:
        self._rules = rules

    def is_causal(self, text: str) -> bool:
        """Always."""
        return bool(text)

    def relations(self, text: str) -> list[SpanRelation]:
        """One relation, if the sentence has a cue."""
        return [
            SpanRelation((cue[1] + 1, len(text.rstrip(" ."))), (0, cue[0] - 1), (cue,))
            for cue in self._rules.cues(text)[:1]
            if cue[0] > 1 and cue[1] + 1 < len(text.rstrip(" ."))
        ]


class Heads:
    """The learned heads: those in a folder, with the sentence head of one of the corpora that they were trained on."""

    def __init__(self, directory: Path = WEIGHTS / NAME, corpus: str = "cnc") -> None:
        sentences, heads = SentenceReader(), RelationHeads(directory)

        @cache
        def read(text: str) -> tuple[list[Characters], RelationReading | None]:
            words = words_of(sentences, text)
            return words, heads.read(text, words, corpus)

        self._read = read

    def is_causal(self, text: str) -> bool:
        """Whether that is likely enough for the best F1."""
        _, reading = self._read(text)
        return reading is not None and reading.causal >= _LIKELY

    def relations(self, text: str) -> list[SpanRelation]:
        """The best relation, and further ones that are likely enough."""
        words, reading = self._read(text)

        def characters(span: tuple[int, int]) -> Characters:
            return words[span[0]][0], words[span[1]][1]

        return [
            SpanRelation(characters(one.cause), characters(one.effect), (characters(one.signal),) if one.signal else ())
            for place, one in enumerate(reading.relations if reading else ())
            if place == 0 or one.probability >= _FURTHER
        ]


def spans_of(text: str, relation: SpanRelation) -> Spans:
    """A relation by the positions of white-space separated words."""
    signal = frozenset[int]().union(*(word_positions(text, one) for one in relation.signals))
    return Spans(word_positions(text, relation.cause), word_positions(text, relation.effect), signal)


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


def sentence_counts(told: Iterable[bool], examples: Iterable[Example]) -> list[Counter[str]]:
    """Of each sentence whether it is causal, was called so, and rightly."""
    return [
        Counter(gold=one.causal, found=causal, right=causal and one.causal)
        for causal, one in zip(told, examples, strict=True)
    ]


def relation_counts(reader: Reader, examples: Iterable[Example]) -> list[Counter[str]]:
    """Of each sentence with annotated relations the counts of `span_counts`."""
    return [
        span_counts(
            [spans_of(example.text, gold) for gold in example.relations],
            [spans_of(example.text, found) for found in reader.relations(example.text)],
        )
        for example in examples
        if example.relations
    ]


SENTENCES: Final[dict[str, Callable[[Counter[str]], float]]] = {
    "causal sentence, precision": share_of("right", "found"),
    "causal sentence, recall": share_of("right", "gold"),
    "causal sentence, F1": f1_of("gold", "found", "right"),
}
SPANS: Final[dict[str, Callable[[Counter[str]], float]]] = {
    "exact spans, precision": share_of("true", "predicted"),
    "exact spans, recall": share_of("true", "gold"),
    "exact spans, F1": f1_of("gold", "predicted", "true"),
    "both arguments with IoU of at least one half, share of relations": share_of("overlapping", "relations"),
}


def scored(readers: Iterable[Reader], examples: Sequence[Example]) -> dict[str, list[str]]:
    """Every figure with its interval, for each reader in turn."""
    figures: dict[str, list[str]] = {name: [] for name in (*SENTENCES, *SPANS)}
    for reader in readers:
        for scores, rows in (
            (SENTENCES, sentence_counts([reader.is_causal(one.text) for one in examples], examples)),
            (SPANS, relation_counts(reader, examples)),
        ):
            for name, score in scores.items():
                figures[name].append(with_interval(rows, score))
    return figures


def unseen(data: Path, split: str) -> list[Example]:
    """The sentences of a split, those of dev that also stand in train left out."""
    folder = data / "causal_news_corpus"
    seen = {one.text for one in causal_news(folder, "train")} if split == "dev" else set()
    return [one for one in causal_news(folder, split) if one.text not in seen]


def main() -> None:
    """Scores each way of reading and writes the result beside this file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--split", choices=("dev", "train"), default="dev")
    arguments = parser.parse_args()
    examples = unseen(arguments.data, arguments.split)
    rules = Claims("rules")
    readers: dict[str, Reader] = {
        "rules, claims": rules,
        "heads": Heads(),
        **{f"{way}, claims": Claims(way) for way in WAYS if way != "rules"},
        "baseline": HalvesAroundCue(rules),
    }
    write_result(
        f"causal_news_corpus_{arguments.split}",
        command=f"python -m benchmarks.causal_news_corpus --split {arguments.split}",
        data=f"Causal News Corpus V2 {arguments.split} (CC0), {len(examples)} sentences, those also in train "
        f"left out of dev, {sum(len(one.relations) for one in examples)} relations",
        baseline="calling each sentence causal; the words on either side of the first cue",
        columns=tuple(readers),
        figures=scored(readers.values(), examples),
        seed=SEED,
    )


if __name__ == "__main__":
    main()
