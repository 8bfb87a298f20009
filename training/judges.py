"""Makes the packaged judges: entailment, relevance, causal choice and sufficiency, on adapted encoders.

    python -m training.judges

trains changes of the packaged encoder and the heads on it, for each of the judges' trunks in a process of its own,
calibrates them on examples that were kept from training, and writes the folder that models/ packages, with its card. On
two cores that takes an hour and a quarter; a GPU is used when there is one.
`--research` adds the sets whose licence does not permit weights that are shipped. `--trunk NAME` trains one trunk and
keeps the other as packaged: a quarter of an hour for that of events.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import spacy
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from spacy.tokens import Span

from language.sentences import SentenceReader
from models.encoder import PACKAGED
from models.judges import CALIBRATION, NAME, TRUNKS, Judges, Task, marked
from models.onnx_session import load_tokenizer
from models.packaged_parser import packaged_parser
from models.weights_card import HEAD_FILE, WEIGHTS, open_weights, sha256_of
from training.fitting import Schedule, fit
from training.judge_net import EncodedGroup, JudgeNet
from training.judge_sets import (
    CLASSES,
    LICENCES,
    SHIPPED,
    JudgeExample,
    abstracts,
    chosen_causes,
    copa,
    drawn,
    events_of_topics,
    inferences,
    is_held_out,
    questions,
    trees,
)
from training.likeness import Likeness
from training.made_inferences import NEUTRAL, made_pairs
from training.relation_heads import SHARED_DATA, write_weights
from training.treebanks import read_treebank

FILES: Final = {
    "scitail": ("nli/nli_train.jsonl",),
    "tracie": ("nli/nli_train.jsonl",),
    "entailmentbank": ("nli/nli_train.jsonl", "entailmentbank/dev.jsonl"),
    "made": ("ecare/train.jsonl", "ud_ewt/en_ewt-ud-train.rebuilt.conllu"),
    "ecare": ("ecare/train.jsonl",),
    "copa": ("copa/copa-test.xml",),
    "xquad": ("xquad/xquad.en.json",),
    "pubmedqa": ("pubmedqa/ori_pqal.json",),
    "sick": ("nli/nli_train.jsonl",),
    "control": ("nli/nli_train.jsonl",),
    "climate-fever": ("nli/nli_train.jsonl",),
    "aer": ("aer/train_questions.jsonl",),
}
_SOURCES: Final = {
    "texts": frozenset(FILES) - {"ecare", "copa", "aer"},
    "events": frozenset({"ecare", "copa", "aer"}),
}
"""What each trunk learns from."""
_INFERENCE_SOURCES: Final = ("scitail", "tracie", "entailmentbank", "sick", "control", "climate-fever")
_DROPPED: Final = "entailmentbank-drop"
_MADE: Final = 15_000
"""Most pairs that are made by rule."""
_MADE_FROM: Final = 3_000
"""Sentences that they are made from, of each source."""
_FOLLOWING: Final = 1_000
"""Causes and effects taken as premise and hypothesis: what is plausible need not follow."""
_LONGEST: Final = 320
"""Most tokens of a pair that is learned from."""
_TOKENS: Final = 1_600
"""About so many tokens make a batch."""
_RANK: Final = 8
_TRUNK_RATE, _HEAD_RATE = 1e-3, 7e-4
_WARM_UP: Final = 100
_LAST_RATE: Final = 0.02
_ONCE: Final = frozenset({"aer"})
"""Sources seen in the last epoch only: inside their topics events and options repeat, and are soon known by heart."""
_UNCALIBRATED: Final = {
    CALIBRATION + Task.ENTAILMENT: (1.0,),
    CALIBRATION + Task.RELEVANCE: (1.0, 0.0, 0.0, 0.0),
    CALIBRATION + Task.CAUSE: (1.0, 0.0),
    CALIBRATION + Task.SUFFICIENCY: (1.0, 0.0),
}


def main() -> None:
    """Trains, calibrates, and writes weights and card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED_DATA, help="folder of the labelled sets")
    parser.add_argument("--research", action="store_true", help="train on all sets; the weights may not be shipped")
    parser.add_argument("--without", nargs="*", default=[], choices=tuple(FILES), help="sources that are left out")
    parser.add_argument("--trunk", choices=tuple(TRUNKS), help="train this one, and keep the other as packaged")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--examples", type=int, help="learn from so many of each task only, to try it")
    parser.add_argument("--output", type=Path, default=WEIGHTS / NAME, help="folder that is written")
    arguments = parser.parse_args()
    trunks = [arguments.trunk] if arguments.trunk else [*TRUNKS]
    allowed = FILES if arguments.research else SHIPPED
    wanted = frozenset().union(*(_SOURCES[trunk] for trunk in trunks)).difference(arguments.without)
    sources = [one for one in allowed if one in wanted]
    examples = training_set(arguments.data, sources, arguments.seed)
    held_out = [one for one in examples if is_held_out(one)]
    learned = [one for one in examples if not is_held_out(one)]
    if arguments.examples:
        by_task = (drawn([one for one in learned if one.task is task], arguments.examples, 0) for task in Task)
        learned = list(itertools.chain.from_iterable(by_task))
    kept = _packaged([trunk for trunk in TRUNKS if trunk not in trunks])
    tensors = trained(learned, trunks, epochs=arguments.epochs, seed=arguments.seed) | kept.tensors
    files = sorted({file for source in sources for file in FILES[source]})
    card: dict[str, Any] = {
        "model": NAME,
        "command": "python -m training.judges"
        + " --research" * arguments.research
        + (f" --trunk {arguments.trunk}" if arguments.trunk else ""),
        "licence": "none: for research only" if arguments.research else "Apache-2.0",
        "trunk": PACKAGED,
        "trained_on": {file: sha256_of(arguments.data / file) for file in files},
        "licences_of_data": {source: LICENCES[source] for source in sources},
        "examples": {f"{task}, {source}": n for (task, source), n in sorted(Counter(map(_kind, learned)).items())},
        "held_out": len(held_out),
        "epochs": arguments.epochs,
        "seed": arguments.seed,
    }
    write_weights(arguments.output, tensors, _UNCALIBRATED, card)
    calibration, figures = calibrated(Judges(arguments.output), held_out)
    write_weights(arguments.output, tensors, calibration | kept.calibration, {**card, "on_held_out": figures})
    print(json.dumps(figures, indent=1))


