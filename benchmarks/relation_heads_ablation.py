"""What each part of reading relations adds: rules and heads left out once, and each training corpus of the heads.

    python -m training.relation_heads --corpora cnc --output .cache/relation_heads/cnc
    python -m training.relation_heads --corpora because --output .cache/relation_heads/because
    python -m benchmarks.relation_heads_ablation [--data ../shared/data] [--heads .cache/relation_heads]

The packaged heads are trained on the Causal News Corpus and BECauSE. Scored is the dev part of the former, as in
benchmarks/causal_news_corpus.py: "claims" are what the program takes as claims, by the rules alone, by the heads alone
and by the vote of both that the setting `balanced` takes; the other columns are what heads say themselves. Heads
without the Causal News Corpus decide by the sentence head of BECauSE and are uncalibrated, for what the others are
calibrated on is a part of that corpus. They have 406 sentences and, in as many epochs, about two hundred steps: their
column shows what so few can teach, not what the annotation of BECauSE is worth.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from benchmarks.bootstrap import SEED
from benchmarks.causal_news_corpus import Claims, Heads, Reader, scored, unseen
from benchmarks.results import write_result


def main() -> None:
    """Scores each way of reading and writes the result beside this file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument(
        "--heads", type=Path, default=Path(".cache/relation_heads"), help="folder of the heads that are not packaged"
    )
    arguments = parser.parse_args()
    examples = unseen(arguments.data, "dev")
    readers: dict[str, Reader] = {
        "rules, claims": Claims("rules"),
        "heads, claims": Claims("heads"),
        "both, claims": Claims("balanced"),
        "heads": Heads(),
        "heads without BECauSE": Heads(arguments.heads / "cnc"),
        "heads without CNC": Heads(arguments.heads / "because", "because"),
    }
    write_result(
        "relation_heads_ablation",
        command="python -m benchmarks.relation_heads_ablation",
        data=f"Causal News Corpus V2 dev (CC0), {len(examples)} sentences, those also in train left out, "
        f"{sum(len(one.relations) for one in examples)} relations; each training is one run, seed 0",
        baseline="the column heads: the packaged ones",
        columns=tuple(readers),
        figures=scored(readers.values(), examples),
        seed=SEED,
    )


if __name__ == "__main__":
    main()
