"""The rules about who may import whom hold, and each of them is broken by an import that it forbids."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = (
    *("api", "evaluation", "causetrail", "reasoning", "extraction", "traversal", "kg", "language", "models"),
    *("training", "benchmarks"),
)
LINT = Path(sys.executable).with_name("lint-imports")


def broken(folder: Path) -> list[str]:
    """The contracts that the sources in a folder break."""
    done = subprocess.run(
        [LINT, "--no-cache"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Contracts: " in done.stdout, done.stdout + done.stderr
    return [line.partition(" BROKEN")[0] for line in done.stdout.splitlines() if " BROKEN" in line]


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A copy of all rooms."""
    for room in ROOMS:
        shutil.copytree(
            ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("weights", "__pycache__", "results")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_contracts_hold(sources: Path) -> None:
    assert broken(sources) == []


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("traversal/deadline.py", "import reasoning.draft", "The rooms, from the doors down"),
        ("extraction/passages.py", "import reasoning.draft", "The rooms, from the doors down"),
        ("kg/pages.py", "import language.tokens", "The rooms, from the doors down"),
        ("reasoning/draft.py", "import api.options", "The rooms, from the doors down"),
        ("causetrail/facade.py", "import evaluation.runs", "The rooms, from the doors down"),
        ("causetrail/settings.py", "import kg.records", "Errors, settings and spending stand below everything"),
        ("language/tokens.py", "import causetrail.parts", "Only the doors and the measuring use the facade"),
        ("api/options.py", "import traversal.chains", "The doors know only the facade, records and reports"),
        ("api/options.py", "import kg.sqlite_store", "The doors know only the facade, records and reports"),
        ("api/options.py", "import causetrail.parts", "The doors know only the facade, records and reports"),
        ("extraction/passages.py", "import traversal.chains", "Extraction knows nothing of traversal"),
        ("kg/pages.py", "import training", "Nothing imports training or benchmarks"),
        ("reasoning/draft.py", "import rich", "Web and terminal libraries stay in the doors"),
        ("reasoning/draft.py", "import apsw", "Only the graph speaks to the database"),
        ("extraction/passages.py", "import tokenizers", "Only models runs networks"),
        ("reasoning/draft.py", "import xllamacpp", "Only models runs networks"),
    ],
)
def test_a_forbidden_import_breaks_its_contract(sources: Path, file: str, line: str, contract: str) -> None:
    with (sources / file).open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    assert any(name.startswith(contract) for name in broken(sources))
