"""How relations are told: which relation, whether denied, how real; by the rules, and with the learned heads.

    python -m benchmarks.relation_tellings [--data ../shared/data]

The relations are those of the labels of our own (`training.factuality_sets`): the development part of the Causal News
Corpus, on which nothing was learned or chosen, and the labels that the packaged heads learn from, each told by heads
that were trained without its sentence. What the program would tell of a relation whose words it has found is compared
with the label; of those that the rules found themselves, in EWT, GUM and ECB+, they know the cue. Labels that fewer
than `_FEW` relations have are left out. A second reader labelled the development part too; both are language models.
Intervals are 95 % ones over groups of sentences drawn with replacement, 256 at most.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.bootstrap import SEED, f1_of, share_of, with_interval
from benchmarks.results import write_result
from extraction.learned_causes import learned_statements
from extraction.statements import StatementMaker
from language.clauses import Clauses
from language.cues import cue_table
from language.sentences import SentenceReader
from language.tokens import Sentence
from models.factuality_heads import MODALITIES, RELATIONS, FactualityHeads, Telling
from models.relation_heads import Floats, Relation, RelationReading, Words
from training.event_examples import Reader
from training.factuality_heads import Tellings, read_relation, words_of_relation
from training.factuality_sets import DEV, DEV_AGAIN, TRAIN, ToldRelation, name_of, told_relations

_DOCUMENT: Final = "d" + "0" * 24
_PLAIN: Final = ("CAUSES", "affirmed", "actual")
"""What is told of a relation that spans two sentences, or whose words the program takes for no arguments."""
_NAMED: Final = {
    0: ("ENABLES", "PREVENTS"),
    1: ("negated",),
    2: ("possible", "planned", "hypothetical"),
}
_FEW: Final = 10
_DRAWN: Final = 2
"""Hexadecimal digits that two sentences which are drawn together have in common."""
_FOUND: Final = frozenset({"ewt", "gum", "ecb"})
"""Corpora in which the rules found the relations that are labelled."""
_PARTS: Final = ("relation", "polarity", "modality")

Told = tuple[str, str, str]
"""Relation, polarity and modality."""


class _Given:
    """Heads that tell what was told before, and deny nothing."""

    fingerprint = "given"
    denial_floor = 1.0

    def __init__(self, telling: Telling) -> None:
        self._telling = telling

    def tell(self, _early: Floats, _cause: Words, _effect: Words, _signal: Words | None) -> Telling:
        return self._telling

    def denial(self, _early: Floats, _happening: Words) -> float:
        return 0.0


def main() -> None:
    """Scores all and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    data = parser.parse_args().data
    reader = Reader()
    heads = FactualityHeads(reader.heads.fingerprint)
    dev, again, train = (told_relations(data, split) for split in (DEV, DEV_AGAIN, TRAIN))
    second = {(one.text, one.spans): label(one) for one in again}
    columns = ("rules", "with heads", "second language model")
    figures: dict[str, list[str | None]] = {}
    program = Program()
    of_dev: Mapping[str, Sequence[Told]] = {
        "rules": [program.told(one, None) for one in dev],
        "with heads": [program.told(one, _Given(_telling(reader, heads, one))) for one in dev],
        "second language model": [second[one.text, one.spans] for one in dev],
    }
    figures.update(_figures("development", dev, of_dev, columns))
    scores = Tellings(reader, train).out_of_fold(SEED)
    for name, kept in (("annotated causes, held-out fifths", False), ("causes of the rules, held-out fifths", True)):
        part = [(one, row) for one, row in zip(train, scores, strict=True) if (one.corpus in _FOUND) == kept]
        told = [one for one, _ in part]
        of_part = {
            "rules": [program.told(one, None) for one in told],
            "with heads": [program.told(one, _Given(_of_scores(row))) for one, row in part],
        }
        figures.update(_figures(name, told, of_part, columns))
    write_result(
        "relation_tellings",
        command="python -m benchmarks.relation_tellings",
        data=f"labels of our own, given by language models: {len(dev)} relations of the "
        f"Causal News Corpus, development part; {len(train)} of its training part, of BECauSE, EWT, GUM and ECB+",
        baseline="the rules: cue table and word lists",
        columns=columns,
        figures=figures,
        seed=SEED,
    )


