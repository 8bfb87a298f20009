from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.kinds import is_event_noun, kind_names, kind_of, verb_behind


@pytest.mark.parametrize(
    ("lemmas", "kind"),
    [
        (["fail", "failure", "breakdown", "break down", "malfunction", "failing"], "failure"),
        (["derail", "derailment"], "derailment"),
        (["close", "closure", "shut", "closing"], "closure"),
        (["shutdown", "shut down"], "shutdown"),
        (["flood", "flooding", "inundation"], "flood"),
        (["collide", "collision"], "collision"),
        (["explode", "explosion", "blast"], "explosion"),
        (["overheat", "overheating"], "overheating"),
        (["rupture", "burst"], "rupture"),
        (["detach", "detachment"], "detachment"),
        (["decide", "decision"], "decision"),
        (["misconfigure", "misconfiguration"], "misconfiguration"),
        (["recover", "recovery"], "recovery"),
        (["interfere", "interference"], "interfere"),
        (["liquefy", "liquefying"], "liquefy"),
        (["occur", "occurrence"], "occur"),
        (["erode", "erosion"], "erosion"),
        (["respond", "response"], "respond"),
        (["submit", "submission"], "submit"),
        (["zorb"], "zorb"),
    ],
)
def test_words_of_one_kind(lemmas: list[str], kind: str) -> None:
    assert {lemma: kind_of(lemma) for lemma in lemmas} == dict.fromkeys(lemmas, kind)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("closure", "failure"),
        ("closure", "shutdown"),
        ("rise", "surge"),
        ("crash", "collision"),
        ("death", "injury"),
        ("warning", "alarm"),
    ],
)
def test_different_happenings_have_different_kinds(one: str, other: str) -> None:
    assert kind_of(one) != kind_of(other)


def test_nouns_of_happenings() -> None:
    happenings = [
        "failure",
        "outage",
        "derailment",
        "flooding",
        "rainfall",
        "liquefaction",
        "interference",
        "erosion",
        "bleeding",
    ]
    things = [
        "pump",
        "station",
        "building",
        "temperature",
        "signal",
        "equipment",
        "train",
        "wing",
        "morning",
        "information",
        "zorb",
    ]
    assert [noun for noun in happenings + things if is_event_noun(noun)] == [
        noun for noun in happenings if noun != "liquefaction"
    ]


def test_there_are_many_kinds_and_no_word_is_in_two() -> None:
    assert len(kind_names()) > 200
    for name in ("failure", "closure", "flood"):
        assert name in kind_names()


@given(st.text(max_size=30))
def test_any_word_has_a_kind(word: str) -> None:
    assert isinstance(kind_of(word), str)
    assert bool(kind_of(word)) == bool(word)
    assert is_event_noun(word) in (True, False)
    assert verb_behind(word) != ""
