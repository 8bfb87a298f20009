"""Recall of an encoder on closed corpora with known supporting passages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from models.onnx_encoder import OnnxEncoder


@dataclass(frozen=True, slots=True)
class ClosedCorpus:
    """Passages, questions, and for each question the indexes of the passages that support its answer."""

    name: str
    passages: list[str]
    questions: list[str]
    support: list[set[int]]
    k: int


def measure_recall(weights: Path, data: Path) -> dict[str, float]:
    """Mean share of the supporting passages among the k nearest, by corpus and k: `hotpotqa_r5` for example.

    Args:
        weights: Folder with model.onnx, tokenizer.json and card.json.
        data: Folder with `multihop/` and `xquad/`.
    """
    encoder = OnnxEncoder(weights, threads=1)
    found: dict[str, float] = {}
    for corpus in closed_corpora(data):
        vectors = encoder.encode_passages([_within_reach(text, encoder) for text in corpus.passages])
        questions = np.concatenate([encoder.encode_query(question) for question in corpus.questions])
        nearest = np.argsort(-(questions @ vectors.T), axis=1, kind="stable")[:, : corpus.k]
        shares = [
            len(set(row.tolist()) & support) / len(support)
            for row, support in zip(nearest, corpus.support, strict=True)
        ]
        found[f"{corpus.name}_r{corpus.k}"] = round(float(np.mean(shares)), 4)
    return found


def _within_reach(text: str, encoder: OnnxEncoder) -> str:
    """The text without the last words that the encoder could not read; 5 of the 3,124 passages lose some."""
    words = text.split(" ")
    while encoder.count_tokens([" ".join(words)])[0] > encoder.max_tokens:
        words.pop()
    return " ".join(words)


def closed_corpora(data: Path) -> Iterator[ClosedCorpus]:
    """HotpotQA and MuSiQue (100 questions each) at 5 and XQuAD English at 1; a title stands on a line of its own."""
    yield _hotpotqa(data / "multihop")
    yield _musique(data / "multihop")
    yield _xquad(data / "xquad")


def _hotpotqa(folder: Path) -> ClosedCorpus:
    items, corpus = _read(folder / "hotpotqa_train.json"), _read(folder / "hotpotqa_train_corpus.json")
    place = {title: index for index, title in enumerate(corpus)}
    return ClosedCorpus(
        name="hotpotqa",
        passages=[f"{title}\n{''.join(sentences)}" for title, sentences in corpus.items()],
        questions=[item["question"] for item in items],
        support=[{place[title] for title, _ in item["supporting_facts"]} for item in items],
        k=5,
    )


def _musique(folder: Path) -> ClosedCorpus:
    items, corpus = _read(folder / "musique_train.json"), _read(folder / "musique_train_corpus.json")
    place = {(passage["title"], passage["text"]): index for index, passage in enumerate(corpus)}
    return ClosedCorpus(
        name="musique",
        passages=[f"{passage['title']}\n{passage['text']}" for passage in corpus],
        questions=[item["question"] for item in items],
        support=[
            {place[part["title"], part["paragraph_text"]] for part in item["paragraphs"] if part["is_supporting"]}
            for item in items
        ],
        k=5,
    )


def _xquad(folder: Path) -> ClosedCorpus:
    passages: list[str] = []
    questions: list[str] = []
    support: list[set[int]] = []
    for article in _read(folder / "xquad.en.json")["data"]:
        for paragraph in article["paragraphs"]:
            for item in paragraph["qas"]:
                questions.append(item["question"])
                support.append({len(passages)})
            passages.append(paragraph["context"])
    return ClosedCorpus(name="xquad", passages=passages, questions=questions, support=support, k=1)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
