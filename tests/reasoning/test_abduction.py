"""Premises that no document states: assumed only where the evidence does not suffice, and never as a fact."""

from dataclasses import replace

import pytest

from causetrail.errors import PassageTooLong
from causetrail.settings import Settings
from kg.records import DecisionKind, Event, Modality, PassageKind, Polarity, Relation, Stance, Verdict
from models.judge_source import ChosenJudges
from models.judges import Inference
from reasoning.abduction import AbductionStages, abduce
from reasoning.answer import answer
from reasoning.premise_sources import Premise
from reasoning.room import Bench
from reasoning.strategies import STRATEGIES
from tests.conformance.material import decision_of

WHY = "Why did the cellar flood?"


class Scripted:
    """Judges by words: doubles, so that the scores are known."""

    fingerprint = "scripted"

    def __init__(self, causes=(), contradicts=(), near=0.5, suffices=0.9, where="", long=False):
        self.prompts: dict[str, str] = {}
        self.likely = dict(causes)
        self.contradicts = tuple(contradicts)
        self.near = near
        self.suffices = suffices
        self.where = where
        self.long = long

    def causes(self, pairs):
        return [max([value for word, value in self.likely.items() if word in cause] or [0.1]) for cause, _ in pairs]

    def inferences(self, pairs):
        if self.long:
            raise PassageTooLong(tokens=600, model="scripted", limit=512)
        against = [any(word in premise and self.where in told for word in self.contradicts) for told, premise in pairs]
        return [Inference(0.0, 0.5, 0.5) if one else Inference(0.4, 0.1, 0.499) for one in against]

    def relevance(self, query, passages):
        return [self.near for _ in passages]

    def sufficiency(self, pairs):
        return [self.suffices for _ in pairs]


def event(words):
    return Event(
        id=f"e{words}",
        collection="main",
        description=words,
        kind="k",
        polarity=Polarity.AFFIRMED,
        modality=Modality.ACTUAL,
        time_start=None,
        time_end=None,
        time_resolution=None,
        mention_count=1,
        document_count=1,
    )


@pytest.fixture
def room(shelf, text, told):
    """Four happenings of which no cause is told, one of them later than the flood."""
    happened = (
        told("The fuse blew", "blew"),
        told("Lightning struck the mast", "struck"),
        told("the cellar flooded", "flooded", "2020-05-02"),
        told("The tenants moved out", "moved", "2020-05-09"),
    )
    words = "The fuse blew. Lightning struck the mast. Then the cellar flooded. The tenants moved out."
    return shelf.room(text("a.md", words, mentions=happened))


def asked(room, question=WHY, stages=None, **judged):
    judge = Scripted(**judged)
    room = replace(room, bench=Bench("scripted", ChosenJudges(judge, judge, judge, judge), dict))
    recipe = STRATEGIES["abductive"]
    if stages is not None:
        recipe = replace(recipe, validate=lambda draft, material: abduce(draft, material, stages))
    found = answer(question, room, recipe)
    (step,) = [one.detail for one in found.trace if one.step == "abduction"]
    return found, step


def test_the_best_premise_is_assumed_and_said_to_be_in_no_document(room):
    found, step = asked(room, causes={"fuse": 0.8, "Lightning": 0.6})
    assert found.verdict is Verdict.HYPOTHESISED
    assert (
        found.text == "No statement of it was found. Assumed, to complete what they say: "
        "Because the fuse blew, the cellar flooded."
    )
    (premise,) = found.premises
    # Seven tenths of 0.8 and three tenths of 0.5.
    assert (premise.score, premise.plausibility, premise.retrieval, premise.created_at) == (0.506, 0.8, 0.5, None)
    assert found.confidence == 0.43
    assert {one.stance for one in found.evidence} == {Stance.CONTEXT}
    assert found.chains == ()
    assert found.missing == ("No statement was found of why the cellar flooded.",)
    assert step["action"] == "the best premise is assumed"
    assert step["rationale"] == []
    judged = [
        [[one.document_id, one.start, one.end] for one in found.evidence if word in one.quote]
        for word in ("fuse", "flooded")
    ]
    assert [span for spans in judged for span in spans] == step["candidates"][0]["rationale"]


