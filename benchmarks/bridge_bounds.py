"""What set the bounds and weights of bridges: recall with one of them changed at a time.

    python -m benchmarks.bridge_bounds [--data ../shared/data]

Of the passages that support the answer of a question, the share among the five that come first, on the questions that
set the table `bridges` of reasoning/thresholds.toml: those at even places of HotpotQA and MuSiQue, and of XQuAD's even
articles. `python -m benchmarks.multihop` has the questions that set nothing.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from benchmarks.bootstrap import SEED
from benchmarks.multihop import BEST, ClosedLibrary, asked_sets, recall
from benchmarks.results import write_result
from evaluation.intervals import mean_of
from models.encoder import PACKAGED, load_encoder
from models.onnx_encoder import OnnxEncoder
from reasoning.bridges import walk
from reasoning.thresholds import thresholds

_READ: Final = 20
_TUNED: Final = (", even places", ", even articles")
_CHANGED: Final[Mapping[str, Mapping[str, float]]] = {
    "as they are": {},
    "2 passages, 6 names": {"starts": 2, "names": 6},
    "3 passages, 6 names": {"starts": 3, "names": 6},
    "4 passages, 12 names": {"starts": 4, "names": 12},
    "no names": {"names": 0},
    "no names, no weight of words": {"names": 0, "words_weight": 0.0},
    "no names, weight of words 0.4": {"names": 0, "words_weight": 0.4},
    "cost of the step 0.05": {"step_cost": 0.05},
    "cost of the step 0.07": {"step_cost": 0.07},
    "share of the second passage 0.5": {"onward": 0.5},
    "share of the second passage 0.7": {"onward": 0.7},
}
"""What is changed in each row."""


def main() -> None:
    """Measures all and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments = parser.parse_args()
    encoder = load_encoder(PACKAGED, 1)
    assert isinstance(encoder, OnnxEncoder)
    figures: dict[str, list[str]] = {name: [] for name in _CHANGED}
    columns = []
    for some in asked_sets(arguments.data):
        (places,) = (places for part, places in some.parts.items() if part in _TUNED)
        columns.append(f"{some.title}, {len(places)} questions")
        library = ClosedLibrary(some.retrieval.passages, encoder)
        asked = [some.retrieval.questions[place] for place in places]
        for name, change in _CHANGED.items():
            bounds = thresholds().bridges.model_copy(update=change)
            orders = [[int(hit.id) for hit in walk(question, library, _READ, bounds)[0]] for question, _ in asked]
            told = [recall(order, helping) for order, (_, helping) in zip(orders, asked, strict=True)]
            figures[name].append(str(mean_of(told)))
            print(columns[-1], name, figures[name][-1], sep=" | ", flush=True)
    write_result(
        "bridge_bounds",
        command="python -m benchmarks.bridge_bounds",
        data="questions at even places of HotpotQA and MuSiQue and of XQuAD's even articles, which set these figures",
        baseline="the figures as they are in use",
        columns=[f"{name}, recall at {BEST}" for name in columns],
        figures=figures,
        seed=SEED,
    )


if __name__ == "__main__":
    main()
