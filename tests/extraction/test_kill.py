"""An ingest that is killed at any moment and run again ends in the graph of one that nobody disturbed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from benchmarks.kill_ingest import Ingests

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
def test_killed_ingests_resume(tmp_path: Path) -> None:
    folders = [EXAMPLES / "plant"]
    undisturbed = Ingests(tmp_path, 1, folders)
    started = time.perf_counter()
    assert undisturbed.finish("undisturbed") == (0, 0)
    duration = time.perf_counter() - started
    expected = undisturbed.export("undisturbed")
    for jobs, share in ((1, 0.8), (2, 0.6)):
        name = f"killed-{jobs}"
        ingests = Ingests(tmp_path, jobs, folders)
        ingests.kill_after(name, duration * share)
        assert ingests.finish(name)[0] == 0
        assert ingests.export(name) == expected
