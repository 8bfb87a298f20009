"""What each stage of each strategy is worth: the whole one beside itself without the stage, on the same questions.

    python -m benchmarks.ablations --work FOLDER [--data ../shared/data] [--most N] [--only SET ...] [--family NAME ...]

The sets are those of `benchmarks.answers` with documents and with questions that a draft answers; on HotpotQA and AER
the strategies whose publications measure there. `abductive` and `counterfactual` also stand on chains alone and on
text alone, beside the whole, which tells chains and, where they do not hold, text. "Changed" is the share of the
questions whose verdict, text or choice is another one than that of the whole strategy. "Contradicted" is the share of
the answers that a judge of entailment finds in contradiction to one of their own quotes: of an answer that assumes
something, its premise. Broken off, the same command goes on. Intervals are 95 % ones over questions, and p is of the
paired difference to the whole strategy.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from benchmarks.answer_sets import AnswerSet, answer_sets
from benchmarks.answers import folder_of, measured
from benchmarks.bootstrap import SEED
from benchmarks.results import write_result
from causetrail.errors import PassageTooLong
from causetrail.settings import load_settings
from evaluation.records import QuestionRecord, RecordFile
from evaluation.report import figure_told
from evaluation.summary import StrategySummary
from kg.records import Answer, Verdict
from models.judge import EntailmentJudge
from models.judge_source import load_judges
from reasoning.ablation import stages_of, without
from reasoning.strategies import STRATEGIES, Strategy
from reasoning.synthesize import SynthesisStages

FAMILIES: Final = (
    "default",
    "causal-graph",
    "dual-agent",
    "abductive",
    "counterfactual",
    "support-checked",
    "gap-filling",
)
SETS: Final[Mapping[str, Sequence[str]]] = MappingProxyType(
    {
        "reports": FAMILIES,
        "why-questions": FAMILIES,
        "AER": ("default", "causal-graph", "dual-agent"),
        "XQuAD": FAMILIES,
        "HotpotQA": ("abductive", "counterfactual", "gap-filling"),
        "PubMedQA": FAMILIES,
        "EntailmentBank": FAMILIES,
    }
)
"""The sets, each with the strategies whose stages are left out there."""
_BY_EVIDENCE: Final = ("abductive", "counterfactual")
"""Their validators are also compared over chains, over text and over both."""
_UNUSED: Final = {"check", "rerank"}
"""Stages that are not there without a language model, and where no judge chooses passages."""
_SYNTHESISED: Final = ("default", "causal-graph")
"""Here the making of the narrative is taken apart; the others have it from the same hands."""
_SYNTHESIS: Final = {one.name for one in fields(SynthesisStages)}
_CONTRADICTED: Final = 0.5


def variants(family: str) -> dict[str, Strategy]:
    """The whole strategy, and each of its variants, by what is left out, added or alone."""
    whole = STRATEGIES[family]
    found = {"whole": whole}
    for stage in stages_left_out(family):
        found[f"without {stage}"] = without(whole, [stage])
    if whole.text:
        found["without views and keyword_boost"] = without(whole, ["views", "keyword_boost"])
    if family == "default":
        found["with seed_views"] = replace(whole, seed_views=True)
    if family in _BY_EVIDENCE:
        found |= {"chains alone": without(whole, ["text"]), "text alone": without(whole, ["graph"])}
    return {name: replace(one, title=f"{family}, {name}") for name, one in found.items()}


def stages_left_out(family: str) -> list[str]:
    """The stages of a strategy that are left out one by one."""
    passed = _UNUSED if family in _SYNTHESISED else _UNUSED | _SYNTHESIS
    passed = passed | ({"graph", "text"} if family in _BY_EVIDENCE else set())
    return [stage for stage in stages_of(STRATEGIES[family]) if stage not in passed]


def main() -> None:
    """Measures all and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of the stores and the records")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--most", type=int, default=30, metavar="N", help="questions of one set")
    parser.add_argument("--only", action="append", help="names of sets; nothing is stored then")
    parser.add_argument("--family", action="append", choices=FAMILIES, help="strategies; nothing is stored then")
    arguments = parser.parse_args()
    judge = load_judges().entailment
    figures: dict[str, list[str]] = {}
    rows: list[dict[str, object]] = []
    for some in answer_sets(arguments.data, arguments.most):
        if some.title not in (arguments.only or SETS):
            continue
        for family in arguments.family or SETS[some.title]:
            for name, summary, changed, contradicted in _family(family, some, arguments.work, judge):
                row = [*figures_told(summary), f"{changed:.3f}", f"{contradicted:.3f}"]
                figures[f"{some.title}: {family}, {name}"] = row
                kind = {"family": family, "variant": name, "set": some.title}
                rows.append({**kind, **figures_of(summary), "changed": changed, "contradicted": contradicted})
                print(some.title, family, name, *row, sep=" | ", flush=True)
    if not (arguments.only or arguments.family):
        write_result(
            "ablations",
            command=f"python -m benchmarks.ablations --work FOLDER --most {arguments.most}",
            data=", ".join(SETS),
            baseline="the whole strategy",
            columns=(
                "questions",
                "score",
                "less the whole, p",
                "answered",
                "wrong when answered",
                "changed",
                "contradicted",
            ),
            figures=figures,
            rows=rows,
            seed=SEED,
        )


