"""What each source of training brings to the event heads: MECI English dev with one source left out, or one more.

    python -m benchmarks.event_sources [--data ../shared/data]

Trains the heads of `training.event_pairs` on each choice of sources and scores them as `benchmarks.meci` does. Shipped
choices hold only sets whose weights may be shipped; research choices are for measuring only, and set their floors on
MECI train. Intervals are 95 % ones over articles drawn with replacement.
"""

from __future__ import annotations

import argparse
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.bootstrap import SEED, with_interval
from benchmarks.meci import SCORES, by_article, linked_by, read_passages
from benchmarks.results import write_result
from models.event_pairs import EventPairs
from training.cards import write_head
from training.event_examples import Reader
from training.event_pairs import RESEARCH, SHIPPED, SPANS, annotated_pairs, learn
from training.event_sets import FILES, read_corpus

LINKED: Final = ("eventstoryline", "meci", "timebank")
"""Sources with links between events; without the first, nothing that may be shipped has them."""
CHOICES: Final = {
    "shipped": SHIPPED,
    "shipped, without ecb": ("eventstoryline",),
    **{f"shipped, with {one}": (*SHIPPED, one) for one in SPANS},
    "research": RESEARCH,
    **{f"research, without {one}": tuple(name for name in RESEARCH if name != one) for one in LINKED},
}


def main() -> None:
    """Trains and scores each choice, and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments = parser.parse_args()
    passages = read_passages(arguments.data / "meci", "dev")
    reader = Reader()
    corpora = {corpus: read_corpus(arguments.data, corpus) for corpus in FILES}
    annotated = annotated_pairs(reader, corpora)
    rows = {}
    for name, choice in CHOICES.items():
        learned = learn(reader, {corpus: corpora[corpus] for corpus in choice}, annotated)
        with tempfile.TemporaryDirectory() as folder:
            write_head(Path(folder), learned.tensors, {"model": name, "heads": reader.heads.fingerprint})
            pairs = EventPairs(reader.heads.pairs, reader.heads.fingerprint, Path(folder))
        rows[name] = by_article(passages, partial(linked_by, pairs, reader))
        print(name, with_interval(rows[name], SCORES["gold mentions, F1"]), learned.figures, flush=True)
    write_result(
        "event_sources",
        command="python -m benchmarks.event_sources",
        data=f"MECI English dev (text CC BY-SA), {len(passages)} passages; trained on EventStoryLine 1.5 and ECB+ "
        "(CC BY 3.0), CNC (CC0), BECauSE (MIT); research: MECI train and Causal-TimeBank too",
        baseline="each choice of sources against its whole, `shipped` or `research`",
        columns=tuple(rows),
        figures={name: [with_interval(one, score) for one in rows.values()] for name, score in SCORES.items()},
        seed=SEED,
    )


if __name__ == "__main__":
    main()
