"""Resolution as a pure function: which mentions are one event, which are only similar."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extraction.resolution import EventResolver
from kg.records import Decision, DecisionKind, Mention, Modality, Polarity, Resolution, record_id
from kg.resolution import Resolved

RESOLVER = EventResolver()


def mention(document: str, start: int, text: str, **fields: Any) -> Mention:
    document_id = record_id("d", document)
    end = start + len(text)
    day = fields.pop("day", None)
    if day:
        fields |= {
            "time_start": f"{day}T00:00:00Z",
            "time_end": f"{day[:8]}{int(day[8:]) + 1:02d}T00:00:00Z",
            "time_resolution": Resolution.DAY,
        }
    values: dict[str, Any] = {
        "lemma": "failure",
        "kind": "failure",
        "polarity": Polarity.AFFIRMED,
        "modality": Modality.ACTUAL,
        "participants": (),
        "place": None,
        "incident": None,
        "time_start": None,
        "time_end": None,
        "time_resolution": None,
    } | fields
    return Mention(
        id=Mention.id_of(document_id, start, end),
        collection="main",
        document_id=document_id,
        start=start,
        end=end,
        sentence_start=start,
        sentence_end=end,
        text=text,
        **values,
    )


def decision(
    kind: DecisionKind, *mentions: Mention, at: str = "2020-01-01T00:00:00Z", undone: bool = False
) -> Decision:
    subject = tuple(sorted(m.id for m in mentions))
    return Decision(
        id=record_id("x", kind, *subject, at),
        collection="main",
        kind=kind,
        subject=subject,
        by="reader",
        reason="",
        at=at,
        undone=undone,
    )


def resolve(*mentions: Mention, decisions: tuple[Decision, ...] = ()) -> Resolved:
    return RESOLVER.resolve(mentions, decisions)


def same(resolved: Resolved, one: Mention, two: Mention) -> bool:
    return any(one.id in cluster and two.id in cluster for cluster in resolved.clusters)


def similar(resolved: Resolved, one: Mention, two: Mention) -> bool:
    return (min(one.id, two.id), max(one.id, two.id)) in resolved.similar


GAUGE = ("gauge g7",)


def test_a_dated_failure_and_its_retelling_at_the_same_place_are_one() -> None:
    told = mention("1", 0, "Gauge G7 failed", lemma="fail", participants=GAUGE, place="the Arlen dam", day="2019-03-04")
    again = mention("2", 0, "The failure of gauge G7", participants=GAUGE, place="Arlen dam")
    resolved = resolve(told, again)
    assert same(resolved, told, again)
    assert resolved.reasons == {min(told.id, again.id): ("same-place arlen dam + participant gauge g7 (0.78)",)}


def test_the_place_may_stand_among_the_participants_of_one() -> None:
    told = mention("1", 0, "Gauge G7 failed", participants=GAUGE, place="the Arlen dam")
    again = mention("2", 0, "The failure of gauge G7", participants=("arlen dam", "gauge g7"))
    assert same(resolve(told, again), told, again)


def test_a_failure_that_recurs_is_two_events_linked_as_similar() -> None:
    march = mention("1", 0, "Gauge G7 failed", participants=GAUGE, place="Arlen dam", day="2019-03-04")
    may = mention("2", 0, "Gauge G7 failed", participants=GAUGE, place="Arlen dam", day="2020-05-09")
    resolved = resolve(march, may)
    assert not same(resolved, march, may)
    assert similar(resolved, march, may)


def test_a_retelling_that_fits_two_dates_is_neither() -> None:
    march = mention("1", 0, "Gauge G7 failed", participants=GAUGE, place="Arlen dam", day="2019-03-04")
    may = mention("2", 0, "Gauge G7 failed", participants=GAUGE, place="Arlen dam", day="2020-05-09")
    undated = mention("3", 0, "The failure of gauge G7", participants=GAUGE, place="Arlen dam")
    resolved = resolve(march, may, undated)
    assert len(resolved.clusters) == 3
    assert similar(resolved, march, undated)
    assert similar(resolved, may, undated)


def test_an_undated_mention_does_not_chain_two_dates_inside_a_document() -> None:
    march = mention("1", 0, "Gauge G7 failed", participants=GAUGE, day="2019-03-04")
    undated = mention("1", 500, "The failure of gauge G7", participants=GAUGE)
    may = mention("1", 900, "Gauge G7 failed", participants=GAUGE, day="2020-05-09")
    resolved = resolve(march, undated, may)
    assert not same(resolved, march, may)
    assert same(resolved, undated, may)  # the nearer one


@pytest.mark.parametrize("shared", [{"incident": "INC-1042"}, {"day": "2014-03-02"}])
def test_positive_identity_across_documents(shared: dict[str, str]) -> None:
    one = mention("1", 0, "the checkout outage", participants=("checkout",), **shared)
    two = mention("2", 7, "outage of checkout", participants=("checkout",), **shared)
    resolved = resolve(one, two)
    assert same(resolved, one, two)
    (reasons,) = resolved.reasons.values()
    assert reasons[0].startswith(("same-incident INC-1042", "same-day 2014-03-02 + participant checkout"))


def test_no_identity_without_time_number_or_place() -> None:
    one = mention("1", 0, "Gauge G7 failed", participants=GAUGE)
    two = mention("2", 0, "Gauge G7 failed", participants=GAUGE)
    resolved = resolve(one, two)
    assert not same(resolved, one, two)
    assert similar(resolved, one, two)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ({"polarity": Polarity.NEGATED}, {}),
        ({"modality": Modality.PLANNED}, {}),
        ({"modality": Modality.HYPOTHETICAL}, {"modality": Modality.POSSIBLE}),
        ({"day": "2019-03-04"}, {"day": "2019-03-05"}),
        ({"incident": "INC-1"}, {"incident": "INC-2"}),
        ({"place": "Arlen"}, {"place": "Brenna"}),
        ({"participants": ("gate 2",)}, {"participants": ("gate 3",)}),
    ],
)
def test_vetoes_hold_inside_a_document(one: dict[str, Any], two: dict[str, Any]) -> None:
    a = mention("1", 0, "The failure of the gate", **({"participants": ("gate",)} | one))
    b = mention("1", 50, "The failure of the gate", **({"participants": ("gate",)} | two))
    assert not same(resolve(a, b), a, b)
    plain = mention("1", 100, "The failure of the gate", participants=("gate",))
    assert not same(resolve(a, b, plain), a, b)


def test_without_a_veto_the_same_pair_is_one() -> None:
    a = mention("1", 0, "The failure of the gate", participants=("gate",))
    b = mention("1", 50, "The failure of the gate", participants=("gate",))
    assert same(resolve(a, b), a, b)


def test_another_one_is_not_the_one_told_of_before() -> None:
    one = mention("1", 0, "The failure of the gate", participants=("gate",))
    another = mention("1", 50, "Another gate failed", participants=("gate",))
    it = mention("1", 90, "the other gate failed", participants=("gate",))
    told = resolve(one, another, it)
    assert not same(told, one, another)
    assert same(told, another, it)
    before = resolve(another, mention("1", 90, "The gate failed", participants=("gate",)))
    assert len(before.clusters) == 1


def test_gates_two_and_three_do_not_tie_gate_two_to_gate_three() -> None:
    both = mention("1", 0, "The failure of gates", participants=("gate 2", "gate 3"))
    two = mention("1", 50, "The failure of gate 2", participants=("gate 2",))
    three = mention("1", 90, "The failure of gate 3", participants=("gate 3",))
    assert not same(resolve(both, two, three), two, three)


@pytest.mark.parametrize(
    ("one", "two", "together"),
    [
        ("The failure of gate 2", "The failure of gate 3", False),
        ("The failure of gates 2 and 3", "The failure of gate 3", True),
        ("The failure of pump A", "The failure of pump B", False),
        ("The failure of gauge G7", "The failure of gauge G8", False),
        ("The failure of gauge G7", "The failure of the gauge", True),
        ("The failure of gauge No. 7", "The failure of gauge 7", True),
    ],
)
def test_numbers_are_read_from_the_text_behind_the_participant(one: str, two: str, together: bool) -> None:
    parts = tuple(word for word in ("gate", "gauge", "pump") if word in one)
    codes = [tuple(code.lower() for code in ("G7", "G8") if code in text) for text in (one, two)]
    a = mention("1", 0, one, participants=tuple(sorted(codes[0] + parts)))
    b = mention("1", 90, two, participants=tuple(sorted(codes[1] + parts)))
    assert same(resolve(a, b), a, b) is together


@pytest.mark.parametrize(
    ("one", "two"), [("left", "right"), ("port", "starboard"), ("both", "left"), ("first", "third")]
)
def test_sides_exclude_each_other(one: str, two: str) -> None:
    a = mention("1", 0, f"the {one} engine failed", participants=tuple(sorted(("engine", one))), day="2019-03-04")
    b = mention("2", 0, f"the {two} engine failed", participants=tuple(sorted(("engine", two))), day="2019-03-04")
    plain = mention("3", 0, "the engine failed", participants=("engine",), day="2019-03-04")
    assert not same(resolve(a, b, plain), a, b)
    assert same(resolve(a, plain), a, plain)


@pytest.mark.parametrize(
    ("one", "two", "participants", "together"),
    [
        ("The failure of Tower Rowe", "Tower Bowe failed", ("tower",), False),
        ("The failure of Tower Rowe", "Tower Rowe's failure", ("tower",), True),
        ("The failure of Tower Rowe", "the failure of the tower", ("tower",), True),
        ("The failure of the Isk dam", "the Usk dam failed", ("dam",), False),
        ("The failure of the Mill Lane bridge", "the failure of the Mill Street bridge", ("bridge", "mill"), False),
        ("The failure of the 7:40 train pump", "the failure of the 7:50 train pump", ("pump",), False),
        ("The failure of the 7:40 train pump", "the failure of the train pump", ("pump",), True),
        ("In March the pump failed", "In April the failure of the pump", ("pump",), False),
        ("In March the pump failed", "the failure of the pump", ("pump",), True),
        ("On Monday the pump failed", "the failure of the pump on Tuesday", ("pump",), False),
    ],
)
def test_names_and_times_in_the_words_exclude_each_other(
    one: str, two: str, participants: tuple[str, ...], together: bool
) -> None:
    a = mention("1", 0, one, participants=participants)
    b = mention("1", 90, two, participants=participants)
    assert same(resolve(a, b), a, b) is together
    across = [
        mention(document, 0, m, participants=participants, day="2019-03-04")
        for document, m in zip("23", (one, two), strict=True)
    ]
    assert same(resolve(*across), *across) is together


@pytest.mark.parametrize(
    ("one", "two", "together"),
    [
        ("On 3 May", "On 9 June", False),
        ("On Monday", "on Tuesday", False),
        ("In May", "In June", False),
        ("At 8:40", "at 5:10 p.m.", False),
        ("On 3 May", "on May 3", True),
        ("At 5:10 pm", "at 17:10", True),
        ("At 8:40", "at about 8:45", True),
        ("On 3 May", None, True),
    ],
)
def test_times_beside_two_mentions_exclude_each_other(one: str, two: str | None, together: bool) -> None:
    a = mention("1", 0, "The failure of the gate", participants=("gate",), time_words=one)
    b = mention("1", 90, "The failure of the gate", participants=("gate",), time_words=two)
    assert same(resolve(a, b), a, b) is together


SHORT = ("short",)


@pytest.mark.parametrize(
    ("earlier", "later", "together"),
    [
        (["A short circuit"], "The short circuit", True),
        (["a short circuit in the kitchen"], "the short circuit", True),
        (["The short circuit"], "a short circuit", False),
        (["A short circuit", "A short circuit"], "The short circuit", False),
        (["A long circuit"], "The short circuit", False),
        (["A short circuit on 3 May"], "The short circuit of 9 June", False),
    ],
)
def test_what_was_introduced_once_in_its_words_is_meant(earlier: list[str], later: str, together: bool) -> None:
    fields: dict[str, Any] = {"lemma": "circuit", "kind": "circuit", "participants": SHORT}
    told = [mention("1", 90 * place, text, **fields) for place, text in enumerate(earlier)]
    again = mention("1", 900, later, **fields)
    assert same(resolve(*told, again), told[0], again) is together


def test_two_spans_over_each_other_tell_one_happening() -> None:
    inner = mention("1", 10, "failed", lemma="fail")
    outer = mention("1", 0, "the pump failed in the night", lemma="fail", participants=("pump",))
    beside = mention("1", 40, "failed", lemma="fail")
    resolved = resolve(inner, outer, beside)
    assert same(resolved, inner, outer)
    assert not same(resolved, outer, beside)


def test_a_country_is_no_place_to_meet() -> None:
    for place, together in (("New Zealand", False), ("Arlen", True), ("the river", False)):
        one = mention("1", 0, "the seal failed", participants=("seal",), place=place)
        two = mention("2", 0, "the seal failed", participants=("seal",), place=place)
        assert same(resolve(one, two), one, two) is together


def test_the_place_alone_is_not_its_own_participant() -> None:
    one = mention(
        "1", 0, "maintenance at Brisbane Airport", participants=("airport", "brisbane"), place="Brisbane Airport"
    )
    two = mention(
        "2", 0, "maintenance at Brisbane Airport", participants=("airport", "brisbane"), place="Brisbane Airport"
    )
    assert not same(resolve(one, two), one, two)


def test_what_something_came_from_is_a_place() -> None:
    parts = ("arlen", "dam", "water")
    release = mention("1", 0, "the release of water from the Arlen dam", kind="release", participants=parts)
    told = mention("2", 0, "The Arlen dam released water", kind="release", participants=parts, day="2021-02-05")
    unnamed = mention("3", 0, "the release of water from the dam", kind="release", participants=("dam", "water"))
    resolved = resolve(release, told, unnamed)
    assert same(resolved, release, told)
    assert not same(resolved, unnamed, told)


def test_a_shorter_retelling_in_the_same_document_is_the_same() -> None:
    full = mention("1", 0, "The gas alarm in the hall did not sound", participants=("alarm", "gas", "hall", "reactor"))
    short = mention("1", 80, "the gas alarm did not sound", participants=("alarm", "gas"))
    slight = mention("1", 150, "an alarm did not sound", participants=("alarm",))
    resolved = resolve(full, short, slight)
    assert same(resolved, full, short)
    assert not same(resolved, full, slight)


@pytest.mark.parametrize(
    ("short", "start", "together"),
    [("its bearing failed", 60, True), ("a bearing failed", 60, False), ("its bearing failed", 900, False)],
)
def test_a_thing_known_from_nearby_is_the_same(short: str, start: int, together: bool) -> None:
    full = mention("1", 0, "The bearing of pump P-12 failed", participants=("bearing", "p-12", "pump"))
    retold = mention("1", start, short, participants=("bearing",))
    assert same(resolve(full, retold), full, retold) is together


def test_what_was_suspected_and_what_was_found_can_be_one() -> None:
    found = mention("1", 0, "Gauge G7 failed", participants=GAUGE)
    suspected = mention("1", 80, "the failure of gauge G7", participants=GAUGE, modality=Modality.POSSIBLE)
    assert same(resolve(found, suspected), found, suspected)


def test_definite_anaphora_points_to_the_nearest_earlier_mention() -> None:
    first = mention("1", 0, "the pump failed", lemma="fail", participants=("pump",))
    second = mention("1", 200, "the alarm failed", lemma="fail", participants=("alarm",))
    pointer = mention("1", 300, "This failure")
    later = mention("1", 400, "the valve failed", lemma="fail", participants=("valve",))
    resolved = resolve(first, second, pointer, later)
    assert same(resolved, second, pointer)
    assert not same(resolved, first, pointer)
    assert not same(resolved, later, pointer)
    assert resolved.reasons == {min(second.id, pointer.id): ("pointed-at this failure (0.55)",)}


def test_anaphora_does_not_reach_over_a_chapter_nor_another_document() -> None:
    first = mention("1", 0, "the pump failed", lemma="fail", participants=("pump",))
    far = mention("1", 20_000, "the failure")
    elsewhere = mention("2", 300, "the failure")
    assert len(resolve(first, far, elsewhere).clusters) == 3


def test_the_same_generic_thing_doing_the_same_again_is_not_one_happening() -> None:
    one = mention("1", 0, "the train stopped", lemma="stop", kind="stop", participants=("train",))
    two = mention("1", 900, "the train stopped", lemma="stop", kind="stop", participants=("train",))
    assert not same(resolve(one, two), one, two)


def test_a_definite_noun_with_a_generic_participant_points_back() -> None:
    one = mention("1", 0, "the train derailed", lemma="derail", kind="derailment", participants=("train",))
    two = mention(
        "1", 90, "the derailment of the train", lemma="derailment", kind="derailment", participants=("train",)
    )
    assert same(resolve(one, two), one, two)


def test_generic_participants_and_an_unnamed_place_are_no_identity() -> None:
    one = mention("1", 0, "the train stopped", kind="stop", participants=("train",), place="Wellington")
    two = mention("2", 0, "the train stopped", kind="stop", participants=("train",), place="Wellington")
    three = mention("3", 0, "the gate failed", participants=("gate",), place="the station")
    four = mention("4", 0, "the gate failed", participants=("gate",), place="the station")
    assert len(resolve(one, two, three, four).clusters) == 4


def test_different_participants_on_one_day_are_two_happenings() -> None:
    one = mention("1", 0, "the pump failed", participants=("pump",), day="2019-03-04")
    two = mention("2", 0, "the alarm failed", participants=("alarm",), day="2019-03-04")
    assert not same(resolve(one, two), one, two)


def test_two_happenings_of_one_document_are_not_joined_through_another() -> None:
    pump = mention("1", 0, "the pump failed", participants=("pump",), day="2019-03-04")
    alarm = mention("1", 90, "the alarm failed", participants=("alarm",), day="2019-03-04")
    both = mention("2", 0, "failure of pump and alarm", participants=("alarm", "pump"), day="2019-03-04")
    assert not same(resolve(pump, alarm, both), pump, alarm)


def test_repeated_standard_text_is_no_identity() -> None:
    text = "the Commission recommended a change of practice"
    reports = [mention(str(n), 0, text, kind="recommend", participants=("commission", "practice")) for n in range(40)]
    resolved = resolve(*reports)
    assert len(resolved.clusters) == 40
    degree = {m.id: sum(m.id in pair for pair in resolved.similar) for m in reports}
    assert max(degree.values()) <= 8


def test_a_merge_holds_over_vetoes_and_kinds() -> None:
    one = mention("1", 0, "Gauge G7 failed", day="2019-03-04", polarity=Polarity.NEGATED)
    two = mention("2", 0, "the outage", kind="outage", lemma="outage", day="2020-05-09")
    made = decision(DecisionKind.MERGE, one, two)
    resolved = resolve(one, two, decisions=(made,))
    assert same(resolved, one, two)
    assert resolved.reasons == {min(one.id, two.id): (f"decision {made.id}",)}
    assert not same(resolve(one, two), one, two)
    assert not same(resolve(one, two, decisions=(made.model_copy(update={"undone": True}),)), one, two)


def test_kinds_tied_by_a_merge_stay_apart_otherwise() -> None:
    one = mention("1", 0, "Gauge G7 failed", participants=GAUGE)
    tied = mention("2", 0, "the outage", kind="outage", lemma="outage")
    other = mention("1", 50, "the outage of gauge G7", kind="outage", lemma="outage", participants=GAUGE)
    resolved = resolve(one, tied, other, decisions=(decision(DecisionKind.MERGE, one, tied),))
    assert same(resolved, one, tied)
    assert not same(resolved, one, other)


def test_a_split_holds_against_everything() -> None:
    one = mention("1", 0, "Gauge G7 failed", participants=GAUGE)
    two = mention("1", 50, "The failure of gauge G7", participants=GAUGE)
    three = mention("1", 90, "The failure of gauge G7", participants=GAUGE)
    apart = decision(DecisionKind.SPLIT, one, two)
    together = (decision(DecisionKind.MERGE, one, three), decision(DecisionKind.MERGE, two, three))
    assert same(resolve(one, two, three), one, two)
    assert not same(resolve(one, two, three, decisions=(apart,)), one, two)
    assert not same(resolve(one, two, three, decisions=(apart, *together)), one, two)


def test_a_merged_cluster_still_takes_what_fits_one_of_its_sides() -> None:
    one = mention("1", 0, "Gauge G7 failed", participants=GAUGE, day="2019-03-04")
    two = mention("2", 0, "Gauge G7 failed", participants=GAUGE, day="2020-05-09")
    fits = mention("3", 0, "Gauge G7 failed", participants=GAUGE, day="2019-03-04")
    resolved = resolve(one, two, fits, decisions=(decision(DecisionKind.MERGE, one, two),))
    assert same(resolved, one, fits)


def test_a_large_block_is_not_compared_pair_by_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = 0
    import extraction.resolution as room

    original = room.excluded

    def counting(*pair: Any) -> bool:
        nonlocal calls
        calls += 1
        return original(*pair)

    monkeypatch.setattr(room, "excluded", counting)
    crowd = [mention(str(n), 0, "the pump failed", participants=("pump",), day="2019-03-04") for n in range(400)]
    resolve(*crowd)
    assert calls < 400 * 60


PARTICIPANTS = st.lists(
    st.sampled_from(["gauge g7", "gauge g8", "gate 2", "gate 3", "pump", "train", "alarm"]), max_size=2, unique=True
)


@st.composite
def mentions(draw: st.DrawFn) -> list[Mention]:
    found = {}
    for index in range(draw(st.integers(1, 14))):
        made = mention(
            draw(st.sampled_from(["1", "2", "3"])),
            index * draw(st.sampled_from([40, 900])),
            draw(
                st.sampled_from(
                    [
                        "The failure",
                        "Gauge G7 failed",
                        "the failure of the pump",
                        "This failure of gate 2",
                        "the failure of Tower Rowe",
                        "Tower Bowe failed",
                        "the 7:40 train failed",
                        "in March the 7:50 train failed",
                    ]
                )
            ),
            participants=tuple(sorted(draw(PARTICIPANTS))),
            place=draw(st.sampled_from([None, None, "Arlen dam", "the Brenna weir"])),
            incident=draw(st.sampled_from([None, None, "INC-1", "INC-2"])),
            day=draw(st.sampled_from([None, None, "2019-03-04", "2019-03-05"])),
            polarity=draw(st.sampled_from(list(Polarity))),
            modality=draw(st.sampled_from(list(Modality))),
        )
        found[made.id] = made
    return list(found.values())


@st.composite
def blocks(draw: st.DrawFn) -> tuple[list[Mention], list[Decision]]:
    made = draw(mentions())
    decisions = []
    for number in range(draw(st.integers(0, 3))):
        subject = draw(st.lists(st.sampled_from(made), min_size=1, max_size=3, unique_by=lambda m: m.id))
        kind = draw(st.sampled_from([DecisionKind.MERGE, DecisionKind.SPLIT]))
        decisions.append(decision(kind, *subject, at=f"2020-01-0{number + 1}T00:00:00Z"))
    return made, decisions


@given(blocks(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_the_order_of_arrival_does_not_show(block: tuple[list[Mention], list[Decision]], dice: random.Random) -> None:
    made, decisions = block
    expected = RESOLVER.resolve(made, decisions)
    dice.shuffle(made)
    dice.shuffle(decisions)
    assert EventResolver().resolve(made, decisions) == expected


@given(blocks())
@settings(max_examples=150, deadline=None)
def test_what_a_resolution_always_is(block: tuple[list[Mention], list[Decision]]) -> None:
    made, decisions = block
    resolved = RESOLVER.resolve(made, decisions)
    ids = [id_ for cluster in resolved.clusters for id_ in cluster]
    assert sorted(ids) == sorted(m.id for m in made)
    assert all(list(cluster) == sorted(cluster) for cluster in resolved.clusters)
    leasts = [cluster[0] for cluster in resolved.clusters]
    assert leasts == sorted(leasts)
    assert list(resolved.similar) == sorted(set(resolved.similar))
    assert all(a < b and a in leasts and b in leasts for a, b in resolved.similar)
    assert sorted(resolved.reasons) == sorted(cluster[0] for cluster in resolved.clusters if len(cluster) > 1)
    assert all(resolved.reasons.values())
    for made_decision in decisions:
        if made_decision.kind is DecisionKind.SPLIT:
            for cluster in resolved.clusters:
                assert len(set(cluster) & set(made_decision.subject)) <= 1


@given(mentions())
@settings(max_examples=150, deadline=None)
def test_no_cluster_holds_what_excludes_itself(made: list[Mention]) -> None:
    by_id = {m.id: m for m in made}
    for cluster in RESOLVER.resolve(made, ()).clusters:
        inside = [by_id[id_] for id_ in cluster]
        assert len({m.polarity for m in inside}) == 1
        assert len({m.incident for m in inside if m.incident}) <= 1
        assert len({m.time_start for m in inside if m.time_start}) <= 1
        assert len({m.place for m in inside if m.place}) <= 1
        assert len({m.modality for m in inside if m.modality in (Modality.PLANNED, Modality.HYPOTHETICAL)}) <= 1


@given(mentions(), st.integers(1, 5))
@settings(max_examples=100, deadline=None)
def test_unrelated_mentions_change_nothing(made: list[Mention], count: int) -> None:
    before = RESOLVER.resolve(made, ())
    strangers = [mention(f"s{n}", 3, "a turbine failed", participants=(f"turbine{n}",)) for n in range(count)]
    after = RESOLVER.resolve([*strangers, *made], ())
    assert set(before.clusters) <= set(after.clusters)
    assert len(after.clusters) == len(before.clusters) + count
    assert set(before.similar) == set(after.similar)
