from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from models.relation_heads import NAME
from models.weights_card import WEIGHTS
from training import reproduce
from training.cards import write_card
from training.reproduce import compared, shares

TRAINING = Path(reproduce.__file__).parent
NO_MODELS = {"reproduce"}


def test_shares_are_what_a_card_tells_of_data_that_was_kept() -> None:
    card = {"seed": 0, "rate": 0.5, "on_held_out": {"f1": 0.7, "sentences": 30}, "on_development": {"f1": 0.6}}
    assert shares(card) == {"on_held_out: f1": 0.7, "on_development: f1": 0.6}
    assert compared({"one": 0.1, "other": 0.2}, {"other": 0.3, "new": 0.4}) == {"other": (0.2, 0.3)}


def training_that_gives(figures: dict[str, float]) -> object:
    """Stands for the training in a process of its own."""

    def run(command: list[str], *, check: bool) -> None:
        assert check
        assert command[1:3] == ["-m", "training.relation_heads"]
        folder = Path(command[command.index("--output") + 1])
        write_card(folder, {"model": NAME, "on_held_out": figures})

    return run


@pytest.mark.parametrize(("off", "message"), [(0.0, None), (0.009, None), (-0.011, "not reproduced")])
def test_a_head_is_reproduced_to_within_a_point(
    off: float, message: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stored = json.loads((WEIGHTS / NAME / "card.json").read_text("utf-8"))["on_held_out"]
    figures = {name: value + off if isinstance(value, float) else value for name, value in stored.items()}
    monkeypatch.setattr(subprocess, "run", training_that_gives(figures))
    monkeypatch.setattr(sys, "argv", ["reproduce", "relation_heads"])
    if message is None:
        reproduce.main()
        assert "sentences_brier" in capsys.readouterr().out
    else:
        with pytest.raises(SystemExit, match=message):
            reproduce.main()


def test_a_card_without_shares_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", training_that_gives({"sentences": 3}))
    monkeypatch.setattr(sys, "argv", ["reproduce", "relation_heads"])
    with pytest.raises(SystemExit, match="no share"):
        reproduce.main()


def test_every_script_that_makes_a_model_has_its_target() -> None:
    make = shutil.which("make")
    if make is None:
        pytest.skip("needs make")
    scripts = {path.stem for path in TRAINING.glob("*.py") if "__main__" in path.read_text("utf-8")} - NO_MODELS
    assert "relation_heads" in scripts
    for script in scripts:
        done = subprocess.run([make, "-C", TRAINING, "-n", script], capture_output=True, text=True, check=False)
        assert done.stdout.count(f"-m training.{script}\n") == 1, done.stderr
    told = subprocess.run([make, "-C", TRAINING], capture_output=True, text=True, check=True).stdout
    assert all(f"make {script} " in told for script in scripts)
