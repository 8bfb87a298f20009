"""The packaged spaCy pipeline: sentences, parts of speech, lemmas, dependency trees and names of English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from causetrail.errors import ModelMissing
from models.weights_card import WEIGHTS, open_weights

if TYPE_CHECKING:
    from spacy.language import Language

PACKAGED: Final = "causetrail_sm"
"""Its name, as the setting `parser` takes it."""
UNREAD: Final = ("tagger", "ner")
"""Parts that nothing in the program reads yet: loaded, and disabled until somebody enables them."""
_DIRECTORY: Final = WEIGHTS / PACKAGED


def packaged_parser() -> Language:
    """Loads the pipeline, its files checked.

    Raises:
        ModelDamaged: a file is not the one that was packaged.
        ModelMissing: the files are intact, but the installed spaCy cannot read them.
    """
    import spacy

    open_weights(_DIRECTORY)
    try:
        return spacy.load(_DIRECTORY, disable=UNREAD)
    except (OSError, ValueError, KeyError, ImportError, TypeError):
        raise ModelMissing(
            model=PACKAGED,
            reason="the installed spaCy cannot read it",
            advice="Install the version of spaCy that Causetrail's constraints name, or set parser to none.",
        ) from None


def packaged_parser_fingerprint() -> str:
    """Changes whenever a file of the pipeline does; known without loading it.

    Raises:
        ModelDamaged: a file is not the one that was packaged.
    """
    return open_weights(_DIRECTORY).fingerprint
