from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extraction.causes import ClaimReader, Found
from extraction.learned_causes import EXTRACTOR, UNSIGNALLED
from extraction.strictness import ALL, Strictness
from extraction.votes import ALONE, UNCONFIRMED
from kg.records import Claim, Mention
from language.sentences import SentenceReader
from models.factuality_heads import MODALITIES, RELATIONS, Telling
from models.relation_heads import Floats, Relation, RelationReading, Words

SENTENCES = SentenceReader()


class FixedHeads:
    """Heads that find in a sentence the phrases they are told: cause, effect, signal, and how likely that is."""

    fingerprint = "fixed"

    def __init__(self, told: Mapping[str, Sequence[tuple[str, str, str, float]]]) -> None:
        self._told = told

    def read(self, text: str, words: Sequence[tuple[int, int]]) -> RelationReading | None:
        def span(phrase: str) -> tuple[int, int]:
            start = text.index(phrase)
            inside = [n for n, (a, b) in enumerate(words) if a < start + len(phrase) and start < b]
            return inside[0], inside[-1]

        found = [
            Relation(span(cause), span(effect), span(signal) if signal else None, likely)
            for cause, effect, signal, likely in self._told.get(text, ())
        ]
        self.words = [text[start:end] for start, end in words]
        return RelationReading(0.9, tuple(found), early=np.zeros((len(words), 1), np.float32))


class FixedTellings:
    """Tells every relation in one way, and denies the words that it is told."""

    fingerprint = "told"
    denial_floor = 0.5

    def __init__(self, heads: FixedHeads, relation: str, modality: str, denied: str = "") -> None:
        self._heads = heads
        self._telling = Telling(
            {name: float(name == relation) for name in RELATIONS},
            {name: float(name == modality) for name in MODALITIES},
        )
        self._denied = denied

    def tell(self, _early: Floats, _cause: Words, _effect: Words, _signal: Words | None) -> Telling:
        return self._telling

    def denial(self, _early: Floats, happening: Words) -> float:
        return float(self._heads.words[happening[0]] == self._denied)


def read(text: str, *told: tuple[str, str, str, float], strictness: Strictness = ALL, by_rules: bool = False) -> Found:
    claims = ClaimReader(FixedHeads({text: told}), strictness=strictness, by_rules=by_rules)
    return claims.read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)


def only(found: Found) -> tuple[Claim, Mention, Mention]:
    (claim,) = found.claims
    mentions = {mention.id: mention for mention in found.mentions}
    return claim, mentions[claim.cause_mention], mentions[claim.effect_mention]


STRIKE = "The strike left many trains cancelled."


def test_what_the_heads_find_becomes_a_claim() -> None:
    claim, cause, effect = only(read(STRIKE, ("The strike", "many trains cancelled", "left", 0.8)))
    assert (cause.text, effect.text) == ("The strike", "many trains cancelled")
    assert (claim.relation.value, claim.cue, claim.extractor, claim.confidence) == ("CAUSES", "left", EXTRACTOR, 0.8)
    assert claim.quote == STRIKE


@pytest.mark.parametrize(("likely", "claims"), [(0.5, 1), (0.49, 0)])
def test_claims_below_the_floor_are_left_out_and_counted(likely: float, claims: int) -> None:
    strictness = Strictness(floor=0.5, everywhere=True)
    found = read(STRIKE, ("The strike", "many trains cancelled", "left", likely), strictness=strictness)
    assert len(found.claims) == claims
    assert found.rejected == ({} if claims else {"doubtful": 1})


def test_a_relation_that_no_word_signals() -> None:
    text = "The dam burst, a whole valley was flooded."
    claim, *_ = only(read(text, ("The dam burst", "a whole valley was flooded", "", 0.9)))
    assert claim.cue == UNSIGNALLED


@pytest.mark.parametrize(
    ("text", "cause", "effect", "signal"),
    [
        ("They dug a well to find water.", "to find water", "They dug a well", "to"),
        ("They dug a well in order to find water.", "find water", "They dug a well", "in order to"),
    ],
)
def test_a_purpose_is_what_an_act_was_planned_to_bring(text: str, cause: str, effect: str, signal: str) -> None:
    claim, first, then = only(read(text, (cause, effect, signal, 0.9)))
    assert first.text == "They dug a well"
    assert "find water" in then.text
    assert claim.modality.value == "planned"


def test_a_result_is_no_purpose_where_the_cue_table_tells_them_apart() -> None:
    text = "The brakes were worn, so that the wagon did not stop."
    claim, first, _ = only(read(text, ("The brakes were worn", "the wagon did not stop", "so that", 0.9)))
    assert first.text == "The brakes were worn"
    assert claim.modality.value == "actual"


def test_a_cue_says_which_relation_it_is() -> None:
    text = "A quick response prevented the spread of the fire."
    claim, *_ = only(read(text, ("A quick response", "the spread of the fire", "prevented", 0.9)))
    assert claim.relation.value == "PREVENTS"


