"""ECB+, test topics 36-45: which events are told as such that did not happen.

    python -m benchmarks.event_polarity [--data ../shared/data]

Every mention in the validated sentences of the corpus is read as the program reads an argument: by the clause around
its words, as for claims that the rules find, and by clause or learned head, as for those that the heads find. The
baseline calls an event negated when one of the four words before it denies. Intervals are 95 % ones over topics drawn
with replacement.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from benchmarks.bootstrap import SEED, f1_of, share_of, with_interval
from benchmarks.results import write_result
from language.clause_words import Span
from language.clauses import Clauses
from language.factuality import factuality_lists, of_clause
from language.sentences import SentenceReader
from language.word_classes import WordClass
from models.factuality_heads import FactualityHeads
from training.coreference_sets import GoldMention, read_ecb_plus
from training.ecb_plus import ECB_PLUS, TEST
from training.event_examples import Reader
from training.relation_heads import touched

_NEAR: Final = 4
_BOUNDS: Final = frozenset({WordClass.SUBORDINATOR, WordClass.RELATIVE})
_SCORES: Final = {
    "negated events, precision": share_of("right", "found"),
    "negated events, recall": share_of("right", "gold"),
    "negated events, F1": f1_of("gold", "found", "right"),
}


def main() -> None:
    """Scores both and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    gold = read_ecb_plus(parser.parse_args().data / ECB_PLUS).of_topics(TEST)
    sentences = SentenceReader()
    ways: dict[str, Callable[[Clauses, Span], bool]] = {"baseline": denied_near, "clause": denied_by_clause}
    head = LearnedDenial()
    columns = (*ways, "head", "clause or head")
    rows: dict[str, dict[str, Counter[str]]] = {way: defaultdict(Counter) for way in columns}
    for mention in gold.mentions:
        found = located(sentences, gold.texts[mention.document], mention)
        told = {way: found is not None and is_denied(*found) for way, is_denied in ways.items()}
        told["head"] = head.is_denied(gold.texts[mention.document], mention)
        told["clause or head"] = told["clause"] or told["head"]
        for way, negated in told.items():
            rows[way][mention.topic].update(gold=mention.negated, found=negated, right=negated and mention.negated)
    write_result(
        "event_polarity",
        command="python -m benchmarks.event_polarity",
        data=f"ECB+ test topics 36-45, validated sentences: {len(gold.mentions)} events, "
        f"{sum(mention.negated for mention in gold.mentions)} of them negated",
        baseline="a word that denies among the four before the event",
        columns=columns,
        figures={
            name: [with_interval(list(rows[way].values()), score) for way in columns] for name, score in _SCORES.items()
        },
        seed=SEED,
    )


class LearnedDenial:
    """What the packaged head says of events."""

    def __init__(self) -> None:
        """Loads it."""
        self._reader = Reader()
        self._heads = FactualityHeads(self._reader.heads.fingerprint)

    def is_denied(self, text: str, mention: GoldMention) -> bool:
        """Whether the sentence of a mention denies it; what is too long to be read denies nothing."""
        start = mention.sentence[0]
        read = self._reader.read_early(text[slice(*mention.sentence)])
        if read is None:
            return False
        words, early = read
        happening = touched(words, (mention.trigger[0] - start, mention.trigger[1] - start))
        return self._heads.denial(early, happening) >= self._heads.denial_floor


def located(reader: SentenceReader, text: str, mention: GoldMention) -> tuple[Clauses, Span] | None:
    """The sentence of a mention, and the words that name it; none when the words are cut otherwise."""
    start = mention.sentence[0]
    for sentence in reader.read(text[slice(*mention.sentence)]):
        inside: Sequence[int] = [
            place
            for place, token in enumerate(sentence.tokens)
            if token.start + start >= mention.trigger[0] and token.end + start <= mention.trigger[1]
        ]
        if inside:
            return Clauses(sentence), (inside[0], inside[-1] + 1)
    return None


def denied_near(clauses: Clauses, span: Span) -> bool:
    """Whether a word right before the event denies."""
    before = clauses.words[max(span[0] - _NEAR, 0) : span[0]]
    return not factuality_lists().negators.isdisjoint(before)


def denied_by_clause(clauses: Clauses, span: Span) -> bool:
    """Whether the clause around the event is negated."""
    start, end = span
    while start > 0 and not _bounds(clauses, start - 1):
        start -= 1
    while end < len(clauses.words) and not _bounds(clauses, end):
        end += 1
    return of_clause(clauses, (start, end)).polarity == "negated"


def _bounds(clauses: Clauses, place: int) -> bool:
    return clauses.is_hard(place) or clauses.words[place] == "," or clauses.classes[place] in _BOUNDS


if __name__ == "__main__":
    main()
