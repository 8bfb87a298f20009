"""Events that may be one, for a person to decide: they resemble each other and nothing keeps them apart.

What has positive identity was merged by resolution, and what `excluded` rules out is never suggested. Of the rest, a
candidate is a pair that resolution linked as similar, a near neighbour by the vector of its wording, or one whose time
overlaps; the coreference head scores them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np

from extraction.identity import Traits, excluded, joined, shared_names, traits_of
from extraction.resolution_rules import load_rules
from extraction.tellings import telling_of
from kg.derivation import describe_event
from kg.encoding import Vectors
from kg.records import Decision, DecisionKind, Mention
from kg.store import GraphStore
from models.event_coreference import EventCoreference

NEIGHBOURS: Final = 4
"""Nearest others of its kind that each event is compared with, and as many whose time overlaps."""
MOST_READ: Final = 400
"""Most pairs that the head reads, those of the most alike wording first."""
_LOOKED_AT: Final = 64
"""Nearest others among which an event's candidates are sought."""
_ROWS: Final = 512
"""Events of a kind whose neighbours are sought at once."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Suggested:
    """Two events that may be one.

    Attributes:
        events: Their ids, the lesser first.
        mentions: The mention that describes each, in this order.
        score: How likely the two mentions tell of one event, 0 to 1, as the head says.
        reason: Why they were compared.
    """

    events: Pair
    mentions: tuple[Mention, Mention]
    score: float
    reason: str


def suggest(
    store: GraphStore, collection: str, head: Callable[[], EventCoreference], limit: int, least: float
) -> list[Suggested]:
    """The likeliest pairs, best first.

    Args:
        store: Where the graph is.
        collection: Name of the collection.
        head: Loads the head; called only when there is something to score.
        limit: Most pairs.
        least: Least score, 0 to 1.
    """
    members = _members(store, collection)
    linked = (frozenset((edge.cause, edge.effect)) for edge in store.edges(collection))
    candidates = _Candidates(members, store.decisions(collection), linked)
    ids = sorted(members)
    candidates.add(store.similar_pairs(collection, ids))
    for group in candidates.kinds():
        candidates.add_neighbours(group, store.event_vectors(collection, group))
    pairs = candidates.best(MOST_READ)
    if not pairs:
        return []
    reader = head()
    told = {id_: candidates.telling[id_] for id_ in sorted({id_ for pair in pairs for id_ in pair})}
    place = {id_: number for number, id_ in enumerate(told)}
    documents = sorted({mention.document_id for mention in told.values()})
    texts = {document: store.document_text(collection, document) for document in documents}
    tellings = [telling_of(mention, texts[mention.document_id]) for mention in told.values()]
    scores = reader.probabilities(tellings, reader.read(tellings), [(place[a], place[b]) for a, b in pairs])
    found = [
        Suggested((a, b), (told[a], told[b]), round(float(score), 4), candidates.reason(a, b))
        for (a, b), score in zip(pairs, scores, strict=True)
    ]
    found.sort(key=lambda one: (-one.score, one.events))
    return [one for one in found if one.score >= least][:limit]


def _members(store: GraphStore, collection: str) -> dict[str, list[Mention]]:
    """The mentions of each event."""
    members: dict[str, list[Mention]] = defaultdict(list)
    for document in store.documents(collection):
        mentions = store.mentions_of(collection, document.id)
        event_of = store.events_of_mentions(collection, [mention.id for mention in mentions])
        for mention in mentions:
            if mention.id in event_of:
                members[event_of[mention.id]].append(mention)
    return members


class _Candidates:
    """Pairs of events that nothing keeps apart."""

    def __init__(
        self,
        members: Mapping[str, Sequence[Mention]],
        decisions: Iterable[Decision],
        linked: Iterable[frozenset[str]],
    ) -> None:
        rules = load_rules()
        self._traits: dict[str, Traits] = {}
        self.telling: dict[str, Mention] = {}
        """The mention that describes each event."""
        event_of: dict[str, str] = {}
        for id_, mentions in members.items():
            _, described_by = describe_event(mentions)
            self.telling[id_] = next(mention for mention in mentions if mention.id == described_by)
            self._traits[id_] = reduce(joined, (traits_of(mention, rules) for mention in mentions))
            event_of.update((mention.id, id_) for mention in mentions)
        self._decided = {
            frozenset((event_of[one], event_of[two]))
            for decision in decisions
            if decision.kind is DecisionKind.SPLIT and not decision.undone
            for one in decision.subject
            for two in decision.subject
            if one in event_of and two in event_of
        }
        self._linked = frozenset(linked)
        self._sentences = {
            id_: {(mention.document_id, mention.sentence_start) for mention in mentions}
            for id_, mentions in members.items()
        }
        self._likeness: dict[Pair, float] = {}
        self._similar: set[Pair] = set()

    def kinds(self) -> list[list[str]]:
        """The events of each kind that has several."""
        groups: dict[str, list[str]] = defaultdict(list)
        for id_ in sorted(self.telling):
            groups[self.telling[id_].kind].append(id_)
        return [groups[kind] for kind in sorted(groups) if len(groups[kind]) > 1]

    def add(self, similar: Iterable[Pair]) -> None:
        """Takes the pairs that resolution linked as similar."""
        for one, two in similar:
            if self._open(one, two):
                self._similar.add((one, two))
                self._likeness.setdefault((one, two), 0.0)

    def add_neighbours(self, ids: Sequence[str], vectors: Vectors) -> None:
        """Takes the nearest others of each event of a kind, and the nearest of those whose times overlap."""
        for first in range(0, len(ids), _ROWS):
            alike = vectors[first : first + _ROWS] @ vectors.T
            for row, one in enumerate(ids[first : first + _ROWS]):
                near = timely = 0
                for column in np.argsort(-alike[row], kind="stable")[:_LOOKED_AT]:
                    two = ids[column]
                    overlapping = self._overlap(one, two)
                    wanted = near < NEIGHBOURS or (overlapping and timely < NEIGHBOURS)
                    if two == one or not wanted or not self._open(one, two):
                        continue
                    near, timely = near + 1, timely + overlapping
                    self._likeness[min(one, two), max(one, two)] = float(alike[row, column])

    def best(self, count: int) -> list[Pair]:
        """The pairs to read: all that are linked as similar, then those of the most alike wording."""
        ranked = sorted(self._likeness, key=lambda pair: (pair not in self._similar, -self._likeness[pair], pair))
        return sorted(ranked[:count])

    def reason(self, one: str, two: str) -> str:
        """Why two events were compared, for a person."""
        shared = [name.text for name in shared_names(self._traits[one], self._traits[two]) if name.particular]
        reasons = [f"both with {', '.join(shared)}"] if shared else []
        if self._overlap(one, two):
            reasons.append("times that overlap")
        likeness = self._likeness[one, two]
        if likeness > 0:
            reasons.append(f"wording {likeness:.2f} alike")
        return f"{self.telling[one].kind}: {'; '.join(reasons) or 'linked as similar'}"

    def _overlap(self, one: str, two: str) -> bool:
        return any(a.overlaps(b) for a in self._traits[one].times for b in self._traits[two].times)

    def _open(self, one: str, two: str) -> bool:
        """Whether nothing keeps two events apart: no trait, no claim between them, no sentence that tells both.

        And no person's word.
        """
        pair = frozenset((one, two))
        return (
            pair not in self._decided
            and pair not in self._linked
            and self._sentences[one].isdisjoint(self._sentences[two])
            and not excluded(self._traits[one], self._traits[two])
        )
