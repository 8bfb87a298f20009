from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from causetrail.errors import EncoderMismatch, PassageTooLong
from kg.fusion import Fusion, Hit
from kg.seed_files import MANIFEST
from kg.seed_index import EmbeddedSeedIndex
from kg.sqlite_store import SqliteStore
from models.encoder import load_encoder

FLOOD = [
    "{Gauge G7 failed}, which led to {the release of water} from the Arlen dam.",
    "{The release of water} led to {a rise of the river}.",
    "{A rise of the river} forced {the closure} of the footbridge.",
]
BAKERY = ["The bakery sold bread at the market.", "{The oven broke down}, so {the sale ended}."]
OUTAGE = ["{A full disk} caused {the checkout failure}.", "{The checkout failure} led to {refunds}."]


@pytest.fixture
def fill(words_encoder, bundle_of, equal_wording):
    def fill_store(store: SqliteStore, **documents: list[str]) -> None:
        for name, sentences in documents.items():
            store.commit_document(bundle_of(f"{name}.txt", sentences, words_encoder))
        store.derive("main", equal_wording)

    return fill_store


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "trail.db-seeds" / "main"


def text_of(store: SqliteStore, hit: Hit) -> str:
    passage = store.passages("main", [hit.id])[hit.id]
    return store.document_text("main", passage.document_id)[passage.start : passage.end]


def found(index: EmbeddedSeedIndex) -> list[list[Hit]]:
    return [
        search(text, 50)
        for search in (index.search_passages, index.search_events)
        for text in ("Why did the footbridge close?", "release of water", "disk", "nothing of the sort")
    ]


