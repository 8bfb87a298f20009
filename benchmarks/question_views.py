"""How far down the passage with a marked cause stands, by the way a why-question is searched.

    python -m benchmarks.question_views --work FOLDER [--data ../shared/data] [--half 0|1]

The questions of `benchmarks.why_questions` that have a marked cause, asked of the texts of their half; found is the
first passage that holds the sentence, or the words, of such a cause. Half 1 is the one that the way was chosen on, half
0 is reported. The baseline is one text, the event, by reciprocal rank of meaning and words. The questions repeat the
words of their text, which favours words over meaning. Beside it, what the graph alone answers when the events of a
question are searched by views too: how many of the answers show a marked cause, and how many show none.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from benchmarks.results import write_result
from benchmarks.why_questions import WhyQuestions, why_questions
from causetrail import Causetrail
from evaluation.answer_match import holds
from evaluation.questions_file import AskedItem
from kg.fusion import DEPTH, ranked, reciprocal_rank
from kg.records import PassageKind, Verdict
from language.questions import Question, read_question
from reasoning.evidence import Quoter
from reasoning.question_views import keywords_of
from reasoning.room import Room
from reasoning.strategies import STRATEGIES
from reasoning.thresholds import thresholds
from reasoning.view_search import Viewed, search_views
from reasoning.views import views_of_question

PLACES: Final = (1, 4, 12)
"""Passages that are read."""


def main() -> None:
    """Measures one half and stores the figures of half 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, required=True, help="folder of the store and the documents")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--half", type=int, choices=(0, 1), default=0, help="1 for what the way was chosen on")
    arguments = parser.parse_args()
    made = why_questions(arguments.data, arguments.half)
    folder: Path = arguments.work / f"half-{arguments.half}"
    folder.mkdir(parents=True, exist_ok=True)
    with Causetrail(f"sqlite:///{folder / 'trail.db'}") as trail:
        ranks = _ranks(trail, made, folder)
        figures = {f"{way}, {where}": _told(places) for way, found in ranks.items() for where, places in found.items()}
        for seeds in (False, True):
            told = "events by views" if seeds else "events by one text"
            for collection in made.documents:
                figures[f"{told}, graph alone, {collection}"] = _graph_right(trail, made, collection, seeds)
    for name, row in figures.items():
        print(name, *row, sep=" | ", flush=True)
    if arguments.half == 0:
        write_result(
            "question_views",
            command="python -m benchmarks.question_views --work FOLDER",
            data="why-questions of the Causal News Corpus and MECI, half 0",
            baseline="one text: the event, reciprocal rank of meaning and words",
            columns=(
                "questions",
                "within 1, or right",
                "within 4, or wrong",
                "within 12, or withheld",
                "mean reciprocal rank",
            ),
            figures=figures,
            rows=[{"way": way, "places": found} for way, found in ranks.items()],
        )


def _ranks(trail: Causetrail, made: WhyQuestions, folder: Path) -> dict[str, dict[str, list[int]]]:
    """By way and collection, where the first right passage of each question stands; 0 where none was found."""
    ranks: dict[str, dict[str, list[int]]] = {}
    for collection, texts in made.documents.items():
        held = trail.within(collection)
        documents = folder / collection
        documents.mkdir(exist_ok=True)
        for name, text in texts.items():
            (documents / name).write_text(text, "utf-8")
        held.ingest(documents)
        room = held._room()
        quoter = Quoter(room.store, collection)
        for item in made.items:
            if item.collection == collection and item.answers:
                for way, ids in ways(read_question(item.question), room, quoter).items():
                    ranks.setdefault(way, {}).setdefault(collection, []).append(_place(item, ids, room, quoter))
    return ranks


def ways(question: Question, room: Room, quoter: Quoter) -> Mapping[str, Sequence[str]]:
    """Ids of passages, best first, by the way they are searched."""
    views = views_of_question(question)
    if views is None:
        raise ValueError(question.text)
    words, boost = keywords_of(question), thresholds().choice.keyword_boost

    def seen(texts: Sequence[str], added: float) -> list[str]:
        return _ids(search_views(texts, words, added, room, quoter, PassageKind.PROSE))

    one = room.index.search_passages(views.event, DEPTH, PassageKind.PROSE)
    each = [[hit.id for hit in room.index.search_passages(text, DEPTH, PassageKind.PROSE)] for text in views.each]
    worded = ranked({hit.id: hit.words for hit in one if hit.words > 0})
    nearest = seen(views.each, 0.0)[:DEPTH]
    return {
        "one text": [hit.id for hit in one],
        "one text with keywords": seen((views.event,), boost),
        "three views": nearest,
        "three views with keywords, as published": seen(views.each, boost),
        "three views, each by reciprocal rank": ranked(reciprocal_rank(*each)),
        "three views and words by reciprocal rank": ranked(reciprocal_rank(nearest, worded)),
    }


def _ids(found: Viewed) -> list[str]:
    return [hit.id for hit in found.hits]


def _graph_right(trail: Causetrail, made: WhyQuestions, collection: str, seeds: bool) -> list[str]:
    """How many questions there are, and of the answers of the graph alone, how many show a marked cause or none."""
    recipe = replace(STRATEGIES["causal-graph"], seed_views=seeds)
    asked = [item for item in made.items if item.collection == collection]
    right = wrong = 0
    for item in asked:
        found = trail.within(collection).ask(item.question, recipe)
        if found.verdict is not Verdict.INSUFFICIENT:
            shows = any(holds(one.quote, answer) for one in found.evidence for answer in item.answers)
            right, wrong = right + shows, wrong + (not shows)
    return [str(len(asked)), str(right), str(wrong), str(len(asked) - right - wrong), ""]


def _place(item: AskedItem, ids: Sequence[str], room: Room, quoter: Quoter) -> int:
    passages = room.store.passages(room.collection, list(ids))
    for place, id_ in enumerate(ids, start=1):
        one = passages[id_]
        if any(holds(quoter.text(one.document_id)[one.start : one.end], answer) for answer in item.answers):
            return place
    return 0


def _told(places: Sequence[int]) -> list[str]:
    within = [sum(0 < place <= most for place in places) / len(places) for most in PLACES]
    mean = sum(1 / place for place in places if place) / len(places)
    return [str(len(places)), *(f"{share:.3f}" for share in within), f"{mean:.3f}"]


if __name__ == "__main__":
    main()
