"""What hangs on an event or a link: it is taken away, and the graph says what falls and what other causes hold."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from kg.records import Edge, Event, Evidence, Relation, Stance, Verdict
from language.questions import QuestionKind, read_question
from reasoning.empty_collection import empty_told
from reasoning.evidence import Quoter, place_of
from reasoning.findings import budget_of
from reasoning.links import LinkReader
from reasoning.one_state import from_one_state
from reasoning.room import Room
from reasoning.what_if_events import EventsNamed, Named, events_named, unknown_told
from reasoning.what_if_report import Consequence, HeldLink, WhatIf
from reasoning.what_if_wording import Found, between_ends, told_of
from reasoning.wording import cut_told, event_words, say
from traversal.deadline import Deadline
from traversal.expansion import Cut, joined, meet
from traversal.removal import HOLDING, Removal, leads, least_cut, without_events, without_links
from traversal.steps import edge_key
from traversal.thresholds import thresholds as traversal_thresholds
from traversal.told_alike import Alike, told_alike


def what_if(event: Named, effect: Named | None, room: Room, *, links_only: bool = False) -> WhatIf:
    """What would fall without an event, or without the direct links from it to an effect.

    What the documents tell as not having happened is supposed to have happened, and the other way round: their telling
    is what is taken away.

    Args:
        event: What is supposed to be otherwise than told; of words, all events that they may mean, or a whole question
            "what if", which says itself what is supposed.
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
    supposed = None
    if isinstance(event, str):
        read = read_question(event, room.settings.max_question_characters)
        if read.kind is QuestionKind.WHAT_IF:
            event, effect, supposed = read.focus, effect or read.effect, not read.negated
    return from_one_state(
        room.store, partial(without, event, effect, room, deadline, links_only=links_only, supposed=supposed)
    )


def without(
    event: Named,
    effect: Named | None,
    room: Room,
    deadline: Deadline,
    *,
    links_only: bool = False,
    supposed: bool | None = None,
) -> WhatIf:
    """As `what_if`, on the state of the graph that is read already, and in the time that is left.

    Args:
        supposed: Whether the event is supposed to have happened; none for the contrary of what the documents tell.
    """
    named = events_named(event, effect, room, supposed)
    effects, as_told = named.effects, named.as_told
    alike = told_alike(room.store, room.collection, traversal_thresholds().chains.near_copy, deadline)
    asked = _asked(named.causes, effects, alike, room, links_only=links_only)
    if as_told is not None:
        return _with(asked, room, verdict=Verdict.CONTRADICTED, as_told=as_told, text=_told_so(as_told, supposed))
    if not named.causes or (effect is not None and not effects):
        return _nothing_named(event, effect, named, asked, room)
    budget = budget_of(room)
    ids, of_effects = list(asked.cause_ids), list(asked.effect_ids)
    if links_only:
        removal = without_links(ids, of_effects, room.store, room.collection, budget, deadline, alike)
    else:
        ahead = budget.from_one_end() if effects else budget
        removal = without_events(ids, room.store, room.collection, ahead, deadline, alike)
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
    """What was asked, found in the graph.

    Attributes:
        alike: Events that are told in nearly the same words as one of the causes, and are none of them.
        effects_alike: The events told so, by effect.
    """

    causes: tuple[Event, ...]
    effects: tuple[Event, ...]
    alike: tuple[Event, ...]
    effects_alike: Mapping[str, frozenset[str]]
    links_only: bool

    @property
    def cause_ids(self) -> dict[str, None]:
        """The causes and what is told like them, each once."""
        return dict.fromkeys(one.id for one in (*self.causes, *self.alike))

    @property
    def effect_ids(self) -> dict[str, None]:
        """The effects and what is told like them; none is a cause."""
        like = sorted(id_ for same in self.effects_alike.values() for id_ in same)
        return dict.fromkeys((*(one.id for one in self.effects), *like))

    def falls(self, removal: Removal) -> bool | None:
        """Whether all effects fall; none where some is not reached, in none of its tellings."""
        reached = removal.fallen.keys() | removal.kept.keys()
        told = [{one.id, *self.effects_alike.get(one.id, ())} & reached for one in self.effects]
        return all(some <= removal.fallen.keys() for some in told) if all(told) else None


def _asked(
    causes: tuple[Event, ...], effects: tuple[Event, ...], alike: Alike, room: Room, *, links_only: bool
) -> _Asked:
    taken, named = {one.id for one in causes}, {one.id for one in effects}
    same = {id_ for found in alike(taken).values() for id_ in found} - taken - named
    like = {id_: found - taken - same - named for id_, found in alike(named).items()}
    events = room.store.events(room.collection, sorted(same))
    return _Asked(causes, effects, tuple(events[id_] for id_ in sorted(same)), like, links_only)


def _told_so(evidence: Evidence, supposed: bool | None) -> str:
    entry = "it_happened" if supposed else "it_did_not"
    return say("what_if", entry, place=place_of(evidence), quote=" ".join(evidence.quote.split()))


def _nothing_named(event: Named, effect: Named | None, named: EventsNamed, asked: _Asked, room: Room) -> WhatIf:
    unknown = [(event, named.near_causes)] if not asked.causes else []
    unknown += [(effect, named.near_effects)] if effect is not None and not asked.effects else []
    empty = empty_told(room)
    missing = (empty,) if empty else tuple(unknown_told(one, near) for one, near in unknown)
    return _with(asked, room, verdict=Verdict.INSUFFICIENT, text=" ".join(missing), missing=missing)


