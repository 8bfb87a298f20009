from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import pytest
import spacy
from spacy.language import Language
from spacy.tokens import Doc

from causetrail.errors import ModelMissing
from language.parsers import installed_parser, load_installed
from language.sentences import SentenceReader

TREE = {
    # token: lemma, part of speech, dependency, distance to its head
    "The": ("the", "DET", "det", 1),
    "pump": ("pump", "NOUN", "nsubj", 1),
    "failed": ("fail", "VERB", "ROOT", 0),
    "quickly": ("", "ADV", "advmod", -1),
    ".": (".", "PUNCT", "punct", -1),
}


@Language.component("tree_by_hand")
def tree_by_hand(doc: Doc) -> Doc:
    words = [TREE.get(token.text, ("", "SPACE", "dep", 0)) for token in doc]
    return Doc(
        doc.vocab,
        words=[token.text for token in doc],
        spaces=[bool(token.whitespace_) for token in doc],
        lemmas=[lemma for lemma, *_ in words],
        pos=[pos for _, pos, *_ in words],
        deps=[dep for _, _, dep, _ in words],
        heads=[index + distance for index, (*_, distance) in enumerate(words)],
    )


@pytest.fixture
def parser() -> Language:
    made = spacy.blank("en")
    made.add_pipe("tree_by_hand", name="parser")
    return made


def test_sentences_of_a_parser(parser: Language) -> None:
    text = "The pump\nfailed quickly. The pump failed.\n"
    first, second = SentenceReader(parser).read(text)
    assert [(token.text, token.lemma, token.pos, token.dep, token.head) for token in first.tokens] == [
        ("The", "the", "DET", "det", 1),
        ("pump", "pump", "NOUN", "nsubj", 2),
        ("failed", "fail", "VERB", "ROOT", 2),
        ("quickly", "quickly", "ADV", "advmod", 2),
        (".", ".", "PUNCT", "punct", 3),
    ]
    assert [text[token.start : token.end] for token in second.tokens] == ["The", "pump", "failed", "."]
    assert [token.head for token in second.tokens] == [1, 2, 2, 2]


def test_the_fingerprint_names_the_parser(parser: Language) -> None:
    assert SentenceReader(parser).fingerprint != SentenceReader().fingerprint


def test_auto_takes_the_largest_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    for folder, found in (
        ("numpy-2.0.0", None),
        ("en_core_web_sm-3.8.0", "en_core_web_sm"),
        ("en_core_web_lg-3.8.0", "en_core_web_lg"),
        ("en_core_web_md-3.8.0", "en_core_web_lg"),
    ):
        (tmp_path / f"{folder}.dist-info").mkdir()
        (tmp_path / f"{folder}.dist-info" / "METADATA").write_text(f"Name: {folder.rpartition('-')[0]}\n", "utf-8")
        importlib.invalidate_caches()
        assert installed_parser() == found


def test_a_pipeline_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelMissing, match="en_no_such_pipeline"):
        load_installed("en_no_such_pipeline")


def test_a_pipeline_without_a_parser_is_refused(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(ModelMissing, match="no parser"):
        load_installed(str(tmp_path / "blank"))


def test_a_damaged_pipeline_is_refused(tmp_path: Path) -> None:
    spacy.blank("en").to_disk(tmp_path / "damaged")
    (tmp_path / "damaged" / "config.cfg").write_text("[nlp]\nlang = ", "utf-8")
    (tmp_path / "damaged" / "meta.json").write_text("{", "utf-8")
    with pytest.raises(ModelMissing):
        load_installed(str(tmp_path / "damaged"))


def test_looking_for_a_parser_does_not_import_spacy() -> None:
    program = (
        "import sys; from language.parsers import installed_parser; installed_parser(); print('spacy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
