"""How drafts are weighed against counterfactual questions, and which is given: the arbitration of CF-RAG.

Ψ = (1 - λ) φ_coh + λ φ_causal. φ_coh is how far the quotes of a draft suffice for an answer; φ_causal is the mean over
its quotes of how much better each answers the real question than the counterfactual one that it answers best. If the
drafts agree the best is given, otherwise what the best three tell side by side.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kg.records import Evidence, Mode, Stance, Verdict
from language.content_words import content_keys
from models.side_by_side import ask_side_by_side
from reasoning.counterfactual_questions import CounterfactualQuestion
from reasoning.draft import Draft
from reasoning.judged_help import JudgedHelp
from reasoning.material import Material
from reasoning.sufficiency import sufficiency_of
from reasoning.thresholds import thresholds
from reasoning.withheld import withheld
from reasoning.wording import say


@dataclass(frozen=True, slots=True)
class WeighedQuote:
    """A quote of a draft.

    Attributes:
        helps: Probability that it helps to answer the real question; none where nothing was contrasted.
        rival: The counterfactual question that it answers best; none where it tells nothing of any difference.
        contrast: How much better it answers the real one, -1 to 1; likewise.
        silent: Whether questions were contrasted, and it tells nothing of any difference.
    """

    evidence: Evidence
    helps: float | None = None
    rival: str | None = None
    contrast: float | None = None
    silent: bool = False

    def traced(self) -> dict[str, object]:
        """Plain JSON values."""
        return {
            "quote": told_of(self.evidence),
            "source": self.evidence.source,
            "start": self.evidence.start,
            "end": self.evidence.end,
            "helps": self.helps,
            "contrast": "tells nothing of the difference" if self.silent else self.contrast,
            "rival": self.rival,
        }


@dataclass(frozen=True, slots=True)
class WeighedDraft:
    """A draft with its scores: coherence 0 to 1, contrast -1 to 1 (none where nothing was contrasted), Ψ."""

    draft: Draft
    quotes: tuple[WeighedQuote, ...]
    coherence: float
    contrast: float | None
    psi: float

    def traced(self) -> dict[str, object]:
        """Plain JSON values."""
        return {
            "text": self.draft.text,
            "mode": self.draft.mode.value,
            "coherence": self.coherence,
            "contrast": self.contrast,
            "psi": self.psi,
            "quotes": [one.traced() for one in self.quotes],
        }


def proof_of(draft: Draft) -> list[Evidence]:
    """The quotes that a draft rests on."""
    return [one for one in draft.evidence if one.stance is not Stance.CONTEXT]


def told_of(evidence: Evidence) -> str:
    """A quote in one line."""
    return " ".join(evidence.quote.split())


def weigh(
    drafts: Sequence[Draft], asked: Sequence[CounterfactualQuestion], material: Material, helps: JudgedHelp
) -> list[WeighedDraft]:
    """The drafts with their scores, in their order; what judges are asked is asked side by side.

    Args:
        drafts: Each with a quote at least.
        asked: The counterfactual questions; without any, coherence alone counts.
        material: The real question and the judges.
        helps: What was judged before.

    Raises:
        DeadlinePassed: the time is used up before all are weighed.
        ModelError: a judge cannot judge at all.
    """
    bench, real = material.bench, material.asked.text

    def coherence(draft: Draft, _: threading.Event) -> float:
        return sufficiency_of(real, proof_of(draft), bench.judges.sufficiency, material.deadline)

    coherences = ask_side_by_side(coherence, drafts, bench.concurrency, bench.name)
    quotes = dict.fromkeys(told_of(one) for draft in drafts for one in proof_of(draft))
    helps.judge(pair for quote in quotes for pair in _pairs(real, asked, quote))
    return [_weighed(draft, value, asked, real, helps) for draft, value in zip(drafts, coherences, strict=True)]


def _pairs(real: str, asked: Sequence[CounterfactualQuestion], quote: str) -> Iterator[tuple[str, str]]:
    """What has to be judged of a quote."""
    told = [one for one in asked if _tells(one.now, quote) or _tells(one.was, quote)]
    if told:
        yield real, quote
    yield from ((one.text, quote) for one in told if _tells(one.now, quote))


def _weighed(
    draft: Draft, coherence: float, asked: Sequence[CounterfactualQuestion], real: str, helps: JudgedHelp
) -> WeighedDraft:
    weight = thresholds().counterfactual.contrast_weight
    quotes = tuple(_contrasted(one, asked, real, helps) for one in proof_of(draft))
    if not asked:
        return WeighedDraft(draft, quotes, coherence, None, coherence)
    differences = [one.contrast for one in quotes if one.contrast is not None]
    if not differences:
        # As good as one that answers both alike, and not to be withheld for it: nothing is known of its contrast.
        return WeighedDraft(draft, quotes, coherence, None, round((1 - weight) * coherence, 6))
    contrast = round(sum(differences) / len(differences), 6)
    psi = round((1 - weight) * coherence + weight * contrast, 6)
    return WeighedDraft(draft, quotes, coherence, contrast, psi)


def _contrasted(
    evidence: Evidence, asked: Sequence[CounterfactualQuestion], real: str, helps: JudgedHelp
) -> WeighedQuote:
    """How much better a quote answers the real question than the best answered counterfactual one.

    A quote that has neither of two exchanged words tells nothing of their difference. One that has the real word alone
    answers no counterfactual question: judges overlook such words, numbers above all.
    """
    quote = told_of(evidence)
    rivals = {}
    for one in asked:
        if _tells(one.now, quote):
            rivals[one.text] = helps.probability(one.text, quote)
        elif _tells(one.was, quote):
            rivals[one.text] = 0.0
    if not rivals:
        return WeighedQuote(evidence, silent=bool(asked))
    rival = max(rivals, key=lambda text: rivals[text])
    value = helps.probability(real, quote)
    return WeighedQuote(evidence, round(value, 6), rival, round(value - rivals[rival], 6))


def _tells(words: str, quote: str) -> bool:
    return content_keys(words) <= content_keys(quote)


def arbitrated(weighed: Sequence[WeighedDraft]) -> tuple[Draft, str]:
    """The draft that is given, and why.

    The one with the highest Ψ is the best, the first of those that are equal; one that holds all its quotes and more is
    given for it where it is nearly as good, since what led to the cause answers the question no better, and so can only
    lower Ψ. Where the others agree with it, it is given alone; else those of the best three that differ from it, and
    are nearly as good, stand beside it. Nothing is given where the evidence of the best one answers a counterfactual
    question as well; a denial always is.

    Args:
        weighed: What the arbiter picked, then those from samples.
    """
    first = weighed[0]
    if first.draft.verdict is Verdict.CONTRADICTED:
        return first.draft, "a denial is told whatever its contrast"
    three = sorted(weighed, key=lambda one: -one.psi)[: thresholds().counterfactual.drafts]
    highest = three[0]
    if _answers_another(highest):
        nothing = withheld(highest.draft, [say("missing", "counterfactual")], 1.0 - highest.psi)
        return nothing, "its evidence answers a counterfactual question as well"
    best = _fullest([highest, *(one for one in weighed if _nearly_as_good(one, highest))])
    good = [one for one in three if one is not best and (one is highest or _nearly_as_good(one, highest))]
    differing = [one for one in good if not _agree(one, best)]
    beside = [*_same_words(best, good), *(quote for one in differing for quote in proof_of(one.draft))]
    known = {_place(one) for one in best.draft.evidence}
    beside = [one for one in {_place(one): one for one in beside}.values() if _place(one) not in known]
    joined = _joined(best.draft, [one.draft for one in differing], beside)
    quotes = dict.fromkeys(map(told_of, beside))
    telling = " ".join(quote for quote in quotes if quote not in best.draft.text)
    if telling:
        text = f"{best.draft.text} {say('answers', 'beside', telling=telling)}"
        return replace(joined, text=text), "drafts that differ stand side by side"
    if len(weighed) == 1:
        return joined, "there is one draft"
    if best is not highest:
        return joined, "the best draft, and what one that is nearly as good tells behind it"
    agree = all(_agree(one, best) for one in weighed)
    return joined, "the drafts agree: the best of them" if agree else "the best draft; the others are not as good"


def _answers_another(one: WeighedDraft) -> bool:
    return one.contrast is not None and one.contrast <= 0


def _nearly_as_good(one: WeighedDraft, highest: WeighedDraft) -> bool:
    as_good = one.psi >= thresholds().counterfactual.beside * highest.psi and not _answers_another(one)
    return as_good and one.draft.verdict is highest.draft.verdict


def _fullest(good: Sequence[WeighedDraft]) -> WeighedDraft:
    """The first of them, or the one with the most quotes of those that hold all of its and more."""
    told = {told_of(one) for one in proof_of(good[0].draft)}
    fuller = [one for one in good if told < {told_of(quote) for quote in proof_of(one.draft)}]
    return max(fuller, key=lambda one: (len(proof_of(one.draft)), one.psi), default=good[0])


def _agree(one: WeighedDraft, other: WeighedDraft) -> bool:
    """Whether one tells all that the other tells, in the same words."""
    first, second = ({told_of(quote) for quote in proof_of(each.draft)} for each in (one, other))
    return first <= second or second <= first


def _same_words(best: WeighedDraft, others: Sequence[WeighedDraft]) -> list[Evidence]:
    """Quotes of the others that say the same as those of the best, at other places."""
    said = {told_of(one) for one in proof_of(best.draft)}
    return [quote for one in others for quote in proof_of(one.draft) if told_of(quote) in said]


def _joined(best: Draft, differing: Sequence[Draft], beside: Sequence[Evidence]) -> Draft:
    """The best draft with the quotes of others, and the chains of those that differ."""
    if not beside:
        return best
    text_alone = all(one.mode is Mode.TEXT for one in (best, *differing))
    chains = dict.fromkeys(chain for one in (best, *differing) for chain in one.chains)
    mode = Mode.TEXT if text_alone else Mode.MIXED
    return replace(best, mode=mode, chains=tuple(chains), evidence=(*best.evidence, *beside))


def _place(one: Evidence) -> tuple[str, int, int]:
    return one.document_id, one.start, one.end
