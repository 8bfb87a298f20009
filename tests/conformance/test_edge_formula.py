"""The edges of random graphs against the formula, worked out anew in exact fractions from what the store says."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.records import Claim, DecisionKind, Modality, Polarity, Relation
from kg.store import GraphStore
from tests.conformance.material import ByName, NewStore, Statement, bundle_of, decision_of

WEIGHT = {"actual": Fraction(1), "possible": Fraction(1, 2), "planned": Fraction(0), "hypothetical": Fraction(0)}
COPIED = " ".join(f"word{number}" for number in range(1_000))
HAPPENINGS = st.sampled_from(["leak-1", "fire-1"])
STATEMENTS = st.builds(
    Statement,
    cause=HAPPENINGS,
    effect=HAPPENINGS,
    relation=st.sampled_from([Relation.CAUSES, Relation.CAUSES, Relation.PREVENTS]),
    polarity=st.sampled_from(Polarity),
    modality=st.sampled_from(Modality),
    confidence=st.floats(0.1, 1),
    cause_day=st.sampled_from([None, None, None, 2]),
    effect_day=st.sampled_from([None, None, None, 1]),
).filter(lambda statement: statement.cause != statement.effect)
DOCUMENTS = st.tuples(st.booleans(), st.lists(STATEMENTS, min_size=1, max_size=6))
Stance = dict[str, Fraction]


def own_words(number: int) -> str:
    """So many that no two documents resemble each other, whatever they state."""
    return " ".join(f"own{number}w{place}" for place in range(200))


def copy_groups(documents: dict[str, bool]) -> dict[str, str]:
    """All documents that share the copied words are one witness, every other one is its own."""
    return {id_: "copies" if copied else id_ for id_, copied in documents.items()}


def noisy_or(stance: Stance, modalities: set[str]) -> Fraction:
    missed = Fraction(1)
    for strength in stance.values():
        missed *= 1 - strength
    return min(1 - missed, max((WEIGHT[modality] for modality in modalities), default=Fraction(0)))


def worked_out(
    store: GraphStore, witness: dict[str, str], rejected: set[str]
) -> dict[tuple[str, ...], tuple[object, ...]]:
    between: dict[tuple[str, ...], list[Claim]] = defaultdict(list)
    for document in witness:
        for claim in store.claims_of("main", document):
            ends = [store.event_of_mention("main", id_) for id_ in (claim.cause_mention, claim.effect_mention)]
            if claim.id not in rejected and WEIGHT[claim.modality.value] and ends[0] != ends[1]:
                between[str(ends[0]), str(ends[1]), claim.relation.value].append(claim)
    edges: dict[tuple[str, ...], tuple[object, ...]] = {}
    for key, claims in between.items():
        told: dict[str, Stance] = {"affirmed": {}, "negated": {}}
        seen: dict[str, set[str]] = {"affirmed": set(), "negated": set()}
        for claim in claims:
            side, by = claim.polarity.value, witness[claim.document_id]
            strength = Fraction(claim.confidence) * WEIGHT[claim.modality.value]
            told[side][by] = max(strength, told[side].get(by, Fraction(0)))
            seen[side].add(claim.modality.value)
        p_for, p_against = (noisy_or(told[side], seen[side]) for side in ("affirmed", "negated"))
        ruled_out = "actual" in seen["negated"] and "actual" not in seen["affirmed"]
        cause, effect = store.event("main", key[0]), store.event("main", key[1])
        effect_first = (
            effect.time_end is not None and cause.time_start is not None and effect.time_end <= cause.time_start
        )
        edges[key] = (
            pytest.approx(float(p_for), abs=2e-6),
            pytest.approx(float(p_against), abs=2e-6),
            pytest.approx(float(p_against if ruled_out else p_for * (1 - p_against)), abs=2e-6),
            (len(told["affirmed"]), len(told["negated"]), ruled_out, not effect_first),
            sorted(claim.id for claim in claims),
        )
    return edges


def stored(store: GraphStore) -> dict[tuple[str, ...], tuple[object, ...]]:
    return {
        (edge.cause, edge.effect, edge.relation.value): (
            edge.p_for,
            edge.p_against,
            edge.confidence,
            (edge.support, edge.against, edge.ruled_out, edge.consistent),
            list(edge.claims),
        )
        for edge in store.edges("main")
    }


def test_edges_are_what_the_formula_says(new_store: NewStore, random_graphs: settings) -> None:
    @random_graphs
    @given(data=st.data(), corpus=st.lists(DOCUMENTS, min_size=1, max_size=5))
    def holds(data: st.DataObject, corpus: list[tuple[bool, list[Statement]]]) -> None:
        store = new_store()
        bundles = [
            bundle_of(f"{number}.txt", statements, words=f"{COPIED} no{number}" if copied else own_words(number))
            for number, (copied, statements) in enumerate(corpus)
        ]
        documents = {}
        for bundle, (copied, _) in zip(bundles, corpus, strict=True):
            store.commit_document(bundle)
            documents[store.source_state("main", bundle.source.name).document_id] = copied  # type: ignore[union-attr]
        store.derive("main", ByName())
        assert stored(store) == worked_out(store, copy_groups(documents), set())

        claims = sorted({claim.id for bundle in bundles for claim in bundle.claims})
        rejected = set(data.draw(st.lists(st.sampled_from(claims), unique=True))) if claims else set()
        for at, claim in enumerate(sorted(rejected)):
            store.decide(decision_of(DecisionKind.REJECT_CLAIM, claim, at=at))
        gone = data.draw(st.sampled_from(sorted(documents)))
        store.delete_document("main", gone)
        store.derive("main", ByName())
        left = {id_: copied for id_, copied in documents.items() if id_ != gone}
        assert stored(store) == worked_out(store, copy_groups(left), rejected)

    holds()
