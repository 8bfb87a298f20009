"""Trains the premise generator: an adapter (LoRA) of SmolLM2-135M-Instruct that names missing general statements.

    python -m training.premise_generator --data ../shared/data

SmolLM2 is read from the packaged GGUF file and unpacked, so that the changes are learned over the weights that they
will be added to. It learns to answer the prompts of `models.premise_generator`, and is told the loss of the answers'
tokens alone. What is held out: e-CARE's explanations by a digest of their words, all texts of e-CARE dev, and
EntailmentBank's test part; nothing is learned from that shares a cause, an effect, a conclusion or an answer with
them.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from models.gguf_model import ADAPTER_FILE, BASE, packaged_gguf
from models.premise_generator import NAME, OF_CONCLUSION, OF_EFFECT
from models.premise_schema import PremiseAnswer
from models.prompts import load_prompt
from models.restatements import restates
from models.weights_card import WEIGHTS, sha256_of
from training.adapter_file import write_adapter
from training.cards import write_card
from training.fitting import Schedule, fit
from training.low_rank_llama import AskedText, Change, LowRankLlama
from training.premise_sets import (
    ECARE,
    ENTAILMENTBANK,
    PremiseExample,
    apart_from,
    choice_texts,
    explanations,
    is_held_out,
    lacking_steps,
)
from training.relation_heads import SHARED_DATA

EXPLANATIONS: Final = "ecare/train_explanations.jsonl"
CHOICES: Final = "ecare/dev.jsonl"
STEPS: Final = "entailmentbank/dev.jsonl"
STEPS_HELD_OUT: Final = "entailmentbank/test.jsonl"
LICENCES: Final = {ECARE: "MIT", ENTAILMENTBANK: "Apache-2.0"}
MODULES: Final = ("self_attn.v_proj", "self_attn.o_proj", "mlp.down_proj")
"""The parts of a layer that are changed."""
FIRST: Final = 15
"""The first layer that is changed: the half below is only read, so nothing is computed back through it."""
_RANK: Final = 4
_RATE: Final = 2e-3
_WARM_UP: Final = 20
_LAST_RATE: Final = 0.02
_BATCH: Final = 16
_NEAR: Final = 32 * _BATCH
"""Texts that are put in the order of their lengths, so that those of a batch are about as long."""
_BEGINNING: Final = 24
"""Tokens by which prompts are told apart."""
_LONGEST: Final = 320
"""Most tokens of prompt and answer together."""
_MEASURED: Final = 100
"""Held-out examples of each set that the losses on the card are of."""


def main() -> None:
    """Trains, and writes adapter and card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED_DATA, help="folder of the labelled sets")
    parser.add_argument("--explanations", type=int, default=3_000, help="most examples of e-CARE that are learned from")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=WEIGHTS / NAME, help="folder that is written")
    arguments = parser.parse_args()
    learned, kept = training_set(arguments.data, arguments.explanations, arguments.seed)
    torch.set_num_threads(1)
    torch.manual_seed(arguments.seed)
    net = LowRankLlama(packaged_gguf(), MODULES, _RANK, FIRST)
    measured = {source: encoded(net, kept[source][:_MEASURED]) for source in kept}
    before = {f"{source}_loss_untrained": mean_loss(net, texts) for source, texts in measured.items()}
    train(net, encoded(net, learned), arguments.epochs, arguments.seed)
    after = {f"{source}_loss": mean_loss(net, texts) for source, texts in measured.items()}
    files = (EXPLANATIONS, CHOICES, STEPS, STEPS_HELD_OUT)
    card: dict[str, Any] = {
        "model": NAME,
        "command": "python -m training.premise_generator",
        "licence": "Apache-2.0",
        "base": packaged_gguf().name,
        BASE: sha256_of(packaged_gguf()),
        "prompts": [load_prompt(name).fingerprint for name in (OF_EFFECT, OF_CONCLUSION)],
        "trained_on": {name: sha256_of(arguments.data / name) for name in (EXPLANATIONS, STEPS)},
        "held_out_from": {name: sha256_of(arguments.data / name) for name in files if name != STEPS},
        "licences_of_data": LICENCES,
        "examples": dict(Counter(one.source for one in learned)),
        "held_out": {source: len(examples) for source, examples in kept.items()},
        "changes": {"modules": MODULES, "rank": _RANK, "first_layer": FIRST},
        "epochs": arguments.epochs,
        "seed": arguments.seed,
        "on_held_out": before | after,
    }
    write_folder(arguments.output, net.changes(), net.head_size, card)
    print(json.dumps(before | after, indent=1))


