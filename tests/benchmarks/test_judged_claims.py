from __future__ import annotations

from pathlib import Path

from benchmarks.judged_claims import DRAWS, RIGHT, places_told, read_judgements
from causetrail import Causetrail


def test_each_draw_holds_its_claims_judged_once() -> None:
    judgements = read_judgements()
    assert len({one.place for one in judgements}) == len(judgements)
    for draw in DRAWS:
        assert sum(draw in one.draws for one in judgements) == (400 if draw == "study" else 100)
    assert {True, False} == {one.verdict == RIGHT for one in judgements}


def test_a_claim_is_found_again_by_where_its_arguments_stand(tmp_path: Path) -> None:
    with Causetrail(f"sqlite:///{tmp_path}/t.db") as trail:
        trail.ingest_text("The leak caused a fire.", "note.txt")
        (place,) = places_told(trail)
    assert place == ("note.txt", "CAUSES", "0-8", "16-22", "affirmed", "actual")
