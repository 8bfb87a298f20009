"""Question-answer pairs in stores of both kinds: found by their question, told by their answer, verified."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from extraction.pair_passages import pair_passages
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_seed_index import Neo4jSeedIndex
from kg.neo4j_store import Neo4jStore
from kg.passage_texts import embedded_text, repeat_key, told_span
from kg.records import Document, PassageKind
from kg.seed_index import EmbeddedSeedIndex, SeedIndex
from kg.store import Bundle, GraphStore
from kg.verify import verify

PROSE = ["The warden opened the gate.", "The miller sold bread at the gate."]
PAIRS = [("Who opened the gate?", "The porter."), ("Where is bread sold?", "In the hall.\n\nOn Sundays too.")]
STORES = ("sqlite", pytest.param("neo4j", marks=pytest.mark.neo4j))

Opened = tuple[GraphStore, SeedIndex, Neo4jAccess | None]


@pytest.fixture
def pair_bundle(bundle_of, words_encoder) -> Bundle:
    """A document of pairs as an ingest commits it."""
    texts = [f"{question}\n{answer}" for question, answer in PAIRS]
    text = "\n\n".join(texts)
    spans = [(text.index(one), text.index(one) + len(one)) for one in texts]
    passages = pair_passages("main", Document.id_of(text), spans)
    vectors = words_encoder.encode_passages([embedded_text(passage, text) for passage in passages])
    given: Bundle = bundle_of("faq.csv", ["Nothing."], words_encoder)
    return replace(given, text=text, passages=passages, passage_vectors=vectors, mentions=(), claims=())


@pytest.fixture(params=STORES)
def opened(request: pytest.FixtureRequest, bundle_of, words_encoder, equal_wording, pair_bundle: Bundle) -> Opened:
    """A store of prose and pairs, its index, and how its server is reached."""
    store: GraphStore
    if request.param == "sqlite":
        store, access = request.getfixturevalue("open_store")(), None
        index: SeedIndex = EmbeddedSeedIndex(store, words_encoder, "main", None)
    else:
        server: Neo4jStore = request.getfixturevalue("server_store")
        store, access = server, request.getfixturevalue("server_access")
        index = Neo4jSeedIndex(server, words_encoder, "main")
    store.commit_document(bundle_of("a.txt", PROSE, words_encoder))
    store.commit_document(pair_bundle)
    store.derive("main", equal_wording)
    return store, index, access


def words_of(store: GraphStore, index: SeedIndex, kind: PassageKind | None) -> list[str]:
    hits = index.search_passages("Who opened the gate?", 10, kind)
    found = store.passages("main", [hit.id for hit in hits])
    texts = [store.document_text("main", found[hit.id].document_id) for hit in hits]
    return [text[found[hit.id].start : found[hit.id].end] for hit, text in zip(hits, texts, strict=True)]


def test_pairs_are_searched_apart_and_together(opened: Opened) -> None:
    store, index, _ = opened
    told = [f"{question}\n{answer}" for question, answer in PAIRS]
    assert words_of(store, index, PassageKind.PAIR) == told
    prose = words_of(store, index, PassageKind.PROSE)
    assert len(prose) == len(PROSE)
    assert not {*prose} & {*told}
    assert sorted(words_of(store, index, None)) == sorted([*prose, *told])


def test_a_pair_is_found_by_the_meaning_of_its_question_alone(opened: Opened, words_encoder) -> None:
    _, index, _ = opened
    asked, (question, _) = "Who opened the gate?", PAIRS[0]
    nearest = float(words_encoder.encode_query(asked)[0] @ words_encoder.encode_passages([question])[0])
    assert index.search_passages(asked, 1, PassageKind.PAIR)[0].cosine == pytest.approx(nearest, abs=2e-6)


def test_where_there_are_no_pairs_none_are_found(opened: Opened) -> None:
    store, index, _ = opened
    store.delete_source("main", "faq.csv")
    assert index.search_passages("Who opened the gate?", 10, PassageKind.PAIR) == []
    prose = index.search_passages("Who opened the gate?", 10, PassageKind.PROSE)
    assert prose == index.search_passages("Who opened the gate?", 10)
    assert len(prose) == len(PROSE)


def test_a_store_with_pairs_is_verified(opened: Opened) -> None:
    store, _, access = opened
    report = verify(store.address, access=access) if access else verify(store.address)
    assert report.faults == ()
    assert report.checked["passage"] == len(PROSE) + len(PAIRS)


@pytest.mark.parametrize("opened", ["sqlite"], indirect=True)
def test_pairs_are_told_apart_in_an_index_that_was_kept(opened: Opened, words_encoder, tmp_path: Path) -> None:
    store, _, _ = opened
    for _ in range(2):
        kept = EmbeddedSeedIndex(store, words_encoder, "main", tmp_path / "index")
        assert len(kept.search_passages("gate", 10, PassageKind.PAIR)) == len(PAIRS)


def test_what_a_pair_tells_is_its_answer(pair_bundle: Bundle) -> None:
    text = pair_bundle.text
    for passage, (question, answer) in zip(pair_bundle.passages, PAIRS, strict=True):
        start, end = told_span(passage, text)
        assert (embedded_text(passage, text), text[start:end]) == (question, answer)
    prose = pair_bundle.passages[0].model_copy(update={"kind": PassageKind.PROSE})
    assert told_span(prose, text) == (prose.start, prose.end)


def test_a_repeat_differs_in_case_and_space_alone() -> None:
    assert repeat_key("Who?\nThe  Warden. ") == repeat_key("who? the warden.")
    assert repeat_key("Who? The warden.") != repeat_key("Who? The warden")
