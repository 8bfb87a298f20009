"""What would fall without an event or a link, told with the sentences that say what it hangs on."""

import pytest

from causetrail.errors import QuestionEmpty
from kg.records import DecisionKind, Modality, Mode, Relation, Stance, Verdict
from reasoning.answer import answer
from reasoning.what_if import what_if
from tests.conformance.material import decision_of

CLOSED = ("the council closed the footbridge", "closed")
ROSE = ("the river rose by four metres", "rose")
RELEASED = ("the Arlen dam released water", "released")
MELTED = ("the snow melted", "melted")
FLOODED = ("the mill was flooded", "flooded")


def sentence(effect, cause):
    return f"{effect[0][0].upper()}{effect[0][1:]} because {cause[0]}."


@pytest.fixture
def room(shelf, text, told, says):
    """The footbridge was closed because the river rose, of which two causes are told; the mill has one."""

    def link(source, effect, cause, relation=Relation.CAUSES):
        words = sentence(effect, cause)
        claim = says(told(*cause), told(words[: len(effect[0])], effect[1]), relation)
        return text(source, words, (claim,))

    return shelf.room(
        link("a.md", CLOSED, ROSE),
        link("b.md", ROSE, RELEASED),
        link("c.md", ROSE, MELTED, Relation.ENABLES),
        link("d.md", FLOODED, RELEASED),
    )


def test_all_events_that_are_meant_are_named_where_they_are_taken_away(shelf, text, told, says):
    def stopped(source, what, when):
        words = f"{what} stopped because the power failed in {when}."
        power = told(f"the power failed in {when}", "failed")
        return text(source, words, (says(power, told(f"{what} stopped", "stopped")),))

    room = shelf.room(stopped("one.md", "The lifts", "May"), stopped("two.md", "The trams", "June"))
    found = what_if("the power failed", None, room)
    assert len(found.without) == 2
    taken, falls = found.text.split(". ")
    assert taken.startswith("Taken away, by the graph: ")
    assert "“the power failed in May” (one.md:1)" in taken
    assert "“the power failed in June” (two.md:1)" in taken
    assert "the lifts stopped" in falls
    assert "the trams stopped" in falls
    (of_may,) = (what_if(one, None, room) for one in found.without if "May" in one.description)
    assert of_may.text.startswith("Taken away, by the graph: the power failed in May. ")


def words_of(told):
    return {one.event.description.lower() for one in told}


def test_what_has_another_cause_stands_and_the_rest_falls(room):
    found = what_if("the Arlen dam released water", None, room)
    assert found.verdict is Verdict.HYPOTHESISED
    assert words_of(found.fallen) == {FLOODED[0]}
    assert words_of(found.standing) == {ROSE[0]}
    (stands,) = found.standing
    assert [one.evidence.quote for one in stands.lost] == [sentence(ROSE, RELEASED)]
    assert [one.evidence.quote for one in stands.kept] == [sentence(ROSE, MELTED)]
    assert found.text == (
        "Taken away, by the graph: the Arlen dam released water. With no other cause told, these would fall: the mill "
        "was flooded. On other causes, these would stand: the river rose by four metres."
    )
    assert (found.necessary, found.sufficient, found.cut, found.missing) == (None, None, (), ())
    for link in (*stands.lost, *stands.kept):
        held = link.evidence
        assert room.store.document_text("main", held.document_id)[held.start : held.end] == held.quote


def test_necessity_and_sufficiency_are_those_of_the_graph(room):
    dam = what_if("the Arlen dam released water", "the council closed the footbridge", room)
    assert (dam.necessary, dam.sufficient) == (False, True)
    snow = what_if("the snow melted", "the council closed the footbridge", room)
    assert (snow.necessary, snow.sufficient) == (False, False)
    river = what_if("the river rose by four metres", "the council closed the footbridge", room)
    assert (river.necessary, river.sufficient) == (True, True)
    assert [one.evidence.quote for one in river.cut] == [sentence(CLOSED, ROSE)]
    assert "In the sense of the graph the cause is necessary" in river.text