def _report(asked: _Asked, removal: Removal, between: Sequence[Edge], cuts: Iterable[Cut], room: Room) -> WhatIf:
    quoted = _Quoted(room)
    causes, effects = asked.cause_ids.keys(), asked.effect_ids.keys()
    connected = leads(causes, effects, between, HOLDING)
    stated = quoted.stated(between) if connected else []
    surely = connected and leads(causes, effects, stated, HOLDING)
    doubtful = removal.fallen.keys() - _fallen_surely(causes, removal, quoted)
    touched = [*removal.fallen, *removal.standing]
    kept_off = {edge.effect for edge in removal.still_prevented}
    freed = list(dict.fromkeys(edge.effect for edge in removal.unprevented if edge.effect not in kept_off))
    least = least_cut(causes, effects, between) if connected else ()
    ends = {end for edge in (*removal.taken, *least) for end in (edge.cause, edge.effect)}
    events = room.store.events(room.collection, sorted({*touched, *freed, *kept_off, *removal.freed, *ends}))
    fallen = _consequences(removal, removal.fallen, events, quoted, doubtful)
    standing = _consequences(removal, removal.standing, events, quoted)
    bounds = sorted(cuts)
    missing = [cut_told(bounds)] if bounds else []
    held_off = {edge.effect for edge in removal.unprevented} | removal.freed.keys()
    told = bool(touched or removal.unprevented) and bool(connected or not effects or effects & held_off)
    if not told:
        missing.insert(0, _nothing_hangs(asked, connected))
    held = _Held(
        necessary=asked.falls(removal) if surely else None,
        sufficient=leads(causes, effects, stated, (Relation.CAUSES,)) if surely else None,
        cut=tuple(map(quoted.link, least)),
    )
    prevented, still = (tuple(map(quoted.link, some)) for some in (removal.unprevented, removal.still_prevented))
    freed_too = tuple(events[one] for one in sorted(removal.freed, key=lambda one: (removal.freed[one], one)))
    relied_on = [
        *held.cut,
        *(link for one in fallen for link in one.lost),
        *(link for one in standing for link in one.kept),
        *prevented,
        *still,
    ]
    missing += quoted.doubts(relied_on)
    found = Found(
        causes=quoted.placed(asked.causes),
        alike=quoted.placed(asked.alike),
        effects=frozenset(effects),
        doubtful=frozenset(doubtful),
        unsure=connected and not surely,
        taken=between_ends(removal.taken, events),
        links_only=asked.links_only,
        fallen=tuple(one.event for one in fallen),
        standing=tuple(one.event for one in standing),
        unprevented=tuple(events[one] for one in freed),
        freed=freed_too,
        still_prevented=tuple(events[one] for one in sorted(kept_off)),
        necessary=held.necessary,
        sufficient=held.sufficient,
        cut=between_ends(least, events),
    )
    return _with(
        asked,
        room,
        verdict=Verdict.HYPOTHESISED if told else Verdict.INSUFFICIENT,
        text=told_of(found) if told else " ".join(missing),
        fallen=fallen,
        standing=standing,
        taken=tuple(map(quoted.link, removal.taken)),
        unprevented=prevented,
        still_prevented=still,
        freed=freed_too,
        necessary=held.necessary,
        sufficient=held.sufficient,
        cut=held.cut,
        missing=tuple(missing),
    )


def _nothing_hangs(asked: _Asked, connected: bool) -> str:
    if not asked.effects:
        return say("what_if", "nothing_hangs", event=asked.causes[0].description)
    ends = {"cause": asked.causes[0].description, "effect": asked.effects[0].description}
    return say("what_if", "no_direct" if connected else "no_way", **ends)


@dataclass(frozen=True, slots=True)
class _Held:
    """How an effect hangs on what is taken away, as in `WhatIf`."""

    necessary: bool | None
    sufficient: bool | None
    cut: tuple[HeldLink, ...]


def _with(asked: _Asked, room: Room, **told: object) -> WhatIf:
    lists = ("taken", "fallen", "standing", "unprevented", "still_prevented", "freed", "cut", "missing")
    nothing: dict[str, object] = {**dict.fromkeys(lists, ()), "as_told": None}
    given: dict[str, object] = {
        "collection": room.collection,
        "without": asked.causes,
        "alike": asked.alike,
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

    def placed(self, events: Iterable[Event]) -> tuple[tuple[Event, str], ...]:
        """Events, each with the place where it is told first."""
        return tuple((one, place_of(self._quoter.telling(one.id))) for one in events)

    def stated(self, edges: Sequence[Edge]) -> list[Edge]:
        """The links that some claim states as a fact."""
        return [edge for edge, link in zip(edges, self._reader.links(edges), strict=True) if link.stated_as_fact]

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


def _fallen_surely(causes: Iterable[str], removal: Removal, quoted: _Quoted) -> set[str]:
    """What falls by links that are all told as a fact."""
    lost = [(one, edge) for one in removal.fallen for edge in removal.lost[one]]
    stated = set(map(edge_key, quoted.stated([edge for _, edge in lost])))
    leading = [(edge.cause, one) for one, edge in lost if edge_key(edge) in stated]
    reached = set(causes)
    while further := {effect for cause, effect in leading if cause in reached} - reached:
        reached |= further
    return reached


def _consequences(
    removal: Removal,
    links: Mapping[str, int],
    events: Mapping[str, Event],
    quoted: _Quoted,
    doubtful: Collection[str] = (),
) -> tuple[Consequence, ...]:
    return tuple(
        Consequence(
            event=events[one],
            told=event_words(events[one]),
            links=links[one],
            doubtful=one in doubtful,
            lost=tuple(map(quoted.link, removal.lost[one])),
            kept=tuple(map(quoted.link, removal.kept.get(one, ()))),
        )
        for one in sorted(links, key=lambda one: (links[one], one))
    )
