"""What the graph holds for a question: the events it names, the chains at them, and what was ruled out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.records import CAUSAL_RELATIONS, Chain, Edge, Event, Polarity
from kg.store import Direction
from language.questions import Question, QuestionKind
from reasoning.room import Room
from reasoning.thresholds import thresholds
from traversal.chains import Enumeration, build_chains
from traversal.deadline import Deadline
from traversal.expansion import Budget, Cut, Subgraph, expand, joined, meet
from traversal.seed_order import SentenceJudge
from traversal.seed_views import SeedViews
from traversal.seeds import End, Seed, SeedSearch, find_seeds
from traversal.steps import edge_key
from traversal.thresholds import thresholds as traversal_thresholds


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found in the graph.

    Attributes:
        focus: The search for the focus; for HOW and DID, for the effect.
        cause: The search for the cause of HOW and DID; none for the other kinds.
        chains: Those that answer the question, best first.
        onward: Chains from the cause on, when none of `chains` connects it with the effect.
        backward: Chains back from the effect, when none of `chains` connects it with the cause.
        direct: Edges from the cause to the effect, denied ones too.
        ruled_out: Denied edges at the focus.
        events: All events reached, and the ends of `direct` and `ruled_out`.
        explained: Ids of the events reached that some followed edge leads to.
        cuts: Which bounds were met.
        steps: What was done, as plain JSON values by step.
        doubtful: Edges that were left out of the chains because no claim states them reliably.
    """

    focus: SeedSearch
    cause: SeedSearch | None
    chains: tuple[Chain, ...]
    onward: tuple[Chain, ...]
    backward: tuple[Chain, ...]
    direct: tuple[Edge, ...]
    ruled_out: tuple[Edge, ...]
    events: dict[str, Event]
    explained: frozenset[str]
    cuts: tuple[Cut, ...]
    steps: tuple[tuple[str, dict[str, object]], ...]
    doubtful: tuple[Edge, ...] = ()


_LINK_IN_PASSAGE = 1
"""A passage is a seed too: the link from the asked event to another one in its passage comes before the first hop."""


def explore(
    question: Question,
    room: Room,
    deadline: Deadline,
    views: SeedViews | None = None,
    judge: SentenceJudge | None = None,
) -> Findings:
    """Searches the graph for what the question asks. For PLAIN and WHAT_IF questions only their events are found.

    Args:
        question: What is asked.
        room: Store, index and settings.
        deadline: Ends the search.
        views: What the events of the question are searched by beside its words.
        judge: Puts those events in order; none leaves them in that of their match.
    """
    limit = thresholds().graph.seeds
    focus = find_seeds(question, room.index, room.store, room.collection, limit, views=views, judge=judge)
    if question.cause is None:
        return _from_one_end(question, focus, room, deadline)
    cause = find_seeds(question, room.index, room.store, room.collection, limit, End.CAUSE, views, judge)
    return _from_both_ends(focus, cause, room, deadline)


def explore_assuming(
    question: Question, found: Findings, assumed: Sequence[Edge], room: Room, deadline: Deadline
) -> Findings:
    """The graph searched once more from the same events, over links that are assumed as well as over its own.

    Args:
        question: What is asked.
        found: What the graph alone holds for it.
        assumed: Links that are no edges of the graph.
        room: Store, index and settings.
        deadline: Ends the search.
    """
    if found.cause is None:
        return _from_one_end(question, found.focus, room, deadline, assumed)
    return _from_both_ends(found.focus, found.cause, room, deadline, assumed)


def _from_one_end(
    question: Question, focus: SeedSearch, room: Room, deadline: Deadline, assumed: Sequence[Edge] = ()
) -> Findings:
    direction = Direction.TO_EFFECTS if question.kind is QuestionKind.EFFECTS else Direction.TO_CAUSES
    asks_of_links = question.kind not in {QuestionKind.PLAIN, QuestionKind.WHAT_IF}
    seeds = _usable(question, focus.seeds) if asks_of_links else ()
    starts = [*(s.event.id for s in seeds), *(focus.beside if seeds else ())]
    part = expand(starts, direction, room.store, room.collection, budget_of(room), deadline, assumed)
    events = _events(room, part, part.ruled_out)
    polarities = None
    if direction is Direction.TO_CAUSES:
        # What happens against its prevention is not explained by it: an odd number of PREVENTS explains why not.
        polarities = {s.event.id: Polarity.NEGATED if s.opposite else Polarity.AFFIRMED for s in seeds}
    found = _build(part, events, seeds, direction, room, longest_chain(room), polarities=polarities)
    return Findings(
        focus=focus,
        cause=None,
        chains=found.chains,
        onward=(),
        backward=(),
        direct=(),
        ruled_out=part.ruled_out,
        events=events,
        explained=frozenset(edge.effect for edge in part.edges),
        cuts=part.cuts,
        steps=(_seed_step(focus, room), _expand_step(part, direction.value, room), _chain_step(found)),
    )


