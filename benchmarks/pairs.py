"""What question-answer pairs are worth beside passages, in each mode of `gap-filling`, with and without its gaps.

    python -m benchmarks.pairs --work FOLDER [--data ../shared/data] [--most N]

XQuAD: of each paragraph one question is held out, drawn with a fixed seed; the others are historical pairs, but for
those that tell a held-out answer: none has the answer of any held-out question, and none of the same paragraph has
words of its answer, or holds them, in its question or its answer. So no pair answers what is asked: what pairs can do
is to lead astray, or not. All paragraphs are passages; asked are the held-out questions of odd articles, which the
judges have not learned from. That a pair which only asks alike stands behind a sentence was decided on these very
questions (before, the right answer was held in 0.720 of them with `merged`), so the difference between `merged` and
`passages` is not one of unseen questions.

An answer is a sentence of a passage or the answer of a pair, and counts as empty where none is given. Its exact match
and its F1 are with the right answer, a few words of such a sentence: for what quotes whole sentences, whether its words
hold the right answer says more. Context recall, as published, divides the contexts that have a right answer by those
of the paragraph that have it, and may exceed 1; covered is the share of the latter that were read. Intervals are 95 %
ones, over questions.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.bootstrap import SEED, share_of, with_interval
from benchmarks.results import write_result
from causetrail import Causetrail
from causetrail.settings import load_settings
from evaluation.answer_match import exact, holds, word_f1
from kg.records import Answer, Passage, Verdict
from kg.seed_index import EmbeddedSeedIndex
from kg.sqlite_store import SqliteStore
from models.encoder import load_encoder
from models.judge_source import PACKAGED, load_judges
from reasoning.answer import answer
from reasoning.gap_filling import GapStages, fill_gaps
from reasoning.knowledge import KnowledgeBase
from reasoning.room import Bench, Room
from reasoning.strategies import find_strategy

_WHOLE: Final = 1_000
"""One question in the counts, so that F1 can be counted in thousandths."""


class HeldOut(NamedTuple):
    """A question that is asked.

    Attributes:
        paragraph: Name of the document that tells its answer.
        place: Where in it the answer stands, in characters.
    """

    asked: str
    right: tuple[str, ...]
    paragraph: str
    place: int


class Base(NamedTuple):
    """What is known and what is asked.

    Attributes:
        paragraphs: Texts by name.
        pairs: Historical questions with their answers.
        asked: The held-out questions.
    """

    paragraphs: dict[str, str]
    pairs: list[tuple[str, str]]
    asked: list[HeldOut]


@dataclass(frozen=True, slots=True)
class Told:
    """What one way told of one question, and what it read for it.

    Attributes:
        text: The answer; empty where none was given.
        contexts: Words of the passages and pairs that were read.
        own: Whether each of them is a passage of the question's paragraph that holds the place of the answer.
    """

    text: str
    contexts: tuple[str, ...]
    own: tuple[bool, ...]


def main() -> None:
    """Asks all in every mode and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of the store")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--most", type=int, default=100, metavar="N", help="questions")
    arguments = parser.parse_args()
    base = read_base(arguments.data / "xquad/xquad.en.json", arguments.most)
    room = _room(base, arguments.work)
    ways: dict[str, list[Counter[str]]] = {}
    rows: list[dict[str, object]] = []
    for mode in KnowledgeBase:
        _add(ways, rows, mode.value, _asked(base.asked, room, mode, GapStages()))
        print(f"  {mode}", flush=True)
    again = _asked(base.asked, room, KnowledgeBase.MERGED, GapStages(reasoning=False))
    _add(ways, rows, "merged, the question again in place of the gaps", again, first=False)
    write_result(
        "pairs",
        command=f"python -m benchmarks.pairs --work FOLDER --most {arguments.most}",
        data=f"XQuAD English, {len(base.asked)} held-out questions of odd articles, {len(base.paragraphs)} paragraphs, "
        f"{len(base.pairs)} historical pairs, none of which tells a held-out answer",
        baseline="passages without gaps: what is read where there are no pairs; the publication's 26.2 (passages) to "
        "41.4 (merged, with gaps) exact match are of other questions, where pairs could answer, and of a model of 70 "
        "billion parameters",
        columns=("exact match", "F1", "right answer held", "answered", "context recall, as published", "covered"),
        figures={way: figures_of(counts) for way, counts in ways.items()},
        rows=rows,
        seed=SEED,
    )


def read_base(path: Path, most: int) -> Base:
    """The paragraphs, the pairs, and the questions that are held out of them.

    Args:
        path: A file in the format of SQuAD.
        most: Questions that are asked, at most.
    """
    draw = random.Random(SEED)
    paragraphs: dict[str, str] = {}
    others: list[tuple[str, str, HeldOut]] = []
    held: list[tuple[int, HeldOut]] = []
    for number, article in enumerate(json.loads(path.read_text("utf-8"))["data"]):
        for place, paragraph in enumerate(article["paragraphs"]):
            name = f"{number:02}-{place:02}.txt"
            paragraphs[name] = paragraph["context"]
            chosen = draw.randrange(len(paragraph["qas"]))
            out = _held_out(paragraph["qas"][chosen], name)
            held.append((number, out))
            others += [
                (one["question"], one["answers"][0]["text"], out)
                for position, one in enumerate(paragraph["qas"])
                if position != chosen
            ]
    answers = [right for _, out in held for right in out.right]
    pairs = [(question, told) for question, told, out in others if not tells(question, told, out, answers)]
    asked = [out for number, out in held if number % 2]
    return Base(paragraphs, pairs, draw.sample(asked, min(most, len(asked))))


