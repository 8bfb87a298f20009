from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
from google.protobuf.message import DecodeError
from onnx import numpy_helper

from models.encoder import PACKAGED
from models.onnx_weights import read_weights
from models.weights_card import WEIGHTS

GRAPH = WEIGHTS / PACKAGED / "model.onnx"


def test_weights_are_those_that_the_onnx_package_reads() -> None:
    tensors = {tensor.name: tensor for tensor in onnx.load(GRAPH).graph.initializer}
    names = [name for name in tensors if name.endswith(("_quantized", "_scale", ".bias"))]
    assert len(names) > 150
    read = read_weights(GRAPH, names)
    for name, values in read.items():
        expected = numpy_helper.to_array(tensors[name])
        assert values.dtype == expected.dtype
        np.testing.assert_array_equal(values, expected)


def test_a_weight_that_is_not_there() -> None:
    with pytest.raises(KeyError, match="no such weight"):
        read_weights(GRAPH, ["no such weight"])


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"\xff" * 100)
    with pytest.raises(DecodeError):
        read_weights(tmp_path / "model.onnx", ["any"])
