"""Hypotheses: written apart from the edges, and what is to be true of one before it is written or decided on."""

from __future__ import annotations

from causetrail.errors import DecisionRefused, RecordInvalid, RecordUnknown
from kg.bundle_checks import check_collection
from kg.document_commits import DocumentCommits
from kg.records import ON_HYPOTHESES, Decision, DecisionKind, Event, Hypothesis


class HypothesisLog(DocumentCommits):
    """What was proposed. It outlives the documents it was proposed from, as decisions do."""

    def propose(self, hypothesis: Hypothesis) -> bool:
        """Writes a hypothesis; whether it is new. One of the same id stays as it was written first.

        Raises:
            RecordInvalid: its id is not the hash of its fields, it has no moment, or links an event with itself.
            RecordUnknown: one of its events does not exist.
        """
        _check(hypothesis)
        collection = hypothesis.collection

        def work() -> bool:
            if self._hypothesis(collection, hypothesis.id) is not None:
                return False
            self._refuse_unlinked(hypothesis)
            self._put_hypothesis(hypothesis)
            self._advance(collection)
            return True

        return self._transact(collection, work)

    def write_hypothesis(self, hypothesis: Hypothesis) -> None:
        """Writes a hypothesis as another store wrote it, over one of the same id.

        Raises:
            RecordInvalid: as `propose`, or its collection has no name that is allowed.
        """
        check_collection(hypothesis.collection)
        _check(hypothesis)

        def work() -> None:
            self._put_hypothesis(hypothesis)
            self._advance(hypothesis.collection)

        self._transact(hypothesis.collection, work)

    def _hypothesis(self, collection: str, hypothesis_id: str) -> Hypothesis | None:
        return next((one for one in self.hypotheses(collection) if one.id == hypothesis_id), None)

    def _refuse_unlinked(self, hypothesis: Hypothesis) -> None:
        """Refuses a hypothesis one of whose events is not there, under its own id or another, or which are one."""
        ends = [Event.mention_id_of(hypothesis.cause), Event.mention_id_of(hypothesis.effect)]
        now = self.events_of_mentions(hypothesis.collection, ends)
        for event, told in zip((hypothesis.cause, hypothesis.effect), ends, strict=True):
            if told not in now:
                raise RecordUnknown(kind="event", id=event, collection=hypothesis.collection)
        if len(set(now.values())) == 1:
            raise DecisionRefused(reason=f"the two events that {hypothesis.id} would link are one")

    def _refuse_on_hypothesis(self, decision: Decision) -> None:
        """Refuses a decision on a hypothesis that has not the form of one, or comes after another that stands."""
        subject, collection = decision.subject, decision.collection
        accepted = decision.kind is DecisionKind.ACCEPT_HYPOTHESIS
        if not accepted and len(subject) == 1 and not subject[0].startswith("h"):
            raise RecordUnknown(kind="hypothesis", id=subject[0], collection=collection)
        if "".join(id_[:1] for id_ in subject) != ("cdh" if accepted else "h"):
            named = "the claim, the note and the hypothesis" if accepted else "one hypothesis"
            raise DecisionRefused(reason=f"it has to name {named}")
        hypothesis = self._hypothesis(collection, subject[-1])
        if hypothesis is None:
            raise RecordUnknown(kind="hypothesis", id=subject[-1], collection=collection)
        standing = [one for one in self.decisions(collection) if one.kind in ON_HYPOTHESES and not one.undone]
        other = next((one for one in standing if subject[-1] in one.subject), None)
        if other is not None:
            raise DecisionRefused(reason=f"{other.id} decided on {subject[-1]} and stands")
        if accepted:
            self._refuse_unlinked(hypothesis)
            claim = self.claims(collection, subject[:1]).get(subject[0])
            if claim is None or claim.document_id != subject[1]:
                raise RecordUnknown(kind="claim", id=subject[0], collection=collection)

    def _withdraw_note(self, decision: Decision) -> None:
        """Removes the note of an acceptance, unless a person deleted it before."""
        collection, document_id = decision.collection, decision.subject[1]
        if self._facts(collection, document_id) is not None:
            self._delete_sources_of(collection, document_id)
            self._remove_document(collection, document_id)


def _check(hypothesis: Hypothesis) -> None:
    reason = None
    if hypothesis.id != Hypothesis.id_of(hypothesis.cause, hypothesis.effect, hypothesis.premise):
        reason = "its id is not the hash of its events and premise"
    elif hypothesis.cause == hypothesis.effect:
        reason = "it links an event with itself"
    elif hypothesis.created_at is None:
        reason = "it does not say when it was written"
    if reason is not None:
        raise RecordInvalid(kind="hypothesis", id=hypothesis.id, reason=reason)
