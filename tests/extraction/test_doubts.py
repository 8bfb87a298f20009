"""What speaks against a claim: the cue means something else, or an argument was cut wrongly."""

from __future__ import annotations

import pytest

from extraction import causes
from extraction.causes import ClaimReader, Found
from extraction.doubts import DOUBT
from kg.records import Claim
from language.cues import cue_table
from language.sentences import SentenceReader

CLAIMS, SENTENCES = ClaimReader(), SentenceReader()


def read(text: str) -> Found:
    return CLAIMS.read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)


def told(text: str, cue: str) -> list[Claim]:
    return [claim for claim in read(text).claims if claim.cue == cue]


@pytest.mark.parametrize(
    ("cue", "refused", "taken"),
    [
        ("then", "If the pump fails, then the tank overflowed.", "The pump failed, then the tank overflowed."),
        (
            "before",
            "The train stopped 320 m before the derailment.",
            "The train stopped two weeks before the derailment.",
        ),
        ("after", "The ship left after 1330 as planned.", "The ship left after the storm as planned."),
        ("permitted", "The maximum permitted speed was exceeded.", "The rule permitted speed."),
        ("as", "The crew braked, as they had done.", "The crew braked, as the signal had failed."),
        ("due to", "The drag was larger than that due to the failure of the pump.", "The ship sank due to a storm."),
        (
            "because",
            "The board will not refrain from telling the cause because blame may follow.",
            "The board will not tell the cause because blame may follow.",
        ),
        ("after", "This was 51 seconds after the collision.", "This was known after the collision."),
        (
            "following",
            "It was clear that he was closely following another train.",
            "It was clear that he was there following another accident.",
        ),
        ("before", "The pilot skipped the before-landing checklist.", "The pilot skipped the checks before landing."),
        (
            "after that",
            "The order was issued. After that date the check was done.",
            "The order was issued. After that, the check was done.",
        ),
        (
            "as a result of",
            "No new claims were made as a result of the inquiry.",
            "New claims were made as a result of the inquiry.",
        ),
        (
            "before",
            "That nobody had used it before was a surprise.",
            "Nobody had used it before the accident was seen.",
        ),
        (
            "since",
            "Since this accident Acme has changed its rules, but the old name is used.",
            "Since this worn hose has leaked, the valve is closed.",
        ),
        ("allowed", "The ship was a vessel allowed to sail near the coast.", "The rule allowed the vessel to sail."),
        ("derailed", "The crew had to hold derailed wagons.", "The explosion derailed wagons."),
        ("derailed", "The collapse derailed to the right of it.", "The collapse derailed the train."),
        (
            "since",
            "It is inappropriate that the report is used in court, since the inquiry was closed.",
            "It is known that the report is used in court, since the inquiry was closed.",
        ),
    ],
)
def test_a_cue_that_means_something_else_is_refused(cue: str, refused: str, taken: str) -> None:
    assert told(refused, cue) == []
    assert read(refused).rejected["other_meaning"] >= 1
    assert told(taken, cue)


@pytest.mark.parametrize(
    ("cue", "text"),
    [
        ("because", "The crew had to refrain from smoking because a gas leak was detected."),
        ("because", "It was 40 degrees in the hall because the cooling had failed."),
        ("as", "The road was closed, as repairs done in May had failed."),
        ("after", "The bridge was closed after 2011 floods."),
        ("after", "The house was closed after -20 degree temperatures burst its pipes."),
        ("after that", "The dam broke. After that power was lost in the city."),
        ("since", "Since the flood defences failed, the town was flooded."),
        ("since", "Since the storm damage was severe, the school closed."),
        ("as a result of", "No trains ran as a result of the storm."),
        ("following", "Service was back following the outage."),
        ("damaged", "Overheating damaged the engine."),
        ("destroyed", "Heavy shelling destroyed the bridge."),
        ("destroyed", "The flood destroyed over 200 houses."),
    ],
)
def test_what_only_looks_like_another_meaning_is_taken(cue: str, text: str) -> None:
    assert told(text, cue)


@pytest.mark.parametrize(
    ("cue", "doubtful"),
    [
        ("prevented", "Poor contact between the bridge and engine room could have prevented the rescue."),
        ("prevented", "Overriding the engine to steady the course of the ship could have prevented the grounding."),
        ("because", "The train did not slow after it landed, because the brake was worn."),
        ("caused", "The most significant factor caused a delay."),
        ("caused", "It was considered, causing a delay."),
        ("therefore", "Although it rained the wind fell. Therefore, the match was played."),
        ("because of", "Because of heavy rain and strong wind the match was stopped."),
        ("before", "They were asked to look at the trim before the departure."),
        ("prevented", "The network that relies on people to prevent accidents will be at risk."),
        ("allowed", "The gates must not be opened to allow the truck to pass."),
        ("therefore", "It was late. The ship had the other on its right and was therefore in the wrong."),
        ("due to", "The train stopped due to a broken rail was late."),
        ("therefore", 'The desks were considered to be "essential services". Therefore, a generator was fitted.'),
        ("because", "It was important that the crew read it correctly, because the text was short."),
    ],
)
def test_an_argument_that_was_cut_wrongly_makes_a_claim_doubtful(
    cue: str, doubtful: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(causes, "standing", lambda *_: 1.0)
    (claim,) = told(doubtful, cue)
    listed = next(one.confidence for one in cue_table().cues if one.text == cue)
    assert claim.confidence <= round(listed * DOUBT, 4)


@pytest.mark.parametrize(
    ("text", "polarity", "modality"),
    [
        ("There was no barrier to prevent the fall.", "negated", "planned"),
        ("There were no faults or defects that caused the crash.", "negated", "actual"),
        ("There was no fuel in the tank, which caused the engine to stop.", "affirmed", "actual"),
        ("There was no guard rail, which led to the fall.", "affirmed", "actual"),
        ("There were no lights, and this caused the collision.", "affirmed", "actual"),
        ("There was no warning, allowing the fire to spread.", "affirmed", "actual"),
        ("The likelihood of a derailment caused a delay.", "affirmed", "possible"),
        ("The chance meeting led to the arrest.", "affirmed", "actual"),
        ("The loss of chance caused distress.", "affirmed", "actual"),
        ("The pump should have stopped the flow and allowed the repair.", "affirmed", "hypothetical"),
        ("The pump had stopped the flow and allowed the repair.", "affirmed", "actual"),
    ],
)
def test_what_acts_is_denied_or_only_a_chance(text: str, polarity: str, modality: str) -> None:
    found = CLAIMS.read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)
    claim = found.claims[-1]
    assert (claim.polarity.value, claim.modality.value) == (polarity, modality)
