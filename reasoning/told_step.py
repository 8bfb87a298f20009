"""One step of a narrative: what is told in one go, and the quotes it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.records import Evidence, Stance
from reasoning.links import Link


@dataclass(frozen=True, slots=True)
class ToldStep:
    """A sentence or two of an answer from the graph.

    Attributes:
        text: As it is told, with a full stop.
        evidence: Its quotes, in the order of the telling.
        links: What it tells as steps that follow from each other, cause first; none for a contradiction and for what is
            told beside.
    """

    text: str
    evidence: tuple[Evidence, ...]
    links: tuple[Link, ...] = ()

    def traced(self) -> dict[str, object]:
        """As plain JSON values."""
        return {"text": self.text, "quotes": [[e.document_id, e.start, e.end, e.stance.value] for e in self.evidence]}


def text_of(steps: Sequence[ToldStep]) -> str:
    """The narrative."""
    return " ".join(step.text for step in steps)


def evidence_of(steps: Sequence[ToldStep]) -> tuple[Evidence, ...]:
    """All quotes in the order of the telling, none twice on the same side."""
    return once(tuple(one for step in steps for one in step.evidence))


def once(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """Without repeats of a quote on the same side."""
    found: dict[tuple[str, int, int, Stance], Evidence] = {}
    for one in evidence:
        found.setdefault((one.document_id, one.start, one.end, one.stance), one)
    return tuple(found.values())
