"""The card of packaged weights: what they are, and the SHA-256 by which loading checks their files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from models.weights_card import CARD, sha256_of


def write_card(folder: Path, card: Mapping[str, object]) -> None:
    """Writes the card of a folder of weights, with the SHA-256 of every other file in it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != CARD)
    content = {**card, "sha256": {path.relative_to(folder).as_posix(): sha256_of(path) for path in files}}
    (folder / CARD).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
