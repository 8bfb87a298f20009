from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.derivation import LONGEST_DESCRIPTION, derive_edges, describe_event
from kg.records import Claim, Edge, Event, Mention, Modality, Polarity, Relation, Resolution

FOR, AGAINST = Polarity.AFFIRMED, Polarity.NEGATED
ACTUAL, POSSIBLE = Modality.ACTUAL, Modality.POSSIBLE
MENTIONS = {"m1": "e1", "m2": "e2", "m3": "e3", "m4": "e1"}


def event(id_: str, start: str | None = None, end: str | None = None) -> Event:
    return Event(
        id=id_,
        collection="main",
        description=id_,
        kind="k",
        polarity=FOR,
        modality=ACTUAL,
        time_start=start,
        time_end=end,
        time_resolution=Resolution.DAY if start else None,
        mention_count=1,
        document_count=1,
    )


EVENTS = {id_: event(id_) for id_ in ("e1", "e2", "e3")}


def claim(
    id_: str,
    document: str,
    confidence: float,
    polarity: Polarity = FOR,
    modality: Modality = ACTUAL,
    relation: Relation = Relation.CAUSES,
    ends: tuple[str, str] = ("m1", "m2"),
) -> Claim:
    return Claim(
        id=id_,
        collection="main",
        document_id=document,
        relation=relation,
        cause_mention=ends[0],
        effect_mention=ends[1],
        start=0,
        end=1,
        quote="x",
        cue="led to",
        polarity=polarity,
        modality=modality,
        confidence=confidence,
        extractor="rules-1",
    )


def edge_of(*claims: Claim, copies: dict[str, str] | None = None, rejected: frozenset[str] = frozenset()) -> Edge:
    (edge,) = derive_edges(claims, MENTIONS, EVENTS, copies or {}, rejected)
    return edge


def test_one_claim_is_as_strong_as_it_is() -> None:
    edge = edge_of(claim("c1", "d1", 0.8))
    assert (edge.p_for, edge.p_against, edge.confidence) == (0.8, 0.0, 0.8)
    assert (edge.support, edge.against, edge.ruled_out, edge.consistent) == (1, 0, False, True)
    assert (edge.cause, edge.effect, edge.claims) == ("e1", "e2", ("c1",))


def test_two_documents_are_two_witnesses() -> None:
    edge = edge_of(claim("c1", "d1", 0.8), claim("c2", "d2", 0.5))
    assert (edge.p_for, edge.support) == (0.9, 2)  # 1 - 0.2 * 0.5


def test_of_one_document_the_strongest_claim_counts() -> None:
    edge = edge_of(claim("c1", "d1", 0.8), claim("c2", "d1", 0.5))
    assert (edge.p_for, edge.support, edge.claims) == (0.8, 1, ("c1", "c2"))


def test_near_copies_are_one_witness() -> None:
    edge = edge_of(claim("c1", "d1", 0.8), claim("c2", "d2", 0.5), copies={"d1": "d1", "d2": "d1"})
    assert (edge.p_for, edge.support) == (0.8, 1)


def test_twenty_suspicions_never_make_a_fact() -> None:
    edge = edge_of(*(claim(f"c{n}", f"d{n}", 1.0, modality=POSSIBLE) for n in range(20)))
    assert (edge.p_for, edge.support) == (0.5, 20)
    with_fact = edge_of(claim("c", "d", 0.2), *(claim(f"c{n}", f"d{n}", 1.0, modality=POSSIBLE) for n in range(20)))
    assert with_fact.p_for == 0.999999  # 1 - 0.8 * 0.5 ** 20, to six decimals


def test_a_suspicion_counts_half() -> None:
    assert edge_of(claim("c1", "d1", 0.8, modality=POSSIBLE)).p_for == 0.4


def test_a_denial_weakens_an_assertion() -> None:
    edge = edge_of(claim("c1", "d1", 0.8), claim("c2", "d2", 0.5, AGAINST))
    assert (edge.p_for, edge.p_against, edge.confidence) == (0.8, 0.5, 0.4)
    assert (edge.support, edge.against, edge.ruled_out) == (1, 1, False)


def test_a_denial_against_mere_suspicion_rules_out() -> None:
    edge = edge_of(claim("c1", "d1", 0.8, modality=POSSIBLE), claim("c2", "d2", 0.9, AGAINST))
    assert (edge.ruled_out, edge.confidence, edge.p_for, edge.relation) == (True, 0.9, 0.4, Relation.CAUSES)


def test_a_mere_doubt_rules_nothing_out() -> None:
    edge = edge_of(claim("c1", "d1", 0.8, AGAINST, POSSIBLE))
    assert (edge.ruled_out, edge.p_for, edge.p_against, edge.confidence) == (False, 0.0, 0.4, 0.0)


@pytest.mark.parametrize("modality", [Modality.PLANNED, Modality.HYPOTHETICAL])
def test_what_is_not_real_makes_no_edge(modality: Modality) -> None:
    assert derive_edges([claim("c1", "d1", 1.0, modality=modality)], MENTIONS, EVENTS, {}) == []


