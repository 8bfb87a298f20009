"""Packaged weights: where they lie, and proof that they are the files that were packaged."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from causetrail.errors import ModelDamaged, ModelMissing

WEIGHTS = Path(__file__).parent / "weights"
"""Folder of all packaged weights; one folder for each model, with a `card.json` in it."""
CARD = "card.json"
HEAD_FILE = "model.safetensors"
"""The tensors of a head, in its folder."""


@dataclass(frozen=True, slots=True)
class PackagedWeights:
    """A folder of weights whose files were checked against its card.

    Attributes:
        directory: The folder.
        name: Name of the model.
        sha256: Hexadecimal SHA-256 of each file, by file name.
        card: The whole card: source, licence, figures, and the command that made it.
    """

    directory: Path
    name: str
    sha256: dict[str, str]
    card: dict[str, Any]

    @property
    def fingerprint(self) -> str:
        """Name and version of the weights; what was made with different fingerprints is never compared.

        The version is that of the one file `model.*`, or where there is none of all files together.
        """
        model = next((file for file in sorted(self.sha256) if file.startswith("model.")), None)
        if model is not None:
            return f"{self.name}-{self.sha256[model][:12]}"
        digest = hashlib.sha256(json.dumps(self.sha256, sort_keys=True).encode())
        return f"{self.name}-{digest.hexdigest()[:12]}"


def open_weights(directory: Path) -> PackagedWeights:
    """Checks every file of the folder that its card names, and gives the card.

    Raises:
        ModelDamaged: a file is missing or does not have the recorded SHA-256, or the card cannot be read.
    """
    card_path = directory / CARD
    try:
        card = json.loads(card_path.read_text(encoding="utf-8"))
        name = str(card["model"])
        recorded = {str(file): str(digest) for file, digest in card["sha256"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise ModelDamaged(file=card_path.name) from None
    for file, digest in recorded.items():
        if sha256_of(directory / file) != digest:
            raise ModelDamaged(file=f"{directory.name}/{file}")
    return PackagedWeights(directory=directory, name=name, sha256=recorded, card=card)


def open_weights_over(heads: str, directory: Path) -> PackagedWeights:
    """As `open_weights`, of a head that reads what the relation heads make of a sentence.

    Args:
        heads: Fingerprint of the relation heads that are in use.
        directory: The folder of the weights.

    Raises:
        ModelDamaged: as `open_weights`.
        ModelMissing: the weights were trained on other relation heads.
    """
    weights = open_weights(directory)
    if weights.card.get("heads") != heads:
        raise ModelMissing(
            model=weights.name,
            reason="it was trained on other relation heads",
            advice="Install Causetrail again.",
        )
    return weights


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, 64 hexadecimal digits.

    Raises:
        ModelDamaged: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        raise ModelDamaged(file=path.name) from None
