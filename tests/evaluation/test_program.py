"""Records of two states of the program are told apart by the hash of what answers."""

import shutil
from importlib.resources import files
from pathlib import Path

import pytest

from evaluation import program
from evaluation.program import program_hash


@pytest.fixture
def rooms(tmp_path, monkeypatch):
    """Copies of the code and the tables of the rooms that answer, which may be changed."""

    def copied(room):
        folder = tmp_path / room
        if not folder.exists():
            shutil.copytree(Path(str(files(room))), folder, ignore=shutil.ignore_patterns("__pycache__", "weights"))
        return folder

    monkeypatch.setattr(program, "files", copied)
    return copied


def hash_now():
    return program_hash.__wrapped__()


def test_a_changed_rule_or_table_is_another_program(rooms):
    first = hash_now()
    assert hash_now() == first and len(first) == 64
    table = rooms("reasoning") / "wording.toml"
    table.write_text(table.read_text("utf-8").replace("yes", "Yes", 1), "utf-8")
    second = hash_now()
    (rooms("traversal") / "another.py").write_text("", "utf-8")
    assert len({first, second, hash_now()}) == 3


def test_what_python_keeps_beside_the_code_is_none_of_it(rooms):
    first = hash_now()
    kept = rooms("language") / "__pycache__"
    kept.mkdir()
    (kept / "tokens.pyc").write_bytes(b"kept")
    assert hash_now() == first
