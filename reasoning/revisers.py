"""Who revises a draft that its quotes do not support: a language model, each sentence checked, then the rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from kg.records import Evidence, Mode, Stance
from language.quick_sentences import quick_sentences
from language.stated_causes import stated_as
from models.proposal_schema import RevisedAnswer
from reasoning.atomic_facts import AtomicFact
from reasoning.draft import Draft
from reasoning.fact_draft import asks_for_fact
from reasoning.material import Material
from reasoning.proposals import proposed, shown
from reasoning.sentence_check import supporting
from reasoning.sufficiency import sufficiency_of
from reasoning.thresholds import thresholds
from reasoning.unsaid import names_among, unsaid


@dataclass(frozen=True, slots=True)
class Revision:
    """A draft made anew.

    Attributes:
        facts: Those that it rests on.
        action: How it was made, for the trace.
    """

    draft: Draft
    facts: tuple[AtomicFact, ...]
    action: str


class Reviser(Protocol):
    """Makes a draft anew from facts."""

    def revise(self, draft: Draft, facts: Sequence[AtomicFact], score: float, material: Material) -> Revision | None:
        """The revision; none where the facts give none.

        Args:
            draft: What its quotes do not support well enough.
            facts: Those of the draft and beside it.
            score: Support of the draft.
            material: The question, the judges and the deadline.

        Raises:
            DeadlinePassed: the time is used up.
            ModelError: a judge or a language model cannot be asked at all.
        """
        ...


class SentenceReviser:
    """Leaves out the sentences of a text draft that are not supported by themselves."""

    def revise(self, draft: Draft, facts: Sequence[AtomicFact], score: float, material: Material) -> Revision | None:
        """The sentences that suffice, word for word."""
        if draft.mode is not Mode.TEXT:
            return None
        least, judge, question = thresholds().support.least, material.bench.judges.sufficiency, material.asked.text
        drafted = [fact for fact in facts if fact.drafted]
        scores = [sufficiency_of(question, [fact.evidence], judge, material.deadline) for fact in drafted]
        held = tuple(fact for fact, told in zip(drafted, scores, strict=True) if told >= least)
        if not held:
            return None
        text = " ".join((*(" ".join(fact.evidence.quote.split()) for fact in held), *_reservations(draft)))
        kept = tuple(fact.evidence for fact in held)
        confidence = round(max(draft.confidence * score, 0.0), 6)
        revised = replace(draft, text=text, evidence=kept, confidence=confidence)
        return Revision(revised, held, "only what is supported is told")


class ModelReviser:
    """Has a language model write the answer from the facts; what the quotes do not support is removed."""

    def revise(self, draft: Draft, facts: Sequence[AtomicFact], score: float, material: Material) -> Revision | None:
        """The sentences that are left; none where the quotes behind them do not suffice either."""
        stated = [fact for fact in facts if fact.drafted or _is_stated(fact.evidence)]
        told = proposed(
            lambda proposer, deadline: (
                proposer.propose(
                    "revise_answer",
                    RevisedAnswer,
                    deadline,
                    question=material.asked.text,
                    draft=draft.text,
                    quotes=shown([fact.evidence.quote for fact in stated]),
                ).sentences,
                proposer.fingerprint,
            ),
            "support",
            material,
        )
        if told is None:
            return None
        sentences, model = told
        judges, quotes = material.bench.judges, [fact.evidence for fact in stated]
        written = [one.text for part in sentences for one in quick_sentences(" ".join(part.split()))]
        checked = [(one, supporting(one, quotes, judges.entailment, material.deadline)) for one in written]
        kept = [one for one, found in checked if found]
        proof: tuple[Evidence, ...] = tuple(dict.fromkeys(quote for _, found in checked for quote in found))
        again = sufficiency_of(material.asked.text, proof, judges.sufficiency, material.deadline) if proof else 0.0
        removed = len(written) - len(kept)
        # Another quote may speak of another thing of the same kind, which the judge is easily taken in by.
        without = [] if asks_for_fact(material.asked) or not proof else names_among(unsaid(proof, material))
        material.recorder.add("revision", model=model, kept=kept, removed=removed, score=again, unsaid=without)
        if not kept or without or again < thresholds().support.least:
            return None
        revised = replace(
            draft,
            mode=draft.mode if draft.mode is Mode.TEXT else Mode.MIXED,
            text=" ".join((*dict.fromkeys(kept), *_reservations(draft))),
            confidence=round(draft.confidence * again, 6),
            chains=(),
            cut_at_hops=False,
            evidence=tuple(one.model_copy(update={"stance": Stance.FOR}) for one in proof),
            reasons={**draft.reasons, "instead_of": draft.text},
        )
        rests = tuple(replace(fact, drafted=True) for fact in stated if fact.evidence in proof)
        return Revision(revised, rests, "a revision is told of which quotes support each sentence")


def revisers(material: Material) -> list[Reviser]:
    """Who is asked in turn: the language model where one judges, then the rule."""
    by_rule = SentenceReviser()
    return [by_rule] if material.bench.proposer is None else [ModelReviser(), by_rule]


def _reservations(draft: Draft) -> list[str]:
    """What a draft says against itself, of dates, stays said."""
    return [missing for missing in draft.missing if missing in draft.text]


def _is_stated(evidence: Evidence) -> bool:
    """Whether a quote tells what it tells as a fact: a model that reads of what may be so writes that it is."""
    return all(stated_as(sentence)[1] for sentence in quick_sentences(evidence.quote))
