"""The Cypher view of an embedded store: kept, refreshed, true to collections, and shut in."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from causetrail import Causetrail
from causetrail.errors import CypherTooMuch, CypherUnsupported, CypherViewTooLarge
from causetrail.settings import load_settings
from kg.addresses import cypher_of, files_of
from kg.embedded_cypher import _Worker
from kg.embedded_cypher_files import MANIFEST, ViewFiles, ViewImage

EVENTS = "MATCH (e:Event) RETURN count(e) AS n"
VALVE = "The valve stuck. As a result, the tank overflowed on 3 May 2021."
VALUE = "The value stuck. As a result, the tank overflowed on 3 May 2021."


def images(trail: Causetrail) -> list[Path]:
    return sorted(cypher_of(trail.settings.store).glob("*.image"))


def again(trail: Causetrail) -> Causetrail:
    return Causetrail(settings=trail.settings)


def test_after_a_restart_the_graph_is_not_read_again(own_flood: Causetrail, monkeypatch: pytest.MonkeyPatch) -> None:
    first = own_flood.cypher(EVENTS).rows
    own_flood.close()

    def no_reading(*_: object) -> None:
        raise AssertionError("the graph was read again")

    monkeypatch.setattr("kg.embedded_cypher.build_view_apart", no_reading)
    with again(own_flood) as later:
        assert later.cypher(EVENTS).rows == first
        later.delete(next(later.documents()).id)
        with pytest.raises(AssertionError, match="read again"):
            later.cypher(EVENTS)


def test_a_change_is_seen_at_once(own_flood: Causetrail) -> None:
    asked = "MATCH (e:Event) WHERE e.collection = $collection RETURN count(e) AS n"
    before = own_flood.cypher(asked).rows[0][0]
    own_flood.ingest_text(VALVE, "valve.txt")
    assert own_flood.cypher(asked).rows[0][0] == before + 2
    own_flood.delete("valve.txt")
    assert own_flood.cypher(asked).rows[0][0] == before
    other = own_flood.within("other")
    other.ingest_text(VALVE, "valve.txt")
    assert own_flood.cypher(asked).rows[0][0] == before
    assert other.cypher(asked).rows[0][0] == 2
    assert len(images(own_flood)) == 1


def test_a_store_made_anew_in_its_place_is_another_one(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/trail.db"
    asked = "MATCH (d:Document) RETURN d.text AS text"
    for text in (VALVE, VALUE):
        with Causetrail(address) as trail:
            trail.ingest_text(text, "one.txt")
            generation = trail._parts.store().generation("main")
            assert trail.cypher(asked).rows == ((text,),)
        for path in files_of(address):
            if path.is_file():
                path.unlink()
    assert generation == 2
    assert cypher_of(address).exists()


def test_a_damaged_view_is_built_anew(own_flood: Causetrail) -> None:
    expected = own_flood.cypher(EVENTS).rows
    own_flood.close()
    image, manifest = images(own_flood)[0], cypher_of(own_flood.settings.store) / MANIFEST
    for path in (image, manifest):
        good = path.read_bytes()
        for damaged in (good[:-9], good[:40] + bytes([good[40] ^ 1]) + good[41:], b""):
            path.write_bytes(damaged)
            with again(own_flood) as later:
                assert later.cypher(EVENTS).rows == expected
            assert path.read_bytes() == good or path == image


def test_two_processes_build_one_view(own_flood: Causetrail) -> None:
    own_flood.close()
    command = [Path(sys.executable).with_name("causetrail"), "--store", own_flood.settings.store, "cypher", EVENTS]
    running = [subprocess.Popen([*command, "--json"], stdout=subprocess.PIPE) for _ in range(3)]
    told = {process.communicate()[0].split(b'"truncated"')[0] for process in running}
    assert [process.returncode for process in running] == [0, 0, 0]
    assert len(told) == 1
    assert len(images(own_flood)) == 1


def test_where_there_is_no_writing_the_view_is_kept_elsewhere(own_flood: Causetrail) -> None:
    folder = cypher_of(own_flood.settings.store)
    shutil.rmtree(folder, ignore_errors=True)
    folder.write_text("in the way")
    assert own_flood.cypher(EVENTS).rows == own_flood.cypher(EVENTS).rows
    assert folder.read_text() == "in the way"


def test_a_graph_too_large_is_refused_before_it_is_built(own_flood: Causetrail) -> None:
    shutil.rmtree(cypher_of(own_flood.settings.store), ignore_errors=True)
    settings = load_settings(store=own_flood.settings.store, cypher_view_bytes=1_000_000)
    with Causetrail(settings=settings) as small, pytest.raises(CypherViewTooLarge) as refusal:
        small.cypher(EVENTS)
    assert "causetrail copy" in refusal.value.fix
    assert not cypher_of(own_flood.settings.store).exists()


def test_an_ingest_leaves_the_view_alone(own_flood: Causetrail, tmp_path: Path) -> None:
    own_flood.cypher(EVENTS)
    report = own_flood.ingest(tmp_path)
    assert report.failed == 0
    assert not any("-cypher" in source for document in own_flood.documents() for source in document.sources)


def test_collections_that_hold_the_same_document_stay_apart(tmp_path: Path) -> None:
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
        trail.ingest_text(VALVE, "valve.txt")
        other = trail.within("other")
        other.ingest_text(VALVE, "copy.txt")
        other.ingest_text("The pump failed because the seal broke on 4 May 2021.", "pump.txt")
        mine, theirs = trail.event(next(iter(trail.events())).id), other.events()
        assert mine.id in {event.id for event in theirs}
        asked = "MATCH (e:Event {id: $id}) RETURN e.collection AS c, e.id AS id ORDER BY c"
        assert trail.cypher(asked, {"id": mine.id}).rows == (("main", mine.id), ("other", mine.id))
        crossing = "MATCH (a)-[r]->(b) WHERE a.collection <> b.collection RETURN count(r) AS n"
        assert trail.cypher(crossing).rows == ((0,),)
        per = "MATCH (a:Event)-[:CAUSES]->(b:Event) RETURN a.collection AS c, count(*) AS n ORDER BY c"
        assert trail.cypher(per).rows == (("main", 1), ("other", 2))
        one = trail.cypher("MATCH (e:Event {collection: 'other', id: $id}) RETURN e", {"id": mine.id}).rows[0][0]
        assert one["label"] == "Event"
        assert one["properties"]["collection"] == "other"
        for refused in ("MATCH (n) RETURN labels(n)", "CALL db.labels()"):
            with pytest.raises(CypherUnsupported):
                trail.cypher(refused)


def test_two_denials_of_one_pair_are_two_relationships(own_flood: Causetrail) -> None:
    edges = sum(1 for _ in own_flood._parts.store().edges("main"))
    asked = "MATCH (:Event)-[r:CAUSES|ENABLES|PREVENTS|BEFORE|RULED_OUT]->(:Event) RETURN count(r) AS n"
    assert own_flood.cypher(asked).rows == ((edges,),)


def test_the_process_refuses_what_the_words_did_not_tell(own_flood: Causetrail, tmp_path: Path) -> None:
    own_flood.cypher(EVENTS)
    worker = _Worker(ViewImage(images(own_flood)[0], "", twins=False))
    secret = tmp_path / "secret.csv"
    secret.write_text("a secret")

    def ask(query: str) -> dict[str, object]:
        request = {"query": query, "in_order": False, "parameters": {}, "rows": 5, "size": 10_000, "seconds": 5.0}
        return worker.ask(request)

    try:
        for query in (
            f"LOAD CSV FROM 'file://{secret}' AS row RETURN row",
            "CREATE (n:Event {id: 'x'})",
            "MATCH (n) DETACH DELETE n",
            "CREATE INDEX FOR (n:Event) ON (n.kind)",
            "SHOW INDEXES",
        ):
            assert ask(query) == {"error": "refused"}
        assert ask(EVENTS)["rows"]
    finally:
        worker.end()


def test_the_process_opens_no_file(own_flood: Causetrail, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_flood.cypher(EVENTS)
    worker = own_flood._parts.cypher()._worker
    limits = Path(f"/proc/{worker._process.pid}/limits")
    if not limits.exists():
        pytest.skip("this system does not tell the limits of a process")
    told = {line[:26].strip(): line[26:46].strip() for line in limits.read_text().splitlines()}
    assert (told["Max open files"], told["Max file size"], told["Max core file size"]) == ("0", "0", "0")
    assert told["Max address space"] != "unlimited"


def test_a_process_that_dies_is_replaced(own_flood: Causetrail) -> None:
    expected = own_flood.cypher(EVENTS).rows
    own_flood._parts.cypher()._worker._process.kill()
    own_flood._parts.cypher()._worker._process.wait()
    assert own_flood.cypher(EVENTS).rows == expected
    with pytest.raises(CypherTooMuch):
        own_flood.cypher("RETURN size(reduce(s = [1], i IN range(1, 60) | s + s))", timeout=1)
    assert own_flood.cypher(EVENTS).rows == expected


def test_closing_ends_the_process(own_flood: Causetrail) -> None:
    own_flood.cypher(EVENTS)
    process = own_flood._parts.cypher()._worker._process
    own_flood.close()
    assert process.returncode is not None


def test_an_answer_is_cut_at_either_limit(own_flood: Causetrail) -> None:
    everything = own_flood.cypher("MATCH (e:Event) RETURN e.id AS id ORDER BY id")
    assert everything.truncated is None
    cut = own_flood.cypher("MATCH (e:Event) RETURN e.id AS id ORDER BY id", limit=3)
    assert (cut.rows, cut.truncated) == (everything.rows[:3], "rows")
    exact = own_flood.cypher("MATCH (e:Event) RETURN e.id AS id ORDER BY id", limit=len(everything.rows))
    assert exact.truncated is None
    settings = load_settings(store=own_flood.settings.store, cypher_bytes=1_000)
    with Causetrail(settings=settings) as small:
        short = small.cypher(
            "MATCH (e:Event) RETURN e.id AS id ORDER BY id UNION ALL UNWIND range(1, 500) AS x RETURN x AS id"
        )
        assert short.truncated == "bytes"
        assert 0 < len(short.rows) < 500
        none = small.cypher("RETURN reduce(s = '', i IN range(1, 2000) | s + 'x') AS text")
        assert (none.rows, none.truncated) == ((), "bytes")


def test_the_view_of_another_state_is_not_taken(own_flood: Causetrail) -> None:
    own_flood.cypher(EVENTS)
    assert ViewFiles(cypher_of(own_flood.settings.store)).load("another state") is None
