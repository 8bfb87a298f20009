"""The spaCy pipelines that are installed."""

from __future__ import annotations

from importlib.metadata import distributions
from typing import TYPE_CHECKING, Final

from causetrail.errors import ModelMissing

if TYPE_CHECKING:
    from spacy.language import Language

_SIZES: Final = ("en_core_web_trf", "en_core_web_lg", "en_core_web_md", "en_core_web_sm")
"""The published English pipelines, best first."""


def installed_parser() -> str | None:
    """Name of the largest installed `en_core_web_*` package; none when there is none. Does not load it."""
    # By name: to read what every package tells of itself takes longer than to read a sentence.
    return next((name for name in _SIZES if any(True for _ in distributions(name=name))), None)


def load_installed(name: str) -> Language:
    """The pipeline of a name or a path.

    Raises:
        ModelMissing: the pipeline does not exist, cannot be loaded, or does not set heads.
    """
    import spacy

    try:
        parser = spacy.load(name, exclude=["ner"])
    except (OSError, ValueError, KeyError, ImportError, TypeError) as error:
        reason = "it is not installed" if isinstance(error, OSError) else "this version of spaCy cannot read it"
        raise ModelMissing(
            model=name, reason=reason, advice="Install it, or set parser to none to work without a parser."
        ) from None
    if not parser.has_pipe("parser"):
        raise ModelMissing(
            model=name, reason="it has no parser", advice="Name a pipeline with a parser, or set parser to none."
        )
    return parser
