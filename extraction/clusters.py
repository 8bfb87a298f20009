"""Clusters that grow under constraints: what agglomeration works on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from extraction.identity import Traits, excluded, joined


class Clusters:
    """Disjoint sets of mentions, each with its joined traits and the reasons that made it one.

    A cluster goes by its least mention id, so that nothing depends on the order of the unions that led to it.
    """

    def __init__(self, traits: Mapping[str, Traits], apart: Mapping[str, frozenset[str]]) -> None:
        """Starts with every mention alone.

        Args:
            traits: Traits of each mention, by its id.
            apart: For a mention the ids of those that a person said are other happenings.
        """
        self._apart = apart
        self._parent: dict[str, str] = {mention: mention for mention in traits}
        self._members: dict[str, list[str]] = {mention: [mention] for mention in traits}
        self._traits: dict[str, Traits] = dict(traits)
        self._reasons: dict[str, dict[str, float | None]] = {mention: {} for mention in traits}

    def find(self, mention: str) -> str:
        """The id of the cluster that holds the mention."""
        root = mention
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[mention] != root:
            self._parent[mention], mention = root, self._parent[mention]
        return root

    def ids(self) -> list[str]:
        """Ids of all clusters, sorted."""
        return sorted(self._members)

    def traits(self, cluster: str) -> Traits:
        return self._traits[cluster]

    def members(self, cluster: str) -> tuple[str, ...]:
        """Sorted mention ids."""
        return tuple(sorted(self._members[cluster]))

    def reasons(self, cluster: str) -> tuple[str, ...]:
        """Sorted, without repeats; those of rules with their best score behind them: `same-day 2014-03-02 (0.85)`."""
        scored = self._reasons[cluster]
        return tuple(
            reason if scored[reason] is None else f"{reason} ({scored[reason]:.2f})" for reason in sorted(scored)
        )

    def force(self, mentions: Iterable[str], reason: str) -> None:
        """Puts mentions together over everything but a person's word that they are apart."""
        first, *others = sorted(mentions)
        for other in others:
            one, two = self.find(first), self.find(other)
            if one != two and not self._kept_apart(one, two):
                self._unite(one, two, {reason: None}, by_hand=excluded(self._traits[one], self._traits[two]))

    def unite(self, one: str, two: str, reason: str, score: float, across: bool = False) -> bool:
        """Puts the clusters of two mentions together unless something keeps them apart; tells whether it did.

        Args:
            score: How strong the reason is, for the merge log.
            across: Also keep apart what stands in one document: what a document tells as two happenings is not made
                one through another document.
        """
        one, two = self.find(one), self.find(two)
        if one == two or self._kept_apart(one, two) or excluded(self._traits[one], self._traits[two]):
            return False
        if across and self._traits[one].documents & self._traits[two].documents:
            return False
        self._unite(one, two, {reason: score}, by_hand=False)
        return True

    def _kept_apart(self, one: str, two: str) -> bool:
        if not self._apart:
            return False
        others = set(self._members[two])
        return any(not others.isdisjoint(self._apart.get(member, frozenset())) for member in self._members[one])

    def _unite(self, one: str, two: str, reason: Mapping[str, float | None], by_hand: bool) -> None:
        keep, gone = min(one, two), max(one, two)
        self._parent[gone] = keep
        self._members[keep] += self._members.pop(gone)
        self._traits[keep] = joined(self._traits[keep], self._traits.pop(gone), by_hand)
        kept = self._reasons[keep]
        for why, score in (*self._reasons.pop(gone).items(), *reason.items()):
            before = kept.get(why)
            kept[why] = score if before is None or score is None else max(before, score)
