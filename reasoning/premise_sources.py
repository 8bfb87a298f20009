"""Who proposes premises: the graph and the passages, and a language model that says why one thing leads to another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from kg.records import Event, Evidence
from models.call_deadline import CallDeadline
from models.proposer import Proposer
from models.restatements import restates
from reasoning.material import Material
from reasoning.proposals import proposed
from reasoning.thresholds import thresholds
from reasoning.wording import as_sentence, premise_told


@dataclass(frozen=True, slots=True)
class Premise:
    """A link that no document states.

    Attributes:
        origin: Where its ends, or its reason, come from.
        evidence: The sentences that tell of its ends.
        precedent: A statement that it is made after, of another happening or of what such a happening takes; none where
            there is none.
        rule: Whether that statement tells what it takes.
        reason: Why one would lead to the other, in the words of a language model; empty where nobody says.
    """

    cause: Event
    effect: Event
    origin: str
    evidence: tuple[Evidence, ...]
    precedent: Evidence | None = None
    rule: bool = False
    reason: str = ""

    @property
    def text(self) -> str:
        """The link and its reason in words."""
        return " ".join(part for part in (premise_told(self.cause, self.effect), self.reason) if part)


class PremiseSource(Protocol):
    """Proposes premises besides those that are known."""

    def premises(self, known: Sequence[Premise], material: Material) -> list[Premise]:
        """More premises.

        Args:
            known: Links between what the documents tell, the likeliest first.
            material: The question and its deadline.

        Raises:
            ModelError: a language model cannot be asked at all.
        """
        ...


class NoMore:
    """The links of the graph and the passages are all there is."""

    def premises(self, known: Sequence[Premise], material: Material) -> list[Premise]:
        """None."""
        return []


class ModelReasons:
    """The first of the known links, each with a general statement of a language model that would explain it."""

    def premises(self, known: Sequence[Premise], material: Material) -> list[Premise]:
        """Those for which the model says something that is not told already; none from the first that fails on."""
        found = []
        for one in known[: thresholds().abduction.written]:
            told = proposed(partial(_reason, one), "abduction", material)
            if told is None:
                break
            reason, model = told
            quotes = [evidence.quote for evidence in one.evidence]
            if reason is not None and not restates(reason, [one.text, *quotes]):
                found.append(replace(one, origin=model, reason=as_sentence(reason)))
        return found


def _reason(one: Premise, proposer: Proposer, deadline: CallDeadline) -> tuple[str | None, str]:
    return proposer.premise(one.cause.description, one.effect.description, deadline), proposer.fingerprint


def premise_source(material: Material) -> PremiseSource:
    """The language model where one judges, else nothing more."""
    return NoMore() if material.bench.proposer is None else ModelReasons()
