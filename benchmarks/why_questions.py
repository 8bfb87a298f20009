"""Questions why, made from texts in which people marked causes and effects: news sentences, and accounts of accidents.

Of the Causal News Corpus and MECI, the dev parts. A question asks what led to the words that are marked as an effect;
right is an answer that shows the sentence, or the words, of a cause that is marked for it. Showing a sentence that
holds both is enough, so the figures say whether a cause was found and told, not how exactly it was bounded. Beside them
stand questions that must not be answered: of what has no marked cause, though one may be told that nobody marked, and
of texts that are not among the documents.
"""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from evaluation.questions_file import AskedItem
from kg.records import Verdict
from training.relation_sets import Example, causal_news

_LEFT_OUT: Final = 6
"""Every so many texts of each half are no documents, but are asked about."""
_FEWEST: Final = 4
"""Words that a clause needs to name a happening."""
_BREAKS: Final = ',;:\t"“”()–'


class Told(NamedTuple):
    """A happening of a text.

    Attributes:
        effect: Its words.
        causes: The words of each marked cause, or of the sentence of one; none where none is marked.
        group: `same sentence`, `another sentence` or `no cause told`.
    """

    effect: str
    causes: tuple[str, ...]
    group: str


class MarkedText(NamedTuple):
    """A text with what is marked in it."""

    name: str
    text: str
    told: tuple[Told, ...]


class WhyQuestions(NamedTuple):
    """Questions, and by collection the texts that they are asked of, by name."""

    items: list[AskedItem]
    documents: dict[str, dict[str, str]]


def why_questions(data: Path, half: int) -> WhyQuestions:
    """The questions of one half of the texts.

    Args:
        data: Folder of the labelled data.
        half: 0 for the texts that are measured, 1 for those that thresholds may be set on.
    """
    items: list[AskedItem] = []
    documents: dict[str, dict[str, str]] = {}
    sources = {
        "why-news": list(news(causal_news(data / "causal_news_corpus", "dev"))),
        "why-accidents": list(accidents(data / "meci/meci_en_dev.jsonl")),
    }
    for collection, texts in sources.items():
        documents[collection] = {}
        for number, marked in enumerate(texts[half::2]):
            absent = number % _LEFT_OUT == 0
            if not absent:
                documents[collection][f"{marked.name}.txt"] = marked.text
            items += _asked(collection, marked, absent=absent)
    return WhyQuestions(items, documents)


def news(examples: Iterable[Example]) -> Iterator[MarkedText]:
    """Each sentence of the Causal News Corpus; of one without a cause its longest clause is asked about."""
    for number, one in enumerate(examples):
        causes: dict[str, list[str]] = defaultdict(list)
        for relation in one.relations:
            causes[_words(one.text, relation.effect)].append(_words(one.text, relation.cause))
        told = [Told(effect, tuple(some), "same sentence") for effect, some in causes.items()]
        if not one.causal:
            clause = max(_clauses(one.text), key=lambda span: span[1] - span[0])
            told = [Told(_words(one.text, clause), (), "no cause told")]
        yield MarkedText(f"news-{number:03}", one.text, tuple(told))


def accidents(path: Path) -> Iterator[MarkedText]:
    """Each passage of MECI; an event is asked about by the words of its clause."""
    for number, line in enumerate(path.read_text("utf-8").splitlines()):
        row = json.loads(line)
        yield MarkedText(f"accident-{number:03}", row["text"].replace("\t", " "), tuple(_events(row)))


def _events(row: dict[str, Any]) -> Iterator[Told]:
    """The events of a passage, each clause once: two of one clause cannot be told apart by its words.

    Of those without a marked cause, which are most, the first of each passage.
    """
    text: str = row["text"]
    events: dict[str, dict[str, Any]] = row["events"]
    clauses = list(_clauses(text))
    inside: dict[tuple[int, int], list[str]] = defaultdict(list)
    for name, event in events.items():
        for span in clauses:
            if span[0] <= event["start"] < span[1]:
                inside[span].append(name)
    uncaused = 0
    for span, names in inside.items():
        words = _words(text, span)
        causes = {cause for cause, effect in row["causes"] if effect in names and cause in events} - {*names}
        if len(words.split()) < _FEWEST or (not causes and any(effect in names for _, effect in row["causes"])):
            continue
        here = _sentence(text, span[0])
        sentences = dict.fromkeys(_sentence(text, events[cause]["start"]) for cause in sorted(causes))
        group = "same sentence" if here in sentences else "another sentence" if sentences else "no cause told"
        uncaused += not sentences
        if sentences or uncaused == 1:
            yield Told(words, tuple(_words(text, one) for one in sentences), group)


def _asked(collection: str, marked: MarkedText, *, absent: bool) -> Iterator[AskedItem]:
    for number, told in enumerate(marked.told):
        if len(told.effect.split()) < _FEWEST:
            continue
        item = AskedItem(
            id=f"{marked.name}-{number}",
            collection=collection,
            group="not in documents" if absent else told.group,
            question=f"What led to {told.effect}?",
            verdict=Verdict.INSUFFICIENT,
        )
        known = told.causes and not absent
        yield item.model_copy(update={"verdict": None, "answers": told.causes}) if known else item


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    """Where the text lies between two marks that break it."""
    places = [-1, *(place for place, letter in enumerate(text) if letter in _BREAKS), len(text)]
    for before, end in itertools.pairwise(places):
        if text[before + 1 : end].strip():
            yield before + 1, end


def _sentence(text: str, place: int) -> tuple[int, int]:
    """The sentence of a passage of MECI, where tabs stand between them, that holds a place."""
    start = text.rfind("\t", 0, place) + 1
    end = text.find("\t", place)
    return start, len(text) if end < 0 else end


def _words(text: str, span: tuple[int, int]) -> str:
    return " ".join(text[span[0] : span[1]].split()).strip(" .?!,;")
