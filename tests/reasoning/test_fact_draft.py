"""Questions that ask for a fact: the judges pick the sentence, and say whether it suffices."""

from dataclasses import replace

import pytest

from causetrail.errors import PassageTooLong
from kg.records import Mode, Stance, Verdict
from models.judge_source import ChosenJudges, load_judges
from reasoning.answer import answer
from reasoning.confidence import curves
from reasoning.room import Bench

TEXTS = {
    "mill.md": "The mill stands by the river. It has two wheels. Two brothers from Leeds built the mill. Was it sold?",
    "inn.md": "The inn stands by the bridge. It was built in 1840.",
    "school.md": "A mason built the school of red brick. Its hall seats ninety pupils.",
    "bread.md": "The bakery sells bread. Nobody knows who owns the bakery.",
}
BUILT = "Two brothers from Leeds built the mill."
INN = "The inn stands by the bridge. It was built in 1840."


class Scripted:
    """A judge by a table of words: double, so that its picks are known."""

    fingerprint = "scripted"

    def __init__(self, helps=(), suffices=(), long=None):
        self.prompts: dict[str, str] = {}
        self.helps = dict(helps)
        self.suffices = dict(suffices)
        self.long = long
        self.asked: list[str] = []

    def relevance(self, query, passages):
        if self.long and any(self.long in passage for passage in passages):
            raise PassageTooLong(tokens=600, model="scripted", limit=512)
        return [max([value for word, value in self.helps.items() if word in passage] or [0.1]) for passage in passages]

    def sufficiency(self, pairs):
        self.asked += [evidence for _, evidence in pairs]
        return [
            max([value for word, value in self.suffices.items() if word in evidence] or [0.1]) for _, evidence in pairs
        ]


@pytest.fixture
def room(shelf, text):
    return shelf.room(*(text(source, words) for source, words in TEXTS.items()))


def judged(room, judge):
    return replace(room, bench=Bench("scripted", ChosenJudges(judge, judge, judge, judge), dict))


@pytest.fixture(scope="module")
def packaged():
    return Bench("packaged", load_judges(), dict)


def test_the_packaged_judges_find_the_sentence_and_admit_what_is_not_told(room, packaged):
    room = replace(room, bench=packaged)
    found = answer("When was the inn by the bridge built?", room)
    assert (found.verdict, found.mode, found.text) == (Verdict.SUPPORTED, Mode.TEXT, INN)
    assert found.confidence > 0.5
    nobody = answer("Who painted the ceiling of the chapel?", room)
    assert nobody.verdict is Verdict.INSUFFICIENT
    assert nobody.text.startswith("The documents do not answer this.")


def test_the_most_helpful_sentence_is_told_when_it_suffices(room):
    found = answer("Who built the mill?", judged(room, Scripted({"Leeds": 0.9, "river": 0.8}, {"Leeds": 0.5})))
    assert (found.verdict, found.text) == (Verdict.SUPPORTED, BUILT)
    assert found.confidence == curves()["fact"].at(0.5, 0.0)
    (shown,) = found.evidence
    assert (shown.quote, shown.stance) == (BUILT, Stance.FOR)


def test_the_sentence_before_it_is_told_too_where_only_both_suffice(room):
    judge = Scripted({"Leeds": 0.9}, {"wheels. Two brothers": 0.7})
    found = answer("Who built the mill?", judged(room, judge))
    assert found.evidence[0].quote == f"It has two wheels. {BUILT}"
    assert judge.asked == [BUILT, found.evidence[0].quote]


def test_a_sentence_that_points_back_is_told_with_what_it_points_to(room):
    judge = Scripted({"1840": 0.9}, {"1840": 0.7})
    assert answer("When was the inn built?", judged(room, judge)).text == INN
    assert judge.asked == [INN]


def test_what_names_no_number_answers_no_question_for_one(room):
    judge = Scripted({"bakery": 0.9}, {"bakery": 0.9})
    assert answer("Who sells bread?", judged(room, judge)).verdict is Verdict.SUPPORTED
    assert answer("When does the bakery sell bread?", judged(room, judge)).verdict is Verdict.INSUFFICIENT


def test_what_does_not_suffice_is_withheld_and_shown_as_the_nearest(room):
    found = answer("Who built the mill?", judged(room, Scripted({"Leeds": 0.9}, {"Leeds": 0.499})))
    assert found.verdict is Verdict.INSUFFICIENT
    assert [(one.quote, one.stance) for one in found.evidence] == [(BUILT, Stance.CONTEXT)]
    assert BUILT in found.missing[0]
    unhelpful = answer("Who founded the guild of millers?", judged(room, Scripted({"Leeds": 0.299}, {})))
    assert unhelpful.evidence == ()


def test_a_question_in_a_document_is_no_answer(room):
    judge = Scripted({"sold": 0.9}, {"sold": 0.9})
    assert answer("Who sold it?", judged(room, judge)).verdict is Verdict.INSUFFICIENT


def test_a_sentence_that_is_too_long_for_the_judge_is_undecided_and_the_others_are_judged(room):
    found = answer("Who built the mill?", judged(room, Scripted({"Leeds": 0.9}, {"Leeds": 0.9}, long="red brick")))
    assert found.text == BUILT
    (step,) = [one.detail["fact"] for one in found.trace if one.step == "draft" and "fact" in one.detail]
    assert {row[-1] for row in step["sentences"]} >= {0.9, 0.5}


@pytest.mark.parametrize("question", ["Was the inn built in 1840?", "Why was the mill built?"])
def test_causes_and_yes_or_no_are_no_matter_of_these_judges(room, question):
    judge = Scripted({"Leeds": 0.9}, {"Leeds": 0.9})
    answer(question, judged(room, judge))
    assert judge.asked == []


def test_without_judges_a_sentence_with_all_words_is_told(room):
    found = answer("What does the bakery sell?", room)
    assert found.text == "The bakery sells bread."


def test_without_judges_a_question_within_a_sentence_is_no_answer(room):
    assert answer("Who owns the bakery?", room).verdict is Verdict.INSUFFICIENT
