import pytest

from language.quick_sentences import quick_sentences
from language.sentences import SentenceReader
from language.stated_causes import stated_causes


def told(text):
    sentence = quick_sentences(text)[-1]
    return [(s.cause.strip(" ,."), s.effect.strip(" ,."), s.affirmed, s.actual) for s in stated_causes(sentence)]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The mill burned down because a stove had been left on.", "a stove had been left on", "The mill burned down"),
        ("Because a stove was left on, the mill burned down.", "a stove was left on", "the mill burned down"),
        ("The storm caused the power cut.", "The storm", "the power cut"),
        ("The power cut was caused by the storm.", "the storm", "The power cut was"),
        ("Due to the strike, the train was cancelled.", "the strike", "the train was cancelled"),
        ("The fault led the crew to leave.", "The fault", "led the crew to leave"),
        ("The cause of the fire was an overheated bearing.", "an overheated bearing", "the fire"),
        ("The reason why the tank leaked was that a seal broke.", "a seal broke", "the tank leaked"),
        ("The reason the tank leaked was a broken seal.", "a broken seal", "the tank leaked"),
        ("It was because of ice that the gate jammed.", "ice", "the gate jammed"),
        ("Only because the pay was low did the crew leave.", "the pay was low", "did the crew leave"),
        ("The gate was jammed by ice.", "ice", "The gate was jammed by"),
        ("The smoke was so thick that the crew left.", "The smoke was so thick that", "the crew left"),
    ],
)
def test_the_sides_of_a_cue(text, cause, effect):
    assert (cause, effect, True, True) in told(text)


@pytest.mark.parametrize(
    "text",
    [
        "The storm may have caused the power cut.",
        "The mill may have burned down because a stove had been left on.",
        "If the storm had caused the power cut, the lights would have gone out.",
        "A storm can cause damage to the grid.",
        "A potential cause of the power cut was the storm.",
        "The alleged reason for the power cut was the storm.",
        "A possible but minor cause for the power cut was the storm.",
        "A probable contributing factor to the power cut was the storm.",
        "The storm is a potential cause of the power cut.",
        "The mill reportedly burned down because a stove had been left on.",
        "The mill, allegedly, burned down because a stove had been left on.",
        "Apparently, the mill burned down because a stove had been left on.",
    ],
)
def test_what_is_only_possible_is_not_actual(text):
    assert not any(actual and affirmed for _, _, affirmed, actual in told(text))


@pytest.mark.parametrize("word", ["main", "only", "root", "most important"])
def test_an_adjective_that_hedges_nothing_leaves_the_cause_actual(word):
    assert [stated[2:] for stated in told(f"The {word} cause of the power cut was the storm.")] == [(True, True)]
    assert [stated[2:] for stated in told(f"The storm was the {word} cause of the power cut.")] == [(True, True)]


def test_what_is_denied_is_not_affirmed():
    assert [(affirmed, actual) for _, _, affirmed, actual in told("The strike did not cause the power cut.")] == [
        (False, True)
    ]


@pytest.mark.parametrize(
    "text", ["Did the storm cause the power cut?", "The damage to the grid was small.", "It rained."]
)
def test_what_states_no_cause(text):
    assert told(text) == []


def test_a_cue_that_opens_a_sentence_reaches_back():
    stated = stated_causes(quick_sentences("The dam opened. As a result, the river rose.")[-1])
    assert [(s.reaches_back, s.effect.strip(" ,.")) for s in stated] == [(True, "the river rose")]


@pytest.mark.parametrize(
    "text",
    [
        "Dr. Ito left at 3.30 p.m. because of rain. He didn’t return.\n\n- The pump failed.\n- The valve (V-2) stuck.",
        "x",
        "",
    ],
)
def test_quick_sentences_are_those_of_the_full_reader(text):
    quick = [(s.start, s.end, s.text, s.prose) for s in quick_sentences(text)]
    assert quick == [(s.start, s.end, s.text, s.prose) for s in SentenceReader().read(text)]


