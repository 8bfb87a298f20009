"""Causes of the focus that were denied as facts and that nothing asserts as facts."""

from __future__ import annotations

import re

from kg.records import Relation
from reasoning.evidence import Quoter
from reasoning.findings import Findings
from reasoning.links import LinkReader, Statement
from reasoning.thresholds import thresholds
from reasoning.wording import part_of, say


def ruled_out_causes(found: Findings, reader: LinkReader) -> list[Statement]:
    """The strongest denial of each, in the order of the edges; at most as many as are quoted for one side."""
    seeds = {seed.event.id for seed in found.focus.seeds}
    # That a thing did not prevent another does not say that it did not cause it.
    edges = [edge for edge in found.ruled_out if edge.effect in seeds and edge.relation is not Relation.PREVENTS]
    denials = [link.denials[0] for link in reader.links(edges) if link.denials]
    once = {(s.claim.document_id, s.claim.start, s.claim.end, s.cause.text): s for s in reversed(denials)}
    return list(once.values())[::-1][: thresholds().graph.quotes_a_side]


def ruled_out_told(denial: Statement, quoter: Quoter) -> str:
    """That one cause was ruled out, or else that it is denied, and where that is said.

    "No evidence that", and a denial by whoever is blamed, do not rule a cause out.
    """
    firm = re.search(rf"\b(?:{say('hedges', 'firm')})\b", denial.claim.quote, re.IGNORECASE)
    return say(
        "missing", "ruled_out" if firm else "denied", cause=part_of(denial.cause), place=quoter.place(denial.claim)
    )
