"""The ingest from end to end: what is read, what is left alone, what goes, and that no order shows."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from causetrail.settings import Settings
from extraction.encoder_source import EncoderSource, encoder_source
from extraction.ledger import IngestReport
from extraction.loading.dates import parse_date
from extraction.pipeline import ingest, ingest_bytes
from kg.encoding import Encoder
from kg.export import export_jsonl
from kg.sqlite_store import SqliteStore

FLOOD = Path(__file__).parents[2] / "examples" / "flood"
SETTINGS = Settings(parser="none")


@pytest.fixture(scope="session")
def encoder() -> EncoderSource:
    """Loaded once for all tests of one process."""
    source = encoder_source("bge-small-en-v1.5")
    loaded: list[Encoder] = []

    def load(threads: int | None) -> Encoder:
        if not loaded:
            loaded.append(source.load(threads))
        return loaded[0]

    return EncoderSource(source.fingerprint, load)


def refuse(threads: int | None) -> Encoder:
    raise AssertionError(f"nothing had to be read, with {threads} threads")


class Place:
    """A folder with a store in it and documents beside it."""

    def __init__(self, folder: Path, encoder: EncoderSource) -> None:
        self.folder = folder
        self.encoder = encoder
        self.store = SqliteStore(folder / "trail.db", wait_seconds=30, lease_seconds=30)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def ingest(self, *paths: Path, settings: Settings = SETTINGS, **more: object) -> IngestReport:
        found = list(paths) or [self.folder / "docs"]
        return ingest(found, self.store, self.encoder, settings, base=self.folder, **more)  # type: ignore[arg-type]

    def export(self) -> list[str]:
        return list(export_jsonl(self.store, "main"))

    def sources(self) -> list[str]:
        return sorted(name for document in self.store.documents("main") for name in document.sources)


@pytest.fixture
def place(tmp_path: Path, encoder: EncoderSource) -> Iterator[Place]:
    made = Place(tmp_path, encoder)
    yield made
    made.store.close()


@pytest.fixture
def other(tmp_path_factory: pytest.TempPathFactory, encoder: EncoderSource) -> Iterator[Place]:
    made = Place(tmp_path_factory.mktemp("other"), encoder)
    yield made
    made.store.close()


WHY = "Gauge G7 at the Arlen dam failed on 4 March 2019 because its battery was flat.\n"
THEN = "The failure of gauge G7 at the Arlen dam led to the full opening of gate 2.\n"


def test_a_chain_runs_over_two_documents(place: Place) -> None:
    place.write("docs/1.txt", WHY)
    place.write("docs/2.txt", THEN)
    report = place.ingest()
    assert (report.added, report.claims, report.failed) == (2, 2, 0)
    (merge,) = place.store.merges("main", across_documents=True)
    assert merge.event.kind == "failure"
    assert merge.event.document_count == 2
    edges = list(place.store.edges("main"))
    assert {edge.effect for edge in edges} & {edge.cause for edge in edges} == {merge.event.id}


def test_what_did_not_change_is_not_read_again(place: Place) -> None:
    shutil.copytree(FLOOD, place.folder / "docs")
    first = place.ingest()
    before, generation = place.export(), place.store.generation("main")
    place.encoder = EncoderSource(place.encoder.fingerprint, refuse)
    second = place.ingest()
    assert second.unchanged == first.added == 8
    assert second.sentences == second.added == second.replaced == 0
    assert (second.events, second.edges) == (first.events, first.edges)
    assert place.export() == before
    assert place.store.generation("main") == generation


def test_what_was_loaded_serves_the_next_collection(place: Place, encoder: EncoderSource) -> None:
    loads: list[int | None] = []

    def load(threads: int | None) -> Encoder:
        loads.append(threads)
        return encoder.load(threads)

    place.encoder = EncoderSource(encoder.fingerprint, load)
    for collection in ("arl", "bex"):
        text = f"The gate of {collection.title()} failed. As a result, the road was closed."
        file = place.write(f"{collection}.txt", text)
        settings = SETTINGS.model_copy(update={"collection": collection})
        assert place.ingest(file, settings=settings).claims == 1
        (document,) = place.store.documents(collection)
        assert {mention.collection for mention in place.store.mentions_of(collection, document.id)} == {collection}
    assert len(loads) == 1


def test_a_second_ingest_imports_nothing_heavy(place: Place) -> None:
    place.write("docs/1.txt", WHY)
    place.ingest()
    program = f"""