def test_quick_sentences_carry_the_offsets_of_the_document():
    document = "Some heading words. The pump didn't fail because of ice."
    for sentence in quick_sentences(document[20:], 20):
        assert document[sentence.start : sentence.end] == sentence.text
        assert all(document[token.start : token.end] == token.text for token in sentence.tokens)
    assert [token.lower for token in quick_sentences("It didn't.")[0].tokens] == ["it", "did", "n't", "."]


def test_a_verb_without_an_object_causes_nothing():
    assert told("The wagon derailed on the line because the rail had buckled.") == [
        ("the rail had buckled", "The wagon derailed on the line", True, True)
    ]


@pytest.mark.parametrize(
    "text",
    [
        "The gate was jammed by the crew.",
        "The car was behind the bus.",
        "The mayor started the race.",
        "The cause of the fire is unknown.",
        "The question is why the tank leaked.",
    ],
)
def test_what_names_no_cause_states_none(text):
    assert told(text) == []


@pytest.mark.parametrize(
    "cause",
    ["a car crash", "bombing raids", "shelling", "a stampede", "Hurricane Hugo", "a series of blasts", "a fall"],
)
def test_people_die_in_what_happens(cause):
    assert told(f"Ten people were killed in {cause}.") == [(cause, "Ten people were killed in", True, True)]


@pytest.mark.parametrize(
    "where",
    ["Leeds", "Reading", "Battle Creek", "March", "2009", "the fall of 1998", "hospital", "flight", "a building"],
)
def test_people_die_of_no_place_and_of_no_time(where):
    assert told(f"Ten people were killed in {where}.") == []


def test_an_occasion_is_no_cause_of_a_loss():
    assert told("The chapel was destroyed during the renovation.") == []
    assert told("The chapel was destroyed during the storm.") != []


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("The crash was initially blamed on ice.", "possible"),
        ("At first, the crash was blamed on ice.", "possible"),
        ("Originally, the collapse was attributed to rust.", "possible"),
        ("The crash was blamed on ice.", "actual"),
        ("The crash was initially caused by ice.", "actual"),
        ("The bridge initially held, but its collapse was blamed on rust.", "actual"),
        ("The explosion, which originally closed the road, was attributed to a gas leak.", "actual"),
        ("The crash was blamed on the brakes that were originally fitted.", "actual"),
    ],
)
def test_what_was_held_at_first_is_possible(text: str, modality: str) -> None:
    [sentence] = quick_sentences(text)
    assert [stated.modality for stated in stated_causes(sentence)] == [modality]


def test_a_cue_that_closes_its_sentence_reaches_back():
    before, sentence = quick_sentences("The clinic ran out of oxygen. Four patients died as a result.")
    (stated,) = stated_causes(sentence)
    assert (stated.affirmed, stated.actual) == (True, True)
    assert stated.sides(before) == ("The clinic ran out of oxygen.", "Four patients died")


def test_a_cue_that_closes_a_sentence_of_two_clauses_does_not():
    (stated,) = stated_causes(quick_sentences("The pump stopped and four patients died as a result.")[-1])
    assert not stated.reaches_back


def test_what_did_not_follow_is_denied():
    (stated,) = stated_causes(quick_sentences("Four patients did not die as a result.")[-1])
    assert not stated.affirmed or "not" in stated.effect


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        (
            "Engineers attribute the decline on Bell Road mainly to the lower limit.",
            "the lower limit",
            "the decline on Bell Road",
        ),
        ("A flood ruined 300 paintings.", "A flood", "ruined 300 paintings."),
        ("A fallen tree stopped the train.", "A fallen tree", "stopped the train."),
        ("The full disk made logins fail.", "The full disk", "made logins fail."),
    ],
)
def test_what_is_attributed_in_a_place_and_what_is_stopped_or_made_to(text: str, cause: str, effect: str) -> None:
    (stated,) = stated_causes(quick_sentences(text)[0])
    assert (stated.cause, stated.effect, stated.actual) == (cause, effect, True)
