"""The fingerprint of all that makes passages, mentions and claims out of a text; known without loading any of it."""

from __future__ import annotations

from pathlib import Path

from extraction.claim_source import AskedModel, claims_fingerprint
from extraction.encoder_source import EncoderSource
from extraction.loading.pairs import PAIR_RULES
from extraction.passages import PASSAGE_RULES
from language.domain import load_domain
from language.sentences import SentenceReader


def rules_fingerprint(
    encoder: EncoderSource, parser: str, strictness: str, domain: Path | None, asked: AskedModel | None = None
) -> str:
    """Names the rules and models; changes whenever the same text could be extracted otherwise.

    Args:
        encoder: The encoder that would be used.
        parser: The setting `parser`.
        strictness: The setting `strictness`.
        domain: The setting `domain`.
        asked: The language model that reads claims, if one does.

    Raises:
        ModelDamaged: packaged weights were changed.
        SettingInvalid: the domain cannot be used.
    """
    parts = (
        SentenceReader().fingerprint,
        claims_fingerprint(strictness, parser, asked),
        *([f"domain-{load_domain(domain).fingerprint}"] if domain else []),
        PASSAGE_RULES,
        encoder.fingerprint,
    )
    return " ".join(parts)


def pair_rules_fingerprint(encoder: EncoderSource) -> str:
    """Names what makes question-answer pairs of a file; no claims are made of them."""
    return f"{PAIR_RULES} {encoder.fingerprint}"
