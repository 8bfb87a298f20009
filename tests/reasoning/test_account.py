"""Causes that no document states, guessed by how near they stand to what documents tell of the event."""

from dataclasses import replace

import pytest

from causetrail.settings import load_settings
from kg.records import Verdict
from models.judge_source import ChosenJudges, load_judges
from reasoning.account import Account, likelihood, nearness, share, told
from reasoning.choice_report import Choice, Precedence
from reasoning.choose import choose
from reasoning.evidence import Quoter
from reasoning.replay import compared, offered_of
from reasoning.room import Bench
from reasoning.thresholds import thresholds

EVENT = "the council closed the footbridge"
NEAR = "the river was high at the footbridge of the council"
FAR = "a singer released her third album"
NONE = "None of the others"
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
REPORTS = (
    *(f"On {day} the river was high and the council kept the footbridge closed to walkers." for day in DAYS),
    "Walkers were sent round by the road while the footbridge of the council was closed.",
    "The water of the river stood over the deck of the footbridge, which the council had closed.",
    "A sign of the council said that the footbridge was closed.",
    "The footbridge that the council closed is the oldest one over the river.",
)
RECIPES = (
    "Stir the flour into the butter until it is smooth.",
    "Peel the apples and cut them into thin slices.",
    "Whisk the eggs with the sugar for five minutes.",
)


class Fond:
    """A judge of causes that finds one option likely, whatever was asked: a double."""

    fingerprint = "fond"

    def __init__(self, word: str) -> None:
        self.prompts: dict[str, str] = {}
        self.word = word

    def causes(self, pairs):
        return [0.9 if self.word in cause else 0.2 for cause, _ in pairs]


@pytest.fixture(scope="module")
def packaged():
    return load_judges()


@pytest.fixture
def told_of(shelf, text, packaged):
    """A room with these documents, whose judge of causes is fond of the singer."""

    def room(*texts):
        judges = ChosenJudges(packaged.entailment, packaged.relevance, Fond("singer"), packaged.sufficiency)
        stored = shelf.room(*(text(f"{number}.md", one) for number, one in enumerate(texts)))
        return replace(stored, bench=Bench("fond", judges, dict))

    return room


def test_what_stands_nearest_to_the_account_of_the_event_is_the_guess(told_of):
    choice = choose(EVENT, [FAR, NEAR], told_of(*REPORTS))
    far, near = choice.options
    assert choice.chosen == (1,) and near.nearness > far.nearness and far.plausibility > near.plausibility
    assert choice.verdict is Verdict.HYPOTHESISED and choice.mode is None
    assert choice.confidence == pytest.approx(share(near.nearness, [near.nearness, far.nearness]), abs=1e-6)
    assert "nearest to what is told of the event" in choice.text and "No statement was found" in choice.missing[0]


@pytest.mark.parametrize("texts", [REPORTS[:9], RECIPES * 4, ()])
def test_where_documents_do_not_tell_of_the_event_its_plausibility_decides(texts, told_of):
    choice = choose(EVENT, [FAR, NEAR], told_of(*(f"{number}. {one}" for number, one in enumerate(texts))))
    assert choice.chosen == (0,) and [one.nearness for one in choice.options] == [None, None]
    assert choice.confidence == pytest.approx(0.85) and "by the words alone" in choice.text


def test_a_recipe_that_reads_no_text_guesses_by_plausibility(told_of):
    assert choose(EVENT, [FAR, NEAR], told_of(*REPORTS), strategy="causal-graph").chosen == (0,)


def test_none_of_the_others_is_the_guess_where_all_stand_far_off(told_of):
    room = told_of(*REPORTS)
    choice = choose(EVENT, [FAR, "a bakery changed its prices", NONE], room)
    assert choice.chosen == (2,) and choice.verdict is Verdict.HYPOTHESISED
    wrong = [1 - likelihood(one.nearness) for one in choice.options[:2]]
    assert choice.confidence == pytest.approx(wrong[0] * wrong[1], abs=1e-6)
    assert choose(EVENT, [FAR, NEAR, NONE], room).chosen == (1,)


def test_where_all_stand_far_off_and_none_is_not_offered_nothing_is_chosen(told_of):
    choice = choose(EVENT, [FAR, "a bakery changed its prices"], told_of(*REPORTS))
    assert choice.chosen == () and choice.verdict is Verdict.INSUFFICIENT and choice.confidence == 0


def test_a_later_event_is_no_cause_however_near_it_stands(told_of):
    dated = "on 5 February 2021 the council closed the footbridge"
    later = f"on 7 February 2021 {NEAR}"
    choice = choose(dated, [later, "walkers were sent round by the road"], told_of(*REPORTS))
    assert choice.options[0].precedence is Precedence.AFTER
    assert choice.options[0].nearness > choice.options[1].nearness and choice.chosen == (1,)


