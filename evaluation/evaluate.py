"""Strategies on a file of questions, through the same facade as every door."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from causetrail import __version__
from causetrail.errors import EvaluationUnwritable, StageUnknown
from causetrail.facade import Causetrail
from causetrail.settings import Settings
from evaluation.program import program_hash
from evaluation.questions_file import AskedItem, Item, QuestionsFile
from evaluation.records import Made, QuestionRecord, RecordFile, open_run, sole_run
from evaluation.report import report_lines
from evaluation.runs import run_strategy
from evaluation.summary import StrategySummary, summarise
from kg.records import Answer
from kg.store import Progress
from reasoning.ablation import APART, stages_of, without
from reasoning.choice_report import Choice
from reasoning.strategies import Strategy, find_strategy

_DECIDING: Final = {
    "encoder",
    "domain",
    "hops",
    "max_nodes",
    "deadline_seconds",
    "reliability_floor",
    "knowledge",
    "rerank_by",
    "judge_by",
    "max_question_characters",
    "llm",
    "llm_reasoner",
    "llm_base_url",
    "llm_seconds",
    "llm_max_tokens",
    "llm_context_tokens",
    "llm_budget_tokens",
    "llm_budget_cost",
}
"""Settings that can change an answer; those of an ingest change the graph, which has its own generation."""


def evaluate(
    trail: Causetrail,
    questions: QuestionsFile,
    strategies: Sequence[str | Strategy],
    folder: Path,
    *,
    left_out: Sequence[str] = (),
    baseline: str = "text-only",
    concurrency: int = 1,
    progress: Progress | None = None,
) -> list[StrategySummary]:
    """Asks all questions of all strategies, and sums up.

    The folder takes `run.json`, the records of each strategy as JSON lines, and `report.md`. Broken off and called
    again, it goes on where it was.

    Args:
        trail: The store, and the collection of the questions that name none.
        questions: What is asked, and what is right.
        strategies: Recipes or their names, no name twice.
        folder: Where the records are kept.
        left_out: Stages; each gives a variant of every strategy that has it, without it, beside the whole. Several with
            `+` between them are left out together (`reasoning.ablation`).
        baseline: Name of the recipe that the others are compared with, where it is among them.
        concurrency: Questions at once.
        progress: Called with a strategy, questions done, and questions there are.

    Returns:
        The figures of each strategy, in the order given, each with its variants behind it.

    Raises:
        ArgumentInvalid: there is no such strategy.
        StageUnknown: none of the strategies has such a stage.
        EvaluationError: the folder is of another run, or another writes into it, or it is damaged or cannot be written.
        StoreError, ModelError: the store or a model fails; what was answered is kept.
    """
    wholes = [find_strategy(one) for one in strategies]
    variants = _variants(wholes, left_out)
    recipes = [recipe for whole in wholes for recipe in (whole, *variants[whole.title])]
    whole_of = {variant.title: whole.title for whole in wholes for variant in variants[whole.title]}
    with sole_run(folder):
        open_run(folder, _made(trail, questions))
        runs: dict[str, list[QuestionRecord]] = {}
        for recipe in recipes:
            runs[recipe.title] = run_strategy(
                questions.items,
                partial(_ask, trail, recipe),
                RecordFile(folder, recipe.title),
                strategy=recipe.title,
                concurrency=concurrency,
                progress=progress,
            )
        found = summarise(runs, baseline, whole_of)
        page = folder / "report.md"
        try:
            lines = report_lines(found, questions.name, without_documents(trail, questions))
            page.write_text("\n".join(lines), "utf-8")
        except OSError as error:
            raise EvaluationUnwritable(path=page, reason=(error.strerror or "unknown").lower()) from None
    return found


def _variants(wholes: Sequence[Strategy], left_out: Sequence[str]) -> dict[str, list[Strategy]]:
    """The variants of each strategy by its name, each once."""
    found: dict[str, dict[str, Strategy]] = {whole.title: {} for whole in wholes}
    for one in left_out:
        stages = one.split(APART)
        having = [whole for whole in wholes if {*stages} <= {*stages_of(whole)}]
        if not having:
            raise _unknown(wholes, stages)
        for whole in having:
            variant = without(whole, stages)
            found[whole.title][variant.title] = variant
    return {title: [*variants.values()] for title, variants in found.items()}


def _unknown(wholes: Sequence[Strategy], stages: Sequence[str]) -> StageUnknown:
    """What no strategy has, with what each of them does."""
    each = [f"{whole.title}: {', '.join(stages_of(whole)) or 'none'}" for whole in wholes]
    names = " or ".join(whole.title for whole in wholes)
    return StageUnknown(strategy=names, stage=APART.join(stages), stages="; ".join(each))


def _ask(trail: Causetrail, strategy: Strategy, item: Item) -> Answer | Choice:
    asked = trail.within(item.collection)
    if isinstance(item, AskedItem):
        return asked.ask(item.question, strategy)
    return asked.choose(item.event, item.options, strategy)


def without_documents(trail: Causetrail, questions: QuestionsFile) -> list[str]:
    """The collections that are asked and hold no documents, by name: only words alone can answer there.

    Args:
        trail: The store, and the collection of the questions that name none.
        questions: What is asked.
    """
    return [name for name in _asked(trail, questions) if not trail.within(name).counts().documents]


def _asked(trail: Causetrail, questions: QuestionsFile) -> list[str]:
    """The collections that are asked, by name."""
    return sorted({item.collection or trail.collection for item in questions.items})


def _made(trail: Causetrail, questions: QuestionsFile) -> Made:
    return Made(
        version=__version__,
        program=program_hash(),
        questions=questions.sha256,
        settings=_digest(trail.settings),
        generations={name: trail.within(name).health()[0] for name in _asked(trail, questions)},
    )


def _digest(settings: Settings) -> str:
    return hashlib.sha256(settings.model_dump_json(include=_DECIDING).encode()).hexdigest()