def test_a_premise_that_the_evidence_contradicts_is_rejected(room):
    found, step = asked(room, causes={"fuse": 0.9, "Lightning": 0.8}, contradicts=["fuse"])
    assert [one["contradiction"] for one in step["candidates"]] == [0.5, 0.499]
    assert found.premises[0].premise.startswith("Because lightning struck the mast,")
    found, _ = asked(
        room, causes={"fuse": 0.9, "Lightning": 0.8}, contradicts=["fuse"], stages=AbductionStages(consistency=False)
    )
    assert found.premises[0].premise.startswith("Because the fuse blew,")


def test_where_all_are_contradicted_or_unlikely_nothing_is_assumed(room):
    for judged in ({"contradicts": [""]}, {"causes": {"": 0.49}}):
        found, step = asked(room, **judged)
        assert (found.verdict, found.premises, step["action"]) == (Verdict.INSUFFICIENT, (), "no premise stands")


def test_what_came_later_is_no_candidate(room):
    _, step = asked(room, causes={"": 0.9})
    assert {one["premise"] for one in step["candidates"]} == {
        "Because the fuse blew, the cellar flooded.",
        "Because lightning struck the mast, the cellar flooded.",
    }


@pytest.mark.parametrize("modality", [Modality.PLANNED, Modality.POSSIBLE, Modality.HYPOTHETICAL])
def test_what_is_not_told_as_having_happened_is_no_candidate(shelf, text, told, modality):
    happened = (
        told("The fuse blew", "blew"),
        told("The mast could be struck", "struck", modality=modality),
        told("the cellar flooded", "flooded"),
    )
    words = "The fuse blew. The mast could be struck. Then the cellar flooded."
    _, step = asked(shelf.room(text("a.md", words, mentions=happened)), causes={"": 0.9})
    assert [one["premise"] for one in step["candidates"]] == ["Because the fuse blew, the cellar flooded."]


@pytest.mark.parametrize(
    ("modality", "explained"),
    [(Modality.ACTUAL, 1), (Modality.PLANNED, 1), (Modality.POSSIBLE, 0), (Modality.HYPOTHETICAL, 0)],
)
def test_what_is_merely_possible_is_not_explained(shelf, text, told, modality, explained):
    flooded = told("the cellar flooded", "flooded", modality=modality)
    words = "The fuse blew. Then the cellar flooded."
    room = shelf.room(text("a.md", words, mentions=(told("The fuse blew", "blew"), flooded)))
    assert len(asked(room, causes={"": 0.9})[1]["candidates"]) == explained


def test_chains_that_time_or_fact_keeps_apart_are_not_joined(shelves, text, told, says):
    struck, flooded = told("Lightning struck the mast", "struck"), told("the cellar flooded", "flooded", "2020-05-04")
    stopped = told("the pump stopped", "stopped", "2020-05-02")
    for name, blew in (
        ("late", told("the fuse blew", "blew", "2020-05-03")),
        ("planned", told("the fuse blew", "blew", modality=Modality.PLANNED)),
    ):
        room = shelves(name).room(
            text(f"{name}.md", "Lightning struck the mast, and so the fuse blew.", (says(struck, blew),)),
            text("c.md", "As the pump stopped, the cellar flooded.", (says(stopped, flooded),)),
        )
        question = "How did lightning striking the mast lead to the flooding of the cellar?"
        assert asked(room, question, causes={"": 0.9})[1]["candidates"] == []