def training_set(data: Path, most: int, seed: int) -> tuple[list[PremiseExample], dict[str, list[PremiseExample]]]:
    """What is learned from, and by source what is held out, each in an order of its own that the seed decides.

    Args:
        data: Folder of the labelled sets.
        most: Most examples of e-CARE that are learned from.
        seed: Decides which.
    """
    draw = random.Random(seed)
    told = list(dict.fromkeys(explanations(data / EXPLANATIONS)))
    draw.shuffle(told)
    choices = choice_texts(data / CHOICES)
    kept = apart_from([one for one in told if is_held_out(one)], (), choices)
    first = apart_from([one for one in told if not is_held_out(one)], kept, choices)
    steps = list(lacking_steps(data / STEPS))
    tested = list(lacking_steps(data / STEPS_HELD_OUT))
    draw.shuffle(tested)
    second = apart_from(steps, tested)
    # A premise that repeats the conclusion would teach to beg the question.
    learned = [one for one in (*first[:most], *second) if not restates(one.answer, one.given)]
    return learned, {ECARE: kept, ENTAILMENTBANK: tested}


def encoded(net: LowRankLlama, examples: Sequence[PremiseExample]) -> list[AskedText]:
    """The examples in tokens, without those that are too long to learn from."""
    texts = []
    for one in examples:
        messages = load_prompt(one.prompt).messages(given=one.shown)
        answer = PremiseAnswer(premise=one.answer).model_dump_json()
        text = net.asked([(message.role, message.text) for message in messages], answer)
        if len(text.ids) <= _LONGEST:
            texts.append(text)
    return texts


def train(net: LowRankLlama, texts: Sequence[AskedText], epochs: int, seed: int) -> None:
    """Trains the changes in place; the log goes to standard output."""
    steps = epochs * sum(1 for _ in batches(texts, random.Random(seed)))
    print(f"{len(texts)} examples, {steps} steps", flush=True)
    schedule = Schedule(epochs, steps, min(_WARM_UP, -(-steps // 10)), _RATE, _RATE, _LAST_RATE)
    fit(net, net.loss, partial(batches, texts), schedule, random.Random(seed))


def batches(texts: Sequence[AskedText], draw: random.Random) -> Iterator[list[AskedText]]:
    """All texts once, in random batches of texts that begin alike and are of about the same length."""
    order = list(texts)
    draw.shuffle(order)
    alike: dict[tuple[int, ...], list[AskedText]] = {}
    for text in order:
        alike.setdefault(tuple(text.ids[:_BEGINNING]), []).append(text)
    drawn: list[list[AskedText]] = []
    for some in alike.values():
        for start in range(0, len(some), _NEAR):
            near = sorted(some[start : start + _NEAR], key=lambda text: len(text.ids))
            drawn += [near[place : place + _BATCH] for place in range(0, len(near), _BATCH)]
    draw.shuffle(drawn)
    yield from drawn


def mean_loss(net: LowRankLlama, texts: Sequence[AskedText]) -> float:
    """Mean cross entropy of the answers' tokens over all texts, in nats."""
    total, count = 0.0, 0
    net.eval()
    with torch.no_grad():
        for batch in batches(texts, random.Random(0)):
            tokens = sum(len(text.ids) - text.answer for text in batch)
            total += float(net.loss(batch)) * tokens
            count += tokens
    return total / max(count, 1)


def write_folder(folder: Path, changes: dict[str, Change], head_size: int, card: dict[str, Any]) -> None:
    """Writes the folder of an adapter: its file, and the card.

    Raises:
        ValueError: a change is not finite.
    """
    if not all(np.isfinite(matrix).all() for change in changes.values() for matrix in change):
        raise ValueError("a change is not finite")
    folder.mkdir(parents=True, exist_ok=True)
    write_adapter(folder / ADAPTER_FILE, changes, head_size)
    write_card(folder, card)


if __name__ == "__main__":
    main()