def test_denied_and_possible_relations_are_told_as_such() -> None:
    denied = "The rain did not cause the crash."
    claim, *_ = only(read(denied, ("The rain", "the crash", "cause", 0.9)))
    assert claim.polarity.value == "negated"
    possible = "The rain may have caused the crash."
    claim, *_ = only(read(possible, ("The rain", "the crash", "caused", 0.9)))
    assert claim.modality.value == "possible"


@pytest.mark.parametrize(
    ("text", "pair", "told"),
    [
        (
            "The storm had nothing to do with the crash.",
            ("The storm", "the crash", "nothing to do with"),
            ("negated", "actual"),
        ),
        ("A spark was blamed for the fire.", ("A spark", "the fire", "was blamed for"), ("affirmed", "possible")),
    ],
)
def test_a_cue_that_denies_or_doubts_by_itself_does_so_for_the_heads(
    text: str, pair: tuple[str, str, str], told: tuple[str, str]
) -> None:
    claim, *_ = only(read(text, (*pair, 0.9)))
    assert (claim.polarity.value, claim.modality.value) == told


BECAUSE = "The pump stopped because the seal leaked."
PAIR = ("the seal leaked", "The pump stopped", "because")


def test_rules_and_heads_that_agree_are_surer_than_each() -> None:
    (alone,) = read(BECAUSE, by_rules=True).claims
    (both,) = read(BECAUSE, (*PAIR, 0.6), by_rules=True).claims
    assert both.extractor == f"{alone.extractor}+{EXTRACTOR}"
    assert both.id == alone.id
    assert max(alone.confidence, 0.6) < both.confidence <= 0.95


def test_a_cause_that_one_way_of_reading_misses_is_less_likely() -> None:
    text = "The pump stopped because the seal leaked, and the strike left many trains cancelled."
    learned = ("the strike", "many trains cancelled", "left", 0.8)
    (unjudged,) = ClaimReader().read("main", "d" + "0" * 24, SENTENCES.read(text), None, text).claims
    by_rules, by_heads = read(text, learned, by_rules=True).claims
    assert 0 <= unjudged.confidence**UNCONFIRMED - by_rules.confidence < 0.01
    assert by_heads.confidence == pytest.approx(0.8 * ALONE)


@pytest.mark.parametrize(
    ("text", "learned"),
    [
        (
            "A quick response prevented the spread of the fire.",
            [("A quick response", "the spread of the fire", "prevented", 0.9)],
        ),
        ("A quick response prevented the spread of the fire.", []),
        ("The crew left the ship after the fire had started.", []),
        ("The seal leaked. As a result, the pump stopped.", []),
    ],
)
def test_what_the_heads_have_not_learned_they_do_not_judge(
    text: str, learned: Sequence[tuple[str, str, str, float]]
) -> None:
    (unjudged,) = ClaimReader().read("main", "d" + "0" * 24, SENTENCES.read(text), None, text).claims
    (judged,) = read(text, *learned, by_rules=True).claims
    assert judged == unjudged


def test_heads_that_only_judge_read_nothing_but_what_they_judge() -> None:
    judging = Strictness(floor=0.0, everywhere=False)
    text = "The strike left many trains cancelled. The pump stopped because the seal leaked."
    read_texts: list[str] = []

    class Listening:
        fingerprint = "listening"

        def read(self, text: str, words: Sequence[tuple[int, int]]) -> RelationReading | None:
            read_texts.append(text)
            span = (0, 0), (len(words) - 2, len(words) - 2)
            return RelationReading(0.9, (Relation(*span, None, 0.9),))

    found = ClaimReader(Listening(), strictness=judging).read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)
    assert read_texts == [BECAUSE]
    assert [claim.extractor for claim in found.claims] == ["rules-1"]


@pytest.mark.parametrize("likely", [0.1, 0.9])
def test_a_claim_turned_round_does_not_stand_beside_that_of_the_rules(likely: float) -> None:
    found = read(BECAUSE, (PAIR[1], PAIR[0], "because", likely), by_rules=True)
    claim, cause, _ = only(found)
    assert cause.text == "the seal leaked"
    assert claim.extractor == "rules-1"


def test_headings_and_questions_are_not_read() -> None:
    text = "Did the strike leave many trains cancelled?"
    assert not read(text, ("the strike", "many trains cancelled", "leave", 0.9)).claims


TWICE = "The not left because strike left because."
WORDS = ("The", "strike", "left", ",", "trains", "cancelled", "to", "not", "may", "-", "because")


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.sampled_from(WORDS), min_size=3),
    st.data(),
)
def test_whatever_the_heads_say_quotes_are_verbatim(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words) + "."

    class AnyHeads:
        fingerprint = "any"

        def read(self, text: str, words: Sequence[tuple[int, int]]) -> RelationReading | None:
            place = st.integers(0, len(words) - 1)
            span = st.tuples(place, place).map(sorted).map(tuple)
            relation = st.builds(Relation, span, span, st.none() | span, st.floats(0, 1))
            return RelationReading(0.5, tuple(data.draw(st.lists(relation, max_size=3))))

    found = ClaimReader(AnyHeads()).read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)
    for record in (*found.mentions, *found.claims):
        assert text[record.start : record.end] == (record.quote if isinstance(record, Claim) else record.text)
    for claim in found.claims:
        assert claim.cause_mention != claim.effect_mention


