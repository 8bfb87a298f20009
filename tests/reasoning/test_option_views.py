"""The passages that an option is judged by: three views, words in common, and a judge that picks what is read."""

import threading
from dataclasses import replace

import pytest

from causetrail.settings import Settings
from reasoning.evidence import Quoter
from reasoning.option_views import read_views
from reasoning.question_views import ALL_RETRIEVAL, RetrievalStages
from reasoning.room import Reranker
from reasoning.views import views_of

EVENT = "the council closed the footbridge"
OPTION = "Gate 2 of the Arlen dam opened fully."
TEXTS = {
    "dam.md": "Gate 2 of the Arlen dam opened fully at noon.",
    "dam-history.md": "The dam was built by a company from the capital.",
    "bridge.md": "The footbridge was closed by the council on Friday.",
    "school.md": "Pupils of the school sang in the hall.",
    "bakery.md": "The bakery sold out of bread.",
}


class Fond:
    """A judge of relevance that likes one word: a double, so that its picks are known."""

    fingerprint = "fond"

    def __init__(self, word):
        self.prompts: dict[str, str] = {}
        self.word = word
        self.queries: list[str] = []

    def relevance(self, query, passages):
        self.queries.append(query)
        return [0.9 if self.word in passage else 0.1 for passage in passages]


@pytest.fixture
def room(shelf, text):
    return shelf.room(*(text(source, words) for source, words in TEXTS.items()))


def read(room, stages=ALL_RETRIEVAL):
    quoter = Quoter(room.store, room.collection)
    chosen = read_views(views_of(EVENT, OPTION), room, quoter, stages)
    sources = {d.id: d.sources[0] for d in room.store.documents(room.collection)}
    return [sources[chosen.passages[hit.id].document_id] for hit in chosen.hits], chosen


def judged(room, word):
    judge = Fond(word)
    return judge, replace(room, reranker=Reranker("fond", judge, 1, dict, threading.Event()))


def test_the_views_name_the_option_as_the_cause_by_itself_and_the_event():
    assert views_of(EVENT + ".", OPTION).each == (
        "Evidence that Gate 2 of the Arlen dam opened fully is the cause of the council closed the footbridge.",
        OPTION,
        EVENT + ".",
    )


def test_the_words_of_the_option_count_beside_nearness(room):
    sources, chosen = read(room)
    assert sources[0] == "dam.md" and len(sources) == 2
    hit = chosen.hits[0]
    assert hit.words >= 4
    assert hit.score == pytest.approx(hit.cosine + 0.2 * hit.words, abs=1e-6)
    assert hit.cosine == pytest.approx(
        max(
            found.cosine
            for view in views_of(EVENT, OPTION).each
            for found in room.index.search_passages(view, 10)
            if found.id == hit.id
        )
    )


def test_what_the_event_alone_is_near_to_is_found_too(room):
    found = dict(read(room)[1].judged["found"])
    passages = room.store.passages("main", list(found))
    texts = {room.store.document_text("main", passages[id_].document_id): score for id_, score in found.items()}
    assert texts.keys() == set(TEXTS.values())
    assert texts[TEXTS["bridge.md"]] > texts[TEXTS["bakery.md"]]


def test_the_judge_picks_what_is_read(room):
    judge, asked = judged(room, "bakery")
    sources, chosen = read(asked)
    assert sources[0] == "bakery.md" and sources[1] == "dam.md"
    assert set(judge.queries) == {views_of(EVENT, OPTION).causal}
    assert chosen.judged["by"] == "fond"


def test_an_empty_collection_gives_nothing_to_read(shelf):
    assert read(shelf.room())[0] == []


def test_an_option_is_looked_for_in_what_the_setting_names(room):
    assert read(replace(room, settings=Settings(knowledge="passages")))[0] == read(room)[0]
    assert read(replace(room, settings=Settings(knowledge="pairs")))[0] == []


@pytest.mark.parametrize("place", range(3))
def test_each_view_finds_what_it_alone_is_near_to(room, by_view, place):
    views = views_of(EVENT, OPTION)
    asked = replace(room, index=by_view({views.each[place]: "school.md"}, room))
    assert read(asked)[0] == ["school.md"]


def test_each_part_of_the_search_can_be_left_out(room, by_view):
    views = views_of(EVENT, OPTION)
    seen = replace(room, index=by_view({views.entity: "school.md", views.causal: "bakery.md"}, room))
    assert read(seen, RetrievalStages(views=False))[0] == ["bakery.md"]
    near = by_view({views.entity: "dam.md", views.event: "school.md"}, room, {"dam.md": 0.5, "school.md": 0.9})
    assert read(replace(room, index=near))[0] == ["dam.md", "school.md"]
    assert read(replace(room, index=near), RetrievalStages(keyword_boost=False))[0] == ["school.md", "dam.md"]
    judge, ranked = judged(replace(room, index=near), "Pupils")
    assert read(ranked)[0][0] == "school.md"
    assert read(ranked, RetrievalStages(rerank=False))[0][0] == "dam.md"
    assert len(judge.queries) == 2
