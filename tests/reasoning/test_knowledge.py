"""Questions answered from passages, from pairs, and from both, each first or for what is missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from causetrail import Causetrail
from causetrail.settings import load_settings
from kg.records import Answer, PassageKind, Verdict
from language.questions import read_question
from models.judge_source import ChosenJudges
from reasoning.answer import answer
from reasoning.evidence import Quoter
from reasoning.findings import explore
from reasoning.knowledge import KnowledgeBase, search_bases
from reasoning.links import LinkReader
from reasoning.material import Material
from reasoning.passages import UNDECIDED, ChosenPassages
from reasoning.premise_retrieval import retrieved
from reasoning.question_views import ALL_RETRIEVAL, search_question
from reasoning.room import Bench
from reasoning.trace import Recorder
from traversal.deadline import Deadline

NOTES = {
    "school.txt": "Twelve children learn at the school. A bus takes them home.",
    "mill.txt": "The mill at Marle burned down in 1934. It was never rebuilt.",
    "hall.txt": "The town hall of Marle has a clock.",
}
PAIRS = [
    ("Who repairs the weir at Marle?", "The warden, Ada Holm, repairs it."),
    ("Who keeps the key of the boat house?", "Ole Brandt"),
]
LIKE = ("When was the mill at Marle built?", "The mill at Marle was built in 1802, with one wheel.")
ONLY_IN_PAIRS = "Who repairs the weir at Marle?"
ONLY_IN_PASSAGES = "When did the mill at Marle burn down?"
Ask = Callable[..., Answer]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("weir")
    for name, text in NOTES.items():
        (folder / name).write_text(text, "utf-8")
    faq = folder / "faq.jsonl"
    faq.write_text("\n".join(json.dumps({"question": q, "answer": a}) for q, a in PAIRS), "utf-8")
    (folder / "again.jsonl").write_text(
        faq.read_text("utf-8").upper().replace('QUESTION"', 'question"').replace('ANSWER"', 'answer"'), "utf-8"
    )
    with Causetrail(f"sqlite:///{folder}/trail.db") as trail:
        notes = [folder / name for name in NOTES]
        trail.ingest(*notes)
        trail.within("prose").ingest(*notes)
        like = json.dumps({"question": LIKE[0], "answer": LIKE[1]}).encode()
        assert trail.within("like").ingest_bytes(like, "like.jsonl", pairs=True).pairs == 1
        trail.within("like").ingest(folder / "mill.txt")
        assert trail.ingest(faq, pairs=True).pairs == len(PAIRS)
        assert trail.within("twice").ingest(faq, folder / "again.jsonl", pairs=True).pairs == 2 * len(PAIRS)
    return folder / "trail.db"


@pytest.fixture(scope="module")
def ask(store: Path) -> Iterator[Ask]:
    """Asks in a mode; encoder and judges are loaded once for all of them."""
    with Causetrail(f"sqlite:///{store}") as trail:

        def asked(
            question: str, mode: str = "merged", strategy: str = "gap-filling", collection: str = "main"
        ) -> Answer:
            room = trail.within(collection)._room(bench=trail._parts.bench())
            given = room.settings.model_dump() | {"knowledge": mode}
            return answer(question, replace(room, settings=load_settings(**given)), strategy)

        yield asked


def quotes(found: Answer) -> list[str]:
    return [one.quote for one in found.evidence]


def step(found: Answer, name: str) -> dict[str, object]:
    return next(one.detail for one in reversed(found.trace) if one.step == name)


def test_a_pair_tells_what_no_passage_holds(ask: Ask) -> None:
    assert ask(ONLY_IN_PAIRS, "passages").verdict is Verdict.INSUFFICIENT
    for mode in ("pairs", "merged", "two-way", "pairs-then-passages"):
        found = ask(ONLY_IN_PAIRS, mode)
        assert (found.verdict, quotes(found)) == (Verdict.SUPPORTED, ["The warden, Ada Holm, repairs it."]), mode
        (one,) = found.evidence
        assert (one.source, one.line) == ("faq.jsonl", 2)


def test_a_short_answer_is_judged_with_its_question_and_quoted_without_it(ask: Ask) -> None:
    found = ask("Who keeps the key of the boat house?")
    assert (found.text, quotes(found)) == ("Ole Brandt", ["Ole Brandt"])


def test_a_passage_tells_what_no_pair_holds(ask: Ask) -> None:
    assert ask(ONLY_IN_PASSAGES, "pairs").verdict is Verdict.INSUFFICIENT
    for mode in ("passages", "merged", "two-way", "passages-then-pairs"):
        assert quotes(ask(ONLY_IN_PASSAGES, mode)) == ["The mill at Marle burned down in 1934."], mode


def test_what_is_missing_is_searched_for_in_the_other_base(ask: Ask) -> None:
    found = ask(ONLY_IN_PAIRS, "passages-then-pairs")
    assert quotes(found) == ["The warden, Ada Holm, repairs it."]
    assert step(found, "gaps")["knowledge"] == "passages-then-pairs"
    assert ask(ONLY_IN_PAIRS, "passages-then-pairs", "default").verdict is Verdict.INSUFFICIENT
    found = ask(ONLY_IN_PASSAGES, "pairs-then-passages")
    assert quotes(found) == ["The mill at Marle burned down in 1934."]
    assert ask(ONLY_IN_PASSAGES, "pairs-then-passages", "default").verdict is Verdict.INSUFFICIENT


def test_each_search_reads_the_bases_of_its_mode(ask: Ask, store: Path) -> None:
    with Causetrail(f"sqlite:///{store}") as trail:
        sources = {one.id: one.sources[0] for one in trail.documents()}
        by_id = {one.id: one for name in sources for one in trail._parts.store().passages_of("main", name)}
    for mode in KnowledgeBase:
        read = next(
            one.detail["passages"] for one in ask(ONLY_IN_PASSAGES, mode.value).trace if "passages" in one.detail
        )
        assert isinstance(read, list)
        kinds = {by_id[id_].kind for id_, _ in read}
        wanted = {kind for base in mode.first for kind in (PassageKind if base is None else [base])}
        assert kinds == wanted, mode


def test_a_pair_that_asks_something_like_it_stands_behind_a_sentence(ask: Ask) -> None:
    # Alone, the pair takes the judge in: it speaks of the mill, and of a year.
    assert quotes(ask(ONLY_IN_PASSAGES, "pairs", collection="like")) == [LIKE[1]]
    assert quotes(ask(ONLY_IN_PASSAGES, collection="like")) == ["The mill at Marle burned down in 1934."]
    assert quotes(ask("When was the mill in Marle built?", collection="like")) == [LIKE[1]]


def test_a_question_of_a_pair_is_never_quoted(ask: Ask) -> None:
    found = ask("Why does the warden repair the weir at Marle?", "pairs")
    assert all(not quote.endswith("?") for quote in quotes(found))


def test_a_pair_that_two_files_tell_is_read_once(ask: Ask) -> None:
    found = ask(ONLY_IN_PAIRS, collection="twice")
    read = next(one.detail["passages"] for one in found.trace if "passages" in one.detail)
    assert isinstance(read, list)
    assert len(read) == len(PAIRS)


def test_where_there_are_no_pairs_both_together_are_the_passages(ask: Ask) -> None:
    for question in (ONLY_IN_PAIRS, ONLY_IN_PASSAGES, "Why did the mill at Marle burn down?"):
        merged, passages = (ask(question, mode, collection="prose") for mode in ("merged", "passages"))
        fields = {"trace", "usage"}
        assert merged.model_dump(exclude=fields) == passages.model_dump(exclude=fields)
        drop = {"knowledge", "seconds"}
        for one, other in zip(merged.trace, passages.trace, strict=True):
            assert {k: v for k, v in one.detail.items() if k not in drop} == {
                k: v for k, v in other.detail.items() if k not in drop
            }


def test_a_file_of_pairs_is_left_alone_replaced_and_verified(tmp_path: Path) -> None:
    faq = tmp_path / "faq.csv"
    faq.write_text("question,answer\nWho?,The warden.\n", "utf-8")
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
        assert trail.ingest(faq, pairs=True).added == 1
        assert trail.ingest(faq, pairs=True).unchanged == 1
        faq.write_text("question,answer\nWho?,The miller.\nWhy?,The storm caused the flood.\n", "utf-8")
        report = trail.ingest(faq, pairs=True)
        assert (report.replaced, report.passages, report.claims) == (1, 2, 0)
        assert trail.text("faq.csv") == "Who?\nThe miller.\n\nWhy?\nThe storm caused the flood."
        faq.write_text("question,answer\nWho?,\n", "utf-8")
        failed = trail.ingest(faq, pairs=True)
        assert [one.code for one in failed.failures] == ["CT-D019"]
        assert trail.text("faq.csv").startswith("Who?\nThe miller.")
        faq.write_text(f"question,answer\n{'ox ' * 600}?,Yes.\n", "utf-8")
        (failure,) = trail.ingest(faq, pairs=True).failures
        assert "tokens, and the encoder reads 512" in failure.message
        assert trail.verify().faults == ()


class SeesTheKey:
    """A judge of relevance that helps itself to one word: double, so that it is known which passages it was shown."""

    fingerprint = "scripted"

    def __init__(self) -> None:
        self.prompts: dict[str, str] = {}

    def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        return [0.9 if "Brandt" in one else 0.1 for one in passages]


@pytest.fixture
def material(store: Path) -> Iterator[Material]:
    """A question that is answered from both bases."""
    with Causetrail(f"sqlite:///{store}", settings=load_settings(knowledge="two-way")) as trail:
        judge: Any = SeesTheKey()
        room = trail._room(bench=Bench("scripted", ChosenJudges(judge, judge, judge, judge), dict))
        quoter, deadline, asked = Quoter(room.store, "main"), Deadline(60), read_question(ONLY_IN_PAIRS)
        reader, read = LinkReader(room.store, "main", quoter, 0.5), ChosenPassages([], {}, None)
        found = explore(asked, room, deadline)
        yield Material(asked, room, found, read, None, quoter, reader, deadline, Recorder())


def test_a_premise_is_looked_for_in_each_base(material: Material) -> None:
    assert retrieved("Ole Brandt keeps the key of the boat house.", material) == 0.9
    assert retrieved("The mill at Marle burned down in 1934.", material) == 0.1


def test_of_a_premise_that_is_too_long_to_search_nothing_is_known(material: Material) -> None:
    assert retrieved("the mill burned " * 600, material) == UNDECIDED


def test_the_best_of_each_base_is_worth_as_much_to_a_question_of_causes(material: Material) -> None:
    asked = read_question("Why did the mill at Marle burn down?")
    searched = search_question(asked, 4, material.room, material.quoter, ALL_RETRIEVAL)
    assert searched is not None
    passages = material.room.store.passages("main", [hit.id for hit in searched.hits])
    by_kind: dict[PassageKind, list[float]] = {}
    for hit in searched.hits:
        by_kind.setdefault(passages[hit.id].kind, []).append(hit.score)
    assert {*by_kind} == {PassageKind.PROSE, PassageKind.PAIR}
    assert [scores[0] for scores in by_kind.values()] == [2 / 61, 2 / 61]


WEIR = "The warden repaired the weir at Marle in spring."


def repeats(text, count: int) -> list:
    """So many documents that say one thing, but for case and white space."""
    return [text(f"copy{n}.txt", WEIR.replace(" ", " " * (n + 2))) for n in range(count)]


def test_a_repeat_takes_no_place_of_another_text(shelf, text) -> None:
    others = [text(f"o{n}.txt", f"The weir at Marle has {n + 2} gates, and a warden.") for n in range(5)]
    room = shelf.room(text("first.txt", WEIR), *repeats(text, 6), *others)
    quoter = Quoter(room.store, "main")
    hits = search_bases(room, "Who repaired the weir at Marle?", 4, (PassageKind.PROSE,), quoter)
    passages = room.store.passages("main", [hit.id for hit in hits])
    told = {" ".join(quoter.text(passages[hit.id].document_id).split()) for hit in hits}
    assert (len(hits), len(told)) == (4, 4) and WEIR in told
    known = [hit.id for hit in hits if WEIR in " ".join(quoter.text(passages[hit.id].document_id).split())]
    more = search_bases(room, "Who repaired the weir at Marle?", 12, (None,), quoter, known)
    assert len(more) == 5
    assert all(
        "gates" in quoter.text(one.document_id) for one in room.store.passages("main", [h.id for h in more]).values()
    )


def test_an_answer_reads_passages_of_two_documents_that_say_the_same_once(shelf, text) -> None:
    room = shelf.room(text("a.txt", WEIR), *repeats(text, 30), text("o.txt", "The weir at Marle has two gates."))
    found = answer("Who repaired the weir at Marle?", room)
    read = next(one.detail["passages"] for one in found.trace if "passages" in one.detail)
    assert isinstance(read, list) and len(read) == 2


def test_documents_of_different_days_do_not_repeat_one_another(shelf, text) -> None:
    days = ("2021-02-05", "2022-03-06")
    room = shelf.room(*(text(f"{day}.txt", WEIR.replace(" ", " " * (n + 1)), (), day) for n, day in enumerate(days)))
    hits = search_bases(room, "Who repaired the weir at Marle?", 4, (None,), Quoter(room.store, "main"))
    assert len(hits) == 2
