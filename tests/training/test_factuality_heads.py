"""Training of the factuality heads on a made-up corpus, from the table of labels to the packaged form."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from models.factuality_heads import FactualityHeads, anchors
from models.relation_heads import RelationHeads
from models.weights_card import HEAD_FILE, WEIGHTS, open_weights
from tests.training.test_coreference_sets import archive, document
from training import factuality_heads, factuality_sets
from training.cards import write_head
from training.ecb_plus import ECB_PLUS
from training.factuality_net import DenialNet, TellingNet, tensors_of, windows_of
from training.factuality_sets import DEV, EWT, TRAIN, Denial, denials, name_of, told_relations
from training.relation_heads import touched

pytestmark = pytest.mark.torch
HEADER = "split,corpus,sentence,cause,effect,signals,relation,polarity,modality\n"
PLACES = ("mill", "barn", "shop", "hotel", "church", "school", "bank", "port", "farm", "jail")
TELLINGS = [
    (f"Rain in the {place} {verb} a flood .", verb, relation, modality)
    for place in PLACES
    for verb, relation, modality in (
        ("caused", "CAUSES", "actual"),
        ("may cause", "CAUSES", "possible"),
        ("prevented", "PREVENTS", "actual"),
    )
]


def treebank(words: list[tuple[str, str, int, str]]) -> str:
    """A sentence in CoNLL-U: form, part of speech, head, and features of each word."""
    text = " ".join(form for form, *_ in words)
    lines = [f"# text = {text}"]
    for number, (form, pos, head, features) in enumerate(words, start=1):
        hangs = "discourse" if pos == "INTJ" else "dep"
        lines.append("\t".join([str(number), form, form, pos, "_", features, str(head), hangs, "_", "_"]))
    return "\n".join(lines) + "\n\n"


def sentences() -> str:
    told = ""
    for place in PLACES:
        told += treebank(
            [
                ("The", "DET", 2, "_"),
                (place, "NOUN", 5, "_"),
                ("did", "AUX", 5, "_"),
                ("not", "PART", 5, "Polarity=Neg"),
                ("burn", "VERB", 0, "_"),
            ]
        )
    told += treebank([("No", "DET", 2, "PronType=Neg"), ("mill", "NOUN", 3, "_"), ("burned", "VERB", 0, "_")])
    return told + treebank([("No", "INTJ", 3, "Polarity=Neg"), ("mills", "NOUN", 3, "_"), ("burn", "VERB", 0, "_")])


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    for file in (file for files in factuality_sets.FILES.values() for file in files):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text("text,text_w_pairs,seq_label,pair_label,label\n", "utf-8")
    news = folder / "causal_news_corpus"
    rows = "".join(f"{text},1\n" for text, *_ in TELLINGS)
    for split in ("train", "dev"):
        (news / f"{split}_subtask1.csv").write_text(f"text,label\n{rows}", "utf-8")
        (news / f"{split}_subtask2.csv").write_text("text,text_w_pairs\n", "utf-8")
    for file in (EWT, factuality_sets.GUM):
        (folder / file).write_text(sentences(), "utf-8")
    documents = {
        f"{topic}_1ecb": document(
            f"{topic}_1ecb", ["It burned .", "It did not burn ."], [(1, [2], ""), (2, [7], "")]
        ).replace('<ACTION_OCCURRENCE m_id="2">', '<NEG_ACTION_OCCURRENCE m_id="2">')
        for topic in (1, 2, 3, 36)
    }
    documents = {
        name: text.replace(
            '<token_anchor t_id="7"/></ACTION_OCCURRENCE>', '<token_anchor t_id="7"/></NEG_ACTION_OCCURRENCE>'
        )
        for name, text in documents.items()
    }
    archive(folder / ECB_PLUS, documents, [(str(topic), "1ecb", line) for topic in (1, 2, 3, 36) for line in (0, 1)])
    table = HEADER
    for text, verb, relation, modality in TELLINGS:
        at = text.index(verb)
        where = f"0-{at - 1},{at + len(verb) + 1}-{len(text) - 2},{at}-{at + len(verb)}"
        for split in (TRAIN, DEV):
            table += f"{split},cnc,{name_of(text)},{where},{relation},affirmed,{modality}\n"
    (tmp_path / "tellings.csv").write_text(table, "utf-8")
    monkeypatch.setattr(factuality_sets, "TELLINGS", tmp_path / "tellings.csv")
    monkeypatch.setattr(factuality_heads, "TELLINGS", tmp_path / "tellings.csv")
    return folder


def test_labels_find_their_sentences(data: Path) -> None:
    told = told_relations(data, TRAIN)
    assert len(told) == len(TELLINGS)
    one = next(one for one in told if one.relation == "PREVENTS")
    assert one.text[slice(*one.spans.cause)].startswith("Rain in the")
    assert one.text[slice(*one.spans.effect)] == "a flood"
    assert [one.text[slice(*signal)] for signal in one.spans.signals] == ["prevented"]
    assert (one.polarity, one.modality) == ("affirmed", "actual")
    assert len(told_relations(data, DEV)) == len(TELLINGS)


def test_a_sentence_that_the_data_lacks_is_told(data: Path) -> None:
    (data / "causal_news_corpus/train_subtask1.csv").write_text("text,label\n", "utf-8")
    with pytest.raises(KeyError):
        told_relations(data, TRAIN)


def test_denied_words_of_treebanks_and_of_news(data: Path) -> None:
    found = denials(data)
    said = {(one.text[one.start : one.end], one.denied, one.topic) for one in found}
    assert {("burn", True, ""), ("mill", False, "")} <= said
    assert {("burned", False, "1"), ("burn", True, "3")} <= said
    no = {(one.text, one.text[one.start : one.end]): one.denied for one in found if one.text.startswith("No")}
    assert no[("No mill burned", "mill")]
    assert not no[("No mill burned", "burned")]
    assert not any(denied for (text, _), denied in no.items() if text == "No mills burn")
    assert "36" not in {one.topic for one in found}
    assert Denial("The mill did not burn", 17, 21, denied=True) in found


def test_one_command_makes_heads_with_their_card(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "heads"
    # Steps enough to learn from so few examples.
    monkeypatch.setattr(factuality_heads, "_BATCH", 4)
    monkeypatch.setattr(factuality_heads, "_WARM_UP", 5)
    monkeypatch.setattr(sys, "argv", ["factuality_heads", "--data", str(data), "--output", str(target)])
    factuality_heads.main()
    assert '"modalities"' in capsys.readouterr().out
    card = open_weights(target).card
    assert card["relations"] == len(TELLINGS)
    assert card["on_held_out_relations"]["PREVENTS_f1"] == 1
    assert card["on_held_out_events"]["events"] == 6
    trunk = RelationHeads()
    heads = FactualityHeads(trunk.fingerprint, target)
    text = "Snow in the town prevented a riot ."
    words = [(found.start(), found.end()) for found in re.finditer(r"\S+", text)]
    reading = trunk.read(text, words)
    assert reading is not None
    assert reading.early is not None
    telling = heads.tell(reading.early, touched(words, (0, 16)), touched(words, (27, 33)), touched(words, (17, 26)))
    assert telling.relations["PREVENTS"] > 0.5
    assert telling.modalities["actual"] > 0.5


def test_numpy_scores_as_torch_does(tmp_path: Path) -> None:
    torch.manual_seed(1)
    telling, denial = TellingNet(384).eval(), DenialNet(384).eval()
    card = {"model": "heads", "heads": "trunk"}
    floor = {"denial_floor": np.array([0.5], np.float32)}
    write_head(tmp_path, {**tensors_of("telling", telling), **tensors_of("denial", denial), **floor}, card)
    heads = FactualityHeads("trunk", tmp_path)
    early = np.random.default_rng(0).normal(size=(30, 384)).astype(np.float32)
    spans = ((3, 12), (20, 22), None)
    with torch.no_grad():
        scores = telling(windows_of([(early, anchors(*spans))]), np.zeros((1, 1), np.float32))[0]
        denied = denial(windows_of([(early, ((5, 6),))]))[0]
    found = heads.tell(early, *spans)
    assert list(found.relations.values()) == pytest.approx(scores[:4].softmax(0).tolist(), abs=2e-3)
    assert list(found.modalities.values()) == pytest.approx(scores[4:].softmax(0).tolist(), abs=2e-3)
    assert heads.denial(early, (5, 6)) == pytest.approx(float(denied.sigmoid()), abs=2e-3)


def test_the_packaged_heads_are_of_the_packaged_trunk() -> None:
    card = open_weights(WEIGHTS / "causetrail_factuality").card
    assert card["heads"] == RelationHeads().fingerprint
    assert (WEIGHTS / "causetrail_factuality" / HEAD_FILE).stat().st_size < 1_000_000
