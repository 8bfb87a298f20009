"""Makes the packaged parser: a spaCy pipeline for English trained on UD English-EWT and the CC BY genres of GUM.

    python -m training.parser

reads the treebanks, trains by `training/parser.cfg`, and writes the folder that models/ packages, with its card. On one
core that takes an hour and a half.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import spacy
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config, load_model_from_config
from spacy.vocab import Vocab

from models.weights_card import WEIGHTS, sha256_of
from training.cards import write_card
from training.treebanks import read_treebank

NAME: Final = "causetrail_sm"
CONFIG: Final = Path(__file__).with_suffix(".cfg")
SHARED_DATA: Final = Path("../shared/data")
TREEBANKS: Final = {
    "train": ("ud_ewt/en_ewt-ud-train.rebuilt.conllu", "gum/gum_train.conllu"),
    "dev": ("ud_ewt/en_ewt-ud-dev.conllu", "gum/gum_dev.conllu"),
}
"""Files of each split, below the folder of the labelled sets."""


def main() -> None:
    """Trains on the train parts, chooses the best state on the dev parts, and writes weights and card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED_DATA, help="folder of the labelled sets")
    parser.add_argument("--steps", type=int, help="fewer or more steps than the configuration says")
    parser.add_argument("--gpu", type=int, default=-1, help="number of the GPU; -1 trains on the processor")
    parser.add_argument("--output", type=Path, default=WEIGHTS / NAME, help="folder that is written")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        paths = write_corpora(arguments.data, Path(scratch))
        best = train_pipeline(paths, Path(scratch) / "states", steps=arguments.steps, gpu=arguments.gpu)
        package(best, arguments.output, arguments.data)


def write_corpora(data: Path, work: Path) -> dict[str, Path]:
    """The treebanks of each split in spaCy's binary form."""
    vocab = spacy.blank("en").vocab
    paths = {}
    for split, files in TREEBANKS.items():
        paths[split] = work / f"{split}.spacy"
        DocBin(docs=_paragraphs([data / file for file in files], vocab)).to_disk(paths[split])
    return paths


def _paragraphs(files: Iterable[Path], vocab: Vocab) -> Iterator[Doc]:
    for file in files:
        yield from read_treebank(file, vocab, entities=file.parent.name == "gum")


def train_pipeline(corpora: dict[str, Path], work: Path, *, steps: int | None, gpu: int) -> Language:
    """The state of the pipeline that scored best on dev; the log goes to standard output."""
    overrides: dict[str, Any] = {f"paths.{split}": str(path) for split, path in corpora.items()}
    if steps is not None:
        overrides["training.max_steps"] = steps
    config = load_config(CONFIG, overrides=overrides)
    filled = load_model_from_config(config, auto_fill=True).config
    work.mkdir()
    train(init_nlp(filled, use_gpu=gpu), work, use_gpu=gpu, stdout=sys.stdout, stderr=sys.stderr)
    return spacy.load(work / "model-best")


def package(pipeline: Language, target: Path, data: Path) -> None:
    """Writes the pipeline and its card."""
    scores = pipeline.meta["performance"]
    pipeline.meta.update(
        name=NAME,
        version="1.0.0",
        description="Sentences, parts of speech, lemmas, dependency trees and names of English.",
        license="Apache-2.0",
        # Paths of the machine that trained it, and scores that the card holds.
        performance={},
    )
    pipeline.config["paths"] = dict.fromkeys(pipeline.config["paths"])
    pipeline.to_disk(target)
    card = {
        "model": NAME,
        "command": "python -m training.parser",
        "licence": "Apache-2.0",
        "trained_on": {
            file: sha256_of(data / file) for files_of_split in TREEBANKS.values() for file in files_of_split
        },
        "licences_of_data": {"ud_ewt": "CC BY-SA 4.0", "gum": "CC BY (the genres that are)"},
        "seed": pipeline.config["system"]["seed"],
        "dev": {name: round(value, 4) for name, value in sorted(scores.items()) if isinstance(value, float)},
    }
    write_card(target, card)


if __name__ == "__main__":
    main()
