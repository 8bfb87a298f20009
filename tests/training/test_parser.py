from __future__ import annotations

import sys
from pathlib import Path

import pytest
import spacy

from models.weights_card import open_weights
from tests.training.test_treebanks import sentence
from training import parser
from training.parser import NAME, TREEBANKS

BANK = "".join(
    sentence(
        "1 The the DET 2 det Entity=(1-place-new",
        f"2 {name} {name} PROPN 3 nsubj Entity=1)",
        "3 leaked leak VERB 0 root SpaceAfter=No",
        "4 . . PUNCT 3 punct _",
        comments=(f"newdoc id = {name}",),
    )
    # As often as the parser wants to see a label before it learns it.
    for name in ["Arlen", "Basel", "Cork"] * 12
)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Treebanks of three sentences, again and again, under the names of the real ones."""
    folder = tmp_path / "data"
    for files in TREEBANKS.values():
        for file in files:
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_text(BANK, encoding="utf-8")
    return folder


@pytest.mark.slow
def test_one_command_makes_a_pipeline_with_its_card(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / NAME
    options = ["--data", str(data), "--steps", "2", "--output", str(target)]
    monkeypatch.setattr(sys, "argv", ["parser", *options])
    parser.main()
    card = open_weights(target).card
    assert card["model"] == NAME
    assert set(card["trained_on"]) == {file for files in TREEBANKS.values() for file in files}
    assert {"sents_f", "dep_las", "ents_f"} <= set(card["dev"])
    made = spacy.load(target)
    assert made.pipe_names == ["tok2vec", "senter", "tagger", "morphologizer", "trainable_lemmatizer", "parser", "ner"]
    assert str(tmp_path) not in (target / "config.cfg").read_text(encoding="utf-8")
    assert [token.text for token in made("The Arlen leaked.")] == ["The", "Arlen", "leaked", "."]