def test_what_followed_from_it_is_no_candidate(shelf, text, told, says):
    blew, flooded, melted = (
        told("The fuse blew", "blew"),
        told("the cellar flooded", "flooded"),
        told("The wires melted", "melted"),
    )
    followed = says(flooded, told("The heater shorted", "shorted"))
    further = says(told("the heater shorted", "shorted"), melted)
    room = shelf.room(
        text("a.md", "The fuse blew. Then the cellar flooded. The wires melted.", mentions=(blew, flooded, melted)),
        text("b.md", "The heater shorted because the cellar flooded.", (followed,)),
        text("c.md", "The wires melted because the heater shorted.", (further,)),
    )
    _, step = asked(room, causes={"": 0.9})
    assert [one["premise"] for one in step["candidates"]] == ["Because the fuse blew, the cellar flooded."]


@pytest.mark.parametrize(
    ("cause", "effect", "premise"),
    [
        ("The fuse blew", "the cellar flooded", "Because the fuse blew, the cellar flooded."),
        ("The loss of power", "the cellar flooded", "Because of the loss of power, the cellar flooded."),
        ("The fuse blew", "the flooding of the cellar", "The fuse blew, which led to the flooding of the cellar."),
        ("The loss of power", "the flooding of the cellar", "The loss of power led to the flooding of the cellar."),
        ("the wires to melt", "the cellar flooded", "“the wires to melt” led to “the cellar flooded”."),
    ],
)
def test_a_premise_reads_as_a_sentence(cause, effect, premise):
    assert Premise(event(cause), event(effect), "chains that do not meet", ()).text == premise


def test_evidence_that_suffices_stands(shelf, text, told, says):
    blew, flooded = told("the fuse blew", "blew"), told("the cellar flooded", "flooded")
    room = shelf.room(text("a.md", "At night the cellar flooded because the fuse blew.", (says(blew, flooded),)))
    found, step = asked(room)
    assert (found.verdict, found.premises, step["action"]) == (Verdict.SUPPORTED, (), "the evidence suffices")
    assert step["rationale"] == [[one.document_id, one.start, one.end] for one in found.evidence]


def test_chains_that_do_not_meet_are_joined_by_an_assumption(shelf, text, told, says):
    struck, blew = told("Lightning struck the mast", "struck"), told("the fuse blew", "blew")
    stopped, flooded = told("the pump stopped", "stopped"), told("the cellar flooded", "flooded")
    room = shelf.room(
        text("a.md", "Lightning struck the mast, and so the fuse blew.", (says(struck, blew),)),
        text("c.md", "As the pump stopped, the cellar flooded.", (says(stopped, flooded),)),
    )
    found, step = asked(
        room, "How did lightning striking the mast lead to the flooding of the cellar?", causes={"fuse": 0.9}
    )
    assert [one["from"] for one in step["candidates"]] == ["chains that do not meet"]
    assert found.verdict is Verdict.HYPOTHESISED
    assert found.premises[0].premise == "Because the fuse blew, the pump stopped."


def test_each_stage_can_be_left_out(room):
    found, step = asked(room, causes={"fuse": 0.9}, stages=AbductionStages(generation=False))
    assert (found.verdict, step["candidates"]) == (Verdict.INSUFFICIENT, [])
    found, _ = asked(room, causes={"fuse": 0.9}, near=0.0, stages=AbductionStages(plausibility=False))
    assert found.confidence == 0.43


def test_an_assumption_is_not_in_the_graph(room):
    before = room.store.generation("main")
    asked(room, causes={"fuse": 0.9})
    assert room.store.hypotheses("main") == []
    assert room.store.generation("main") == before


def test_what_the_graph_rules_out_is_not_assumed(shelf, text, told, says):
    blew, flooded = told("The fuse blew", "blew"), told("the cellar flooded", "flooded")
    words = "It was not because The fuse blew that the cellar flooded."
    room = shelf.room(text("a.md", words, (says(blew, flooded, denied=True),)))
    found, step = asked(room, causes={"fuse": 0.9})
    assert (found.verdict, found.premises, step["candidates"]) == (Verdict.INSUFFICIENT, (), [])


def test_a_premise_of_which_nobody_can_say_whether_it_is_contradicted_is_not_assumed(room):
    found, step = asked(room, causes={"fuse": 0.9}, long=True)
    assert {one["contradiction"] for one in step["candidates"]} == {0.5}
    assert (found.verdict, found.premises) == (Verdict.INSUFFICIENT, ())


