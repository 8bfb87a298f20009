"""A thing that its document names only behind what is told is not the one that is told of."""

from __future__ import annotations

import pytest

from language.named_kinds import kind_later

TRAM = "The tram hit a lorry because the driver had been dazzled by the sun. The lorry driver had a green light."
BOATS = "Because the station was undermanned, its boat launched late. The Fife boat launched at once."
TRIALS = "The trial was stopped early because the benefit was clear. A trial in children has been planned."
THEORY = "Physicists seek a theory of everything. A theory of everything would unify all forces."
BEFORE = "The lorry driver was tired. The tram hit a lorry because the driver had been dazzled by the sun."


@pytest.mark.parametrize(
    ("asked", "told", "whole", "later"),
    [
        ("the lorry driver be dazzled", TRAM.split(". ", maxsplit=1)[0], TRAM, "lorry driver"),
        ("the Fife boat launch late", BOATS.split(". ", maxsplit=1)[0], BOATS, "Fife boat"),
        ("the trial in children be stopped", TRIALS.split(". ", maxsplit=1)[0], TRIALS, "trial in children"),
        ("the trial be stopped", TRIALS.split(". ", maxsplit=1)[0], TRIALS, None),
        ("the lorry driver be dazzled", BEFORE.split(". ")[1], BEFORE, None),
        ("the driver be dazzled", TRAM.split(". ", maxsplit=1)[0], TRAM, None),
        ("models create a theory of everything", THEORY.split(". ", maxsplit=1)[0], THEORY, None),
        ("the lorry driver have a green light", TRAM.split(". ")[1], TRAM, None),
    ],
)
def test_what_is_named_only_behind_is_another_one(asked: str, told: str, whole: str, later: str | None) -> None:
    assert kind_later(asked, told, whole.index(told), whole) == later
