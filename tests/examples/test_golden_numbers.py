"""The size of what is found in the example corpus: a change here is a change of extraction, to be explained."""

from __future__ import annotations

from pathlib import Path

import pytest

from causetrail import Causetrail

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize(
    ("name", "documents", "claims", "events", "edges"),
    [("flood", 8, 13, 17, 13), ("outage", 11, 21, 30, 20), ("plant", 9, 25, 34, 25)],
)
def test_sizes_are_known(name: str, documents: int, claims: int, events: int, edges: int, tmp_path: Path) -> None:
    with Causetrail(f"sqlite:///{tmp_path}/{name}.db") as trail:
        trail.ingest(EXAMPLES / name)
        counts = trail.counts()

    assert (counts.documents, counts.claims, counts.events, counts.edges) == (documents, claims, events, edges)