def test_a_cause_is_necessary_as_far_off_as_chains_are_found(shelf, text, told, says):
    steps = [
        "the gate opened",
        "the dam overflowed",
        "the river rose",
        "the water covered the deck",
        "the council acted",
    ]
    verbs = ["opened", "overflowed", "rose", "covered", "acted"]
    documents = []
    for place in range(4):
        (cause, by), (effect, of) = zip(steps[place : place + 2], verbs[place : place + 2], strict=True)
        words = sentence((effect, of), (cause, by))
        documents.append(text(f"{place}.md", words, (says(told(cause, by), told(words[: len(effect)], of)),)))
    room = shelf.room(*documents)
    assert room.settings.hops < 4
    found = what_if(steps[0], steps[4], room)
    assert (found.necessary, found.sufficient) == (True, True)
    assert words_of(found.fallen) >= {steps[4]}


def test_a_direct_link_alone_can_be_taken_away(room):
    found = what_if("the river rose by four metres", "the council closed the footbridge", room, links_only=True)
    assert words_of(found.fallen) == {CLOSED[0]}
    assert [one.id for one in found.without] != [one.event.id for one in found.fallen]
    far = what_if("the snow melted", "the council closed the footbridge", room, links_only=True)
    assert (far.verdict, far.fallen) == (Verdict.INSUFFICIENT, ())
    assert far.missing == (
        "In the graph no link leads from “the snow melted” to “The council closed the footbridge” directly.",
    )


def test_where_the_graph_tells_nothing_nothing_is_guessed(room):
    unrelated = what_if("the snow melted", "the mill was flooded", room)
    assert (unrelated.verdict, unrelated.necessary, unrelated.sufficient) == (Verdict.INSUFFICIENT, None, None)
    assert unrelated.text == "In the graph no way leads from “the snow melted” to “The mill was flooded”."
    unknown = what_if("the mill burned", None, room)
    assert unknown.verdict is Verdict.INSUFFICIENT
    told = "No event of the graph matches “the mill burned”. The nearest of those it holds: “the mill was flooded”, “"
    assert unknown.text.startswith(told)
    last = what_if("the council closed the footbridge", None, room)
    assert last.verdict is Verdict.INSUFFICIENT
    assert last.text == "In the graph nothing follows from “The council closed the footbridge”."
    with pytest.raises(QuestionEmpty):
        what_if(" ", None, room)


def test_an_event_can_be_named_by_itself(room):
    (river,) = what_if("the river rose by four metres", None, room).without
    by_words = what_if("the river rose by four metres", None, room)
    assert what_if(river, None, room) == by_words


def test_what_is_only_possible_or_denied_is_said_to_be(shelf, text, told, says):
    fire, spark = told("The mill burned", "burned"), told("a spark flew", "flew")
    struck = told("lightning struck", "struck")
    room = shelf.room(
        text("a.md", "The mill burned because a spark flew.", (says(spark, fire),)),
        text("b.md", "The mill burned because lightning struck.", (says(struck, fire, modality=Modality.POSSIBLE),)),
        text("c.md", "The mill burned, but not because a spark flew.", (says(spark, fire, denied=True),)),
    )
    found = what_if("a spark flew", "the mill burned", room)
    possible = "Told only as possible (b.md:1): “The mill burned because lightning struck.”"
    denied = "Denied (c.md:1): “The mill burned, but not because a spark flew.”"
    assert found.missing == (denied, possible)
    assert what_if("lightning struck", None, room).missing[-1] == denied


def test_what_was_prevented_is_told(shelf, text, told, says):
    words = "The crew opened the weir. The opening of the weir kept the mill from being flooded."
    claim = says(told("The opening of the weir", "opening"), told("being flooded", "flooded"), Relation.PREVENTS)
    room = shelf.room(text("weir.md", words, (claim,)))
    found = what_if("the opening of the weir", None, room)
    assert (found.fallen, found.standing, found.verdict) == ((), (), Verdict.HYPOTHESISED)
    assert [one.edge.relation for one in found.unprevented] == [Relation.PREVENTS]
    assert found.text.endswith("This would no longer be prevented: being flooded.")


@pytest.mark.parametrize(
    "question",
    [
        "What if the Arlen dam had not released water?",
        "What would have happened had the Arlen dam not released water?",
        "What would have happened without the release of water from the Arlen dam?",
    ],
)
def test_a_question_what_if_is_answered_from_what_would_fall(question, room):
    found = answer(question, room)
    assert (found.verdict, found.mode) == (Verdict.HYPOTHESISED, Mode.GRAPH)
    assert found.text == what_if("the Arlen dam released water", None, room).text
    assert "the mill was flooded" in found.text
    sides = {evidence.quote: evidence.stance for evidence in found.evidence}
    assert sides[sentence(FLOODED, RELEASED)] is Stance.FOR
    # The river rose by the melting of the snow too.
    assert sides[sentence(ROSE, MELTED)] is Stance.CONTEXT
    assert 0 < found.confidence <= 0.9