def test_the_best_passage_shares_words_and_meaning(open_store, fill, words_encoder) -> None:
    store = open_store()
    fill(store, flood=FLOOD, bakery=BAKERY)
    hits = EmbeddedSeedIndex(store, words_encoder, "main", None).search_passages("Why was bread sold at the bakery?", 3)
    assert len(hits) == 3
    assert text_of(store, hits[0]) == BAKERY[0]
    assert hits[0].words > 0 and hits[0].cosine == max(hit.cosine for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert hits[0].score == pytest.approx(1 / 61 + 1 / 61)
    assert hits[1].words == 0.0


def test_events_are_found_by_description_and_participants(open_store, fill, words_encoder) -> None:
    store = open_store()
    fill(store, flood=FLOOD, bakery=BAKERY)
    index = EmbeddedSeedIndex(store, words_encoder, "main", None)
    best = index.search_events("why did the oven break down", 1)[0]
    assert store.event("main", best.id).description == "The oven broke down"
    assert all(hit.words > 0 for hit in index.search_events("crew", 20))
    assert len(index.search_events("crew", 20)) == len(store.event_ids("main"))


def test_words_are_stemmed_and_question_words_left_out(open_store, fill, words_encoder) -> None:
    store = open_store()
    fill(store, flood=FLOOD, bakery=BAKERY, outage=OUTAGE)
    index = EmbeddedSeedIndex(store, words_encoder, "main", None)
    worded = [text_of(store, hit) for hit in index.search_passages("Why did the gauges fail?", 10) if hit.words > 0]
    assert any("failed" in text for text in worded)
    assert not any("oven" in text for text in worded)
    assert any(hit.words > 0 for hit in index.search_passages("the", 10))


def test_an_updated_a_loaded_and_a_rebuilt_index_find_the_same(open_store, fill, words_encoder, folder) -> None:
    store = open_store()
    updated = EmbeddedSeedIndex(store, words_encoder, "main", folder)
    fill(store, flood=FLOOD)
    updated.refresh()
    fill(store, bakery=BAKERY)
    updated.refresh()
    fill(store, outage=[*OUTAGE, "{Gauge G7 failed} and led to {refunds}."])
    store.delete_source("main", "bakery.txt")
    results = found(updated)
    assert results == found(EmbeddedSeedIndex(store, words_encoder, "main", folder))
    assert results == found(EmbeddedSeedIndex(store, words_encoder, "main", None))
    other = open_store("other.db")
    fill(other, outage=[*OUTAGE, "{Gauge G7 failed} and led to {refunds}."], flood=FLOOD)
    assert results == found(EmbeddedSeedIndex(other, words_encoder, "main", None))


def test_a_loaded_index_reads_nothing_from_the_store_again(open_store, fill, words_encoder, folder) -> None:
    store = open_store()
    fill(store, flood=FLOOD)
    stages: list[tuple[str, int, int]] = []
    EmbeddedSeedIndex(store, words_encoder, "main", folder).refresh(lambda *stage: stages.append(stage))
    assert stages[-1] == ("index", 4, 4)
    stages.clear()
    index = EmbeddedSeedIndex(store, words_encoder, "main", folder)
    index.refresh(lambda *stage: stages.append(stage))
    index.refresh(lambda *stage: stages.append(stage))
    assert stages == []


def test_collections_do_not_see_each_other(open_store, fill, words_encoder, bundle_of) -> None:
    store = open_store()
    fill(store, flood=FLOOD)
    store.commit_document(bundle_of("bakery.txt", BAKERY, words_encoder, collection="other"))
    assert len(EmbeddedSeedIndex(store, words_encoder, "main", None).search_passages("bread", 10)) == len(FLOOD)
    assert len(EmbeddedSeedIndex(store, words_encoder, "other", None).search_passages("bread", 10)) == len(BAKERY)


def test_an_empty_collection_gives_nothing_and_writes_nothing(open_store, words_encoder, folder) -> None:
    index = EmbeddedSeedIndex(open_store(), words_encoder, "main", folder)
    assert index.search_passages("anything", 5) == index.search_events("anything", 5) == []
    assert not folder.exists()


@pytest.mark.parametrize("k", [0, -1])
def test_no_hits_are_asked_for(open_store, fill, words_encoder, k: int) -> None:
    store = open_store()
    fill(store, flood=FLOOD)
    assert EmbeddedSeedIndex(store, words_encoder, "main", None).search_passages("gauge", k) == []


def damage_byte(path: Path, place: float) -> None:
    content = bytearray(path.read_bytes())
    content[int(place * (len(content) - 1))] ^= 0x5A
    path.write_bytes(content)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.floats(0, 1), which=st.integers(0, 3), how=st.sampled_from(["change", "cut", "empty", "remove"]))
def test_damage_is_noticed_and_mended(tmp_path, open_store, fill, words_encoder, place, which, how) -> None:
    store = open_store(f"damage-{os.urandom(6).hex()}.db")
    folder = store.path.with_suffix(".seeds")
    fill(store, flood=FLOOD)
    expected = found(EmbeddedSeedIndex(store, words_encoder, "main", folder))
    path = sorted(path for path in folder.iterdir() if path.name == MANIFEST or path.suffix == ".image")[which]
    match how:
        case "change":
            damage_byte(path, place)
        case "cut":
            path.write_bytes(path.read_bytes()[: int(place * path.stat().st_size * 0.99)])
        case "empty":
            path.write_bytes(b"")
        case "remove":
            path.unlink()
    assert found(EmbeddedSeedIndex(store, words_encoder, "main", folder)) == expected
    stages: list[object] = []
    EmbeddedSeedIndex(store, words_encoder, "main", folder).refresh(lambda *stage: stages.append(stage))
    assert stages == []
    store.close()


def test_an_index_of_another_version_is_built_anew(open_store, fill, words_encoder, folder, bundle_of) -> None:
    store = open_store()
    fill(store, flood=FLOOD)
    expected = found(EmbeddedSeedIndex(store, words_encoder, "main", folder))
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps({**manifest, "version": 0}))
    assert found(EmbeddedSeedIndex(store, words_encoder, "main", folder)) == expected
    assert json.loads((folder / MANIFEST).read_text()) == manifest


