"""Makes the packaged coreference head: what tells whether two mentions are of one event.

    python -m training.event_coreference

trains changes of the packaged encoder and the head on it together, on the training topics of ECB+ and, when told so, on
GUM, chooses the threshold of clustering on the development topics of ECB+, and writes the folder that models/ packages,
with its card. On one core that takes about a quarter of an hour; a GPU is used when there is one.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from benchmarks.coreference_scores import Cluster, conll, counts_of
from language.sentences import SentenceReader
from models.encoder import PACKAGED
from models.event_coreference import NAME, EventCoreference
from models.onnx_session import load_tokenizer
from models.packaged_parser import packaged_parser
from models.weights_card import WEIGHTS, sha256_of
from training.cards import write_head
from training.coreference_sets import (
    DEVELOPMENT,
    GUM,
    GoldDocuments,
    GoldMention,
    head_words,
    read_ecb_plus,
    read_gum,
    tellings_of,
)
from training.ecb_plus import ECB_PLUS, TEST
from training.event_clusters import all_probabilities, clusters_of
from training.event_net import EventNet, Read, read_tokens
from training.fitting import Schedule, fit

SHARED_DATA: Final = Path("../shared/data")
SOURCES: Final = {"ecb": ECB_PLUS, "gum": GUM}
DEFAULT: Final = ("ecb",)
LICENCES: Final = {"ecb": "CC BY 3.0", "gum": "CC BY (the genres of GUM that are)"}
_TEXTS, _STRANGERS = 12, 4
"""Texts of a batch from one topic, and from others, which teach that topics are kept apart."""
_TRUNK_RATE, _HEAD_RATE = 1e-3, 2e-3
_LAST_RATE: Final = 0.05
_MOST_TOKENS: Final = 512
_THRESHOLDS: Final = tuple(round(step * 0.02, 2) for step in range(1, 50))


def main() -> None:
    """Trains, chooses the threshold, and writes weights and card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=SHARED_DATA, help="folder of the labelled sets")
    parser.add_argument("--sources", nargs="+", choices=tuple(SOURCES), default=DEFAULT, help="trained on")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--topics", type=int, help="train on so many topics and documents only, to try it")
    parser.add_argument("--output", type=Path, default=WEIGHTS / NAME, help="folder that is written")
    arguments = parser.parse_args()
    torch.set_default_device("cuda" if torch.cuda.is_available() else "cpu")
    reader = SentenceReader(packaged_parser())
    ecb = read_ecb_plus(arguments.data / ECB_PLUS)
    topics = {mention.topic for mention in ecb.mentions}
    development = ecb.of_topics(DEVELOPMENT)
    groups: list[list[Read]] = []
    if "ecb" in arguments.sources:
        groups.extend(grouped(ecb.of_topics(frozenset(topics - DEVELOPMENT - TEST)), reader))
    if "gum" in arguments.sources:
        groups.extend(grouped(read_gum(arguments.data / GUM), reader))
    groups = groups[: arguments.topics]
    net = train(groups, epochs=arguments.epochs, seed=arguments.seed)
    card: dict[str, Any] = {
        "model": NAME,
        "command": " ".join(["python -m training.event_coreference --sources", *arguments.sources]),
        "licence": "Apache-2.0",
        "trunk": PACKAGED,
        "trained_on": {SOURCES[one]: sha256_of(arguments.data / SOURCES[one]) for one in arguments.sources},
        "licences_of_data": {one: LICENCES[one] for one in arguments.sources},
        "mentions": sum(map(len, groups)),
        "epochs": arguments.epochs,
        "seed": arguments.seed,
        "threshold": 0.5,
    }
    write_head(arguments.output, net.tensors(), card)
    probabilities = all_probabilities(
        EventCoreference(arguments.output), tellings_of(development, head_words(development, reader))
    )
    scores = {threshold: score_at(probabilities, development, threshold) for threshold in _THRESHOLDS}
    best = max(scores, key=lambda threshold: (scores[threshold], -threshold))
    figures = {"topics": len(DEVELOPMENT), "mentions": len(development.mentions), "conll": round(scores[best], 4)}
    write_head(arguments.output, net.tensors(), {**card, "threshold": best, "on_development": figures})
    print(json.dumps({"threshold": best, **figures}, indent=1))


def grouped(gold: GoldDocuments, reader: SentenceReader) -> list[list[Read]]:
    """The mentions of each topic in tokens, without those whose text has more than the encoder reads."""
    tokenizer = load_tokenizer(WEIGHTS / PACKAGED / "tokenizer.json", PACKAGED)
    topics: dict[str, list[Read]] = defaultdict(list)
    for mention, telling in zip(gold.mentions, tellings_of(gold, head_words(gold, reader)), strict=True):
        encoding = tokenizer.encode(telling.text)
        if len(encoding.ids) <= _MOST_TOKENS:
            topics[mention.topic].append(read_tokens(telling, mention.chain, encoding.ids, encoding.offsets))
    return [topics[topic] for topic in sorted(topics) if len(topics[topic]) > 1]


def train(groups: Sequence[Sequence[Read]], *, epochs: int, seed: int) -> EventNet:
    """The net after the last epoch; the log goes to standard output."""
    torch.manual_seed(seed)
    net = EventNet(WEIGHTS / PACKAGED / "model.onnx")
    steps = epochs * sum(1 for _ in batches(groups, random.Random(seed)))
    schedule = Schedule(epochs, steps, -(-steps // 10), _TRUNK_RATE, _HEAD_RATE, _LAST_RATE)
    fit(net, net.loss, partial(batches, groups), schedule, random.Random(seed))
    return net


def batches(groups: Sequence[Sequence[Read]], draw: random.Random) -> Iterator[list[Read]]:
    """All mentions once in batches of one topic each, with some mentions of other topics beside them."""
    texts = [_by_text(group) for group in groups]
    every = [mentions for group in texts for mentions in group]
    drawn: list[list[Read]] = []
    for group in texts:
        order = draw.sample(group, len(group))
        for first in range(0, len(order), _TEXTS):
            chosen = order[first : first + _TEXTS]
            strangers = draw.sample(every, min(_STRANGERS, len(every)))
            chosen.extend(stranger for stranger in strangers if stranger not in chosen)
            drawn.append([mention for mentions in chosen for mention in mentions])
    draw.shuffle(drawn)
    yield from (batch for batch in drawn if len(batch) > 1)


def _by_text(group: Sequence[Read]) -> list[list[Read]]:
    texts: dict[str, list[Read]] = defaultdict(list)
    for mention in group:
        texts[mention.telling.text].append(mention)
    return list(texts.values())


def score_at(probabilities: NDArray[np.float32], gold: GoldDocuments, threshold: float) -> float:
    """CoNLL score of the clusters at a threshold, with gold mentions."""
    found = clusters_of(probabilities, threshold)
    return conll(counts_of(gold_clusters(gold.mentions), [frozenset(cluster) for cluster in found]))


def gold_clusters(mentions: Sequence[GoldMention]) -> list[Cluster]:
    """Places of the mentions of each chain."""
    chains: dict[str, set[int]] = defaultdict(set)
    for place, mention in enumerate(mentions):
        chains[mention.chain].add(place)
    return [frozenset(chain) for chain in chains.values()]


if __name__ == "__main__":
    main()
