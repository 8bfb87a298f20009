"""The parser that the setting names: the packaged one, an installed one, one at a path, or none."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from language.parsers import find_parser, installed_parser
from models.packaged_parser import PACKAGED, packaged_parser, packaged_parser_fingerprint

if TYPE_CHECKING:
    from spacy.language import Language


def load_parser(setting: str) -> Language | None:
    """The pipeline that the setting `parser` names; none when it names none.

    Raises:
        ModelDamaged: the packaged weights were changed.
        ModelMissing: the pipeline does not exist, cannot be loaded, or does not set sentences and heads.
    """
    return packaged_parser() if setting == PACKAGED else find_parser(setting)


def parser_fingerprint(setting: str) -> str:
    """Name and version of the pipeline that the setting names, without loading it; `none` without one.

    Raises:
        ModelDamaged: the packaged weights were changed.
    """
    if setting == PACKAGED:
        return packaged_parser_fingerprint()
    name = installed_parser() if setting == "auto" else setting
    if name is None or name == "none":
        return "none"
    try:
        return f"{name}-{version(name.replace('_', '-'))}"
    except PackageNotFoundError:
        return _pipeline_at(Path(name))


def _pipeline_at(path: Path) -> str:
    """Name and version in the pipeline's own `meta.json`; what cannot be read is refused when it is loaded."""
    try:
        meta = json.loads((path / "meta.json").read_text(encoding="utf-8"))
        return f"{meta.get('lang')}_{meta.get('name')}-{meta.get('version')}"
    except (OSError, ValueError, AttributeError):
        return path.name
