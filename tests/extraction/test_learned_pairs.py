from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extraction.causes import ClaimReader, Found
from extraction.claim_source import claim_reader, claims_fingerprint
from extraction.learned_causes import UNSIGNALLED
from extraction.learned_pairs import EXTRACTOR
from extraction.strictness import STRICTNESS, Strictness
from kg.records import Claim, Mention
from language.sentences import SentenceReader
from models.event_pairs import EventLink, SentenceEvents
from models.relation_heads import Relation, RelationReading, SentenceScores

SENTENCES = SentenceReader()
FLOOR = 0.6


class BlankHeads:
    """Heads that find no relation but the given ones, and whose vectors say which sentence was read."""

    fingerprint = "blank"

    def __init__(self, relations: Sequence[Relation] = ()) -> None:
        self._relations = tuple(relations)
        self.texts: list[str] = []

    def read(self, text: str, words: Sequence[tuple[int, int]]) -> RelationReading | None:
        vectors = np.full((len(words), 1), len(self.texts), np.float32)
        self.texts.append(text)
        self.words = [text[start:end] for start, end in words]
        spans = np.zeros((3, len(words), len(words)), np.float32)
        return RelationReading(0.9, self._relations, SentenceScores(vectors, spans, 0.0))


class FixedPairs:
    """Takes the given words for events, and links those that it is told, however far apart."""

    fingerprint = "fixed"

    def __init__(self, heads: BlankHeads, links: Mapping[tuple[str, str], float]) -> None:
        self._heads = heads
        self._told = links
        self._names: dict[int, list[str]] = {}

    def events(self, scores: SentenceScores) -> SentenceEvents:
        known = {word for pair in self._told for word in pair}
        found = [(place, word) for place, word in enumerate(self._heads.words) if word in known]
        self._names[int(scores.words[0, 0])] = [word for _, word in found]
        return SentenceEvents(scores, tuple((place, place) for place, _ in found))

    def links(self, first: SentenceEvents, then: SentenceEvents | None = None) -> list[EventLink]:
        one, other = (self._names[int(each.scores.words[0, 0])] for each in (first, then or first))
        links = []
        for (cause, effect), likely in self._told.items():
            for names, after, forward in ((one, other, True), (other, one, False)):
                if cause in names and effect in after and (then or (forward == (one.index(cause) < one.index(effect)))):
                    links.append(EventLink(names.index(cause), after.index(effect), forward, likely))
        return links


def read(
    text: str, links: Mapping[tuple[str, str], float], relations: Sequence[Relation] = (), *, by_rules: bool = False
) -> Found:
    heads = BlankHeads(relations)
    point = Strictness(FLOOR, everywhere=True, events=True)
    claims = ClaimReader(heads, FixedPairs(heads, links), strictness=point, by_rules=by_rules)
    return claims.read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)


def only(found: Found) -> tuple[Claim, str, str]:
    (claim,) = found.claims
    mentions = {mention.id: mention.text for mention in found.mentions}
    return claim, mentions[claim.cause_mention], mentions[claim.effect_mention]


@pytest.mark.parametrize(
    ("text", "link", "cause", "effect"),
    [
        ("The mill closed, a town lost its market.", ("closed", "lost"), "The mill closed", "a town lost its market"),
        ("The explosion killed two miners.", ("explosion", "killed"), "The explosion", "killed two miners"),
        ("Two miners died in the explosion.", ("explosion", "died"), "the explosion", "Two miners died"),
        ("The fall of a mast cut the line.", ("fall", "cut"), "The fall of a mast", "cut the line"),
    ],
)
def test_a_link_of_two_words_becomes_a_claim_of_their_phrases(
    text: str, link: tuple[str, str], cause: str, effect: str
) -> None:
    claim, *spans = only(read(text, {link: 0.8}))
    assert spans == [cause, effect]
    assert (claim.relation.value, claim.cue, claim.extractor) == ("CAUSES", UNSIGNALLED, EXTRACTOR)
    assert (claim.confidence, claim.quote) == (0.8, text)


BURST = "The dam burst at dawn."
FLOODED = "The whole valley flooded."


