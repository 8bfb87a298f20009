"""How fast the judges are beside the bare forward pass of their encoder, how soon they answer, and how much they take.

    python -m benchmarks.judge_speed

Both judge the same pairs, of the same length in tokens, on the same number of threads, in turn; the bare pass gets them
in batches, as a server would. Starting and memory are measured in a process of their own.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.results import write_result
from models.encoder import PACKAGED
from models.judges import Judges, Task
from models.onnx_session import LAST, load_session
from models.weights_card import WEIGHTS

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

_LENGTHS: Final = {32: 64, 64: 48, 128: 24, 256: 12}
"""Pairs of each length in tokens."""
_BATCH: Final = 8
_ROUNDS: Final = 7
_WORDS: Final = ("river", "rose", "water", "ran", "over", "bridge", "town", "night", "people", "slept", "there")
_FIRST_CALL: Final = """
import resource, time
begun = time.perf_counter()
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
from models.judges import Judges
judges = Judges()
pair = ("The pump failed.", "The cellar was flooded.")
judges.causes([pair])
first = time.perf_counter() - begun
judges.inferences([pair]), judges.sufficiency([pair]), judges.relevance(*pair[:1], [pair[1] + " It rained." * 80])
print(first, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def main() -> None:
    """Measures in turn and stores ratios with their spread."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    judges = Judges()
    session = load_session(WEIGHTS / PACKAGED / "model.onnx", PACKAGED)
    figures: dict[str, str] = {}
    for length, count in _LENGTHS.items():
        pairs = [_pair(judges, length, turn) for turn in range(count)]
        ids = np.array([judges.token_ids(Task.CAUSE, *pair) for pair in pairs], dtype=np.int64)
        ratios, rates = [], []
        for _ in range(_ROUNDS):
            bare = _seconds(partial(_bare, session, ids))
            judged = _seconds(partial(judges.causes, pairs))
            ratios.append(bare / judged)
            rates.append(count / judged)
        told = f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
        figures[f"pairs of {ids.shape[1]} tokens, share of the speed of the bare pass"] = told
        figures[f"pairs of {ids.shape[1]} tokens, pairs a second"] = f"{statistics.median(rates):.0f}"
    seconds, megabytes = _first_call()
    figures["first answer after the start of the process, seconds"] = f"{seconds:.2f}"
    figures["peak memory of a process with all judges, MB"] = f"{megabytes:.0f}"
    write_result(
        "judge_speed",
        command="python -m benchmarks.judge_speed",
        data=f"made-up pairs of four lengths, one thread; medians of {_ROUNDS} rounds, least and most in brackets",
        baseline=f"the packaged encoder's forward pass over the same tokens in batches of {_BATCH}",
        figures=figures,
    )


def _pair(judges: Judges, length: int, turn: int) -> tuple[str, str]:
    """A pair of exactly so many tokens: each of the words is one."""
    half = (length - 4) // 2
    words = [_WORDS[(turn + place) % len(_WORDS)] for place in range(length)]
    pair = " ".join(words[:half]), " ".join(words[half : length - 4])
    if len(judges.token_ids(Task.CAUSE, *pair)) != length:
        raise ValueError(f"a pair of another length than {length}")
    return pair


def _bare(session: InferenceSession, ids: NDArray[np.int64]) -> None:
    for first in range(0, len(ids), _BATCH):
        batch = ids[first : first + _BATCH]
        feed = {"input_ids": batch, "attention_mask": np.ones_like(batch), "token_type_ids": np.zeros_like(batch)}
        session.run([LAST], feed)


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _first_call() -> tuple[float, float]:
    told = [
        subprocess.run([sys.executable, "-c", _FIRST_CALL], check=True, capture_output=True, text=True, env=os.environ)
        for _ in range(3)
    ]
    rows = [tuple(map(float, one.stdout.split())) for one in told]
    return min(row[0] for row in rows), max(row[1] for row in rows)


if __name__ == "__main__":
    main()
