"""Causes that are offered, judged by the steps of the strategies: for each, one of its own decides a choice."""

from dataclasses import replace

import pytest

from causetrail.errors import PassageTooLong
from kg.records import Mode, Stance, Verdict
from models.judge_source import ChosenJudges, load_judges
from models.judges import Inference
from reasoning.ablation import without
from reasoning.choose import choose
from reasoning.room import Bench
from reasoning.strategies import STRATEGIES

CANCELLED = "the regatta of the rowing club was cancelled"
LOCKED = "the hall was locked"
STORM = "a storm was forecast"
CLOSED = "the council closed the footbridge"
ROSE = "the river rose by four metres"
STRIKE = "the ferrymen went on strike"
SIREN = "the siren sounded in the valley"
BECAUSE = "The council closed the footbridge because the river rose by four metres."


class Scripted:
    """Judges by words: doubles, so that the scores are known."""

    fingerprint = "scripted"

    def __init__(self, causes=(), helps=(), suffices=(), contradicts=(), unread=""):
        self.prompts: dict[str, str] = {}
        self.likely = dict(causes)
        self.helps = dict(helps)
        self.suffices = dict(suffices)
        self.against = tuple(contradicts)
        self.unread = unread

    def causes(self, pairs):
        return [_of(self.likely, cause, 0.3) for cause, _ in pairs]

    def relevance(self, query, passages):
        return [_of(self.helps, query, 0.5) for _ in passages]

    def sufficiency(self, pairs):
        return [_of(self.suffices, evidence, 0.9) for _, evidence in pairs]

    def inferences(self, pairs):
        if self.unread and any(self.unread in premise for _, premise in pairs):
            raise PassageTooLong(tokens=600, model="scripted", limit=512)
        denied = [any(word in premise and word in told for word in self.against) for told, premise in pairs]
        return [Inference(0.0, 0.4, 0.6) if one else Inference(0.3, 0.4, 0.3) for one in denied]


def _of(table, text, otherwise):
    return max([value for word, value in table.items() if word in text] or [otherwise])


def chosen(room, event, options, strategy, **scripted):
    """The chosen options, and the whole choice."""
    judge = Scripted(**scripted)
    room = replace(room, bench=Bench("scripted", ChosenJudges(judge, judge, judge, judge), dict))
    choice = choose(event, options, room, strategy)
    return [one.text for one in choice.options if one.chosen], choice


def steps(choice, name):
    return [step.detail for step in choice.trace if step.step == name]


@pytest.fixture
def regatta(shelf, text):
    return shelf.room(text("club.md", "The regatta of the chess club was cancelled because the hall was locked."))


@pytest.fixture
def flood(shelf, text):
    return shelf.room(
        text("a.md", BECAUSE),
        text("b.md", "The ferrymen went on strike. The siren sounded in the valley at noon."),
    )


@pytest.mark.parametrize(("rowing", "taken", "verdict"), [(0.7, STORM, "hypothesised"), (0.71, LOCKED, "supported")])
def test_evidence_that_answers_a_counterfactual_question_as_well_gives_no_option(rowing, taken, verdict, regatta):
    judged = {"causes": {"storm": 0.8}, "helps": {"rowing": rowing, "chess": 0.7}}
    assert chosen(regatta, CANCELLED, [LOCKED, STORM], "default", **judged)[0] == [LOCKED]
    told, choice = chosen(regatta, CANCELLED, [LOCKED, STORM], "counterfactual", **judged)
    assert (told, choice.verdict.value) == ([taken], verdict)
    first = steps(choice, "counterfactual")[-1]
    assert first["questions"][0]["question"] == f"Did {LOCKED} lead to {CANCELLED.replace('rowing', 'chess')}?"
    if taken == STORM:
        locked = choice.options[0]
        assert (locked.verdict, locked.mode) == (Verdict.INSUFFICIENT, None)
        assert "tells as much, or more, of something else" in locked.text_found
        assert {one.stance for one in locked.evidence} == {Stance.CONTEXT}


