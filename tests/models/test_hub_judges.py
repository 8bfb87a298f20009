"""Cross-encoders and models of natural-language inference as judges: tiny ones of random weights, made here."""

from __future__ import annotations

import importlib.util
import itertools
import json
import shutil
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causetrail.errors import ExtraMissing, ModelMissing, PassageTooLong
from models.cross_encoder_judge import CrossEncoderJudge
from models.nli_judge import LABELS, NliJudge

TORCH = importlib.util.find_spec("torch") is not None and importlib.util.find_spec("sentence_transformers") is not None
needs_torch = pytest.mark.skipif(not TORCH, reason="the extra torch is not there")

WORDS = [
    *("the", "pump", "failed", "in", "night", "cellar", "was", "flooded", "river", "rose"),
    *("bridge", "why", "did", "close", "council", ".", "?"),
]
QUERY = "why did the cellar flooded ?"
PASSAGES = ["the pump failed in the night .", "the council was in the bridge .", "", "river " * 40]
PAIRS = [(QUERY, passage) for passage in PASSAGES]
POSITIONS = 64


def make_tokeniser(folder: Path) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    vocabulary = {word: number for number, word in enumerate([*marks, *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token"), marks, strict=True))
    inputs = ["input_ids", "token_type_ids", "attention_mask"]
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_input_names=inputs, **names).save_pretrained(folder)


def make_model(folder: Path, outputs: int, kind: str = "Bert", **config: Any) -> str:
    """Saves a model of two layers whose scores differ widely from pair to pair."""
    import torch
    import transformers

    make_tokeniser(folder)
    torch.manual_seed(outputs)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48}
    made = getattr(transformers, f"{kind}Config")(
        vocab_size=len(WORDS) + 4, max_position_embeddings=POSITIONS, num_labels=outputs, **sizes, **config
    )
    model = getattr(transformers, f"{kind}ForSequenceClassification")(made)
    for weight in model.parameters():
        if weight.ndim == 2:
            torch.nn.init.normal_(weight, std=0.5)
    model.save_pretrained(folder)
    return str(folder)


@pytest.fixture(scope="module")
def cross_encoder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its own choice of a function is none, as that of the models that were trained on MS MARCO."""
    identity = {"activation_fn": "torch.nn.modules.linear.Identity"}
    return make_model(tmp_path_factory.mktemp("ranker"), 1, sentence_transformers=identity)


@pytest.fixture(scope="module")
def nli(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_model(tmp_path_factory.mktemp("nli"), 3, id2label=dict(enumerate(LABELS)))


@pytest.fixture(scope="module")
def ranker(cross_encoder: str) -> CrossEncoderJudge:
    return CrossEncoderJudge(cross_encoder)


@pytest.fixture(scope="module")
def reader(nli: str) -> NliJudge:
    return NliJudge(nli)


def relabelled(folder: str, target: Path, labels: Sequence[str]) -> str:
    """The same weights with other names for their outputs."""
    shutil.copytree(folder, target)
    config = json.loads((target / "config.json").read_text("utf-8"))
    config["id2label"] = {str(number): label for number, label in enumerate(labels)}
    config["label2id"] = {label: number for number, label in enumerate(labels)}
    (target / "config.json").write_text(json.dumps(config), "utf-8")
    return str(target)


@pytest.mark.torch
@needs_torch
def test_a_cross_encoder_gives_the_sigmoid_of_what_the_library_gives(
    cross_encoder: str, ranker: CrossEncoderJudge
) -> None:
    from sentence_transformers import CrossEncoder

    scores = CrossEncoder(cross_encoder, device="cpu").predict(PAIRS, batch_size=1)
    assert np.ptp(scores) > 0.5
    np.testing.assert_allclose(ranker.relevance(QUERY, PASSAGES), 1 / (1 + np.exp(-scores)), atol=1e-5)


@pytest.mark.torch
@needs_torch
def test_an_nli_model_gives_the_softmax_of_what_transformers_gives(nli: str, reader: NliJudge) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(nli).eval()
    tokenizer = AutoTokenizer.from_pretrained(nli)
    told = reader.inferences(PAIRS)
    for pair, inference in zip(PAIRS, told, strict=True):
        with torch.inference_mode():
            scores = model(**tokenizer([pair], return_tensors="pt")).logits[0]
        np.testing.assert_allclose(inference, torch.softmax(scores, dim=0).numpy(), atol=1e-5)
    assert np.ptp(np.array(told), axis=0).max() > 0.1


@pytest.mark.torch
@needs_torch
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_the_model_says_which_output_is_which(
    nli: str, reader: NliJudge, tmp_path: Path, order: tuple[int, ...]
) -> None:
    written = [str.upper, str.title, "{} ".format][order[0]]
    labels = [written(LABELS[number]) for number in order]
    judge = NliJudge(relabelled(nli, tmp_path / "model", labels))
    for told, plain in zip(judge.inferences(PAIRS), reader.inferences(PAIRS), strict=True):
        # The first output is now called what `order` says first, and so on.
        assert [told[number] for number in order] == pytest.approx(list(plain))
    same_weights = judge.fingerprint.rpartition("-")[0].partition("-")[2]
    assert same_weights == reader.fingerprint.rpartition("-")[0].partition("-")[2]
    assert (judge.fingerprint[-3:] == reader.fingerprint[-3:]) == (order == (0, 1, 2))


@pytest.mark.torch
@needs_torch
@pytest.mark.parametrize(
    "labels",
    [
        ["LABEL_0", "LABEL_1", "LABEL_2"],
        ["entailment", "neutral", "neutral"],
        ["entailment", "not_entailment", "contradiction"],
    ],
)
def test_other_labels_are_an_error_that_says_what_to_do(nli: str, tmp_path: Path, labels: list[str]) -> None:
    with pytest.raises(ModelMissing, match=", ".join(labels)) as caught:
        NliJudge(relabelled(nli, tmp_path / "model", labels))
    assert "id2label" in caught.value.fix
    assert "config.json" in caught.value.fix


@pytest.mark.torch
@needs_torch
def test_a_pair_is_judged_alike_alone_and_in_company(ranker: CrossEncoderJudge, reader: NliJudge) -> None:
    together = ranker.relevance(QUERY, PASSAGES)
    assert [ranker.relevance(QUERY, [passage])[0] for passage in PASSAGES] == together
    assert [reader.inferences([pair])[0] for pair in PAIRS] == reader.inferences(PAIRS)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: ranker.relevance(QUERY, PASSAGES), range(8))) == [together] * 8


@pytest.mark.torch
@needs_torch
@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=3))
def test_any_texts_are_judged_with_probabilities(
    ranker: CrossEncoderJudge, reader: NliJudge, pairs: list[tuple[str, str]]
) -> None:
    told = reader.inferences(pairs)
    assert len(told) == len(pairs)
    assert all(sum(one) == pytest.approx(1) and min(one) >= 0 for one in told)
    for query, passage in pairs:
        values = ranker.relevance(query, [passage, query])
        assert len(values) == 2
        assert all(0 <= value <= 1 for value in values)


@pytest.mark.torch
@needs_torch
def test_a_score_of_any_size_is_a_probability(ranker: CrossEncoderJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.array([[-1e4], [0.0], [1e4]], dtype=np.float32)
    monkeypatch.setattr(ranker._model, "scores", lambda pairs: scores)
    assert ranker.relevance("", ["", "", ""]) == [0.0, 0.5, 1.0]


@pytest.mark.torch
@needs_torch
@pytest.mark.parametrize("kind", ["Bert", "Roberta"])
def test_a_pair_that_is_too_long_is_refused_and_not_cut(tmp_path: Path, kind: str) -> None:
    """RoBERTa has two positions fewer than its configuration says, and its tokeniser here does not tell."""
    padding = {"pad_token_id": 1} if kind == "Roberta" else {}
    judge = CrossEncoderJudge(make_model(tmp_path, 1, kind, type_vocab_size=2, **padding))
    limit = POSITIONS - 2 if kind == "Roberta" else POSITIONS
    longest = "pump " * (limit - 4)
    assert len(judge.relevance("why", [longest])) == 1
    assert judge.relevance("why", [longest]) != judge.relevance("why", ["pump " * (limit - 5)])
    with pytest.raises(PassageTooLong) as caught:
        judge.relevance("why", ["pump", f"{longest} pump"])
    assert caught.value.details == {"tokens": limit + 1, "model": str(tmp_path), "limit": limit}


@pytest.mark.torch
@needs_torch
def test_what_is_no_such_model_is_a_coded_error(tmp_path: Path, cross_encoder: str, nli: str) -> None:
    import torch
    from transformers import BertModel

    for name in ("empty", "damaged"):
        (tmp_path / name).mkdir()
    (tmp_path / "damaged" / "config.json").write_text("{]", "utf-8")
    shutil.copytree(cross_encoder, tmp_path / "code", ignore=shutil.ignore_patterns("*.safetensors"))
    torch.save({}, tmp_path / "code" / "pytorch_model.bin")
    shutil.copytree(cross_encoder, tmp_path / "headless")
    BertModel.from_pretrained(cross_encoder).save_pretrained(tmp_path / "headless")
    for name, reason in (
        ("empty", "neither a folder with a model in safetensors"),
        ("damaged", "neither a folder with a model in safetensors"),
        ("code", "neither a folder with a model in safetensors"),
        ("headless", "not trained to score pairs"),
    ):
        for kind, prefix in ((CrossEncoderJudge, "cross-encoder:PATH"), (NliJudge, "nli:PATH")):
            with pytest.raises(ModelMissing, match=reason) as caught:
                kind(str(tmp_path / name))
            assert prefix in caught.value.fix
            assert "config.json" not in caught.value.message
    with pytest.raises(ModelMissing, match="3 scores for a pair"):
        CrossEncoderJudge(nli)
    with pytest.raises(ModelMissing, match="calls its outputs LABEL_0, not"):
        NliJudge(cross_encoder)


@pytest.mark.torch
@needs_torch
def test_code_that_comes_with_a_model_is_not_run(tmp_path: Path, cross_encoder: str) -> None:
    folder, proof = tmp_path / "model", tmp_path / "it-was-run"
    shutil.copytree(cross_encoder, folder)
    (folder / "own.py").write_text(f"open({str(proof)!r}, 'w')\n", "utf-8")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    own = {"AutoConfig": "own.Config", "AutoModelForSequenceClassification": "own.Model"}
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "own", "auto_map": own}), "utf-8")
    with pytest.raises(ModelMissing):
        CrossEncoderJudge(str(folder))
    assert not proof.exists()


@pytest.mark.torch
@needs_torch
def test_a_name_that_nobody_has_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    for kind in (CrossEncoderJudge, NliJudge):
        with pytest.raises(ModelMissing, match="nor a model in safetensors that the hub gives"):
            kind("/no/such/folder")


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("torch", "sentence_transformers", "transformers"):
        monkeypatch.setitem(sys.modules, library, None)
    for kind, feature in ((CrossEncoderJudge, "cross-encoder:a/b"), (NliJudge, "nli:a/b")):
        with pytest.raises(ExtraMissing, match=feature) as caught:
            kind("a/b")
        assert caught.value.details["extra"] == "torch"
