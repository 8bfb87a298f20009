"""AltLex, Causal-TimeBank and SemEval-2010 task 8, test parts: is the sentence causal?

    python -m training.causal_sentences
    python -m benchmarks.causal_sentences [--data ../shared/data] [--heads .cache/causal_sentences]

Each corpus has its own notion of a causal sentence. Nothing that the columns "rules" and "heads" score was trained on
any of them: these are what is shipped. The other two were trained on their training parts: SemEval alone, whose licence
would permit to ship them, and for research all three, with one output for each. The published figures are of BERT-base
trained on each by itself (UniCausal: Tan et al. 2023). Rows of one sentence are one item, which is causal when any of
them is. Intervals are 95 % ones over sentences drawn with replacement.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

from benchmarks.bootstrap import SEED, with_interval
from benchmarks.causal_news_corpus import SENTENCES, Claims, Heads, Reader, sentence_counts
from benchmarks.results import write_result
from training.causal_sentence_net import CausalSentenceHeads
from training.relation_sets import unicausal
from training.sentence_states import SentenceStates

CORPORA: Final = {
    "AltLex": ("altlex", "56.4"),
    "Causal-TimeBank": ("timebank", "51.6"),
    "SemEval-2010 task 8": ("semeval", "80.6"),
}
"""Name here, name in `unicausal`, and F1 of BERT-base trained on it."""
TRAINED: Final = {"trained on SemEval, not packaged": "permitted", "trained on all three, research": "research"}
"""Columns, and the folders of the heads that they score."""


def main() -> None:
    """Scores rules, packaged heads and heads that were trained on the corpora."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument(
        "--heads", type=Path, default=Path(".cache/causal_sentences"), help="folder of the trained heads"
    )
    arguments = parser.parse_args()
    readers: dict[str, Reader] = {"rules": Claims("rules"), "heads": Heads()}
    trained = [CausalSentenceHeads(arguments.heads / folder) for folder in TRAINED.values()]
    states = SentenceStates()
    figures: dict[str, list[str]] = {}
    for title, (corpus, published) in CORPORA.items():
        examples = list(unicausal(arguments.data / "unicausal", corpus, "test"))
        read = [states.read(example.text) for example in examples]
        rows = [
            *(
                sentence_counts([reader.is_causal(one.text) for one in examples], examples)
                for reader in readers.values()
            ),
            *(
                sentence_counts(heads.are_causal(read, corpus), examples) if corpus in heads.corpora else None
                for heads in trained
            ),
            sentence_counts([True] * len(examples), examples),
        ]
        for name, score in SENTENCES.items():
            told = [with_interval(one, score) if one else "-" for one in rows]
            figures[f"{title}, {len(examples)} sentences, {name}"] = [*told, published if name.endswith("F1") else "-"]
    write_result(
        "causal_sentences",
        command="python -m benchmarks.causal_sentences",
        data="test parts of AltLex, Causal-TimeBank and SemEval-2010 task 8 as UniCausal gives them",
        baseline="calling each sentence causal; BERT-base trained on each corpus by itself, F1 in percent as published",
        columns=(*readers, *TRAINED, "always causal", "BERT-base, published"),
        figures=figures,
        seed=SEED,
    )


if __name__ == "__main__":
    main()