def test_a_question_what_if_about_one_effect_is_answered_of_that_one(room):
    found = answer("Would the mill have been flooded if the Arlen dam had not released water?", room)
    assert found.verdict is Verdict.HYPOTHESISED and "necessary" in found.text
    assert [evidence.quote for evidence in found.evidence] == [sentence(FLOODED, RELEASED)]
    river = answer("Would the river have risen by four metres without the release of water from the Arlen dam?", room)
    assert "not necessary" in river.text
    assert {evidence.stance for evidence in river.evidence} == {Stance.FOR, Stance.CONTEXT}


@pytest.mark.parametrize(
    "question",
    [
        "What if the Arlen dam had released water twice?",
        "What if the ferry had not sunk?",
        "What if the mill had not been flooded?",
    ],
)
def test_what_nothing_hangs_on_is_not_made_up(question, room):
    found = answer(question, room)
    assert (found.verdict, found.evidence) == (Verdict.INSUFFICIENT, ())


def test_passages_alone_tell_nothing_of_what_if(room):
    assert answer("What if the Arlen dam had not released water?", room, "text-only").verdict is Verdict.INSUFFICIENT


ALARM = ("the gas alarm did not sound", "sound")
DELAYED = ("the evacuation was delayed", "delayed")


@pytest.fixture
def silent(shelf, text, told, says):
    """The evacuation was delayed because an alarm did not sound, and gate 2 was opened by hand."""
    words = sentence(DELAYED, ALARM)
    claim = says(told(*ALARM, denied=True), told(words[: len(DELAYED[0])], DELAYED[1]))
    opened = told("Gate 2 opened", "opened")
    return shelf.room(
        text("alarm.md", words, (claim,)), text("gate.md", "Gate 2 opened on Monday.", mentions=(opened,))
    )


def test_to_suppose_what_is_told_as_not_having_happened_takes_that_away(silent):
    found = answer("What if the gas alarm had sounded?", silent)
    assert (found.verdict, found.mode) == (Verdict.HYPOTHESISED, Mode.GRAPH)
    assert found.text == (
        "The documents tell that it did not happen. Taken away, by the graph: the gas alarm did not sound. With no "
        "other cause told, these would fall: the evacuation was delayed."
    )
    assert [evidence.quote for evidence in found.evidence] == [sentence(DELAYED, ALARM)]
    about = answer("Would the evacuation have been delayed if the gas alarm had sounded?", silent)
    assert about.verdict is Verdict.HYPOTHESISED and "the cause is necessary" in about.text
    for words in ("the gas alarm sounded", "the gas alarm did not sound", "What if the gas alarm had sounded?"):
        assert what_if(words, None, silent).text == found.text


@pytest.mark.parametrize(
    ("question", "begins", "quote"),
    [
        ("What if gate 2 had opened?", "It did happen", "Gate 2 opened on Monday."),
        ("What if the gas alarm had not sounded?", "It did not happen", sentence(DELAYED, ALARM)),
    ],
)
def test_what_is_supposed_as_the_documents_tell_it_is_said_to_be_so(question, begins, quote, silent):
    found = answer(question, silent)
    assert found.verdict is Verdict.CONTRADICTED and found.text.startswith(begins)
    assert [(evidence.quote, evidence.stance) for evidence in found.evidence] == [(quote, Stance.AGAINST)]
    report = what_if(question, None, silent)
    assert (report.verdict, report.text, report.as_told) == (found.verdict, found.text, found.evidence[0])
    assert (report.fallen, report.without) == ((), ())


def test_what_has_other_words_too_is_not_said_to_have_happened(silent):
    for question in ("What if gate 2 had opened twice?", "What if gate 3 had opened?"):
        assert answer(question, silent).verdict is Verdict.INSUFFICIENT


