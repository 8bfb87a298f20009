from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from causetrail.errors import ModelDamaged, ModelMissing
from models.adapted_trunk import DOWN, UP, AdaptedTrunk
from models.encoder import PACKAGED, load_encoder
from models.onnx_encoder import MAX_TOKENS
from models.weights_card import WEIGHTS

BASE = WEIGHTS / PACKAGED
TEXT = "The footbridge closed because the river rose four metres."
WEIGHT = "onnx::MatMul_1525"
"""The query matrix of the first layer, 384 by 384."""


def change(size: float) -> dict[str, NDArray[np.float16]]:
    draw = np.random.default_rng(0)
    down = draw.normal(size=(4, 384)).astype(np.float16)
    return {WEIGHT + DOWN: down, WEIGHT + UP: (size * draw.normal(size=(384, 4))).astype(np.float16)}


def cosine(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float((one * other).sum() / np.linalg.norm(one) / np.linalg.norm(other))


def test_without_a_change_it_is_the_packaged_encoder() -> None:
    hidden = AdaptedTrunk(BASE, {}).read(TEXT)
    assert hidden is not None
    first = hidden.states[0] / np.linalg.norm(hidden.states[0])
    np.testing.assert_array_equal(first[None], load_encoder(PACKAGED, 1).encode_passages([TEXT]))


def test_a_change_of_nothing_changes_next_to_nothing_and_a_real_one_much() -> None:
    plain = AdaptedTrunk(BASE, {}).read(TEXT)
    same, other = (AdaptedTrunk(BASE, change(size)).read(TEXT) for size in (0.0, 0.1))
    assert plain is not None and same is not None and other is not None
    assert cosine(plain.states, same.states) > 0.999
    assert cosine(plain.states, other.states) < 0.98


def test_tokens_point_to_their_characters() -> None:
    hidden = AdaptedTrunk(BASE, {}).read("橋が Überflow 🌊 leaked")
    assert hidden is not None
    assert len(hidden.offsets) == len(hidden.states)
    assert hidden.offsets[0][0] == hidden.offsets[0][1]
    assert {"橋が Überflow 🌊 leaked"[start:end] for start, end in hidden.offsets} >= {"橋", "leaked"}


def test_a_text_longer_than_the_encoder_reads() -> None:
    trunk = AdaptedTrunk(BASE, {})
    assert trunk.read("pump " * (MAX_TOKENS - 2)) is not None
    assert trunk.read("pump " * (MAX_TOKENS - 1)) is None


@pytest.mark.parametrize("weight", ["onnx::MatMul_1", "onnx::MatMul_1536"])
def test_changes_of_another_encoder_are_refused(weight: str) -> None:
    changes = {name.replace(WEIGHT, weight): value for name, value in change(0.1).items()}
    with pytest.raises(ModelMissing, match="not of this encoder"):
        AdaptedTrunk(BASE, changes)


def test_a_damaged_encoder_is_refused(tmp_path: Path) -> None:
    shutil.copytree(BASE, tmp_path / "base")
    with (tmp_path / "base" / "model.onnx").open("r+b") as file:
        file.seek(1000)
        file.write(b"\0\1\2\3")
    with pytest.raises(ModelDamaged):
        AdaptedTrunk(tmp_path / "base", {})
