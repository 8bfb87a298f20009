"""The instructions of the Dockerfile, as Docker reads them."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "Dockerfile"


def instructions() -> list[tuple[str, str]]:
    """Each instruction with its arguments, in order; continued lines are joined."""
    lines = [line for line in DOCKERFILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in joined.splitlines() if line)]


def last(instruction: str) -> str:
    """The arguments of the last instruction of a kind: the one that counts."""
    return [rest for word, rest in instructions() if word == instruction][-1]


def words(arguments: str) -> list[str]:
    """The words of a command in exec form."""
    return [str(word) for word in json.loads(arguments)]


def environment() -> dict[str, str]:
    """The variables that the image sets, its PATH apart."""
    pairs = [pair.split("=", 1) for pair in shlex.split(last("ENV"))]
    return {name: value for name, value in pairs if name != "PATH"}