def test_a_suspicion_that_suffices_stands(shelf, text, told, says):
    blew, flooded = told("the fuse blew", "blew"), told("the cellar flooded", "flooded")
    possible = says(blew, flooded, modality=Modality.POSSIBLE)
    room = shelf.room(text("a.md", "At night the cellar flooded, perhaps because the fuse blew.", (possible,)))
    found, step = asked(room)
    assert (found.verdict, found.premises, step["action"]) == (Verdict.HYPOTHESISED, (), "the evidence suffices")


def test_what_is_stated_stays_in_front_of_what_is_assumed(shelf, text, told, says):
    blew, flooded = told("the fuse blew", "blew"), told("the cellar flooded", "flooded")
    struck = told("Lightning struck the mast", "struck")
    words = "Lightning struck the mast. At night the cellar flooded because the fuse blew."
    room = shelf.room(text("a.md", words, (says(blew, flooded),), mentions=(struck,)))
    found, _ = asked(room, causes={"Lightning": 0.9}, suffices=0.1)
    assert found.verdict is Verdict.HYPOTHESISED
    assert found.text == (
        "The cellar flooded because the fuse blew. By itself that may not explain it. Assumed, in no document: "
        "Because lightning struck the mast, the cellar flooded."
    )


def test_a_premise_that_any_quote_of_the_draft_contradicts_is_rejected(shelf, text, told, says):
    blew, flooded = told("the fuse blew", "blew"), told("the cellar flooded", "flooded")
    struck = told("Lightning struck the mast", "struck")
    words = "Lightning struck the mast. At night the cellar flooded because the fuse blew."
    behind = (says(told("the wire was wet", "wet"), told("The fuse blew", "blew")),)
    room = shelf.room(
        text("a.md", words, (says(blew, flooded),), mentions=(struck,)),
        text("b.md", "The fuse blew because the wire was wet.", behind),
    )
    judged = {"causes": {"Lightning": 0.9}, "suffices": 0.1, "contradicts": ["lightning"]}
    found, _ = asked(room, **judged, where="nowhere")
    assert [one.premise for one in found.premises] == ["Because lightning struck the mast, the cellar flooded."]
    found, step = asked(room, **judged, where="wire")
    assert (found.verdict, found.premises, step["action"]) == (Verdict.SUPPORTED, (), "no premise stands")


def test_a_link_that_a_person_rejected_is_not_proposed_again(room):
    first, _ = asked(room, causes={"fuse": 0.8, "Lightning": 0.6})
    (premise,) = first.premises
    written = premise.model_copy(update={"created_at": "2026-01-01T00:00:00Z"})
    room.store.propose(written)
    again, step = asked(room, causes={"fuse": 0.8, "Lightning": 0.6})
    assert (again.premises, "rejected_by_a_person" in step) == (first.premises, False)
    rejection = decision_of(DecisionKind.REJECT_HYPOTHESIS, premise.id, collection=premise.collection)
    room.store.decide(rejection)
    other, step = asked(room, causes={"fuse": 0.8, "Lightning": 0.6})
    assert other.premises[0].premise.startswith("Because lightning struck the mast,")
    assert step["rejected_by_a_person"] == 1
    room.store.undo(premise.collection, rejection.id)
    assert asked(room, causes={"fuse": 0.8, "Lightning": 0.6})[0].premises == first.premises


@pytest.fixture
def with_precedent(shelf, text, told, says):
    """A flood whose cause is not told, beside a broken pump, and another flood that a broken pump led to."""
    broke, flooded = told("The pump broke down", "broke"), told("the cellar flooded", "flooded", "2020-05-02")
    sang, other = told("The birds sang", "sang"), told("the basement flooded", "flooded", "1999-03-01")
    failed = told("the water pump had broken down", "broken", "1999-03-01")
    return shelf.room(
        text("a.md", "The birds sang. The pump broke down. Then the cellar flooded.", mentions=(sang, broke, flooded)),
        text(
            "b.md",
            "Years before, the basement flooded because the water pump had broken down.",
            (says(failed, other),),
        ),
    )


