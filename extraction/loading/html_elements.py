"""The table of HTML elements, `html_elements.toml`, read once."""

from __future__ import annotations

import tomllib
from pathlib import Path

_TABLE: dict[str, list[str]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

UNSEEN = frozenset(_TABLE["unseen"])
"""Elements that show no text."""
BLOCKS = frozenset(_TABLE["blocks"])
"""Elements that start and end a paragraph."""
LINES = frozenset(_TABLE["lines"])
"""Elements that stand on a line of their own."""
CELLS = frozenset(_TABLE["cells"])
"""Elements that are set off by a tab."""
UNNESTED = frozenset(_TABLE["unnested"])
"""Elements that do not nest."""
