"""Answers whose gaps are searched for once more."""

from dataclasses import replace

import pytest

from causetrail.settings import Settings
from kg.records import Mode, Stance, Verdict
from models.judge_source import ChosenJudges
from reasoning.answer import answer
from reasoning.gap_filling import GapStages, fill_gaps
from reasoning.room import Bench
from reasoning.strategies import STRATEGIES

ROSE = "The river rose by four metres because the Arlen dam released water."
WHY = "Why did the council close the footbridge?"


class Silent:
    """A judge that finds nothing: these gaps need none."""

    fingerprint = "silent"

    def __init__(self):
        self.prompts: dict[str, str] = {}

    def sufficiency(self, pairs):
        return [0.0 for _ in pairs]

    def relevance(self, query, passages):
        return [0.0 for _ in passages]


def distractors(text):
    """More passages about footbridges and councils than one search reads."""
    towns = [
        "Oslo",
        "Bergen",
        "Narva",
        "Lund",
        "Turku",
        "Vaasa",
        "Espoo",
        "Kotka",
        "Oulu",
        "Riga",
        "Tartu",
        "Malmo",
        "Gent",
    ]
    return [
        text(f"{town}.md", f"The council of {town} painted the footbridge and may close the road.") for town in towns
    ]


def asked(room, question, stages=None):
    judge = Silent()
    room = replace(room, bench=Bench("silent", ChosenJudges(judge, judge, judge, judge), dict))
    recipe = STRATEGIES["gap-filling"]
    if stages is not None:
        recipe = replace(recipe, validate=lambda draft, material: fill_gaps(draft, material, stages))
    found = answer(question, room, recipe)
    (step,) = [one.detail for one in found.trace if one.step == "gaps"]
    return found, step


@pytest.fixture
def flood(shelf, text, told, says):
    """A chain of one link, and the passage that tells what is behind it; the graph has no claim of that."""
    closed, rose = told("the council closed the footbridge", "closed"), told("the river rose by four metres", "rose")
    return shelf.room(
        text(
            "a.md",
            "On Monday the council closed the footbridge because the river rose by four metres.",
            (says(rose, closed),),
        ),
        text("z.md", ROSE),
        *distractors(text),
    )


def test_a_gap_query_finds_the_missing_passage(flood):
    plain = answer(WHY, flood)
    read = [step.detail["passages"] for step in plain.trace if step.step == "draft" and "passages" in step.detail]
    sources = {d.id: d.sources[0] for d in flood.store.documents("main")}
    passages = flood.store.passages("main", [id_ for id_, _ in read[0]])
    assert "z.md" not in {sources[one.document_id] for one in passages.values()}
    assert plain.missing == ("No statement was found of why the river rose by four metres.",)

    found, step = asked(flood, WHY)
    (gap,) = step["gaps"]
    assert (gap["kind"], gap["filled"], step["judge"]) == ("root", ROSE, True)
    assert (found.verdict, found.mode, found.missing) == (Verdict.SUPPORTED, Mode.MIXED, ())
    assert found.text == f"{plain.text} Behind it, found by a second search: {ROSE}"
    assert [one.source for one in found.evidence] == ["a.md", "z.md"]
    assert found.chains == plain.chains
    assert found.confidence < plain.confidence
    places = [[one.document_id, one.start, one.end] for one in found.evidence]
    assert (step["rationale"], gap["quotes"]) == (places[:1], places[1:])
    assert gap["read_by"] == {"rule": "a cue of the sentence states it as a fact"}


def test_the_same_search_without_reasoning_finds_nothing_new(flood):
    plain = answer(WHY, flood)
    for stages in (GapStages(reasoning=False), GapStages(search=False)):
        found, _ = asked(flood, WHY, stages)
        assert (found.text, found.missing, found.mode) == (plain.text, plain.missing, Mode.GRAPH)