class _Kept(NamedTuple):
    """What of the packaged judges is not trained anew."""

    tensors: dict[str, NDArray[Any]]
    calibration: dict[str, Sequence[float]]


def _packaged(trunks: Sequence[str]) -> _Kept:
    if not trunks:
        return _Kept({}, {})
    open_weights(WEIGHTS / NAME)
    held = load_file(WEIGHTS / NAME / HEAD_FILE)
    tasks = [task for trunk in trunks for task in TRUNKS[trunk]]
    return _Kept(
        {name: value for name, value in held.items() if name.startswith(tuple(f"{trunk}." for trunk in trunks))},
        {CALIBRATION + task: held[CALIBRATION + task].tolist() for task in tasks},
    )


def _kind(example: JudgeExample) -> tuple[str, str]:
    return example.task.value, example.source


def training_set(data: Path, sources: Sequence[str], seed: int) -> list[JudgeExample]:
    """The examples of these sources, in a fixed order."""
    nli = data / "nli/nli_train.jsonl"
    wanted = [one for one in _INFERENCE_SOURCES if one in sources]
    if "entailmentbank" in sources:
        wanted.append(_DROPPED)
    found = list(inferences(nli, wanted)) if wanted else []
    if "made" in sources:
        found += made_examples(data, seed)
    if "ecare" in sources:
        found += chosen_causes(data / "ecare/train.jsonl")
    if "copa" in sources:
        found += copa(data / "copa/copa-test.xml")
    if "aer" in sources:
        found += events_of_topics(data / "aer/train_questions.jsonl", held_out=False)
    near = Likeness().nearest
    if "xquad" in sources:
        reader = SentenceReader()
        found += questions(data / "xquad/xquad.en.json", partial(sentences_in, reader), near, held_out=False)
    if "entailmentbank" in sources:
        measured = frozenset(
            one.pairs[0][1] for one in inferences(data / "nli/nli_test.jsonl", ("entailmentbank", _DROPPED))
        )
        found += trees(data / "entailmentbank/dev.jsonl", measured, near)
    if "pubmedqa" in sources:
        found += abstracts(data / "pubmedqa/ori_pqal.json", data / "pubmedqa/test_ground_truth.json")
    return found


