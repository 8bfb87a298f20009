"""A draft for "what if it had not happened?": what of the graph falls without it, and what other causes hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from kg.records import Evidence, Mode, Stance, Verdict
from language.questions import Question
from reasoning.draft import Draft
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.what_if import without
from reasoning.what_if_report import Consequence, HeldLink, WhatIf
from traversal.deadline import Deadline


def draft_of_what_if(asked: Question, room: Room, deadline: Deadline) -> Draft | None:
    """What hangs on the focus, or that it is told just as the question supposes it; none when nothing hangs on it.

    To suppose that something happened which is told as not having happened is to take away that it did not.
    Its confidence is that of the weakest link on the strongest way to the nearest events that lose one.
    """
    found = without(asked.focus, asked.effect, room, deadline, supposed=not asked.negated)
    if found.as_told is not None:
        return Draft(
            mode=Mode.GRAPH,
            verdict=found.verdict,
            text=found.text,
            confidence=thresholds().verdicts.denied_premise_coverage,
            evidence=(found.as_told,),
            reasons={"supposed": not asked.negated, "told_so": True},
        )
    if found.verdict is not Verdict.HYPOTHESISED:
        return None
    told = _of_effects(found)
    lost = tuple(chain.from_iterable(one.lost for one in told)) or found.unprevented
    kept = tuple(chain.from_iterable(one.kept for one in told))
    return Draft(
        mode=Mode.GRAPH,
        verdict=Verdict.HYPOTHESISED,
        text=found.text,
        confidence=_confidence(found, told),
        evidence=tuple(_quotes(lost, (*kept, *found.still_prevented, *found.cut))),
        missing=found.missing,
        reasons={
            "without": [event.id for event in found.without],
            "effects": [event.id for event in found.effects],
            "fallen": [one.event.id for one in found.fallen],
            "standing": [one.event.id for one in found.standing],
            "necessary": found.necessary,
            "sufficient": found.sufficient,
            "unprevented": [link.edge.effect for link in found.unprevented],
            "freed": [event.id for event in found.freed],
            "cut": [[link.edge.cause, link.edge.effect, link.edge.relation.value] for link in found.cut],
        },
    )


def _of_effects(found: WhatIf) -> tuple[Consequence, ...]:
    """What falls and what stands; where effects were asked about, of these alone."""
    asked = {event.id for event in found.effects}
    return tuple(one for one in (*found.fallen, *found.standing) if not asked or one.event.id in asked)


def _confidence(found: WhatIf, told: Sequence[Consequence]) -> float:
    held = {event.id: 1.0 for event in (*found.without, *found.alike)}
    for one in sorted((*found.fallen, *found.standing), key=lambda each: each.links):
        held[one.event.id] = max(
            (min(link.edge.confidence, held.get(link.edge.cause, 0.0)) for link in one.lost), default=0.0
        )
    nearest = min((one.links for one in told), default=0)
    reached = [held[one.event.id] for one in told if one.links == nearest]
    return max(reached or [link.edge.confidence for link in found.unprevented], default=0.0)


def _quotes(lost: Iterable[HeldLink], others: Iterable[HeldLink]) -> Iterable[Evidence]:
    """The quotes of the links that are lost, then those of others, each once."""
    quotes: dict[Evidence, Stance] = {}
    for links, stance in ((lost, Stance.FOR), (others, Stance.CONTEXT)):
        for link in links:
            if link.evidence is not None:
                quotes.setdefault(link.evidence, stance)
    return (evidence.model_copy(update={"stance": stance}) for evidence, stance in quotes.items())
