"""Which options are chosen, by what was found of each, and how that is told."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from kg.records import Mode, Stance, TraceStep, Usage, Verdict
from language.choices import choice_key, is_none_of_the_others
from reasoning.account import likelihood, share
from reasoning.choice_report import Choice, Option, Precedence
from reasoning.draft import Draft
from reasoning.empty_collection import empty_told
from reasoning.evidence import place_of
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.wording import as_sentence, named, say

Ground = Literal["supported", "hypothesised", "nearest", "plausible", "none", "nothing"]
UNSTATED: Final[frozenset[Ground]] = frozenset({"nearest", "plausible", "none", "nothing"})
"""Grounds of a choice that no document states."""


@dataclass(frozen=True, slots=True)
class Assessed:
    """What was found of one option.

    Attributes:
        draft: What the graph and the passages make of its having led to the event.
        precedence: Whether it comes before the event.
        plausibility: What the judge of causes makes of it, 0 to 1.
        nearness: Its mean cosine with the passages about the event; none where documents do not tell of the event.
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
    nearness: float | None
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

    @property
    def late(self) -> bool:
        """Whether documents name it as a cause although it came after the event."""
        told = self.draft.verdict in {Verdict.SUPPORTED, Verdict.HYPOTHESISED}
        return told and self.precedence is Precedence.AFTER and not self.restates and not self.prevents


@dataclass(frozen=True, slots=True)
class Decision:
    """Which options are chosen.

    Attributes:
        taken: The keys of the chosen ones; none where the option is chosen that denies the others, or nothing.
        ground: Why: stated as a fact, told as possible, nearest to what is told of the event, most plausible, none of
            the others, nothing.
    """

    taken: frozenset[str]
    ground: Ground

    @property
    def values(self) -> dict[str, object]:
        """For the trace."""
        return {"taken": sorted(self.taken), "ground": self.ground}


def decide(assessed: Mapping[str, Assessed], *, none_offered: bool) -> Decision:
    """Chooses: all that documents state as a fact; else all that they tell as possible; else the best guess.

    That is the option nearest to what documents tell of the event, or the most plausible one where they do not tell of
    it. A set of several guesses is not offered: under AER's score, which halves a right part and gives nothing for a
    set with a wrong option, the best set is nearly always the best single one.

    Args:
        assessed: What was found of each option, by its key.
        none_offered: Whether one more option says that none of these is right.
    """
    possible = {key: one for key, one in assessed.items() if one.possible}
    grounds: tuple[tuple[Ground, Verdict], ...] = (
        ("supported", Verdict.SUPPORTED),
        ("hypothesised", Verdict.HYPOTHESISED),
    )
    for ground, verdict in grounds:
        told = frozenset(key for key, one in possible.items() if one.draft.verdict is verdict)
        if told:
            return Decision(told, ground)
    near = {key: one.nearness for key, one in possible.items() if one.nearness is not None}
    if near:
        account = thresholds().account
        return _best("nearest", near, near, account.least, account.none_below if none_offered else None)
    figures = thresholds().choice
    weights = {key: one.weight for key, one in possible.items()}
    plausible = {key: one.plausibility for key, one in possible.items()}
    none_below = figures.none_below if none_offered else None
    return _best("plausible", weights, plausible, figures.least_plausibility, none_below)


