"""Questions with the passages that help to answer them: XQuAD, HotpotQA and MuSiQue."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.bootstrap import SEED
from language.sentences import SentenceReader

_PARAGRAPH_QUESTIONS: Final = 200
_SENTENCE_QUESTIONS: Final = 400
_WORDS: Final = 260
_CHARACTERS: Final = 1_600


class Retrieval(NamedTuple):
    """Passages, and questions with the places of the passages that help."""

    passages: list[str]
    questions: list[tuple[str, frozenset[int]]]


def retrievals(data: Path) -> Iterator[tuple[str, Retrieval]]:
    """Each set with its name. Of XQuAD's questions, those of odd articles: the judges learn from the others."""
    articles = json.loads((data / "xquad/xquad.en.json").read_text("utf-8"))["data"]
    yield "XQuAD, paragraphs", _paragraphs(articles)
    yield "XQuAD, sentences", _sentences(articles)
    yield "HotpotQA", _hotpotqa(data / "multihop")
    yield "MuSiQue", _musique(data / "multihop")


def _paragraphs(articles: list[dict[str, Any]]) -> Retrieval:
    passages: list[str] = []
    asked: list[tuple[str, frozenset[int]]] = []
    for number, article in enumerate(articles):
        for paragraph in article["paragraphs"]:
            if number % 2:
                asked += [(one["question"], frozenset({len(passages)})) for one in paragraph["qas"]]
            passages.append(cut_passage(paragraph["context"]))
    return Retrieval(passages, random.Random(SEED).sample(asked, _PARAGRAPH_QUESTIONS))


def _sentences(articles: list[dict[str, Any]]) -> Retrieval:
    """The sentence that holds the answer, among those of all paragraphs."""
    reader = SentenceReader()
    passages: list[str] = []
    asked: list[tuple[str, frozenset[int]]] = []
    for number, article in enumerate(articles):
        for paragraph in article["paragraphs"]:
            read = reader.read(paragraph["context"])
            for one in paragraph["qas"] if number % 2 else ():
                start = one["answers"][0]["answer_start"]
                place = sum(sentence.start <= start for sentence in read) - 1
                asked.append((one["question"], frozenset({len(passages) + place})))
            passages += [cut_passage(sentence.text) for sentence in read]
    return Retrieval(passages, random.Random(SEED).sample(asked, _SENTENCE_QUESTIONS))


def _hotpotqa(folder: Path) -> Retrieval:
    corpus = json.loads((folder / "hotpotqa_train_corpus.json").read_text("utf-8"))
    place_of = {title: place for place, title in enumerate(corpus)}
    rows = json.loads((folder / "hotpotqa_train.json").read_text("utf-8"))
    texts = [cut_passage(f"{title}: {''.join(sentences)}") for title, sentences in corpus.items()]
    told = [
        (row["question"], frozenset(place_of[fact[0]] for fact in row["supporting_facts"] if fact[0] in place_of))
        for row in rows
    ]
    return Retrieval(texts, [one for one in told if one[1]])


def _musique(folder: Path) -> Retrieval:
    passages = json.loads((folder / "musique_train_corpus.json").read_text("utf-8"))
    numbered = {(row["title"], row["text"]): place for place, row in enumerate(passages)}
    rows = json.loads((folder / "musique_train.json").read_text("utf-8"))
    told = [
        (
            row["question"],
            frozenset(
                numbered[part["title"], part["paragraph_text"]] for part in row["paragraphs"] if part["is_supporting"]
            ),
        )
        for row in rows
    ]
    return Retrieval([cut_passage(f"{row['title']}: {row['text']}") for row in passages], told)


def cut_passage(text: str) -> str:
    """The beginning of a passage: both encoder and judges then read the same."""
    return " ".join(text.split()[:_WORDS])[:_CHARACTERS]
