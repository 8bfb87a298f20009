"""Whether two tellings name different things as what did it."""

from __future__ import annotations

import pytest

from language.other_subjects import other_subject


@pytest.mark.parametrize(
    ("asked", "told", "other"),
    [
        ("buses stop", "Trains stopped", "bus"),
        ("the job fail", "the pump failed", "job"),
        ("the trains stop", "Trains stopped", ""),
        ("the train stop", "It stopped", ""),
        ("the train stop", "the old train of the mill stopped", ""),
        ("the failure of the pump", "the pump failed", ""),
    ],
)
def test_another_thing_did_it(asked: str, told: str, other: str) -> None:
    assert other_subject(asked, told) == other
