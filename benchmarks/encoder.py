"""Sentences a second of the packaged encoder, beside its fp32 original, on one thread and on all.

python -m benchmarks.encoder --fp32 FOLDER   (a folder with model.onnx and tokenizer.json; see training)
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

from benchmarks.results import write_result
from models.encoder import PACKAGED
from models.onnx_encoder import OnnxEncoder
from models.weights_card import WEIGHTS
from training.quantise_encoder import write_encoder_card

SENTENCE = (
    "The level of the river rose four metres within the hour after the release of water from gate {number} of the dam."
)
SENTENCES = 60
ROUNDS = 3


def main() -> None:
    """Measures every combination in turn, several rounds, and stores the best of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fp32", type=Path, required=True)
    arguments = parser.parse_args()
    write_encoder_card(arguments.fp32, {})
    texts = [SENTENCE.format(number=number) for number in range(SENTENCES)]
    cores = os.cpu_count() or 1
    encoders: dict[str, OnnxEncoder] = {}
    for threads in sorted({1, cores}):
        encoders[f"int8_{threads}_threads"] = OnnxEncoder(WEIGHTS / PACKAGED, threads)
        encoders[f"fp32_{threads}_threads"] = OnnxEncoder(arguments.fp32, threads)
    rates: dict[str, float] = {}
    for _ in range(ROUNDS):
        for name, encoder in encoders.items():
            start = time.perf_counter()
            encoder.encode_passages(texts)
            rates[name] = max(rates.get(name, 0.0), round(SENTENCES / (time.perf_counter() - start), 1))
    tokens = encoders["int8_1_threads"].count_tokens(texts[:1])[0]
    write_result(
        "encoder",
        command="python -m benchmarks.encoder --fp32 FOLDER",
        data=f"{SENTENCES} sentences of {tokens} tokens; sentences a second, the best of {ROUNDS} rounds",
        baseline="the fp32 graph that the packaged one was made from",
        figures=rates,
    )


if __name__ == "__main__":
    main()
