"""The page of all strategies: docs/answers.md and its pictures, from the stored results.

    python -m benchmarks.strategy_report

It reads what `benchmarks.answers` stored, without a language model and, where it is there, with one, and what
`benchmarks.ablations`, `choices`, `distractors`, `judges` and `pairs` stored, where it is there. Nothing is measured.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.published_ablations import ablations_as_published
from benchmarks.results import RESULTS
from benchmarks.strategy_measures import inferences_table, measures_table, same_as_default, unread_scores
from benchmarks.strategy_plots import draw_risks, draw_scores
from benchmarks.strategy_rows import (
    Published,
    StrategyRow,
    by_variant,
    pooled,
    published_figures,
    score_told,
    stored,
    strategy_rows,
)
from benchmarks.strategy_targets import BASELINE, Target, stored_targets, targets
from evaluation.report import difference_told, figure_told, table_lines
from evaluation.summary import COVERAGES, Figure

DOCS: Final = Path(__file__).parents[1] / "docs"
_VALIDATED: Final = ("abductive", "counterfactual")
_EVIDENCE: Final = {"chains alone": "chains", "text alone": "text", "whole": "chains, text as fallback"}
_INTRODUCTION: Final = """\
<!-- Made by `python -m benchmarks.strategy_report` from benchmarks/results: measure again, then `make report`. -->

# What the strategies are worth

