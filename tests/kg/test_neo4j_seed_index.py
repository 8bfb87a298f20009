from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from causetrail.errors import EncoderMismatch, ServerRefused
from kg import neo4j_seed_index
from kg.fusion import Hit
from kg.neo4j_seed_index import Neo4jSeedIndex
from kg.neo4j_store import Neo4jStore
from kg.records import Document
from kg.seed_index import EmbeddedSeedIndex
from kg.sqlite_store import SqliteStore
from kg.store import GraphStore

pytestmark = pytest.mark.neo4j

FLOOD = [
    "{Gauge G7 failed}, which led to {the release of water} from the Arlen dam.",
    "{The release of water} led to {a rise of the river}.",
    "{A rise of the river} forced {the closure} of the footbridge.",
]
BAKERY = ["The bakery sold bread at the market.", "{The oven broke down}, so {the sale ended}."]
OUTAGE = ["{A full disk} caused {the checkout failure}.", "{The checkout failure} led to {refunds}."]
QUESTIONS = [
    "Why did the footbridge close?",
    "What released the water from the dam?",
    "Why was bread no longer sold?",
    "Why did the checkout fail?",
    "a disk that is full",
    "refund",
    "nothing of the sort",
    "why did it happen",
]
HOSTILE = [
    "text:* OR words:*",
    'water" OR "',
    "water AND NOT (river",
    "water~2 riv* ?ridge ^9",
    "[a TO z] {a TO z}",
    "/.*/",
    "\\",
    "-water +river !dam && || :",
    "_exists_:collection",
    " ".join(f"w{number}" for number in range(3000)),
    "water " + "\u6d2a\u6c34 \U0001f30a \u0627\u0644\u0645\u0627\u0621 \u0301",
    "x" * 100_000,
    "",
    "?!",
]


@pytest.fixture
def fill(words_encoder, bundle_of, equal_wording):
    def fill_store(store: GraphStore, collection: str = "main", **documents: list[str]) -> None:
        for name, sentences in documents.items():
            store.commit_document(bundle_of(f"{name}.txt", sentences, words_encoder, collection))
        store.derive(collection, equal_wording)

    return fill_store


@pytest.fixture
def index(server_store: Neo4jStore, words_encoder) -> Neo4jSeedIndex:
    return Neo4jSeedIndex(server_store, words_encoder, "main")


def ids(hits: list[Hit]) -> list[str]:
    return [hit.id for hit in hits]


@pytest.mark.parametrize("exact", [True, False])
def test_it_finds_what_the_embedded_index_finds(
    server_store: Neo4jStore,
    open_store: Callable[..., SqliteStore],
    fill,
    index: Neo4jSeedIndex,
    words_encoder,
    monkeypatch: pytest.MonkeyPatch,
    exact: bool,
) -> None:
    if not exact:
        monkeypatch.setattr(neo4j_seed_index, "EXACT_MEMBERS", 0)
    embedded = open_store()
    for store in (server_store, embedded):
        fill(store, flood=FLOOD, bakery=BAKERY, outage=OUTAGE)
    other = EmbeddedSeedIndex(embedded, words_encoder, "main", None)
    for question in QUESTIONS:
        for here, there in (
            (index.search_passages(question, 50), other.search_passages(question, 50)),
            (index.search_events(question, 50), other.search_events(question, 50)),
        ):
            assert {hit.id: hit.cosine for hit in here} == pytest.approx(
                {hit.id: hit.cosine for hit in there}, abs=2e-6
            )
            assert {hit.id for hit in here if hit.words > 0} == {hit.id for hit in there if hit.words > 0}
            assert sorted((hit.score for hit in here), reverse=True) == [hit.score for hit in here]
            best = {hit.id for hit in there if hit.score == there[0].score}
            assert here[0].id in best


def test_hits_are_fused_by_reciprocal_rank_and_ties_go_by_id(server_store, fill, index) -> None:
    fill(server_store, **{f"d{number}": [f"The {word} fell."] for number, word in enumerate(("crane", "tree", "wall"))})
    hits = index.search_passages("crane", 3)
    assert hits[0].words > 0
    assert hits[0].score == pytest.approx(1 / 61 + 1 / 61)
    assert hits[0].cosine == max(hit.cosine for hit in hits)
    fill(server_store, **{f"e{number}": ["The mast broke.", f"Note {number}."] for number in range(40)})
    masts = [hit for hit in index.search_passages("mast", 200) if hit.words > 0]
    assert len(masts) == 40
    assert len({(hit.score, hit.id) for hit in masts}) == 40
    assert ids(masts) == sorted(ids(masts))
    assert ids(index.search_passages("mast", 7)) == ids(masts)[:7]


@pytest.mark.parametrize("exact", [True, False])
def test_another_collection_never_shows_and_never_hides(
    server_store, fill, index, monkeypatch: pytest.MonkeyPatch, exact: bool
) -> None:
    if not exact:
        monkeypatch.setattr(neo4j_seed_index, "EXACT_MEMBERS", 0)
    fill(server_store, flood=FLOOD)
    alone = [hit.id for hit in index.search_passages("release of water", 10)]
    crowd = [f"{{The release of water}} led to {{a rise {number}}}." for number in range(700)]
    fill(server_store, "crowd", crowd=crowd)
    assert set(ids(index.search_passages("release of water", 10))) == set(alone)
    assert len(alone) == 3
    found = index.search_events("release of water", 10)
    assert {event.collection for event in server_store.events("main", ids(found)).values()} == {"main"}
    assert len(found) == len(server_store.event_ids("main"))
    assert all(hit.words > 0 for hit in found if "water" in server_store.event("main", hit.id).description)


