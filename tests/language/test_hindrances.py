"""What acts against a happening, and what it only did, does not bring it about."""

import pytest

from language.hindrances import only_hinders, tells_what_it_did


@pytest.mark.parametrize(
    ("cause", "happening", "hinders"),
    [
        ("the sprinklers failed", "the fire", True),
        ("firefighters", "the fire at Orn", True),
        ("the fire alarm was off", "the fire", True),
        ("a candle", "the fire", False),
        ("the sprinklers", "the flood of the cellar", False),
        ("the pump", "the flood of the cellar", True),
        ("the pump failed", "the flood of the cellar", False),
        ("the failure of the dyke", "the flood", False),
        ("heavy rain", "the flood", False),
    ],
)
def test_what_fights_a_happening_hinders_it(cause: str, happening: str, hinders: bool) -> None:
    assert only_hinders(cause, happening) is hinders


@pytest.mark.parametrize(
    ("effect", "happening", "did"),
    [
        ("the fire spread through the hall", "the fire", True),
        ("the fire destroyed the hall", "the fire", True),
        ("the fire broke out in the hall", "the fire", False),
        ("the fire", "the fire", False),
        ("the whole village flooded", "the village flood", False),
        ("the hall was destroyed", "the destruction of the hall", False),
    ],
)
def test_what_a_happening_did_is_not_that_it_came_about(effect: str, happening: str, did: bool) -> None:
    assert tells_what_it_did(effect, happening) is did