def tells(question: str, told: str, out: HeldOut, answers: Sequence[str]) -> bool:
    """Whether a pair shares an answer with a held-out question, or words with that of its own paragraph."""
    return any(exact(told, right) for right in answers) or any(
        holds(told, right) or holds(right, told) or holds(question, right) for right in out.right
    )


def figures_of(counts: Sequence[Counter[str]]) -> list[str]:
    """The figures of one way, as columns of the result."""
    names = ("exact", "f1", "held", "answered")
    shares = [with_interval(counts, share_of(name, "questions")) for name in names]
    recalls = [with_interval(counts, share_of(name, "known contexts")) for name in ("right contexts", "covered")]
    return [*shares, *recalls]


def counts_of(out: HeldOut, told: Told, known: int) -> Counter[str]:
    """The counts of one question, in thousandths.

    Args:
        out: The question.
        told: What was told and read.
        known: Passages of its paragraph that hold the place of the answer.
    """
    return Counter(
        {
            "questions": _WHOLE,
            "exact": _WHOLE * any(exact(told.text, right) for right in out.right),
            "f1": round(_WHOLE * max(word_f1(told.text, right) for right in out.right)),
            "held": _WHOLE * any(holds(told.text, right) for right in out.right),
            "answered": _WHOLE * bool(told.text),
            "known contexts": _WHOLE * known,
            "right contexts": _WHOLE
            * sum(any(holds(context, right) for right in out.right) for context in told.contexts),
            "covered": _WHOLE * sum(told.own),
        }
    )


def _held_out(one: Mapping[str, Any], paragraph: str) -> HeldOut:
    right = tuple(dict.fromkeys(answer["text"] for answer in one["answers"]))
    return HeldOut(one["question"], right, paragraph, one["answers"][0]["answer_start"])


def _room(base: Base, work: Path) -> Room:
    """A store of paragraphs and pairs, with the packaged judges."""
    folder = work / "paragraphs"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in base.paragraphs.items():
        (folder / name).write_text(text, "utf-8")
    known = work / "pairs.jsonl"
    lines = [json.dumps({"question": question, "answer": told}) for question, told in base.pairs]
    known.write_text("\n".join(lines), "utf-8")
    with Causetrail(f"sqlite:///{work / 'trail.db'}") as trail:
        trail.ingest(folder)
        trail.ingest(known, pairs=True)
    store = SqliteStore(work / "trail.db", wait_seconds=5, lease_seconds=5)
    settings = load_settings()
    index = EmbeddedSeedIndex(store, load_encoder(settings.encoder), "main", work / "index")
    return Room(store, index, settings, "main", bench=Bench(PACKAGED, load_judges(), dict))


def _asked(
    asked: Sequence[HeldOut], room: Room, mode: KnowledgeBase, stages: GapStages
) -> Iterator[tuple[HeldOut, Told, Told, int]]:
    """For each question what was told without gaps, and with them, and how many passages hold the answer's place."""
    recipe = replace(find_strategy("gap-filling"), validate=partial(fill_gaps, stages=stages))
    room = replace(room, settings=load_settings(**room.settings.model_dump() | {"knowledge": mode.value}))
    for out in asked:
        yield (out, *_read(out, answer(out.asked, room, recipe), room))


def _read(out: HeldOut, found: Answer, room: Room) -> tuple[Told, Told, int]:
    steps = {step.step: step.detail for step in found.trace if step.step != "draft"}
    drafts: list[dict[str, Any]] = [step.detail for step in found.trace if step.step == "draft"]
    gaps: dict[str, Any] = steps["gaps"]
    first = [id_ for draft in drafts for id_, _ in draft.get("passages", ())]
    later = [id_ for gap in gaps["gaps"] for id_ in gap["found"]]
    drafted = steps["arbitrate"]["verdict"] != Verdict.INSUFFICIENT.value
    given = found.verdict is not Verdict.INSUFFICIENT
    document = next(one.id for one in room.store.documents("main") if one.sources[0].endswith(out.paragraph))
    known = sum(_holds_place(passage, out) for passage in room.store.passages_of("main", document))
    both = list(dict.fromkeys([*first, *later]))
    without = _told(gaps["first"] if drafted else "", first, out, document, room)
    return without, _told(found.text if given else "", both, out, document, room), known


def _told(text: str, ids: Sequence[str], out: HeldOut, document: str, room: Room) -> Told:
    passages = [room.store.passages("main", [id_])[id_] for id_ in ids]
    contexts = (room.store.document_text("main", one.document_id)[one.start : one.end] for one in passages)
    own = (one.document_id == document and _holds_place(one, out) for one in passages)
    return Told(text, tuple(contexts), tuple(own))


def _holds_place(passage: Passage, out: HeldOut) -> bool:
    return passage.start <= out.place < passage.end


def _add(
    ways: dict[str, list[Counter[str]]],
    rows: list[dict[str, object]],
    mode: str,
    told: Iterator[tuple[HeldOut, Told, Told, int]],
    *,
    first: bool = True,
) -> None:
    """Adds the counts of a mode, without its gaps where `first`, and with them."""
    for place, (out, without, filled, known) in enumerate(told):
        for way, one in ((f"{mode}, without gaps", without), (f"{mode}, with gaps" if first else mode, filled)):
            if one is without and not first:
                continue
            counts = counts_of(out, one, known)
            ways.setdefault(way, []).append(counts)
            told_of = {name: count for name, count in counts.items() if count and name != "questions"}
            rows.append({"way": way, "question": place, **told_of})


if __name__ == "__main__":
    main()