def test_another_encoder_of_the_same_dimension_is_refused(open_store, fill, words_encoder, folder) -> None:
    store = open_store()
    fill(store, flood=FLOOD)
    EmbeddedSeedIndex(store, words_encoder, "main", folder).refresh()
    for other in (type(words_encoder)(fingerprint="other-1"), type(words_encoder)(dimension=8)):
        with pytest.raises(EncoderMismatch):
            EmbeddedSeedIndex(store, other, "main", folder).search_passages("gauge", 3)


def test_a_store_made_anew_at_the_same_place_is_noticed(open_store, fill, words_encoder, folder, tmp_path) -> None:
    first = open_store()
    fill(first, flood=FLOOD)
    EmbeddedSeedIndex(first, words_encoder, "main", folder).refresh()
    second = open_store("second.db")
    fill(second, flood=[sentence.replace("river", "stream") for sentence in FLOOD])
    assert first.generation("main") == second.generation("main")
    hits = EmbeddedSeedIndex(second, words_encoder, "main", folder).search_passages("stream", 5)
    assert "stream" in text_of(second, hits[0])


def test_old_images_are_removed(open_store, fill, words_encoder, folder) -> None:
    store = open_store()
    for name, sentences in (("flood", FLOOD), ("bakery", BAKERY), ("outage", OUTAGE)):
        fill(store, **{name: sentences})
        EmbeddedSeedIndex(store, words_encoder, "main", folder).refresh()
    assert len(list(folder.glob("*.image"))) == 3


def test_without_a_writable_folder_it_works_in_memory(open_store, fill, words_encoder, tmp_path) -> None:
    store = open_store()
    fill(store, flood=FLOOD)
    expected = found(EmbeddedSeedIndex(store, words_encoder, "main", None))
    blocked = tmp_path / "a file"
    blocked.write_text("in the way")
    assert found(EmbeddedSeedIndex(store, words_encoder, "main", blocked / "main")) == expected
    readable = tmp_path / "readable" / "main"
    EmbeddedSeedIndex(store, words_encoder, "main", readable).refresh()
    before = sorted(path.name for path in readable.iterdir())
    fill(store, bakery=BAKERY)
    readable.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        assert len(EmbeddedSeedIndex(store, words_encoder, "main", readable).search_passages("bread", 9)) == 5
        if os.geteuid():
            assert sorted(path.name for path in readable.iterdir()) == before
    finally:
        readable.chmod(stat.S_IRWXU)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200))
def test_no_text_is_a_syntax_error(shared_index: EmbeddedSeedIndex, text: str) -> None:
    assert len(shared_index.search_passages(text, 5)) == 3


@pytest.mark.parametrize(
    "text",
    ['"', "' OR 1=1 --", "NEAR(a b)", "a AND", "col:x", "x*", "^", "\x00", "gauge\x00dam", "- -", "{a b}: c", "(("],
)
def test_syntax_of_fts5_is_only_text(shared_index: EmbeddedSeedIndex, text: str) -> None:
    assert len(shared_index.search_passages(text, 5)) == 3


def test_a_very_long_question_is_no_trouble_to_the_words(shared_index: EmbeddedSeedIndex) -> None:
    text = " ".join(f"word{number}" for number in range(20_000)) + " gauge"
    assert shared_index.search_passages(text, 5)[0].words > 0


@pytest.fixture
def shared_index(open_store, fill, words_encoder) -> EmbeddedSeedIndex:
    store = open_store(f"shared-{os.urandom(6).hex()}.db")
    fill(store, flood=FLOOD)
    return EmbeddedSeedIndex(store, words_encoder, "main", None)


def test_ties_are_broken_by_id_whatever_came_first(open_store, words_encoder, bundle_of, equal_wording) -> None:
    sentences = {f"n{number}": [f"{{Gauge G7 failed}}. Remark {number:03d}."] for number in range(150)}
    results = []
    for name, order in (("a.db", sorted(sentences)), ("b.db", sorted(sentences, reverse=True))):
        store = open_store(name)
        for source in order:
            store.commit_document(bundle_of(source, sentences[source], words_encoder))
        index = EmbeddedSeedIndex(store, words_encoder, "main", None)
        results.append([(index.search_passages("gauge failed", k)) for k in (1, 7, 150)])
        assert [hit.id for hit in results[-1][2]][:7] == [hit.id for hit in results[-1][1]]
    assert results[0] == results[1]