def _family(
    family: str, some: AnswerSet, work: Path, judge: EntailmentJudge
) -> Iterator[tuple[str, StrategySummary, float, float]]:
    recipes = variants(family)
    records = Path("ablations") / family
    whole = recipes["whole"].title
    found = measured(some, [*recipes.values()], work, load_settings(), records, baseline=whole)
    folder = folder_of(some, work) / records
    of_whole = RecordFile(folder, whole).read()
    for name, summary in zip(recipes, found, strict=True):
        kept = RecordFile(folder, recipes[name].title).read()
        changed = sum(_said(record) != _said(of_whole[id_]) for id_, record in kept.items()) / len(kept)
        told = [record.answer for record in kept.values() if record.answer is not None and record.answered]
        share = sum(is_contradicted(one, judge) for one in told) / len(told) if told else 0.0
        yield name, summary, round(changed, 6), round(share, 6)


def _said(record: QuestionRecord) -> tuple[object, ...]:
    """What a user would see as another answer."""
    told = record.answer or record.choice
    return (record.error, record.verdict, *(() if told is None else (told.text,)))


def is_contradicted(told: Answer, judge: EntailmentJudge) -> bool:
    """Whether one of the quotes of an answer contradicts its premise, or where it assumes nothing, its words."""
    if told.verdict is Verdict.CONTRADICTED:
        return False
    said = [one.premise for one in told.premises] or [told.text]
    for one in said:
        for evidence in told.evidence:
            try:
                (found,) = judge.inferences([(" ".join(evidence.quote.split()), one)])
            except PassageTooLong:
                continue
            if found.contradicted >= _CONTRADICTED:
                return True
    return False


def figures_of(summary: StrategySummary) -> dict[str, object]:
    """The figures of one variant as they are stored."""
    against = summary.against
    return {
        "questions": summary.questions,
        "score": summary.score.model_dump(),
        "difference": None if against is None else against.difference.model_dump(),
        "p": None if against is None else against.p,
        "answered": round(summary.answered, 6),
        "wrong": round(summary.answered_risk, 6),
    }


def figures_told(summary: StrategySummary) -> list[str]:
    """The same figures as they are printed."""
    against = summary.against
    return [
        str(summary.questions),
        figure_told(summary.score),
        "" if against is None else f"{against.difference.value:+.3f}, p {against.p:.4f}",
        f"{summary.answered:.2f}",
        f"{summary.answered_risk:.3f}",
    ]


if __name__ == "__main__":
    main()
