"""Passages of five sentences drawn from the investigation reports, each as a document of its own."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from causetrail.settings import Settings
from extraction.causes import unfit
from extraction.loading.load import Loaded, load
from language.clauses import Clauses
from language.sentences import SentenceReader
from language.tokens import Sentence

LENGTH: Final = 5
"""Sentences of a passage."""
_LEAST_TOLD: Final = 3
"""Sentences of it with a verb of the past: it narrates or analyses, and is no list of duties or definitions."""
_LEAST_WORDS: Final = 8
"""Words of each sentence: a shorter one is what a page's layout left."""


class Passage(NamedTuple):
    """Sentences of a report that follow each other.

    Attributes:
        document: File name of the report.
        start: Its first character in the report's normalised text.
        text: Its characters there.
    """

    document: str
    start: int
    text: str

    @property
    def name(self) -> str:
        """The file name under which it is a document."""
        return f"{Path(self.document).stem}-{self.start}.txt"

    def place(self, start: int, end: int) -> str:
        """Characters of the passage as `benchmarks.judged_claims` names them: by those of the report."""
        return f"{self.start + start}-{self.start + end}"


def drawn(reports: Path, count: int, seed: int) -> list[Passage]:
    """As many passages, each from another report, whether they tell of causes or not.

    Args:
        reports: The folder of the reports.
        count: How many, at most one for each report.
        seed: Of the draw.
    """
    draw = random.Random(seed)
    return [draw.choice(list(passages_of(path))) for path in sorted(draw.sample(sorted(reports.glob("*.txt")), count))]


def passages_of(path: Path) -> Iterator[Passage]:
    """All passages of one report; they overlap."""
    for loaded in load(path, Settings(), path.name):
        if isinstance(loaded, Loaded):
            sentences = SentenceReader().read(loaded.text)
            for first in range(len(sentences) - LENGTH + 1):
                chosen = sentences[first : first + LENGTH]
                if _is_prose(chosen):
                    yield Passage(path.name, chosen[0].start, loaded.text[chosen[0].start : chosen[-1].end])


def written(passages: Sequence[Passage], folder: Path) -> None:
    """Writes each passage to a file of its own."""
    for passage in passages:
        (folder / passage.name).write_text(passage.text, "utf-8")


def _is_prose(sentences: Sequence[Sentence]) -> bool:
    blocks = [sentence.block for sentence in sentences]
    together = all(later - earlier in (0, 1) for earlier, later in itertools.pairwise(blocks))
    fit = all(unfit(one) is None and len(one.tokens) >= _LEAST_WORDS for one in sentences)
    return together and fit and sum(map(_tells_past, sentences)) >= _LEAST_TOLD


def _tells_past(sentence: Sentence) -> bool:
    return Clauses(sentence).tells_past(0, len(sentence.tokens))