def test_sum_fusion_adds_scores_divided_by_their_largest(open_store, fill, words_encoder) -> None:
    store = open_store()
    fill(store, flood=FLOOD, bakery=BAKERY)
    hits = EmbeddedSeedIndex(store, words_encoder, "main", None, fusion=Fusion.SUM).search_passages("bread market", 5)
    cosine, words = max(hit.cosine for hit in hits), max(hit.words for hit in hits)
    assert [hit.score for hit in hits] == pytest.approx([hit.cosine / cosine + hit.words / words for hit in hits])


def test_threads_search_while_the_store_grows(open_store, fill, words_encoder, folder) -> None:
    store = open_store()
    fill(store, flood=FLOOD)
    index = EmbeddedSeedIndex(store, words_encoder, "main", folder)
    faults: list[BaseException] = []

    def search() -> None:
        try:
            for _ in range(40):
                assert index.search_passages("gauge", 3)
                assert index.search_events("gauge", 3)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(8):
        fill(store, **{f"more{number}": [f"{{Pump {number} failed}} and caused {{a stop}}."]})
        if number % 2:
            store.delete_source("main", f"more{number}.txt")
    for thread in threads:
        thread.join()
    assert faults == []
    assert found(index) == found(EmbeddedSeedIndex(store, words_encoder, "main", None))


SEARCHER = """
import sys
from pathlib import Path
from kg.seed_index import EmbeddedSeedIndex
from kg.sqlite_store import SqliteStore
from models.encoder import load_encoder
encoder = load_encoder("bge-small-en-v1.5", threads=1)
with SqliteStore(Path(sys.argv[1]), wait_seconds=30, lease_seconds=10) as store:
    for _ in range(5):
        assert len(EmbeddedSeedIndex(store, encoder, "main", Path(sys.argv[2])).search_passages("gauge", 3)) == 3
"""


def test_processes_that_write_at_once_leave_a_whole_index(open_store, bundle_of, equal_wording, folder) -> None:
    encoder = load_encoder("bge-small-en-v1.5", threads=1)
    store = open_store()
    store.commit_document(bundle_of("flood.txt", FLOOD, encoder))
    command = [sys.executable, "-c", SEARCHER, str(store.path), str(folder)]
    workers = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    number = 0
    while any(worker.poll() is None for worker in workers):
        sentences = [f"{{Pump {number} failed}} and caused {{a stop}}."]
        store.commit_document(bundle_of(f"more{number}.txt", sentences, encoder))
        store.derive("main", equal_wording)
        if number == 2:
            shutil.rmtree(folder, ignore_errors=True)
        number += 1
        time.sleep(0.1)
    for worker in workers:
        _, complaint = worker.communicate(timeout=60)
        assert (worker.returncode, complaint) == (0, "")
    loaded, rebuilt = (EmbeddedSeedIndex(store, encoder, "main", place) for place in (folder, None))
    assert found(loaded) == found(rebuilt)


def test_with_the_packaged_encoder(open_store, bundle_of, equal_wording, tmp_path) -> None:
    encoder = load_encoder("bge-small-en-v1.5", threads=1)
    store = open_store()
    store.commit_document(bundle_of("flood.txt", FLOOD, encoder))
    store.commit_document(bundle_of("outage.txt", OUTAGE, encoder))
    store.derive("main", equal_wording)
    index = EmbeddedSeedIndex(store, encoder, "main", tmp_path / "seeds")
    assert text_of(store, index.search_passages("Why was the pedestrian bridge shut?", 1)[0]).endswith(
        "the footbridge."
    )
    with pytest.raises(PassageTooLong):
        index.search_passages("why " * 600, 1)