class Program:
    """What the program tells of relations whose words are given."""

    def __init__(self) -> None:
        self._sentences = SentenceReader()

    def told(self, one: ToldRelation, tellings: _Given | None) -> Told:
        """Relation, polarity and modality of the statement that the heads' words become."""
        sentences = self._sentences.read(one.text)
        place = next((place for place, sentence in enumerate(sentences) if _holds(sentence, one)), None)
        if place is None:
            return _PLAIN
        sentence = sentences[place]
        words = [(token.start, token.end) for token in sentence.tokens]
        relation = Relation(*words_of_relation(words, one), probability=1.0)
        maker = StatementMaker("main", _DOCUMENT, sentences, one.text)
        maker.times[place] = ()
        reading = RelationReading(1.0, (relation,), early=np.zeros((len(words), 1), np.float32))
        cues = cue_table().find(sentence.tokens)
        made = list(learned_statements(reading, maker, Clauses(sentence), place, cues, tellings))
        if not made:
            return _PLAIN
        return made[0].relation.value, made[0].told.polarity, made[0].told.modality


def label(one: ToldRelation) -> Told:
    """How a relation is labelled."""
    return one.relation, one.polarity, one.modality


def _holds(sentence: Sentence, one: ToldRelation) -> bool:
    spans = (one.spans.cause, one.spans.effect, *one.spans.signals[:1])
    first, last = sentence.tokens[0].start, sentence.tokens[-1].end
    return all(first <= start and end <= last for start, end in spans)


def _telling(reader: Reader, heads: FactualityHeads, one: ToldRelation) -> Telling:
    early, spans = read_relation(reader, one)
    return heads.tell(early, *spans)


def _of_scores(scores: Floats) -> Telling:
    relations, modalities = scores[: len(RELATIONS)].tolist(), scores[len(RELATIONS) :].tolist()
    return Telling(dict(zip(RELATIONS, relations, strict=True)), dict(zip(MODALITIES, modalities, strict=True)))


def _figures(
    name: str, gold: Sequence[ToldRelation], told: Mapping[str, Sequence[Told]], columns: Sequence[str]
) -> dict[str, list[str | None]]:
    """Scores by name, one for each column; none where a column has no answers."""
    rows: dict[str, dict[str, Counter[str]]] = {}
    for column, answers in told.items():
        rows[column] = defaultdict(Counter)
        for one, answer in zip(gold, answers, strict=True):
            counts = rows[column][name_of(one.text)[:_DRAWN]]
            counts["all"] += 1
            for place, (right, found) in enumerate(zip(label(one), answer, strict=True)):
                counts[f"{place} right"] += right == found
                counts.update([f"{right} gold", f"{found} found", *([f"{right} both"] if right == found else [])])
    figures: dict[str, list[str | None]] = {}
    for place, part in enumerate(_PARTS):
        scores = {f"{part}, share right": share_of(f"{place} right", "all")}
        for value in _NAMED[place]:
            count = sum(label(one)[place] == value for one in gold)
            if count >= _FEW:
                scores[f"{value} ({count}), F1"] = f1_of(f"{value} gold", f"{value} found", f"{value} both")
        commonest, most = Counter(label(one)[place] for one in gold).most_common(1)[0]
        figures[f"{name}: {part}, {commonest} for all"] = [f"{most / len(gold):.3f}", *[None] * (len(columns) - 1)]
        for title, score in scores.items():
            figures[f"{name}: {title}"] = [
                with_interval(list(rows[column].values()), score) if column in rows else None for column in columns
            ]
    return figures


if __name__ == "__main__":
    main()
