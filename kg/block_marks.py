"""Blocks and their marks: which kinds of happening wait for derivation, and which kinds are resolved together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from kg.backend import Backend
from kg.components import connected
from kg.records import ON_MENTIONS, Decision, DecisionKind, Event


class BlockMarks(Backend):
    """A block is all mentions of one kind, or of the kinds that standing merge decisions tie together."""

    def _mark(self, collection: str, kinds: Iterable[str]) -> None:
        """Marks kinds, and those tied to them now; inside `_transact`.

        A change that removes a tie has to mark before it, one that adds a tie after it.
        """
        asked = set(kinds)
        if not asked:
            return
        block_of = self._tied_kinds(collection)
        blocks = {block_of.get(kind, kind) for kind in asked}
        tied = {kind for kind, block in block_of.items() if block in blocks}
        self._insert_marks(collection, sorted(tied | asked))

    def _tied_kinds(self, collection: str) -> dict[str, str]:
        """For each kind that a standing merge names, the least kind of its block."""
        kinds_of: dict[str, list[str]] = defaultdict(list)
        for decision, kind in self._merged_kinds(collection):
            kinds_of[decision].append(kind)
        pairs = [(kinds[0], kind) for kinds in kinds_of.values() for kind in kinds[1:]]
        return connected((kind for kinds in kinds_of.values() for kind in kinds), pairs)

    def _standing_on_mentions(self, collection: str) -> list[Decision]:
        """The standing merges and splits, oldest first, and what accepted hypotheses add to the merges."""
        standing = [decision for decision in self.decisions(collection) if not decision.undone]
        return [decision for decision in standing if decision.kind in ON_MENTIONS] + self._noted_merges(
            collection, standing
        )

    def _noted_merges(self, collection: str, standing: Sequence[Decision]) -> list[Decision]:
        """What each standing acceptance says of mentions: the two of its note tell of the events it would link."""
        accepted = [one for one in standing if one.kind is DecisionKind.ACCEPT_HYPOTHESIS]
        if not accepted:
            return []
        hypotheses = {one.id: one for one in self.hypotheses(collection)}
        claims = self.claims(collection, sorted({id_ for one in accepted for id_ in one.subject}))
        merges = []
        for decision in accepted:
            claim = next((claims[id_] for id_ in decision.subject if id_ in claims), None)
            linked = next((hypotheses[id_] for id_ in decision.subject if id_ in hypotheses), None)
            if claim is None or linked is None:
                # A person deleted the note.
                continue
            for end, noted, event in (
                ("cause", claim.cause_mention, linked.cause),
                ("effect", claim.effect_mention, linked.effect),
            ):
                subject = tuple(sorted((noted, Event.mention_id_of(event))))
                fields = {"id": f"{decision.id}:{end}", "kind": DecisionKind.MERGE, "subject": subject}
                merges.append(decision.model_copy(update=fields))
        return merges
