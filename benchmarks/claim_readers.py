"""The ways of reading claims that are compared: the rules alone, the heads alone, and both at each strictness."""

from __future__ import annotations

from typing import Final

from extraction.causes import ClaimReader
from extraction.claim_source import claim_reader
from extraction.strictness import STRICTNESS, Strictness
from models.relation_heads import RelationHeads

HEADS_FLOOR: Final = 0.5
"""Least probability of a claim of the heads alone."""


def reader_of(way: str) -> ClaimReader:
    """The reader of one of `WAYS`."""
    if way == "rules":
        return ClaimReader()
    if way == "heads":
        return ClaimReader(RelationHeads(), strictness=Strictness(HEADS_FLOOR, everywhere=True), by_rules=False)
    return claim_reader(way)


WAYS: Final = ("rules", "heads", *STRICTNESS)
