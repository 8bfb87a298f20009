"""An ingest that is killed at any moment and run again ends in the graph of one that nobody disturbed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from benchmarks.kill_ingest import Ingests

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_ingests_resume(tmp_path: Path, jobs: int) -> None:
    ingests = Ingests(tmp_path, jobs, [EXAMPLES / "flood", EXAMPLES / "plant"])
    started = time.perf_counter()
    failed, unchanged = ingests.finish("undisturbed")
    duration = time.perf_counter() - started
    assert (failed, unchanged) == (0, 0)
    expected = ingests.export("undisturbed")
    for moment in range(2):
        name = f"killed-{moment}"
        ingests.kill_after(name, duration * (moment + 0.5) / 2)
        assert ingests.finish(name)[0] == 0
        assert ingests.export(name) == expected
