"""Which of several causes that were offered led to an event: a report, light to import."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from kg.records import Chain, Evidence, Mode, Probability, Record, Stance, TraceStep, Usage, Verdict


class Precedence(StrEnum):
    """Whether a cause that is offered comes before the event, as far as times say."""

    BEFORE = "before"
    """It does."""
    AFTER = "after"
    """It comes later, so it is no cause."""
    UNKNOWN = "unknown"
    """No time says so, or the two overlap."""


class Option(Record):
    """One cause that was offered, and what was found of it."""

    text: str
    """As it was offered."""
    chosen: bool
    """Whether it is given as an answer."""
    verdict: Verdict
    """Of its having led to the event: `supported` and `contradicted` by statements of the documents, `hypothesised` by
    a possible one or by the judge alone, `insufficient` where it is not chosen and nothing states or denies it."""
    mode: Mode | None
    """Where the verdict came from; none where no document says anything, and for one that only denies the others."""
    plausibility: Probability | None
    """What the judge of causes makes of it without any document; none for one that only denies the others."""
    nearness: float | None = Field(default=None, ge=-1, le=1)
    """Mean cosine with the passages about the event, by which it is guessed where nothing states it; none where
    documents do not tell of the event, and for one that only denies the others."""
    precedence: Precedence
    """Whether it comes before the event."""
    necessary: bool | None
    """Whether, in the sense of the graph, nothing else leads to the event; none where nothing leads from it there."""
    text_found: str
    """What was found, in the words of the documents; empty where nothing states or denies it."""
    chains: tuple[Chain, ...]
    """From it to the event, best first."""
    evidence: tuple[Evidence, ...]
    """The quotes the verdict rests on, and what comes nearest where there are none."""

    @property
    def named_late(self) -> bool:
        """Whether documents name it as a cause although it came after the event, so that they are not believed."""
        return self.precedence is Precedence.AFTER and any(one.stance is Stance.FOR for one in self.evidence)


class Choice(Record):
    """Which of the causes that were offered led to an event."""

    collection: str
    """The set of documents that was asked."""
    event: str
    """What happened, as it was asked."""
    options: tuple[Option, ...]
    """In the order in which they were offered."""
    chosen: tuple[int, ...]
    """Places of the chosen ones, from 0; none where nothing can be said."""
    verdict: Verdict
    """`supported` where documents state each chosen one as a fact; `hypothesised` where one is chosen because it is
    possible or the best guess; `insufficient` where none is chosen."""
    mode: Mode | None
    """Where the choice came from; none where no document decided it."""
    confidence: Probability
    """The least confidence in a chosen one: that of what documents state, or how likely the guess is; 0 where none
    is."""
    text: str
    """The choice in words."""
    missing: tuple[str, ...]
    """What would have to be known."""
    generation: int = Field(ge=0)
    """Generation of the graph it was made from."""
    trace: tuple[TraceStep, ...]
    """Every step, complete enough to replay it."""
    usage: Usage
    """What it cost."""
