"""The claim reader that the settings `strictness` and `parser` name, and its version without loading it."""

from __future__ import annotations

from extraction.causes import ClaimReader, claims_version
from extraction.parser_source import NONE, load_trees, parser_fingerprint
from extraction.strictness import STRICTNESS


def claim_reader(strictness: str, parser: str) -> ClaimReader:
    """Loads the rules with their parser, and the learned heads, which judge each other.

    Args:
        strictness: `strict`, `precise`, `balanced` or `generous`.
        parser: The setting `parser`.

    Raises:
        ModelDamaged, ModelMissing: as `RelationHeads`, `EventPairs`, `FactualityHeads` and `load_trees`.
    """
    from models.event_pairs import EventPairs
    from models.factuality_heads import FactualityHeads
    from models.relation_heads import RelationHeads

    heads, point = RelationHeads(), STRICTNESS[strictness]
    pairs = EventPairs(heads.pairs, heads.fingerprint) if point.events else None
    tellings = FactualityHeads(heads.fingerprint) if point.everywhere else None
    return ClaimReader(heads, pairs, tellings, trees=load_trees(parser), strictness=point)


def claims_fingerprint(strictness: str, parser: str) -> str:
    """The version that this reader has; neither heads nor parser are loaded for it.

    Raises:
        ModelDamaged: the packaged weights were changed.
    """
    from models.event_pairs import events_fingerprint
    from models.factuality_heads import factuality_fingerprint
    from models.relation_heads import heads_fingerprint

    point = STRICTNESS[strictness]
    events = [events_fingerprint()] if point.events else []
    tellings = [factuality_fingerprint()] if point.everywhere else []
    named = parser_fingerprint(parser)
    trees = [named] if named != NONE else []
    return claims_version(heads_fingerprint(), *events, *tellings, *trees, strictness=point, by_rules=True)