def test_a_reason_is_no_proof_that_its_denied_effect_happened() -> None:
    assert not ClaimReader().read("main", "d" + "0" * 24, SENTENCES.read(TWICE), None, TWICE).claims


def told(text: str, cause: str, effect: str, signal: str, relation: str, modality: str, denied: str = "") -> Found:
    heads = FixedHeads({text: [(cause, effect, signal, 0.9)]})
    claims = ClaimReader(
        heads, tellings=FixedTellings(heads, relation, modality, denied), strictness=ALL, by_rules=False
    )
    return claims.read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)


TROUBLE = "The strike spelled trouble for commuters."


@pytest.mark.parametrize("relation", ["CAUSES", "ENABLES", "PREVENTS"])
@pytest.mark.parametrize("modality", MODALITIES)
def test_other_heads_say_which_relation_it_is_and_how_real(relation: str, modality: str) -> None:
    for signal in ("spelled", ""):
        claim, *_ = only(told(TROUBLE, "The strike", "trouble for commuters", signal, relation, modality))
        assert (claim.relation.value, claim.modality.value, claim.polarity.value) == (relation, modality, "affirmed")


@pytest.mark.parametrize(
    ("text", "cause", "effect", "signal"),
    [
        ("The vaccine reduced deaths.", "The vaccine", "reduced deaths", ""),
        ("The vaccine reduced deaths.", "The vaccine", "reduced deaths", "reduced"),
        ("Five cables were cut, interrupting service.", "Five cables were cut", "interrupting service", ""),
    ],
)
def test_a_verb_that_prevents_may_itself_be_the_effect(text: str, cause: str, effect: str, signal: str) -> None:
    claim, *_ = only(told(text, cause, effect, signal, "PREVENTS", "actual"))
    assert claim.relation.value == "CAUSES"


@pytest.mark.parametrize(
    ("text", "effect", "modalities"),
    [
        ("Protesters demanding higher wages blocked the road.", "blocked the road", ("planned", "actual")),
        ("Protesters demanding higher wages will block the road.", "will block the road", ("actual", "planned")),
    ],
)
def test_what_is_wanted_is_planned_and_what_was_done_for_it_is_not(
    text: str, effect: str, modalities: tuple[str, str]
) -> None:
    claim, cause, consequence = only(told(text, "demanding higher wages", effect, "", "CAUSES", "planned"))
    assert claim.modality.value == "planned"
    assert (cause.modality.value, consequence.modality.value) == modalities


@pytest.mark.parametrize(("verb", "relation"), [("allowed", "ENABLES"), ("caused", "CAUSES"), ("asked", "PREVENTS")])
def test_a_cue_that_says_which_relation_it_is_is_believed(verb: str, relation: str) -> None:
    text = f"The guard {verb} the crowd to leave the ground."
    claim, *_ = only(told(text, "The guard", "the crowd to leave the ground", verb, "PREVENTS", "actual"))
    assert claim.relation.value == relation


def test_the_weaker_of_cue_and_heads_counts() -> None:
    text = "They dug a well in order to find water."
    claim, *_ = only(told(text, "find water", "They dug a well", "in order to", "CAUSES", "actual"))
    assert claim.modality.value == "planned"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("Nobody closed the valve, so the tank overflowed.", "Nobody closed the valve"),
        ("The pumps never started, so the tank overflowed.", "The pumps never started"),
        ("No trains ran, so the tank overflowed.", "No trains ran"),
        ("The alarm failed to sound, so the tank overflowed.", "The alarm failed to sound"),
    ],
)
def test_what_the_rules_know_to_be_denied_stays_so(text: str, cause: str) -> None:
    _, denied, _ = only(told(text, cause, "the tank overflowed", "so", "CAUSES", "actual"))
    assert denied.polarity.value == "negated"


def test_the_heads_say_what_is_denied() -> None:
    text = "The strike left the trains without drivers."
    for denied, polarity in (("trains", "negated"), ("", "affirmed")):
        found = told(text, "The strike", "the trains", "left", "CAUSES", "actual", denied)
        _, cause, effect = only(found)
        assert (cause.polarity.value, effect.polarity.value) == ("affirmed", polarity)


def test_other_heads_are_part_of_the_version() -> None:
    heads = FixedHeads({})
    versions = {
        ClaimReader(heads, tellings=tellings).version for tellings in (None, FixedTellings(heads, "CAUSES", "actual"))
    }
    assert len(versions) == 2