def _from_both_ends(
    focus: SeedSearch, cause: SeedSearch, room: Room, deadline: Deadline, assumed: Sequence[Edge] = ()
) -> Findings:
    causes, effects = _unopposed(cause.seeds), _unopposed(focus.seeds)
    cause_ids, effect_ids = [s.event.id for s in causes], [s.event.id for s in effects]
    ahead, back = meet(cause_ids, effect_ids, room.store, room.collection, budget_of(room), deadline, assumed)
    between = room.store.edges_at(
        room.collection,
        cause_ids,
        Direction.TO_EFFECTS,
        CAUSAL_RELATIONS,
        ruled_out=None,
        limit_each=room.settings.max_nodes,
    )
    direct = tuple(sorted((edge for edge in between if edge.effect in effect_ids), key=edge_key))
    both = joined((ahead, back))
    events = _events(room, both, (*direct, *both.ruled_out))
    ends = {seed.event.id: seed.match for seed in effects}
    hops = room.settings.hops
    met = _build(both, events, causes, Direction.TO_EFFECTS, room, 2 * hops, ends=ends)
    onward: tuple[Chain, ...] = ()
    backward: tuple[Chain, ...] = ()
    if not met.chains:
        onward = _build(ahead, events, causes, Direction.TO_EFFECTS, room, hops).chains
        backward = _build(back, events, effects, Direction.TO_CAUSES, room, hops).chains
    return Findings(
        focus=focus,
        cause=cause,
        chains=met.chains,
        onward=onward,
        backward=backward,
        direct=direct,
        ruled_out=back.ruled_out,
        events=events,
        explained=frozenset(edge.effect for edge in both.edges),
        cuts=both.cuts,
        steps=(
            _seed_step(cause, room),
            _seed_step(focus, room),
            _expand_step(ahead, Direction.TO_EFFECTS.value, room),
            _expand_step(back, Direction.TO_CAUSES.value, room),
            _chain_step(met),
        ),
    )


def _usable(question: Question, seeds: Sequence[Seed]) -> tuple[Seed, ...]:
    """What did not happen is explained by what prevented it, so a question why not may start at what did not happen."""
    if question.negated and question.kind is QuestionKind.WHY:
        return tuple(seeds)
    return _unopposed(seeds)


def _unopposed(seeds: Sequence[Seed]) -> tuple[Seed, ...]:
    return tuple(seed for seed in seeds if not seed.opposite)


def longest_chain(room: Room) -> int:
    """Most links of a chain that starts at one asked event."""
    return room.settings.hops + _LINK_IN_PASSAGE


def budget_of(room: Room) -> Budget:
    """How far the settings let the graph be searched."""
    return Budget(
        hops=room.settings.hops,
        max_nodes=room.settings.max_nodes,
        fan_out=traversal_thresholds().expansion.fan_out,
        floor=room.settings.reliability_floor,
    )


def _events(room: Room, part: Subgraph, more: Sequence[Edge]) -> dict[str, Event]:
    ids = set(part.depth) | {end for edge in more for end in (edge.cause, edge.effect)}
    return room.store.events(room.collection, sorted(ids))


def _build(
    part: Subgraph,
    events: dict[str, Event],
    seeds: Sequence[Seed],
    direction: Direction,
    room: Room,
    max_links: int,
    ends: dict[str, float] | None = None,
    polarities: dict[str, Polarity] | None = None,
) -> Enumeration:
    return build_chains(
        part.edges,
        events,
        {seed.event.id: seed.match for seed in seeds},
        direction,
        max_links,
        traversal_thresholds().chains,
        ends=ends,
        polarities=polarities,
    )


def _seed_step(search: SeedSearch, room: Room) -> tuple[str, dict[str, object]]:
    return "seeds", {
        "focus": search.focus,
        "seeds": [_seed_values(seed) for seed in search.seeds],
        "beside": list(search.beside),
        "outside_the_time": [_seed_values(seed) for seed in search.outside],
        "of_another_name": [_seed_values(seed) for seed in search.others],
        "nearest_rejected": search.nearest,
        "unknown_words": list(search.unknown_words),
        **_judged(search, room),
        "thresholds": traversal_thresholds().seeds.model_dump(mode="json"),
    }


def _judged(search: SeedSearch, room: Room) -> dict[str, object]:
    """Who put the seeds in order, and by what; nothing where nobody did."""
    if room.reranker is None or not search.judged:
        return {}
    return {
        "by": room.reranker.name,
        "judge": room.reranker.judge.fingerprint,
        "judged": [list(one) for one in search.judged],
    }


def _seed_values(seed: Seed) -> dict[str, object]:
    return {
        "event": seed.event.id,
        "description": seed.event.description,
        "match": seed.match,
        "head": seed.head,
        "coverage": seed.coverage,
        "cosine": seed.cosine,
        "time": seed.fit.name.lower(),
        "opposite": seed.opposite,
    }


def _expand_step(part: Subgraph, direction: str, room: Room) -> tuple[str, dict[str, object]]:
    budget = budget_of(room)
    return "expand", {
        "direction": direction,
        "hops": budget.hops,
        "max_nodes": budget.max_nodes,
        "fan_out": budget.fan_out,
        "floor": budget.floor,
        "events": len(part.depth),
        "edges": len(part.edges),
        "ruled_out": [[edge.cause, edge.effect, edge.relation.value] for edge in part.ruled_out],
        "truncated": [cut.value for cut in part.cuts],
    }


def _chain_step(found: Enumeration) -> tuple[str, dict[str, object]]:
    return "chains", {
        "found": found.found,
        "capped": found.capped,
        "kept": [
            {
                "score": chain.score,
                "polarity": chain.polarity.value,
                "events": [event.id for event in chain.events],
                "relations": [edge.relation.value for edge in chain.edges],
                "confidences": [edge.confidence for edge in chain.edges],
            }
            for chain in found.chains
        ],
        "thresholds": traversal_thresholds().chains.model_dump(mode="json"),
    }
