from __future__ import annotations

import random
from collections import Counter

import pytest
from spacy.language import Language
from spacy.tokens import Span

from models.packaged_parser import packaged_parser
from training.made_inferences import CONTRADICTION, ENTAILMENT, NEUTRAL, MadePair, made_pairs

SEEDS = 40


@pytest.fixture(scope="module")
def parser() -> Language:
    return packaged_parser()


def made(parser: Language, text: str) -> list[MadePair]:
    """All that any of many draws makes of one sentence alone."""
    sentences: list[Span] = list(parser(text).sents)
    found = {pair for seed in range(SEEDS) for pair in made_pairs(sentences, random.Random(seed))}
    return [pair for pair in sorted(found) if text not in pair.premise.replace(text, "", 1)]


def both_ways(one: str, other: str, label: str, rule: str) -> set[MadePair]:
    return {MadePair(one, other, label, rule), MadePair(other, one, label, rule)}


@pytest.mark.parametrize(
    ("text", "changed", "rule"),
    [
        ("The pump failed in the night.", "The pump did not fail in the night.", "negated"),
        ("The pump was old and weak.", "The pump was not old and weak.", "negated"),
        ("The crew did not close the valve.", "The crew closed the valve.", "negated"),
        ("There are two engines on the wing.", "There are not two engines on the wing.", "negated"),
        ("The door was open.", "The door was closed.", "opposite"),
        ("The river rose in March.", "The river fell in March.", "opposite"),
        ("Three men left the house.", "Seven men left the house.", "number"),
        ("The train hit the lorry.", "The lorry hit the train.", "swapped"),
        ("The doctor treated the child.", "No doctor treated the child.", "there is none"),
        ("The doctor treated the child.", "There was no doctor treating the child.", "there is none"),
    ],
)
def test_what_is_changed_contradicts(parser: Language, text: str, changed: str, rule: str) -> None:
    assert both_ways(text, changed, CONTRADICTION, rule) & set(made(parser, text))


def test_what_is_left_out_still_holds_and_what_is_added_need_not(parser: Language) -> None:
    text, shorter = "A heavy lorry hit the bridge.", "A lorry hit the bridge."
    pairs = set(made(parser, text))
    assert MadePair(text, shorter, ENTAILMENT, "left out") in pairs
    assert MadePair(shorter, text, NEUTRAL, "left out, from less to more") in pairs


@pytest.mark.parametrize(
    ("text", "changed", "rule"),
    [
        ("The girl bought a thermometer.", "The girl purchased a thermometer.", "same"),
        ("An experienced doctor examined him.", "A doctor, who was experienced, examined him.", "which"),
        ("A child was eating an apple.", "There was a child eating an apple.", "there is"),
    ],
)
def test_other_words_say_the_same(parser: Language, text: str, changed: str, rule: str) -> None:
    assert both_ways(text, changed, ENTAILMENT, rule) & set(made(parser, text))


def test_what_is_said_in_wider_words_follows_and_not_the_other_way_round(parser: Language) -> None:
    text, wider = "The farmer was bitten by an ant.", "The person was bitten by an insect."
    pairs = set(made(parser, text))
    assert MadePair(text, wider, ENTAILMENT, "wider") in pairs
    assert MadePair(wider, text, NEUTRAL, "wider, from less to more") in pairs
    assert not [pair for pair in pairs if (pair.premise, pair.label) == (wider, ENTAILMENT)]
    assert MadePair(text, "The person was not bitten by an insect.", CONTRADICTION, "wider and negated") in pairs


def test_what_is_said_of_another_thing_is_neither(parser: Language) -> None:
    pairs = [pair for pair in made(parser, "The onion was bad.") if pair.made_by == "of another thing"]
    assert pairs
    assert {pair.label for pair in pairs} == {NEUTRAL}
    assert any("carrot" in " ".join(pair) for pair in pairs)


def test_what_is_denied_is_denied_of_less_too(parser: Language) -> None:
    less, more = "The pump did not fail.", "The pump did not fail in the night."
    pairs = set(made(parser, "The pump failed in the night."))
    assert MadePair(less, more, ENTAILMENT, "left out, both negated") in pairs
    assert MadePair(more, less, NEUTRAL, "left out, both negated") in pairs


def test_a_denied_sentence_is_not_widened(parser: Language) -> None:
    assert not [pair for pair in made(parser, "The dog did not bite him.") if "wider" in pair.made_by]


def test_a_part_of_a_compound_is_not_changed(parser: Language) -> None:
    assert not [pair for pair in made(parser, "The dog food was bad.") if "animal" in " ".join(pair)]


def test_the_passive_says_the_same(parser: Language) -> None:
    text, passive = "The train hit the lorry.", "The lorry was hit by the train."
    assert both_ways(text, passive, ENTAILMENT, "passive") <= set(made(parser, text))


@pytest.mark.parametrize(
    "text",
    [
        "No heavy lorry hit the bridge.",
        "Every old pump failed in the night.",
        "The alleged thief took the money.",
        "The pump almost failed.",
    ],
)
def test_nothing_is_left_out_where_less_says_something_else(parser: Language, text: str) -> None:
    assert not [pair for pair in made(parser, text) if "left out" in pair.made_by]


def test_parties_that_may_change_places_are_not_swapped(parser: Language) -> None:
    assert not [pair for pair in made(parser, "The minister met the general.") if pair.made_by.startswith("swapped")]


def test_no_label_can_be_told_from_the_negation_of_the_hypothesis(parser: Language) -> None:
    """A share of negated hypotheses under every label, and of affirmed ones among the contradictions."""
    nouns = ("pump", "lorry", "train", "valve", "engine", "river", "bridge", "worker")
    texts = [
        f"The {one} near the old {other} stopped in the night." for one in nouns for other in nouns if one != other
    ]
    sentences = [sentence for text in texts for sentence in parser(text).sents]
    told: Counter[tuple[str, bool]] = Counter(
        (pair.label, " not " in pair.hypothesis or " never " in pair.hypothesis)
        for pair in made_pairs(sentences, random.Random(0))
    )
    for label in (ENTAILMENT, NEUTRAL, CONTRADICTION):
        assert min(told[label, True], told[label, False]) > 0.1 * (told[label, True] + told[label, False]), label


def test_the_same_seed_makes_the_same_pairs(parser: Language) -> None:
    sentences = [
        sentence for text in ("The old pump failed.", "The train hit the lorry.") for sentence in parser(text).sents
    ]
    first, again = (list(made_pairs(sentences, random.Random(3))) for _ in range(2))
    assert first == again
