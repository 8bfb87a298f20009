"""What would fall, in the sense of the graph, if something had not happened: a report, light to import."""

from __future__ import annotations

from pydantic import Field

from kg.records import Edge, Event, Evidence, Record, Verdict


class HeldLink(Record):
    """A link of the graph with a sentence that states it."""

    edge: Edge
    """The link, from a cause to an effect."""
    evidence: Evidence | None
    """The best statement of it; none where no document affirms it."""


class Consequence(Record):
    """One event that loses a cause."""

    event: Event
    """What happened."""
    told: str
    """Its words as they read within a sentence."""
    links: int = Field(ge=1)
    """Links between what is taken away and it, by the shortest way."""
    doubtful: bool
    """Whether it falls only by ways with a link that is told as merely possible; false for what stands."""
    lost: tuple[HeldLink, ...]
    """What led to it, or to what is told in nearly the same words, and would be gone."""
    kept: tuple[HeldLink, ...]
    """What else led to it, or to what is told in nearly the same words, and would not be gone."""


class WhatIf(Record):
    """What would fall if events, or the direct links between two, were taken away.

    What the documents tell as not having happened is taken away likewise: then it is supposed to have happened.

    It is read off the graph: an event stands while one cause that is told of it stands, and a cause that no document
    tells holds nothing. What would really have happened is not in the documents, so nothing here is more than
    hypothesised.
    """

    collection: str
    """The set of documents that was asked."""
    verdict: Verdict
    """`hypothesised`, or `insufficient` where the graph holds nothing to take away or nothing hangs on it; of a whole
    question `contradicted`, where the documents tell just what it supposes to be otherwise."""
    text: str
    """What was found, in sentences."""
    without: tuple[Event, ...]
    """The events that are taken away, or whose links to the effects are; of one that is told as not having happened,
    that it did not."""
    alike: tuple[Event, ...]
    """Events that are told in nearly the same words and were not made one with those: they are taken away too."""
    as_told: Evidence | None
    """What tells just what a question supposes; none where the documents tell it otherwise, or do not tell it."""
    effects: tuple[Event, ...]
    """The events that were asked about; none where the question was what falls at all."""
    links_only: bool
    """Whether only the direct links between both were taken away."""
    taken: tuple[HeldLink, ...]
    """The direct links that were taken away; none where events were."""
    fallen: tuple[Consequence, ...]
    """Events that keep no cause, the nearest first."""
    standing: tuple[Consequence, ...]
    """Events that lose a cause and keep another, the nearest first."""
    unprevented: tuple[HeldLink, ...]
    """The links, taken away or from what falls, by which something is told to have prevented something: that might have
    happened then, but for what is in `still_prevented`."""
    still_prevented: tuple[HeldLink, ...]
    """What else is told to have prevented the same."""
    freed: tuple[Event, ...]
    """What the graph tells to follow from what nothing would prevent any more, the nearest first."""
    necessary: bool | None
    """Whether all effects that were asked about fall; none where nothing told as a fact leads to them from it."""
    sufficient: bool | None
    """Whether a way of causes alone leads to an effect, none of whose links only makes the next one possible; none
    as for `necessary`."""
    cut: tuple[HeldLink, ...]
    """The fewest links without which nothing leads from it to the effects."""
    missing: tuple[str, ...]
    """What was not found, and the bounds that were met: what lies beyond them counts as standing."""
    generation: int = Field(ge=0)
    """State of the graph that was read."""
