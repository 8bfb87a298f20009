"""Measure an ingest of a folder: what was found, how long each stage took, and how much memory it needed.

    python -m benchmarks.ingest --data ../shared/data

In the same run every sentence of the same documents is encoded once, by itself, those that the learned heads judge
once more by their trunk, and those with a cue are parsed: the bare cost of looking at the text with encoder and parser.
The time of the ingest is given as a multiple of it. A second ingest, as a process of its own, shows the cost of finding
nothing new.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.kill_ingest import PROGRAM
from benchmarks.results import write_result
from causetrail.settings import Settings, load_settings
from extraction.causes import ClaimReader
from extraction.encoder_source import encoder_source
from extraction.loading.finding import find_files
from extraction.loading.load import Loaded, load
from extraction.parser_source import load_trees
from extraction.pipeline import ingest
from extraction.strictness import STRICTNESS
from kg.records import Document
from kg.sqlite_store import SqliteStore
from language.sentences import SentenceReader
from language.tokens import Sentence
from language.trees import Tree, TreeReader
from models.packaged_parser import PACKAGED
from models.relation_heads import RelationHeads, RelationReading


def bare_encoding(folder: Path, settings: Settings) -> tuple[int, float, float]:
    """Reads what lies below a folder by the models alone: passes of encoder and parser, wall and processor seconds.

    Sentences that the encoder cannot read whole are left out.
    """
    reader = SentenceReader()
    encoder = encoder_source(settings.encoder).load(None)
    heads, judged = RelationHeads(), Listener()
    trees = load_trees(PACKAGED)
    assert trees is not None
    parsed = ParsedSentences(trees)
    claims = ClaimReader(judged, trees=parsed, strictness=STRICTNESS[settings.strictness])
    texts: list[str] = []
    for path in find_files([folder]):
        if isinstance(path, Path):
            for item in load(path, settings, str(path)):
                if isinstance(item, Loaded):
                    sentences = reader.read(item.text)
                    texts += [sentence.text for sentence in sentences]
                    claims.read("main", Document.id_of(item.text), sentences, None, item.text)
    counts = encoder.count_tokens(texts)
    texts = [text for text, count in zip(texts, counts, strict=True) if count <= encoder.max_tokens]
    started, used = time.perf_counter(), time.process_time()
    encoder.encode_passages(texts)
    for text in judged.texts:
        heads.trunk.read(text)
    for sentence in parsed.sentences:
        trees.read(sentence)
    seconds, used = time.perf_counter() - started, time.process_time() - used
    return len(texts) + len(judged.texts) + len(parsed.sentences), seconds, used


class ParsedSentences:
    """Reads trees and keeps the sentences of which it did."""

    def __init__(self, trees: TreeReader) -> None:
        self.fingerprint = trees.fingerprint
        self.sentences: list[Sentence] = []
        self._trees = trees

    def read(self, sentence: Sentence) -> Tree:
        """The tree of the sentence."""
        self.sentences.append(sentence)
        return self._trees.read(sentence)


class Listener:
    """Heads that find nothing and keep what they were asked to read."""

    fingerprint = "listener"

    def __init__(self) -> None:
        self.texts: list[str] = []

    def read(self, text: str, words: Sequence[tuple[int, int]]) -> RelationReading | None:
        """Keeps the text."""
        self.texts.append(text)
        return None


def second_ingest(store: Path, folder: Path) -> float:
    """Seconds of an ingest that finds nothing new, from the start of its process to its end."""
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", PROGRAM, str(store), "1", str(folder)],
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=Path(__file__).parents[1],
    )
    return time.perf_counter() - started


def main() -> None:
    """Run all and store the result."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--folder", type=Path, help="folder to ingest; the reports of the data when not given")
    arguments.add_argument("--jobs", type=int, default=1)
    given = arguments.parse_args()
    folder: Path = (given.folder or given.data / "reports").resolve()
    settings = load_settings(jobs=given.jobs, parser=PACKAGED)
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "trail.db"
        with SqliteStore(path, wait_seconds=60, lease_seconds=30) as store:
            used = time.process_time()
            report = ingest([folder], store, encoder_source(settings.encoder), settings, base=folder)
            used = time.process_time() - used
            across = sum(1 for _ in store.merges(settings.collection, across_documents=True))
        size = path.stat().st_size
        second = second_ingest(path, folder)
    sentences, seconds, bare_used = bare_encoding(folder, settings)
    total = report.seconds["total"]
    write_result(
        "ingest" if given.folder is None else f"ingest_{folder.name}",
        command=" ".join(["python -m benchmarks.ingest", *sys.argv[1:]]),
        data=f"{report.added} documents of {folder.name}",
        baseline="every sentence encoded once by itself, those that the heads judge once more, and those with a cue "
        "parsed, in the same run",
        figures={
            "documents": report.added,
            "failed": report.failed,
            "not english": report.not_english,
            "sentences": report.sentences,
            "sentences per claim": round(report.sentences / max(1, report.claims), 2),
            "passages": report.passages,
            "mentions": report.mentions,
            "claims": report.claims,
            "rejected": sum(report.rejected.values()),
            "events": report.events,
            "events over two or more documents": across,
            "edges": report.edges,
            "jobs": given.jobs,
            "seconds": round(total, 2),
            "sentences per second": round(report.sentences_per_second, 1),
            "seconds of the bare passes": round(seconds, 2),
            "bare passes": sentences,
            "multiple of the bare passes": round(total / seconds, 2),
            "processor seconds, main process": round(used, 2),
            "processor seconds of the bare passes": round(bare_used, 2),
            "multiple in processor seconds": round(used / bare_used, 2),
            "seconds of a second ingest, cold": round(second, 2),
            "peak memory, MB": round(report.peak_memory / 1e6, 1),
            "peak memory of a worker, MB": round(report.peak_worker_memory / 1e6, 1),
            "store, MB": round(size / 1e6, 1),
        },
        rows=[
            {"rejected": dict(report.rejected)},
            {"seconds": dict(report.seconds)},
            *({"failure": failure.model_dump()} for failure in report.failures),
        ],
    )


if __name__ == "__main__":
    main()
