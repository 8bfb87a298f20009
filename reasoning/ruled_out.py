"""Causes of the focus that were denied as facts, told with whoever asserts them all the same."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kg.records import Evidence, Relation, Stance
from reasoning.evidence import Quoter
from reasoning.findings import Findings
from reasoning.links import LinkReader, Statement
from reasoning.thresholds import thresholds
from reasoning.wording import part_of, say


@dataclass(frozen=True, slots=True)
class RuledOut:
    """A cause that is denied.

    Attributes:
        denial: The strongest denial.
        asserted: Who states it as a fact all the same, of events told alike; none where nobody does.
    """

    denial: Statement
    asserted: Statement | None

    def evidence(self, quoter: Quoter) -> tuple[Evidence, ...]:
        """The denial, and the other account as context."""
        against = quoter.claim(self.denial.claim, Stance.AGAINST)
        return (against,) if self.asserted is None else (against, quoter.claim(self.asserted.claim, Stance.CONTEXT))


def ruled_out_causes(found: Findings, reader: LinkReader) -> list[RuledOut]:
    """The strongest denial of each, in the order of the edges; at most as many as are quoted for one side."""
    seeds = {seed.event.id for seed in found.focus.seeds}
    # That a thing did not prevent another does not say that it did not cause it.
    edges = [edge for edge in found.ruled_out if edge.effect in seeds and edge.relation is not Relation.PREVENTS]
    denied = [
        RuledOut(link.denials[0], reader.asserted_alike(link.edge)) for link in reader.links(edges) if link.denials
    ]
    once = {(one.denial.claim.document_id, one.denial.claim.start, one.denial.cause.text): one for one in denied[::-1]}
    return list(once.values())[::-1][: thresholds().graph.quotes_a_side]


def ruled_out_told(one: RuledOut, quoter: Quoter) -> str:
    """That a cause was ruled out, or is denied, or that accounts of it differ, and where that is said.

    "No evidence that", and a denial by whoever is blamed, do not rule a cause out.
    """
    cause, place = part_of(one.denial.cause, one.denial.claim), quoter.place(one.denial.claim)
    if one.asserted is not None:
        return say("missing", "disputed", cause=cause, place=place, stated=quoter.place(one.asserted.claim))
    firm = re.search(rf"\b(?:{say('hedges', 'firm')})\b", one.denial.claim.quote, re.IGNORECASE)
    return say("missing", "ruled_out" if firm else "denied", cause=cause, place=place)
