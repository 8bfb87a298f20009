"""Every saved query on the example graph: it gives rows, starts at an index, and says what it says it says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest
from browser_page import QUERIES
from take_pictures import CHECKOUT, EXPLOSION, FOOTBRIDGE, HORN, OVERHEATING, POOL, Choice

from causetrail import Causetrail
from causetrail.settings import Settings
from causetrail.stores import copy_store
from tests.neo4j.server import Neo4jTestServer
from tests.neo4j_browser.conftest import COLLECTIONS, Ask

pytestmark = pytest.mark.neo4j

SAVED = {file.stem: file.read_text(encoding="utf-8") for file in sorted(QUERIES.glob("*.cypher"))}
ASKED_WITH: dict[str, Choice] = {
    "02-collections": FOOTBRIDGE,
    "03-collection-graph": FOOTBRIDGE,
    "04-find-events": FOOTBRIDGE,
    "05-root-causes": POOL,
    "06-effects": HORN,
    "07-chains-between": FOOTBRIDGE,
    "08-accounts-of-an-event": EXPLOSION,
    "09-evidence-of-edges": EXPLOSION,
    "10-sentences-about-causes": OVERHEATING,
    "11-ruled-out": CHECKOUT,
    "12-contradicted-claims": EXPLOSION,
    "13-documents-that-disagree": EXPLOSION,
    "14-timeline": FOOTBRIDGE,
    "15-hubs": CHECKOUT,
    "16-orphans": CHECKOUT,
    "17-merged-across-documents": CHECKOUT,
    "18-similar-not-merged": FOOTBRIDGE,
    "20-hedged-edges": CHECKOUT,
    "22-most-independent-support": EXPLOSION,
    "23-passages-of-an-event": CHECKOUT,
    "24-search-text": FOOTBRIDGE,
    "25-claims-by-cue": EXPLOSION,
}
NOT_IN_THE_EXAMPLES = {
    "19-near-copies": "no two of the documents are near copies",
    "21-effect-before-cause": "all of their times agree with what is told of causes",
    "26-decisions": "nobody has corrected anything",
    "27-hypotheses": "no premise was proposed",
}
COMMANDS = ["01-choose"]

# Documents with what the examples lack: a near copy, an effect that is dated before its cause, a confirmed suspicion.
RARE = {
    "storm.txt": "The roof of the depot at Lund collapsed on 3 March 2020 because snow had piled up on it. The road to "
    "the depot was closed for two days, and the buses were parked at the harbour until the roof was mended in April.",
    "storm-copy.txt": "The roof of the depot at Lund collapsed on 3 March 2020 because snow had piled up on it. The "
    "road to the depot was closed for two days, and the buses were parked at the harbour until the roof was mended in "
    "May.",
    "reversed.txt": "The power failure on 3 May 2021 was caused by the short circuit on 9 May 2021.",
    "confirmed.txt": "The storm on 2 May 2021 may have caused the landslide on 3 May 2021. The storm on 2 May 2021 "
    "caused the landslide on 3 May 2021.",
}


@pytest.fixture(scope="module")
def rare(example_graph: Neo4jTestServer, ask: Ask, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Name of a collection that holds what the examples lack."""
    folder = tmp_path_factory.mktemp("rare")
    for file, text in RARE.items():
        (folder / file).write_text(text, encoding="utf-8")
    address = f"sqlite:///{folder}/rare.db"
    with Causetrail(address, collection="rare") as trail:
        assert trail.ingest(folder).failed == 0
        (claim, *_) = [claim for claim in trail.claims() if claim.quote.startswith("The roof")]
        trail.reject_claim(claim.id, by="a tester", reason="to see the decision")
    copy_store(address, example_graph.address, settings=Settings(neo4j_password=example_graph.password))
    ask(
        "MATCH (a:Event {collection: 'rare'}), (b:Event {collection: 'rare'}) WHERE a.id < b.id WITH a, b LIMIT 1 "
        "CREATE (a)<-[:WOULD_LINK_CAUSE]-(:Hypothesis {collection: 'rare', id: 'h1', cause: a.id, effect: b.id, "
        "premise: 'Wet snow is heavy.', score: 0.5})-[:WOULD_LINK_EFFECT]->(b)"
    )
    yield "rare"
    ask("MATCH (n) WHERE n.collection = 'rare' OR (n:Meta AND n.id = 'collection/rare') DETACH DELETE n")


