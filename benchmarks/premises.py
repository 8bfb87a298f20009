"""What the premise generator proposes, beside SmolLM2 without its adapter, asked in the same words.

    python -m benchmarks.premises --data ../shared/data

Asked are causes and effects of e-CARE whose explanations were held out, and steps of EntailmentBank's test part with
one premise left out; measured is the first answer to each, before the generator drops any. The judge of entailment
accepts an answer where the conclusion (or effect) follows from the evidence (or cause) with it, more surely than
without it, and where the evidence does not contradict it. What the judge's word is worth is seen from two columns
more: the statement that a person wrote for this item, and the one that a person wrote for another item. Intervals are
95 % ones over items drawn with replacement.

The judgements of a reader are stored beside this file: the first answers of both models to 50 items, in random order
and without the name of the model. A statement is `useful` (true, general, and it helps to explain), `true` (but of no
help), a `restatement`, `false`, or `nonsense`.
"""

from __future__ import annotations

import argparse
import csv
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.bootstrap import SEED, share_of, with_interval
from benchmarks.results import write_result
from causetrail.errors import ModelRefused, OutputCut, OutputInvalid
from language.content_words import content_words
from models.call_deadline import CallDeadline
from models.gguf_model import PACKAGED_NAME, GgufModel, packaged_gguf
from models.judges import Judges
from models.language_model import Sampling
from models.premise_generator import CONTEXT_TOKENS, MOST_TOKENS, PremiseGenerator, packaged_premise_model
from models.restatements import common_words, restates, words_of
from training.premise_generator import training_set
from training.premise_sets import ECARE, ENTAILMENTBANK, PremiseExample

READ: Final = Path(__file__).with_name("read_premises.csv")
VERDICTS: Final = ("useful", "true", "restatement", "false", "nonsense")
UNTRAINED, TRAINED = "untrained", "trained"
MODELS: Final = (UNTRAINED, TRAINED)
OWN, ANOTHER = "written for it", "written for another"
SETS: Final = {ECARE: "e-CARE, held-out explanations", ENTAILMENTBANK: "EntailmentBank, test steps"}
_ENTAILED: Final = 0.5
_SECONDS: Final = 120.0


class Answer(NamedTuple):
    """What a model answered first.

    Attributes:
        text: Empty where the answer could not be used.
        seconds: How long it took.
    """

    text: str
    seconds: float


class Reading(NamedTuple):
    """What a reader said of one answer.

    Attributes:
        source: `ECARE` or `ENTAILMENTBANK`.
        given: What the model was shown.
        statement: What it answered.
        model: Of `MODELS`.
        verdict: Of `VERDICTS`.
    """

    source: str
    given: str
    statement: str
    model: str
    verdict: str


def read_readings(path: Path = READ) -> list[Reading]:
    """The stored judgements of a reader."""
    with path.open(encoding="utf-8", newline="") as file:
        return [Reading(*(row[name] for name in Reading._fields)) for row in csv.DictReader(file)]


def answered(generator: PremiseGenerator, example: PremiseExample) -> Answer:
    """The first answer to an item."""
    try:
        told = generator.answer(example.prompt, example.shown, Sampling(MOST_TOKENS), CallDeadline(_SECONDS))
    except (OutputInvalid, OutputCut, ModelRefused):
        return Answer("", 0.0)
    return Answer(told.text, told.seconds)


def accepted(judges: Judges, examples: Sequence[PremiseExample], statements: Sequence[str]) -> list[bool]:
    """Whether the judge accepts each statement for its item; never an empty one."""
    pairs = []
    for one, statement in zip(examples, statements, strict=True):
        evidence = " ".join(one.given[:-1])
        pairs += [(f"{evidence} {statement}", one.given[-1]), (evidence, one.given[-1]), (evidence, statement or ".")]
    told = judges.inferences(pairs)
    return [
        bool(words_of(statement))
        and with_it.entailed > max(_ENTAILED, without.entailed)
        and against.contradicted < max(against.entailed, against.neutral)
        for statement, with_it, without, against in zip(statements, told[0::3], told[1::3], told[2::3], strict=True)
    ]


def overlap(first: Sequence[str], second: Sequence[str], common: int) -> float:
    """F1 of what two texts have in common."""
    return 2 * common / max(len(first) + len(second), 1)


def rouge_l(statement: str, reference: str) -> float:
    """F1 of the longest common sequence of words (Lin 2004)."""
    first, second = words_of(statement), words_of(reference)
    return overlap(first, second, common_words(first, second))


def content_f1(statement: str, reference: str) -> float:
    """F1 of the content words, each counted once."""
    first, second = list(content_words(statement)), list(content_words(reference))
    return overlap(first, second, len(set(first) & set(second)))


