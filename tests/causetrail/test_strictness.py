from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from causetrail import Causetrail
from causetrail.settings import load_settings
from extraction.strictness import STRICTNESS

EXAMPLES = Path(__file__).parents[2] / "examples"
TEXT = """\
The pump failed because its seal had leaked. The gale was strong, and the quay was dark.
The strike left many trains cancelled, and the late report meant a delay.
"""


def claims_at(store: str, strictness: str) -> set[str]:
    with Causetrail(store, settings=load_settings(strictness=strictness)) as trail:
        trail.ingest(EXAMPLES / "plant")
        trail.ingest_text(TEXT, "note.txt")
        return {claim.id for claim in trail.claims()}


def test_a_looser_point_takes_all_that_a_stricter_one_takes_and_more(tmp_path: Path) -> None:
    taken = [claims_at(f"sqlite:///{tmp_path}/{point}.db", point) for point in STRICTNESS]
    assert all(stricter <= looser for stricter, looser in pairwise(taken))
    assert len(taken[0]) < len(taken[-1])


def test_a_store_that_is_read_at_another_point_is_that_of_a_fresh_ingest(tmp_path: Path) -> None:
    store, fresh = f"sqlite:///{tmp_path}/changed.db", f"sqlite:///{tmp_path}/fresh.db"
    claims_at(store, "strict")
    assert claims_at(store, "generous") == claims_at(fresh, "generous")


@pytest.mark.parametrize(("before", "then"), [("precise", "generous"), ("generous", "precise")])
def test_a_rejection_stands_at_another_point(before: str, then: str, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/trail.db"
    with Causetrail(store, settings=load_settings(strictness=before)) as trail:
        trail.ingest_text(TEXT, "note.txt")
        claim = next(claim for claim in trail.claims() if claim.cue == "because")
        trail.reject_claim(claim.id, reason="a rumour")
    with Causetrail(store, settings=load_settings(strictness=then)) as trail:
        trail.ingest_text(TEXT, "note.txt")
        assert [one.id for one in trail.claims() if one.rejected] == [claim.id]
