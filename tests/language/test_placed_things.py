"""What stands behind a noun, or in front of a sentence, tells things apart."""

from __future__ import annotations

import pytest

from language.placed_things import tells_other_placed


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("the subway in Bremen shut down", "In Hamburg the subway was shut down"),
        ("the tax raised for children", "For adults, the tax was raised"),
        ("infections among patients fall", "Infections among staff fell"),
        ("the director of the library resign", "The director of the museum resigned"),
        ("the helicopter of the navy turn back", "The helicopter of the coast guard turned back"),
        ("the alloy crack in service", "In laboratory tests, the alloy cracked"),
        ("the company's shares fall", "The rivals' shares fell"),
        ("wildfires in New York", "Smoke from wildfires in Canada turned the sky over New York orange."),
    ],
)
def test_another_place_or_owner_is_another_thing(asked: str, told: str) -> None:
    assert tells_other_placed(asked, told)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("the subway in Hamburg shut down", "In Hamburg the subway was shut down"),
        ("the roof of the station collapse", "The roof collapsed"),
        ("the collapse of the bridge in Genoa", "The collapse of the bridge on Tuesday"),
        ("the dam burst in May", "In June the dam burst"),
        ("the fire at the depot", "In fact the fire started in a battery"),
        ("production of wheat fall", "Production of winter wheat fell"),
        ("the company's shares fall", "Its shares fell"),
    ],
)
def test_what_may_be_the_same_thing_is_not_told_apart(asked: str, told: str) -> None:
    assert not tells_other_placed(asked, told)
