"""Whether a collection was ingested with this encoder: two models may agree in dimension and in nothing else."""

from __future__ import annotations

from causetrail.errors import EncoderMismatch, PassageTooLong
from kg.encoding import Encoder
from kg.passage_texts import embedded_text
from kg.store import GraphStore

LEAST_AGREEMENT = 0.5
"""Least cosine between a stored vector and the encoder's own of the same text; other models come to about 0."""


def check_encoder(store: GraphStore, encoder: Encoder, collection: str, passage_id: str) -> None:
    """Compares the stored vector of one passage with the encoder's own of its text.

    Raises:
        EncoderMismatch: they do not agree.
    """
    mismatch = EncoderMismatch(collection=collection, model=encoder.fingerprint)
    passage = store.passages(collection, [passage_id])[passage_id]
    words = embedded_text(passage, store.document_text(collection, passage.document_id))
    stored = store.passage_vectors(collection, [passage_id])
    if stored.shape[1] != encoder.dimension:
        raise mismatch
    try:
        own = encoder.encode_passages([words])
    except PassageTooLong:
        raise mismatch from None
    if float(own[0] @ stored[0]) < LEAST_AGREEMENT:
        raise mismatch
