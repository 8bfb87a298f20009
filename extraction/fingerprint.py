"""The fingerprint of all that makes passages, mentions and claims out of a text; known without loading any of it."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from extraction.causes import ClaimReader
from extraction.encoder_source import EncoderSource
from extraction.passages import PASSAGE_RULES
from language.parsers import installed_parser
from language.sentences import SentenceReader


def rules_fingerprint(encoder: EncoderSource, parser: str) -> str:
    """Names the rules and models; changes whenever the same text could be extracted otherwise.

    Args:
        encoder: The encoder that would be used.
        parser: The setting `parser`.
    """
    parts = (
        SentenceReader().fingerprint,
        f"parser-{_parser_name(parser)}",
        ClaimReader().version,
        PASSAGE_RULES,
        encoder.fingerprint,
    )
    return " ".join(parts)


def _parser_name(setting: str) -> str:
    """Name and version of the spaCy pipeline that a setting names; `none` without one."""
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
