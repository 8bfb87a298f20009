"""The claim reader that the setting `strictness` names, and its version without loading it."""

from __future__ import annotations

from extraction.causes import ClaimReader, claims_version
from extraction.strictness import STRICTNESS


def claim_reader(strictness: str) -> ClaimReader:
    """Loads the rules and the learned heads, which judge each other.

    Args:
        strictness: `strict`, `precise`, `balanced` or `generous`.

    Raises:
        ModelDamaged, ModelMissing: as `RelationHeads` and `EventPairs`.
    """
    from models.event_pairs import EventPairs
    from models.relation_heads import RelationHeads

    heads, point = RelationHeads(), STRICTNESS[strictness]
    pairs = EventPairs(heads.pairs, heads.fingerprint) if point.events else None
    return ClaimReader(heads, pairs, strictness=point)


def claims_fingerprint(strictness: str) -> str:
    """The version that this reader has; the heads are not loaded for it.

    Raises:
        ModelDamaged: the packaged weights were changed.
    """
    from models.event_pairs import events_fingerprint
    from models.relation_heads import heads_fingerprint

    point = STRICTNESS[strictness]
    events = [events_fingerprint()] if point.events else []
    return claims_version(heads_fingerprint(), *events, strictness=point, by_rules=True)
