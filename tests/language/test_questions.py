import pytest
from hypothesis import given
from hypothesis import strategies as st

from causetrail.errors import QuestionCharacters, QuestionEmpty, QuestionError, QuestionTooLong
from language.questions import QuestionKind, effects_question, how_question, read_question, why_question, without_denial


@pytest.mark.parametrize(
    ("text", "focus"),
    [
        ("Why did the council close the footbridge?", "the council close the footbridge"),
        ("why was the primary school evacuated ?", "the primary school evacuated"),
        ("Why the footbridge closed", "the footbridge closed"),
        ("What caused the flooding of Mill Street?", "the flooding of Mill Street"),
        ("What has caused the outage?", "the outage"),
        ("What was the cause of the explosion?", "the explosion"),
        ("What were the root causes of the derailment?", "the derailment"),
        ("What is the reason for the delay?", "the delay"),
        ("What led to the grounding of the ship?", "the grounding of the ship"),
        ("Which factors contributed to the collision?", "the collision"),
        ("For what reason did the pump stop?", "the pump stop"),
        ("Can you tell me why the pump stopped?", "the pump stopped"),
        ("What made the train derail?", "the train derail"),
        ("What did the fire result from?", "the fire"),
        ("How did the fire start?", "the fire"),
        ("Why is it that the valve leaked?", "the valve leaked"),
        ("Why'd the pump stop?", "the pump stop"),
        ("Why, in your opinion, did the pump stop?", "the pump stop"),
        ("The pump stopped because?", "The pump stopped"),
        ("The pump stopped. Why?", "The pump stopped"),
        ("Explain the pump failure", "the pump failure"),
        ("Explain to me why the pump stopped", "the pump stopped"),
        ("Pump failure root cause", "Pump failure"),
        ("Why did the pump stop for no reason?", "the pump stop for no reason"),
        ("What had caused the fire?", "the fire"),
        ("What led cooling pump P-12 to fail?", "cooling pump P-12 fail"),
        ("What prompted the council to close the footbridge?", "the council close the footbridge"),
        ("What explains the failure of the pump?", "the failure of the pump"),
        ("What could have caused the fire?", "the fire"),
        ("What lay behind the failure?", "the failure"),
        ("On account of what did the pump fail?", "the pump fail"),
        ("What were the circumstances that led to the flood?", "the flood"),
        ("What was it that made the pump fail?", "the pump fail"),
        ("Why did the pump fail, and what caused it?", "the pump fail"),
        ("What do we know about the cause of the flood?", "the flood"),
        ("What do the documents say about why the pump failed?", "the pump failed"),
        ("According to the report, why did the pump fail?", "the pump fail"),
        ("Was there a reason for the delay?", "the delay"),
        ("How did it come about that the pump failed?", "the pump failed"),
        ("How did the pump come to fail?", "the pump fail"),
        ("What's the cause of the fire?", "the fire"),
        ("Whats the reason for the fire?", "the fire"),
        ("What was the outage due to?", "the outage"),
        ("By what was the outage caused?", "the outage"),
        ("List the causes of the outage.", "the outage"),
        ("Who or what caused the outage?", "the outage"),
        ("What set off the alarm?", "the alarm"),
        ("What started the fire?", "the fire"),
        ("Why did the operator who had not been trained leave?", "the operator who had not been trained leave"),
    ],
)
def test_questions_why(text, focus):
    read = read_question(text)
    assert (read.kind, read.focus, read.negated) == (QuestionKind.WHY, focus, False)
    assert (read.cause, read.effect) == (None, None)


@pytest.mark.parametrize(
    ("text", "focus"),
    [
        ("Why did the gas alarm not sound?", "the gas alarm sound"),
        ("Why didn't the alarm sound?", "the alarm sound"),
        ("Why was the train not stopped?", "the train stopped"),
        ("What prevented the destruction of the control room?", "the destruction of the control room"),
        ("What caused the gas alarm not to sound?", "the gas alarm sound"),
        ("What led to the gas alarm never sounding?", "the gas alarm sounding"),
        ("What kept the gas alarm from sounding?", "the gas alarm sounding"),
        ("What is the reason that the gas alarm did not sound?", "the gas alarm sound"),
        ("How come the gas alarm didn't sound?", "the gas alarm sound"),
        ("The gas alarm did not sound. Why?", "The gas alarm sound"),
        ("What led the crew not to launch the boat?", "the crew launch the boat"),
    ],
)
def test_questions_why_not(text, focus):
    read = read_question(text)
    assert (read.kind, read.focus, read.negated) == (QuestionKind.WHY, focus, True)


@pytest.mark.parametrize(
    "text",
    [
        "What if gate 2 had not opened?",
        "What would have happened had the pump not failed?",
        "Would the dam have failed without the rain?",
    ],
)
def test_questions_what_if(text):
    assert read_question(text).kind is QuestionKind.WHAT_IF


