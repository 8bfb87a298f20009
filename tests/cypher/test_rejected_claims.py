"""The queries of docs/cypher.md about rejected claims say the same on both stores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from causetrail import Causetrail
from causetrail.settings import load_settings
from tests.neo4j.server import Neo4jTestServer

PAGE = (Path(__file__).parents[2] / "docs" / "cypher.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## Rejected claims")[1].split("\n## ")[0]
REJECTED, COUNTED = re.findall(r"```cypher\n(.*?)```", SECTION, re.DOTALL)
FIRST, SECOND = "The footbridge was closed because the river rose.", "The pump failed because the valve jammed."


@pytest.fixture(params=["sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j)])
def trail(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Causetrail]:
    settings = load_settings(store=f"sqlite:///{tmp_path}/trail.db")
    if request.param == "neo4j":
        server: Neo4jTestServer = request.getfixturevalue("neo4j_server")
        server.wipe()
        settings = load_settings(store=server.address, neo4j_user=server.user, neo4j_password=server.password)
    with Causetrail(settings=settings) as trail:
        for collection in ("main", "other"):
            trail.within(collection).ingest_text(f"{FIRST} {SECOND}", "note.txt")
        yield trail


def test_a_rejected_claim_is_seen_through_its_decision(trail: Causetrail) -> None:
    both = [(FIRST, "CAUSES"), (SECOND, "CAUSES")]
    assert (trail.cypher(REJECTED).rows, trail.cypher(COUNTED).rows) == ((), tuple(both))
    claims = {claim.quote: claim.id for claim in trail.claims()}
    undone = trail.reject_claim(claims[SECOND], reason="a mistake", by="bob")
    trail.undo(undone.id)
    decision = trail.reject_claim(claims[FIRST], reason="a rumour", by="ann")
    assert trail.cypher(REJECTED).rows == ((FIRST, "ann", decision.at, "a rumour"),)
    assert trail.cypher(COUNTED).rows == ((SECOND, "CAUSES"),)
    other = trail.within("other")
    assert (other.cypher(REJECTED).rows, other.cypher(COUNTED).rows) == ((), tuple(both))
