"""What would fall without an event or a link, told with the sentences that say what it hangs on."""

import pytest

from causetrail.errors import QuestionEmpty
from kg.records import Modality, Mode, Relation, Stance, Verdict
from reasoning.answer import answer
from reasoning.what_if import what_if

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


def test_a_direct_link_alone_can_be_taken_away(room):
    found = what_if("the river rose by four metres", "the council closed the footbridge", room, links_only=True)
    assert words_of(found.fallen) == {CLOSED[0]}
    assert [one.id for one in found.without] != [one.event.id for one in found.fallen]
    far = what_if("the snow melted", "the council closed the footbridge", room, links_only=True)
    assert (far.verdict, far.fallen) == (Verdict.INSUFFICIENT, ())
    assert far.missing == ("No document links “the snow melted” and “The council closed the footbridge” directly.",)


def test_where_the_graph_tells_nothing_nothing_is_guessed(room):
    unrelated = what_if("the snow melted", "the mill was flooded", room)
    assert (unrelated.verdict, unrelated.necessary, unrelated.sufficient) == (Verdict.INSUFFICIENT, None, None)
    assert "no statement links them" in unrelated.text
    unknown = what_if("the mayor resigned", None, room)
    assert unknown.verdict is Verdict.INSUFFICIENT
    assert unknown.text == "No event of the graph matches “the mayor resigned”."
    last = what_if("the council closed the footbridge", None, room)
    assert last.verdict is Verdict.INSUFFICIENT
    assert "anything followed" in last.text
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