def chosen(ask: Ask, choice: Choice) -> dict[str, Any]:
    """What `01-choose` sets, found by the query inside it."""
    command = choice.command()
    query = command[command.index("=> {") + 4 : command.rindex("}")]
    return ask(query).records[0].data()


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["operatorType"].split("@")[0]
    for child in plan.get("children", []):
        yield from operators(child)


def test_every_saved_query_is_tried_here() -> None:
    assert sorted([*ASKED_WITH, *NOT_IN_THE_EXAMPLES, *COMMANDS]) == sorted(SAVED)


@pytest.mark.parametrize("name", SAVED)
def test_a_saved_query_is_a_favourite_with_a_title(name: str) -> None:
    title, note, *_ = SAVED[name].splitlines()
    assert title.startswith(f"// {name[:2]} ")
    assert name == "02-collections" or note.startswith("// ")
    assert SAVED[name].endswith("\n")
    assert ";" not in SAVED[name].split("\n", 2)[2], "the Browser would take it for two statements"


@pytest.mark.parametrize("name", ASKED_WITH)
def test_a_saved_query_gives_rows_of_the_examples(name: str, ask: Ask) -> None:
    assert ask(SAVED[name], **chosen(ask, ASKED_WITH[name])).records


@pytest.mark.parametrize("name", NOT_IN_THE_EXAMPLES)
def test_what_the_examples_lack_is_found_where_it_is(name: str, ask: Ask, rare: str) -> None:
    for collection in COLLECTIONS:
        assert not ask(SAVED[name], collection=collection).records, NOT_IN_THE_EXAMPLES[name]
    assert ask(SAVED[name], collection=rare).records


@pytest.mark.parametrize("name", [name for name in SAVED if name not in COMMANDS])
def test_a_saved_query_starts_at_an_index(name: str, ask: Ask) -> None:
    profile = ask(f"PROFILE {SAVED[name]}", **chosen(ask, ASKED_WITH.get(name, FOOTBRIDGE))).summary.profile
    assert profile is not None
    used = set(operators(profile))
    assert not used & {"AllNodesScan", "NodeByLabelScan", "CartesianProduct"}
    assert not {one for one in used if one.endswith("RelationshipTypeScan")}
    starts = {one for one in used if "Index" in one or one == "ProcedureCall"}
    assert starts
    if name != "02-collections":
        assert "NodeIndexScan" not in starts, "only the overview of all collections looks through a whole index"


@pytest.mark.parametrize("name", [name for name in SAVED if name not in COMMANDS])
def test_a_saved_query_only_reads(name: str, ask: Ask) -> None:
    explained = ask(f"EXPLAIN {SAVED[name]}", **chosen(ask, ASKED_WITH.get(name, FOOTBRIDGE)))
    assert explained.summary.query_type == "r"


def told(result: neo4j.EagerResult, key: str) -> set[str]:
    return {" ".join(str(record[key]).split()) for record in result.records}


def test_root_causes_are_the_ends_of_the_chains(ask: Ask) -> None:
    chains = [record["chain"] for record in ask(SAVED["05-root-causes"], **chosen(ask, POOL)).records]
    roots = {chain.nodes[0]["description"] for chain in chains}
    assert roots == {"migration 418", "A packet loss in the east data centre"}
    ends = {" ".join(chain.nodes[-1]["description"].split()) for chain in chains}
    assert ends == {"the exhaustion of the database connection pool on 12 March 2024"}


def test_the_chain_between_two_events_runs_from_cause_to_effect(ask: Ask) -> None:
    (row,) = ask(SAVED["07-chains-between"], **chosen(ask, FOOTBRIDGE)).records
    chain = row["chain"]
    assert len(chain.relationships) == 6
    assert chain.nodes[0]["description"] == "its float was jammed by ice"
    for link, start, end in zip(chain.relationships, chain.nodes[:-1], chain.nodes[1:], strict=True):
        assert (link.start_node, link.end_node) == (start, end)


def test_the_evidence_of_an_edge_is_verbatim(ask: Ask) -> None:
    rows = ask(SAVED["09-evidence-of-edges"], **chosen(ask, EXPLOSION)).records
    assert [row["verbatim"] for row in rows] == [True] * 3
    assert {(row["polarity"], row["modality"]) for row in rows} == {
        ("affirmed", "actual"),
        ("affirmed", "possible"),
        ("negated", "actual"),
    }
    assert all(row["end"] - row["start"] == len(row["quote"]) for row in rows)


