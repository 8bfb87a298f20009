"""What reads trees, as the setting `parser` names it: the packaged pipeline, an installed one, or none."""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from language.parsers import installed_parser, load_installed
from language.trees import TreeReader
from models.packaged_parser import PACKAGED, packaged_parser, packaged_parser_fingerprint
from models.weights_card import sha256_of

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
    """Name and content of a pipeline's folder; what cannot be read is refused when it is loaded."""
    if not (path / "meta.json").is_file():
        return path.name
    digest = hashlib.sha256()
    for file in sorted(path.rglob("*")):
        if file.is_file():
            digest.update(file.relative_to(path).as_posix().encode())
            digest.update(bytes.fromhex(sha256_of(file)))
    return f"{path.name}-{digest.hexdigest()[:12]}"
