"""The facade: what people call from Python, over real documents."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from causetrail import Causetrail
from causetrail.errors import (
    ArgumentInvalid,
    DeadlinePassed,
    DocumentUnknown,
    QuestionCharacters,
    QuestionEmpty,
    QuestionError,
    QuestionTooLong,
    RecordUnknown,
    SettingInvalid,
    StoreAddress,
    StoreMissing,
)
from causetrail.settings import load_settings
from kg.records import Polarity, Relation, Verdict

WHY = "Why did the council close the footbridge?"


def exported(trail: Causetrail) -> str:
    """The canonical export."""
    return "".join(trail.export("jsonl"))


def test_nothing_is_made_by_opening(tmp_path: Path) -> None:
    with Causetrail(f"sqlite:///{tmp_path}/trail.db"):
        pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "read",
    [
        lambda trail: trail.ask(WHY),
        lambda trail: trail.why("the flood"),
        lambda trail: trail.events(),
        lambda trail: list(trail.documents()),
        lambda trail: trail.claims(),
        lambda trail: trail.counts(),
        lambda trail: trail.delete("a.txt"),
        lambda trail: trail.verify(),
        lambda trail: "".join(trail.export()),
        lambda trail: trail.decisions(),
    ],
)
def test_reading_makes_no_store(tmp_path: Path, read: object) -> None:
    assert callable(read)
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail, pytest.raises(StoreMissing):
        read(trail)
    assert list(tmp_path.iterdir()) == []


def test_an_address_that_is_none_is_refused() -> None:
    with Causetrail("trail.db") as trail, pytest.raises(StoreAddress):
        trail.counts()


def test_a_collection_that_is_none_is_refused() -> None:
    with pytest.raises(SettingInvalid):
        Causetrail(collection="a/b")


def test_arguments_win_over_the_settings_given(tmp_path: Path) -> None:
    given = load_settings(store="sqlite:///other.db", hops=5)
    trail = Causetrail(f"sqlite:///{tmp_path}/trail.db", collection="plant", settings=given)
    assert (trail.settings.hops, trail.collection) == (5, "plant")
    assert trail.settings.store.endswith("trail.db")


def test_an_answer_repeats_its_documents_word_for_word(flood: Causetrail) -> None:
    answer = flood.ask(WHY)
    assert answer.verdict is Verdict.SUPPORTED
    assert len(answer.chains[0].edges) >= 3
    assert len({evidence.document_id for evidence in answer.evidence}) >= 2
    for evidence in answer.evidence:
        text = flood.text(evidence.document_id)
        assert text[evidence.start : evidence.end] == evidence.quote
        assert text.count("\n", 0, evidence.start) + 1 == evidence.line
        assert evidence.source in flood.document(evidence.document_id).sources


def test_the_same_question_gets_the_same_answer(flood: Causetrail) -> None:
    first, second = (flood.ask(WHY).model_dump_json(exclude={"usage"}) for _ in range(2))
    assert first == second


def test_threads_may_share_it(flood_folder: Path) -> None:
    with Causetrail(f"sqlite:///{flood_folder}/trail.db") as trail:
        barrier = threading.Barrier(4)

        def ask(_: int) -> str:
            barrier.wait()
            return trail.ask(WHY).model_dump_json(exclude={"usage"})

        with ThreadPoolExecutor(4) as pool:
            assert len(set(pool.map(ask, range(4)))) == 1


def test_it_can_be_used_again_after_closing(flood_folder: Path) -> None:
    trail = Causetrail(f"sqlite:///{flood_folder}/trail.db")
    with trail:
        first = trail.counts()
    with trail:
        assert trail.counts() == first


def test_an_event_is_told_in_words_or_by_its_id(flood: Causetrail) -> None:
    event = flood.ask(WHY).chains[0].events[-1]
    assert flood.event(event.id) == event
    assert flood.why(event.id).verdict is Verdict.SUPPORTED
    assert flood.why("the council closed the footbridge").chains[0].events[-1] == event


def test_effects_and_chain_lead_forward(flood: Causetrail) -> None:
    effects = flood.effects("the release of water from the Arlen dam")
    assert effects.verdict is Verdict.SUPPORTED
    chain = flood.chain("the release of water from the Arlen dam", "the council closed the footbridge")
    assert chain.verdict is Verdict.SUPPORTED
    assert len(chain.chains[0].edges) >= 2


def test_a_strategy_that_is_none_is_refused(flood: Causetrail) -> None:
    with pytest.raises(ArgumentInvalid):
        flood.ask(WHY, strategy="guess")


def test_an_empty_question_is_refused(flood: Causetrail) -> None:
    with pytest.raises(QuestionEmpty):
        flood.ask("  ?")


def test_time_that_went_by_without_a_finding_is_told(flood_folder: Path) -> None:
    settings = load_settings(store=f"sqlite:///{flood_folder}/trail.db", deadline_seconds=1e-9)
    with Causetrail(settings=settings) as trail, pytest.raises(DeadlinePassed):
        trail.ask(WHY)


def test_a_search_that_was_cut_short_does_not_say_what_no_document_says(flood_folder: Path) -> None:
    settings = load_settings(store=f"sqlite:///{flood_folder}/trail.db", max_nodes=2)
    with Causetrail(settings=settings) as trail:
        answer = trail.ask(WHY)
    assert len(answer.chains[0].edges) == 1
    assert [text for text in answer.missing if "No statement was found" in text] == []
    assert any("cut short" in text for text in answer.missing)


def test_documents_are_found_by_id_source_and_path(flood: Causetrail, flood_folder: Path) -> None:
    documents = list(flood.documents())
    assert len(documents) == 8
    for document in documents:
        assert flood.document(document.id) == document
        assert flood.document(document.sources[0]) == document
        assert flood.document(str(flood_folder / document.sources[0])) == document


@pytest.mark.parametrize("name", ["nowhere.md", "d" + "0" * 24, "", "a\x00b"])
def test_a_document_that_is_none_is_named(flood: Causetrail, name: str) -> None:
    with pytest.raises(DocumentUnknown):
        flood.document(name)
    with pytest.raises(DocumentUnknown):
        flood.delete(name)


def test_events_come_in_parts(flood: Causetrail) -> None:
    whole = flood.events(limit=1_000)
    assert [event.id for event in whole] == sorted(event.id for event in whole)
    assert flood.events(limit=3) + flood.events(limit=3, offset=3) == whole[:6]
    found = flood.events("closing of the footbridge", limit=5)
    assert flood.events("closing of the footbridge", limit=2, offset=1) == found[1:3]


@pytest.mark.parametrize("event_id", ["e" + "0" * 24, "nonsense"])
def test_an_event_that_is_none_is_named(flood: Causetrail, event_id: str) -> None:
    with pytest.raises(RecordUnknown):
        flood.event(event_id)


def test_claims_are_filtered_by_everything_given(flood: Causetrail) -> None:
    claims = flood.claims()
    assert len(claims) > 5
    assert flood.claim(claims[0].id) == claims[0]
    source = flood.document(claims[0].document_id).sources[0]
    assert flood.claims(document=source) == [c for c in claims if c.document_id == claims[0].document_id]
    assert flood.claims(relation=Relation.BEFORE) == [c for c in claims if c.relation is Relation.BEFORE]
    denied = flood.claims(polarity=Polarity.NEGATED)
    assert denied
    assert denied == [c for c in claims if c.polarity is Polarity.NEGATED]
    assert flood.claims(limit=2, offset=1) == claims[1:3]
    with pytest.raises(RecordUnknown):
        flood.claim("c" + "0" * 24)


def test_claims_of_what_is_none_are_not_an_empty_list(flood: Causetrail) -> None:
    with pytest.raises(RecordUnknown):
        flood.claims(event="e" + "0" * 24)
    with pytest.raises(DocumentUnknown):
        flood.claims(document="nowhere.md")


@pytest.mark.parametrize(
    ("text", "error"),
    [("", QuestionEmpty), ("?!", QuestionEmpty), ("x" * 3_000, QuestionTooLong), ("a\ud800b", QuestionCharacters)],
)
def test_a_text_that_is_none_resembles_nothing(flood: Causetrail, text: str, error: type[QuestionError]) -> None:
    with pytest.raises(error):
        flood.events(text)
    with pytest.raises(error):
        flood.passages(text)


def test_claims_of_an_event_have_it_as_cause_or_effect(flood: Causetrail) -> None:
    chain = flood.ask(WHY).chains[0]
    found = {claim.id for claim in flood.claims(event=chain.events[1].id)}
    assert set(chain.edges[0].claims) | set(chain.edges[1].claims) <= found
    assert len(found) < len(flood.claims())


def test_passages_resemble_the_text(flood: Causetrail) -> None:
    found = flood.passages("Why did the council close the footbridge?", limit=3)
    assert len(found) == 3
    assert any("footbridge" in evidence.quote for evidence in found)
    for evidence in found:
        assert flood.text(evidence.document_id)[evidence.start : evidence.end] == evidence.quote


def test_collections_are_worlds_of_their_own(own_flood: Causetrail) -> None:
    before = own_flood.counts()
    other = own_flood.within("notes")
    other.ingest_text("The valve stuck. As a result, the tank overflowed on 3 May 2021.", "valve.txt")
    assert other.ask("Why did the tank overflow?").verdict is Verdict.SUPPORTED
    assert own_flood.counts() == before
    assert own_flood.within(None) is own_flood
    assert own_flood.within("main") is own_flood


def test_a_deleted_document_leaves_nothing_and_comes_back_the_same(own_flood: Causetrail, tmp_path: Path) -> None:
    whole = exported(own_flood)
    own_flood.delete("flood/3-dam-operator.md")
    without = exported(own_flood)
    assert without != whole
    assert "3-dam-operator" not in without
    own_flood.ingest(tmp_path / "flood" / "3-dam-operator.md")
    assert exported(own_flood) == whole


def test_rejecting_a_claim_breaks_the_chain_and_undo_heals_it(own_flood: Causetrail) -> None:
    before, answer = exported(own_flood), own_flood.ask(WHY)
    edge = answer.chains[0].edges[-1]
    decisions = [own_flood.reject_claim(claim, reason="a test", by="tester") for claim in edge.claims]
    assert own_flood.decisions() == decisions
    told = own_flood.ask(WHY)
    assert not any(edge.cause == found.cause and edge.effect == found.effect for c in told.chains for found in c.edges)
    for decision in decisions:
        assert own_flood.undo(decision.id).undone
    assert own_flood.ask(WHY).model_dump(exclude={"usage", "generation", "trace"}) == answer.model_dump(
        exclude={"usage", "generation", "trace"}
    )
    assert [line for line in exported(own_flood).splitlines() if '"decision"' not in line] == [
        line for line in before.splitlines() if '"decision"' not in line
    ]


def test_mentions_are_merged_and_split_by_hand(own_flood: Causetrail) -> None:
    chain = own_flood.ask(WHY).chains[0]
    first, last = (own_flood.mentions_of_event(chain.events[i].id)[0] for i in (0, -1))
    decision = own_flood.merge(first.id, last.id, reason="a test")
    held = [m.mentions for m in own_flood.merges() if first.id in m.mentions]
    assert held
    assert last.id in held[0]
    own_flood.undo(decision.id)
    assert not any({first.id, last.id} <= set(m.mentions) for m in own_flood.merges())


def test_a_decision_about_nothing_is_refused(own_flood: Causetrail) -> None:
    with pytest.raises(RecordUnknown, match="claims list"):
        own_flood.reject_claim("c" + "0" * 24)
    with pytest.raises(RecordUnknown, match="no mention mdeadbeef"):
        own_flood.merge("mdeadbeef", "mdeadbeee".replace("eee", "efe"))
    assert own_flood.decisions() == []


def test_bad_documents_do_not_stop_the_others(tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.txt").write_text("The valve stuck. As a result, the tank overflowed.")
    (folder / "empty.txt").write_text("")
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 20)
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
        report = trail.ingest(folder, tmp_path / "nowhere")
        assert report.added == 1
        assert sorted(failure.code for failure in report.failures) == ["CT-D001", "CT-D002", "CT-D015"]
        assert trail.counts().documents == 1


def test_a_store_among_its_documents_is_not_taken_for_one(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("The valve stuck. As a result, the tank overflowed.")
    for _ in range(2):
        with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
            report = trail.ingest(tmp_path)
    assert (tmp_path / "trail.db-seeds" / "main").is_dir()
    assert (report.unchanged, report.added, report.failed, report.skipped) == (1, 0, 0, ())


def test_a_date_that_is_none_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail, pytest.raises(ArgumentInvalid):
        trail.ingest_text("The valve stuck.", "valve.txt", published="soon")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x00b"])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail, pytest.raises(ArgumentInvalid):
        trail.ingest_bytes(b"The valve stuck.", name)


def test_verify_finds_everything_exact(flood: Causetrail) -> None:
    report = flood.verify()
    assert report.exact == 1
    assert sum(report.checked.values()) > 50


@pytest.mark.parametrize("form", ["jsonl", "graphml", "cypher"])
def test_every_export_tells_of_the_graph(flood: Causetrail, form: str) -> None:
    text = "".join(flood.export(form))
    assert flood.events(limit=1)[0].id in text
    assert text == "".join(flood.export(form))


def test_an_export_form_that_is_none_is_refused(flood: Causetrail) -> None:
    with pytest.raises(ArgumentInvalid):
        "".join(flood.export("docx"))


def test_what_is_left_open_of_a_cause_is_said(flood: Causetrail) -> None:
    found = flood.what_if("gate 2 opened", "the River Teller rose")
    assert (found.necessary, found.sufficient) == (None, True)
    assert "Whether the cause is necessary is left open" in found.text
    assert "It is sufficient" in found.text