def test_neither_order_nor_marks_nor_repeats_change_the_guess(told_of):
    room = told_of(*REPORTS)
    other = "walkers were sent round by the road"
    first = choose(EVENT, [NEAR, other, FAR], room)
    again = choose(EVENT + ".", [FAR + ".", other + ".", NEAR + ".", NEAR.upper()], room)
    assert first.chosen == (0,) and again.chosen == (2, 3)
    assert [one.nearness for one in first.options] == [again.options[place].nearness for place in (2, 1, 0)]
    assert again.options[2].nearness == again.options[3].nearness


def test_the_trace_tells_how_near_each_option_stands(told_of):
    choice = choose(EVENT, [NEAR, FAR], told_of(*REPORTS))
    steps = {step.detail["option"]: step.detail["nearness"] for step in choice.trace if step.step == "option"}
    assert steps == {one.text: one.nearness for one in choice.options}


def test_the_trace_tells_by_which_passages_and_encoder_it_is_guessed(told_of):
    room = told_of(*REPORTS)
    steps = [step for step in choose(EVENT, [NEAR, FAR], room).trace if step.step in {"account", "option"}]
    account = steps[0].detail
    assert [one.step for one in steps] == ["account", "option", "option"] and account["event_told"]
    assert account["encoder"] == room.index.encoder.fingerprint
    ids = [id_ for id_, _ in account["passages"]]
    assert len(ids) == thresholds().account.passages and room.store.passages("main", ids).keys() == {*ids}


def test_the_trace_tells_that_no_passage_tells_of_the_event(told_of):
    (untold,) = [step.detail for step in choose(EVENT, [NEAR, FAR], told_of()).trace if step.step == "account"]
    assert (untold["event_told"], untold["passages"]) == (False, [])


def test_a_guess_that_was_stored_is_made_again(told_of):
    room = told_of(*REPORTS)
    stored = Choice.model_validate_json(choose(EVENT, [NEAR, FAR, NONE], room).model_dump_json())
    event, options, strategy = offered_of(stored)
    again = compared(stored, choose(event, options, room, strategy), strategy)
    assert stored.options[0].nearness is not None and again.differences == () and again.steps == ()


def test_an_account_is_searched_for_once(told_of):
    room = told_of(*REPORTS)

    asked = []

    class Counting:
        def search_passages(self, text, k, kind=None):
            asked.append(text)
            return room.index.search_passages(text, k, kind)

    account = Account(EVENT, replace(room, index=Counting()), Quoter(room.store, room.collection))
    assert account.nearness(NEAR) > account.nearness(FAR)
    assert len(asked) == 3


@pytest.mark.parametrize("knowledge", ["passages", "merged", "pairs"])
def test_an_account_is_read_in_the_base_that_the_settings_name(knowledge, told_of):
    room = replace(told_of(*REPORTS), settings=load_settings(knowledge=knowledge))
    choice = choose(EVENT, [FAR, NEAR], room)
    assert [one.nearness is None for one in choice.options] == [knowledge == "pairs"] * 2
    assert choice.chosen == ((0,) if knowledge == "pairs" else (1,))


def test_what_several_documents_say_in_the_same_words_is_told_once(told_of, text):
    copies = [f"{' ' * number}{one}" for one in REPORTS[:5] for number in range(1, 3)]
    assert len(copies) == thresholds().account.passages
    room = told_of(*copies)
    account = Account(EVENT, room, Quoter(room.store, room.collection))
    assert account.nearness(NEAR) is None


def test_passages_that_are_not_found_for_an_option_count_as_the_farthest():
    event = {str(place): 0.9 - place / 100 for place in range(thresholds().account.passages)} | {"far": 0.1}
    assert nearness({"0": 0.8, "9": 0.4}, event) == pytest.approx((0.8 + 9 * 0.4) / 10)
    assert nearness({"far": 1.0, **dict.fromkeys(event.keys() - {"far"}, 0.5)}, event) == pytest.approx(0.5)


def test_an_account_takes_enough_passages_that_are_near_enough():
    figures = thresholds().account
    places = [str(place) for place in range(figures.passages)]
    assert told(dict.fromkeys(places, figures.about + 0.01))
    assert not told(dict.fromkeys(places[1:], 0.99))
    assert not told(dict.fromkeys(places, figures.about - 0.01))
    assert not told({})


def test_a_guess_is_the_surer_the_farther_off_the_others_stand():
    assert share(0.7, [0.7, 0.7]) == pytest.approx(0.5)
    assert share(0.7, [0.7, 0.5]) > share(0.7, [0.7, 0.6]) > share(0.7, [0.7, 0.6, 0.6])
    assert share(0.7, [0.7, 0.6]) + share(0.6, [0.7, 0.6]) == pytest.approx(1)