Each strategy on the same questions of eleven sets, beside plain text (`text-only`): `example worlds` (our own,
invented documents), `reports` (our own questions about investigation reports of transport accidents), `why-questions`
(made from news and accident texts in which people marked causes), AER (abductive event reasoning: offered causes of
news events) and seven other public sets. Scores are means from 0 to 1 with their 95 % intervals; [what they
count](evaluating.md#figures). A dash stands where nothing was measured. Tables with the same program were made by the
same state of the code and the weights.
"""
_TABLES: Final = {
    "choices": (
        "Choosing among offered causes",
        "By the documents of a topic as a graph, as text and as both, and by the words alone: the columns are what may "
        "be read. The last one is a rule that reads nothing. The weights for research learn what leads to what from "
        "AER's other topics too, whose licence forbids to ship them.",
    ),
    "distractors": (
        "Similar passages that do not help",
        "The same questions of their own passages, and with 16 similar ones added.",
    ),
    "pairs": (
        "Bases of passages and of questions with answers",
        "Where earlier questions with their answers are read in place of passages, beside them or after them. None of "
        "them tells a held-out answer, so pairs alone cannot be right.",
    ),
}
"""Results that are told whole, under a title and a sentence, where they are there."""
_NOT_COMPARABLE: Final = """\
Published figures and ours are never of the same questions, passages and models, so no difference between them says
which system is better. What can be compared is inside one column: a strategy and `text-only`, on the same questions.

- The publications use large language models, of 7 to 70 billion parameters where they say; rows here use none unless
  they name one. `smollm2`, of 135 million parameters, is a tiny one and says little of larger ones.
- The publications let a model write short answers. Here an answer is one or more whole sentences of the documents, so
  exact match and word F1 are low by construction; the score asks whether the right answer stands in it.
- Sets of the same name are other draws of questions, other splits, or other passages.
"""


def main() -> None:
    """Writes the page and its pictures."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    if not (RESULTS / "answers.json").exists():
        raise SystemExit(f"There is no {RESULTS / 'answers.json'}. Make it: python -m benchmarks.answers --work FOLDER")
    print(f"written: {write_report(RESULTS, DOCS)}")


def write_report(results: Path, docs: Path) -> Path:
    """Writes `answers.md`, `answers_scores.svg` and `answers_risks.svg`.

    Args:
        results: Folder of the stored results; `answers.json` has to be there.
        docs: Folder that is written to.

    Returns:
        The page.
    """
    rows = strategy_rows(results / "answers.json")
    with_model = strategy_rows(results / "answers_llm.json")
    draw_scores(docs / "answers_scores.svg", _by_set(rows))
    draw_risks(docs / "answers_risks.svg", _by_set(rows))
    lines: list[str] = [_INTRODUCTION]
    for name in ("answers", "answers_llm"):
        if (results / f"{name}.json").exists():
            lines += [_made(stored(results / f"{name}.json")), ""]
    kept = {
        name: stored(path)
        for name in ("choices", "judges", "multihop", "nearest_sentences")
        if (path := results / f"{name}.json").exists()
    }
    lines += _targets([*targets(rows), *stored_targets(kept)])
    lines += _scores(rows, with_model, unread_scores(rows, kept.get("choices")))
    lines += _against(rows, with_model)
    lines += measures_table(rows, with_model)
    lines += inferences_table(kept.get("judges"))
    lines += _by_graph(rows)
    lines += _risks(rows)
    lines += _costs(rows, with_model)
    if (results / "ablations.json").exists():
        lines += _ablations(stored(results / "ablations.json"))
    for name, (title, told) in _TABLES.items():
        if (results / f"{name}.json").exists():
            lines += _whole(stored(results / f"{name}.json"), title, told)
    lines += _groups(rows)
    lines += _published(rows)
    lines += ["## What is not comparable", "", _NOT_COMPARABLE]
    page = docs / "answers.md"
    page.write_text("\n".join(lines).rstrip() + "\n", "utf-8")
    return page


def _made(result: Mapping[str, Any]) -> str:
    program = f", program {result['program'][:8]}" if "program" in result else ""
    return f"Made by `{result['command']}` on {result['date']}{program}, {result['machine']}, seed {result['seed']}."


def _by_set(rows: Iterable[StrategyRow]) -> dict[str, list[StrategyRow]]:
    found: dict[str, list[StrategyRow]] = {}
    for row in rows:
        found.setdefault(row.title, []).append(row)
    return found


def _targets(found: Iterable[Target]) -> Iterator[str]:
    yield "## Targets"
    yield ""
    yield from table_lines(
        ["target", "measured", ""],
        ([one.told, one.measured, {True: "met", False: "**missed**", None: "not measured"}[one.met]] for one in found),
    )


def _scores(rows: Sequence[StrategyRow], with_model: Sequence[StrategyRow], unread: Mapping[str, str]) -> Iterator[str]:
    yield "## Scores"
    yield ""
    yield "![Scores of each strategy on each set, with intervals](answers_scores.svg)"
    yield ""
    sets = _sets(rows, with_model)
    below = [["*reading nothing*", *(unread.get(title, "0") for title in sets)], *_published_rows(sets)]
    yield from _by_strategy(rows, with_model, lambda row: figure_told(row.score), below)
    yield "Published figures are in the publications' own measures, and [not comparable](#what-is-not-comparable)."
    if with_model:
        most = max(row.questions for row in with_model)
        yield (
            f"With a language model, at most {most} questions of each set were asked, so its lines are not to be set "
            "beside the others; where so few got the same score, the interval is a point and tells nothing."
        )
    else:
        yield "With a language model, nothing was measured."
    yield ""
    failed = [
        f"{row.strategy}{f', {row.llm}' if row.llm else ''} on {row.title} {row.failed} of {row.questions}"
        for row in (*rows, *with_model)
        if row.failed
    ]
    if failed:
        yield f"Questions that ended with an error count as 0: {'; '.join(failed)}."
        yield ""


def _published_rows(sets: Sequence[str]) -> Iterator[list[str]]:
    found: dict[str, dict[str, str]] = {}
    for one in published_figures():
        if one.title is not None:
            found.setdefault(one.system, {})[one.title] = f"{one.figure} ({one.measure})"
    for system, told in found.items():
        yield [f"*published: {system}*", *(told.get(title, "") for title in sets)]


def _against(rows: Sequence[StrategyRow], with_model: Sequence[StrategyRow]) -> Iterator[str]:
    yield f"## Against `{BASELINE}`"
    yield ""
    yield f"Score less that of `{BASELINE}` on the same questions and with the same language model, and p (paired)."
    yield ""
    yield from _by_strategy(rows, with_model, _compared)
    same = same_as_default(rows)
    if same:
        names = ", ".join(f"`{name}`" for name in same)
        yield (
            f"The score of {names} is that of `default` on every set that both were asked. What it adds may still "
            "withhold an answer, which the score of a wrong one does not show: see “wrong when answered” below."
        )
        yield ""


def _compared(row: StrategyRow) -> str:
    if row.against is None:
        return ""
    return f"{row.against.difference.value:+.3f}, p {row.against.p:.4f}"


def _by_graph(rows: Sequence[StrategyRow]) -> Iterator[str]:
    yield "## Where the graph helps"
    yield ""
    yield (
        "Questions that are answered from the graph, alone or with text: their share, the score there, and that less "
        f"the score of `{BASELINE}` on the same questions. Strategies that never answer from the graph are left out."
    )
    yield ""
    yield from table_lines(
        ["set", "strategy", "by the graph", "of why-questions", "score there", f"less {BASELINE}", "p"],
        (
            [
                row.title,
                row.strategy,
                f"{row.graph_share:.2f}",
                "–" if row.graph_share_of_why is None else f"{row.graph_share_of_why:.2f}",
                figure_told(row.graph_score),
                "–" if row.graph_against is None else difference_told(row.graph_against.difference),
                "–" if row.graph_against is None else f"{row.graph_against.p:.4f}",
            ]
            for row in rows
            if row.graph_share
        ),
    )
    for name in _strategies(rows):
        found = pooled(
            [row.graph_against.difference for row in rows if row.strategy == name and row.graph_against is not None]
        )
        if found is not None:
            questions = found.difference.questions
            yield f"- {name}, all {questions} of them: {difference_told(found.difference)}, p {found.p:.4f}"
    yield ""


def _risks(rows: Sequence[StrategyRow]) -> Iterator[str]:
    yield "## Risk and coverage"
    yield ""
    yield "![Mean loss over the share of questions that is answered](answers_risks.svg)"
    yield ""
    yield "Mean loss (1 less the score) when only the most confident share of the questions is answered."
    yield ""
    yield from table_lines(
        ["set", "strategy", *(f"{coverage:.0%}" for coverage in COVERAGES)],
        ([row.title, row.strategy, *(f"{row.risks[f'{coverage:g}']:.3f}" for coverage in COVERAGES)] for row in rows),
    )


def _costs(rows: Sequence[StrategyRow], with_model: Sequence[StrategyRow]) -> Iterator[str]:
    yield "## Seconds and tokens"
    yield ""
    yield (
        "Seconds a question: the median, and what one in twenty exceeds; tokens of a language model, in the mean. What "
        "a language model was asked for another strategy is kept and not asked again: the first ones of a set pay for "
        "all."
    )
    yield ""
    yield from _by_strategy(rows, with_model, _cost)


def _cost(row: StrategyRow) -> str:
    tokens = "" if row.llm is None else f", {row.tokens:.0f} tokens"
    return f"{row.median_seconds:.3f}, {row.slow_seconds:.3f}{tokens}"


def _ablations(result: Mapping[str, Any]) -> Iterator[str]:
    rows = result["rows"]
    yield "## Validators over chains and over text"
    yield ""
    yield _made(result)
    yield ""
    titles = list(dict.fromkeys(row["set"] for row in rows))
    found = by_variant(rows)
    cells = (
        [family, told, *(score_told(found.get((family, variant, title))) for title in titles)]
        for family in _VALIDATED
        for variant, told in _EVIDENCE.items()
    )
    yield from table_lines(["validators of", "over", *titles], cells)
    yield from ablations_as_published(rows)
    yield "## What each stage is worth"
    yield ""
    yield (
        "The score of the strategy without the stage less that of the whole one, on the same questions, and p of the "
        "paired test: below 0 where the stage helps. “Changed” is the share of the questions that get another answer "
        "than by the whole strategy, and “contradicted” that of the answers that their own quotes contradict."
    )
    yield ""
    yield from table_lines(
        ["set", "strategy", "variant", "score", "less the whole", "p", "changed", "contradicted"],
        (
            [
                row["set"],
                row["family"],
                row["variant"],
                score_told(row),
                "" if row["difference"] is None else difference_told(Figure.model_validate(row["difference"])),
                "" if row["p"] is None else f"{row['p']:.4f}",
                f"{row['changed']:.3f}" if "changed" in row else "–",
                f"{row['contradicted']:.3f}",
            ]
            for row in rows
        ),
    )


def _whole(result: Mapping[str, Any], title: str, told: str) -> Iterator[str]:
    yield f"## {title}"
    yield ""
    yield told
    yield ""
    yield f"{_made(result)} Data: {result['data']}. Read against: {result['baseline']}."
    yield ""
    columns = result["columns"]
    cells = ([name, *found, *[""] * (len(columns) - len(found))] for name, found in result["figures"].items())
    yield from table_lines(["", *columns], cells)


def _groups(rows: Sequence[StrategyRow]) -> Iterator[str]:
    yield "## Groups of questions"
    yield ""
    names = _strategies(rows)
    found = {(row.title, group, row.strategy): figure for row in rows for group, figure in row.groups.items()}
    places = dict.fromkeys((title, group) for title, group, _ in found)
    yield from table_lines(
        ["set", "group", "questions", *names],
        (
            [
                title,
                group,
                str(next(found[title, group, name].questions for name in names if (title, group, name) in found)),
                *(figure_told(found.get((title, group, name))) or "–" for name in names),
            ]
            for title, group in places
        ),
    )


def _published(rows: Sequence[StrategyRow]) -> Iterator[str]:
    yield "## Published figures"
    yield ""
    known = {(row.title, row.strategy): row for row in rows}
    yield from table_lines(
        [
            "system",
            "set and measure",
            "published",
            "beside it, there",
            "models there",
            "ours, nearest",
            f"`{BASELINE}`",
            "",
        ],
        (
            [
                f"{one.system} ({one.source})",
                f"{one.measured_on}, {one.measure}",
                one.figure,
                one.beside,
                one.model,
                _nearest(one, known.get((one.title or "", one.strategy)), one.strategy),
                _nearest(one, known.get((one.title or "", BASELINE)), BASELINE),
                f"Not comparable: {one.not_comparable}",
            ]
            for one in published_figures()
        ),
    )


def _nearest(one: Published, row: StrategyRow | None, strategy: str) -> str:
    if row is None:
        return "–"
    figure = row.score if one.nearest is None else row.measures.get(one.nearest)
    return "–" if figure is None else f"{strategy}, {row.title}, {one.nearest or 'score'}: {figure_told(figure)}"


def _by_strategy(
    rows: Sequence[StrategyRow],
    with_model: Sequence[StrategyRow],
    told: Callable[[StrategyRow], str],
    below: Iterable[Sequence[str]] = (),
) -> Iterator[str]:
    """A table with a line for each strategy, without and with a language model, and a column for each set."""
    sets = _sets(rows, with_model)
    known = {(row.title, row.strategy, row.llm): told(row) for row in (*rows, *with_model)}
    lines = dict.fromkeys((row.strategy, row.llm) for row in (*rows, *with_model))
    yield from table_lines(
        ["strategy", *sets],
        [
            *(
                [name if llm is None else f"{name}, {llm}", *(known.get((title, name, llm), "–") for title in sets)]
                for name, llm in lines
            ),
            *below,
        ],
    )


def _sets(rows: Sequence[StrategyRow], with_model: Sequence[StrategyRow]) -> list[str]:
    return list(dict.fromkeys(row.title for row in (*rows, *with_model)))


def _strategies(rows: Iterable[StrategyRow]) -> list[str]:
    return list(dict.fromkeys(row.strategy for row in rows))


if __name__ == "__main__":
    main()
