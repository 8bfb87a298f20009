"""The narrative of the Synthesizer in the words of a language model, as far as its quotes support each sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from causetrail.errors import ModelRefused, OutputCut, OutputInvalid, PromptTooLong
from kg.records import Evidence, Stance
from language.questions import Question, QuestionKind
from models.narrative_schema import NarrativeSentence
from models.narrative_writer import NarrativeWriter
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.links import Link
from reasoning.narrative_check import SentenceCheck, check_sentence
from reasoning.room import Bench
from reasoning.synthesize import ALL_STAGES, SynthesisStages, runs_of, telling_of
from reasoning.told_step import ToldStep, evidence_of, once, text_of
from reasoning.trace import Recorder
from reasoning.wording import as_sentence, say
from traversal.steps import EdgeKey, edge_key

_NO_NARRATIVE: Final = (OutputInvalid, OutputCut, ModelRefused, PromptTooLong)
_Span = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class _Numbered:
    """A quote as the model is shown it.

    Attributes:
        links: What it states.
    """

    evidence: Evidence
    links: tuple[Link, ...]

    @property
    def only_possible(self) -> bool:
        return not all(link.told_as_fact for link in self.links)


def write_narrative(
    draft: Draft,
    question: Question,
    writer: NarrativeWriter,
    bench: Bench,
    quoter: Quoter,
    recorder: Recorder,
    stages: SynthesisStages = ALL_STAGES,
) -> Draft:
    """The draft, its steps worded by a language model; the draft as it is, where no sentence of the model stands.

    A sentence that its quotes do not support is removed. Steps that no sentence tells are told by the templates, and so
    is what contradicts or is ruled out: nothing of the draft is lost.

    Args:
        draft: With the steps that the Synthesizer told.
        question: What was asked.
        writer: Words the quotes.
        bench: The judges; that of entailment checks the sentences.
        quoter: Checks each quote against its document.
        recorder: Takes what was written, kept and removed.
        stages: Which stages run.

    Raises:
        ModelError: the model cannot be asked, or the judge cannot judge at all.
    """
    quotes = _numbered([link for step in draft.steps for link in step.links], quoter)
    if not quotes:
        return draft
    judge = bench.judges.entailment
    trace: dict[str, object] = {
        "model": writer.fingerprint,
        "prompt": writer.prompt,
        "judge": judge.fingerprint if stages.check else "none",
        "quotes": [[one.evidence.document_id, one.evidence.start, one.evidence.end] for one in quotes],
    }
    try:
        written = writer.sentences(question.text, [one.evidence.quote for one in quotes])
    except _NO_NARRATIVE as fault:
        recorder.add("narrative", **trace, fault=fault.code, action="the templates tell it", answer=draft.text)
        return draft
    checked = [(one, _checked(one, quotes, bench, stages)) for one in written]
    kept = [one for one, found in checked if not found.removed]
    trace |= {
        "sentences": [
            {"text": _plain(one.text), "quotes": one.quotes, "entailed": found.entailed, "removed": found.removed}
            for one, found in checked
        ],
        "removed": len(checked) - len(kept),
    }
    final = _worded(draft, question.kind, kept, quotes, quoter, stages) if kept else draft
    action = "the model tells it" if kept else "the templates tell it"
    recorder.add("narrative", **trace, action=action, answer=final.text)
    return final


def _numbered(links: Sequence[Link], quoter: Quoter) -> list[_Numbered]:
    """The quotes of the links in their order, each once."""
    found: dict[_Span, _Numbered] = {}
    for link in links:
        if link.best is not None:
            one = quoter.claim(link.best.claim, Stance.FOR)
            same = found.get(_span(one), _Numbered(one, ()))
            found[_span(one)] = replace(same, links=(*same.links, link))
    return list(found.values())


def _checked(
    one: NarrativeSentence, quotes: Sequence[_Numbered], bench: Bench, stages: SynthesisStages
) -> SentenceCheck:
    if max(one.quotes) > len(quotes):
        return SentenceCheck("it names a quote that there is not", None)
    if not stages.check:
        return SentenceCheck("", None)
    named = [quotes[number - 1] for number in sorted(set(one.quotes))]
    return check_sentence(
        _plain(one.text),
        [quote.evidence.quote for quote in named],
        any(quote.only_possible for quote in named),
        bench.judges.entailment,
    )


def _worded(
    draft: Draft,
    kind: QuestionKind,
    kept: Sequence[NarrativeSentence],
    quotes: Sequence[_Numbered],
    quoter: Quoter,
    stages: SynthesisStages,
) -> Draft:
    """The kept sentences, each with the places of its quotes, the steps that they leave out, and what stands beside."""
    placed: list[tuple[int, ToldStep]] = []
    known: set[EdgeKey] = set()
    for one in kept:
        named = [quotes[number - 1] for number in sorted(set(one.quotes))]
        known.update(edge_key(link.edge) for quote in named for link in quote.links)
        evidence = tuple(quote.evidence for quote in named)
        places = ", ".join(dict.fromkeys(map(place_of, evidence)))
        text = say("answers", "written", sentence=as_sentence(_plain(one.text)).rstrip("."), places=places)
        placed.append((min(one.quotes), ToldStep(text, evidence)))
    numbers = {edge_key(link.edge): number for number, quote in enumerate(quotes, 1) for link in quote.links}
    for step in draft.steps:
        for run in runs_of(kind, step.links, known):
            evidence = tuple(quoter.claim(link.best.claim, Stance.FOR) for link in run if link.best is not None)
            placed.append((numbers[edge_key(run[0].edge)], ToldStep(telling_of(kind, run), evidence, run)))
    if stages.time:
        placed.sort(key=lambda pair: pair[0])
    steps = [*(step for _, step in placed), *(step for step in draft.steps if not step.links)]
    return replace(
        draft, text=text_of(steps), steps=tuple(steps), evidence=once((*evidence_of(steps), *draft.evidence))
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


def _span(evidence: Evidence) -> _Span:
    return evidence.document_id, evidence.start, evidence.end