def _best(
    ground: Ground, values: Mapping[str, float], sureness: Mapping[str, float], least: float, none_below: float | None
) -> Decision:
    """The best of the guesses, or that none is good enough.

    Args:
        ground: What they are guessed by.
        values: What they are ranked by, by their keys.
        sureness: How good each is.
        least: From here on one can be chosen.
        none_below: Below here the option is chosen that denies the others; none where it is not offered.
    """
    best = max(sureness.values(), default=None)
    if none_below is not None and (best is None or best < none_below):
        return Decision(frozenset(), "none")
    if best is None or best < least:
        return Decision(frozenset(), "nothing")
    first = max(values.values())
    return Decision(frozenset(key for key, value in values.items() if value == first), ground)


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
    unfinished = [say("missing", "unfinished")] if room.store.pending(room.collection) else []
    empty = empty_told(room)
    modes = {one.draft.mode for one in of_taken} if decision.ground in {"supported", "hypothesised"} else set()
    return Choice(
        collection=room.collection,
        event=event,
        options=told,
        chosen=chosen,
        verdict=verdict,
        mode=(modes.pop() if len(modes) == 1 else Mode.MIXED) if modes else None,
        confidence=_confidence(decision, assessed),
        text=_text(decision, event, options, assessed),
        missing=(
            *([empty] if empty else _missing(decision, assessed, otherwise, event, options)),
            *unfinished,
        ),
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
    near = {key: one.nearness for key, one in assessed.items() if one.possible and one.nearness is not None}
    if decision.ground == "none":
        if near:
            # None of the others is right when each of them is wrong.
            return round(math.prod(1.0 - likelihood(one) for one in near.values()), 6)
        return round(1.0 - max((one.plausibility for one in assessed.values() if one.possible), default=0.0), 6)
    # Of a guess that has nothing left beside it, the share and the margin say nothing.
    alone = sum(one.possible for one in assessed.values()) == 1
    if decision.ground == "nearest":
        return round(
            min(likelihood(near[key]) if alone else share(near[key], near.values()) for key in decision.taken), 6
        )
    taken = [assessed[key] for key in decision.taken]
    if decision.ground == "plausible":
        return round(taken[0].weight, 6) if alone else _margin(decision, assessed)
    return min(1.0, *(one.draft.confidence for one in taken))


def _margin(decision: Decision, assessed: Mapping[str, Assessed]) -> float:
    """How far the chosen options are ahead of the next one: 0.5 where another is as good, 1 at most.

    Where one of two is right, that orders the choices by how often they are right better than what is made of the
    chosen one alone: on 150 of e-CARE's questions a tenth of the surer half is wrong, else a sixth.
    """
    taken = min(assessed[key].weight for key in decision.taken)
    others = [one.weight for key, one in assessed.items() if one.possible and key not in decision.taken]
    return round(0.5 + 0.5 * (taken - max(others, default=0.0)), 6)


def _option(text: str, event: str, decision: Decision, assessed: Mapping[str, Assessed]) -> Option:
    if is_none_of_the_others(text):
        chosen = decision.ground == "none"
        return Option(
            text=text,
            chosen=chosen,
            verdict=Verdict.HYPOTHESISED if chosen else Verdict.INSUFFICIENT,
            mode=None,
            plausibility=None,
            nearness=None,
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
        verdict, said = Verdict.CONTRADICTED, _denied(text, event, found)
    elif found.late:
        words = {"option": named(text), "event": named(event), "told": found.draft.text}
        verdict, said = Verdict.INSUFFICIENT, say("choice", "late", **words)
    elif found.precedence is Precedence.AFTER:
        verdict, said = Verdict.INSUFFICIENT, say("choice", "later", option=named(text), event=named(event))
    elif found.draft.verdict is Verdict.CONTRADICTED:
        said = _denied(text, event, found)
    else:
        said = found.draft.text if told else _untold(text, event, found)
    return Option(
        text=text,
        chosen=chosen,
        verdict=verdict,
        mode=found.draft.mode if told else None,
        plausibility=found.plausibility,
        nearness=found.nearness,
        precedence=found.precedence,
        necessary=found.necessary,
        text_found=said,
        chains=found.draft.chains,
        evidence=found.draft.evidence,
    )


def _untold(text: str, event: str, found: Assessed) -> str:
    """That no document states it, or why what one tells of it does not count."""
    return found.instead or say("choice", "unstated", option=named(text), event=named(event))


def _denied(text: str, event: str, found: Assessed) -> str:
    """What speaks against an option, which by itself does not name it."""
    against = [one for one in found.draft.evidence if one.stance is Stance.AGAINST]
    words = {"option": named(text), "event": named(event)}
    if not against:
        return found.draft.text
    if any(one.stance is Stance.FOR for one in found.draft.evidence):
        return say("choice", "disputed", told=found.draft.text, **words)
    return say("choice", "denied", place=place_of(against[0]), quote=against[0].quote, **words)


def _text(decision: Decision, event: str, options: Sequence[str], assessed: Mapping[str, Assessed]) -> str:
    """What is chosen and by what right; of a guess, first what documents say of options that they do not let stand."""
    offered: dict[str, str] = {}
    for text in options:
        offered.setdefault(choice_key(text), text)
    ground: str = decision.ground
    if ground == "plausible" and any(assessed[key].score is not None for key in decision.taken):
        ground = "assumed"
    said = []
    if decision.ground in UNSTATED:
        denied = {key for key, one in assessed.items() if one.draft.verdict is Verdict.CONTRADICTED}
        refuted = {"named_late": {key for key, one in assessed.items() if one.late}, "named_denied": denied}
        said = [
            say("choice", entry, event=named(event), options=_quoted(offered, keys))
            for entry, keys in refuted.items()
            if keys
        ]
        ground = f"{ground}_left" if said else ground
    told = say("choice", ground, event=named(event), options=_quoted(offered, decision.taken))
    return as_sentence(" ".join((*said, told)))


def _quoted(offered: Mapping[str, str], keys: Collection[str]) -> str:
    """Options in the order in which they were offered, those of the same words once."""
    return "; ".join(f"“{named(text)}”" for key, text in offered.items() if key in keys)


def _missing(
    decision: Decision, assessed: Mapping[str, Assessed], otherwise: str | None, event: str, options: Sequence[str]
) -> tuple[str, ...]:
    """That nothing states what is only guessed, or anything at all, and what is stated instead."""
    instead = () if otherwise is None else (say("choice", "otherwise", event=named(event), told=otherwise),)
    if decision.ground not in UNSTATED or decision.ground == "none":
        return instead
    unstated = [text for text in options if (found := assessed.get(choice_key(text))) is not None and found.possible]
    if decision.taken:
        unstated = [text for text in unstated if choice_key(text) in decision.taken]
    late = [line for _, one in sorted(assessed.items()) if one.late for line in one.draft.missing]
    each = [_untold(text, event, assessed[choice_key(text)]) for text in unstated]
    return tuple(dict.fromkeys((*late, *each, *instead)))