def test_words_are_found_behind_many_better_ones_of_another_collection(server_store, fill, index) -> None:
    fill(server_store, flood=FLOOD)
    fill(server_store, "crowd", crowd=[f"Water {number}." for number in range(700)])
    assert [hit.words > 0 for hit in index.search_passages("water", 3)] == [True, True, False]


def test_what_is_found_by_words_alone_has_its_cosine(server_store, fill, index, words_encoder) -> None:
    far = "The anemometer stood beside " + " ".join(f"thing{number}" for number in range(60)) + "."
    fill(server_store, far=[far], near=[f"wall wall wall {number}" for number in range(130)])
    question = "wall wall wall anemometer"
    (passage,) = server_store.passages_of("main", Document.id_of(far))
    (hit,) = (hit for hit in index.search_passages(question, 100) if hit.id == passage.id)
    expected = words_encoder.encode_query(question)[0] @ words_encoder.encode_passages([far])[0]
    assert hit.cosine == pytest.approx(float(expected), abs=2e-6)


def test_a_few_of_many_neighbours_are_compared_one_by_one(
    server_store, fill, index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neo4j_seed_index, "EXACT_MEMBERS", 0)
    monkeypatch.setattr(neo4j_seed_index, "WIDEST", 300)
    fill(server_store, flood=FLOOD)
    fill(
        server_store, "crowd", crowd=[f"{{The release of water}} led to {{a rise {number}}}." for number in range(900)]
    )
    hits = index.search_passages("release of water", 3)
    assert len(hits) == 3 and all(hit.cosine != 0.0 for hit in hits)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_never_reaches_the_syntax_of_the_index(server_store, fill, index, text: str) -> None:
    fill(server_store, flood=FLOOD)
    for search in (index.search_passages, index.search_events):
        hits = search(text, 5)
        assert 0 < len(hits) <= 5
        named = {hit.id for hit in hits if hit.words > 0}
        assert bool(named) == ("water" in text)


def test_words_count_by_their_stems_and_question_words_do_not(server_store, fill, index) -> None:
    fill(server_store, bakery=BAKERY)
    assert [hit.words > 0 for hit in index.search_passages("ovens breaking", 2)] == [True, False]
    assert all(hit.words == 0 for hit in index.search_passages("why did that happen", 5))


def test_what_was_committed_is_found_and_what_was_deleted_is_not(server_store, fill, index) -> None:
    assert index.search_passages("bread", 5) == []
    fill(server_store, bakery=BAKERY)
    found = index.search_passages("bread", 5)
    assert len(found) == 2
    (document,) = server_store.documents("main")
    server_store.delete_document("main", document.id)
    assert (index.search_passages("bread", 5), index.search_events("bread", 5)) == ([], [])
    assert index.search_passages("bread", 0) == []


@pytest.mark.parametrize("change", [{"fingerprint": "other-words"}, {"dimension": 8}])
def test_another_encoder_is_refused(server_store, fill, words_encoder, change: dict[str, object]) -> None:
    fill(server_store, bakery=BAKERY)
    other = Neo4jSeedIndex(server_store, replace(words_encoder, **change), "main")
    with pytest.raises(EncoderMismatch):
        other.search_passages("bread", 5)


def test_collections_of_different_encoders_share_the_server(server_store, bundle_of, words_encoder) -> None:
    small = replace(words_encoder, dimension=8)
    server_store.commit_document(bundle_of("a.txt", BAKERY, words_encoder))
    server_store.commit_document(bundle_of("a.txt", BAKERY, small, "small"))
    for encoder, collection in ((words_encoder, "main"), (small, "small")):
        hits = Neo4jSeedIndex(server_store, encoder, collection).search_passages("bread", 5)
        assert len(hits) == 2 and hits[0].cosine > hits[1].cosine


def test_a_vector_without_direction_is_found_by_its_words(server_store, bundle_of, words_encoder, index) -> None:
    bundle = bundle_of("a.txt", BAKERY, words_encoder)
    # The encoder is told by the least passage, so the other one loses its direction.
    row = max(range(2), key=lambda number: bundle.passages[number].id)
    vectors = bundle.passage_vectors.copy()
    vectors[row] = np.zeros_like(vectors[row])
    server_store.commit_document(replace(bundle, passage_vectors=vectors))
    found = {hit.id: hit for hit in index.search_passages("bread oven", 10)}
    lost = found[bundle.passages[row].id]
    assert (lost.cosine, len(found)) == (0.0, 2)
    assert lost.words > 0


@pytest.fixture
def whole_schema(server_store: Neo4jStore) -> Iterator[Neo4jStore]:
    """The store, whose indexes may be dropped; they come back."""
    yield server_store
    from kg.neo4j_schema import MIGRATIONS

    for statements in MIGRATIONS:
        for statement in statements:
            server_store.server.execute(statement)


def test_a_missing_index_is_told(whole_schema: Neo4jStore, fill, index) -> None:
    fill(whole_schema, bakery=BAKERY)
    seen: list[tuple[str, int, int]] = []
    index.refresh(lambda *told: seen.append(told))
    assert seen[-1] == ("index", 100, 100)
    whole_schema.server.execute("DROP INDEX causetrail_event_words")
    with pytest.raises(ServerRefused, match="causetrail_event_words"):
        index.refresh()