def sentences_in(reader: SentenceReader, text: str) -> list[str]:
    """The texts of the sentences of a text."""
    return [sentence.text for sentence in reader.read(text)]


def made_examples(data: Path, seed: int) -> list[JudgeExample]:
    """Pairs of premise and hypothesis made by rule, as many of each label."""
    draw = random.Random(seed)
    parser = packaged_parser()
    causes = list(chosen_causes(data / "ecare/train.jsonl"))
    told = sorted({text for one in causes for pair in one.pairs for text in pair})
    texts = draw.sample(told, min(_MADE_FROM, len(told)))
    blank = spacy.blank("en").vocab
    treebank = [
        doc.text for doc in read_treebank(data / "ud_ewt/en_ewt-ud-train.rebuilt.conllu", blank, entities=False)
    ]
    texts += draw.sample(treebank, min(_MADE_FROM, len(treebank)))
    sentences: list[Span] = [sentence for doc in parser.pipe(texts) for sentence in doc.sents]
    made = [
        JudgeExample(
            Task.ENTAILMENT, "made", ((one.premise, one.hypothesis),), (CLASSES.index(one.label),), one.premise
        )
        for one in made_pairs(sentences, draw)
    ]
    following = [
        JudgeExample(
            Task.ENTAILMENT, "made", (one.pairs[draw.randrange(2)],), (CLASSES.index(NEUTRAL),), one.pairs[0][0]
        )
        for one in draw.sample(causes, _FOLLOWING)
    ]
    draw.shuffle(made)
    by_label = [[one for one in (*following, *made) if one.gold[0] == place] for place in range(len(CLASSES))]
    return [one for some in by_label for one in some[: _MADE // len(CLASSES)]]


def trained(
    examples: Sequence[JudgeExample], trunks: Sequence[str], *, epochs: int, seed: int
) -> dict[str, NDArray[Any]]:
    """The tensors of these trunks, each trained in a process of its own on one thread: more would wait."""
    tensors: dict[str, NDArray[Any]] = {}
    with ProcessPoolExecutor(len(trunks), multiprocessing.get_context("spawn")) as pool:
        learning = {
            trunk: pool.submit(
                train, trunk, [one for one in examples if one.task in TRUNKS[trunk]], epochs=epochs, seed=seed
            )
            for trunk in trunks
        }
        for trunk, one in learning.items():
            tensors |= {f"{trunk}.{name}": values for name, values in one.result().items()}
    return tensors


def train(trunk: str, examples: Sequence[JudgeExample], *, epochs: int, seed: int) -> dict[str, NDArray[np.float16]]:
    """What a trunk and its heads learned after the last epoch; the log goes to standard output."""
    torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    tokenizer = load_tokenizer(WEIGHTS / PACKAGED / "tokenizer.json", PACKAGED)
    groups, again = [], []
    for one in examples:
        ids = [tokenizer.encode(*pair).ids for pair in one.pairs]
        if max(map(len, ids)) < _LONGEST:
            groups.append(EncodedGroup(one.task, [marked(one.task, tokens) for tokens in ids], one.gold))
            if one.source not in _ONCE:
                again.append(groups[-1])
    net = JudgeNet(WEIGHTS / PACKAGED / "model.onnx", _RANK, TRUNKS[trunk])
    seen = [again] * (epochs - 1) + [groups]
    steps = sum(1 for some in seen for _ in batches(some, random.Random(seed)))
    print(f"{trunk}: {len(groups)} groups, {steps} steps", flush=True)
    if groups:
        schedule = Schedule(epochs, steps, min(_WARM_UP, -(-steps // 10)), _TRUNK_RATE, _HEAD_RATE, _LAST_RATE)
        in_turn = iter(seen)
        fit(net, net.loss, lambda draw: batches(next(in_turn), draw), schedule, random.Random(seed), f"{trunk}: ")
    return net.tensors()


def batches(groups: Sequence[EncodedGroup], draw: random.Random) -> Iterator[list[EncodedGroup]]:
    """All groups once, in random batches of one task and of about the same length, each of about as many tokens."""
    drawn_batches: list[list[EncodedGroup]] = []
    for task in Task:
        order = [group for group in groups if group.task is task]
        draw.shuffle(order)
        for start in range(0, len(order), 512):
            near = sorted(order[start : start + 512], key=lambda group: max(map(len, group.ids)))
            gathered: list[EncodedGroup] = []
            for group in near:
                size = (sum(len(one.ids) for one in gathered) + len(group.ids)) * max(map(len, group.ids))
                if gathered and size > _TOKENS:
                    drawn_batches.append(gathered)
                    gathered = []
                gathered.append(group)
            drawn_batches.append(gathered)
    draw.shuffle(drawn_batches)
    yield from drawn_batches


def calibrated(judges: Judges, held_out: Sequence[JudgeExample]) -> tuple[dict[str, Sequence[float]], dict[str, float]]:
    """Calibration of each task, and how good it is on the examples that it is made from.

    A task stays uncalibrated where they are not both right and wrong.
    """
    calibration: dict[str, Sequence[float]] = dict(_UNCALIBRATED)
    figures: dict[str, float] = {}
    for task in Task:
        examples = [one for one in held_out if one.task is task and _fits(judges, one)]
        pairs = [pair for one in examples for pair in one.pairs]
        gold = np.array([value for one in examples for value in one.gold])
        if len(set(gold)) < 2:
            continue
        scores = judges.scores(task, pairs)
        name = CALIBRATION + task
        if task is Task.ENTAILMENT:
            calibration[name] = [_temperature(scores, gold)]
            figures |= {f"{task}_pairs": len(gold), f"{task}_accuracy": float((scores.argmax(1) == gold).mean())}
        else:
            if task is Task.RELEVANCE:
                ids = [judges.token_ids(task, *pair) for pair in pairs]
                scores = np.column_stack([scores, Likeness().told(pairs, ids)])
            fitted = LogisticRegression(C=1e4).fit(scores, gold)
            calibration[name] = [*map(float, fitted.coef_[0]), float(fitted.intercept_[0])]
            told = fitted.decision_function(scores)
            figures |= {f"{task}_pairs": len(gold), f"{task}_auroc": float(roc_auc_score(gold, told))}
    return calibration, figures


def _fits(judges: Judges, example: JudgeExample) -> bool:
    return all(len(judges.token_ids(example.task, *pair)) <= _LONGEST for pair in example.pairs)


def _temperature(scores: NDArray[np.float32], gold: NDArray[np.int_]) -> float:
    """The temperature with the least cross entropy (Guo et al. 2017)."""

    def entropy(logarithm: float) -> float:
        warm = scores / np.exp(logarithm)
        told = warm - np.logaddexp.reduce(warm, axis=1, keepdims=True)
        return float(-told[np.arange(len(gold)), gold].mean())

    return float(np.exp(minimize_scalar(entropy, bounds=(-2, 2), method="bounded").x))


if __name__ == "__main__":
    main()
