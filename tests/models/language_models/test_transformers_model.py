"""The transformers backend: a tiny random Qwen2 in NF4, and the weights of SmolLM2 unpacked from their file."""

from __future__ import annotations

import importlib.util
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from causetrail.errors import ModelCancelled, ModelMissing, ModelSlow, OutputCut, PromptTooLong
from causetrail.settings import load_settings
from models.call_deadline import CallDeadline
from models.gguf_model import GgufModel, packaged_gguf
from models.language_model import Message, Sampling
from models.language_model_source import load_language_model
from models.structured_output import structured
from models.transformers_model import TransformersModel
from tests.models.language_models.test_gguf_model import SKY, STORY, Colour
from tests.models.language_models.tiny_qwen2 import write_tiny_qwen2

TORCH = all(importlib.util.find_spec(name) for name in ("torch", "transformers", "bitsandbytes", "llguidance"))
pytestmark = [pytest.mark.torch, pytest.mark.skipif(not TORCH, reason="the extra torch is not there")]


@pytest.fixture(scope="module")
def qwen2_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of the architecture of Qwen2.5, of random weights."""
    folder = tmp_path_factory.mktemp("qwen2")
    write_tiny_qwen2(folder)
    return folder


@pytest.fixture(scope="module")
def qwen2(qwen2_folder: Path) -> Iterator[TransformersModel]:
    """That model, as a setting names it."""
    model = load_language_model(f"transformers:{qwen2_folder}", load_settings())
    assert isinstance(model, TransformersModel)
    yield model
    model.close()


def test_its_linear_layers_are_in_nf4_with_double_quantisation(qwen2: TransformersModel) -> None:
    import torch
    from bitsandbytes.nn import Linear4bit

    layer = qwen2._model.model.layers[0].mlp.down_proj
    assert isinstance(layer, Linear4bit)
    state = layer.weight.quant_state
    assert state.quant_type == "nf4"
    # Some processors have the weights laid out anew at the first call, and the second quantisation undone with it.
    assert state.nested or state.original_nested
    assert layer.compute_dtype == torch.bfloat16
    assert "NF4" in qwen2.describe()
    assert qwen2.fingerprint.endswith("-nf4")


def test_it_answers_and_counts(qwen2: TransformersModel) -> None:
    answer = qwen2.complete(SKY, Sampling(max_tokens=20), CallDeadline(60))
    again = qwen2.complete(SKY, Sampling(max_tokens=20), CallDeadline(60))
    assert answer.text == again.text
    # One token for each byte, and one for each of three marks.
    read = len("user\nassistant\n") + len(SKY[0].text) + 1 + 3
    assert (answer.tokens.prompt, answer.tokens.estimated) == (read, False)
    assert answer.tokens.completion <= 20


def test_even_random_weights_keep_to_a_schema(qwen2: TransformersModel) -> None:
    answer = structured(qwen2, SKY, Colour, Sampling(max_tokens=80), CallDeadline(60))
    assert (answer.repaired, answer.completions[0].finish) == (False, "stop")
    with pytest.raises(ValueError, match="JSON"):
        Colour.model_validate_json(qwen2.complete(SKY, Sampling(max_tokens=80), CallDeadline(60)).text)


def test_a_stream_gives_pieces(qwen2: TransformersModel) -> None:
    pieces = "".join(qwen2.stream(SKY, Sampling(80), CallDeadline(60), Colour.model_json_schema()))
    assert Colour.model_validate_json(pieces)
    with pytest.raises(OutputCut):
        list(qwen2.stream(SKY, Sampling(3), CallDeadline(60), Colour.model_json_schema()))


def test_a_seed_makes_a_warm_answer_repeatable(qwen2: TransformersModel) -> None:
    def told(seed: int) -> str:
        return qwen2.complete(SKY, Sampling(20, temperature=1.0, seed=seed), CallDeadline(60)).text

    assert told(1) == told(1) != told(2)


def test_a_prompt_that_does_not_fit_is_refused(qwen2: TransformersModel) -> None:
    with pytest.raises(PromptTooLong) as caught:
        qwen2.complete([Message("user", "a" * 1_000)], Sampling(50), CallDeadline(60))
    assert caught.value.details["limit"] == 1_024


def test_the_deadline_and_another_thread_end_an_answer(qwen2: TransformersModel) -> None:
    cancelled = threading.Event()
    threading.Timer(0.4, cancelled.set).start()
    schema = {"type": "string", "minLength": 900}
    for deadline, error in ((CallDeadline(60, cancelled), ModelCancelled), (CallDeadline(0.4), ModelSlow)):
        begin = time.monotonic()
        with pytest.raises(error):
            qwen2.complete(STORY, Sampling(900), deadline, schema)
        assert time.monotonic() - begin < 1.4
        # The model itself stops too; to its end it would take some seconds more.
        assert qwen2._turn.acquire(timeout=1)
        qwen2._turn.release()


def test_two_threads_at_once_get_what_each_would_get_alone(qwen2: TransformersModel) -> None:
    asked = [[Message("user", thing)] for thing in ("grass", "blood")]
    alone = [qwen2.complete(messages, Sampling(10), CallDeadline(60)).text for messages in asked]
    with ThreadPoolExecutor(2) as pool:
        together = list(pool.map(lambda one: qwen2.complete(one, Sampling(10), CallDeadline(60)).text, asked))
    assert together == alone
    assert alone[0] != alone[1]


def test_without_bitsandbytes_the_weights_stay_as_they_are_and_it_says_so(
    qwen2_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("models.transformers_weights._quantised", lambda name: None)
    model = TransformersModel(str(qwen2_folder), 1_024)
    assert "bfloat16" in model.describe()
    assert "not in 4 bits" in model.describe()
    assert model.fingerprint.endswith("-bfloat16")
    assert model.complete(SKY, Sampling(2), CallDeadline(60)).tokens.completion == 2


def test_weights_that_run_code_when_they_are_read_are_refused(qwen2_folder: Path, tmp_path: Path) -> None:
    import torch

    for file in qwen2_folder.iterdir():
        if file.suffix != ".safetensors":
            (tmp_path / file.name).write_bytes(file.read_bytes())
    torch.save({}, tmp_path / "pytorch_model.bin")
    with pytest.raises(ModelMissing, match="safetensors"):
        TransformersModel(str(tmp_path), 1_024)


def test_a_model_without_a_chat_template_is_none_to_talk_to(qwen2_folder: Path, tmp_path: Path) -> None:
    for file in qwen2_folder.iterdir():
        if "template" not in file.name:
            (tmp_path / file.name).write_bytes(file.read_bytes().replace(b'"chat_template"', b'"no_template"'))
    with pytest.raises(ModelMissing, match="chat template"):
        TransformersModel(str(tmp_path), 1_024)


@pytest.mark.parametrize("name", ["no/such/model.gguf", "/no/such/folder"])
def test_a_model_that_is_not_there_is_told(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelMissing):
        TransformersModel(name, 1_024)


@pytest.mark.slow
def test_the_weights_of_smollm2_answer_as_in_llama_cpp(smollm2: GgufModel) -> None:
    model = TransformersModel(str(packaged_gguf()), 2_048)
    assert "unpacked to float32" in model.describe()
    answer = model.complete(SKY, Sampling(12), CallDeadline(120))
    other = smollm2.complete(SKY, Sampling(12), CallDeadline(120))
    assert (answer.text, answer.tokens, answer.finish) == (other.text, other.tokens, other.finish)
    typed = structured(model, SKY, Colour, Sampling(60), CallDeadline(120))
    assert not typed.repaired
    model.close()
