"""Which options are chosen, by what was found of each, and how that is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kg.records import Mode, TraceStep, Usage, Verdict
from language.choices import choice_key, is_none_of_the_others
from reasoning.choice_report import Choice, Option, Precedence
from reasoning.draft import Draft
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.wording import as_sentence, named, say

Ground = Literal["supported", "hypothesised", "plausible", "none", "nothing"]
UNSTATED: Final[frozenset[Ground]] = frozenset({"plausible", "none", "nothing"})
"""Grounds of a choice that no document states."""


@dataclass(frozen=True, slots=True)
class Assessed:
    """What was found of one option.

    Attributes:
        draft: What the graph and the passages make of its having led to the event.
        precedence: Whether it comes before the event.
        plausibility: What the judge of causes makes of it, 0 to 1.
        necessary: Whether the event falls without it in the graph; none where no chain leads from it there.
        restates: Whether it has the very words of the event, so that it explains nothing.
        prevents: Whether what is told of it is that it kept the event from happening.
        score: What it is ranked by where nothing states it, 0 to 1; none leaves that to its plausibility.
        discarded: Whether the strategy's judges find it contradicted by what was read.
        instead: What is said of it in place of that no document states it; empty where just that is so.
    """

    draft: Draft
    precedence: Precedence
    plausibility: float
    necessary: bool | None
    restates: bool = False
    prevents: bool = False
    score: float | None = None
    discarded: bool = False
    instead: str = ""

    @property
    def weight(self) -> float:
        """What it is ranked by where nothing states it."""
        return self.plausibility if self.score is None else self.score

    @property
    def possible(self) -> bool:
        """Whether it may be chosen: it is not the event, does not come later or prevent it, and is not denied."""
        return (
            not self.restates
            and not self.prevents
            and not self.discarded
            and self.precedence is not Precedence.AFTER
            and self.draft.verdict is not Verdict.CONTRADICTED
        )


@dataclass(frozen=True, slots=True)
class Decision:
    """Which options are chosen.

    Attributes:
        taken: The keys of the chosen ones; none where the option is chosen that denies the others, or nothing.
        ground: Why: stated as a fact, told as possible, most plausible, none of the others, nothing.
    """

    taken: frozenset[str]
    ground: Ground

    @property
    def values(self) -> dict[str, object]:
        """For the trace."""
        return {"taken": sorted(self.taken), "ground": self.ground}


def decide(assessed: Mapping[str, Assessed], *, none_offered: bool) -> Decision:
    """Chooses: all that documents state as a fact; else all that they tell as possible; else the most plausible one.

    Args:
        assessed: What was found of each option, by its key.
        none_offered: Whether one more option says that none of these is right.
    """
    figures = thresholds().choice
    possible = {key: one for key, one in assessed.items() if one.possible}
    grounds: tuple[tuple[Ground, Verdict], ...] = (
        ("supported", Verdict.SUPPORTED),
        ("hypothesised", Verdict.HYPOTHESISED),
    )
    for ground, verdict in grounds:
        told = frozenset(key for key, one in possible.items() if one.draft.verdict is verdict)
        if told:
            return Decision(told, ground)
    best = max((one.plausibility for one in possible.values()), default=0.0)
    if none_offered and best < figures.none_below:
        return Decision(frozenset(), "none")
    if best < figures.least_plausibility:
        return Decision(frozenset(), "nothing")
    first = max(one.weight for one in possible.values())
    return Decision(frozenset(key for key, one in possible.items() if one.weight == first), "plausible")


def choice_of(
    decision: Decision,
    assessed: Mapping[str, Assessed],
    otherwise: str | None,
    *,
    event: str,
    options: Sequence[str],
    room: Room,
    generation: int,
    trace: tuple[TraceStep, ...],
    usage: Usage,
) -> Choice:
    """The report of a decision, with each option in the order in which it was offered.

    Args:
        otherwise: What documents state as a cause of the event that no option names; none where they state nothing.
    """
    told = tuple(_option(text, event, decision, assessed) for text in options)
    chosen = tuple(place for place, one in enumerate(told) if one.chosen)
    of_taken = [assessed[key] for key in sorted(decision.taken)]
    verdict = _verdict(decision)
    modes = {one.draft.mode for one in of_taken} if decision.ground in {"supported", "hypothesised"} else set()
    return Choice(
        collection=room.collection,
        event=event,
        options=told,
        chosen=chosen,
        verdict=verdict,
        mode=(modes.pop() if len(modes) == 1 else Mode.MIXED) if modes else None,
        confidence=_confidence(decision, assessed),
        text=_text(decision, event, [told[place].text for place in chosen], of_taken),
        missing=_missing(decision, assessed, otherwise, event, options),
        generation=generation,
        trace=trace,
        usage=usage,
    )


def _verdict(decision: Decision) -> Verdict:
    if decision.ground == "supported":
        return Verdict.SUPPORTED
    return Verdict.INSUFFICIENT if decision.ground == "nothing" else Verdict.HYPOTHESISED


def _confidence(decision: Decision, assessed: Mapping[str, Assessed]) -> float:
    if decision.ground == "nothing":
        return 0.0
    if decision.ground == "none":
        return round(1.0 - max((one.plausibility for one in assessed.values() if one.possible), default=0.0), 6)
    taken = [assessed[key] for key in decision.taken]
    if decision.ground == "plausible":
        return min(one.weight for one in taken)
    return min(1.0, *(one.draft.confidence for one in taken))


def _option(text: str, event: str, decision: Decision, assessed: Mapping[str, Assessed]) -> Option:
    if is_none_of_the_others(text):
        chosen = decision.ground == "none"
        return Option(
            text=text,
            chosen=chosen,
            verdict=Verdict.HYPOTHESISED if chosen else Verdict.INSUFFICIENT,
            mode=None,
            plausibility=None,
            precedence=Precedence.UNKNOWN,
            necessary=None,
            text_found="",
            chains=(),
            evidence=(),
        )
    key = choice_key(text)
    found = assessed[key]
    chosen = key in decision.taken
    told = found.draft.verdict is not Verdict.INSUFFICIENT
    verdict = found.draft.verdict if told or not chosen else Verdict.HYPOTHESISED
    if found.restates:
        verdict, said = Verdict.INSUFFICIENT, say("choice", "restates", option=named(text))
    elif found.prevents:
        verdict, said = Verdict.CONTRADICTED, found.draft.text
    elif found.precedence is Precedence.AFTER:
        verdict, said = Verdict.INSUFFICIENT, say("choice", "later", option=named(text), event=named(event))
    else:
        said = found.draft.text if told else _untold(text, event, found)
    return Option(
        text=text,
        chosen=chosen,
        verdict=verdict,
        mode=found.draft.mode if told else None,
        plausibility=found.plausibility,
        precedence=found.precedence,
        necessary=found.necessary,
        text_found=said,
        chains=found.draft.chains,
        evidence=found.draft.evidence,
    )


def _untold(text: str, event: str, found: Assessed) -> str:
    """That no document states it, or why what one tells of it does not count."""
    return found.instead or say("choice", "unstated", option=named(text), event=named(event))


def _text(decision: Decision, event: str, chosen: Sequence[str], taken: Sequence[Assessed]) -> str:
    words = "; ".join(dict.fromkeys(f"“{named(text)}”" for text in chosen))
    assumed = decision.ground == "plausible" and any(one.score is not None for one in taken)
    return as_sentence(say("choice", "assumed" if assumed else decision.ground, event=named(event), options=words))


def _missing(
    decision: Decision, assessed: Mapping[str, Assessed], otherwise: str | None, event: str, options: Sequence[str]
) -> tuple[str, ...]:
    """That nothing states what is chosen for its plausibility alone, or anything at all, and what is stated instead."""
    instead = () if otherwise is None else (say("choice", "otherwise", event=named(event), told=otherwise),)
    if decision.ground not in UNSTATED or decision.ground == "none":
        return instead
    unstated = [text for text in options if (found := assessed.get(choice_key(text))) is not None and found.possible]
    if decision.ground == "plausible":
        unstated = [text for text in unstated if choice_key(text) in decision.taken]
    each = dict.fromkeys(_untold(text, event, assessed[choice_key(text)]) for text in unstated)
    return (*each, *instead)
