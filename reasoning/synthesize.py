"""The Synthesizer: chains to a dense narrative, told in the words of their claims.

Columbaro et al., "Iterative Evidence Retrieval and Abductive Reasoning", have a language model summarise all chains of
the causal graph. Here the narrative is made by templates over verbatim quotes, from reliable links alone: a link that
several chains share is told once, causes come in the order of time, and accounts that contradict each other stand side
by side. `reasoning.written_narrative` has a language model word it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kg.records import Chain, Stance
from language.questions import QuestionKind
from reasoning.evidence import Quoter, place_of
from reasoning.links import Link
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.time_order import in_order_of_time, told_before
from reasoning.told_step import ToldStep
from reasoning.wording import as_sentence, say, steps_told, why_told
from traversal.steps import EdgeKey, edge_key

Told = tuple[Chain, tuple[Link, ...]]
"""A chain with its links, cause first."""


@dataclass(frozen=True, slots=True)
class SynthesisStages:
    """Which stages run; all of them but in an ablation.

    Attributes:
        reliability: Only claims above the bound state a link; else all do. A denial needs no bound: it only makes an
            answer more careful.
        time: Chains are told in the order of time; else in that of their rank.
        check: Each sentence that a language model wrote is checked against the quotes that it names; else it is taken
            with what it names.
    """

    reliability: bool = True
    time: bool = True
    check: bool = True

    @property
    def least_confidence(self) -> float:
        """Least confidence of a claim that is told."""
        return thresholds().synthesis.least_confidence if self.reliability else 0.0


ALL_STAGES: Final = SynthesisStages()


def synthesize(
    kind: QuestionKind, told: Sequence[Told], room: Room, quoter: Quoter, stages: SynthesisStages = ALL_STAGES
) -> list[ToldStep]:
    """The narrative of some chains.

    Args:
        kind: Asked why, a chain is told from its effect back; else from its cause on.
        told: Chains to tell, best first; every link is stated by some claim.
        room: Store and settings.
        quoter: Checks each quote against its document.
        stages: Which stages run.

    Returns:
        Its steps, in the order of the telling. No link is told twice.
    """
    chains = [chain for chain, _ in told]
    order = in_order_of_time(chains, told_before(chains, room)) if stages.time and len(told) > 1 else range(len(told))
    steps: dict[str, ToldStep] = {}
    known: set[EdgeKey] = set()
    for place in order:
        for run in runs_of(kind, told[place][1], known):
            for step in _steps(kind, run, quoter):
                # Two events of the same words are told alike: one sentence, with the quotes of both.
                same = steps.get(step.text, ToldStep(step.text, ()))
                steps[step.text] = ToldStep(step.text, (*same.evidence, *step.evidence), (*same.links, *step.links))
            known.update(edge_key(link.edge) for link in run)
    return list(steps.values())


def runs_of(kind: QuestionKind, links: Sequence[Link], known: Collection[EdgeKey]) -> list[tuple[Link, ...]]:
    """The links of a chain that are not known yet, as runs without a gap; a contested link stands alone.

    Args:
        kind: As in `synthesize`: it orders the runs; each is cause first.
        links: Cause first.
        known: Links that were told.
    """
    runs: list[list[Link]] = [[]]
    for link in links:
        if edge_key(link.edge) in known:
            runs.append([])
        elif is_contested(link):
            runs += [[link], []]
        else:
            runs[-1].append(link)
    found = [tuple(run) for run in runs if run]
    return found[::-1] if kind is QuestionKind.WHY else found


def telling_of(kind: QuestionKind, run: Sequence[Link]) -> str:
    """A run of links as a sentence, or as the sentences that state it."""
    return as_sentence(why_told(run) if kind is QuestionKind.WHY else steps_told(run))


def is_contested(link: Link) -> bool:
    """Whether a denial of a link is comparably strong."""
    return bool(link.denials) and link.p_against >= thresholds().verdicts.comparable_denial * link.edge.p_for


def _steps(kind: QuestionKind, run: tuple[Link, ...], quoter: Quoter) -> Iterator[ToldStep]:
    in_order = run[::-1] if kind is QuestionKind.WHY else run
    quotes = tuple(quoter.claim(link.best.claim, Stance.FOR) for link in in_order if link.best is not None)
    if len(run) == 1 and is_contested(run[0]):
        denial = quoter.claim(run[0].denials[0].claim, Stance.AGAINST)
        sides = {
            "for_place": place_of(quotes[0]),
            "for_quote": quotes[0].quote,
            "place": place_of(denial),
            "quote": denial.quote,
        }
        yield ToldStep(say("answers", "disputed", **sides), (quotes[0], denial))
        return
    yield ToldStep(telling_of(kind, run), quotes, run)
    for link in in_order:
        if link.denials:
            denial = quoter.claim(link.denials[0].claim, Stance.AGAINST)
            yield ToldStep(say("answers", "dissent", place=place_of(denial), quote=denial.quote), (denial,))
