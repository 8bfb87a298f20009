from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from spacy.language import Language

from causetrail.errors import ModelDamaged, ModelMissing
from models import packaged_parser as module
from models.packaged_parser import PACKAGED, packaged_parser, packaged_parser_fingerprint
from models.weights_card import WEIGHTS


@pytest.fixture(scope="module")
def parser() -> Language:
    return packaged_parser()


def test_it_reads_sentences_words_and_trees(parser: Language) -> None:
    doc = parser("The old pump failed because its seal was worn. Nobody had checked it.")
    first, second = doc.sents
    assert first.text == "The old pump failed because its seal was worn."
    assert second.root.lemma_ == "check"
    words = {word.text: word for word in first}
    assert (words["pump"].pos_, words["pump"].dep_, words["pump"].head.text) == ("NOUN", "nsubj", "failed")
    assert (words["worn"].dep_, words["worn"].head.text) == ("advcl", "failed")
    assert first.root.text == "failed"


def test_it_finds_names_when_it_is_asked_to() -> None:
    parser = packaged_parser()
    parser.enable_pipe("ner")
    names = {(name.text, name.label_) for name in parser("Maria Lopez flew from Paris to Madrid in May 2019.").ents}
    assert {("Maria Lopez", "PERSON"), ("Paris", "PLACE")} <= names


def test_its_parts_are_on_disk_and_those_that_nothing_reads_are_off(parser: Language) -> None:
    assert set(parser.disabled) == set(module.UNREAD)
    assert {"parser", "senter", "morphologizer", "trainable_lemmatizer"} <= set(parser.pipe_names)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / PACKAGED
    shutil.copytree(WEIGHTS / PACKAGED, folder)
    monkeypatch.setattr(module, "_DIRECTORY", folder)
    return folder


def test_a_changed_file_is_refused(copied: Path) -> None:
    with (copied / "parser" / "model").open("r+b") as file:
        file.seek(5000)
        file.write(b"\0\1\2\3")
    for attempt in (packaged_parser, packaged_parser_fingerprint):
        with pytest.raises(ModelDamaged, match=f"{PACKAGED}/parser/model"):
            attempt()


def test_files_that_this_spacy_cannot_read(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(*_: object, **__: object) -> None:
        raise ValueError("[E000] of the library")

    monkeypatch.setattr("spacy.load", unreadable)
    with pytest.raises(ModelMissing, match="constraints") as caught:
        packaged_parser()
    assert "E000" not in str(caught.value)


def test_the_fingerprint_changes_with_the_weights(copied: Path) -> None:
    before = packaged_parser_fingerprint()
    card = copied / "card.json"
    text = card.read_text("utf-8")
    extra = copied / "extra"
    extra.write_text("more", "utf-8")
    import hashlib

    digest = hashlib.sha256(b"more").hexdigest()
    card.write_text(text.replace('"sha256": {', f'"sha256": {{\n    "extra": "{digest}",', 1), "utf-8")
    assert before.startswith(PACKAGED)
    assert packaged_parser_fingerprint() != before
