"""The log of decisions: checked against those that stand, and taken back."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from causetrail.errors import DecisionRefused, RecordUnknown
from kg.bundle_checks import check_collection
from kg.components import connected
from kg.hypothesis_log import HypothesisLog
from kg.records import ON_HYPOTHESES, ON_MENTIONS, Decision, DecisionKind
from kg.store import Bundle


class DecisionLog(HypothesisLog):
    """What people said of the graph. It outlives the documents it speaks of: ids are hashes, so they come back."""

    def decide(self, decision: Decision) -> None:
        """Logs a decision and marks the blocks it touches.

        Raises:
            RecordUnknown: a part of its subject does not exist.
            DecisionRefused: it has no form of a decision, or contradicts a standing one.
        """

        def work() -> None:
            self._refuse(decision)
            self._log(decision)

        self._transact(decision.collection, work)

    def accept(self, decision: Decision, note: Bundle) -> None:
        """Commits the note that states a hypothesis and logs the decision for it: one transaction, all or nothing.

        Raises:
            RecordInvalid: as `commit_document`.
            RecordUnknown: there is no such hypothesis, or the note holds no such claim.
            DecisionRefused: the decision is no acceptance of what the note states, or the hypothesis is decided on.
        """
        facts = self._checked(note)
        if decision.kind is not DecisionKind.ACCEPT_HYPOTHESIS or facts.id not in decision.subject:
            raise DecisionRefused(reason="it does not accept what the note states")

        def work() -> None:
            self._commit(facts, note)
            self._refuse(decision)
            self._log(decision)

        self._transact(decision.collection, work)

    def log_decision(self, decision: Decision) -> None:
        """Logs a decision as another store logged it, standing or undone, without judging it.

        One that stands here is undone when the other is; one that was undone here stays so.

        Raises:
            RecordInvalid: its collection has no name that is allowed.
        """
        check_collection(decision.collection)

        def work() -> None:
            logged = self._decision(decision.collection, decision.id)
            if logged is None:
                self._log(decision)
            elif decision.undone and not logged.undone:
                self._take_back(decision)

        self._transact(decision.collection, work)

    def undo(self, collection: str, decision_id: str) -> Decision:
        """Takes a decision back, and marks the blocks it touched; the decision stays in the log as undone.

        Raises:
            RecordUnknown: there is no such decision.
            DecisionRefused: it was undone before.
        """

        def work() -> Decision:
            decision = self._decision(collection, decision_id)
            if decision is None:
                raise RecordUnknown(kind="decision", id=decision_id, collection=collection)
            if decision.undone:
                raise DecisionRefused(reason=f"{decision_id} was undone before")
            undone = decision.model_copy(update={"undone": True})
            self._take_back(undone)
            return undone

        return self._transact(collection, work)

    def _log(self, decision: Decision) -> None:
        self._insert_decision(decision)
        if not decision.undone:
            self._act_on(decision)
        self._advance(decision.collection)

    def _take_back(self, undone: Decision) -> None:
        if undone.kind in ON_MENTIONS:
            # While it stands it still ties kinds together, which have to be resolved apart.
            self._act_on(undone)
            self._update_decision(undone)
        else:
            self._update_decision(undone)
            self._act_on(undone)
        self._advance(undone.collection)

    def _act_on(self, decision: Decision) -> None:
        """Marks the blocks that a merge, a split or a note touches; edges of a rejected claim are derived at once.

        The note of an acceptance that was undone goes. A hypothesis that is rejected has nothing to derive.
        """
        collection = decision.collection
        if decision.kind is DecisionKind.REJECT_HYPOTHESIS:
            return
        if decision.kind in ON_MENTIONS:
            found = self.mentions(collection, decision.subject).values()
            self._mark(collection, [mention.kind for mention in found])
            return
        claims = self.claims(collection, decision.subject).values()
        ends = [id_ for claim in claims for id_ in (claim.cause_mention, claim.effect_mention)]
        if decision.kind is DecisionKind.ACCEPT_HYPOTHESIS:
            self._mark(collection, [mention.kind for mention in self.mentions(collection, ends).values()])
            if decision.undone:
                self._withdraw_note(decision)
            return
        self._derive_edges_at(collection, sorted(set(self.events_of_mentions(collection, ends).values())))

    def _refuse(self, decision: Decision) -> None:
        subject = decision.subject
        known: Collection[str]
        if list(subject) != sorted(set(subject)):
            raise DecisionRefused(reason="its subject is not sorted, or names something twice")
        if decision.kind in ON_HYPOTHESES:
            self._refuse_on_hypothesis(decision)
            kind, known = "hypothesis", subject
        elif decision.kind is DecisionKind.REJECT_CLAIM:
            if len(subject) != 1:
                raise DecisionRefused(reason="it has to name one claim")
            kind, known = "claim", self.claims(decision.collection, subject)
        else:
            if len(subject) < 2:
                raise DecisionRefused(reason="it has to name two mentions or more")
            kind, known = "mention", self.mentions(decision.collection, subject)
        missing = next((id_ for id_ in subject if id_ not in known), None)
        if missing is not None and not decision.undone:
            raise RecordUnknown(kind=kind, id=missing, collection=decision.collection)
        if self._decision(decision.collection, decision.id) is not None:
            raise DecisionRefused(reason=f"a decision {decision.id} is in the log already")
        if not decision.undone:
            standing = [other for other in self.decisions(decision.collection) if not other.undone]
            self._refuse_contradiction(decision, standing)

    def _refuse_contradiction(self, decision: Decision, standing: Sequence[Decision]) -> None:
        same = next((o for o in standing if o.kind is decision.kind and o.subject == decision.subject), None)
        if same is not None:
            raise DecisionRefused(reason=f"{same.id} says the same and stands")
        if decision.kind is DecisionKind.MERGE:
            mentions = self.mentions(decision.collection, decision.subject).values()
            if len({mention.polarity for mention in mentions}) > 1:
                raise DecisionRefused(reason="a happening that is told and one that is denied are never the same")
        together = [*standing, *self._noted_merges(decision.collection, standing), decision]
        merges = [d for d in together if d.kind is DecisionKind.MERGE]
        named = sorted({id_ for d in together if d.kind in ON_MENTIONS for id_ in d.subject})
        least = connected(named, [(d.subject[0], id_) for d in merges for id_ in d.subject[1:]])
        for split in (d for d in together if d.kind is DecisionKind.SPLIT):
            if len({least[id_] for id_ in split.subject}) < len(split.subject):
                other = "the merges that stand" if split is decision else split.id
                raise DecisionRefused(reason=f"it contradicts {other}: the same mentions cannot be one and several")
