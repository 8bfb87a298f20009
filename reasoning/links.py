"""A link of a chain with the words that state it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kg.records import Chain, Claim, Edge, Mention, Modality, Polarity, Relation, Verdict
from kg.store import GraphStore
from reasoning.evidence import Quoter

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
        assertions: Claims for it, the most real and then the most confident first; ties by id.
        denials: Actual claims against it, the most confident first; ties by id.
    """

    edge: Edge
    assertions: tuple[Statement, ...]
    denials: tuple[Statement, ...]

    @property
    def best(self) -> Statement | None:
        """The claim that tells the link."""
        return self.assertions[0] if self.assertions else None

    @property
    def stated_as_fact(self) -> bool:
        """Whether some document asserts it as something that happened."""
        return self.best is not None and self.best.claim.modality is Modality.ACTUAL


class LinkReader:
    """Reads the claims behind edges, each once for a question."""

    def __init__(self, store: GraphStore, collection: str, quoter: Quoter) -> None:
        self._store = store
        self._collection = collection
        self._quoter = quoter
        self._known: dict[tuple[str, str, Relation], Link] = {}

    def links(self, edges: Sequence[Edge]) -> tuple[Link, ...]:
        """The edges with their claims, in the order given.

        Raises:
            StoreDamaged: a document does not hold the words of a mention or a claim.
        """
        new = [edge for edge in edges if (edge.cause, edge.effect, edge.relation) not in self._known]
        claims = self._store.claims(self._collection, sorted({id_ for edge in new for id_ in edge.claims}))
        wanted = {id_ for claim in claims.values() for id_ in (claim.cause_mention, claim.effect_mention)}
        mentions = self._store.mentions(self._collection, sorted(wanted))
        for edge in new:
            statements = [
                self._statement(claims[id_], mentions)
                for id_ in edge.claims
                if id_ in claims and claims[id_].relation is edge.relation
            ]
            self._known[edge.cause, edge.effect, edge.relation] = Link(
                edge=edge,
                assertions=tuple(
                    sorted((s for s in statements if s.claim.polarity is Polarity.AFFIRMED), key=_told_first)
                ),
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
            )
        return tuple(self._known[edge.cause, edge.effect, edge.relation] for edge in edges)

    def chain(self, chain: Chain) -> tuple[Link, ...]:
        """The links of a chain, cause first."""
        return self.links(chain.edges)

    def _statement(self, claim: Claim, mentions: dict[str, Mention]) -> Statement:
        return Statement(
            claim,
            self._quoter.mention(mentions[claim.cause_mention]),
            self._quoter.mention(mentions[claim.effect_mention]),
        )


def verdict_of(links: Sequence[Link]) -> Verdict:
    """What a chain comes to: supported when every link is stated as a fact, hypothesised when one is only possible."""
    if all(link.stated_as_fact for link in links):
        return Verdict.SUPPORTED
    if all(link.best is not None for link in links):
        return Verdict.HYPOTHESISED
    return Verdict.INSUFFICIENT


def _told_first(statement: Statement) -> tuple[int, float, str]:
    return _REALITY[statement.claim.modality], -statement.claim.confidence, statement.claim.id