def test_a_premise_follows_what_the_graph_states_of_other_happenings_and_quotes_it(with_precedent):
    found, step = asked(with_precedent, causes={"pump": 0.7, "birds": 0.6})
    origins = {one["premise"].split(",")[0]: one["from"] for one in step["candidates"]}
    assert origins["Because the pump broke down"] == "after 1 stated of other happenings"
    assert origins["Because the birds sang"] == "told in the same passages"
    assert found.verdict is Verdict.HYPOTHESISED
    quote = "Years before, the basement flooded because the water pump had broken down."
    assert found.text.endswith(f"Of another happening it is told (b.md:1): “{quote}”")
    assert quote in {one.quote for one in found.evidence if one.stance is Stance.CONTEXT}
    without, step = asked(with_precedent, causes={"pump": 0.7}, stages=AbductionStages(precedents=False))
    assert {one["from"] for one in step["candidates"]} == {"told in the same passages"}
    assert quote not in without.text


@pytest.mark.parametrize(
    ("modality", "day"), [(Modality.POSSIBLE, "1999-03-01"), (Modality.ACTUAL, "1999-03-05")], ids=["suspected", "late"]
)
def test_a_precedent_that_is_only_suspected_or_that_its_dates_speak_against_is_none(
    shelf, text, told, says, modality, day
):
    broke, flooded = told("The pump broke down", "broke"), told("the cellar flooded", "flooded", "2020-05-02")
    other = told("the basement flooded", "flooded", "1999-03-01")
    failed = told("the water pump had broken down", "broken", day)
    stated = says(failed, other, modality=modality)
    room = shelf.room(
        text("a.md", "The pump broke down. Then the cellar flooded.", mentions=(broke, flooded)),
        text("b.md", "Perhaps the basement flooded because the water pump had broken down.", (stated,)),
    )
    _, step = asked(room, causes={"pump": 0.7})
    assert {one["from"] for one in step["candidates"]} == {"told in the same passages"}


class Watched:
    """An index that keeps what kinds of passages each text was searched for in."""

    def __init__(self, index):
        self.index = index
        self.encoder = index.encoder
        self.kinds = {}

    def search_passages(self, text, k, kind=None):
        self.kinds.setdefault(text, set()).add(kind)
        return self.index.search_passages(text, k, kind)

    def search_events(self, text, k):
        return self.index.search_events(text, k)


def test_a_premise_is_looked_for_in_what_the_setting_names(room):
    watched = Watched(room.index)
    room = replace(room, index=watched, settings=Settings(knowledge="passages"))
    found, _ = asked(room, causes={"fuse": 0.8})
    (premise,) = found.premises
    assert watched.kinds[premise.premise] == {PassageKind.PROSE}


@pytest.fixture
def with_rule(shelf, text, told):
    """A press that started, beside three things told, one of which a manual says that it takes."""
    shut, rang = told("The guard was shut", "shut"), told("The phone rang", "rang")
    started = told("the press started", "started", "2020-05-02")
    return shelf.room(
        text("a.md", "The phone rang. The guard was shut. Then the press started.", mentions=(rang, shut, started)),
        text("manual.md", "The press cannot start unless the guard is shut."),
    )


def test_what_documents_tell_that_it_takes_is_assumed_first_and_the_rule_is_quoted(with_rule):
    why, rule = "Why did the press start?", "The press cannot start unless the guard is shut."
    found, step = asked(with_rule, why, causes={"": 0.7})
    assert [one["from"] for one in step["candidates"]] == ["a precondition", "told in the same passages"]
    assert found.verdict is Verdict.HYPOTHESISED
    assert found.text == (
        "No statement of it was found. Assumed, to complete what they say: "
        "Because the guard was shut, the press started. "
        f"What it takes is told (manual.md:1): “{rule}”"
    )
    assert rule in {one.quote for one in found.evidence if one.stance is Stance.CONTEXT}
    without, step = asked(with_rule, why, causes={"": 0.7}, stages=AbductionStages(preconditions=False))
    assert {one["from"] for one in step["candidates"]} == {"told in the same passages"}
    assert rule not in without.text


