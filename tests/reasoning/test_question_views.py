"""The passages that a question is answered from: three views of it, and its words in common with a passage."""

import threading
from dataclasses import replace

import pytest

from language.questions import read_question
from reasoning.answer import answer
from reasoning.evidence import Quoter
from reasoning.findings import explore
from reasoning.passages import choose_passages
from reasoning.question_views import ALL_RETRIEVAL, RetrievalStages, seed_views
from reasoning.room import Reranker
from reasoning.strategies import STRATEGIES
from reasoning.views import views_of_question
from traversal.deadline import Deadline

WHY = read_question("Why was the footbridge of Arlen closed?")
TEXTS = {
    "bridge.md": "The footbridge of Arlen was closed on Friday.",
    "dam.md": "Gate 2 of the dam opened fully at noon.",
    "school.md": "Pupils of the school sang in the hall.",
    "bakery.md": "The bakery sold out of bread.",
}


@pytest.fixture
def room(shelf, text):
    return shelf.room(*(text(source, words) for source, words in TEXTS.items()))


def read(room, stages=ALL_RETRIEVAL, asked=WHY):
    chosen = choose_passages(asked, room, Quoter(room.store, room.collection), room.reranker, stages)
    sources = {d.id: d.sources[0] for d in room.store.documents(room.collection)}
    return [sources[chosen.passages[hit.id].document_id] for hit in chosen.hits], chosen


@pytest.mark.parametrize(
    ("asked", "causal", "entity", "event"),
    [
        (
            "Why was the footbridge of Arlen closed?",
            "Evidence of what led to the footbridge of Arlen closed.",
            "footbridge Arlen",
            "the footbridge of Arlen closed",
        ),
        (
            "What followed from the strike at the docks?",
            "Evidence of what followed from the strike at the docks.",
            "strike docks",
            "the strike at the docks",
        ),
        (
            "Did the storm cause the flood in Arlen?",
            "Evidence that the storm is the cause of the flood in Arlen.",
            "the storm",
            "the flood in Arlen",
        ),
        (
            "How did the storm lead to the flood?",
            "Evidence that the storm is the cause of the flood.",
            "the storm",
            "the flood",
        ),
    ],
)
def test_a_question_is_seen_in_three_ways(asked, causal, entity, event):
    assert views_of_question(read_question(asked)).each == (causal, entity, event)


@pytest.mark.parametrize("asked", ["What is the length of the bridge?", "What if the dam had held?"])
def test_what_asks_for_no_cause_is_searched_by_its_own_words(room, asked):
    assert views_of_question(read_question(asked)) is None
    assert read(room, asked=read_question(asked))[1].views is None


@pytest.mark.parametrize("place", range(3))
def test_each_view_finds_what_it_alone_is_near_to(room, by_view, place):
    views = views_of_question(WHY)
    seen = replace(room, index=by_view({views.each[place]: "school.md"}, room))
    assert read(seen)[0] == ["school.md"]
    assert read(seen, RetrievalStages(views=False))[0] == (["school.md"] if place == 2 else [])


def test_words_in_common_outweigh_nearness(room, by_view):
    views = views_of_question(WHY)
    near = {views.causal: "school.md", views.event: "bridge.md"}
    seen = replace(room, index=by_view(near, room, {"school.md": 0.9, "bridge.md": 0.5}))
    sources, chosen = read(seen)
    assert sources == ["bridge.md", "school.md"]
    # Three words in common: footbridge, Arlen, closed.
    assert [row[1:] for row in chosen.views["found"]] == [[pytest.approx(0.5 + 3 * 0.2), 0.5, 3], [0.9, 0.9, 0]]
    assert read(seen, RetrievalStages(keyword_boost=False))[0] == ["school.md", "bridge.md"]


def test_without_any_part_the_event_is_searched_as_any_text_is(room):
    sources, chosen = read(room, RetrievalStages(views=False, keyword_boost=False))
    hits = room.index.search_passages(WHY.focus, 12)
    assert chosen.views is None and chosen.hits == hits and sources[0] == "bridge.md"


def test_the_judge_puts_what_the_views_found_in_order(room):
    class FondOfBread:
        fingerprint = "fond"

        def __init__(self):
            self.prompts = {}

        def relevance(self, query, passages):
            return [0.9 if "bread" in passage else 0.1 for passage in passages]

    judged = replace(room, reranker=Reranker("fond", FondOfBread(), 1, dict, threading.Event()))
    sources, chosen = read(judged)
    assert sources[:2] == ["bakery.md", "bridge.md"]
    assert chosen.views["views"] == list(views_of_question(WHY).each)
    assert chosen.judged["read"] == [hit.id for hit in chosen.hits]

    unjudged = replace(STRATEGIES["text-only"], retrieval=RetrievalStages(rerank=False))
    assert "rerank" in {step.step for step in answer(WHY, judged, "text-only").trace}
    assert "rerank" not in {step.step for step in answer(WHY, judged, unjudged).trace}


@pytest.mark.parametrize("place", range(3))
def test_each_view_leads_to_the_events_that_a_question_names(shelf, text, told, says, by_view, place):
    closed, rose = told("the footbridge of Arlen was closed", "closed"), told("the river rose", "rose")
    claim = says(rose, closed)
    room = shelf.room(text("bridge.md", "Then the footbridge of Arlen was closed because the river rose.", (claim,)))
    views = views_of_question(WHY)
    seen = replace(room, index=by_view({views.each[place]: "bridge.md"}, room))
    deadline = Deadline(10)
    found = explore(WHY, seen, deadline, seed_views(WHY))
    assert [seed.event.description for seed in found.focus.seeds] == ["the footbridge of Arlen was closed"]
    assert bool(explore(WHY, seen, deadline).focus.seeds) is (place == 2)


def test_the_trace_tells_views_scores_and_what_was_read(room):
    told = answer(WHY, room, "text-only")
    (step,) = [step.detail for step in told.trace if step.step == "views"]
    assert step["views"] == list(views_of_question(WHY).each)
    assert step["keywords"] == ["footbridge", "Arlen", "closed"]
    assert step["keyword_boost"] == 0.2
    (drafted,) = [one.detail for one in told.trace if one.step == "draft" and one.detail["origin"] == "text"]
    assert [row[0] for row in step["found"]] == [row[0] for row in drafted["passages"]]
    plain = replace(STRATEGIES["text-only"], retrieval=RetrievalStages(views=False, keyword_boost=False))
    assert "views" not in {step.step for step in answer(WHY, room, plain).trace}