@pytest.fixture
def walled(shelf, text, told, says):
    """A wall kept a fire from the shed; a hedge kept a flood from the barn, and so did a ditch."""

    def kept(source, words, cause, effect):
        return text(source, words, (says(told(*cause), told(*effect), Relation.PREVENTS),))

    burned = "The school was closed because the shed burned."
    fire, flood = ("the shed burned", "burned"), ("the barn was flooded", "flooded")
    return shelf.room(
        kept("a.md", "Owing to the wall, the shed burned in no year.", ("the wall", "wall"), fire),
        kept("b.md", "Owing to the hedge, the barn was flooded in no year.", ("the hedge", "hedge"), flood),
        kept("c.md", "Owing to the ditch, the barn was flooded in no year.", ("the ditch", "ditch"), flood),
        text("d.md", burned, (says(told(*fire), told("The school was closed", "closed")),)),
    )


@pytest.mark.parametrize("links_only", [True, False])
def test_without_what_prevented_something_that_and_what_follows_from_it_might_have_happened(links_only, walled):
    found = what_if("the wall", "the shed burned", walled, links_only=links_only)
    assert (found.verdict, found.fallen, found.standing) == (Verdict.HYPOTHESISED, (), ())
    assert [one.evidence.quote for one in found.unprevented] == ["Owing to the wall, the shed burned in no year."]
    assert [event.description for event in found.freed] == ["The school was closed"]
    assert found.still_prevented == ()
    assert "This would no longer be prevented: the shed burned." in found.text
    assert found.text.endswith("might follow then: the school was closed.")
    assert [one.edge.relation for one in found.taken] == ([Relation.PREVENTS] if links_only else [])
    assert (found.necessary, found.sufficient, found.cut) == (None, None, ())


def test_what_something_else_prevents_too_stays_prevented(walled):
    found = what_if("the hedge", "the barn was flooded", walled, links_only=True)
    assert [one.evidence.quote for one in found.still_prevented] == [
        "Owing to the ditch, the barn was flooded in no year."
    ]
    assert "no longer" not in found.text and "still be prevented by something else: the barn" in found.text


def test_what_a_question_asks_about_may_be_what_was_prevented(walled):
    found = answer("Would the shed have burned without the wall?", walled)
    assert found.verdict is Verdict.HYPOTHESISED
    assert [evidence.quote for evidence in found.evidence] == ["Owing to the wall, the shed burned in no year."]


def test_the_answer_tells_the_fewest_links_that_cut_the_cause_from_the_effect(room):
    found = answer("Would the council have closed the footbridge without the release of water by the Arlen dam?", room)
    report = what_if("the Arlen dam released water", "the council closed the footbridge", room)
    assert found.text == report.text
    (cut,) = report.cut
    ends = room.store.events("main", [cut.edge.cause, cut.edge.effect])
    cause, effect = (ends[one].description.lower() for one in (cut.edge.cause, cut.edge.effect))
    told = "The fewest links without which no way leads from it to the effect: "
    assert found.text.lower().endswith(f"{told}from “{cause}” to “{effect}”.".lower())
    assert {link.evidence.quote for link in report.cut} <= {evidence.quote for evidence in found.evidence}


def test_one_link_of_several_is_named_by_the_ids_of_its_ends(shelf, text, told, says):
    """Two fires and two alarms: the words name both, ids one."""

    def fire(source, place, day):
        words = f"The alarm rang in the {place} because the fire broke out in the {place}."
        cause = told(f"the fire broke out in the {place}", "broke", day)
        return text(source, words, (says(cause, told(f"The alarm rang in the {place}", "rang", day)),))

    room = shelf.room(fire("a.md", "mill", "2021-02-05"), fire("b.md", "barn", "2022-03-06"))
    both = what_if("the fire broke out", "the alarm rang", room, links_only=True)
    assert (len(both.taken), len(both.fallen)) == (2, 2)
    assert "the fire broke out in the mill" in both.text and "the fire broke out in the barn" in both.text
    (edge,) = [one.edge for one in both.taken if "mill" in one.evidence.quote]
    ends = room.store.events("main", [edge.cause, edge.effect])
    one = what_if(ends[edge.cause], ends[edge.effect], room, links_only=True)
    assert [link.edge for link in one.taken] == [edge]
    assert [consequence.event.id for consequence in one.fallen] == [edge.effect]
    assert "barn" not in one.text


def stated(text, says, told, source, words, cause, effect):
    return text(source, words, (says(told(*cause), told(*effect)),))


