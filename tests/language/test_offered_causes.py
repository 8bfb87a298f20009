"""Questions that offer causes, and questions whose "or" offers nothing."""

import time

import pytest

from language.questions import QuestionKind, read_question, why_question

OFFERING = [
    (
        "Which of these caused the footbridge to close: the storm, the rising river or the blocked drain?",
        "the footbridge to close",
        ["the storm", "the rising river", "the blocked drain"],
    ),
    (
        "Did the storm, the rising river or the blocked drain cause the closure of the footbridge?",
        "the closure of the footbridge",
        ["the storm", "the rising river", "the blocked drain"],
    ),
    (
        "Did the storm or the blocked drain cause the closure of the footbridge?",
        "the closure of the footbridge",
        ["the storm", "the blocked drain"],
    ),
    ("Was the closure caused by the storm or by the flood?", "the closure", ["the storm", "the flood"]),
    (
        "Was the closure of the road or the bridge caused by arson or by an accident?",
        "the closure of the road or the bridge",
        ["arson", "an accident"],
    ),
    (
        "Which of the storm, the rising river and the blocked drain led to the closure of the footbridge?",
        "the closure of the footbridge",
        ["the storm", "the rising river", "the blocked drain"],
    ),
    ("Which of the storm or the flood caused the closure?", "the closure", ["the storm", "the flood"]),
    (
        "What caused the footbridge to close: the storm, or rain or snow, or the flood?",
        "the footbridge to close",
        ["the storm", "rain or snow", "the flood"],
    ),
    ("Why did the footbridge close: the storm or the river?", "the footbridge close", ["the storm", "the river"]),
    (
        "Why did the footbridge close? Was it the storm or the flood?",
        "the footbridge close",
        ["the storm", "the flood"],
    ),
    (
        "Which of these caused the footbridge to close? The storm, the rising river or the blocked drain?",
        "the footbridge to close",
        ["The storm", "the rising river", "the blocked drain"],
    ),
    (
        "Why did the alarm not sound: the dead battery or the cut cable?",
        "the alarm did not sound",
        ["the dead battery", "the cut cable"],
    ),
    ("Was it the storm or the flood that caused the closure?", "the closure", ["the storm", "the flood"]),
    ("Was the closure due to the storm or due to the flood?", "the closure", ["the storm", "the flood"]),
    (
        "Did the footbridge close because the river rose or because the drain was blocked?",
        "the footbridge close",
        ["the river rose", "the drain was blocked"],
    ),
    (
        "Did the footbridge close because of the storm, because of the flood, or because of the drain?",
        "the footbridge close",
        ["the storm", "the flood", "the drain"],
    ),
    (
        "Which of the following is the most likely cause of the fire: (a) gas, (b) the disk, (c) none of the above?",
        "the fire",
        ["gas", "the disk", "none of the above"],
    ),
    (
        "Which of the following led to the outage: A) the cache was flushed B) the disk was full",
        "the outage",
        ["the cache was flushed", "the disk was full"],
    ),
    (
        "Which event led to the outage: the cache was flushed; the disk, which was old, was full; or none of these?",
        "the outage",
        ["the cache was flushed", "the disk, which was old, was full", "none of these"],
    ),
    (
        "Which of these caused the fire on 5 February 2021: the storm of 4 February, 2021 or the flood?",
        "the fire on 5 February 2021",
        ["the storm of 4 February, 2021", "the flood"],
    ),
    ("Did Storm Ana or Storm Berta cause the closure?", "the closure", ["Storm Ana", "Storm Berta"]),
    ("Was the fire caused by arson or an accident?", "the fire", ["arson", "an accident"]),
    ("Which caused the closure, the storm or the river?", "the closure", ["the storm", "the river"]),
    ("Which one caused the closure: the storm or neither?", "the closure", ["the storm", "neither"]),
    ("Did gate 2 or gate 3 cause the flood?", "the flood", ["gate 2", "gate 3"]),
]


