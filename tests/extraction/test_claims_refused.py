"""What claims are not: hedges told as facts, denials as assertions, times and rules as happenings, scraps as spans."""

from __future__ import annotations

import pytest

from extraction.causes import ClaimReader, Found
from language.sentences import SentenceReader

SENTENCES = SentenceReader()
CLAIMS = ClaimReader()


def read(text: str) -> Found:
    return CLAIMS.read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)


def told(text: str) -> list[tuple[str, str, str, str, str]]:
    """Cue, cause, effect, polarity and modality of every claim."""
    found = read(text)
    texts = {mention.id: mention.text for mention in found.mentions}
    return [
        (c.cue, texts[c.cause_mention], texts[c.effect_mention], c.polarity.value, c.modality.value)
        for c in found.claims
    ]


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("There was a drop in output, possibly due to a clogged filter.", "possible"),
        ("The lamp failed, perhaps because of damp.", "possible"),
        ("The belt slipped probably because oil had leaked.", "possible"),
        ("The kite fell, possibly, as a result of icing.", "possible"),
        ("The mast broke as a likely result of rot.", "possible"),
        ("The hum was very likely due to a worn seal.", "possible"),
        ("Gusts can upset a kite and cause the line to snap.", "possible"),
        ("The belt slipped partly because of oil.", "actual"),
        ("The belt slipped largely due to oil.", "actual"),
    ],
)
def test_a_hedge_before_the_cue_makes_the_claim_possible(text: str, modality: str) -> None:
    assert [(claim[3], claim[4]) for claim in told(text)] == [("affirmed", modality)]


HEDGED_NOUNS = [
    ("A potential cause of the stall was ice.", "ice", "the stall"),
    ("The probable reason for the stall was ice.", "ice", "the stall"),
    ("A possible cause for the stall was ice.", "ice", "the stall"),
    ("The suspected cause of the stall is ice.", "ice", "the stall"),
    ("An alleged reason for the walkout was the pay cut.", "the pay cut", "the walkout"),
    ("A likely contributing factor to the stall was ice.", "ice", "the stall"),
    ("One of the potential root causes of the stall was ice.", "ice", "the stall"),
    ("A possible but minor cause of the stall was ice.", "ice", "the stall"),
    ("A potential human cause of the stall was haste.", "haste", "the stall"),
    ("Ice is a potential cause of the stall.", "Ice", "the stall"),
    ("Ice was a possible contributing factor to the stall.", "Ice", "the stall"),
    ("The inspector named the ice as a probable cause of the stall.", "the ice", "the stall"),
]


@pytest.mark.parametrize(("text", "cause", "effect"), HEDGED_NOUNS)
def test_a_hedge_before_the_noun_of_a_cue_makes_the_claim_possible(text: str, cause: str, effect: str) -> None:
    assert [claim[1:] for claim in told(text)] == [(cause, effect, "affirmed", "possible")]


def test_a_possible_cause_that_was_eliminated_is_denied() -> None:
    (claim,) = told("The inspector found no loose wires and eliminated lightning as a possible cause of the blaze.")
    assert claim[1:4] == ("lightning", "the blaze", "negated")


@pytest.mark.parametrize("word", ["main", "only", "single", "most important", "root"])
def test_an_adjective_that_hedges_nothing_leaves_the_cause_actual(word: str) -> None:
    told_both = [told(f"The {word} cause of the stall was ice."), told(f"Ice was the {word} cause of the stall.")]
    assert [[claim[3:] for claim in claims] for claims in told_both] == [[("affirmed", "actual")]] * 2


def test_a_hedge_inside_an_argument_is_no_hedge_of_the_cause() -> None:
    for text in ("The cause of the possible stall was ice.", "A potential overload was the cause of the stall."):
        assert [claim[3:] for claim in told(text)] == [("affirmed", "actual")]
    claims = told("The stall was very likely due to icing caused by a cold front.")
    assert [claim[4] for claim in claims if claim[0] == "caused by"] == ["actual"]


@pytest.mark.parametrize("adverb", ["reportedly", "allegedly", "apparently"])
@pytest.mark.parametrize(
    "text",
    [
        "The attic {} burned because a lamp fell.",
        "The attic, {}, burned because a lamp fell.",
        "{}, the attic burned because a lamp fell.",
        "{} the attic burned because a lamp fell.",
        "Because a lamp fell, the attic {} burned.",
        "A lamp fell, so the attic {} burned.",
        "{}, a lamp caused the blaze.",
    ],
)
def test_a_hedge_in_the_clause_that_is_explained_makes_the_claim_possible(adverb: str, text: str) -> None:
    sentence = text.format(adverb.capitalize() if text.startswith("{") else adverb)
    assert [claim[3:] for claim in told(sentence)] == [("affirmed", "possible")]


