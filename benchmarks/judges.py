"""The judges on sets that they never learned from: entailment, causal choice, reranking, sufficiency, calibration.

    python -m benchmarks.judges [--data ../shared/data] [--research FOLDER]

Beside the packaged weights stand research weights, where their folder is given (`python -m training.judges --research
--output FOLDER`), the encoder they grew from without training, and what costs nothing: the commonest class, or chance.
Without training, a premise entails what its vector is near to, with bounds fitted on the judges' own training pairs; of
two causes the nearer one is chosen; passages are ranked by nearness. Premises longer than the judges read are cut at
sentences, and the part that says most decides. Intervals are 95 % ones over items drawn with replacement; p values are
of the paired difference under random signs.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from benchmarks.bootstrap import SEED, share_of, with_interval
from benchmarks.results import write_result
from benchmarks.retrieval_sets import Retrieval, retrievals
from language.sentences import SentenceReader
from models.encoder import PACKAGED, load_encoder
from models.judges import Inference, Judges, Task
from models.onnx_encoder import MAX_TOKENS
from training.judge_sets import (
    CLASSES,
    JudgeExample,
    chosen_causes,
    copa,
    drawn,
    events_of_topics,
    inferences,
    nearest,
    questions,
)
from training.judges import sentences_in

_CANDIDATES: Final = 20
"""Passages that the encoder finds and a judge ranks anew."""
_BEST: Final = 5
_THREADS: Final = 2
_BINS: Final = 10
_FITTED_ON: Final = 3_000
_MOST_WORDS: Final = 300
"""Of a question and a passage together whose calibration is measured: so many all judges read whole."""
_CONTRADICTION: Final = CLASSES.index("contradiction")
_ALONE: Final = "encoder alone"
_NONE: Final = "None of the others"

Floats = NDArray[np.float64]


def main() -> None:
    """Scores all columns and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--research", type=Path, help="folder of the research weights")
    arguments = parser.parse_args()
    columns: dict[str, Judge] = {"shipped": Trained(Judges(threads=_THREADS))}
    if arguments.research:
        columns["research"] = Trained(Judges(arguments.research, _THREADS))
    columns[_ALONE] = Untrained(arguments.data)
    figures: dict[str, list[str]] = {}
    figures |= _entailment(arguments.data, columns)
    figures |= _causes(arguments.data, columns)
    figures |= _reranking(arguments.data, columns)
    figures |= _calibration(arguments.data, columns)
    research = " --research FOLDER (of `python -m training.judges --research`)" if arguments.research else ""
    write_result(
        "judges",
        command="python -m benchmarks.judges" + research,
        data="test parts of SICK, SciTail, Climate-FEVER and ConTRoL; e-CARE dev, balanced COPA dev, AER topics 3 "
        "modulo 4; XQuAD's odd articles, 100 questions each of HotpotQA and MuSiQue",
        baseline="the commonest class; chance; the packaged encoder without training",
        columns=(*columns, "commonest or chance"),
        figures=figures,
        seed=SEED,
    )


