"""Arguments that open and end with their clauses stand well; those cut out of a broken sentence do not."""

from __future__ import annotations

import pytest

from extraction import causes
from extraction.causes import ClaimReader
from extraction.doubts import DOUBT
from extraction.standing import doubted_below, features, standing
from extraction.statements import Located
from kg.records import Claim
from language.clauses import Clauses
from language.sentences import SentenceReader

SENTENCES = SentenceReader()
WELL = "The pump failed because its seal had leaked."
BADLY = (
    "The pilot sa id in the rep ort that the fl ight to the island of the south and the return on the same day of "
    "the month of May was li kely caused by rum our of the cr ew and the wind that was strong on the day was low."
)


def located(text: str, words: str) -> Located:
    """Words of a sentence as an argument."""
    (sentence,) = SENTENCES.read(text)
    start = text.index(words)
    inside = [place for place, token in enumerate(sentence.tokens) if start <= token.start < start + len(words)]
    return Located((inside[0], inside[-1] + 1), Clauses(sentence), 0)


def read(text: str) -> tuple[Claim, ...]:
    return ClaimReader().read("main", "d" + "0" * 24, SENTENCES.read(text), None, text).claims


def test_what_stands_well_and_what_does_not() -> None:
    well = standing("CAUSES", located(WELL, "its seal had leaked"), located(WELL, "The pump failed"))
    badly = standing("CAUSES", located(BADLY, "our of the cr"), located(BADLY, "day of the month of May was li"))
    assert badly < doubted_below() < well


def test_a_claim_whose_arguments_stand_badly_is_doubted(monkeypatch: pytest.MonkeyPatch) -> None:
    (well,) = read(WELL)
    text = (
        "On the fourth day of the long test in the old hall of the works in the north, as the crew of the night shift "
        "had told the manager of the works, the pump of the plant failed because the seal and the hose had leaked."
    )
    (badly,) = (one for one in read(text) if one.cue == "because")
    monkeypatch.setattr(causes, "standing", lambda *_: 1.0)
    (undoubted,) = (one for one in read(text) if one.cue == "because")
    assert badly.confidence == pytest.approx(undoubted.confidence * DOUBT, abs=1e-3)
    assert read(WELL) == (well,)


def test_every_point_of_the_scorecard_is_a_feature() -> None:
    told = features("BEFORE", located(WELL, "its seal had leaked"), located(WELL, "The pump failed"))
    assert told["order"] == told["effect_opens"] == told["cause_before_mark"] == told["cause_verb"] == 1
    assert told["across"] == told["broken"] == told["cause_opens"] == 0