def test_the_words_that_ask_are_not_exchanged(shelf, text):
    """“Did ... rose lead to the footbridge” is not made “rose deck to the footbridge”."""
    words = "The footbridge closed because the river rose. Water rose over the deck of the footbridge."
    told, choice = chosen(
        shelf.room(text("a.md", words)), "the footbridge closed", ["the river rose", STORM], "counterfactual"
    )
    assert (told, choice.verdict) == (["the river rose"], Verdict.SUPPORTED)
    assert all(not step.get("questions") for step in steps(choice, "counterfactual"))


@pytest.mark.parametrize(("score", "taken"), [(0.5, ROSE), (0.499999, STRIKE)])
def test_an_option_whose_draft_lacks_support_is_withheld(score, taken, flood):
    judged = {"causes": {"strike": 0.8}, "suffices": {"four metres": score}}
    assert chosen(flood, CLOSED, [STRIKE, ROSE], "default", **judged)[0] == [ROSE]
    told, choice = chosen(flood, CLOSED, [STRIKE, ROSE], "support-checked", **judged)
    assert told == [taken]
    assert [step["score"] for step in steps(choice, "support") if "score" in step] == [score]
    # It falls back to its plausibility, and may still be the most plausible one.
    told, choice = chosen(flood, CLOSED, [STRIKE, ROSE], "support-checked", **judged | {"causes": {"river": 0.9}})
    assert told == [ROSE]
    assert choice.verdict is (Verdict.SUPPORTED if taken == ROSE else Verdict.HYPOTHESISED)
    if taken == STRIKE:
        assert choice.missing == (choice.options[1].text_found,)
        assert choice.missing[0].startswith(f"It does not count as told that “{ROSE}” led to “{CLOSED}”.")


def test_a_gap_query_finds_what_links_an_option_to_the_event(shelf, text):
    padding = " ".join(f"The baker of {town} sold bread and rye rolls." for town in ("Oslo", "Narva", "Lund", "Turku"))
    room = shelf.room(
        text("a.md", "The council closed the footbridge. The river rose by four metres."),
        text("b.md", "The river rose by four metres. The council closed the footbridge."),
        text("z.md", f"{BECAUSE} {padding}"),
    )
    judged = {"causes": {"strike": 0.8}}
    told, choice = chosen(room, CLOSED, [STRIKE, ROSE], "default", **judged)
    assert (told, choice.mode) == ([STRIKE], None)
    told, choice = chosen(room, CLOSED, [STRIKE, ROSE], "gap-filling", **judged)
    assert (told, choice.verdict, choice.mode) == ([ROSE], Verdict.SUPPORTED, Mode.TEXT)
    assert [one.quote for one in choice.options[1].evidence] == [BECAUSE]
    (gap,) = steps(choice, "gaps")[-1]["gaps"]
    assert (gap["kind"], gap["query"], gap["filled"]) == ("link", f"{ROSE} {CLOSED}", BECAUSE)
    assert steps(choice, "gaps")[-1]["thought"] == f"No statement was found that “{ROSE}” led to “{CLOSED}”."


def test_an_option_that_the_evidence_contradicts_is_no_premise(flood):
    judged = {"causes": {"strike": 0.9, "siren": 0.5}}
    options = [STRIKE, SIREN]
    assert chosen(flood, CLOSED, options, "abductive", **judged)[0] == [STRIKE]
    told, choice = chosen(flood, CLOSED, options, "abductive", contradicts=["strike"], **judged)
    assert told == [SIREN]
    assert "since it seems to be contradicted (b.md" in choice.options[0].text_found
    assert choice.options[0].verdict is Verdict.INSUFFICIENT
    assert [step["action"] for step in steps(choice, "abduction")] == ["it is discarded", "it may be assumed"]
    # What the judge cannot read rules nothing out.
    told, _ = chosen(flood, CLOSED, options, "abductive", contradicts=["strike"], unread="strike", **judged)
    assert told == [STRIKE]


@pytest.mark.parametrize(("near", "taken"), [(0.5, STRIKE), (1.0, SIREN)])
def test_the_premise_with_the_best_score_is_assumed(near, taken, flood):
    """Seven tenths of the plausibility, and three of how much the nearest passage helps: 0.57 and 0.54, or 0.69."""
    judged = {"causes": {"strike": 0.6, "siren": 0.55}, "helps": {"siren": near}}
    assert chosen(flood, CLOSED, [STRIKE, SIREN], "default", **judged)[0] == [STRIKE]
    told, choice = chosen(flood, CLOSED, [STRIKE, SIREN], "abductive", **judged)
    assert (told, choice.verdict, choice.mode) == ([taken], Verdict.HYPOTHESISED, None)
    assert choice.confidence == pytest.approx(0.5175 if taken == STRIKE else 0.5575)
    assert choice.text == (
        f"No statement was found of which of these led to “{CLOSED}”. Assumed, to complete what they say: “{taken}”"
    )


