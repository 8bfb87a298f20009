"""GUM test and UD English Web Treebank dev: are sentences cut where people cut them, and how fast?

    python -m benchmarks.sentences [--data ../shared/data]

The sentences of a paragraph are joined by a space and paragraphs by an empty line, so that only the words tell where a
sentence ends. A sentence counts when both of its ends are exact. Rules have no training, so seeds do not enter.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.results import write_result
from language.sentences import SentenceReader

_FILES = {"GUM test": "gum/gum_test.conllu", "EWT dev": "ud_ewt/en_ewt-ud-dev.conllu"}


def read_documents(path: Path) -> Iterator[list[list[str]]]:
    """For each document its paragraphs, each a list of sentences."""
    paragraphs: list[list[str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# newdoc") and paragraphs:
            yield paragraphs
            paragraphs = []
        elif line.startswith("# newpar") or (line.startswith("# text = ") and not paragraphs):
            paragraphs.append([])
        if line.startswith("# text = "):
            paragraphs[-1].append(line.removeprefix("# text = ").strip())
    if paragraphs:
        yield paragraphs


def join(paragraphs: list[list[str]]) -> tuple[str, set[tuple[int, int]]]:
    """The text of a document and the offsets of its sentences."""
    text, gold = "", set()
    for paragraph in paragraphs:
        for sentence in paragraph:
            gold.add((len(text), len(text) + len(sentence)))
            text += sentence + " "
        text = text[:-1] + "\n\n" if paragraph else text
    return text, gold


def main() -> None:
    """Measure and store."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=Path("../shared/data"))
    data: Path = options.parse_args().data
    reader = SentenceReader()
    reader.read("The first call loads the tables.")
    figures: dict[str, object] = {}
    read, seconds = 0, 0.0
    for name, path in _FILES.items():
        right = found_count = gold_count = 0
        for paragraphs in read_documents(data / path):
            text, gold = join(paragraphs)
            began = time.process_time()
            sentences = reader.read(text)
            seconds += time.process_time() - began
            read += len(sentences)
            right += len(gold & {(sentence.start, sentence.end) for sentence in sentences})
            found_count, gold_count = found_count + len(sentences), gold_count + len(gold)
        figures[f"{name}: sentence F1"] = round(2 * right / (found_count + gold_count), 3)
        figures[f"{name}: sentences"] = gold_count
    figures["sentences a second, one core"] = round(read / seconds)
    write_result(
        "sentences",
        command="python -m benchmarks.sentences",
        data="GUM test (news, interviews, essays, speech and more) and EWT dev (mail, web, reviews)",
        baseline="spaCy 3.8 trained on EWT train for 2,500 steps: sentence F1 .72 on EWT dev",
        figures=figures,
    )


if __name__ == "__main__":
    main()
