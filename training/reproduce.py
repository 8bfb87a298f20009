"""Trains a packaged head again and compares its figures with those on the packaged card.

    python -m training.reproduce event_pairs

runs the one command of that head into a folder of its own, and fails when a share that both cards hold (what they tell
of held-out or of development data) differs by more than a point.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from models.weights_card import WEIGHTS, open_weights

MOST: Final = 0.01
"""A point: how far a share may be from that of the packaged head."""
_MEASURED: Final = "on_"
"""How the names of those parts of a card begin that hold figures."""


def main() -> None:
    """Trains, prints each share of both, and ends with 1 when they differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("head", help="name of the script below training/")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="folder of the labelled sets")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = ["-m", f"training.{arguments.head}", "--data", str(arguments.data), "--output", folder]
        subprocess.run([sys.executable, *command], check=True)
        again = open_weights(Path(folder))
    packaged = open_weights(WEIGHTS / again.name)
    differences = compared(shares(packaged.card), shares(again.card))
    for name, (stored, found) in differences.items():
        print(f"{name:<50} packaged {stored:.4f}, again {found:.4f}")
    if not differences:
        sys.exit(f"The card of {again.name} holds no share to compare.")
    if any(abs(stored - found) > MOST for stored, found in differences.values()):
        sys.exit(f"{again.name} was not reproduced to within {MOST}.")


def shares(card: Mapping[str, Any]) -> dict[str, float]:
    """The shares that a card holds, by part and name; whole numbers are counts and none."""
    return {
        f"{part}: {name}": value
        for part, figures in card.items()
        if part.startswith(_MEASURED)
        for name, value in figures.items()
        if isinstance(value, float)
    }


def compared(stored: Mapping[str, float], found: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """Both values of each share that both have."""
    return {name: (value, found[name]) for name, value in stored.items() if name in found}


if __name__ == "__main__":
    main()
