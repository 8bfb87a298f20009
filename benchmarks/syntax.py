"""UD English-EWT test and GUM test, from raw text: sentences, parts of speech, trees and names.

    python -m benchmarks.syntax [--data ../shared/data]

The sentences of a paragraph are joined as they were written and paragraphs by an empty line; what is read back is
compared by characters. A sentence counts when both of its ends are exact; a part of speech and an arc count when the
word's bounds are exact too, an arc with the bounds of its head and with its label without subtype, as the shared tasks
score them. Figures are F1; intervals are 95 % ones over documents drawn with replacement.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

import spacy
from spacy.language import Language
from spacy.tokens import Doc, Token

from benchmarks.bootstrap import SEED, f1_of, with_interval
from benchmarks.results import write_result
from language.sentences import SentenceReader
from language.tokens import Sentence
from models.packaged_parser import packaged_parser
from training.treebanks import read_treebank

FILES: Final = {"EWT": "ud_ewt/en_ewt-ud-{}.conllu", "GUM": "gum/gum_{}.conllu"}


class Word(NamedTuple):
    """A word by its characters, with what is told of it."""

    start: int
    end: int
    pos: str
    head: tuple[int, int]
    dep: str


class Read(NamedTuple):
    """What a text was read as; names are (start, end, label)."""

    sentences: list[tuple[int, int]]
    words: list[Word]
    names: list[tuple[int, int, str]]


def documents(path: Path, *, entities: bool) -> Iterator[list[Doc]]:
    """The paragraphs of each document of a treebank."""
    vocab = spacy.blank("en").vocab
    paragraphs = read_treebank(path, vocab, entities=entities)
    for _, group in groupby(paragraphs, key=lambda doc: doc.user_data["document"]):
        yield list(group)


def joined(paragraphs: Sequence[Doc]) -> tuple[str, Read]:
    """The text of a document and what people read in it."""
    text, gold = "", Read([], [], [])
    for doc in paragraphs:
        at = len(text)
        gold.sentences.extend((at + span.start_char, at + span.end_char) for span in doc.sents)
        gold.words.extend(
            Word(at + word.idx, at + word.idx + len(word), word.pos_, _bounds(at, word.head), _label(word.dep_))
            for word in doc
        )
        gold.names.extend((at + span.start_char, at + span.end_char, span.label_) for span in doc.ents)
        text += doc.text.rstrip() + "\n\n"
    return text, gold


def _bounds(at: int, word: Token) -> tuple[int, int]:
    return at + word.idx, at + word.idx + len(word)


def _label(dep: str) -> str:
    return dep.split(":", maxsplit=1)[0].lower()


def read_back(reader: SentenceReader, text: str) -> Read:
    """What the program reads in a text."""
    found = reader.read(text)
    return Read([(sentence.start, sentence.end) for sentence in found], list(_words(found)), [])


def names_of(parser: Language, paragraphs: Sequence[Doc]) -> Read:
    """The names that the pipeline finds in each paragraph by itself."""
    found, at = Read([], [], []), 0
    for doc in paragraphs:
        text = doc.text.rstrip()
        found.names.extend((at + span.start_char, at + span.end_char, span.label_) for span in parser(text).ents)
        at += len(text) + 2
    return found


def _words(sentences: Iterable[Sentence]) -> Iterator[Word]:
    for sentence in sentences:
        for token in sentence.tokens:
            head = sentence.tokens[token.head] if token.head >= 0 else token
            yield Word(token.start, token.end, token.pos, (head.start, head.end), _label(token.dep))


def counts(gold: Read, found: Read) -> Counter[str]:
    """Of each measure how many are gold, how many were found and how many are right."""
    sides: dict[str, tuple[Sequence[Hashable], Sequence[Hashable]]] = {
        "sentences": (gold.sentences, found.sentences),
        "words": ([word[:2] for word in gold.words], [word[:2] for word in found.words]),
        "UPOS": ([word[:3] for word in gold.words], [word[:3] for word in found.words]),
        "UAS": ([(*word[:2], word.head) for word in gold.words], [(*word[:2], word.head) for word in found.words]),
        "LAS": ([(*word[:2], *word[3:]) for word in gold.words], [(*word[:2], *word[3:]) for word in found.words]),
        "names": (gold.names, found.names),
    }
    total: Counter[str] = Counter()
    for measure, (wanted, told) in sides.items():
        total[f"{measure} gold"] += len(wanted)
        total[f"{measure} found"] += len(told)
        total[f"{measure} right"] += len(set(wanted) & set(told))
    return total


def _f1(measure: str) -> Callable[[Counter[str]], float]:
    return f1_of(f"{measure} gold", f"{measure} found", f"{measure} right")


def main() -> None:
    """Measure and store."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=Path("../shared/data"))
    options.add_argument("--split", choices=("dev", "test"), default="test")
    given = options.parse_args()
    parser = packaged_parser()
    parser.enable_pipe("ner")
    readers = {"rules": SentenceReader(), "parser": SentenceReader(parser)}
    figures: dict[str, object] = {}
    for bank, file in FILES.items():
        rows: dict[str, list[Counter[str]]] = {name: [] for name in (*readers, "names")}
        for paragraphs in documents(given.data / file.format(given.split), entities=bank == "GUM"):
            text, gold = joined(paragraphs)
            for name, reader in readers.items():
                rows[name].append(counts(gold, read_back(reader, text)))
            if bank == "GUM":
                rows["names"].append(counts(gold, names_of(parser, paragraphs)))
        figures[f"{bank}: sentences, rules"] = with_interval(rows["rules"], _f1("sentences"))
        for measure in ("sentences", "words", "UPOS", "UAS", "LAS"):
            figures[f"{bank}: {measure}, parser"] = with_interval(rows["parser"], _f1(measure))
        if bank == "GUM":
            figures[f"{bank}: names, parser"] = with_interval(rows["names"], _f1("names"))
    write_result(
        f"syntax_{given.split}",
        command=f"python -m benchmarks.syntax --split {given.split}",
        data=f"UD English-EWT {given.split} and GUM {given.split} (the CC BY genres), raw text",
        baseline="sentences by the rules that need no parser",
        figures=figures,
        seed=SEED,
    )


if __name__ == "__main__":
    main()
