"""The English word forms of the SPECIALIST lexicon, as the package lemminflect carries them.

Only the two tables are read, not the package: importing it would import spaCy, which answering a question has no time
for. A table is loaded at its first use, in about a tenth of a second.
"""

from __future__ import annotations

import gzip
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from causetrail.errors import ModelMissing

_PACKAGE = "lemminflect"


def _table(name: str) -> list[list[str]]:
    spec = find_spec(_PACKAGE)
    folders = (spec.submodule_search_locations if spec else None) or []
    for folder in folders:
        path = Path(folder) / "resources" / name
        if path.is_file():
            lines = gzip.decompress(path.read_bytes()).decode("utf-8").split("\n")
            return [line.split(",", 2) for line in lines if line.count(",") >= 2]
    raise ModelMissing(
        model=f"{_PACKAGE}/{name}",
        reason="the package that carries the word forms is not complete",
        advice=f"Install it again with: pip install --force-reinstall {_PACKAGE}",
    )


@cache
def readings() -> dict[str, dict[str, str]]:
    """For each word form, in lower case, its base form by category: `noun`, `verb`, `adj`, `adv`, `aux` or `modal`.

    Where the lexicon gives several base forms of one category ("found": find, found) the first one stands.

    Raises:
        ModelMissing: the package that carries the table is not there.
    """
    found: dict[str, dict[str, str]] = {}
    for word, category, bases in _table("lemma_lu.csv.gz"):
        found.setdefault(word, {})[category] = bases.split("/", 1)[0]
    return found


@cache
def unchanged_pasts() -> frozenset[str]:
    """Verbs whose past tense or participle is the bare verb: cut, put, set, come, run.

    Raises:
        ModelMissing: the package that carries the table is not there.
    """
    found: set[str] = set()
    for word, category, forms in _table("infl_lu.csv.gz"):
        if category == "verb":
            past_and_participle = [form for cell in forms.split(",")[:2] for form in cell.split("/")]
            if word in past_and_participle:
                found.add(word)
    return frozenset(found)
