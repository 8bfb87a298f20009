"""Which ways of reading claims a setting names."""

from __future__ import annotations

from typing import Final

from extraction.causes import ClaimReader, claims_version

_BY_RULES: Final = frozenset({"rules", "both"})
_BY_HEADS: Final = frozenset({"heads", "both"})


def claim_reader(extractors: str) -> ClaimReader:
    """Loads what the setting `extractors` names: `rules`, `heads` or `both`.

    Raises:
        ModelDamaged, ModelMissing: as `RelationHeads` and `EventPairs`.
    """
    if extractors not in _BY_HEADS:
        return ClaimReader()
    from models.event_pairs import EventPairs
    from models.relation_heads import RelationHeads

    heads = RelationHeads()
    return ClaimReader(heads, EventPairs(heads.pairs, heads.fingerprint), by_rules=extractors in _BY_RULES)


def claims_fingerprint(extractors: str) -> str:
    """The version that this reader has; the heads are not loaded for it.

    Raises:
        ModelDamaged: the packaged weights were changed.
    """
    if extractors not in _BY_HEADS:
        return claims_version(by_rules=True)
    from models.event_pairs import events_fingerprint
    from models.relation_heads import heads_fingerprint

    return claims_version(heads_fingerprint(), events_fingerprint(), by_rules=extractors in _BY_RULES)
