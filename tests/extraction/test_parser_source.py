from __future__ import annotations

from pathlib import Path

import pytest
import spacy

from causetrail.errors import ModelMissing
from extraction import parser_source
from extraction.parser_source import load_trees, parser_fingerprint
from models.packaged_parser import PACKAGED, packaged_parser_fingerprint


def test_the_packaged_parser_by_its_name() -> None:
    trees = load_trees(PACKAGED)
    assert trees is not None and trees.fingerprint == packaged_parser_fingerprint()
    assert parser_fingerprint(PACKAGED) == packaged_parser_fingerprint()


def test_no_parser() -> None:
    assert load_trees("none") is None
    assert parser_fingerprint("none") == "none"


def test_auto_is_what_is_installed_or_the_packaged_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parser_source, "installed_parser", lambda: "spacy")
    assert parser_fingerprint("auto") == f"spacy-{spacy.__version__}"
    monkeypatch.setattr(parser_source, "installed_parser", lambda: None)
    trees = load_trees("auto")
    assert trees is not None and trees.fingerprint == parser_fingerprint("auto") == packaged_parser_fingerprint()


def test_a_pipeline_at_a_path_is_known_by_its_files(tmp_path: Path) -> None:
    assert parser_fingerprint(str(tmp_path)) == tmp_path.name
    (tmp_path / "meta.json").write_text("{}", "utf-8")
    (tmp_path / "parser").mkdir()
    (tmp_path / "parser" / "model").write_bytes(b"one")
    before = parser_fingerprint(str(tmp_path))
    (tmp_path / "parser" / "model").write_bytes(b"two")
    assert before != parser_fingerprint(str(tmp_path)) != tmp_path.name


def test_a_pipeline_that_is_not_there() -> None:
    with pytest.raises(ModelMissing):
        load_trees("en_no_such_pipeline")
