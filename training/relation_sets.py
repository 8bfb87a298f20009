"""Labelled sentences for the relation heads, of three corpora in one form."""

from __future__ import annotations

import csv
import hashlib
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from language.sentences import SentenceReader

_TAG: Final = re.compile(r"</?(ARG0|ARG1|SIG\d)>")
_NEAR_COPY: Final = 0.8
"""Two sentences with this share of their words in common are near-copies."""
_HELD_OUT: Final = 10
"""One training sentence in so many is kept from training, to calibrate on."""
_NEGATIVES: Final = 2
"""Sentences of SemEval that are not causal, for each one that is: of the rest nothing more is learned."""
SEED: Final = 0

Characters = tuple[int, int]
"""First character of a span and one past its last."""


class SpanRelation(NamedTuple):
    """One relation by the characters of its cause, its effect and its signals."""

    cause: Characters
    effect: Characters
    signals: tuple[Characters, ...]


class Example(NamedTuple):
    """One sentence.

    Attributes:
        corpus: Whose annotation it is: `cnc`, `because` or `semeval`.
        causal: Whether it tells of a cause and its effect, in the sense of that corpus.
        relations: What is annotated; none of a causal sentence means that its spans are not known.
    """

    text: str
    corpus: str
    causal: bool
    relations: tuple[SpanRelation, ...]


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a file in the schema of the Causal News Corpus."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def tagged(markup: str) -> tuple[str, SpanRelation | None]:
    """The text of a sentence with tags, and its relation when cause and effect are both tagged."""
    text, position = "", 0
    opened: dict[str, int] = {}
    spans: dict[str, list[Characters]] = {"ARG0": [], "ARG1": [], "SIG": []}
    for tag in _TAG.finditer(markup):
        text += markup[position : tag.start()]
        position = tag.end()
        if tag.group().startswith("</"):
            spans[tag[1] if tag[1].startswith("ARG") else "SIG"].append((opened.pop(tag[1]), len(text)))
        else:
            opened[tag[1]] = len(text)
    text += markup[position:]
    if not spans["ARG0"] or not spans["ARG1"]:
        return text, None
    return text, SpanRelation(spans["ARG0"][0], spans["ARG1"][0], tuple(spans["SIG"]))


def causal_news(folder: Path, split: str) -> Iterator[Example]:
    """One split of the Causal News Corpus."""
    relations: dict[str, list[SpanRelation]] = {}
    for row in read_rows(folder / f"{split}_subtask2.csv"):
        if row["text_w_pairs"]:
            text, gold = tagged(row["text_w_pairs"])
            if gold is not None:
                relations.setdefault(text, []).append(gold)
    for row in read_rows(folder / f"{split}_subtask1.csv"):
        yield Example(row["text"], "cnc", row["label"] == "1", tuple(relations.get(row["text"], ())))


def unicausal(folder: Path, corpus: str, split: str) -> Iterator[Example]:
    """One split of another corpus in the same schema: a row for each relation, or for a sentence without.

    Args:
        folder: Where the files of UniCausal are.
        corpus: `because`, `semeval` (SemEval-2010 task 8), `altlex` or `timebank` (Causal-TimeBank).
        split: `train` or `test`.
    """
    relations: dict[str, list[SpanRelation]] = {}
    causal: dict[str, bool] = {}
    for row in read_rows(folder / f"{_FILES[corpus]}_{split}.csv"):
        text, gold = tagged(row["text_w_pairs"])
        told = relations.setdefault(text, [])
        if gold is not None and row["pair_label"] == "1":
            told.append(gold)
        causal[text] = causal.get(text, False) or float(row["seq_label"]) > 0
    for text, told in relations.items():
        yield Example(text, corpus, causal[text], tuple(told))


_FILES: Final = {"because": "because", "semeval": "semeval2010t8", "altlex": "altlex", "timebank": "ctb"}


def words_of(reader: SentenceReader, text: str) -> list[Characters]:
    """The words of a text by their characters, whatever sentences it is read as."""
    return [(token.start, token.end) for sentence in reader.read(text) for token in sentence.tokens]


def training_set(data: Path, corpora: Iterable[str]) -> list[Example]:
    """All training sentences of the corpora, without near-copies of what is measured on.

    Args:
        data: Folder of the labelled sets.
        corpora: `cnc`, and those that `unicausal` reads.
    """
    news, others = data / "causal_news_corpus", data / "unicausal"
    examples: list[Example] = []
    for corpus in corpora:
        read = causal_news(news, "train") if corpus == "cnc" else unicausal(others, corpus, "train")
        examples.extend(_balanced(list(read)) if corpus == "semeval" else read)
    return without_near_copies(examples, measured_texts(data))


def measured_texts(data: Path) -> list[str]:
    """The sentences of all corpora that are measured on, and that nothing may be trained on."""
    measured = [*causal_news(data / "causal_news_corpus", "dev")]
    for corpus in _FILES:
        measured.extend(unicausal(data / "unicausal", corpus, "test"))
    return [example.text for example in measured]


def _balanced(examples: Sequence[Example]) -> list[Example]:
    causal = [example for example in examples if example.causal]
    others = [example for example in examples if not example.causal]
    return causal + random.Random(SEED).sample(others, min(len(others), _NEGATIVES * len(causal)))


def without_near_copies(examples: Iterable[Example], texts: Iterable[str]) -> list[Example]:
    """The examples that share fewer than `_NEAR_COPY` of their words with each of the texts."""
    known = [frozenset(text.lower().split()) for text in texts]
    by_word: dict[str, list[int]] = {}
    for number, words in enumerate(known):
        for word in words:
            by_word.setdefault(word, []).append(number)
    return [example for example in examples if not _is_near_copy(example.text, known, by_word)]


def _is_near_copy(text: str, known: Sequence[frozenset[str]], by_word: dict[str, list[int]]) -> bool:
    words = frozenset(text.lower().split())
    common: dict[int, int] = {}
    for word in words:
        for number in by_word.get(word, ()):
            common[number] = common.get(number, 0) + 1
    return any(count >= _NEAR_COPY * len(words | known[number]) for number, count in common.items())


def is_held_out(example: Example) -> bool:
    """Whether an example is kept from training: some of the Causal News Corpus, by their text alone."""
    return example.corpus == "cnc" and hashlib.sha256(example.text.encode()).digest()[0] % _HELD_OUT == 0
