"""The ways of reading claims that are compared: the rules alone, the heads alone, and both at each strictness."""

from __future__ import annotations

from typing import Final

from extraction.causes import ClaimReader
from extraction.claim_source import claim_reader
from extraction.parser_source import load_trees
from extraction.strictness import STRICTNESS, Strictness
from models.packaged_parser import PACKAGED
from models.relation_heads import RelationHeads

WITHOUT_TREES: Final = "rules without trees"
HEADS_FLOOR: Final = 0.5
"""Least probability of a claim of the heads alone."""


def reader_of(way: str) -> ClaimReader:
    """The reader of one of `WAYS`."""
    if way == "rules":
        return ClaimReader(trees=load_trees(PACKAGED))
    if way == WITHOUT_TREES:
        return ClaimReader()
    if way == "heads":
        return ClaimReader(RelationHeads(), strictness=Strictness(HEADS_FLOOR, everywhere=True), by_rules=False)
    return claim_reader(way, PACKAGED)


WAYS: Final = (WITHOUT_TREES, "rules", "heads", *STRICTNESS)