def test_a_passage_bridges_two_chains_that_do_not_meet(shelf, text, told, says):
    first, blew = told("Lightning struck the mast", "struck"), told("the fuse blew", "blew")
    stopped, flooded = told("the pump stopped", "stopped"), told("the cellar flooded", "flooded")
    room = shelf.room(
        text("a.md", "Lightning struck the mast, and so the fuse blew.", (says(first, blew),)),
        text("b.md", "The pump stopped because the fuse blew."),
        text("c.md", "The pump had grease. As the pump stopped, the cellar flooded.", (says(stopped, flooded),)),
    )
    question = "How did lightning striking the mast lead to the flooding of the cellar?"
    assert answer(question, room, "causal-graph").verdict is Verdict.INSUFFICIENT
    found, step = asked(room, question)
    assert [gap["kind"] for gap in step["gaps"]] == ["bridge"]
    assert (found.verdict, found.mode) == (Verdict.SUPPORTED, Mode.MIXED)
    assert [one.source for one in found.evidence] == ["a.md", "b.md", "c.md"]
    assert len(found.chains) == 2
    assert {one.stance for one in found.evidence} == {Stance.FOR}


@pytest.mark.parametrize(("confidence", "kinds"), [(0.9, ["root"]), (0.4, [])])
def test_a_cause_that_the_graph_explains_too_uncertainly_is_no_gap(confidence, kinds, shelf, text, told, says):
    closed, rose = told("the council closed the footbridge", "closed"), told("the river rose", "rose")
    behind = says(told("the dam released water", "released"), told("The river rose", "rose"), confidence=confidence)
    room = shelf.room(
        text("a.md", "Then the council closed the footbridge because the river rose.", (says(rose, closed),)),
        text("b.md", "The river rose because the dam released water.", (behind,)),
    )
    found, step = asked(room, WHY)
    assert len(found.chains[0].edges) == 1 + len(kinds)
    assert [gap["kind"] for gap in step["gaps"]] == kinds


def test_what_is_not_found_stays_missing(shelf, text, told, says):
    closed, rose = told("the council closed the footbridge", "closed"), told("the river rose", "rose")
    room = shelf.room(
        text("a.md", "Then the council closed the footbridge because the river rose.", (says(rose, closed),))
    )
    found, step = asked(room, WHY)
    assert step["gaps"][0]["filled"] == ""
    assert found.missing == ("No statement was found of why the river rose.",)
    assert found.mode is Mode.GRAPH


def test_a_word_that_nothing_read_speaks_of_is_searched_for(shelf, text):
    found, step = asked(shelf.room(*distractors(text)), "Why did the mayor of Oslo resign?")
    assert [(gap["kind"], gap["query"], gap["filled"]) for gap in step["gaps"]] == [("words", "mayor resign", "")]
    assert step["thought"] == "Nothing that was found speaks of “mayor” or “resign”."
    assert found.verdict is Verdict.INSUFFICIENT


def test_nothing_is_missing_of_a_contradiction(shelf, text):
    room = shelf.room(text("a.md", "The storm did not cause the fire."))
    found, step = asked(room, "Did the storm cause the fire?")
    assert (found.verdict, step["judge"], step["thought"]) == (
        Verdict.CONTRADICTED,
        False,
        "Nothing that was asked is missing.",
    )


def test_a_gap_whose_query_the_encoder_cannot_read_stays_missing(shelf, text, told, says):
    corridor = "the fuse of the " + "very " * 280 + "long corridor blew"
    tunnel = "the pump of the " + "very " * 280 + "deep tunnel stopped"
    first, blew = told("Lightning struck the mast", "struck"), told(corridor, "blew")
    stopped, flooded = told(tunnel, "stopped"), told("the cellar flooded", "flooded")
    room = shelf.room(
        text("a.md", f"Lightning struck the mast, and so {corridor}.", (says(first, blew),)),
        text("c.md", f"It was late. As {tunnel}, the cellar flooded.", (says(stopped, flooded),)),
    )
    found, step = asked(room, "How did lightning striking the mast lead to the flooding of the cellar?")
    assert found.verdict is Verdict.INSUFFICIENT and step["judge"] and step["gaps"] == []
    (warning,) = [one.detail for one in found.trace if one.step == "warning"]
    assert (warning["of"], warning["code"], warning["action"]) == ("gaps", "CT-M003", "a query is left out")


def test_what_is_missing_may_be_longer_than_a_question(flood):
    room = replace(flood, settings=Settings(max_question_characters=41))
    found, step = asked(room, "Why did the council close the footbridge?")
    assert found.verdict is Verdict.SUPPORTED and step["gaps"][0]["filled"] == ROSE
    room = replace(flood, settings=Settings(max_question_characters=28))
    found, step = asked(room, "Why was the footbridge shut?")
    assert found.verdict is Verdict.SUPPORTED and step["gaps"] == []
