"""Choosing among causes that are offered: with the graph, with passages, with both, and by the words alone.

    python -m benchmarks.choices [--data ../shared/data] [--research FOLDER] [--judged N]

AER's questions of the topics with a number of 3 modulo 4, which no weights have learned from; their documents where
they are there (topics 3 and 7), else the passages that were picked for these topics, which says nothing of retrieval.
The causes among e-CARE's and COPA's questions have no documents. AER's own score: 1 for the exact set of options, a
half for a part of it. Beside all stands the rule that reads nothing: “none of the others” where it is offered, else
options of the same words, else any one. How a judge of relevance chooses what is read is slow, so it is measured on N
questions, beside the order of the search alone on the same ones. Intervals are 95 % ones over questions drawn with
replacement.

Research weights, which learn what leads to what from AER's other topics too, stand beside those that are shipped where
their folder is given (`python -m training.judges --research --trunk events --output FOLDER`).
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import threading
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.bootstrap import SEED, share_of, with_interval
from benchmarks.results import write_result
from causetrail import Causetrail
from causetrail.settings import Settings
from kg.seed_index import EmbeddedSeedIndex
from kg.sqlite_store import SqliteStore
from language.choices import choice_key, is_none_of_the_others
from models.encoder import load_encoder
from models.judge_source import PACKAGED, ChosenJudges
from models.judges import NAME, OUTPUTS, Floats, Judges, Task
from models.weights_card import WEIGHTS, open_weights
from reasoning.choice_report import Choice
from reasoning.choose import choose
from reasoning.room import Bench, Reranker, Room
from training.judge_sets import JudgeExample, chosen_causes, copa

_NONE: Final = "None of the others are correct causes."
_TOPICS_WITH_DOCUMENTS: Final = range(1, 11)
_THREADS: Final = 2
_MADE: Final = "AER, “none of the others” in place of a wrong option"


class _Once(Judges):
    """The packaged judges, which read each pair once: strategies and orders of options ask the same of them again."""

    @cached_property
    def _known(self) -> dict[tuple[Task, tuple[str, str]], Floats]:
        return {}

    def scores(self, task: Task, pairs: Sequence[tuple[str, str]]) -> Floats:
        """As `Judges.scores`."""
        new = [pair for pair in dict.fromkeys(pairs) if (task, pair) not in self._known]
        self._known.update(zip([(task, pair) for pair in new], super().scores(task, new), strict=True))
        return np.array([self._known[task, pair] for pair in pairs], np.float32).reshape(-1, OUTPUTS[task])


@dataclass(frozen=True)
class Asked:
    """One question: what happened, the options, and the places of the right ones."""

    event: str
    options: tuple[str, ...]
    gold: frozenset[int]
    topic: int = 0

    @property
    def shortcut(self) -> bool:
        """Whether it can be answered without reading: by “none of the others”, or by options of the same words."""
        keys = {choice_key(option) for option in self.options}
        return len(keys) < len(self.options) or any(map(is_none_of_the_others, self.options))


def main() -> None:
    """Scores all and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--research", type=Path, help="folder of the research weights")
    parser.add_argument("--judged", type=int, default=100, metavar="N", help="questions on which relevance is judged")
    arguments = parser.parse_args()
    folders = {"shipped": WEIGHTS / NAME} | ({"research": arguments.research} if arguments.research else {})
    asked = list(_aer(arguments.data / "aer/train_questions.jsonl"))
    made = _with_none(asked)
    pairs = {
        "e-CARE dev, causes": list(_pairs(chosen_causes(arguments.data / "ecare/dev.jsonl"))),
        "balanced COPA dev, causes": list(_pairs(copa(arguments.data / "copa/balanced-copa-dev-all.xml"))),
    }
    figures: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        rooms = _rooms(arguments.data / "aer", sorted({one.topic for one in asked}), Path(folder))
        for name, weights in folders.items():
            judges = _judges(_Once(weights, _THREADS))
            column = [_run(asked, rooms, judges, strategy) for strategy in ("default", "causal-graph", "text-only")]
            column.append(_run(asked, defaultdict(lambda: rooms[0]), judges, "default"))
            for part, kept in _parts(asked):
                figures[f"AER {part}, {len(kept)} questions, {name} weights"] = [
                    *(_scored(kept, told) for told in column),
                    _rule(kept),
                ]
            figures |= _grounds(asked, column[0], name)
            figures |= _of_none(made, _run(made, rooms, judges, "default"), name)
            figures |= _judged(asked, rooms, judges, name, arguments.judged)
            for title, some in pairs.items():
                told = _run(some, defaultdict(lambda: rooms[0]), judges, "default")
                row = ["", "", "", _scored(some, told), _rule(some)]
                figures[f"{title}, {len(some)} questions, {name} weights"] = row
            figures[f"choices that the order of the options changed, {name} weights"] = [
                str(_changed(asked[:100], rooms, judges))
            ]
    research = f" --research FOLDER (of `{_trained_by(arguments.research)}`)" if arguments.research else ""
    write_result(
        "choices",
        command=f"python -m benchmarks.choices --judged {arguments.judged}{research}",
        data="AER train, topics 3 modulo 4, with documents or recovered passages; e-CARE dev and balanced COPA dev",
        baseline="the rule that reads nothing; the judge of causes without documents",
        columns=("graph and passages", "graph", "passages", "words alone", "no reading"),
        figures=figures,
        seed=SEED,
    )