@pytest.mark.parametrize(("word", "polarity"), [("likely", "affirmed"), ("unlikely", "negated")])
def test_that_after_likely_opens_a_clause(word: str, polarity: str) -> None:
    claims = told(f"It is {word} that damp was a factor in the fault.")
    assert claims == [("was a factor in", "damp", "the fault", polarity, "possible")]


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        ("The dent was not deep enough to have caused the leak directly.", "The dent", "the leak"),
        ("The gap was insufficient to cause the spill.", "The gap", "the spill"),
        ("The crack was too small to have caused the rupture.", "The crack", "the rupture"),
        ("The wind was not sufficiently strong to have caused the capsize.", "The wind", "the capsize"),
        ("The guard reacted too late to prevent the crash.", "The guard reacted too late", "the crash"),
        ("The hum was not so loud that the guard noticed it.", "The hum was not so loud", "the guard noticed it"),
    ],
)
def test_what_was_not_enough_is_a_denial(text: str, cause: str, effect: str) -> None:
    assert [claim[1:] for claim in told(text)] == [(cause, effect, "negated", "actual")]


def test_what_was_enough_is_asserted() -> None:
    assert [claim[1:] for claim in told("The dent was deep enough to cause a leak.")] == [
        ("The dent", "a leak", "affirmed", "actual")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "In the week leading up to the strike the drivers worked nights.",
        "The shifts leading up to the day of the fire were long.",
        "The sequence of events that led up to the fire was short.",
        "The roster period leading up to the fire was hard.",
        "The lamps were checked before the end of March.",
    ],
)
def test_a_time_is_no_happening(text: str) -> None:
    assert told(text) == []
    assert read(text).rejected == {"time_only": 1}


def test_months_of_something_still_lead_up_to_something() -> None:
    assert [claim[1:3] for claim in told("Months of quarrels led up to the split.")] == [
        ("Months of quarrels", "the split")
    ]


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("Nothing had been reported to the inspector, so he had no reason to visit.",
         {"Nothing had been reported to the inspector", "he had no reason to visit"}),
        ("No alarm sounded because the battery was flat.", {"No alarm sounded"}),
        ("The battery was flat. As a result, no alarm sounded.", {"no alarm sounded"}),
        ("The boat, which had not sunk, was towed because the engine had failed.", set()),
    ],
)  # fmt: skip
def test_a_negated_clause_is_a_negated_mention_and_no_denial(text: str, negated: set[str]) -> None:
    found = read(text)
    assert [claim.polarity.value for claim in found.claims] == ["affirmed"]
    assert {mention.text for mention in found.mentions if mention.polarity.value == "negated"} == negated


def test_no_subject_denies() -> None:
    assert [claim[1:4] for claim in told("No fault caused the fire.")] == [("No fault", "the fire", "negated")]


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("The mast fell across the road, severing a power cable.", "severing"),
        ("The mast fell on the car, and killing two men was the end of it.", None),
        ("The lamp burned, after which the guard left it.", "after which"),
        ("The leak led directly to a loss of heat.", "led to"),
        ("The leaks are resulting in a loss of heat.", "resulted in"),
        ("The outage was mainly caused by rain.", "caused by"),
        ("The outage was precipitated by rain.", "precipitated by"),
        ("The smoke was so thick that the guard left.", "so ... that"),
        ("The gate stood open, so the dog ran off.", "so"),
        ("The crew slept prior to the alarm that had sounded.", "prior to"),
        ("The tug sank owing to a leak.", "owing to"),
    ],
)
def test_the_cue_of_a_claim_is_the_wording_that_was_matched(text: str, cue: str | None) -> None:
    assert [claim[0] for claim in told(text)] == ([] if cue is None else [cue])


