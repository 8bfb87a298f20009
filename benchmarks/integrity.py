"""Show on the investigation reports that the graph is a function of its documents and that damage is found.

    python -m benchmarks.integrity --data ../shared/data

1. A second ingest changes nothing. 2. Deleting a document and ingesting it again, ingesting in reverse order and
ingesting with two jobs give the same export, byte for byte. 3. `verify` finds every record exact. 4. After single
characters are altered through SQL in texts, quotes and offsets, every damaged record is named. 5. After random bytes of
the store file are altered, every answer is either the answer of the intact store or a coded error.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
import sqlite3
import tempfile
import time
from pathlib import Path

from benchmarks.results import write_result
from causetrail import Causetrail
from causetrail.errors import CausetrailError
from causetrail.settings import load_settings

SEED = 7
ROUNDS = 20
ALTERED_BYTES = 20
QUESTIONS = ("Why did the locomotive derail?", "What caused the collision?", "Why did the engine shut down?")
TEXT_COLUMNS = (("document_text", "text"), ("claim", "quote"), ("mention", "text"))


def fingerprint(trail: Causetrail) -> str:
    """SHA-256 of the canonical export."""
    digest = hashlib.sha256()
    for line in trail.export("jsonl"):
        digest.update(line.encode("utf-8"))
    return digest.hexdigest()


def same_exports(reports: Path, folder: Path) -> dict[str, object]:
    """Ingest the reports in four ways; the store of the first way stays in `folder/a.db`."""
    figures: dict[str, object] = {}
    with Causetrail(f"sqlite:///{folder}/a.db") as trail:
        trail.ingest(reports)
        first = fingerprint(trail)
        started = time.perf_counter()
        trail.ingest(reports)
        figures["seconds of a second ingest, in process"] = round(time.perf_counter() - started, 2)
        figures["second ingest changes nothing"] = fingerprint(trail) == first
        victim = sorted(reports.iterdir())[5]
        trail.delete(str(victim.resolve()))
        figures["export differs while a document is deleted"] = fingerprint(trail) != first
        trail.ingest(victim)
        figures["deleted and ingested again: same export"] = fingerprint(trail) == first
        report = trail.verify()
        figures["records checked"] = sum(report.checked.values())
        figures["share exact"] = report.exact
    with Causetrail(f"sqlite:///{folder}/b.db") as trail:
        for path in sorted(reports.iterdir(), reverse=True):
            trail.ingest(path)
        figures["reverse order: same export"] = fingerprint(trail) == first
    with Causetrail(f"sqlite:///{folder}/c.db", settings=load_settings(jobs=2)) as trail:
        trail.ingest(reports)
        figures["two jobs: same export"] = fingerprint(trail) == first
    return figures


def altered_through_sql(folder: Path, chance: random.Random) -> dict[str, object]:
    """Alter 20 characters or offsets by the stock SQLite library; every record hit must be named by `verify`."""
    path = folder / "altered.db"
    shutil.copy(folder / "a.db", path)
    database = sqlite3.connect(path)
    hit: set[str] = set()
    for turn in range(20):
        if turn % 4 == 3:
            table, column = chance.choice((("claim", "start"), ("mention", "end"), ("passage", "start")))
            ids = [row[0] for row in database.execute(f"SELECT id FROM {table} ORDER BY id")]
            chosen = chance.choice(ids)
            database.execute(f'UPDATE {table} SET "{column}" = "{column}" + 1 WHERE id = ?', (chosen,))
        else:
            table, column = TEXT_COLUMNS[turn % 4]
            key = "document_id" if table == "document_text" else "id"
            ids = [row[0] for row in database.execute(f"SELECT {key} FROM {table} ORDER BY {key}")]
            chosen = chance.choice(ids)
            (text,) = database.execute(f"SELECT {column} FROM {table} WHERE {key} = ?", (chosen,)).fetchone()
            place = chance.randrange(len(text))
            changed = text[:place] + ("#" if text[place] != "#" else "+") + text[place + 1 :]
            database.execute(f"UPDATE {table} SET {column} = ? WHERE {key} = ?", (changed, chosen))
        hit.add(chosen)
    database.commit()
    database.close()
    with Causetrail(f"sqlite:///{path}") as trail:
        named = {fault.id for fault in trail.verify().faults}
    return {"altered records": len(hit), "altered records named": len(hit & named), "records named in all": len(named)}


def altered_bytes(folder: Path, chance: random.Random) -> dict[str, object]:
    """Alter random bytes of the file, ask, and compare with the answers of the intact store."""
    with Causetrail(f"sqlite:///{folder}/a.db") as trail:
        truth = [trail.ask(question).model_dump_json(exclude={"usage"}) for question in QUESTIONS]
    content = (folder / "a.db").read_bytes()
    counts = {"same answer": 0, "coded error": 0, "silently different": 0}
    for turn in range(ROUNDS):
        path = folder / f"bytes-{turn}.db"
        damaged = bytearray(content)
        for _ in range(ALTERED_BYTES):
            damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
        path.write_bytes(damaged)
        for question, expected in zip(QUESTIONS, truth, strict=True):
            try:
                with Causetrail(f"sqlite:///{path}") as trail:
                    told = trail.ask(question).model_dump_json(exclude={"usage"})
                counts["same answer" if told == expected else "silently different"] += 1
            except CausetrailError:
                counts["coded error"] += 1
        path.unlink()
    return {f"random bytes: {key}": value for key, value in counts.items()}


def main() -> None:
    """Run all parts and store the result."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    data: Path = arguments.parse_args().data
    chance = random.Random(SEED)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = same_exports(data / "reports", folder)
        figures |= altered_through_sql(folder, chance)
        figures |= altered_bytes(folder, chance)
    write_result(
        "integrity",
        command="python -m benchmarks.integrity --data ../shared/data",
        data="the 26 investigation reports",
        baseline="every comparison true, every altered record named, nothing silently different",
        figures=figures,
        seed=SEED,
    )


if __name__ == "__main__":
    main()
