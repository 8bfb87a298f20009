"""The real page of the Neo4j Browser, with the style and the saved queries of the tutorial."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browser_page import QUERIES, STYLE, BrowserPage, BrowserRefused, GraphShown, Login
from PIL import Image
from playwright.sync_api import TimeoutError as NothingCame
from take_pictures import CHECKOUT, EXPLOSION, FOOTBRIDGE, HORN, OVERHEATING, PICTURES, PICTURES_TAKEN, Picture, take

from tests.neo4j.server import Neo4jTestServer

pytestmark = [pytest.mark.neo4j, pytest.mark.browser, pytest.mark.slow]

EVENT, CLAIM, HEDGED, DENIED, DOCUMENT = "#1C6FB5", "#3F9C80", "#FFE3A3", "#FFF5F5", "#5B6472"
CAUSES, RULED_OUT = "#9CC3F0", "#FF8A80"


@pytest.fixture(scope="module")
def styled(browser: BrowserPage) -> BrowserPage:
    """The page with the style of the tutorial."""
    browser.load_style()
    return browser


def shown(browser: BrowserPage, query: str, choice: str) -> GraphShown:
    browser.run(choice)
    return browser.graph(browser.run_saved(query))


def shows(caption: str, text: str) -> bool:
    """Whether a caption is a text, or as much of it as there was room for in the fonts of the machine."""
    begin, cut, _ = caption.partition("…")
    return caption == text or bool(cut and begin and text.startswith(begin))


def test_a_wrong_password_is_not_let_in(browser: BrowserPage, example_graph: Neo4jTestServer) -> None:
    other = browser.page.context.browser
    assert other is not None
    page = other.new_page()
    page.set_default_timeout(5_000)
    login = Login(f"http://127.0.0.1:{example_graph.http_port}", example_graph.user, "not this one")
    with pytest.raises(NothingCame):
        BrowserPage(page).log_in(login)
    page.close()


def test_the_style_is_taken_whole(styled: BrowserPage) -> None:
    kept = styled.style()
    rules = [line.removesuffix(" {") for line in STYLE.read_text(encoding="utf-8").splitlines() if line.endswith("{")]
    assert list(kept) == rules
    assert kept["node.Event"]["caption"] == "{description}"
    assert kept["relationship.RULED_OUT"] == {
        "color": RULED_OUT,
        "shaft-width": "14px",
        "font-size": "9px",
        "text-color-internal": "#1F2937",
        "caption": "ruled out {confidence}",
    }


def test_events_are_sized_by_the_documents_that_tell_of_them(styled: BrowserPage) -> None:
    graph = shown(styled, "11-ruled-out", CHECKOUT.command())
    for description, radius in (
        ("A memory leak", 58),
        ("the exhaustion of the database connection pool on 12 March 2024", 68),
        ("the slow query on the orders table on 12 March 2024", 82),
    ):
        assert [node["radius"] for node in graph["nodes"] if shows(node["caption"], description)] == [radius]
    assert {node["color"] for node in graph["nodes"]} == {EVENT}


def test_told_suspected_and_ruled_out_causes_are_told_apart(styled: BrowserPage) -> None:
    graph = shown(styled, "08-accounts-of-an-event", EXPLOSION.command())
    for caption, colour in (("causes 0.95", CAUSES), ("may cause 0.46", CAUSES), ("ruled out 0.85", RULED_OUT)):
        assert any(shows(one["caption"], caption) and one["color"] == colour for one in graph["relationships"])
    assert ("maybe caused", HEDGED) in {(node["caption"], node["color"]) for node in graph["nodes"]}


def test_denied_claims_and_events_are_seen_as_such(styled: BrowserPage) -> None:
    claims = shown(styled, "10-sentences-about-causes", OVERHEATING.command())["nodes"]
    colours = [node["color"] for node in claims]
    assert {colour: colours.count(colour) for colour in set(colours)} == {EVENT: 4, CLAIM: 2, DENIED: 1, DOCUMENT: 3}
    assert {node["caption"] for node in claims if node["color"] == DENIED} == {"not caused"}
    events = shown(styled, "06-effects", HORN.command())["nodes"]
    (denied,) = (node["caption"] for node in events if node["color"] == DENIED)
    assert shows(denied, "The gas alarm in the reactor hall did not sound on 14 June 2022")


def test_hypotheses_have_a_colour_of_their_own(styled: BrowserPage) -> None:
    styled.run(FOOTBRIDGE.command())
    frame = styled.run(
        "MATCH (cause:Event {collection: $collection, id: $cause}) "
        "MATCH (effect:Event {collection: $collection, id: $event}) "
        "CREATE (h:Hypothesis {collection: $collection, id: 'h1', premise: 'Ice blocks floats.'}) "
        "CREATE link = (cause)<-[:WOULD_LINK_CAUSE]-(h)-[:WOULD_LINK_EFFECT]->(effect) RETURN link"
    )
    graph = styled.graph(frame)
    styled.run("MATCH (h:Hypothesis {collection: $collection, id: 'h1'}) DETACH DELETE h")
    (purple,) = (node["color"] for node in graph["nodes"] if shows(node["caption"], "Ice blocks floats."))
    assert purple == "#8B4FCF"
    assert {(one["caption"], one["color"]) for one in graph["relationships"]} == {("from", purple), ("to", purple)}


def test_a_chain_is_drawn_with_all_of_its_events(styled: BrowserPage) -> None:
    graph = shown(styled, "07-chains-between", FOOTBRIDGE.command())
    assert len(graph["nodes"]) == 7
    assert len(graph["relationships"]) == 6
    assert any(node["caption"].startswith("The council closed the footbridge") for node in graph["nodes"])


def test_a_query_without_its_parameters_is_an_error_that_is_seen(styled: BrowserPage) -> None:
    styled.run(":params {}")
    with pytest.raises(BrowserRefused, match="collection"):
        styled.run_saved("14-timeline")


def test_the_saved_queries_become_favourites(browser: BrowserPage) -> None:
    browser.load_favourites()
    titles = {file.read_text(encoding="utf-8").splitlines()[0].removeprefix("// ") for file in QUERIES.iterdir()}
    assert set(browser.favourites()) == titles


@pytest.mark.parametrize("picture", PICTURES_TAKEN, ids=lambda picture: picture.file)
def test_a_picture_can_be_taken_again(picture: Picture, styled: BrowserPage, tmp_path: Path) -> None:
    with Image.open(take(styled, picture, tmp_path)) as taken, Image.open(PICTURES / picture.file) as kept:
        assert taken.size == kept.size
        assert len(taken.convert("RGB").resize((60, 40)).getcolors(2_400) or []) > 20


def test_the_pictures_of_the_tutorial_are_all_taken_here_and_small() -> None:
    files = list(PICTURES.iterdir())
    assert {file.name for file in files} == {picture.file for picture in PICTURES_TAKEN}
    assert sum(file.stat().st_size for file in files) < 700_000


def test_no_other_host_is_reached(browser: BrowserPage) -> None:
    assert browser.reached
    assert {urlsplit(url).hostname for url in browser.reached} == {"127.0.0.1"}