def counted(examples: Sequence[PremiseExample], statements: Sequence[str], takes: Sequence[bool]) -> list[Counter[str]]:
    """What is true of each statement, as counts."""
    rows = []
    for one, statement, taken in zip(examples, statements, takes, strict=True):
        restated = restates(statement, one.given)
        rows.append(
            Counter(
                items=1,
                thousand=1_000,
                empty=int(not words_of(statement)),
                restated=int(restated),
                accepted=int(taken),
                new=int(taken and not restated),
                rouge=round(1_000 * rouge_l(statement, one.answer)),
                content=round(1_000 * content_f1(statement, one.answer)),
            )
        )
    return rows


MEASURES: Final[dict[str, Callable[[Counter[str]], float]]] = {
    "accepted by the judge, and no restatement": share_of("new", "items"),
    "accepted by the judge": share_of("accepted", "items"),
    "ROUGE-L F1 with what was written for it": share_of("rouge", "thousand"),
    "content-word F1 with what was written for it": share_of("content", "thousand"),
    "restates what is given": share_of("restated", "items"),
    "empty or unusable": share_of("empty", "items"),
}


def main() -> None:
    """Asks both models, has the judge decide, and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--items", type=int, default=120, help="of each set")
    parser.add_argument("--answers", type=Path, help="writes the first answers to this file, for a reader")
    arguments = parser.parse_args()
    _, held_out = training_set(arguments.data, 0, SEED)
    asked = {source: held_out[source][: arguments.items] for source in SETS}
    told: dict[str, dict[str, list[Answer]]] = {}
    for name, model in ((UNTRAINED, _untrained()), (TRAINED, packaged_premise_model())):
        generator = PremiseGenerator(model)
        told[name] = {source: [answered(generator, one) for one in examples] for source, examples in asked.items()}
        model.close()
        print(f"{name} has answered", flush=True)
    if arguments.answers:
        _write_answers(arguments.answers, asked, told)
    judges = Judges()
    figures: dict[str, list[str]] = {}
    for source, examples in asked.items():
        figures |= _compared(judges, source, examples, {name: told[name][source] for name in MODELS})
    figures |= _read()
    write_result(
        "premises",
        command="python -m benchmarks.premises",
        data=f"{arguments.items} causes and effects of e-CARE with held-out explanations and {arguments.items} steps "
        f"of EntailmentBank's test part; judged by {judges.fingerprint}",
        baseline="SmolLM2-135M-Instruct without the adapter; what people wrote for this item, and for another",
        columns=(*MODELS, OWN, ANOTHER),
        figures=figures,
        seed=SEED,
    )


def _untrained() -> GgufModel:
    return GgufModel(packaged_gguf(), CONTEXT_TOKENS, PACKAGED_NAME)


def _compared(
    judges: Judges, source: str, examples: Sequence[PremiseExample], told: dict[str, list[Answer]]
) -> dict[str, list[str]]:
    references = [one.answer for one in examples]
    statements = {name: [one.text for one in answers] for name, answers in told.items()}
    statements |= {OWN: references, ANOTHER: references[1:] + references[:1]}
    rows = {name: counted(examples, some, accepted(judges, examples, some)) for name, some in statements.items()}
    title = f"{SETS[source]}, {len(examples)} items"
    figures = {}
    for measure, score in MEASURES.items():
        figures[f"{title}, {measure}"] = [with_interval(some, score) for some in rows.values()]
        difference = [
            Counter(one) + Counter({f"before {key}": value for key, value in before.items()})
            for one, before in zip(rows[TRAINED], rows[UNTRAINED], strict=True)
        ]
        figures[f"{title}, {measure}, trained less untrained"] = [
            "-",
            with_interval(difference, lambda n, score=score: score(n) - score(_before(n))),  # type: ignore[misc]
            "-",
            "-",
        ]
    figures[f"{title}, seconds an answer, median"] = [
        *(f"{statistics.median(one.seconds for one in told[name]):.2f}" for name in MODELS),
        "-",
        "-",
    ]
    return figures


def _before(counts: Counter[str]) -> Counter[str]:
    return Counter({key.removeprefix("before "): value for key, value in counts.items() if key.startswith("before ")})


def _read() -> dict[str, list[str]]:
    """What the reader said, by model."""
    readings = read_readings() if READ.exists() else []
    figures = {}
    for source, title in (("", "all"), *SETS.items()):
        some = [one for one in readings if source in ("", one.source)]
        for verdict in VERDICTS if some else ():
            columns = []
            for model in MODELS:
                rows = [Counter(items=1, said=int(one.verdict == verdict)) for one in some if one.model == model]
                columns.append(f"{with_interval(rows, share_of('said', 'items'), 2)} of {len(rows)}")
            figures[f"a reader, {title}: {verdict}"] = [*columns, "-", "-"]
    return figures


def _write_answers(
    path: Path, asked: dict[str, list[PremiseExample]], told: dict[str, dict[str, list[Answer]]]
) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(Reading._fields)
        for source, examples in asked.items():
            for name in MODELS:
                for one, answer in zip(examples, told[name][source], strict=True):
                    rows.writerow((source, one.shown, answer.text, name, ""))


if __name__ == "__main__":
    main()