def _trained_by(folder: Path) -> str:
    """The command that the card of the weights tells."""
    return str(open_weights(folder).card["command"])


def _parts(asked: Sequence[Asked]) -> Iterator[tuple[str, Sequence[Asked]]]:
    """All questions, those that have to be read, those of one right cause and of several, and those of each topic."""
    yield "all", asked
    yield "shortcut-free", [one for one in asked if not one.shortcut]
    yield "one cause", [one for one in asked if len(one.gold) == 1]
    yield "several causes", [one for one in asked if len(one.gold) > 1]
    for topic in sorted({one.topic for one in asked}):
        yield f"topic {topic}", [one for one in asked if one.topic == topic]


def _judges(weights: Judges) -> ChosenJudges:
    return ChosenJudges(weights, weights, weights, weights)


def _rows(path: Path) -> Iterator[dict[str, object]]:
    for line in path.read_text("utf-8").splitlines():
        yield json.loads(line)


def _aer(path: Path) -> Iterator[Asked]:
    for row in _rows(path):
        topic = int(str(row["topic_id"]))
        if topic % 4 == 3:
            letters = [letter for letter in "ABCD" if row.get(f"option_{letter}")]
            gold = frozenset(place for place, letter in enumerate(letters) if letter in str(row["golden_answer"]))
            options = tuple(str(row[f"option_{letter}"]) for letter in letters)
            yield Asked(str(row["target_event"]), options, gold, topic)


def _pairs(examples: Iterable[JudgeExample]) -> Iterator[Asked]:
    """The questions of which the causes, not the effects, are offered."""
    for one in examples:
        (first, event), *others = one.pairs
        if all(pair[1] == event for pair in others):
            options = (first, *(pair[0] for pair in others))
            yield Asked(event, options, frozenset(place for place, value in enumerate(one.gold) if value))


def _with_none(asked: Sequence[Asked]) -> list[Asked]:
    """The questions that offer it, where it is always right, and as many others with it for a wrong option."""
    offered = [one for one in asked if any(map(is_none_of_the_others, one.options))]
    draw = random.Random(SEED)
    others = draw.sample([one for one in asked if not one.shortcut], len(offered))
    replaced = []
    for one in others:
        place = draw.choice([place for place in range(len(one.options)) if place not in one.gold])
        options = [_NONE if here == place else option for here, option in enumerate(one.options)]
        replaced.append(replace(one, options=tuple(options)))
    return [*offered, *replaced]


def _rooms(folder: Path, topics: Sequence[int], scratch: Path) -> dict[int, Room]:
    """The graph of each topic, and an empty one as that of topic 0."""
    texts: dict[int, list[str]] = {topic: [] for topic in topics}
    for row in _rows(folder / "docs_topics1-10.jsonl"):
        if row["topic_id"] in texts:
            texts[int(str(row["topic_id"]))].append(str(row["content"]))
    for row in _rows(folder / "recovered_passages_topics1-36.jsonl"):
        if row["topic_id"] in texts and row["topic_id"] not in _TOPICS_WITH_DOCUMENTS:
            texts[int(str(row["topic_id"]))].append(str(row["text"]))
    encoder = load_encoder(Settings().encoder)
    rooms = {}
    empty: dict[int, list[str]] = {0: []}
    for topic, some in (empty | texts).items():
        path = scratch / f"{topic}.db"
        with Causetrail(f"sqlite:///{path}") as trail:
            for number, text in enumerate(some):
                trail.ingest_text(text, f"{topic}-{number}.txt")
        store = SqliteStore(path, wait_seconds=5, lease_seconds=5)
        rooms[topic] = Room(store, EmbeddedSeedIndex(store, encoder, "main", None), Settings(), "main")
        print(f"topic {topic}: {len(some)} texts", flush=True)
    return rooms