@pytest.mark.parametrize(("question", "event", "causes"), OFFERING)
def test_the_causes_that_a_question_offers_are_read(question, event, causes):
    read = read_question(question)
    assert (read.kind, read.focus, list(read.options)) == (QuestionKind.CHOOSE, event, causes)


@pytest.mark.parametrize(
    "question",
    [
        "Did rain or snow cause the closure?",
        "Did the failure of the pump or the valve cause the spill?",
        "Did opening the gate or the valve cause the flood?",
        "Did the road close because rain or snow fell?",
        "Which of these caused the closure: rain or snow fell?",
        "Did the storm, which brought rain or snow, cause the flood?",
        "Did the first or the second explosion cause the fire?",
        "Did 2 or 3 failures cause the fire?",
        "Did pump 2 or 3 cause the fire?",
        "Did the storm cause the flood or the landslide?",
        "Did the storm cause the flood or not?",
        "Did two or more failures cause the fire?",
        "Was the closure caused by human or technical error?",
        "Was it caused by the storm or by the flood?",
        "Did the storm cause the flood?",
        "Why did the river rise or fall?",
        "Which of the pumps and valves caused the spill?",
        "Why did the pump or the valve fail?",
        "What caused the fire or the explosion?",
        "Was the bridge or the road closed because of the flood?",
        "What happened at 10:30 to the train or the bus?",
        "Why did the ship sink: what were the causes or reasons?",
        "Did the black or white powder cause the fire?",
        "Did the decision to close the gate or the valve cause the flood?",
        "Did the storm hitting the coast or the flood cause the closure?",
        "Explain: why did the pump or the valve fail?",
        "Who closed the gate: the mayor or the operator?",
        "When did the dam fail: on Monday or on Tuesday?",
        "Did the more or less empty reservoir cause the outage?",
        "Did both the storm and the flood cause the closure?",
        "What if the gate or the valve had failed?",
        "How did the storm or the flood lead to the closure?",
        "Which of these caused the closure?",
        "What followed from the storm or the flood?",
        "Which companies caused the spill, the owner or the operator said?",
        "Was the alarm triggered by the smoke from the kitchen or the lounge?",
        'Did "Trial or the Error" cause the dispute?',
        "Did the operator, the owner of the dam, cause the flood?",
    ],
)
def test_an_or_that_may_mean_something_else_offers_nothing(question):
    read = read_question(question)
    assert (read.kind is QuestionKind.CHOOSE, read.options) == (False, ())


def test_one_cause_is_asked_about_as_before():
    read = read_question("Did the storm lead to the closure of the road or the bridge?")
    assert (read.kind, read.cause, read.effect) == (
        QuestionKind.DID,
        "the storm",
        "the closure of the road or the bridge",
    )


def test_the_event_keeps_its_time_and_its_denial():
    read = read_question("Why did the alarm not sound on 5 March 2024: the dead battery or the cut cable?")
    assert (read.focus, read.negated) == ("the alarm did not sound on 5 March 2024", True)
    assert read.time is not None and read.time.interval is not None


def test_a_choice_that_is_asked_for_as_why_is_read_as_its_event():
    read = why_question("Did the storm or the blocked drain cause the closure of the footbridge?")
    assert (read.kind, read.focus, read.options) == (QuestionKind.WHY, "the closure of the footbridge", ())


def test_so_many_causes_are_no_choice():
    causes = [f"the pump {number}" for number in range(1, 27)]
    asked = f"Which of these caused the fire: {', '.join(causes[:-1])} or {causes[-1]}?"
    assert list(read_question(asked).options) == causes
    assert read_question(asked.replace(" or ", " or the storm or ")).kind is not QuestionKind.CHOOSE


@pytest.mark.parametrize(
    "asked",
    ["which of " + "the or " * 280, "did " + "the pump, " * 190, "was " + "caused by " * 190, "why " + "a: " * 600],
)
def test_hostile_lists_are_read_in_a_moment(asked):
    start = time.perf_counter()
    read_question(asked)
    assert time.perf_counter() - start < 2