def test_a_statement_that_suffices_comes_before_one_that_a_premise_completes(shelf, text):
    struck = "Lightning struck the town hall"
    room = shelf.room(text("a.md", BECAUSE), text("b.md", f"The council closed the footbridge because l{struck[1:]}."))
    judged = {"suffices": {"ightning": 0.4}, "causes": {"ightning": 0.9}}
    assert chosen(room, CLOSED, [ROSE, struck], "default", **judged)[0] == [ROSE, struck]
    told, choice = chosen(room, CLOSED, [ROSE, struck], "abductive", **judged)
    assert (told, choice.verdict) == ([ROSE], Verdict.SUPPORTED)
    completed = choice.options[1]
    assert completed.verdict is Verdict.HYPOTHESISED
    assert "Assumed, in no document: Because lightning struck the town hall" in completed.text_found


def test_what_judges_an_offered_cause_can_be_left_out(flood):
    judged = {"causes": {"strike": 0.9, "siren": 0.5}, "contradicts": ["strike"]}
    unchecked = without(STRATEGIES["abductive"], ["consistency"])
    assert chosen(flood, CLOSED, [STRIKE, SIREN], unchecked, **judged)[0] == [STRIKE]
    near = {"causes": {"strike": 0.6, "siren": 0.55}, "helps": {"siren": 1.0}}
    for stage in ("plausibility", "generation"):
        assert chosen(flood, CLOSED, [STRIKE, SIREN], without(STRATEGIES["abductive"], [stage]), **near)[0] == [STRIKE]
    undetected = without(STRATEGIES["abductive"], ["detection"])
    for recipe, weighed in ((STRATEGIES["abductive"], False), (undetected, True)):
        first = steps(chosen(flood, CLOSED, [ROSE, SIREN], recipe, suffices={"four": 1.0})[1], "abduction")[0]
        assert ("premise" in first) is weighed
    unreasoned = chosen(flood, CLOSED, [STRIKE, SIREN], without(STRATEGIES["gap-filling"], ["reasoning"]))[1]
    assert {gap["kind"] for step in steps(unreasoned, "gaps") for gap in step["gaps"]} == {"question"}


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_no_strategy_chooses_what_came_later_or_is_denied(strategy, shelf, text):
    room = shelf.room(text("a.md", "The siren did not lead the council to close the footbridge on 5 February 2021."))
    event = "on 5 February 2021 the council closed the footbridge"
    later = "on 7 February 2021 the ferrymen went on strike"
    told, choice = chosen(room, event, [later, ROSE], strategy, causes={"strike": 0.99, "river": 0.1})
    assert told == [ROSE]
    # What cannot be right is not judged.
    judged = {"abduction", "causal agent", "counterfactual", "gaps", "support"}
    assert sum(step.step in judged for step in choice.trace) == (STRATEGIES[strategy].validate is not None)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_neither_order_nor_full_stops_change_a_choice(strategy, flood):
    room = replace(flood, bench=Bench("packaged", load_judges(), dict))
    once = choose(CLOSED, [ROSE, STRIKE, SIREN], room, strategy)
    again = choose(f"{CLOSED}.", [f"{SIREN}.", f"{STRIKE}.", f"{ROSE}."], room, strategy)
    kept = {"verdict", "mode", "plausibility", "chosen", "necessary", "chains", "evidence"}
    assert [one.model_dump(include=kept) for one in once.options] == [
        one.model_dump(include=kept) for one in reversed(again.options)
    ]
    assert once.confidence == again.confidence
    repeated = choose(CLOSED, [ROSE, STRIKE, SIREN], room, strategy)
    assert repeated.model_dump(exclude={"usage"}) == once.model_dump(exclude={"usage"})
    assert {one.verdict for one in once.options[1:]} <= {Verdict.INSUFFICIENT, Verdict.HYPOTHESISED}
