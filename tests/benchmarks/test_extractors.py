from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.claim_readers import reader_of
from benchmarks.extractors import LOCAL, Reading, Shown, Told, agreed, figures_of
from benchmarks.judged_claims import RIGHT, Place
from benchmarks.report_passages import LENGTH, Passage, drawn, passages_of
from language.sentences import SentenceReader

REPORTS = Path(__file__).parents[3] / "shared" / "data" / "reports"
START = 100
PASSAGE = Passage("a.txt", START, "The pump failed because its bearing was worn. The crew left the ship.")
OTHER = Passage("b.txt", 0, "The crew left the ship.")
WORN = Place("a.txt", "CAUSES", f"{START + 24}-{START + 44}", f"{START}-{START + 15}", "affirmed", "actual")
TURNED = WORN._replace(cause=WORN.effect, effect=WORN.cause)


def told(claims: dict[Place, str]) -> Told:
    return Told(claims, {"doubtful": 3, "not_a_verb": 2}, 1.0, {"calls": 2}, 0)


@pytest.mark.shared_data
def test_passages_are_five_sentences_of_prose_each_of_another_report() -> None:
    if not REPORTS.exists():
        pytest.skip("the labelled data is not there")
    passages = drawn(REPORTS, 4, seed=1)
    assert passages == drawn(REPORTS, 4, seed=1)
    assert passages != drawn(REPORTS, 4, seed=2)
    assert len({passage.document for passage in passages}) == 4
    for passage in passages:
        sentences = SentenceReader().read(passage.text)
        assert len(sentences) == LENGTH
        assert all(sentence.prose for sentence in sentences)


def test_what_is_no_narrative_gives_no_passage(tmp_path: Path) -> None:
    told = "The crew of the second ship closed the upper valve. "
    rule = "The crew of any ship must always close the valve. "
    report = tmp_path / "report.txt"
    report.write_text("# Part\n\n" + told * 3 + rule * 2 + "\n\nPage 7\n\n" + rule * 9, "utf-8")
    (passage,) = passages_of(report)
    assert passage.text == (told * 3 + rule * 2).strip()
    assert report.read_text("utf-8")[passage.start :].startswith(passage.text)


def test_claims_are_told_by_where_they_stand_in_the_report(tmp_path: Path) -> None:
    reading = Reading([PASSAGE, OTHER], tmp_path)
    for found in (reading.by("rules", reader_of("rules")), reading.by_settings(LOCAL)):
        assert list(found.claims) == [WORN]
        assert found.faults == 0
        assert not found.spent
    assert reading.shown == {
        WORN: Shown("The pump failed because its bearing was worn.", "its bearing was worn", "The pump failed")
    }


def test_what_the_model_and_another_found_is_agreed() -> None:
    found = {WORN: "rules-1+heads-1+llm-1", TURNED: "llm-1", WORN._replace(modality="possible"): "rules-1+heads-1"}
    assert list(agreed(told(found)).claims) == [WORN]


def test_figures_count_what_was_judged_right() -> None:
    verdicts = {WORN: RIGHT, TURNED: "direction"}
    ways = {"one": told({WORN: "rules-1", TURNED: "rules-1"}), "none": told({})}
    figures = figures_of(ways, [PASSAGE, OTHER], verdicts)
    assert figures["claims told"] == ["2", "0"]
    assert figures["of them right"] == ["1", "0"]
    assert figures["precision"] == ["0.500 (0.000 to 0.500)", "-"]
    assert figures["passages with a claim"] == ["1", "0"]
    assert figures["left out: less likely than the strictness asks"] == ["3", "3"]
    assert figures["cues without a claim, for other reasons"] == ["2", "2"]
    assert figures["calls"] == ["2", "2"]
