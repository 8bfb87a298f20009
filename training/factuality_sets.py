"""How relations are told, by labels of our own for sentences of public corpora; and which words name what is denied.

`relation_tellings.csv` names each sentence by the SHA-256 of its text and holds no text; how it was labelled is told
beside it. Causes and effects are those of the Causal News Corpus and of BECauSE, and what the rules found in EWT, GUM
and ECB+. What is denied the trees of EWT and GUM say by their features, and ECB+ by its negated events.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

import conllu
from conllu.models import Token

from language.sentences import SentenceReader
from training.coreference_sets import GUM, read_ecb_plus
from training.ecb_plus import ECB_PLUS, TEST
from training.relation_sets import Characters, SpanRelation, causal_news, unicausal

TELLINGS: Final = Path(__file__).with_name("relation_tellings.csv")
EWT: Final = "ud_ewt/en_ewt-ud-train.rebuilt.conllu"
FILES: Final = {
    "cnc": ("causal_news_corpus/train_subtask1.csv", "causal_news_corpus/train_subtask2.csv"),
    "because": ("unicausal/because_train.csv",),
    "ewt": (EWT,),
    "gum": (GUM,),
    "ecb": (ECB_PLUS,),
}
LICENCES: Final = {"cnc": "CC0", "because": "MIT", "ewt": "CC BY-SA 4.0", "gum": "CC BY 4.0", "ecb": "CC BY 3.0"}
TRAIN, DEV, DEV_AGAIN = "train", "dev", "dev_again"
"""Splits: what is learned from; the development part of the Causal News Corpus; the same by a second reader."""
_NAMING: Final = frozenset({"NOUN", "VERB", "ADJ"})
_IDLE: Final = frozenset({"discourse", "cc", "cc:preconj", "fixed", "root", "conj", "parataxis"})
"""What a denying word may be without denying the word above it."""
_PLAIN: Final = 5
_DIGITS: Final = 16
"""Hexadecimal digits of the SHA-256 that name a sentence."""


class ToldRelation(NamedTuple):
    """A relation with how its sentence tells it.

    Attributes:
        corpus: Where the sentence is from.
        text: The sentence.
        spans: Cause, effect and signals.
        relation: `CAUSES`, `ENABLES`, `PREVENTS`, or `none` where the sentence states none between the two.
        polarity: `affirmed` or `negated`.
        modality: `actual`, `possible`, `planned` or `hypothetical`.
    """

    corpus: str
    text: str
    spans: SpanRelation
    relation: str
    polarity: str
    modality: str


def told_relations(data: Path, split: str) -> list[ToldRelation]:
    """The labelled relations of one split, in the order of the table.

    Args:
        data: Folder of the labelled sets.
        split: `TRAIN`, `DEV` or `DEV_AGAIN`.

    Raises:
        KeyError: the labelled sets lack a sentence of the table.
    """
    with TELLINGS.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["split"] == split]
    wanted = {row["sentence"] for row in rows}
    texts = {
        name_of(text): text
        for corpus in sorted({row["corpus"] for row in rows})
        for text in _texts(data, corpus, split)
        if name_of(text) in wanted
    }
    return [
        ToldRelation(
            row["corpus"],
            texts[row["sentence"]],
            SpanRelation(
                _characters(row["cause"]), _characters(row["effect"]), tuple(map(_characters, row["signals"].split()))
            ),
            row["relation"],
            row["polarity"],
            row["modality"],
        )
        for row in rows
    ]


class Denial(NamedTuple):
    """A word, or a few, that name a happening or a thing.

    Attributes:
        text: The sentence.
        start: Their first character in it.
        end: One past the last.
        denied: Whether the sentence denies it.
        topic: Topic of its document in ECB+; empty for words of a treebank.
    """

    text: str
    start: int
    end: int
    denied: bool
    topic: str = ""


def denials(data: Path) -> list[Denial]:
    """Nouns, verbs and adjectives of the treebanks, and the events of ECB+ but those of its test topics.

    Of the treebanks' sentences without a denial one in `_PLAIN` is taken.
    """
    found = [one for path in (EWT, GUM) for one in _denied_words(data / path)]
    gold = read_ecb_plus(data / ECB_PLUS)
    for mention in gold.mentions:
        if mention.topic not in TEST:
            first, end = mention.sentence
            start, last = mention.trigger
            text = gold.texts[mention.document][first:end]
            found.append(Denial(text, start - first, last - first, mention.negated, mention.topic))
    return found


def _denied_words(path: Path) -> Iterator[Denial]:
    with path.open(encoding="utf-8") as lines:
        for sentence in conllu.parse_incr(lines):
            text = sentence.metadata["text"]
            rows = [row for row in sentence if isinstance(row["id"], int)]
            denied = {row["head"] for row in rows if _denies(row)}
            if not denied and int(name_of(text), 16) % _PLAIN:
                continue
            end = 0
            for row in rows:
                start = text.find(row["form"], end)
                if start < 0:
                    break
                end = start + len(row["form"])
                if row["upos"] in _NAMING:
                    yield Denial(text, start, end, row["id"] in denied)


def _denies(row: Token) -> bool:
    """Whether a word denies what it hangs on: "*not* sound", "*no* fire", "*nobody* came"; "No, ..." denies nothing."""
    features = row["feats"] or {}
    return "Neg" in (features.get("Polarity"), features.get("PronType")) and row["deprel"] not in _IDLE


def name_of(text: str) -> str:
    """What the table calls a sentence."""
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def _characters(span: str) -> Characters:
    start, end = span.split("-")
    return int(start), int(end)


def _texts(data: Path, corpus: str, split: str) -> Iterable[str]:
    if corpus == "cnc":
        part = "train" if split == TRAIN else "dev"
        return (example.text for example in causal_news(data / "causal_news_corpus", part))
    if corpus == "because":
        return (example.text for example in unicausal(data / "unicausal", corpus, "train"))
    return _news(data) if corpus == "ecb" else _treebank(data / FILES[corpus][0])


def _treebank(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for sentence in conllu.parse_incr(lines):
            yield sentence.metadata["text"]


def _news(data: Path) -> Iterator[str]:
    reader = SentenceReader()
    for text in read_ecb_plus(data / ECB_PLUS).texts.values():
        for sentence in reader.read(text):
            yield sentence.text.replace("\n", " ")
