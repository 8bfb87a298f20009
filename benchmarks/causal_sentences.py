"""AltLex, Causal-TimeBank and SemEval-2010 task 8, test parts: is the sentence causal?

    python -m benchmarks.causal_sentences [--data ../shared/data]

Each corpus has its own notion of a causal sentence. Nothing that is scored here was trained on any of them; the
published figures are of BERT-base trained on each by itself (UniCausal: Tan et al. 2023). Rows of one sentence are one
item, which is causal when any of them is. Intervals are 95 % ones over sentences drawn with replacement.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Final

from benchmarks.bootstrap import SEED, with_interval
from benchmarks.causal_news_corpus import SENTENCES, Claims, Heads, Reader, sentence_counts
from benchmarks.results import write_result
from training.relation_sets import unicausal

CORPORA: Final = {
    "AltLex": ("altlex", "56.4"),
    "Causal-TimeBank": ("timebank", "51.6"),
    "SemEval-2010 task 8": ("semeval", "80.6"),
}
"""Name here, name in `unicausal`, and F1 of BERT-base trained on it."""


def main() -> None:
    """Scores the rules and the heads on each corpus."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    data: Path = parser.parse_args().data
    readers: dict[str, Reader] = {"rules": Claims("rules"), "heads": Heads()}
    figures: dict[str, list[str]] = {}
    for title, (corpus, published) in CORPORA.items():
        examples = list(unicausal(data / "unicausal", corpus, "test"))
        rows = [sentence_counts(reader, examples) for reader in readers.values()]
        always = [Counter(gold=example.causal, found=1, right=example.causal) for example in examples]
        for name, score in SENTENCES.items():
            told = [with_interval(one, score) for one in (*rows, always)]
            figures[f"{title}, {len(examples)} sentences, {name}"] = [*told, published if name.endswith("F1") else "-"]
    write_result(
        "causal_sentences",
        command="python -m benchmarks.causal_sentences",
        data="test parts of AltLex, Causal-TimeBank and SemEval-2010 task 8 as UniCausal gives them",
        baseline="calling each sentence causal; BERT-base trained on each corpus by itself, F1 in percent as published",
        columns=(*readers, "always causal", "BERT-base, published"),
        figures=figures,
        seed=SEED,
    )


if __name__ == "__main__":
    main()
