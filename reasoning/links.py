"""A link of a chain with the words that state it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod

from kg.records import CAUSAL_RELATIONS, Chain, Claim, Edge, Event, Mention, Modality, Polarity, Relation, Verdict
from kg.store import Direction, GraphStore
from language.question_times import QuestionTime
from reasoning.evidence import Quoter
from reasoning.late_causes import Dated, DatesAround, LateCause, is_planned, late_cause
from traversal.likeness import nearly_equal
from traversal.steps import EdgeKey, edge_key, far_end
from traversal.thresholds import thresholds

_MOST_LIKE = 50
"""Most similar events that are asked for denials; a number."""
_REALITY = {Modality.ACTUAL: 0, Modality.POSSIBLE: 1, Modality.PLANNED: 2, Modality.HYPOTHETICAL: 3}


@dataclass(frozen=True, slots=True)
class Statement:
    """One claim with its two mentions, all three checked against the document."""

    claim: Claim
    cause: Mention
    effect: Mention


@dataclass(frozen=True, slots=True)
class Link:
    """An edge with what states it and what denies it.

    Attributes:
        assertions: Reliable claims for it, the most real and then the most confident first; ties by id.
        denials: Actual claims against it, the most confident first; ties by id. Its own, then those of like edges, then
            those that say the opposite.
        p_against: The strongest denial, that of a like edge and of the opposite included.
        doubtful: Claims for it that are less reliable than the reader's bound; they tell nothing.
        late: The events of its chain around it, the cause of which came after the effect by their times; else none.
    """

    edge: Edge
    assertions: tuple[Statement, ...]
    denials: tuple[Statement, ...]
    p_against: float
    doubtful: tuple[Statement, ...] = ()
    late: LateCause | None = None

    @property
    def best(self) -> Statement | None:
        """The claim that tells the link."""
        return self.assertions[0] if self.assertions else None

    @property
    def stated_as_fact(self) -> bool:
        """Whether some document asserts it as something that happened."""
        return self.best is not None and self.best.claim.modality is Modality.ACTUAL

    @property
    def told_as_fact(self) -> bool:
        """Whether it is stated as a fact, and no dates speak against it."""
        return self.stated_as_fact and self.late is None


class LinkReader:
    """Reads the claims behind edges, each once for a question."""

    def __init__(self, store: GraphStore, collection: str, quoter: Quoter, least: float = 0.0) -> None:
        """Takes where the claims are.

        Args:
            store: Where the claims are.
            collection: The set of documents that is asked.
            quoter: Checks their words.
            least: Least confidence of a claim that states a link, 0 to 1.
        """
        self._store = store
        self._collection = collection
        self._quoter = quoter
        self._least = least
        self._around = DatesAround(quoter)
        self._known: dict[EdgeKey, Link] = {}

    def links(self, edges: Sequence[Edge]) -> tuple[Link, ...]:
        """The edges with their claims, in the order given.

        Raises:
            StoreDamaged: a document does not hold the words of a mention or a claim.
        """
        new = [edge for edge in edges if edge_key(edge) not in self._known]
        claims = self._store.claims(self._collection, sorted({id_ for edge in new for id_ in edge.claims}))
        wanted = {id_ for claim in claims.values() for id_ in (claim.cause_mention, claim.effect_mention)}
        mentions = self._store.mentions(self._collection, sorted(wanted))
        for edge in new:
            statements = [
                self._statement(claims[id_], mentions)
                for id_ in edge.claims
                if id_ in claims and claims[id_].relation is edge.relation
            ]
            asserted = sorted((s for s in statements if s.claim.polarity is Polarity.AFFIRMED), key=_told_first)
            self._known[edge_key(edge)] = Link(
                edge=edge,
                assertions=tuple(s for s in asserted if s.claim.confidence >= self._least),
                denials=tuple(
                    sorted(
                        (
                            s
                            for s in statements
                            if s.claim.polarity is Polarity.NEGATED and s.claim.modality is Modality.ACTUAL
                        ),
                        key=_told_first,
                    )
                ),
                p_against=edge.p_against,
                doubtful=tuple(s for s in asserted if s.claim.confidence < self._least),
            )
        return tuple(self._known[edge_key(edge)] for edge in edges)

    def chain(self, chain: Chain, asked: QuestionTime | None = None) -> tuple[Link, ...]:
        """The links of a chain, cause first, with what denies a like link, says the opposite, or is dated against it.

        Its last event is dated by the time that the question names for it where documents give it none.

        A denial often words the cause a little differently and stays an event of its own, and who says that a thing
        prevented another denies that it caused it; the chain must not be told as if nobody had denied it.
        """
        dated = _dated(chain.events, asked)
        links = _with_times(
            [
                self._with_opposites(self._with_like_denials(link, cause, effect))
                for link, cause, effect in zip(self.links(chain.edges), chain.events, chain.events[1:], strict=False)
            ],
            dated,
        )
        return tuple(self._with_dates_around(*each) for each in zip(links, dated, dated[1:], strict=False))

    def asserted_alike(self, edge: Edge) -> Statement | None:
        """Who states as a fact what a denial denies, told of the same or of like events; none where nobody does."""
        events = self._store.events(self._collection, [edge.cause, edge.effect])
        like = self._alike(edge, events[edge.cause], events[edge.effect], lambda one: one.support > 0)
        asserted = [statement for link in self.links(like) if link.stated_as_fact for statement in link.assertions]
        return min(asserted, key=_told_first, default=None)

    def _with_like_denials(self, link: Link, cause: Event, effect: Event) -> Link:
        """The link with the denials of like links."""
        like = self._alike(link.edge, cause, effect, lambda one: one.against > 0)
        denials = [statement for denied in self.links(like) for statement in denied.denials]
        return replace(
            link,
            denials=tuple(dict.fromkeys((*link.denials, *denials))),
            p_against=max([link.p_against, *(edge.p_against for edge in like)]),
        )

    def _alike(self, edge: Edge, cause: Event, effect: Event, counts: Callable[[Edge], bool]) -> list[Edge]:
        """The link itself and those like it, as far as they count.

        Their one end is like ours by resolution, the other by its words at least: resolution does not compare all.
        """
        found: dict[EdgeKey, Edge] = {}
        for event, opposite, direction in (
            (cause, effect, Direction.TO_EFFECTS),
            (effect, cause, Direction.TO_CAUSES),
        ):
            edges = self._store.edges_at(
                self._collection,
                self._like(event),
                direction,
                (edge.relation,),
                ruled_out=None,
                limit_each=_MOST_LIKE**2,
            )
            counted = [one for one in edges if counts(one)]
            others = self._store.events(self._collection, sorted({far_end(one, direction) for one in counted}))
            found.update(
                (edge_key(one), one)
                for one in counted
                if nearly_equal(others[far_end(one, direction)], opposite, thresholds().chains.near_copy)
            )
        return [found[key] for key in sorted(found)]

    def _with_opposites(self, link: Link) -> Link:
        """The link with those who state as a fact that the same event prevents what it is told to bring about."""
        prevents = link.edge.relation is Relation.PREVENTS
        edges = self._store.edges_at(
            self._collection,
            [link.edge.cause],
            Direction.TO_EFFECTS,
            tuple(other for other in CAUSAL_RELATIONS if (other is Relation.PREVENTS) is not prevents),
            limit_each=_MOST_LIKE**2,
        )
        against = [
            other
            for other in self.links([edge for edge in edges if edge.effect == link.edge.effect])
            if other.stated_as_fact
        ]
        stated = [s for other in against for s in other.assertions if s.claim.modality is Modality.ACTUAL]
        return replace(
            link,
            denials=(*link.denials, *stated),
            p_against=max([link.p_against, *(other.edge.p_for for other in against)]),
        )

    def _with_dates_around(self, link: Link, cause: Dated | None, effect: Dated | None) -> Link:
        """The link, late where sentences around what states it date its cause behind its effect."""
        stated = link.best
        if stated is None or link.late is not None or is_planned(stated.cause) or (cause and effect):
            return link
        mentions = stated.cause, stated.effect
        place = min(one.sentence_start for one in mentions), max(one.sentence_end for one in mentions)
        at = stated.claim.document_id, place
        cause = cause or self._around.cause(stated.cause.text, *at)
        if cause is None:
            return link
        effect = effect or self._around.effect(stated.effect.text, *at)
        return replace(link, late=late_cause(cause, effect))

    def _like(self, event: Event) -> list[str]:
        """The event and those told alike; similar ones are never followed, only asked for denials."""
        ids = self._store.similar_events(self._collection, event.id)[:_MOST_LIKE]
        others = self._store.events(self._collection, ids).values()
        share = thresholds().chains.near_copy
        return sorted({event.id, *(other.id for other in others if nearly_equal(event, other, share))})

    def _statement(self, claim: Claim, mentions: dict[str, Mention]) -> Statement:
        return Statement(
            claim,
            self._quoter.mention(mentions[claim.cause_mention]),
            self._quoter.mention(mentions[claim.effect_mention]),
        )


def verdict_of(links: Sequence[Link]) -> Verdict:
    """What a chain comes to: supported when every link is told as a fact, hypothesised when one is only possible."""
    if all(link.told_as_fact for link in links):
        return Verdict.SUPPORTED
    if all(link.best is not None for link in links):
        return Verdict.HYPOTHESISED
    return Verdict.INSUFFICIENT


def strength_of(links: Sequence[Link]) -> float:
    """The product of the confidences, less for each cause that came after its effect."""
    late = len(late_of(links))
    return prod(link.edge.confidence for link in links) * thresholds().chains.inconsistent_factor ** late


def late_of(links: Sequence[Link]) -> list[LateCause]:
    """The causes that came after their effects, each once."""
    return list(dict.fromkeys(link.late for link in links if link.late is not None))


def is_late(chain: Chain, links: Sequence[Link], asked: QuestionTime | None = None) -> bool:
    """Whether the first event of a chain came after its last by their times, and was no plan that was made before."""
    first, *_, last = _dated(chain.events, asked)
    throughout = len({link.late for link in links}) == 1
    return bool(late_of(links)) and (throughout or late_cause(first, last) is not None)


def _dated(events: Sequence[Event], asked: QuestionTime | None) -> list[Dated | None]:
    """The events with their times; the last one, where it has none, with that of the question."""
    return [*map(Dated.of, events[:-1]), Dated.asked(events[-1], asked)]


def _with_times(links: Sequence[Link], events: Sequence[Dated | None]) -> tuple[Link, ...]:
    """The links, those between two dated events of which the second was over when the first began marked as late."""
    marked = list(links)
    dated = [(place, one) for place, one in enumerate(events) if one is not None]
    for (start, cause), (stop, effect) in pairwise(dated):
        late, stated = late_cause(cause, effect), links[start].best
        if late is not None and not (stated is not None and is_planned(stated.cause)):
            marked[start:stop] = [replace(link, late=late) for link in links[start:stop]]
    return tuple(marked)


def _told_first(statement: Statement) -> tuple[int, float, str]:
    return _REALITY[statement.claim.modality], -statement.claim.confidence, statement.claim.id