def test_what_is_left_out() -> None:
    inside = claim("c1", "d1", 0.9, ends=("m1", "m4"))
    unknown = claim("c2", "d1", 0.9, ends=("m1", "m9"))
    assert derive_edges([inside, unknown], MENTIONS, EVENTS, {}) == []
    edge = edge_of(claim("c1", "d1", 0.9), claim("c2", "d2", 0.3), rejected=frozenset({"c1"}))
    assert (edge.p_for, edge.claims) == (0.3, ("c2",))


def test_relations_are_edges_of_their_own() -> None:
    claims = [claim(f"c{relation}", "d1", 0.5, relation=relation) for relation in Relation]
    edges = derive_edges(claims, MENTIONS, EVENTS, {})
    assert [edge.relation for edge in edges] == sorted(Relation)


@pytest.mark.parametrize(
    ("cause", "effect", "consistent"),
    [
        ((None, None), (None, None), True),
        (("2014-03-02", "2014-03-03"), ("2014-03-03", "2014-03-04"), True),
        (("2014-03-02", "2014-03-03"), ("2014-03-02", "2014-03-03"), True),
        (("2014-03-02", "2014-03-03"), ("2014-03-01", "2014-03-02"), False),
        (("2014-03-02", "2014-03-03"), ("2014-01-01", "2015-01-01"), True),
        (("2014-03-02", "2014-03-03"), (None, None), True),
    ],
)
def test_an_effect_that_was_over_first_is_inconsistent(
    cause: tuple[str | None, str | None], effect: tuple[str | None, str | None], consistent: bool
) -> None:
    def at(moment: str | None) -> str | None:
        return moment and f"{moment}T00:00:00Z"

    events = {"e1": event("e1", *map(at, cause)), "e2": event("e2", *map(at, effect))}
    (edge,) = derive_edges([claim("c1", "d1", 0.9)], MENTIONS, events, {})
    assert edge.consistent is consistent


CLAIMS = st.lists(
    st.builds(
        claim,
        id_=st.integers(0, 10_000).map(lambda n: f"c{n}"),
        document=st.sampled_from(["d1", "d2", "d3", "d4"]),
        confidence=st.floats(0, 1),
        polarity=st.sampled_from(Polarity),
        modality=st.sampled_from(Modality),
        relation=st.sampled_from(Relation),
        ends=st.sampled_from([("m1", "m2"), ("m2", "m3"), ("m4", "m2"), ("m1", "m4")]),
    ),
    max_size=20,
    unique_by=lambda c: c.id,
)


@given(st.data(), CLAIMS)
def test_order_never_matters_and_figures_stay_in_range(data: st.DataObject, claims: list[Claim]) -> None:
    copies = {"d1": "d1", "d2": "d1"}
    edges = derive_edges(claims, MENTIONS, EVENTS, copies)
    assert derive_edges(data.draw(st.permutations(claims)), MENTIONS, EVENTS, copies) == edges
    for edge in edges:
        assert edge.support + edge.against > 0
        assert edge.support <= 3 and edge.against <= 3
        assert edge.p_for <= edge.p_for + edge.p_against
        assert edge.confidence <= max(edge.p_for, edge.p_against)
        assert edge.claims == tuple(sorted(edge.claims))


def mention(id_: str, text: str = "the pump failed", **fields: object) -> Mention:
    given_ = {
        "id": id_,
        "collection": "main",
        "document_id": "d1",
        "start": 0,
        "end": len(text),
        "sentence_start": 0,
        "sentence_end": len(text),
        "text": text,
        "lemma": "fail",
        "kind": "failure",
        "polarity": FOR,
        "modality": ACTUAL,
        "participants": (),
        "place": None,
        "incident": None,
        "time_start": None,
        "time_end": None,
        "time_resolution": None,
    }
    return Mention.model_validate({**given_, **fields})


def dated(id_: str, resolution: Resolution, start: str, end: str, text: str = "it") -> Mention:
    return mention(id_, text, time_start=f"{start}T00:00:00Z", time_end=f"{end}T00:00:00Z", time_resolution=resolution)


def test_the_most_telling_mention_describes_the_event() -> None:
    long = "x" * (LONGEST_DESCRIPTION + 1)
    ranked = [
        dated("m5", Resolution.DAY, "2014-03-01", "2014-03-02", "the pump"),
        dated("m4", Resolution.DAY, "2014-03-01", "2014-03-02", "pump"),
        mention("m2", "the cooling pump failed"),
        mention("m3", "the cooling pump failed"),
        mention("m6", long),
        mention("m7", long + "x"),
        mention("m1", "the cooling pump of unit 2 may have failed", modality=POSSIBLE),
    ]
    for at in range(len(ranked)):
        event_, telling = describe_event(ranked[at:][::-1])
        assert telling == ranked[at].id
        assert event_.description == ranked[at].text


def test_an_event_takes_least_id_most_real_modality_and_finest_time() -> None:
    event_, _ = describe_event(
        [
            dated("m3", Resolution.YEAR, "2014-01-01", "2015-01-01"),
            dated("m2", Resolution.DAY, "2014-03-02", "2014-03-03"),
            mention("m1", modality=POSSIBLE, document_id="d2"),
        ]
    )
    assert (event_.id, event_.modality, event_.mention_count, event_.document_count) == ("e1", ACTUAL, 3, 2)
    assert (event_.time_start, event_.time_resolution) == ("2014-03-02T00:00:00Z", Resolution.DAY)
