"""Causes that no document states: told as likely where a sentence reads so, never as facts, and as a last resort."""

from dataclasses import replace

import pytest

from kg.records import Stance, Verdict
from models.relation_reader import PackagedRelationReader, ReadRelation
from reasoning.answer import answer
from reasoning.strategies import STRATEGIES
from reasoning.thresholds import thresholds

SENTENCE = "After the old dam burst, the whole village flooded within minutes."
WHY = "Why did the whole village flood?"


class Reads:
    """A double that finds the same cause and effect in every sentence that has both."""

    fingerprint = "scripted"

    def __init__(self, cause, effect, probability):
        self.told = cause, effect, probability
        self.asked: list[str] = []

    def relations(self, text, words):
        cause, effect, probability = self.told
        self.asked.append(text)
        if cause not in text or effect not in text:
            return []
        spans = ((text.index(one), text.index(one) + len(one)) for one in (cause, effect))
        return [ReadRelation(*spans, probability)]


@pytest.fixture(scope="session")
def heads():
    return PackagedRelationReader()


@pytest.fixture
def asked(shelf, text):
    def ask(words, reader, question=WHY, strategy="default", **kept):
        room = replace(shelf.room(text("a.md", words, **kept)), relations=reader)
        found = answer(question, room, strategy)
        steps = [one.detail for one in found.trace if one.step == "likely cause"]
        return found, steps

    return ask


def reads(probability=0.9, cause="the old dam burst", effect="the whole village flooded"):
    return Reads(cause, effect, probability)


def test_a_likely_cause_is_a_hypothesis_with_the_sentence_that_tells_it(asked):
    found, (step,) = asked(SENTENCE, reads())
    assert found.verdict is Verdict.HYPOTHESISED
    assert found.text == (
        "No cause of it was recognised for certain. As a sentence reads, it is likely “the old dam burst” (a.md:1): "
        f"“{SENTENCE}”"
    )
    (quote,) = found.evidence
    assert (quote.quote, quote.start, quote.end, quote.stance) == (SENTENCE, 0, len(SENTENCE), Stance.FOR)
    likely = round(thresholds().likely.right * 0.9, 6)
    assert (found.mode.value, found.confidence, found.chains) == ("text", likely, ())
    assert (step["strength"], step["confidence"]) == (0.9, likely)
    assert found.missing == ("No cause of it was recognised for certain.",)
    assert (step["reader"], step["cause"], step["least"]) == ("scripted", "the old dam burst", 0.4)


def test_a_cause_that_points_back_is_quoted_with_what_it_points_to(asked):
    words = (
        "It was early spring. The old dam had burst at night. These masses flooded the whole village within minutes."
    )
    found, _ = asked(words, reads(cause="These masses", effect="flooded the whole village"))
    (quote,) = [one.quote for one in found.evidence if one.stance is Stance.FOR]
    assert quote == words.removeprefix("It was early spring. ")
    assert "likely “These masses” (a.md:1): “The old dam had burst at night. These masses" in found.text


def test_the_packaged_heads_find_it(asked, heads):
    found, (step,) = asked(SENTENCE, heads)
    assert (found.verdict, step["cause"]) == (Verdict.HYPOTHESISED, "the old dam burst")


@pytest.mark.parametrize(
    ("words", "cause"),
    [
        ("Had the old dam burst, the whole village would have flooded.", "the old dam burst"),
        ("If the old dam had burst, the whole village would have flooded.", "the old dam had burst"),
    ],
)
def test_what_would_have_happened_is_no_effect(words, cause, asked):
    found, _ = asked(words, reads(cause=cause, effect="the whole village would have flooded"))
    assert found.verdict is Verdict.INSUFFICIENT


def test_the_packaged_heads_find_none_where_two_things_are_merely_told(asked, heads):
    found, _ = asked("The whole village flooded. The band played at the old hall.", heads)
    assert found.verdict is Verdict.INSUFFICIENT


def test_what_is_less_likely_is_not_told(asked):
    assert asked(SENTENCE, reads(0.4))[0].verdict is Verdict.HYPOTHESISED
    found, (step,) = asked(SENTENCE, reads(0.399))
    assert found.verdict is Verdict.INSUFFICIENT
    assert [one[3] for one in step["read"]] == [0.399]


def test_the_cause_of_something_else_is_not_told(asked):
    words = "After the old dam burst, the bridge fell, and the whole village flooded."
    assert asked(words, reads(effect="the bridge fell"))[0].verdict is Verdict.INSUFFICIENT
    assert asked(words, reads(effect="the whole village flooded"))[0].verdict is Verdict.HYPOTHESISED


def test_a_cause_that_only_repeats_the_question_is_none(asked):
    words = "The whole village flooded as the village flooded."
    found, _ = asked(words, reads(cause="the village flooded", effect="The whole village flooded"))
    assert found.verdict is Verdict.INSUFFICIENT


def test_what_did_not_happen_or_is_denied_or_only_possible_has_no_likely_cause(asked):
    for words in (
        "After the old dam burst, the whole village flooded? Nobody knows.",
        "Perhaps after the old dam burst the whole village flooded.",
        "It was not because the old dam burst that the whole village flooded.",
    ):
        reader = reads()
        found, _ = asked(words, reader)
        assert found.verdict is not Verdict.HYPOTHESISED, words
        assert reader.asked == [], words


def test_what_is_stated_comes_first(asked, told, says):
    burst, flooded = told("the old dam burst", "burst"), told("the whole village flooded", "flooded")
    words = "At night the whole village flooded because the old dam burst."
    reader = reads()
    found, steps = asked(words, reader, claims=(says(burst, flooded),))
    assert (found.verdict, steps, reader.asked) == (Verdict.SUPPORTED, [], [])


def test_only_questions_why_are_answered_so(asked):
    for question in (
        "What followed from the flooding of the whole village?",
        "Did the old dam flood the whole village?",
        "Why did the whole village not flood?",
    ):
        reader = reads()
        _, steps = asked(SENTENCE, reader, question)
        assert (steps, reader.asked) == ([], []), question


def test_the_baselines_tell_only_what_is_stated(asked):
    for strategy in ("text-only", "causal-graph"):
        reader = reads()
        found, _ = asked(SENTENCE, reader, strategy=strategy)
        assert (found.verdict, reader.asked) == (Verdict.INSUFFICIENT, [])
    recipe = replace(STRATEGIES["default"], likely=False)
    assert asked(SENTENCE, reads(), strategy=recipe)[0].verdict is Verdict.INSUFFICIENT