@pytest.fixture
def twice(text, told, says):
    """One happening and its cause, told by two documents in nearly the same words that nothing made one event."""
    first = ("the bilge valve was left open", "left"), ("The main engine room flooded", "flooded")
    second = ("the bilge valve was left wide open", "left"), ("The main engine room quickly flooded", "flooded")
    return (
        stated(text, says, told, "a.md", "The main engine room flooded because the bilge valve was left open.", *first),
        stated(
            text,
            says,
            told,
            "b.md",
            "The main engine room quickly flooded because the bilge valve was left wide open.",
            *second,
        ),
    )


def event_of(room, words):
    return next(
        one for one in room.store.events("main", room.store.event_ids("main")).values() if one.description == words
    )


def test_a_cause_that_is_told_twice_is_taken_away_twice_and_both_tellings_are_named(shelf, twice):
    room = shelf.room(*twice)
    cause, effect = event_of(room, "the bilge valve was left open"), event_of(room, "The main engine room flooded")
    found = what_if(cause, effect, room)
    assert [one.description for one in found.alike] == ["the bilge valve was left wide open"]
    assert "told in nearly the same words" in found.text
    assert "“the bilge valve was left wide open” (b.md:1)" in found.text
    assert found.standing == ()
    assert (found.necessary, found.sufficient) == (True, True)
    assert {one.evidence.source for one in found.cut} == {"a.md", "b.md"}
    lost = {one.event.description: {link.evidence.source for link in one.lost} for one in found.fallen}
    assert lost["The main engine room flooded"] == {"a.md", "b.md"}


def test_another_cause_of_the_other_telling_keeps_the_effect(shelf, twice, text, told, says):
    other = ("a wave broke the window", "broke"), ("The main engine room quickly flooded", "flooded")
    words = "The main engine room quickly flooded because a wave broke the window."
    room = shelf.room(*twice, stated(text, says, told, "c.md", words, *other))
    cause, effect = event_of(room, "the bilge valve was left open"), event_of(room, "The main engine room flooded")
    found = what_if(cause, effect, room)
    assert found.necessary is False
    assert "With no other cause told" not in found.text
    stands = next(one for one in found.standing if one.event.id == effect.id)
    assert [link.evidence.quote for link in stands.kept] == [words]


@pytest.mark.parametrize("other", ["the bilge valve was not left open", "the bilge pump was left open"])
def test_what_says_otherwise_or_of_something_else_is_another_cause(shelf, text, told, says, other):
    effect = ("The main engine room flooded", "flooded")
    causes = (told("the bilge valve was left open", "left"), told(other, "left", denied="not" in other))
    room = shelf.room(
        *(
            text(f"{n}.md", f"{effect[0]} because {cause.words}.", (says(cause, told(*effect)),))
            for n, cause in enumerate(causes)
        )
    )
    found = what_if(event_of(room, "the bilge valve was left open"), None, room)
    assert (found.alike, words_of(found.fallen)) == ((), set())
    assert words_of(found.standing) == {"the main engine room flooded"}


def test_what_a_person_told_apart_is_another_cause(shelf, twice):
    room = shelf.room(*twice)
    first, second = (event_of(room, f"the bilge valve was left {how}") for how in ("open", "wide open"))
    mentions = [room.store.mentions_of_event("main", one.id)[0].id for one in (first, second)]
    room.store.decide(decision_of(DecisionKind.SPLIT, *mentions))
    found = what_if(first, None, room)
    assert found.alike == ()
    assert "With no other cause told" not in found.text


def test_what_may_only_have_been_the_cause_is_no_more_than_that(shelf, text, told, says):
    rain, flood, jam = told("The rain", "rain"), told("the flood", "flood"), told("the traffic jam", "jam")
    room = shelf.room(
        text("a.md", "The rain may have caused the flood.", (says(rain, flood, modality=Modality.POSSIBLE),)),
        text("b.md", "Because of the flood the traffic jam came.", (says(flood, jam),)),
    )
    found = what_if("the rain", "the traffic jam", room)
    assert (found.verdict, found.necessary, found.sufficient) == (Verdict.HYPOTHESISED, None, None)
    assert [one.doubtful for one in found.fallen] == [True, True]
    assert "these might fall, but a link to them is told only as possible: the traffic jam." in found.text
    assert "Whether it is necessary or sufficient for the effect is left open" in found.text
    told_so = answer("Would there have been a traffic jam without the rain?", room)
    assert told_so.verdict is Verdict.HYPOTHESISED
    assert told_so.confidence <= 0.5
