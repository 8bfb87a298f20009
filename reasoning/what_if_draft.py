"""A draft for "what if it had not happened?": what of the graph falls without it, and what other causes hold."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from kg.records import Evidence, Mode, Stance, Verdict
from language.questions import Question
from reasoning.draft import Draft
from reasoning.room import Room
from reasoning.what_if import without
from reasoning.what_if_report import Consequence, HeldLink, WhatIf
from traversal.deadline import Deadline


def draft_of_what_if(asked: Question, room: Room, deadline: Deadline) -> Draft | None:
    """What hangs on the focus; none when nothing does, or when the question supposes what did not happen.

    Its confidence is that of the strongest link that is taken away from the nearest events that lose one.
    """
    if not asked.negated:
        return None
    found = without(asked.focus, asked.effect, room, deadline)
    if found.verdict is not Verdict.HYPOTHESISED:
        return None
    told = _of_effects(found)
    lost = tuple(chain.from_iterable(one.lost for one in told)) or found.unprevented
    kept = tuple(chain.from_iterable(one.kept for one in told))
    return Draft(
        mode=Mode.GRAPH,
        verdict=Verdict.HYPOTHESISED,
        text=found.text,
        confidence=_confidence(told, found.unprevented),
        evidence=(*_quotes(lost, Stance.FOR), *_quotes(kept, Stance.CONTEXT)),
        missing=found.missing,
        reasons={
            "without": [event.id for event in found.without],
            "effects": [event.id for event in found.effects],
            "fallen": [one.event.id for one in found.fallen],
            "standing": [one.event.id for one in found.standing],
            "necessary": found.necessary,
            "sufficient": found.sufficient,
        },
    )


def _of_effects(found: WhatIf) -> tuple[Consequence, ...]:
    """What falls and what stands; where effects were asked about, of these alone."""
    asked = {event.id for event in found.effects}
    return tuple(one for one in (*found.fallen, *found.standing) if not asked or one.event.id in asked)


def _confidence(told: Iterable[Consequence], unprevented: Iterable[HeldLink]) -> float:
    nearest = min((one.links for one in told), default=0)
    links = [link for one in told if one.links == nearest for link in one.lost] or list(unprevented)
    return max((link.edge.confidence for link in links), default=0.0)


def _quotes(links: Iterable[HeldLink], stance: Stance) -> Iterable[Evidence]:
    """The quotes of links, each once."""
    quotes = {link.evidence: None for link in links if link.evidence is not None}
    return (evidence.model_copy(update={"stance": stance}) for evidence in quotes)