@pytest.mark.parametrize("text", [f"{BURST} {FLOODED}", f"{FLOODED} {BURST}"])
def test_a_link_from_one_sentence_to_the_next_quotes_both(text: str) -> None:
    claim, cause, effect = only(read(text, {("burst", "flooded"): 0.8}))
    assert (cause, effect) == ("The dam burst at dawn", "The whole valley flooded")
    assert claim.quote == text


def test_sentences_that_are_not_adjacent_are_not_linked() -> None:
    assert not read(f"{BURST} Nobody saw it. {FLOODED}", {("burst", "flooded"): 0.8}).claims
    assert not read(f"{BURST} Was it the rain? {FLOODED}", {("burst", "flooded"): 0.8}).claims


@pytest.mark.parametrize(("likely", "claims"), [(FLOOR, 1), (FLOOR - 0.01, 0)])
def test_unlikely_links_are_left_out(likely: float, claims: int) -> None:
    assert len(read(f"{BURST} {FLOODED}", {("burst", "flooded"): likely}).claims) == claims


def test_words_that_the_rules_link_are_theirs() -> None:
    text = "The pump stopped because the seal leaked."
    for link in (("leaked", "stopped"), ("stopped", "leaked")):
        (claim,) = read(text, {link: 0.9}, by_rules=True).claims
        assert claim.extractor == "rules-1"


def test_words_that_the_span_heads_link_are_theirs() -> None:
    text = "The strike left many trains cancelled."
    strike = Relation((0, 1), (3, 5), None, 0.9)
    (claim,) = read(text, {("strike", "cancelled"): 0.9}, [strike]).claims
    assert claim.extractor == "heads-1"


def test_a_purpose_is_no_cause() -> None:
    assert not read("They dug a well to find water.", {("find", "dug"): 0.9}).claims


def test_a_possible_effect_is_told_as_such() -> None:
    claim, *_ = only(read(f"{BURST} The valley may have flooded.", {("burst", "flooded"): 0.9}))
    assert claim.modality.value == "possible"


@pytest.mark.parametrize("point", STRICTNESS)
def test_the_version_names_every_part(point: str) -> None:
    assert claim_reader(point, "none").version == claims_fingerprint(point, "none")
    assert ("causetrail_events" in claims_fingerprint(point, "none")) == (point == "generous")
    assert ("causetrail_factuality" in claims_fingerprint(point, "none")) == (point in ("balanced", "generous"))


WORDS = ("The", "strike", "left", ",", "trains", "cancelled", "to", "not", "may", "-", "of", "fire", ".")


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(WORDS), min_size=3, max_size=30), st.data())
def test_whatever_is_linked_quotes_are_verbatim(words: list[str], data: st.DataObject) -> None:
    text = " ".join(words).replace(" .", ".") + "."

    class AnyPairs(FixedPairs):
        def events(self, scores: SentenceScores) -> SentenceEvents:
            return SentenceEvents(scores, tuple((place, place) for place in range(len(scores.words))))

        def links(self, first: SentenceEvents, then: SentenceEvents | None = None) -> list[EventLink]:
            ends = len(first.triggers), len((then or first).triggers)
            found = []
            for _ in range(4):
                one, other = (data.draw(st.integers(0, end - 1)) for end in ends)
                if then is None and one == other:
                    continue
                forward = data.draw(st.booleans()) if then else one < other
                turn = then is not None and not forward
                found.append(EventLink(*((other, one) if turn else (one, other)), forward, 0.9))
            return found

    heads = BlankHeads()
    found = ClaimReader(heads, AnyPairs(heads, {})).read("main", "d" + "0" * 24, SENTENCES.read(text), None, text)
    for record in (*found.mentions, *found.claims):
        assert text[record.start : record.end] == (record.quote if isinstance(record, Claim) else record.text)
    mentions: dict[str, Mention] = {mention.id: mention for mention in found.mentions}
    for claim in found.claims:
        cause, effect = mentions[claim.cause_mention], mentions[claim.effect_mention]
        assert cause.end <= effect.start or effect.end <= cause.start