import sys
from pathlib import Path
from causetrail.settings import Settings
from extraction.encoder_source import encoder_source
from extraction.pipeline import ingest
from kg.sqlite_store import SqliteStore
folder = Path({str(place.folder)!r})
with SqliteStore(folder / "trail.db", wait_seconds=30, lease_seconds=30) as store:
    source = encoder_source("bge-small-en-v1.5")
    report = ingest([folder / "docs"], store, source, Settings(parser="none"), base=folder)
print(report.unchanged, sorted({{"spacy", "onnxruntime", "tokenizers", "faiss"}} & set(sys.modules)))
"""
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1 []"


def test_changed_content_replaces_the_old(place: Place) -> None:
    place.write("docs/1.txt", WHY)
    place.ingest()
    place.write("docs/1.txt", THEN)
    report = place.ingest()
    assert (report.added, report.replaced, report.unchanged) == (0, 1, 0)
    (document,) = place.store.documents("main")
    assert place.store.document_text("main", document.id).strip() == THEN.strip()


def test_other_rules_read_everything_again(place: Place) -> None:
    place.write("docs/1.txt", WHY)
    place.ingest()
    place.encoder = replace(place.encoder, fingerprint="another-encoder")
    assert place.ingest().replaced == 1
    assert place.ingest().unchanged == 1


def test_equal_content_is_one_document_of_two_sources(place: Place) -> None:
    place.write("docs/2.txt", WHY)
    place.ingest()
    place.write("docs/1.txt", WHY)
    report = place.ingest()
    assert (report.sources_added, report.unchanged, report.sentences) == (1, 1, 0)
    (document,) = place.store.documents("main")
    assert document.sources == ("docs/1.txt", "docs/2.txt")


def rows(*texts: str) -> str:
    return "".join(json.dumps({"text": text}) + "\n" for text in texts)


def test_rows_that_vanished_are_deleted_and_others_left_alone(place: Place) -> None:
    place.write("docs/notes.jsonl", rows(WHY, THEN, "The pump stopped because the valve was shut."))
    assert place.ingest().added == 3
    place.write("docs/notes.jsonl", rows(WHY, THEN))
    report = place.ingest()
    assert (report.removed, report.unchanged, report.added) == (1, 2, 0)
    assert place.sources() == ["docs/notes.jsonl#1", "docs/notes.jsonl#2"]
    assert place.ingest().unchanged == 2


def test_a_failing_row_keeps_its_old_document(place: Place) -> None:
    place.write("docs/notes.jsonl", rows(WHY, THEN))
    place.ingest()
    place.write("docs/notes.jsonl", rows(WHY) + '{"text": ""}\n')
    report = place.ingest()
    assert [failure.source for failure in report.failures] == ["docs/notes.jsonl#2"]
    assert place.sources() == ["docs/notes.jsonl#1", "docs/notes.jsonl#2"]


def test_a_failing_document_stops_no_other_and_keeps_what_was(place: Place) -> None:
    changing = place.write("docs/1.txt", WHY)
    place.ingest()
    changing.write_bytes(b"")
    place.write("docs/2.txt", THEN)
    (place.folder / "docs" / "3.txt").write_bytes(b"\x00\x01\x02\x00" * 50)
    report = place.ingest(place.folder / "docs", place.folder / "nowhere")
    assert {failure.code for failure in report.failures} == {"CT-D001", "CT-D002", "CT-D015"}
    assert all(failure.message and failure.fix for failure in report.failures)
    assert report.failed == 3
    assert report.added == 1
    assert place.sources() == ["docs/1.txt", "docs/2.txt"]
    assert {failure.as_error().message for failure in report.failures} == {f.message for f in report.failures}


def test_text_that_is_not_english_is_searchable_and_claims_nothing(place: Place) -> None:
    place.write(
        "docs/1.txt",
        "Die Pumpe fiel aus, weil die Dichtung verschlissen war. Danach wurde das Tor von Hand geöffnet, und der Pegel "
        "des Stausees sank innerhalb weniger Stunden um mehr als zwei Meter.",
    )
    report = place.ingest()
    assert (report.added, report.not_english, report.claims, report.mentions) == (1, 1, 0, 0)
    assert report.passages == len(place.store.passage_ids("main")) == 1


def test_a_given_date_dates_what_was_already_there(place: Place) -> None:
    place.write("docs/1.txt", "Yesterday the pump failed because its seal had worn.\n")
    place.ingest()
    undated = place.export()
    published = parse_date("2019-03-05")
    assert place.ingest(published=published).replaced == 1
    assert any('"2019-03-04T00:00:00Z"' in line for line in place.export())
    assert place.ingest(published=published).unchanged == 1
    assert undated != place.export()


def test_an_upload_is_a_source_like_any_other(place: Place) -> None:
    for expected in ("added", "unchanged"):
        report = ingest_bytes(WHY.encode(), "note.txt", ".txt", place.store, place.encoder, SETTINGS)
        assert getattr(report, expected) == 1
    assert place.sources() == ["note.txt"]


def test_an_interrupted_ingest_resumes_behind_the_last_document(
    place: Place, other: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for one in (place, other):
        shutil.copytree(FLOOD, one.folder / "docs")
    other.ingest()
    commit, done = SqliteStore.commit_document, []

    def interrupted(*arguments: object) -> object:
        if len(done) == 3:
            raise KeyboardInterrupt
        done.append(1)
        return commit(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(SqliteStore, "commit_document", interrupted)
        with pytest.raises(KeyboardInterrupt):
            place.ingest()
    assert place.store.pending("main") > 0
    report = place.ingest()
    assert (report.unchanged, report.added) == (3, 5)
    assert place.export() == other.export()


def test_a_derivation_that_was_missed_is_made_up_for(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    place.write("docs/1.txt", WHY)
    with monkeypatch.context() as patch:
        patch.setattr(SqliteStore, "derive", lambda *_: None)
        assert place.ingest().events == 0
    assert place.ingest().events == 2


def test_no_order_and_no_number_of_processes_shows(place: Place, other: Place, tmp_path: Path) -> None:
    for one in (place, other):
        shutil.copytree(FLOOD, one.folder / "docs")
    place.ingest()
    for path in sorted((other.folder / "docs").iterdir(), reverse=True):
        other.ingest(path)
    assert other.export() == place.export()
    (tmp_path / "third").mkdir()
    third = Place(tmp_path / "third", encoder_source("bge-small-en-v1.5"))
    shutil.copytree(FLOOD, third.folder / "docs")
    with third.store:
        report = third.ingest(settings=SETTINGS.model_copy(update={"jobs": 2}))
        assert report.added == 8
        assert report.peak_worker_memory > 0
        assert third.export() == place.export()


def test_progress_counts_the_files(place: Place) -> None:
    for name in "abc":
        place.write(f"docs/{name}.txt", f"The {name} pump failed because its seal had worn.\n")
    told: list[tuple[str, int, int]] = []
    place.ingest(progress=lambda *step: told.append(step))
    assert [step for step in told if step[0] == "documents"] == [("documents", done, 3) for done in range(4)]


def test_the_report_is_json_with_every_stage(place: Place) -> None:
    place.write("docs/1.txt", WHY)
    report = place.ingest()
    content = json.loads(report.model_dump_json())
    stages = {"load", "sentences", "claims", "passages", "encode", "commit", "derive", "total"}
    assert set(content["seconds"]) == stages
    assert content["sentences"] == 1
    assert content["peak_memory"] > 10_000_000
