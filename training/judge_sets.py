"""Labelled pairs of texts for the judges, of many sets in one form.

An example is a group of pairs that are judged side by side: the passages for one query, the candidate causes of one
event. Questions of XQuAD are learned from in every second article; the judges are measured on the others.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from xml.etree import ElementTree

from rank_bm25 import BM25Okapi

from language.content_words import content_words
from models.judges import Task
from training.made_inferences import CONTRADICTION, ENTAILMENT, NEUTRAL

CLASSES: Final = (ENTAILMENT, NEUTRAL, CONTRADICTION)
LICENCES: Final = {
    "scitail": "Apache-2.0",
    "tracie": "Apache-2.0",
    "entailmentbank": "Apache-2.0",
    "made": "MIT and CC BY-SA 4.0 (sentences of e-CARE and EWT)",
    "ecare": "MIT",
    "copa": "BSD-2-Clause",
    "xquad": "CC BY-SA 4.0",
    "pubmedqa": "MIT",
    "sick": "CC BY-NC-SA 3.0",
    "control": "CC BY-NC",
    "climate-fever": "none stated",
    "aer": "none stated",
}
"""By the name of each source."""
SHIPPED: Final = ("scitail", "tracie", "entailmentbank", "made", "ecare", "copa", "xquad", "pubmedqa")
"""Sources whose licence permits weights that are shipped."""
_ONE_IN: Final = {"xquad": 4}
"""Of so many keys one is held out, of the other sources one in twelve; a key of XQuAD is a whole article."""
_BESIDE: Final = 7
"""Passages beside each right one in a group."""
_PARAGRAPHS: Final = 3
"""As many where they are paragraphs."""
Nearest = Callable[[str, Sequence[str], int], list[str]]
"""The so many texts that are nearest to a query, best first."""


class JudgeExample(NamedTuple):
    """Pairs that are judged side by side.

    Attributes:
        task: Which judge learns from it.
        source: Which set it is of.
        pairs: First and second text of each.
        gold: For entailment the place in `CLASSES` of the one pair; otherwise 1 for a right pair, 0 for a wrong one.
        key: What tells examples of one item apart from those of others: they are held out together.
    """

    task: Task
    source: str
    pairs: tuple[tuple[str, str], ...]
    gold: tuple[int, ...]
    key: str


def inferences(path: Path, sources: Sequence[str]) -> Iterator[JudgeExample]:
    """The rows of a file of premises and hypotheses that are of these sources."""
    for row in _rows(path):
        if row["src"] in sources:
            gold = CLASSES.index(row["label"])
            yield JudgeExample(
                Task.ENTAILMENT, row["src"], ((row["premise"], row["hypothesis"]),), (gold,), row["premise"]
            )


def chosen_causes(path: Path) -> Iterator[JudgeExample]:
    """e-CARE: two candidates, cause first in each pair."""
    for row in _rows(path):
        yield _choice("ecare", row["premise"], (row["hypothesis1"], row["hypothesis2"]), row["ask-for"], row["label"])


def copa(path: Path) -> Iterator[JudgeExample]:
    """COPA in its XML; the text is data of the set's own making, read without entities."""
    for item in ElementTree.parse(path).getroot():
        told = {part.tag: (part.text or "").strip() for part in item}
        right = int(item.attrib["most-plausible-alternative"]) - 1
        yield _choice("copa", told["p"], (told["a1"], told["a2"]), item.attrib["asks-for"], right)


def _choice(source: str, event: str, candidates: tuple[str, str], asked: str, right: int) -> JudgeExample:
    pairs = tuple((one, event) if asked == "cause" else (event, one) for one in candidates)
    return JudgeExample(Task.CAUSE, source, pairs, tuple(int(place == right) for place in range(2)), event)


def events_of_topics(path: Path, *, held_out: bool) -> Iterator[JudgeExample]:
    """Abductive event reasoning: each option with the event; the topics with a number of 3 modulo 4 are held out."""
    for row in _rows(path):
        if (row["topic_id"] % 4 == 3) == held_out:
            letters = [key for key in ("option_A", "option_B", "option_C", "option_D") if row.get(key)]
            gold = set(row["golden_answer"].replace(",", ""))
            pairs = tuple((row[letter], row["target_event"]) for letter in letters)
            right = tuple(int(letter[-1] in gold) for letter in letters)
            yield JudgeExample(Task.CAUSE, "aer", pairs, right, f"topic {row['topic_id']}")


def questions(
    path: Path, sentences_of: Callable[[str], list[str]], near: Nearest, *, held_out: bool
) -> Iterator[JudgeExample]:
    """XQuAD, every second article: the sentence with the answer, or its paragraph, beside others of the article."""
    articles = json.loads(path.read_text(encoding="utf-8"))["data"]
    for number, article in enumerate(articles):
        if (number % 2 == 1) != held_out:
            continue
        paragraphs = [paragraph["context"] for paragraph in article["paragraphs"]]
        sentences = [sentences_of(text) for text in paragraphs]
        title = article["title"].replace("_", " ")
        every = [one for some in sentences for one in some]
        for place, paragraph in enumerate(article["paragraphs"]):
            for turn, asked in enumerate(paragraph["qas"]):
                told = f"{title}: " if turn % 4 == 1 else ""
                others = _Others(near, every, [text for text in paragraphs if text != paragraphs[place]])
                for one in _question(asked, paragraphs[place], sentences[place], others, told, whole=turn % 2 == 1):
                    # What is calibrated on sentences that were learned from overrates the judge.
                    yield one._replace(key=f"article {title}")