class Judge(Protocol):
    """What a column can do."""

    def classes(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Probabilities of `CLASSES` of each pair, shape (pairs, 3)."""
        ...

    def causes(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """How plausible each pair of cause and effect is, shape (pairs,)."""
        ...

    def relevance(self, query: str, passages: Sequence[str], near: NDArray[np.float32] | None = None) -> Floats:
        """How well each passage answers, shape (passages,); `near` is the encoder's nearness, where it is known."""
        ...

    def sufficiency(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """How far each evidence suffices for its question, shape (pairs,)."""
        ...


class Trained:
    """Weights of the judges."""

    def __init__(self, judges: Judges) -> None:
        self._judges = judges
        self._reader = SentenceReader()
        self._told: dict[tuple[str, str], Inference] = {}

    def classes(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """The part of a long premise that is least neutral decides."""
        asked = [pair for pair in dict.fromkeys(pairs) if pair not in self._told]
        parts = [(pair, part) for pair in asked for part in self._parts(*pair)]
        judged = self._judges.inferences([(part, hypothesis) for (_, hypothesis), part in parts])
        for (pair, _), one in zip(parts, judged, strict=True):
            self._told[pair] = min(self._told.get(pair, one), one, key=lambda each: each.neutral)
        return np.array([self._told[pair] for pair in pairs])

    def causes(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """As `Judge`."""
        return np.array(self._judges.causes(pairs))

    def relevance(self, query: str, passages: Sequence[str], near: NDArray[np.float32] | None = None) -> Floats:
        """As `Judge`."""
        return np.array(self._judges.relevance(query, passages, near))

    def sufficiency(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """As `Judge`."""
        return np.array(self._judges.sufficiency(pairs))

    def _parts(self, premise: str, hypothesis: str) -> list[str]:
        """The premise, or windows of its sentences that can be read with the hypothesis."""

        def fits(text: str) -> bool:
            return len(self._judges.token_ids(Task.ENTAILMENT, text, hypothesis)) <= MAX_TOKENS

        if fits(premise):
            return [premise]
        parts: list[str] = []
        for sentence in self._reader.read(premise):
            longer = f"{parts[-1]} {sentence.text}" if parts else ""
            if longer and fits(longer):
                parts[-1] = longer
            elif fits(sentence.text):
                parts.append(sentence.text)
        return parts or [premise[:_BEST]]


class Untrained:
    """The encoder, with bounds on nearness fitted where classes are asked for."""

    def __init__(self, data: Path) -> None:
        self._encoder = load_encoder(PACKAGED, 1)
        self._vectors: dict[str, NDArray[np.float32]] = {}
        learned = drawn(list(inferences(data / "nli/nli_train.jsonl", ("scitail", "tracie", "sick"))), _FITTED_ON, SEED)
        near = self.causes([one.pairs[0] for one in learned])[:, None]
        self._bounds = LogisticRegression(C=1e3).fit(near, [one.gold[0] for one in learned])

    def classes(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """By nearness alone."""
        told: Floats = self._bounds.predict_proba(self.causes(pairs)[:, None])
        return told

    def causes(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """Nearness of the two texts."""
        return np.array([float(self._vector(one) @ self._vector(other)) for one, other in pairs])

    def relevance(self, query: str, passages: Sequence[str], near: NDArray[np.float32] | None = None) -> Floats:
        """Nearness of passage and query, with the query's prompt."""
        if near is not None:
            return near.astype(np.float64)
        asked = self._encoder.encode_query(query)[0]
        return np.array([float(asked @ self._vector(passage)) for passage in passages])

    def sufficiency(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """As relevance."""
        return np.array([self.relevance(question, [evidence])[0] for question, evidence in pairs])

    def _vector(self, text: str) -> NDArray[np.float32]:
        """Of the beginning, where the text is longer than the encoder reads."""
        if text in self._vectors:
            return self._vectors[text]
        words = text.split()
        while self._encoder.count_tokens([" ".join(words)])[0] > MAX_TOKENS:
            words = words[: len(words) * 9 // 10]
        self._vectors[text] = self._encoder.encode_passages([" ".join(words)])[0]
        return self._vectors[text]


def _entailment(data: Path, columns: dict[str, Judge]) -> dict[str, list[str]]:
    figures: dict[str, list[str]] = {}
    for source in ("sick", "scitail", "climate-fever", "control"):
        examples = list(inferences(data / "nli/nli_test.jsonl", (source,)))
        gold = np.array([one.gold[0] for one in examples])
        told = [judge.classes([one.pairs[0] for one in examples]) for judge in columns.values()]
        if _CONTRADICTION not in gold:
            # A set of two classes, entailed or not, is scored as such.
            told = [_two_classes(one) for one in told]
        classes = [one.argmax(axis=1) for one in told]
        majority = np.full(len(gold), Counter(gold.tolist()).most_common(1)[0][0])
        name = f"entailment, {source}, {len(gold)} pairs"
        figures[f"{name}, accuracy"] = [
            with_interval(_right(one == gold), share_of("right", "all")) for one in (*classes, majority)
        ]
        if _CONTRADICTION in gold:
            figures[f"{name}, F1 of contradiction"] = [_f1(one, gold) for one in (*classes, majority)]
        print(name, figures[f"{name}, accuracy"], flush=True)
    return figures


def _two_classes(told: Floats) -> Floats:
    return np.stack([told[:, 0], 1 - told[:, 0]], axis=1)


def _right(values: NDArray[np.bool_]) -> list[Counter[str]]:
    return [Counter({"right": int(value), "all": 1}) for value in values]


def _f1(told: NDArray[np.int_], gold: NDArray[np.int_]) -> str:
    rows = [
        Counter(gold=int(g == _CONTRADICTION), found=int(t == _CONTRADICTION), right=int(g == t == _CONTRADICTION))
        for t, g in zip(told, gold, strict=True)
    ]
    return with_interval(rows, lambda n: 2 * n["right"] / max(n["gold"] + n["found"], 1))


def _causes(data: Path, columns: dict[str, Judge]) -> dict[str, list[str]]:
    topics = list(events_of_topics(data / "aer/train_questions.jsonl", held_out=True))
    free = [one for one in topics if not _has_shortcut(one)]
    sets = {
        "e-CARE dev": list(chosen_causes(data / "ecare/dev.jsonl")),
        "balanced COPA dev": list(copa(data / "copa/balanced-copa-dev-all.xml")),
        "AER, held-out topics, all, best single option": topics,
        "AER, held-out topics, shortcut-free, best single option": free,
    }
    figures: dict[str, list[str]] = {}
    for title, examples in sets.items():
        name = f"causal choice, {title}, {len(examples)} questions"
        scored = [[_score(judge.causes(one.pairs), one) for one in examples] for judge in columns.values()]
        scored.append([_chance(one) for one in examples])
        figures[name] = [with_interval([_counts(value) for value in one], share_of("right", "all")) for one in scored]
        print(name, figures[name], flush=True)
    return figures


def _counts(score: float) -> Counter[str]:
    """A score of 0 to 1 as counts."""
    return Counter(right=round(1_000 * score), all=1_000)


def _score(told: Floats, example: JudgeExample) -> float:
    """The set's own score of the best option and those with the same text: 1 exact, a half for a part, else 0."""
    best = example.pairs[int(told.argmax())]
    chosen = {place for place, pair in enumerate(example.pairs) if pair == best}
    gold = {place for place, value in enumerate(example.gold) if value}
    if chosen == gold:
        return 1.0
    return 0.5 if chosen < gold else 0.0


def _chance(example: JudgeExample) -> float:
    scores = [_score(np.eye(len(example.pairs))[place], example) for place in range(len(example.pairs))]
    return sum(scores) / len(scores)


def _has_shortcut(example: JudgeExample) -> bool:
    options = [pair[0] for pair in example.pairs]
    return len(set(options)) < len(options) or any(option.startswith(_NONE) for option in options)


def _reranking(data: Path, columns: dict[str, Judge]) -> dict[str, list[str]]:
    encoder = load_encoder(PACKAGED, 1)
    figures: dict[str, list[str]] = {}
    pooled: dict[str, dict[str, list[float]]] = {measure: defaultdict(list) for measure in _MEASURES}
    for title, retrieval in retrievals(data):
        vectors = encoder.encode_passages(retrieval.passages)
        found = []
        for query, _ in retrieval.questions:
            near = vectors @ encoder.encode_query(query)[0]
            best = np.argsort(-near, kind="stable")[:_CANDIDATES]
            found.append((best, near[best]))
        ranked = {name: _ranked(judge, retrieval, found) for name, judge in columns.items()}
        for measure, value in _MEASURES.items():
            told = {
                column: [value(order, gold) for order, (_, gold) in zip(orders, retrieval.questions, strict=True)]
                for column, orders in ranked.items()
            }
            for column, values in told.items():
                pooled[measure][column] += values
            figures[f"rerank, {title}, {len(found)} questions, {measure}"] = _against_the_encoder(told)
            print(title, measure, _against_the_encoder(told), flush=True)
    for measure, told in pooled.items():
        count = len(told[_ALONE])
        figures[f"rerank, all {count} questions, {measure}"] = _against_the_encoder(told)
    return figures


def _against_the_encoder(told: Mapping[str, Sequence[float]]) -> list[str]:
    """Mean of each column, and p of its difference from the encoder's."""
    cells = []
    for column, values in told.items():
        mean = with_interval([_counts(one) for one in values], share_of("right", "all"))
        cells.append(mean if column == _ALONE else f"{mean}, p {_paired(values, told[_ALONE]):.4f}")
    return [*cells, "-"]


def _ranked(
    judge: Judge, retrieval: Retrieval, found: Sequence[tuple[NDArray[np.int_], NDArray[np.float32]]]
) -> list[list[int]]:
    ranked = []
    for (query, _), (places, near) in zip(retrieval.questions, found, strict=True):
        told = judge.relevance(query, [retrieval.passages[place] for place in places], near)
        ranked.append([int(places[rank]) for rank in np.argsort(-told, kind="stable")])
    return ranked


def _recall(order: list[int], gold: frozenset[int]) -> float:
    return len(gold & set(order[:_BEST])) / len(gold)


def _reciprocal_rank(order: list[int], gold: frozenset[int]) -> float:
    return max((1 / (rank + 1) for rank, place in enumerate(order) if place in gold), default=0.0)


_MEASURES: Final[dict[str, Callable[[list[int], frozenset[int]], float]]] = {
    f"recall at {_BEST}": _recall,
    "MRR": _reciprocal_rank,
}


def _paired(values: Sequence[float], base: Sequence[float]) -> float:
    """Two-sided p of the mean difference, with signs drawn at random."""
    difference = np.array(values) - np.array(base)
    signs = np.random.default_rng(SEED).choice([-1, 1], size=(5_000, len(difference)))
    beyond = np.abs((signs * difference).mean(axis=1)) >= abs(difference.mean()) - 1e-12
    return float((1 + beyond.sum()) / (1 + len(beyond)))


def _calibration(data: Path, columns: dict[str, Judge]) -> dict[str, list[str]]:
    sentences_of = partial(sentences_in, SentenceReader())
    asked = [
        one
        for one in questions(data / "xquad/xquad.en.json", sentences_of, nearest, held_out=True)
        if all(len(f"{question} {text}".split()) <= _MOST_WORDS for question, text in one.pairs)
    ]
    tests: dict[str, tuple[list[JudgeExample], Callable[[Judge, JudgeExample], Floats]]] = {
        "entailment, SciTail and SICK": (
            list(inferences(data / "nli/nli_test.jsonl", ("scitail", "sick"))),
            lambda judge, one: judge.classes(one.pairs)[:, 0],
        ),
        "causal choice, e-CARE dev": (
            list(chosen_causes(data / "ecare/dev.jsonl")),
            lambda judge, one: judge.causes(one.pairs),
        ),
        "relevance, XQuAD": (
            [one for one in asked if one.task is Task.RELEVANCE],
            lambda judge, one: judge.relevance(one.pairs[0][0], [text for _, text in one.pairs]),
        ),
        "sufficiency, XQuAD": (
            [one for one in asked if one.task is Task.SUFFICIENCY],
            lambda judge, one: judge.sufficiency(one.pairs),
        ),
    }
    figures: dict[str, list[str]] = defaultdict(list)
    for title, (examples, judged) in tests.items():
        entails = examples[0].task is Task.ENTAILMENT
        gold = np.array([value == 0 if entails else value == 1 for one in examples for value in one.gold])
        for name, judge in columns.items():
            told = np.concatenate([judged(judge, one) for one in examples])
            error = "-" if name == _ALONE and not entails else f"{_calibration_error(told, gold):.3f}"
            figures[f"calibration, {title}, {len(gold)} pairs, expected error"].append(error)
            figures[f"calibration, {title}, {len(gold)} pairs, AUROC"].append(f"{roc_auc_score(gold, told):.3f}")
        for measure in ("expected error", "AUROC"):
            figures[f"calibration, {title}, {len(gold)} pairs, {measure}"].append("-")
    return dict(figures)


def _calibration_error(told: Floats, gold: NDArray[np.bool_]) -> float:
    """Expected calibration error over ten bins of equal width (Naeini et al. 2015; Guo et al. 2017, equation 3)."""
    bins = np.minimum((told * _BINS).astype(int), _BINS - 1)
    parts = [(bins == one) for one in range(_BINS) if (bins == one).any()]
    return float(sum(part.mean() * abs(told[part].mean() - gold[part].mean()) for part in parts))


if __name__ == "__main__":
    main()
