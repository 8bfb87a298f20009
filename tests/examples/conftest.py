"""The example documents, read once for all tests that ask them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from causetrail import Causetrail

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def trails(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Causetrail]]:
    """The facade over each folder of them, by its name; only for reading."""
    store = f"sqlite:///{tmp_path_factory.mktemp('examples')}/examples.db"
    folders = sorted(one for one in EXAMPLES.iterdir() if one.is_dir())
    opened = {folder.name: Causetrail(store, collection=folder.name) for folder in folders}
    for folder in folders:
        opened[folder.name].ingest(folder)
    yield opened
    for trail in opened.values():
        trail.close()
