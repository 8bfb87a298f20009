"""When a happening was by another sentence: only what is dated beyond doubt, of one happening, counts."""

from __future__ import annotations

import pytest

from language.told_dates import ToldDates

FOUND = "The oil leak was found on 12 July."
CAUSED = "The storm caused the oil leak."
STORM, LEAK = "The storm", "the oil leak"


def _read(text: str, stated: str) -> tuple[ToldDates, tuple[int, int]]:
    start = text.index(stated)
    return ToldDates(text, 0, None), (start, start + len(stated))


@pytest.mark.parametrize(
    ("told", "date"),
    [
        ("On 15 July a storm hit the coast.", "15 July"),
        ("On 15 July a storm hit.", "15 July"),
        ("A storm struck the coast on 15 July.", "15 July"),
        ("On 15 July there was a storm on the coast.", "15 July"),
        ("Three days later a storm reached the coast.", "Three days later"),
        # It may have begun before.
        ("The storm ended on 15 July.", None),
        ("A storm was noticed on 15 July.", None),
        ("A storm hit the coast, and on 15 July it ended.", None),
        # It is not told as a fact.
        ("A storm was expected on 15 July.", None),
        ("A storm may have hit the coast on 15 July.", None),
        ("On 15 July no storm hit the coast.", None),
        # It is not that happening.
        ("The report on the storm began on 15 July.", None),
        ("On 15 July an earlier storm was forgotten.", None),
        # There are several.
        ("A storm hit on 10 July. On 15 July a second storm hit the coast.", None),
        ("A storm hit on 10 July. On 15 July a storm hit the coast.", None),
        ("On 10 July the storm was near. On 15 July a storm hit the coast.", None),
    ],
)
def test_a_cause_began_when_a_sentence_tells_that_it_came_about(told: str, date: str | None) -> None:
    dates, place = _read(f"{FOUND} {told} {CAUSED}", CAUSED)
    found = dates.of_cause(STORM, place)
    assert (found.words if found else None) == date


@pytest.mark.parametrize(
    ("told", "date"),
    [
        (FOUND, "12 July"),
        ("Divers found an oil leak on 12 July.", "12 July"),
        ("The oil leak was repaired on 12 July.", "12 July"),
        ("The oil leak was feared on 12 July.", None),
        ("The cleanup of the oil leak began on 12 July.", None),
        ("A leak was found on 12 July.", None),
        ("An oil leak was found on 10 July. Another oil leak was found on 12 July.", None),
        ("The oil leak was found again on 12 July.", None),
        ("The pipe was found on 12 July.", None),
    ],
)
def test_an_effect_had_begun_when_it_was_found(told: str, date: str | None) -> None:
    dates, place = _read(f"{told} {CAUSED}", CAUSED)
    found = dates.of_effect(LEAK, place)
    assert (found.words if found else None) == date


def test_a_verb_dates_what_a_noun_names() -> None:
    stated = "The burst of the dam caused the flooding of the valley."
    dates, place = _read(f"The valley was flooded on 3 May. The dam at Orn burst on 5 May. {stated}", stated)
    cause, effect = dates.of_cause("The burst of the dam", place), dates.of_effect("the flooding of the valley", place)
    assert cause is not None and effect is not None
    assert (cause.words, effect.words) == ("5 May", "3 May")


def test_what_is_introduced_behind_is_another_happening() -> None:
    dates, place = _read(f"{FOUND} {CAUSED} On 15 July a storm hit the coast.", CAUSED)
    assert dates.of_cause(STORM, place) is None


def test_years_that_are_told_are_kept() -> None:
    text = f"The oil leak was found on 12 July 2020. On 15 July a storm hit the coast. {CAUSED}"
    dates, place = _read(text, CAUSED)
    cause = dates.of_cause(STORM, place)
    assert cause is not None
    assert (cause.interval.start[:10], cause.of_any_year) == ("2020-07-15", False)
