"""The claim reader that the setting `strictness` names, and its version without loading it."""

from __future__ import annotations

from extraction.causes import ClaimReader, claims_version
from extraction.strictness import STRICTNESS


def claim_reader(strictness: str) -> ClaimReader:
    """Loads the rules and the learned heads, which judge each other.

    Args:
        strictness: `strict`, `precise`, `balanced` or `generous`.

    Raises:
        ModelDamaged, ModelMissing: as `RelationHeads`.
    """
    from models.relation_heads import RelationHeads

    return ClaimReader(RelationHeads(), STRICTNESS[strictness])


def claims_fingerprint(strictness: str) -> str:
    """The version that this reader has; the heads are not loaded for it.

    Raises:
        ModelDamaged: the packaged weights were changed.
    """
    from models.relation_heads import heads_fingerprint

    return claims_version(heads_fingerprint(), STRICTNESS[strictness], by_rules=True)
