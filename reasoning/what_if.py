"""What hangs on an event or a link: it is taken away, and the graph says what falls and what other causes hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from kg.records import Edge, Event, Evidence, Relation, Stance, Verdict
from language.questions import Question, effects_question, how_question
from reasoning.evidence import Quoter, place_of
from reasoning.findings import budget_of
from reasoning.links import LinkReader
from reasoning.one_state import from_one_state
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.what_if_report import Consequence, HeldLink, WhatIf
from reasoning.wording import as_sentence, cut_told, event_words, say
from traversal.deadline import Deadline
from traversal.expansion import Cut, joined, meet
from traversal.removal import HOLDING, Removal, leads, least_cut, without_events, without_links
from traversal.seeds import End, find_seeds

Named = str | Event
"""A happening in words, or the very event."""


def what_if(event: Named, effect: Named | None, room: Room, *, links_only: bool = False) -> WhatIf:
    """What would fall without an event, or without the direct links from it to an effect.

    Args:
        event: What is taken as not having happened; of words, all events that they may mean.
        effect: What is asked about especially; where none is given, all that falls is told.
        room: Store, index and settings.
        links_only: Take away only the direct links between the two.

    Raises:
        QuestionEmpty, QuestionTooLong, QuestionCharacters: the words cannot be read.
        DeadlinePassed: `deadline_seconds` went by.
        StoreDamaged: a quote is not what its document says.
        SnapshotLost: the graph changed each time while it was read.
    """
    deadline = Deadline(room.settings.deadline_seconds)
    return from_one_state(room.store, partial(without, event, effect, room, deadline, links_only=links_only))


def without(event: Named, effect: Named | None, room: Room, deadline: Deadline, *, links_only: bool = False) -> WhatIf:
    """As `what_if`, on the state of the graph that is read already, and in the time that is left."""
    causes, effects = _events_named(event, effect, room)
    asked = _Asked(causes, effects, links_only)
    if not causes or (effect is not None and not effects):
        return _nothing_named(event, effect, asked, room)
    budget = budget_of(room)
    ids, of_effects = [one.id for one in causes], [one.id for one in effects]
    if links_only:
        removal = without_links(ids, of_effects, room.store, room.collection, budget, deadline)
    else:
        removal = without_events(ids, room.store, room.collection, budget, deadline)
    between: tuple[Edge, ...] = ()
    cuts = set(removal.cuts)
    if effects:
        both = joined(meet(ids, of_effects, room.store, room.collection, budget, deadline))
        between = both.edges
        cuts |= set(both.cuts)
    deadline.check()
    return _report(asked, removal, between, cuts, room)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was asked, found in the graph."""

    causes: tuple[Event, ...]
    effects: tuple[Event, ...]
    links_only: bool


def _events_named(event: Named, effect: Named | None, room: Room) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
    """The events that are meant, best first; none where the words match nothing."""
    words, of_effect = _words(event), None if effect is None else _words(effect)
    limit = room.settings.max_question_characters
    question = effects_question(words, limit) if of_effect is None else how_question(words, of_effect, limit)
    causes = _meant(event, question, End.FOCUS if effect is None else End.CAUSE, room)
    effects = () if effect is None else _meant(effect, question, End.FOCUS, room)
    taken = {one.id for one in causes}
    return causes, tuple(one for one in effects if one.id not in taken)


def _meant(named: Named, question: Question, end: End, room: Room) -> tuple[Event, ...]:
    if isinstance(named, Event):
        return (named,)
    found = find_seeds(question, room.index, room.store, room.collection, thresholds().graph.seeds, end)
    return tuple(seed.event for seed in found.seeds if not seed.opposite)


def _words(named: Named) -> str:
    return named.description if isinstance(named, Event) else named


def _nothing_named(event: Named, effect: Named | None, asked: _Asked, room: Room) -> WhatIf:
    unknown = [event] if not asked.causes else []
    unknown += [effect] if effect is not None and not asked.effects else []
    missing = tuple(say("what_if", "unknown", event=_words(one)) for one in unknown)
    return _with(asked, room, verdict=Verdict.INSUFFICIENT, text=" ".join(missing), missing=missing)