def test_a_precondition_that_the_rule_contradicts_is_rejected(with_rule):
    _, step = asked(with_rule, "Why did the press start?", causes={"": 0.7}, contradicts=["guard was"], where="unless")
    assert step["candidates"][0]["contradiction"] == 0.5


def test_what_is_told_not_to_have_been_so_is_a_precondition_where_it_would_have_kept_it_off(shelf, text, told, says):
    open_, flooded = told("The drain was not open", "open", denied=True), told("the cellar flooded", "flooded")
    prevented = says(
        told("the drain was open", "open", "1999-03-01"),
        told("the basement flooded", "flooded", "1999-03-01"),
        Relation.PREVENTS,
    )
    room = shelf.room(
        text("a.md", "The drain was not open. Then the cellar flooded.", mentions=(open_, flooded)),
        text(
            "b.md",
            "Years before, the drain was open, so that it was not the case that the basement flooded.",
            (prevented,),
        ),
    )
    found, step = asked(room, causes={"": 0.7})
    assert [one["from"] for one in step["candidates"]] == ["a precondition"]
    assert found.premises[0].premise == "Because the drain was not open, the cellar flooded."
    _, step = asked(room, causes={"": 0.7}, stages=AbductionStages(preconditions=False))
    assert step["candidates"] == []


@pytest.fixture
def told_apart(shelf, text, told):
    """A flood told beside a phone that rang; what broke is told in a document of it that is not read first."""
    rang, flooded = told("The phone rang", "rang"), told("the cellar flooded", "flooded", "2020-05-02")
    broke = told("The water main broke near the mast", "broke")
    witnesses = [text(f"w{n}.md", f"Why did the cellar flood? Witness {n} cannot say.") for n in range(11)]
    return shelf.room(
        text("a.md", "The phone rang. Then the cellar flooded.", mentions=(rang, flooded)),
        text(
            "b.md",
            "Log of the works: a call came about the street. The water main broke near the mast. The shelves of "
            "the archive were counted, and the clerk put the list away. It is noted that the cellar flooded.",
            mentions=(broke, flooded),
        ),
        *witnesses,
    )


def test_where_no_premise_stands_more_are_proposed_from_passages_near_the_best_rejected_one(told_apart):
    found, step = asked(told_apart, causes={"main": 0.8, "phone": 0.3})
    assert [one["premise"] for one in step["candidates"]] == ["Because the phone rang, the cellar flooded."]
    again = step["again"]
    assert again["query"] == "Because the phone rang, the cellar flooded."
    assert [(one["premise"], one["from"]) for one in again["candidates"]] == [
        (
            "Because the water main broke near the mast, the cellar flooded.",
            "told in passages near a premise that was rejected",
        )
    ]
    assert found.premises[0].premise == again["candidates"][0]["premise"]
    alone = AbductionStages(regeneration=False)
    without, step = asked(told_apart, causes={"main": 0.8, "phone": 0.3}, stages=alone)
    assert (without.premises, "again" in step) == ((), False)
    _, step = asked(told_apart, causes={"main": 0.8, "phone": 0.7})
    assert "again" not in step


def test_nothing_is_assumed_to_have_led_to_itself_or_its_like(shelf, text, told):
    words = "The fire was put out. The fuse blew. A fire at the mill was reported."
    room = shelf.room(
        text(
            "a.md",
            words,
            mentions=(told("The fire", "fire"), told("fuse blew", "blew"), told("A fire at the mill", "fire")),
        )
    )
    _, step = asked(room, "Why was there a fire at the mill?", causes={"": 0.7})
    assert [one["premise"] for one in step["candidates"]] == ["Fuse blew, which led to a fire at the mill."]