class _Others(NamedTuple):
    """What a question of XQuAD is asked beside.

    Attributes:
        near: How the nearest of them are found.
        sentences: All of the article, those of its own paragraph too.
        paragraphs: The others of the article.
    """

    near: Nearest
    sentences: Sequence[str]
    paragraphs: Sequence[str]


def _question(
    asked: dict[str, Any], paragraph: str, own: Sequence[str], others: _Others, title: str, *, whole: bool
) -> Iterator[JudgeExample]:
    question, answer = asked["question"], asked["answers"][0]
    telling = _sentence_at(own, paragraph, answer["answer_start"])
    if telling is None:
        return
    sentences = [one for one in others.sentences if one != telling and answer["text"] not in one]
    near = others.near(question, sentences, _BESIDE)
    far = others.near(question, [text for text in others.paragraphs if answer["text"] not in text], _PARAGRAPHS)
    if whole:
        yield _passages("xquad", question, (title + paragraph,), [title + text for text in far])
    else:
        yield _passages("xquad", question, (telling,), near)
    without = " ".join(one for one in own if one != telling)
    enough = (question, paragraph if whole else telling)
    lacking = [(question, text) for text in (*near[:1], without, *far[:1]) if text]
    yield JudgeExample(Task.SUFFICIENCY, "xquad", (enough, *lacking), (1,) + (0,) * len(lacking), question)


def _passages(source: str, query: str, right: Sequence[str], wrong: Sequence[str]) -> JudgeExample:
    pairs = tuple((query, text) for text in (*right, *wrong))
    return JudgeExample(Task.RELEVANCE, source, pairs, (1,) * len(right) + (0,) * len(wrong), query)


def _sentence_at(sentences: Sequence[str], paragraph: str, start: int) -> str | None:
    """The sentence in which a character of the paragraph stands."""
    place = 0
    for sentence in sentences:
        place = paragraph.find(sentence, place)
        if place <= start < place + len(sentence):
            return sentence
        place += len(sentence)
    return None


def trees(path: Path, without: frozenset[str], near: Nearest) -> Iterator[JudgeExample]:
    """EntailmentBank: the sentences that a proof uses, beside the distractors; all of them, or all but one.

    Args:
        path: Task 2, with distractors.
        without: Hypotheses that are left out.
        near: How the nearest distractors are found.
    """
    for row in _rows(path):
        if row["hypothesis"] in without:
            continue
        told = row["meta"]["triples"]
        used = [text for name, text in told.items() if name in row["proof"].replace(";", " ").split()]
        if len(used) < 2:
            continue
        rest = near(row["hypothesis"], [text for text in told.values() if text not in used], _BESIDE)
        query = f"{row['question']} {row['answer']}"
        for right in used[:3]:
            yield _passages("entailmentbank", query, (right,), rest)
        all_of_it = ". ".join(used)
        lacking = [". ".join(used[:gone] + used[gone + 1 :]) for gone in range(min(2, len(used)))]
        pairs = tuple((row["question"], text) for text in (all_of_it, *lacking))
        yield JudgeExample(Task.SUFFICIENCY, "entailmentbank", pairs, (1,) + (0,) * len(lacking), row["hypothesis"])


def abstracts(path: Path, test: Path) -> Iterator[JudgeExample]:
    """PubMedQA without its test questions: each question with the parts of its own abstract and those of others."""
    held = set(json.loads(test.read_text(encoding="utf-8")))
    rows = [row for name, row in json.loads(path.read_text(encoding="utf-8")).items() if name not in held]
    parts = [(number, text) for number, row in enumerate(rows) for text in row["CONTEXTS"]]
    index = BM25Okapi([words(text) for _, text in parts])
    for number, row in enumerate(rows):
        scores = index.get_scores(words(row["QUESTION"]))
        order = sorted(range(len(parts)), key=lambda place: -scores[place])
        wrong = [parts[place][1] for place in order if parts[place][0] != number][:_BESIDE]
        own = max(row["CONTEXTS"], key=lambda text: scores[[part[1] for part in parts].index(text)])
        yield _passages("pubmedqa", row["QUESTION"], (own,), wrong[:3])
        pairs = ((row["QUESTION"], row["LONG_ANSWER"]), (row["QUESTION"], wrong[0]))
        yield JudgeExample(Task.SUFFICIENCY, "pubmedqa", pairs, (1, 0), row["QUESTION"])


def nearest(query: str, texts: Sequence[str], count: int) -> list[str]:
    """Those of the texts that share most words with a query, best first."""
    if not texts:
        return []
    scores = BM25Okapi([words(text) or [""] for text in texts]).get_scores(words(query))
    return [texts[place] for place in sorted(range(len(texts)), key=lambda place: -scores[place])[:count]]


def words(text: str) -> list[str]:
    """The keys of the words that say what a text is about."""
    return list(content_words(text))


def is_held_out(example: JudgeExample) -> bool:
    """Whether an example is kept from training, to calibrate on: one key in twelve, or as many as the source needs."""
    return hashlib.sha256(example.key.encode()).digest()[0] % _ONE_IN.get(example.source, 12) == 0


def drawn(examples: Sequence[JudgeExample], count: int, seed: int) -> list[JudgeExample]:
    """So many of the examples, or all of them where there are fewer."""
    return random.Random(seed).sample(list(examples), min(count, len(examples)))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