def _report(asked: _Asked, removal: Removal, between: Sequence[Edge], cuts: Iterable[Cut], room: Room) -> WhatIf:
    quoted = _Quoted(room)
    causes, effects = ({one.id for one in some} for some in (asked.causes, asked.effects))
    connected = leads(causes, effects, between, HOLDING)
    touched = [*removal.fallen, *removal.standing]
    freed = [edge.effect for edge in removal.unprevented]
    events = room.store.events(room.collection, sorted({*touched, *freed}))
    fallen = _consequences(removal, removal.fallen, events, quoted)
    standing = _consequences(removal, removal.standing, events, quoted)
    bounds = sorted(cuts)
    missing = [cut_told(bounds)] if bounds else []
    if not (touched or removal.unprevented) or (effects and not connected):
        missing.insert(0, _nothing_hangs(asked, connected))
    told = bool(touched or removal.unprevented) and (connected or not effects)
    held = _Held(
        necessary=effects <= removal.fallen.keys() if connected else None,
        sufficient=leads(causes, effects, between, (Relation.CAUSES,)) if connected else None,
        cut=tuple(map(quoted.link, least_cut(causes, effects, between))) if connected else (),
    )
    relied_on = [
        *held.cut,
        *(link for one in fallen for link in one.lost),
        *(link for one in standing for link in one.kept),
    ]
    missing += quoted.doubts(relied_on)
    sentences = _sentences(asked, fallen, standing, [events[one] for one in freed], held)
    return _with(
        asked,
        room,
        verdict=Verdict.HYPOTHESISED if told else Verdict.INSUFFICIENT,
        text=" ".join(sentences if told else missing),
        fallen=fallen,
        standing=standing,
        unprevented=tuple(map(quoted.link, removal.unprevented)),
        necessary=held.necessary,
        sufficient=held.sufficient,
        cut=held.cut,
        missing=tuple(missing),
    )


def _nothing_hangs(asked: _Asked, connected: bool) -> str:
    if not asked.effects:
        return say("what_if", "nothing_hangs", event=asked.causes[0].description)
    ends = {"cause": asked.causes[0].description, "effect": asked.effects[0].description}
    return say("what_if", "no_direct", **ends) if connected else say("missing", "no_link", **ends)


@dataclass(frozen=True, slots=True)
class _Held:
    """How an effect hangs on what is taken away, as in `WhatIf`."""

    necessary: bool | None
    sufficient: bool | None
    cut: tuple[HeldLink, ...]


def _with(asked: _Asked, room: Room, **told: object) -> WhatIf:
    nothing: dict[str, object] = {"fallen": (), "standing": (), "unprevented": (), "cut": ()}
    given: dict[str, object] = {
        "collection": room.collection,
        "without": asked.causes,
        "effects": asked.effects,
        "links_only": asked.links_only,
        "necessary": None,
        "sufficient": None,
        "generation": room.store.generation(room.collection),
    }
    return WhatIf.model_validate(nothing | given | told)


class _Quoted:
    """Links with the sentence that states each best, read once."""

    def __init__(self, room: Room) -> None:
        self._quoter = Quoter(room.store, room.collection)
        self._reader = LinkReader(room.store, room.collection, self._quoter)

    def link(self, edge: Edge) -> HeldLink:
        """The link with its evidence."""
        best = self._reader.links([edge])[0].best
        evidence = None if best is None else self._quoter.claim(best.claim, Stance.FOR)
        return HeldLink(edge=edge, evidence=evidence)

    def doubts(self, links: Iterable[HeldLink]) -> list[str]:
        """What is told of them only as possible, and what is denied, each sentence once."""
        told: list[str] = []
        for one in links:
            (link,) = self._reader.links([one.edge])
            if one.evidence is not None and not link.stated_as_fact:
                told.append(_doubt("possible", one.evidence))
            told += [_doubt("denied", self._quoter.claim(denial.claim, Stance.AGAINST)) for denial in link.denials[:1]]
        return list(dict.fromkeys(told))


def _doubt(entry: str, evidence: Evidence) -> str:
    return say("what_if", entry, place=place_of(evidence), quote=" ".join(evidence.quote.split()))


def _consequences(
    removal: Removal, links: Mapping[str, int], events: Mapping[str, Event], quoted: _Quoted
) -> tuple[Consequence, ...]:
    return tuple(
        Consequence(
            event=events[one],
            links=links[one],
            lost=tuple(map(quoted.link, removal.lost[one])),
            kept=tuple(map(quoted.link, removal.kept.get(one, ()))),
        )
        for one in sorted(links, key=lambda one: (links[one], one))
    )


def _sentences(
    asked: _Asked,
    fallen: Sequence[Consequence],
    standing: Sequence[Consequence],
    freed: Sequence[Event],
    held: _Held,
) -> list[str]:
    """What was found, of the effects alone where some were asked about."""
    words = {"event": event_words(asked.causes[0])}
    if asked.links_only:
        words["effect"] = event_words(asked.effects[0])
    sentences = [say("what_if", "links" if asked.links_only else "events", **words)]
    of_effects = {one.id for one in asked.effects}
    for told, entry in ((fallen, "falls"), (standing, "stands")):
        shown = [event_words(one.event) for one in told if not of_effects or one.event.id in of_effects]
        if shown:
            sentences.append(say("what_if", entry, events="; ".join(shown)))
    if freed:
        named = dict.fromkeys(map(event_words, freed))
        sentences.append(say("what_if", "unprevented", events="; ".join(named)))
    if held.necessary is not None and not asked.links_only:
        sentences.append(say("what_if", "necessary" if held.necessary else "not_necessary"))
        sentences.append(say("what_if", "sufficient" if held.sufficient else "not_sufficient"))
    return [as_sentence(one) for one in sentences]
