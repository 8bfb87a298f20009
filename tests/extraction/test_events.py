"""Mentions: what happened, to whom, where and when."""

from __future__ import annotations

import pytest

from extraction.causes import ClaimReader
from extraction.events import head_of, incident_of
from kg.records import Mention
from language.clauses import Clauses
from language.sentences import SentenceReader

SENTENCES = SentenceReader()


def mentions(text: str) -> dict[str, Mention]:
    found = ClaimReader().read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)
    return {mention.text: mention for mention in found.mentions}


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("the failure of gauge G7", "failure"),
        ("gauge G7 failed", "failed"),
        ("gauge G7 had not been working", "working"),
        ("the tank to overflow", "overflow"),
        ("the car from falling into the river", "falling"),
        ("entering the crossover at speed", "entering"),
        ("a fire broke out in the hold", "fire"),
        ("there was an explosion", "explosion"),
        ("the pump suffered a failure", "failure"),
        ("the pump, which had been installed in 2012, failed", "failed"),
        ("a series of explosions", "explosions"),
        ("the track was wet", "wet"),
        ("the valve", "valve"),
        ("killing three workers", "killing"),
    ],
)
def test_the_word_that_names_the_happening(text: str, head: str) -> None:
    (sentence,) = SENTENCES.read(text)
    clauses = Clauses(sentence)
    assert clauses.words[head_of(clauses, (0, len(clauses.tokens)))] == head


def test_noun_and_verb_of_one_happening_have_one_kind() -> None:
    noun = mentions("The failure of gauge G7 caused a flood.")["The failure of gauge G7"]
    verb = mentions("The gate opened because gauge G7 failed.")["gauge G7 failed"]
    assert noun.kind == verb.kind
    assert set(noun.participants) & set(verb.participants) == {"gauge", "g7"}


def test_polarity_belongs_to_the_mention() -> None:
    found = mentions("The alarm did not sound because the battery was flat.")
    assert found["The alarm did not sound"].polarity.value == "negated"
    assert found["the battery was flat"].polarity.value == "affirmed"


def test_what_was_averted_never_was() -> None:
    assert mentions("The interlock prevented a fire.")["a fire"].modality.value == "hypothetical"


def test_the_goal_of_a_plan_is_planned() -> None:
    found = mentions("The valve was closed to prevent a fire.")
    assert found["a fire"].modality.value == "planned"
    assert found["The valve was closed"].modality.value == "actual"


def test_participants_are_sorted_and_without_the_head() -> None:
    span = "The collision of the tug with the barges"
    found = mentions(f"{span} caused a spill.")[span]
    assert found.lemma == "collision"
    assert found.participants == ("barge", "tug")


def test_place() -> None:
    assert mentions("The fire at Westfield was caused by a leak.")["The fire at Westfield"].place == "Westfield"
    assert mentions("The fire in March was caused by a leak.")["The fire in March"].place is None


def test_a_time_belongs_to_the_argument_it_stands_in() -> None:
    found = mentions("The gauge froze on 5 February 2014, which caused a flood on 7 February 2014.")
    assert found["The gauge froze on 5 February 2014"].time_start == "2014-02-05T00:00:00Z"
    assert found["a flood on 7 February 2014"].time_start == "2014-02-07T00:00:00Z"
    found = mentions("The gauge failed because the valve had frozen on 5 February 2014.")
    assert found["the valve had frozen on 5 February 2014"].time_start == "2014-02-05T00:00:00Z"
    assert found["The gauge failed"].time_start is None


def test_the_only_time_of_a_sentence_goes_to_both() -> None:
    found = mentions("On 5 February 2014, a leak caused a fire.")
    assert {mention.time_start for mention in found.values()} == {"2014-02-05T00:00:00Z"}


@pytest.mark.parametrize(
    ("text", "incident"),
    [
        ("INC-1042 was caused by a leak.", "INC-1042"),
        ("Inquiry RO -2014 -102 dealt with it.", "RO-2014-102"),
        ("See report 10-009 of the Commission.", "10-009"),
        ("The Boeing 737-800 landed at 1042.", None),
        ("The locomotive DL-6600 derailed.", None),
    ],
)
def test_incident_numbers(text: str, incident: str | None) -> None:
    assert incident_of(text) == incident


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("On 3 May a fault caused a blackout.", {"a fault": "3 May", "a blackout": "3 May"}),
        ("On Monday, at 8:40, a fault caused a blackout.", {"a blackout": "On Monday, at 8:40"}),
        ("A fault caused a blackout on 3 May.", {"A fault": None, "a blackout on 3 May": None}),
        ("On 3 May the mayor said that a fault had caused a blackout.", {"a fault": None, "a blackout": None}),
        ("On 3 May 2019 a fault caused a blackout.", {"a blackout": None}),
        ("By 3 May a fault had caused a blackout.", {"a blackout": None}),
        ("On 3 May, on 4 May and on 7 May a fault caused a blackout.", {"a blackout": None}),
        (
            "The bridge closed after rain had fallen in the hills, on the road and in Riga on 3 May.",
            {"The bridge closed": None},
        ),
        ("On 3 May a fire closed the bridge because ice had formed.", {"ice had formed": None}),
    ],
)
def test_the_time_beside_a_mention_is_that_of_its_own_clause(text: str, found: dict[str, str | None]) -> None:
    told = mentions(text)
    assert {name: told[name].time_words for name in found} == found