@pytest.mark.parametrize(
    ("text", "cause", "effect"),
    [
        # The subject is taken with its verb.
        ("Tram 12, travelling north (empty) failed as a result of wheel slip.",
         "wheel slip", "Tram 12, travelling north (empty) failed"),
        ("The faults found during the visit (see page 2) had been mended, so the guard left.",
         "The faults found during the visit (see page 2) had been mended", "the guard left"),
        ("2.5 The leak caused a fire.", "The leak", "a fire"),
        # What is cut off is cut back.
        ("The crew assumed the gate would stay shut and did not therefore look.", None, None),
        ("The driver erred because of his habit of closely following cars.", "his habit", "The driver erred"),
        ("This stop of the fan almost certainly caused the overload.", "This stop of the fan", "the overload"),
        ("The tanker burned, killing the driver and seriously injuring two others.",
         "The tanker burned", "killing the driver"),
        ("The driver braked approximately seven minutes before the crash.", "The driver braked", "the crash"),
        ("The early restart of pump P-2 caused a fire.", "The early restart of pump P-2", "a fire"),
        ("After a second look at the gauge we left the hall.", "a second look at the gauge", "we left the hall"),
        ("The rumour had led to spread of panic.", "The rumour", "spread of panic"),
        ("This angered the owners, and they shut the gate and then opened fire, injuring six men.",
         "they shut the gate and then opened fire", "injuring six men"),
        ("Men held a rally, demanding that they be paid.", "demanding that they be paid", "Men held a rally"),
        ("Since two trams were cancelled, the crowd left.", "two trams were cancelled", "the crowd left"),
        # Labels and asides stand outside.
        ("Safety issue - The operator's checks did not prevent the fall.", "The operator's checks", "the fall"),
        ("The spare key allowed the door to open - it did not help.", "The spare key", "the door to open"),
        # One clause is told from the next without a comma.
        ("After the watch had changed he soon learned of the leak.",
         "the watch had changed", "he soon learned of the leak"),
        ("As a result of this advice MetroRail stopped the service.", "this advice", "MetroRail stopped the service"),
        ("The lever could not be moved after the fire, which suggested that it was hot.",
         "the fire", "The lever could not be moved"),
    ],
)  # fmt: skip
def test_spans_are_whole(text: str, cause: str | None, effect: str | None) -> None:
    pairs = [claim[1:3] for claim in told(text)]
    if cause is None:
        assert pairs == []
    else:
        assert (cause, effect) in pairs


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        # The subject stands on the other side of the cue.
        ("The wagon was late and consequently was not loaded.", "no_subject"),
        # A phrase that hangs from a noun before it.
        ("The rules on how to stop a tram led to confusion.", "unfinished"),
        # A rule or habit tells of no event.
        ("The harness is checked before use.", "no_event"),
        (
            "Water is flushed through the pipe before filling it to remove dirt that came in after the pipe was cut.",
            "no_event",
        ),
        ("The lens is cleaned after it leaves the factory.", "no_event"),
        # Nouns that are spelled like cues.
        ("The act came into force in June.", "not_a_verb"),
        ("The derailed leading wheel moved to the left.", "not_a_verb"),
        ("In the yard, blocking posts must not be moved.", "not_a_verb"),
    ],
)
def test_scraps_and_rules_are_refused_by_name(text: str, reason: str) -> None:
    found = read(text)
    assert not [claim for claim in found.claims if claim.cue != "after"]
    assert reason in found.rejected


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("Staff must be trained prior to working at height.", "hypothetical"),
        ("The bridge will close before the parade.", "planned"),
        ("The crew left before the parade.", "actual"),
        ("The crew has left after the parade.", "actual"),
    ],
)
def test_order_is_actual_only_of_what_happened(text: str, modality: str) -> None:
    assert [claim[4] for claim in told(text)] == [modality]


def test_rules_in_capitals_name_no_cause() -> None:
    assert all(
        not cue.startswith("blocking")
        for cue, *_ in told("The yard, blocking posts MUST not be moved to allow water to pass.")
    )


@pytest.mark.parametrize(
    ("text", "effect", "lemma"),
    [
        ("The heavy rain forced commuters to walk home.", "commuters to walk home", "walk"),
        ("The rain led the commuters to walk home.", "the commuters to walk home", "walk"),
        ("The fault allowed the fire to spread.", "the fire to spread", "spread"),
        ("The storm prompted the crew to quickly abandon the boat.", "the crew to quickly abandon the boat", "abandon"),
        ("The fault caused a failure to close the valve.", "a failure to close the valve", "failure"),
    ],
)
def test_an_object_and_its_infinitive_are_one_happening(text: str, effect: str, lemma: str) -> None:
    found = read(text)
    (claim,) = found.claims
    (told_of,) = [mention for mention in found.mentions if mention.id == claim.effect_mention]
    assert (told_of.text, told_of.lemma) == (effect, lemma)


def test_text_of_a_page_foot_is_in_no_span() -> None:
    pages = "\n".join(
        f"The guard {verb} the gate number {n} of the yard.\n<< Page {n} >>" for n, verb in enumerate(["shut"] * 3)
    )
    text = pages + "\nNo\n<< Page 4 >>\ncover was given to the pump and as a result, a wheel broke."
    assert all("<<" not in mention.text for mention in read(text).mentions)


def test_what_is_longer_than_any_word_names_no_happening() -> None:
    endless = "ž" * 300
    found = read(f"The failure of the {endless} led to the {endless}. The pump failed because the belt {endless}ed.")
    assert found.claims == ()
    assert found.rejected["word_too_long"] == 1
