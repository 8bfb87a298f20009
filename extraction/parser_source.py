"""What reads trees, as the setting `parser` names it: the packaged pipeline, an installed one, or none."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from language.parsers import installed_parser, load_installed
from language.trees import TreeReader
from models.packaged_parser import PACKAGED, packaged_parser, packaged_parser_fingerprint

NONE: Final = "none"
"""The setting that reads no trees."""


def load_trees(setting: str) -> TreeReader | None:
    """What reads trees with the pipeline that the setting names; none when it names none.

    Args:
        setting: `auto` takes the largest installed `en_core_web_*`, else the packaged one; `none` takes none; anything
            else is the name of an installed pipeline, or the path of one.

    Raises:
        ModelDamaged: the packaged weights were changed.
        ModelMissing: the pipeline does not exist, cannot be loaded, or does not set heads.
    """
    name = _named(setting)
    if name == NONE:
        return None
    parser = packaged_parser() if name == PACKAGED else load_installed(name)
    return TreeReader(parser, parser_fingerprint(name))


def parser_fingerprint(setting: str) -> str:
    """Name and version of the pipeline that the setting names, without loading it; `none` without one.

    Raises:
        ModelDamaged: the packaged weights were changed.
    """
    name = _named(setting)
    if name == PACKAGED:
        return packaged_parser_fingerprint()
    if name == NONE:
        return NONE
    try:
        return f"{name}-{version(name.replace('_', '-'))}"
    except PackageNotFoundError:
        return _pipeline_at(Path(name))


def _named(setting: str) -> str:
    return installed_parser() or PACKAGED if setting == "auto" else setting


def _pipeline_at(path: Path) -> str:
    """Name and version in the pipeline's own `meta.json`; what cannot be read is refused when it is loaded."""
    try:
        meta = json.loads((path / "meta.json").read_text(encoding="utf-8"))
        return f"{meta.get('lang')}_{meta.get('name')}-{meta.get('version')}"
    except (OSError, ValueError, AttributeError):
        return path.name
