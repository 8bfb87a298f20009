"""Claims by rules: direction, bounds, polarity, modality, quotes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.causes import ClaimReader, Found
from kg.records import Claim, Mention
from language.cues import Cue, cue_table
from language.sentences import SentenceReader

SENTENCES = SentenceReader()
CLAIMS = ClaimReader()
DOCUMENT = "d" + "0" * 24


def read(text: str) -> Found:
    return CLAIMS.read("main", DOCUMENT, SENTENCES.read(text), None, text)


def told(text: str) -> list[tuple[str, str, str, str, str]]:
    """Relation, cause, effect, polarity and modality of every claim of a text."""
    found = read(text)
    texts = {mention.id: mention.text for mention in found.mentions}
    return [
        (
            claim.relation.value,
            texts[claim.cause_mention],
            texts[claim.effect_mention],
            claim.polarity.value,
            claim.modality.value,
        )
        for claim in found.claims
    ]


@pytest.mark.parametrize("cue", cue_table().cues, ids=lambda cue: cue.text)
def test_every_example_of_the_cue_table_is_read_as_it_says(cue: Cue) -> None:
    assert (cue.relation, cue.cause, cue.effect, cue.polarity, cue.modality) in told(cue.example)


AFFIRMED = [
    ("It was because of ice that the gate jammed.", "ice", "the gate jammed"),
    ("The gauge failed because its float was jammed by ice.", "its float was jammed by ice", "The gauge failed"),
    ("The reason the bridge was closed was ice.", "ice", "the bridge was closed"),
    ("The loss of cooling led to the shutdown.", "The loss of cooling", "the shutdown"),
    ("The shutdown resulted from the loss of cooling.", "the loss of cooling", "The shutdown"),
    ("The locomotive derailed because it entered the crossover points at speed.",
     "it entered the crossover points at speed", "The locomotive derailed"),
    ("Because the track was wet, the wheels slipped.", "the track was wet", "the wheels slipped"),
    ("Due to the high wind the ferry did not sail.", "the high wind", "the ferry did not sail"),
    ("The alarm did not sound because the battery was flat.", "the battery was flat", "The alarm did not sound"),
    ("The failure to close the valve caused the tank to overflow.",
     "The failure to close the valve", "the tank to overflow"),
    ("A fire caused by an electrical fault spread quickly.", "an electrical fault", "A fire"),
    ("The fault that caused the outage was found on Monday.", "The fault", "the outage"),
    ("The truck braked hard, causing its load to shift.", "The truck braked hard", "its load to shift"),
    ("The captain, fearing a collision, turned to starboard, which caused the ship to heel.",
     "The captain, fearing a collision, turned to starboard", "the ship to heel"),
    ("The pump, which had been installed in 2012, failed because a bearing seized.",
     "a bearing seized", "The pump, which had been installed in 2012, failed"),
    ("The main cause of the fire was the failure of a bearing.", "the failure of a bearing", "the fire"),
    ("A broken axle was determined to be the root cause of the derailment.", "A broken axle", "the derailment"),
    ("The reason for the delay was that the crew had not arrived.", "the crew had not arrived", "the delay"),
    ("The outage was caused, in part, by a configuration change.", "a configuration change", "The outage"),
    ("The damage was so severe that the ship was scrapped.", "The damage was so severe", "the ship was scrapped"),
    ("The bolts overheated and failed, resulting in the loss of the propeller.",
     "The bolts overheated and failed", "the loss of the propeller"),
    ("The road was closed, so the ambulance took another route.",
     "The road was closed", "the ambulance took another route"),
    ("The tank overflowed and therefore the plant was shut down.", "The tank overflowed", "the plant was shut down"),
    ("Gate 2 opened fully because gauge G7 reported a falling level; G7 was later found dead.",
     "gauge G7 reported a falling level", "Gate 2 opened fully"),
    ("The Commission found that the train derailed because the rail was broken.",
     "the rail was broken", "the train derailed"),
    ("The investigation found that corrosion caused the leak.", "corrosion", "the leak"),
    ("It had a new engine and, because of its weight, the wing had to be stiffened.",
     "its weight", "the wing had to be stiffened"),
    ("The fault was not found because when the pump was opened, it was dry.",
     "the pump was opened, it was dry", "The fault was not found"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "cause", "effect"), AFFIRMED)
def test_cause_points_to_effect(text: str, cause: str, effect: str) -> None:
    assert ("CAUSES", cause, effect, "affirmed", "actual") in told(text)


def test_active_and_passive_point_the_same_way() -> None:
    (active,) = told("Corrosion caused leaks.")
    (passive,) = told("leaks were caused by Corrosion.")
    assert active == passive == ("CAUSES", "Corrosion", "leaks", "affirmed", "actual")


NEGATED = [
    ("The leak did not cause the fire.", "The leak", "the fire"),
    ("The fire was not caused by the leak.", "the leak", "The fire"),
    ("The crash was not due to pilot error.", "pilot error", "The crash"),
    ("The new policy never led to a strike.", "The new policy", "a strike"),
    ("Nor was there any wind that had caused the collision.", "any wind", "the collision"),
    ("The company denied that the cuts caused the accident.", "the cuts", "the accident"),
    ("It is false that the cuts caused the accident.", "the cuts", "the accident"),
    ("It is untrue that the cuts caused the accident.", "the cuts", "the accident"),
    ("It is wrong to say that the cuts caused the accident.", "the cuts", "the accident"),
    ("It is a myth that the cuts caused the accident.", "the cuts", "the accident"),
    ("Sabotage was ruled out as the cause of the explosion.", "Sabotage", "the explosion"),
    ("Investigators ruled out sabotage as the cause of the explosion.", "sabotage", "the explosion"),
    ("The update had nothing to do with the crash.", "The update", "the crash"),
    ("Weather was not a factor in the accident.", "Weather", "the accident"),
    ("The train stopped not because of the signal but because of a fallen tree.", "the signal", "The train stopped"),
    ("The cause of the outage was not the database but a full disk.", "the database", "the outage"),
    ("The delay was caused by the late crew rather than by the weather.", "the weather", "The delay"),
    (
        "There was no damage to the ship as a result of the collision.",
        "the collision",
        "There was no damage to the ship",
    ),
    (
        "The owner was never fined for the breach of the permit.",
        "the breach of the permit",
        "The owner was never fined",
    ),
]


@pytest.mark.parametrize(("text", "cause", "effect"), NEGATED)
def test_denied_claims_are_kept_as_denied(text: str, cause: str, effect: str) -> None:
    assert ("CAUSES", cause, effect, "negated", "actual") in told(text)


UNPROVEN = [
    ("There was no evidence that fatigue caused the collision.", "fatigue", "the collision"),
    ("There were no indications that the storm caused the collision.", "the storm", "the collision"),
    ("It was never proven that the cuts caused the accident.", "the cuts", "the accident"),
    ("It has not been shown that the cuts caused the accident.", "the cuts", "the accident"),
    ("There is insufficient evidence that fatigue caused the accident.", "fatigue", "the accident"),
    ("No evidence was found that fatigue caused the accident.", "fatigue", "the accident"),
    ("The cuts were not shown to cause the accident.", "The cuts", "the accident"),
    ("That the cuts caused the accident has never been proven.", "the cuts", "the accident"),
]


@pytest.mark.parametrize(("text", "cause", "effect"), UNPROVEN)
def test_what_nothing_shows_is_not_denied_as_a_fact(text: str, cause: str, effect: str) -> None:
    assert ("CAUSES", cause, effect, "negated", "possible") in told(text)


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        (
            "The train stopped not because of the signal but because of a fallen tree.",
            "a fallen tree",
            "The train stopped",
        ),
        ("The cause of the outage was not the database but a full disk.", "a full disk", "the outage"),
        ("The delay was caused by the late crew rather than by the weather.", "the late crew", "The delay"),
    ],
)
def test_what_stands_against_the_denied_cause_is_asserted(text: str, cause: str, effect: str) -> None:
    assert ("CAUSES", cause, effect, "affirmed", "actual") in told(text)


MODAL = [
    ("The storm might have caused the outage.", "possible"),
    ("The fire was probably caused by a short circuit.", "possible"),
    ("The short circuit possibly triggered the fire.", "possible"),
    ("A software fault is believed to have caused the outage.", "possible"),
    ("It is thought that a cigarette caused the blaze.", "possible"),
    ("The union claimed that the cuts led to the accident.", "possible"),
    ("Police suspect that arson caused the blaze.", "possible"),
    ("Some people say that arson caused the blaze.", "possible"),
    ("There is a rumour that arson caused the blaze.", "possible"),
    ("The most likely cause of the fire was the failure of a bearing.", "possible"),
    ("Contact with hot parts can cause burns.", "possible"),
    ("Warning: overheating may result in fire.", "possible"),
    ("The closure will lead to delays.", "planned"),
    ("The crew opened the valve in order to drain the tank.", "planned"),
    ("If the valve had failed, the tank would have overflowed because of the pressure.", "hypothetical"),
    ("The defect would have led to a collision.", "hypothetical"),
    ("Had the valve been open, the leak would have caused an explosion.", "hypothetical"),
    ("Operators should ensure that wear leads to an alarm.", "hypothetical"),
]


@pytest.mark.parametrize(("text", "modality"), MODAL)
def test_what_is_not_told_as_a_fact_is_not_actual(text: str, modality: str) -> None:
    assert [claim[4] for claim in told(text)] == [modality]
    assert [claim[3] for claim in told(text)] == ["affirmed"]


def test_hearsay_is_trusted_less_than_a_finding() -> None:
    (said,) = read("The owner said that the leak caused the fire.").claims
    (plain,) = read("The report said that the leak caused the fire.").claims
    assert said.modality.value == plain.modality.value == "actual"
    assert said.confidence < plain.confidence


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Did the leak cause the fire?", "question"),
        ("The cause of the fire was not established.", "unknown_cause"),
        ("He caused the accident.", "pronoun_without_antecedent"),
        ("As a result, the footbridge was closed.", "pronoun_without_antecedent"),
        ("The train was prevented from leaving.", "passive_without_agent"),
        ("Since 2004, the plant has been closed.", "other_meaning"),
        ("The police killed two dogs.", "doer"),
    ],
)
def test_a_cue_without_a_claim_is_counted_under_its_reason(text: str, reason: str) -> None:
    found = read(text)
    assert found.claims == ()
    assert found.rejected == {reason: 1}


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("After the train had passed the signal, the driver applied the brakes.",
         "the train had passed the signal", "the driver applied the brakes"),
        ("The engine stopped before the aircraft reached the runway.",
         "The engine stopped", "the aircraft reached the runway"),
        ("Following a collision with a truck, the tram derailed.", "a collision with a truck", "the tram derailed"),
        ("The explosion was followed by a fire.", "The explosion", "a fire"),
        ("The eruption was preceded by small earthquakes.", "small earthquakes", "The eruption"),
    ],
)  # fmt: skip
def test_order_in_time_is_before_and_never_causes(text: str, first: str, second: str) -> None:
    assert [claim[:3] for claim in told(text)] == [("BEFORE", first, second)]


@pytest.mark.parametrize(
    ("text", "relation", "cause", "effect"),
    [
        ("Poor lighting contributed to the collision.", "ENABLES", "Poor lighting", "the collision"),
        ("The open door allowed smoke to enter the cabin.", "ENABLES", "The open door", "smoke to enter the cabin"),
        ("The interlock prevented a second release of gas.", "PREVENTS", "The interlock", "a second release of gas"),
        ("A collision was prevented by the driver's action.", "PREVENTS", "the driver's action", "A collision"),
        ("The barrier stopped the car from falling.", "PREVENTS", "The barrier", "the car from falling"),
    ],
)
def test_enabling_and_preventing(text: str, relation: str, cause: str, effect: str) -> None:
    assert [claim[:3] for claim in told(text)] == [(relation, cause, effect)]


def test_an_infinitive_can_be_denied() -> None:
    claims = told("A ship that is obliged not to impede the passage.")
    assert ("PREVENTS", "A ship that is obliged", "the passage", "negated", "planned") in claims


def test_two_reasons_are_two_claims() -> None:
    effect = "Residents were angry"
    text = "Residents were angry because their homes had been flooded and because the council had ignored warnings."
    causes = ["their homes had been flooded", "the council had ignored warnings"]
    assert [claim[:3] for claim in told(text)] == [("CAUSES", cause, effect) for cause in causes]
    assert [claim[:3] for claim in told(text.replace("and because", "and"))] == [
        ("CAUSES", cause, effect) for cause in causes
    ]


def test_a_chain_in_one_sentence_goes_on_from_the_effect() -> None:
    text = "The dismissal sparked a strike, and this led to a shortage of coal."
    assert [claim[:3] for claim in told(text)] == [
        ("CAUSES", "The dismissal", "a strike"),
        ("CAUSES", "a strike", "a shortage of coal"),
    ]


def test_a_pronoun_stands_for_the_sentence_before_and_the_quote_holds_both() -> None:
    text = "The dam  released water.\nThis caused the river to rise. As a result, the footbridge was closed."
    found = read(text)
    assert [claim[:3] for claim in told(text)] == [
        ("CAUSES", "The dam  released water", "the river to rise"),
        ("CAUSES", "the river to rise", "the footbridge was closed"),
    ]
    assert [claim.quote for claim in found.claims] == [
        "The dam  released water.\nThis caused the river to rise.",
        "This caused the river to rise. As a result, the footbridge was closed.",
    ]
    assert all(claim.confidence < cue_table().cues[0].confidence for claim in found.claims)


def test_a_span_that_is_used_twice_is_one_mention() -> None:
    found = read("The leak caused a fire and led to an explosion.")
    assert len(found.claims) == 2
    assert found.claims[0].cause_mention == found.claims[1].cause_mention
    assert len(found.mentions) == 3


def test_a_long_argument_is_cut_or_rejected() -> None:
    text = "The ship sank because " + "the very old and rusty " * 12 + "hull broke."
    found = read(text)
    assert all(len(mention.text.split()) <= 31 for mention in found.mentions)


def test_the_version_names_the_tables() -> None:
    assert ClaimReader().version == CLAIMS.version
    assert CLAIMS.version.startswith("rules-1+")


PIECES = [
    "The pump failed",
    "because",
    "because of",
    "the valve",
    "did not",
    "cause",
    "caused by",
    "led to",
    "a fire",
    ".",
    ",",
    "?",
    "This",
    "As a result,",
    "which",
    "and",
    "therefore",
    "(see Figure 3)",
    "\n",
    "\n\n",
    "é́",
    "🚢",
    "\u202e",
    "not",
    "was",
    "the cause of",
    "so that",
    "after",
    "before",
    "rather than",
    "killed in",
    "to prevent",
    "without",
    "\t",
    "if",
    "INC-1042",
]


def check(text: str) -> None:
    found = read(text)
    mentions: dict[str, Mention] = {mention.id: mention for mention in found.mentions}
    for mention in found.mentions:
        assert text[mention.start : mention.end] == mention.text
        assert mention.sentence_start <= mention.start < mention.end <= mention.sentence_end
    claim: Claim
    for claim in found.claims:
        assert text[claim.start : claim.end] == claim.quote
        assert claim.cause_mention != claim.effect_mention
        for name in (claim.cause_mention, claim.effect_mention):
            assert claim.start <= mentions[name].start < mentions[name].end <= claim.end
        assert 0.05 <= claim.confidence <= 0.95
    assert found == read(text)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join))
def test_any_mixture_of_cues_gives_verbatim_quotes(text: str) -> None:
    check(text)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120))
def test_any_text_gives_verbatim_quotes(text: str) -> None:
    check(text)