def _run(asked: Sequence[Asked], rooms: Mapping[int, Room], judges: ChosenJudges, strategy: str) -> list[Choice]:
    bench = Bench(PACKAGED, judges, dict)
    return [choose(one.event, one.options, replace(rooms[one.topic], bench=bench), strategy) for one in asked]


def _scored(asked: Sequence[Asked], told: Sequence[Choice]) -> str:
    """AER's own score of the choices that belong to these questions."""
    by_question = {(choice.event, tuple(option.text for option in choice.options)): choice for choice in told}
    scores = [_score(frozenset(by_question[one.event, one.options].chosen), one.gold) for one in asked]
    return with_interval([_counts(score) for score in scores], share_of("right", "all"))


def _score(chosen: frozenset[int], gold: frozenset[int]) -> float:
    if chosen == gold:
        return 1.0
    return 0.5 if chosen and chosen < gold else 0.0


def _counts(score: float) -> Counter[str]:
    return Counter(right=round(1_000 * score), all=1_000)


def _rule(asked: Sequence[Asked]) -> str:
    """The score of reading nothing; of several that it takes at random, the mean."""
    return with_interval([_counts(_unread(one)) for one in asked], share_of("right", "all"))


def _unread(one: Asked) -> float:
    none = frozenset(place for place, option in enumerate(one.options) if is_none_of_the_others(option))
    if none:
        return _score(none, one.gold)
    keys = [choice_key(option) for option in one.options]
    same = frozenset(place for place, key in enumerate(keys) if keys.count(key) > 1)
    if same:
        return _score(same, one.gold)
    return sum(_score(frozenset({place}), one.gold) for place in range(len(keys))) / len(keys)


def _grounds(asked: Sequence[Asked], told: Sequence[Choice], name: str) -> dict[str, list[str]]:
    """How often the documents decide, and how well."""
    stated = [pair for pair in zip(asked, told, strict=True) if pair[1].mode is not None]
    questions, choices = [one for one, _ in stated], [choice for _, choice in stated]
    share = f"{len(stated) / len(asked):.3f}"
    return {
        f"AER, share of questions that the documents decide, {name} weights": [share],
        f"AER, score of those, {name} weights": [_scored(questions, choices) if stated else "none"],
    }


def _of_none(made: Sequence[Asked], told: Sequence[Choice], name: str) -> dict[str, list[str]]:
    """Recall and precision of “none of the others”."""
    rows = []
    for one, choice in zip(made, told, strict=True):
        place = next(place for place, option in enumerate(one.options) if is_none_of_the_others(option))
        found, gold = place in choice.chosen, place in one.gold
        rows.append(Counter(found=int(found), gold=int(gold), right=int(found and gold)))
    title = f"{_MADE}, {len(made)} questions, {name} weights"
    return {
        f"{title}, recall": [with_interval(rows, share_of("right", "gold"))],
        f"{title}, precision": [with_interval(rows, share_of("right", "found"))],
    }


def _judged(
    asked: Sequence[Asked], rooms: Mapping[int, Room], judges: ChosenJudges, name: str, most: int
) -> dict[str, list[str]]:
    """The same questions with and without a judge of relevance that chooses what is read."""
    some = random.Random(SEED).sample(list(asked), min(most, len(asked)))
    figures = {}
    for title, judge in (("by the search", None), ("by the judge", judges.relevance)):
        chooser = None if judge is None else Reranker(PACKAGED, judge, _THREADS, dict, threading.Event())
        read = {topic: replace(room, reranker=chooser) for topic, room in rooms.items()}
        scored = _scored(some, _run(some, read, judges, "text-only"))
        figures[f"AER, {len(some)} questions, passages chosen {title}, {name} weights"] = ["", "", scored]
    return figures


def _changed(asked: Sequence[Asked], rooms: Mapping[int, Room], judges: ChosenJudges) -> int:
    """Questions of which another order of the options gives other choices."""
    turned = [replace(one, options=one.options[::-1]) for one in asked]
    changed = 0
    before, after = _run(asked, rooms, judges, "default"), _run(turned, rooms, judges, "default")
    for one, first, second in zip(asked, before, after, strict=True):
        last = len(one.options) - 1
        changed += set(first.chosen) != {last - place for place in second.chosen}
    return changed


if __name__ == "__main__":
    main()
