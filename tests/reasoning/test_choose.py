"""Which of several causes that were offered led to an event: what is stated, what is denied, what comes too late."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from causetrail.errors import ArgumentInvalid, DeadlinePassed, PassageTooLong, QuestionTooLong
from causetrail.settings import Settings
from kg.records import Modality, Mode, Relation, Stance, Verdict
from models.judge_source import ChosenJudges, load_judges
from reasoning.answer import answer
from reasoning.choice_report import Precedence
from reasoning.choose import choose
from reasoning.room import Bench

CLOSED = ("the council closed the footbridge", "closed")
ROSE = ("the river rose by four metres", "rose")
STRUCK = ("lightning struck the town hall", "struck")
STRIKE = ("the ferrymen went on strike", "strike")
SIREN = ("the siren sounded in the valley", "sounded")
NONE = "None of the others"


class Sayings:
    """A judge of causes that says what it is told to say: a double, for the arithmetic of choices."""

    fingerprint = "sayings"

    def __init__(self, **told: float) -> None:
        self.prompts: dict[str, str] = {}
        self.told = told
        self.asked: list[str] = []

    def causes(self, pairs):
        self.asked += [cause for cause, _ in pairs]
        return [next((value for word, value in self.told.items() if word in cause), 0.3) for cause, _ in pairs]


@pytest.fixture(scope="module")
def packaged():
    return load_judges()


@pytest.fixture
def judged(packaged):
    """A room whose judge of causes is a double; the others are the packaged ones."""

    def with_sayings(room, **told):
        judges = ChosenJudges(packaged.entailment, packaged.relevance, Sayings(**told), packaged.sufficiency)
        return replace(room, bench=Bench("sayings", judges, dict))

    return with_sayings


@pytest.fixture
def linked(text, told, says):
    """A document of one sentence that states, or denies, one link."""

    def link(source, effect, cause, relation=Relation.CAUSES, modality=Modality.ACTUAL, denied=False):
        words = f"{effect[0][0].upper()}{effect[0][1:]} because {cause[0]}."
        claim = says(told(*cause), told(words[: len(effect[0])], effect[1]), relation, denied, modality)
        return text(source, words, (claim,))

    return link


@pytest.fixture
def flood(shelf, linked, judged):
    """The documents say that the river closed the footbridge, and deny that lightning did."""
    room = shelf.room(linked("a.md", CLOSED, ROSE), linked("b.md", CLOSED, STRUCK, denied=True))
    return judged(room, strike=0.9, siren=0.9, lightning=0.9)


def chosen(choice):
    return [one.text for one in choice.options if one.chosen]


def test_what_the_documents_state_is_chosen_before_what_is_more_plausible(flood):
    choice = choose(CLOSED[0], [STRIKE[0], ROSE[0], NONE], flood)
    assert chosen(choice) == [ROSE[0]] and choice.chosen == (1,)
    assert choice.verdict is Verdict.SUPPORTED and choice.mode is Mode.GRAPH
    rose = choice.options[1]
    assert rose.evidence[0].quote.startswith("The council closed the footbridge because the river rose")
    assert rose.necessary is True and rose.chains
    assert 0 < choice.confidence <= rose.chains[0].edges[0].confidence


def test_what_is_denied_is_never_chosen(flood):
    choice = choose(CLOSED[0], [STRUCK[0], SIREN[0]], flood)
    struck = choice.options[0]
    assert struck.verdict is Verdict.CONTRADICTED and not struck.chosen
    assert chosen(choice) == [SIREN[0]]


def test_what_nothing_states_is_a_hypothesis_at_most(flood):
    choice = choose(CLOSED[0], [SIREN[0], STRIKE[0] + " again, they said"], flood, strategy="text-only")
    assert choice.verdict is Verdict.HYPOTHESISED and choice.mode is None
    assert {one.verdict for one in choice.options if one.chosen} == {Verdict.HYPOTHESISED}
    assert "No statement was found" in choice.missing[0]


@pytest.mark.parametrize("plausible", [0.2, 0.6])
def test_a_guess_that_alone_is_left_is_as_sure_as_it_is_plausible(plausible, shelf, judged):
    room = judged(shelf.room(), strike=plausible)
    alone = choose(CLOSED[0], [CLOSED[0], STRIKE[0]], room)
    assert chosen(alone) == [STRIKE[0]] and alone.confidence == pytest.approx(plausible)
    beside = choose(CLOSED[0], [SIREN[0], STRIKE[0]], judged(shelf.room(), strike=plausible, siren=0.1))
    assert beside.confidence == pytest.approx(0.5 + (plausible - 0.1) / 2)


def test_what_the_documents_state_instead_is_told(flood):
    choice = choose(CLOSED[0], [SIREN[0], STRIKE[0]], flood)
    assert "the river rose by four metres" in choice.missing[-1]


def test_none_of_the_others_is_chosen_when_nothing_is_told_or_plausible(flood, judged):
    doubtful = judged(flood, strike=0.4)
    choice = choose(CLOSED[0], [STRIKE[0], "None of the others are correct causes."], doubtful)
    assert choice.chosen == (1,) and choice.verdict is Verdict.HYPOTHESISED
    assert choice.confidence == pytest.approx(0.6)
    assert choose(CLOSED[0], [STRIKE[0], NONE], judged(flood, strike=0.6)).chosen == (0,)


def test_where_nothing_is_plausible_and_none_is_not_offered_nothing_is_chosen(flood, judged):
    choice = choose(CLOSED[0], [STRIKE[0], SIREN[0]], judged(flood, strike=0.001, siren=0.002))
    assert choice.chosen == () and choice.verdict is Verdict.INSUFFICIENT and choice.confidence == 0.0


def test_several_that_are_stated_are_all_chosen(shelf, linked, judged):
    room = judged(shelf.room(linked("a.md", CLOSED, ROSE), linked("b.md", CLOSED, STRIKE)), siren=0.99)
    choice = choose(CLOSED[0], [ROSE[0], SIREN[0], STRIKE[0]], room)
    assert choice.chosen == (0, 2)
    assert [one.necessary for one in choice.options] == [False, None, False]


def test_what_is_only_possible_is_no_fact(shelf, linked, judged):
    room = judged(shelf.room(linked("a.md", CLOSED, ROSE, modality=Modality.POSSIBLE)), siren=0.99)
    choice = choose(CLOSED[0], [SIREN[0], ROSE[0]], room, strategy="causal-graph")
    assert choice.chosen == (1,) and choice.verdict is Verdict.HYPOTHESISED and choice.mode is Mode.GRAPH


@pytest.mark.parametrize(
    ("option", "comes"),
    [
        ("on 7 February 2021 the siren sounded in the valley", Precedence.AFTER),
        ("on 3 February 2021 the siren sounded in the valley", Precedence.BEFORE),
        ("the siren sounded in the valley", Precedence.UNKNOWN),
        # What was meant for later may well have been meant before: the archival rule.
        ("the ministry plans to close all footbridges on 7 February 2021", Precedence.UNKNOWN),
    ],
)
def test_a_later_event_is_no_cause(option, comes, flood, judged):
    event = "on 5 February 2021 the council closed the footbridge"
    choice = choose(event, [option, "the ferrymen went on holiday"], judged(flood, siren=0.99, ministry=0.99))
    assert choice.options[0].precedence is comes
    assert choice.options[0].chosen is (comes is not Precedence.AFTER)
    if comes is Precedence.AFTER:
        assert "comes after" in choice.options[0].text_found


def test_the_times_of_the_documents_tell_what_comes_later(shelf, text, told, says, judged):
    """Two documents give the days of the two events; a third claims the impossible."""
    later = "On 7 February 2021 the siren sounded in the valley."
    first = "On 5 February 2021 the council closed the footbridge."
    mentions = (told(SIREN[0], "sounded", "2021-02-07"),), (told(CLOSED[0], "closed", "2021-02-05"),)
    room = shelf.room(text("a.md", later, mentions=mentions[0]), text("b.md", first, mentions=mentions[1]))
    choice = choose(CLOSED[0], [SIREN[0], STRIKE[0]], judged(room, siren=0.99))
    assert choice.options[0].precedence is Precedence.AFTER and chosen(choice) == [STRIKE[0]]


def test_what_the_documents_order_needs_no_time(shelf, linked, judged):
    room = judged(shelf.room(linked("a.md", SIREN, CLOSED, relation=Relation.BEFORE)), siren=0.99)
    choice = choose(CLOSED[0], [SIREN[0], STRIKE[0]], room)
    assert choice.options[0].precedence is Precedence.AFTER and chosen(choice) == [STRIKE[0]]


@pytest.mark.parametrize(
    ("modality", "comes", "taken"),
    [(Modality.ACTUAL, Precedence.AFTER, STRIKE), (Modality.POSSIBLE, Precedence.UNKNOWN, SIREN)],
)
def test_what_is_stated_to_have_followed_is_no_cause(modality, comes, taken, shelf, linked, judged):
    room = shelf.room(linked("a.md", ROSE, CLOSED), linked("b.md", SIREN, ROSE, modality=modality))
    choice = choose(CLOSED[0], [SIREN[0], STRIKE[0]], judged(room, siren=0.99))
    assert choice.options[0].precedence is comes and chosen(choice) == [taken[0]]


@pytest.mark.parametrize("mark", [".", "!", " .", "..."])
def test_marks_at_the_end_change_nothing(mark, flood):
    plain = choose(CLOSED[0], [ROSE[0], STRIKE[0]], flood)
    marked = choose(CLOSED[0] + mark, [ROSE[0] + mark, STRIKE[0] + mark], flood)
    assert (marked.chosen, marked.verdict, marked.mode) == (plain.chosen, plain.verdict, plain.mode)
    assert (plain.verdict, plain.mode) == (Verdict.SUPPORTED, Mode.GRAPH)
    assert [one.chains for one in marked.options] == [one.chains for one in plain.options]


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations([ROSE[0], STRUCK[0], STRIKE[0], SIREN[0], NONE, "  THE RIVER rose by four metres. "]))
def test_neither_order_nor_spelling_changes_what_is_found(order, flood):
    found = choose(CLOSED[0], order, flood)
    by_text = {one.text.strip(" .").lower(): one.model_dump(exclude={"text", "text_found"}) for one in found.options}
    first = choose(CLOSED[0], sorted(order), flood)
    assert by_text == {
        one.text.strip(" .").lower(): one.model_dump(exclude={"text", "text_found"}) for one in first.options
    }
    assert set(chosen(found)) == {ROSE[0], "  THE RIVER rose by four metres. "}


def test_equal_options_are_judged_once(flood, judged):
    room = judged(flood)
    choose(CLOSED[0], [STRIKE[0], STRIKE[0].upper(), SIREN[0]], room)
    assert len(room.judges.judges.cause.asked) == 2


def test_a_pair_that_the_judge_cannot_read_is_undecided(flood, packaged):
    class Short(Sayings):
        def causes(self, pairs):
            raise PassageTooLong(tokens=600, model="short", limit=512)

    judges = ChosenJudges(packaged.entailment, packaged.relevance, Short(), packaged.sufficiency)
    choice = choose(CLOSED[0], [SIREN[0], STRIKE[0]], replace(flood, bench=Bench("short", judges, dict)))
    assert [one.plausibility for one in choice.options] == [0.5, 0.5]
    assert "CT-" in str(next(step.detail["undecided"] for step in choice.trace if step.step == "option"))


def test_the_packaged_judge_tells_what_is_plausible(shelf, packaged):
    room = replace(shelf.room(), bench=Bench("causetrail_judges", packaged, dict))
    choice = choose("The pavement was wet.", ["It had rained all night.", "The postman bought a newspaper."], room)
    assert choice.chosen == (0,) and choice.verdict is Verdict.HYPOTHESISED
    assert choice.missing == ("The collection main holds no documents.",)


@pytest.mark.parametrize(
    ("event", "options", "error"),
    [
        (CLOSED[0], [ROSE[0]], ArgumentInvalid),
        (CLOSED[0], [f"cause {number}" for number in range(27)], ArgumentInvalid),
        (CLOSED[0], [NONE, "none of the above"], ArgumentInvalid),
        (CLOSED[0], [ROSE[0], f"{ROSE[0].upper()}."], ArgumentInvalid),
        ("", [ROSE[0], STRIKE[0]], ArgumentInvalid),
        (CLOSED[0], [ROSE[0], "?"], ArgumentInvalid),
        (CLOSED[0], [ROSE[0], "a " * 1_500], QuestionTooLong),
        (CLOSED[0], [ROSE[0], "ab cd ef " * 200], QuestionTooLong),
    ],
)
def test_what_cannot_be_asked_is_refused(event, options, error, flood):
    with pytest.raises(error):
        choose(event, options, flood)


def test_the_same_question_gives_the_same_choice(flood):
    once, again = (choose(CLOSED[0], [ROSE[0], STRIKE[0]], flood).model_dump(exclude={"usage"}) for _ in range(2))
    assert once == again


def test_the_event_explains_nothing_of_itself(flood, judged):
    choice = choose(CLOSED[0], [CLOSED[0].upper() + ".", STRIKE[0]], judged(flood, COUNCIL=0.99, strike=0.7))
    assert choice.chosen == (1,)
    assert "is the event itself" in choice.options[0].text_found


def test_each_option_has_the_time_of_a_question(flood, judged):
    with pytest.raises(DeadlinePassed):
        choose(CLOSED[0], [ROSE[0], STRIKE[0]], replace(flood, settings=Settings(deadline_seconds=1e-9)))


CHOICE = "Which of these caused the council to close the footbridge: {}?"


def test_a_question_that_offers_causes_is_answered_by_the_choice(flood):
    offered = [STRIKE[0], ROSE[0], "lightning struck the town hall"]
    asked = CHOICE.format("; ".join(offered))
    found = answer(asked, flood)
    choice = choose("the council to close the footbridge", offered, flood)
    assert (found.question, found.verdict, found.mode) == (asked, Verdict.SUPPORTED, Mode.GRAPH)
    assert (found.chains, found.confidence) == (choice.options[1].chains, choice.confidence)
    assert found.text.startswith("The documents tell that this led to") and choice.options[1].text_found in found.text
    assert [evidence.stance for evidence in found.evidence] == [Stance.FOR, Stance.AGAINST]
    assert found.trace[1:] == choice.trace[1:]
    first = found.trace[0].detail
    assert (first["kind"], first["options"], first["event"]) == ("choose", offered, choice.event)


def test_an_offered_cause_that_nothing_states_stays_a_hypothesis_in_the_answer(flood):
    found = answer(CHOICE.format("the regatta or the siren"), flood, "text-only")
    assert (found.verdict, found.mode, found.chains) == (Verdict.HYPOTHESISED, Mode.TEXT, ())
    assert found.text.startswith("No statement was found of which of these led to")
    assert any("No statement was found that" in missing for missing in found.missing)


def test_without_judges_a_question_that_offers_causes_is_read_as_asking_why(flood):
    asked = CHOICE.format("the regatta or the siren")
    found = answer(asked, replace(flood, bench=None))
    assert (found.question, found.verdict) == (asked, Verdict.SUPPORTED)
    assert "the river rose by four metres" in found.text
    assert found.trace[0].detail["kind"] == "why"


BURNT, BLAST = ("the depot burnt down", "burnt"), ("a tanker exploded", "exploded")
REVERSED = "On 3 March 2021 the depot burnt down because a tanker exploded on 5 March 2021."
OPTIONS = [BLAST[0], STRIKE[0]]


@pytest.fixture
def reversed_room(shelf, text, told, says, judged):
    """The documents name as the cause of a fire what by the dates told happened two days later."""
    claim = says(told(*BLAST, "2021-03-05"), told(*BURNT, "2021-03-03"))
    return judged(shelf.room(text("a.md", REVERSED, (claim,))), strike=0.7)


@pytest.mark.parametrize("strategy", ["default", "text-only", "causal-graph", "dual-agent", "abductive"])
def test_a_cause_that_documents_date_after_its_effect_is_named_and_the_other_is_a_guess(reversed_room, strategy):
    choice = choose(BURNT[0], OPTIONS, reversed_room, strategy)
    late = choice.options[0]
    assert chosen(choice) == [STRIKE[0]] and choice.verdict is Verdict.HYPOTHESISED and choice.mode is None
    assert choice.text.startswith(
        "The documents name this as a cause of “the depot burnt down”, but it came later by the times told: "
        "“a tanker exploded”. No other option is told as its cause. A"
    )
    assert "No statement was found" not in choice.text
    assert (late.precedence, late.verdict, late.named_late) == (Precedence.AFTER, Verdict.INSUFFICIENT, True)
    assert [evidence.quote for evidence in late.evidence] == [REVERSED]
    assert "(2021-03-05) after" in late.text_found and "(2021-03-03)" in late.text_found
    assert choice.missing[0].startswith("By the dates told, what is given as the cause came after its effect")


def test_the_answer_to_a_choice_shows_the_late_cause_with_its_quote(reversed_room):
    found = answer("Which of these caused the depot to burn down: a tanker exploded; the siren?", reversed_room)
    assert "“a tanker exploded” comes after" in found.text and "A guess" in found.text
    assert [(evidence.stance, evidence.quote) for evidence in found.evidence] == [(Stance.CONTEXT, REVERSED)]


def test_a_late_cause_of_which_no_claim_was_made_is_not_chosen_either(shelf, text, judged):
    words = "The fire in the depot on 3 March 2021 was caused by the explosion of a tanker on 5 March 2021."
    room = judged(shelf.room(text("a.md", words)), explosion=0.99)
    choice = choose("the fire in the depot", ["the explosion of a tanker", STRIKE[0]], room, "text-only")
    assert choice.options[0].precedence is Precedence.AFTER and chosen(choice) == [STRIKE[0]]


def test_where_only_a_late_cause_is_told_none_of_the_others_is_no_denial_of_that(reversed_room, judged):
    choice = choose(BURNT[0], [BLAST[0], STRIKE[0], NONE], judged(reversed_room, strike=0.1))
    assert choice.chosen == (2,)
    assert choice.text.endswith("“a tanker exploded”. No other option is told or plausible as its cause.")


def test_a_denial_names_the_option_that_it_denies(flood):
    choice = choose(CLOSED[0], [STRUCK[0], SIREN[0]], flood)
    assert choice.text.startswith(f"The documents deny that this led to “{CLOSED[0]}”: “{STRUCK[0]}”. No other option")
    denied = f"The documents deny that “{STRUCK[0]}” led to “{CLOSED[0]}” (b.md"
    assert choice.options[0].text_found.startswith(denied)
    found = answer(CHOICE.format(f"{STRUCK[0]}; {SIREN[0]}"), flood)
    assert f"The documents deny that “{STRUCK[0]}” led to" in found.text and "No: it is denied" not in found.text


def test_an_option_that_is_told_and_denied_is_named_as_disputed(shelf, linked, judged):
    denial = linked("b.md", CLOSED, ROSE, denied=True)
    room = shelf.room(linked("a.md", CLOSED, ROSE), replace(denial, text=f"{denial.text} So much is known."))
    choice = choose(CLOSED[0], [ROSE[0], SIREN[0]], judged(room))
    assert choice.options[0].verdict is Verdict.CONTRADICTED
    assert choice.options[0].text_found.startswith(f"Whether “{ROSE[0]}” led to “{CLOSED[0]}” is disputed. ")


def test_while_documents_are_missing_from_the_graph_a_choice_says_so(flood, monkeypatch):
    monkeypatch.setattr(type(flood.store), "pending", lambda self, collection: 3)
    assert choose(CLOSED[0], [ROSE[0], SIREN[0]], flood).missing[-1].startswith("Not all documents are in the graph")
    found = answer(CHOICE.format("the regatta or the siren"), flood)
    assert found.missing[-1].startswith("Not all documents are in the graph")