def test_a_contradiction_names_both_documents(ask: Ask) -> None:
    found = ask(SAVED["12-contradicted-claims"], collection="outage")
    assert told(found, "denies") == {"Correction of the note of the network team", "Answer of the payment provider"}
    assert told(found, "says") == {
        "Note of the network team for PM-118",
        "Post-mortem PM-118, checkout failure in March",
    }


def test_documents_that_disagree_are_two(ask: Ask) -> None:
    rows = ask(SAVED["13-documents-that-disagree"], **chosen(ask, EXPLOSION)).records
    pairs = {(row["says"]["doc_title"], row["denies"]["doc_title"]) for row in rows}
    assert ("Statement of the company", "Statement of the union") in pairs
    assert all(says != denies for says, denies in pairs)


def test_what_was_ruled_out_is_told_apart_from_what_was_not(ask: Ask) -> None:
    found = ask(SAVED["11-ruled-out"], collection="outage").records
    assert {row["cause"]["description"] for row in found} == {
        "A memory leak",
        "The packet loss in the east data centre",
        "The payment provider",
    }
    assert {row["edge"]["confidence"] == row["edge"]["p_against"] for row in found} == {True}


def test_the_timeline_is_in_order(ask: Ask) -> None:
    since = [row["since"] for row in ask(SAVED["14-timeline"], collection="plant").records]
    assert len(since) == 10
    assert since == sorted(since)


def test_a_suspected_cause_is_no_told_one_of_the_timeline(ask: Ask) -> None:
    suspected = ask(
        "MATCH (a:Event {collection: 'plant'})-[r:CAUSES]->(b:Event) WHERE r.reads = 'may cause' AND "
        "b.time_start IS NOT NULL RETURN a.description AS event"
    )
    causes = {cause for row in ask(SAVED["14-timeline"], collection="plant").records for cause in row["told_causes"]}
    assert told(suspected, "event") == {"Lightning"}
    assert causes
    assert "Lightning" not in causes


def test_orphans_are_plans_without_weight(ask: Ask) -> None:
    rows = ask(SAVED["16-orphans"], collection="outage")
    assert told(rows, "event") == {"The retention job will be changed", "it keeps logs for 30 days"}
    assert told(rows, "modality") == {"planned"}


def test_a_merge_is_explained_by_what_the_mentions_share(ask: Ask) -> None:
    rows = ask(SAVED["17-merged-across-documents"], collection="outage").records
    assert {row["documents"] for row in rows} == {2, 3}
    assert all("time from 2024-03-12T00:00:00Z" in row["why"] for row in rows)


def test_hedged_edges_are_suspicions_only(ask: Ask) -> None:
    rows = ask(SAVED["20-hedged-edges"], collection="outage").records
    assert {row["edge"]["reads"] for row in rows} == {"may cause", "may come before"}
    claims = [node for row in rows for node in row["told"].nodes if "Claim" in node.labels]
    assert claims
    assert all("Hedged" in claim.labels for claim in claims)


def test_a_suspicion_that_was_confirmed_is_no_hedged_edge(ask: Ask, rare: str) -> None:
    claims = ask("MATCH (c:Claim {collection: $collection}) WHERE c.modality = 'possible' RETURN c", collection=rare)
    assert len(claims.records) == 1
    assert not ask(SAVED["20-hedged-edges"], collection=rare).records


def test_the_overview_counts_every_collection(ask: Ask) -> None:
    rows = {row["collection"]: row.data() for row in ask(SAVED["02-collections"]).records}
    assert {name: rows[name]["documents"] for name in COLLECTIONS} == {"flood": 8, "outage": 11, "plant": 9}
    assert all(row[kind] for row in rows.values() for kind in ("mentions", "claims", "events", "edges"))


def test_the_words_of_a_choice_find_its_events(ask: Ask) -> None:
    parameters = chosen(ask, FOOTBRIDGE)
    named = ask(
        "MATCH (e:Event {collection: $collection, id: $event}) MATCH (c:Event {collection: $collection, id: $cause}) "
        "RETURN e.description, c.description",
        **parameters,
    )
    event, cause = named.records[0]
    assert "council closed the footbridge" in event
    assert cause == "its float was jammed by ice"


def test_the_folder_holds_nothing_but_queries() -> None:
    assert {file.suffix for file in Path(QUERIES).iterdir()} == {".cypher"}
