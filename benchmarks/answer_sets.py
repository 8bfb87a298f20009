"""Public sets of questions as files for `causetrail eval`, with the documents that they are asked of.

    python -m benchmarks.answer_sets --write FOLDER [--data ../shared/data] [--most N]

writes a folder for each set: `questions.jsonl`, and below `documents` a folder for each collection. Then any strategy,
judge and model is measured on it from the command line (docs/evaluating.md).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.bootstrap import SEED
from benchmarks.why_questions import why_questions
from evaluation.questions_file import AskedItem, Item, OfferedItem, read_questions
from kg.records import Verdict
from language.choices import choice_key, is_none_of_the_others
from training.judge_sets import JudgeExample, chosen_causes, copa

REPORTS: Final = Path(__file__).parent / "reports_questions.toml"
_EXAMPLES: Final = Path(__file__).parents[1] / "examples"
_HELD_OUT: Final = 3
"""Topics of AER with this number modulo 4 are not learned from."""
_WITH_DOCUMENTS: Final = range(1, 11)
_DECISIONS: Final = {"yes": Verdict.SUPPORTED, "no": Verdict.CONTRADICTED, "maybe": Verdict.INSUFFICIENT}
_SENTENCE: Final = re.compile(r"sent(\d+): (.*?)(?= sent\d+: |$)")


class AnswerSet(NamedTuple):
    """Questions, and the documents of each collection that they are asked of.

    Attributes:
        title: Name of the set.
        items: The questions.
        documents: By collection, texts by name. A path instead of a text is a folder of files.
    """

    title: str
    items: list[Item]
    documents: dict[str, dict[str, str] | Path]


def answer_sets(data: Path, most: int) -> Iterator[AnswerSet]:
    """All sets, with at most so many questions of each, drawn with a fixed seed.

    Args:
        data: Folder of the labelled data.
        most: Questions of one set.
    """
    makers: Sequence[Callable[[Path], AnswerSet]] = (
        _example_worlds,
        _reports,
        _why_questions,
        _aer,
        _ecare,
        _copa,
        _xquad,
        _hotpotqa,
        _musique,
        _pubmedqa,
        _entailmentbank,
    )
    for make in makers:
        found = make(data)
        some = found.items
        if len(some) > most:
            kept = set(random.Random(SEED).sample(range(len(some)), most))
            some = [item for place, item in enumerate(some) if place in kept]
        asked = {item.collection for item in some}
        yield AnswerSet(found.title, some, {name: texts for name, texts in found.documents.items() if name in asked})


def main() -> None:
    """Writes the sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--most", type=int, default=1_000_000, metavar="N", help="questions of one set")
    arguments = parser.parse_args()
    for some in answer_sets(arguments.data, arguments.most):
        print(f"{some.title}: {len(some.items)} questions in {write_set(some, arguments.write)}", flush=True)


