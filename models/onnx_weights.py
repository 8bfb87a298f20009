"""The weights inside an ONNX file, read without the onnx package, which only training needs."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from numpy.typing import NDArray

_PACKAGE: Final = "causetrail.onnx"
_TYPES: Final = {1: np.float32, 2: np.uint8, 3: np.int8}
"""Numbers of the types of ONNX (TensorProto.DataType) that packaged graphs keep their weights in."""
_FIELDS: Final = {
    "Model": (("graph", 7, "Graph"),),
    "Graph": (("initializer", 5, "Tensor"),),
    "Tensor": (
        ("dims", 1, "int64"),
        ("data_type", 2, "int32"),
        ("float_data", 4, "float"),
        ("name", 8, "string"),
        ("raw_data", 9, "bytes"),
    ),
}
"""The few fields of onnx.proto3 that lead to the weights; the rest of a file is left unread."""
_REPEATED: Final = frozenset({"initializer", "dims", "float_data"})


def read_weights(path: Path, names: Collection[str]) -> dict[str, NDArray[Any]]:
    """The named initialisers of an ONNX file that keeps its weights inside, as raw bytes or as a list of floats.

    Raises:
        KeyError: the file has no such weights, or keeps them in a type that packaged graphs do not use.
        google.protobuf.message.DecodeError: it is not an ONNX file.
    """
    model = _model_type().FromString(path.read_bytes())
    found = {tensor.name: _array(tensor) for tensor in model.graph.initializer if tensor.name in names}
    return {name: found[name] for name in names}


def _array(tensor: Any) -> NDArray[Any]:
    kind = _TYPES[tensor.data_type]
    if tensor.float_data:
        return np.array(tensor.float_data, dtype=kind).reshape(tuple(tensor.dims))
    return np.frombuffer(tensor.raw_data, dtype=kind).reshape(tuple(tensor.dims))


@cache
def _model_type() -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="causetrail_onnx.proto", package=_PACKAGE, syntax="proto3")
    kinds = descriptor_pb2.FieldDescriptorProto
    for message, fields in _FIELDS.items():
        described = file.message_type.add(name=message)
        for name, number, kind in fields:
            field = described.field.add(name=name, number=number)
            field.label = kinds.LABEL_REPEATED if name in _REPEATED else kinds.LABEL_OPTIONAL
            if kind in _FIELDS:
                field.type, field.type_name = kinds.TYPE_MESSAGE, f".{_PACKAGE}.{kind}"
            else:
                field.type = kinds.Type.Value(f"TYPE_{kind.upper()}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{_PACKAGE}.Model"))
