from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from causetrail.errors import ModelDamaged, PassageTooLong, SettingInvalid
from models.encoder import PACKAGED, encoder_fingerprint, load_encoder
from models.onnx_encoder import LAYERS, QUERY_PREFIX, OnnxEncoder
from models.weights_card import WEIGHTS

TEXTS = [
    "The footbridge closed because the river rose four metres.",
    "Gate 2 opened fully.",
    "",
    "The pump failed. " * 40,
    "Le pont s'est effondré à 18 h 40; 橋が崩れた. 🌊",
    "gauge",
]
READABLE = st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), max_size=80)


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    return OnnxEncoder(WEIGHTS / PACKAGED, threads=1)


@pytest.fixture(scope="module")
def side_by_side() -> OnnxEncoder:
    return OnnxEncoder(WEIGHTS / PACKAGED, threads=2)


def test_vectors_have_the_promised_shape_and_unit_length(encoder: OnnxEncoder) -> None:
    vectors = encoder.encode_passages(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.dimension) == (6, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)
    assert encoder.encode_passages([]).shape == (0, 384)


def test_an_answer_is_nearer_than_a_text_about_something_else(encoder: OnnxEncoder) -> None:
    question = encoder.encode_query("Why was the pedestrian bridge shut?")
    near, far = encoder.encode_passages(
        ["The footbridge closed when water covered its deck.", "The bakery sold bread at the market."]
    )
    assert (question @ near).item() > (question @ far).item() + 0.1


@settings(max_examples=25, deadline=None)
@given(st.lists(READABLE, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_a_vector_depends_on_its_text_alone(
    encoder: OnnxEncoder, side_by_side: OnnxEncoder, texts: list[str], shuffler: object
) -> None:
    alone = np.concatenate([encoder.encode_passages([text]) for text in texts])
    order = list(range(len(texts)))
    shuffler.shuffle(order)  # type: ignore[attr-defined]
    together = encoder.encode_passages([texts[place] for place in order] + TEXTS)
    assert np.array_equal(together[: len(texts)], alone[order])
    assert np.array_equal(side_by_side.encode_passages(texts + TEXTS)[: len(texts)], alone)


def test_a_vector_is_the_same_in_another_process_with_other_threads(encoder: OnnxEncoder) -> None:
    program = (
        "import sys, json; from models.encoder import load_encoder; "
        "encoder = load_encoder('bge-small-en-v1.5', int(sys.argv[1])); "
        "sys.stdout.write(encoder.encode_passages(json.loads(sys.argv[2])).tobytes().hex())"
    )
    expected = encoder.encode_passages(TEXTS).tobytes().hex()
    for threads in ("1", "2"):
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "PYTHONHASHSEED": threads}
        command = [sys.executable, "-c", program, threads, json.dumps(TEXTS)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        assert done.stdout == expected
        assert done.stderr == ""


def test_a_question_is_prefixed_and_a_passage_is_not(encoder: OnnxEncoder) -> None:
    text = "Why did the pump fail?"
    assert np.array_equal(encoder.encode_query(text), encoder.encode_passages([QUERY_PREFIX + text]))
    assert not np.array_equal(encoder.encode_query(text), encoder.encode_passages([text]))


def test_the_longest_text_is_read_and_one_token_more_is_refused(encoder: OnnxEncoder) -> None:
    longest = " ".join(["pump"] * (encoder.max_tokens - 2))
    assert encoder.count_tokens([longest, "pump", ""]) == [512, 3, 2]
    assert encoder.encode_passages([longest]).shape == (1, 384)
    for refused in (
        lambda: encoder.encode_passages(["short", longest + " pump"]),
        lambda: encoder.encode_query(longest),
    ):
        with pytest.raises(PassageTooLong) as caught:
            refused()
        assert caught.value.details["limit"] == 512
        assert "bge-small-en-v1.5" in caught.value.message


def test_nothing_behind_the_limit_is_cut_from_a_long_text(encoder: OnnxEncoder) -> None:
    start = " ".join(["pump"] * 500)
    assert not np.array_equal(encoder.encode_passages([start]), encoder.encode_passages([start + " flood"]))


def test_the_fingerprint_names_model_and_weights(encoder: OnnxEncoder) -> None:
    card = json.loads((WEIGHTS / PACKAGED / "card.json").read_text(encoding="utf-8"))
    assert encoder.fingerprint == f"bge-small-en-v1.5-{card['sha256']['model.onnx'][:12]}"
    assert card["licence"] == "MIT"
    assert (WEIGHTS / PACKAGED / "NOTICE").read_text(encoding="utf-8").startswith("bge-small-en-v1.5")


@pytest.mark.parametrize("file", ["model.onnx", "tokenizer.json"])
def test_changed_weights_are_refused(tmp_path: Path, file: str) -> None:
    shutil.copytree(WEIGHTS / PACKAGED, tmp_path / "weights")
    path = tmp_path / "weights" / file
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(ModelDamaged) as caught:
        OnnxEncoder(tmp_path / "weights", threads=1)
    assert file in caught.value.message


def test_missing_files_and_broken_cards_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelDamaged):
        OnnxEncoder(tmp_path, threads=1)
    (tmp_path / "card.json").write_text('{"model": "x", "sha256": []}', encoding="utf-8")
    with pytest.raises(ModelDamaged):
        OnnxEncoder(tmp_path, threads=1)
    (tmp_path / "card.json").write_text('{"model": "x", "sha256": {"model.onnx": ""}}', encoding="utf-8")
    with pytest.raises(ModelDamaged):
        OnnxEncoder(tmp_path, threads=1)


def test_the_packaged_graph_offers_five_layers(encoder: OnnxEncoder) -> None:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(WEIGHTS / PACKAGED / "model.onnx"), providers=["CPUExecutionProvider"])
    assert [output.name for output in session.get_outputs()] == [f"layer_{layer}" for layer in LAYERS]
    ids = np.array([[101, 102]], dtype=np.int64)
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    hidden = session.run(None, feed)
    assert all(states.shape == (1, 2, encoder.dimension) for states in hidden)
    first = hidden[-1][0, 0]
    np.testing.assert_array_equal(encoder.encode_passages([""])[0], first / np.linalg.norm(first))
    assert len({states.tobytes() for states in hidden}) == len(LAYERS)


def test_settings_name_encoders() -> None:
    assert load_encoder(PACKAGED).fingerprint == encoder_fingerprint(PACKAGED)
    for setting in ("", "bge", "sentence-transformers:", "sentence-transformers"):
        with pytest.raises(SettingInvalid):
            load_encoder(setting)
        with pytest.raises(SettingInvalid):
            encoder_fingerprint(setting)