def write_set(some: AnswerSet, folder: Path) -> Path:
    """Writes one set as files.

    Args:
        some: The questions and their documents; a folder of files is copied.
        folder: Where the folder of the set is made.

    Returns:
        The folder of the set.
    """
    own = folder / folder_name(some)
    own.mkdir(parents=True, exist_ok=True)
    lines = (item.model_dump_json(exclude_defaults=True) for item in some.items)
    (own / "questions.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    for collection, texts in some.documents.items():
        if isinstance(texts, Path):
            shutil.copytree(texts, own / "documents" / collection, dirs_exist_ok=True)
        else:
            write_texts(texts, own / "documents" / collection)
    return own


def folder_name(some: AnswerSet) -> str:
    """What the folder of a set is called."""
    return "".join(letter if letter.isalnum() else "-" for letter in some.title.lower())


def write_texts(texts: Mapping[str, str], folder: Path) -> None:
    """Writes the texts that are not there as they are, each under its name."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def _example_worlds(_: Path) -> AnswerSet:
    """The worlds of examples/, made up for this program, each a collection of its own."""
    items = list(read_questions(_EXAMPLES / "questions.jsonl").items)
    worlds = sorted({item.collection for item in items if item.collection is not None})
    return AnswerSet("example worlds", items, {world: _EXAMPLES / world for world in worlds})


def _reports(data: Path) -> AnswerSet:
    rows = tomllib.loads(REPORTS.read_text("utf-8"))["question"]
    items: list[Item] = []
    for number, row in enumerate(rows):
        known: dict[str, Any] = {"verdict": Verdict.INSUFFICIENT}
        if "document" in row:
            text = (data / "reports" / row["document"]).read_text("utf-8")
            known = {"quotes": (text[row["start"] : row["end"]],)}
        group = "answerable" if "document" in row else "no answer"
        items.append(AskedItem(id=str(number), collection="reports", group=group, question=row["ask"], **known))
    return AnswerSet("reports", items, {"reports": data / "reports"})


def _why_questions(data: Path) -> AnswerSet:
    """The half of the texts that nothing was set on."""
    made = why_questions(data, 0)
    return AnswerSet("why-questions", [*made.items], {**made.documents})


def _aer(data: Path) -> AnswerSet:
    items: list[Item] = []
    for row in _rows(data / "aer/train_questions.jsonl"):
        if row["topic_id"] % 4 != _HELD_OUT:
            continue
        options = tuple(row[f"option_{letter}"] for letter in "ABCD")
        right = frozenset(place for place, letter in enumerate("ABCD") if letter in row["golden_answer"])
        short = len({*map(choice_key, options)}) < 4 or any(map(is_none_of_the_others, options))
        several = "several causes" if len(right) > 1 else "one cause"
        items.append(
            OfferedItem(
                id=row["id"],
                collection=f"topic-{row['topic_id']}",
                group=f"{'with shortcuts' if short else 'shortcut-free'}, {several}",
                event=row["target_event"],
                options=options,
                right=right,
            )
        )
    documents: dict[str, dict[str, str] | Path] = {item.collection or "": {} for item in items}
    for row in _rows(data / "aer/docs_topics1-10.jsonl"):
        _add(documents, f"topic-{row['topic_id']}", row["content"])
    for row in _rows(data / "aer/recovered_passages_topics1-36.jsonl"):
        if row["topic_id"] not in _WITH_DOCUMENTS:
            _add(documents, f"topic-{row['topic_id']}", row["text"])
    return AnswerSet("AER", items, documents)


def _ecare(data: Path) -> AnswerSet:
    return _without_documents("e-CARE, causes", chosen_causes(data / "ecare/dev.jsonl"))


def _copa(data: Path) -> AnswerSet:
    return _without_documents("balanced COPA, causes", copa(data / "copa/balanced-copa-dev-all.xml"))


def _without_documents(title: str, examples: Iterable[JudgeExample]) -> AnswerSet:
    """The questions of which the causes, not the effects, are offered; there is nothing to read for them."""
    items: list[Item] = []
    for number, one in enumerate(examples):
        (first, event), *others = one.pairs
        if all(pair[1] == event for pair in others):
            right = frozenset(place for place, value in enumerate(one.gold) if value)
            options = (first, *(pair[0] for pair in others))
            items.append(OfferedItem(id=str(number), collection="nothing", event=event, options=options, right=right))
    return AnswerSet(title, items, {"nothing": {}})


def _xquad(data: Path) -> AnswerSet:
    """The questions of odd articles, asked of all: the judges learn from the others."""
    items: list[Item] = []
    texts: dict[str, str] = {}
    for number, article in enumerate(json.loads((data / "xquad/xquad.en.json").read_text("utf-8"))["data"]):
        for paragraph in article["paragraphs"]:
            texts[f"{len(texts):03}.txt"] = paragraph["context"]
            for one in paragraph["qas"] if number % 2 else ():
                answers = tuple(dict.fromkeys(answer["text"] for answer in one["answers"]))
                items.append(AskedItem(id=one["id"], collection="xquad", question=one["question"], answers=answers))
    return AnswerSet("XQuAD", items, {"xquad": texts})


def _hotpotqa(data: Path) -> AnswerSet:
    corpus = json.loads((data / "multihop/hotpotqa_train_corpus.json").read_text("utf-8"))
    items: list[Item] = []
    for row in json.loads((data / "multihop/hotpotqa_train.json").read_text("utf-8")):
        facts = [corpus[title][place] for title, place in row["supporting_facts"] if place < len(corpus.get(title, []))]
        said = row["answer"] if row["answer"] not in {"yes", "no"} else None
        quotes = tuple(fact.strip() for fact in facts if fact.strip())
        if said or quotes:
            answers = (said,) if said else ()
            group = str(row["type"])
            items.append(
                AskedItem(
                    id=row["_id"],
                    collection="hotpotqa",
                    group=group,
                    question=row["question"],
                    answers=answers,
                    quotes=quotes,
                )
            )
    texts = {f"{number:05}.txt": f"{title}\n\n{''.join(corpus[title])}" for number, title in enumerate(corpus)}
    return AnswerSet("HotpotQA", items, {"hotpotqa": texts})


def _musique(data: Path) -> AnswerSet:
    corpus = json.loads((data / "multihop/musique_train_corpus.json").read_text("utf-8"))
    items: list[Item] = [
        AskedItem(
            id=row["id"],
            collection="musique",
            group=row["id"].split("_")[0],
            question=row["question"],
            answers=(row["answer"], *row["answer_aliases"]),
        )
        for row in json.loads((data / "multihop/musique_train.json").read_text("utf-8"))
    ]
    texts = {f"{number:05}.txt": f"{row['title']}\n\n{row['text']}" for number, row in enumerate(corpus)}
    return AnswerSet("MuSiQue", items, {"musique": texts})


def _pubmedqa(data: Path) -> AnswerSet:
    """The official test questions, asked of the abstracts of all of them."""
    rows = json.loads((data / "pubmedqa/ori_pqal.json").read_text("utf-8"))
    decisions = json.loads((data / "pubmedqa/test_ground_truth.json").read_text("utf-8"))
    items: list[Item] = [
        AskedItem(
            id=id_,
            collection="pubmedqa",
            group=decision,
            question=rows[id_]["QUESTION"],
            verdict=_DECISIONS[decision],
        )
        for id_, decision in decisions.items()
    ]
    texts = {f"{id_}.txt": "\n\n".join(rows[id_]["CONTEXTS"]) for id_ in decisions}
    return AnswerSet("PubMedQA", items, {"pubmedqa": texts})


def _entailmentbank(data: Path) -> AnswerSet:
    """Each question with its own facts, of which those at the leaves of its proof have to be shown."""
    items: list[Item] = []
    documents: dict[str, dict[str, str] | Path] = {}
    for number, row in enumerate(_rows(data / "entailmentbank/dev.jsonl")):
        tree = f"tree-{number}"
        facts = dict(_SENTENCE.findall(row["context"]))
        leaves = [facts[place] for place in re.findall(r"sent(\d+)", row["proof"])]
        documents[tree] = {f"{place}.txt": f"{fact.capitalize()}." for place, fact in facts.items()}
        items.append(
            AskedItem(
                id=row["id"],
                collection=tree,
                question=row["question"],
                answers=(row["answer"],),
                quotes=tuple(dict.fromkeys(leaves)),
            )
        )
    return AnswerSet("EntailmentBank", items, documents)


def _rows(path: Path) -> Iterator[Any]:
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


def _add(documents: Mapping[str, dict[str, str] | Path], collection: str, text: str) -> None:
    texts = documents.get(collection)
    if isinstance(texts, dict):
        texts[f"{len(texts):04}.txt"] = text


if __name__ == "__main__":
    main()
