"""The folder of packaged weights, with its card: what they are, and the SHA-256 by which loading checks its files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from safetensors.numpy import save_file

from models.weights_card import CARD, HEAD_FILE, sha256_of


def write_head(folder: Path, tensors: Mapping[str, NDArray[Any]], card: Mapping[str, object]) -> None:
    """Writes the folder of a head: its tensors in one file, and the card."""
    folder.mkdir(parents=True, exist_ok=True)
    save_file(dict(tensors), folder / HEAD_FILE)
    (folder / HEAD_FILE).chmod(0o644)
    write_card(folder, card)


def write_card(folder: Path, card: Mapping[str, object]) -> None:
    """Writes the card of a folder of weights, with the SHA-256 of every other file in it."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != CARD)
    content = {**card, "sha256": {path.relative_to(folder).as_posix(): sha256_of(path) for path in files}}
    (folder / CARD).write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