@pytest.mark.parametrize(
    ("text", "focus", "effect", "negated"),
    [
        ("What if gate 2 had not opened?", "gate 2 opened", None, True),
        ("What if gate 2 had opened?", "gate 2 had opened", None, False),
        ("What would have happened had the pump not failed?", "the pump failed", None, True),
        ("What would have happened without the rain?", "the rain", None, True),
        ("What would have happened but for the strike?", "the strike", None, True),
        ("Would the dam have failed without the rain?", "the rain", "the dam failed", True),
        ("Would the bridge still have been closed if the pier had not cracked?", "the pier cracked",
         "the bridge closed", True),
        ("Would the town have flooded had the gate opened?", "the gate opened", "the town flooded", False),
    ],
)  # fmt: skip
def test_what_is_supposed_and_what_is_asked_of_it(text, focus, effect, negated):
    read = read_question(text)
    assert (read.focus, read.effect, read.negated, read.cause) == (focus, effect, negated, None)


@pytest.mark.parametrize(
    ("text", "focus"),
    [
        ("What followed from the release of water?", "the release of water"),
        ("What happened because of the strike?", "the strike"),
        ("What resulted from the leak?", "the leak"),
        ("What were the consequences of the outage?", "the outage"),
        ("What are the effects of the ban?", "the ban"),
        ("What did the failure of the pump lead to?", "the failure of the pump"),
        ("What was caused by the storm?", "the storm"),
        ("What happened after the dam opened?", "the dam opened"),
    ],
)
def test_questions_what_followed(text, focus):
    read = read_question(text)
    assert (read.kind, read.focus) == (QuestionKind.EFFECTS, focus)


@pytest.mark.parametrize(
    ("text", "kind", "cause", "effect"),
    [
        ("How did the leak lead to the fire?", "how", "the leak", "the fire"),
        ("How was the fire caused by the leak?", "how", "the leak", "the fire"),
        ("Did lightning cause the explosion?", "did", "lightning", "the explosion"),
        ("Was the explosion caused by lightning?", "did", "lightning", "the explosion"),
        ("Was the pilot responsible for the crash?", "did", "the pilot", "the crash"),
        ("Is the delay due to the strike?", "did", "the strike", "the delay"),
        ("Was the strike the cause of the delay?", "did", "the strike", "the delay"),
        ("Did the pump stop because the power failed?", "did", "the power failed", "the pump stop"),
        ("Did the fire result from a short circuit?", "did", "a short circuit", "the fire"),
    ],
)
def test_questions_that_name_two_happenings(text, kind, cause, effect):
    read = read_question(text)
    assert (read.kind.value, read.cause, read.effect, read.focus) == (kind, cause, effect, effect)


@pytest.mark.parametrize(
    "text", ["Who won the regional football cup?", "When did the dam open?", "the dam", "Was it cold?"]
)
def test_other_questions_are_plain(text):
    assert read_question(text).kind is QuestionKind.PLAIN


def test_the_time_of_a_question_is_no_part_of_its_focus():
    read = read_question("Why did cooling pump P-12 fail on 14 June 2022?")
    assert read.focus == "cooling pump P-12 fail"
    assert (read.time.interval.start, read.time.interval.end) == ("2022-06-14T00:00:00Z", "2022-06-15T00:00:00Z")
    assert read_question("Why did the checkout fail in March?").focus == "the checkout fail"
    assert read_question("Why did the pump fail?").time is None


def test_a_happening_that_is_named_by_a_phrase():
    assert why_question("the footbridge closed").focus == "the footbridge closed"
    assert why_question("Why did the footbridge close?").focus == "the footbridge close"
    denied = why_question("the alarm did not sound")
    assert (denied.kind, denied.focus, denied.negated) == (QuestionKind.WHY, "the alarm sound", True)
    assert effects_question("the dam opened").kind is QuestionKind.EFFECTS
    how = how_question("the dam opened", "the river rose")
    assert (how.kind, how.cause, how.effect) == (QuestionKind.HOW, "the dam opened", "the river rose")


@pytest.mark.parametrize(
    ("text", "error"),
    [("", QuestionEmpty), (" \n?!", QuestionEmpty), ("x" * 2_001, QuestionTooLong), ("why \x00", QuestionCharacters),
     ("why \ud800", QuestionCharacters)],
)  # fmt: skip
def test_what_is_no_question_is_refused(text, error):
    for read in (read_question, why_question, effects_question, lambda t: how_question("it", t)):
        with pytest.raises(error):
            read(text)


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    try:
        read = read_question(text)
    except QuestionError:
        return
    assert read.text == text
    assert read.focus


@pytest.mark.parametrize("filler", ["a ", "cause ", "why ", "the was ", "not ", "lead to "])
def test_long_questions_are_read_in_time(filler):
    assert read_question("Did " + filler * (1_900 // len(filler))).focus


@pytest.mark.parametrize("phrase", ["The gate opened.", "the gate opened fully ...", "“The gate opened”"])
def test_marks_at_the_end_deny_nothing(phrase):
    assert without_denial(phrase) == (phrase, False)
    assert without_denial("The gate did not open.") == ("The gate open", True)
    read = how_question("The pump failed.", "The gate opened.")
    assert (read.cause, read.effect) == ("The pump failed", "The gate opened")
