"""Where a model of the hub is looked for, and how two of them are told apart."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock, create_autospec

import pytest

from causetrail.errors import ModelMissing
from models.hub_model import ANYWHERE, HERE, HUB_SECONDS, HubModel, Place

needs_hub = pytest.mark.skipif(importlib.util.find_spec("huggingface_hub") is None, reason="the extra torch is missing")
NAME = "somebody/something"


@pytest.fixture
def model_info(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """What asks the hub; the hub itself cannot be part of a test."""
    from huggingface_hub import HfApi

    double: Mock = create_autospec(HfApi.model_info)
    monkeypatch.setattr(HfApi, "model_info", double)
    return double


def at_the_hub(place: Place) -> str:
    if place["local_files_only"]:
        raise OSError("not here")
    return "loaded"


@pytest.mark.torch
@needs_hub
def test_what_is_here_is_not_asked_for(model_info: Mock) -> None:
    assert HubModel(NAME, "nli:").load(lambda place: place) == HERE
    model_info.assert_not_called()


@pytest.mark.torch
@needs_hub
def test_the_hub_is_asked_once_and_not_for_long(model_info: Mock) -> None:
    assert HubModel(NAME, "nli:").load(at_the_hub) == "loaded"
    assert model_info.call_count == 1
    assert model_info.call_args.args[1:] == (NAME,)
    assert model_info.call_args.kwargs == {"timeout": HUB_SECONDS}
    assert HERE["trust_remote_code"] is ANYWHERE["trust_remote_code"] is False


@pytest.mark.torch
@needs_hub
def test_a_hub_that_does_not_answer_is_not_asked_again(model_info: Mock) -> None:
    model_info.side_effect = TimeoutError
    tried: list[Place] = []

    def load(place: Place) -> str:
        tried.append(place)
        return at_the_hub(place)

    with pytest.raises(ModelMissing, match="neither a folder with a model nor a model that the hub gives") as caught:
        HubModel(NAME, "nli:").load(load)
    assert tried == [HERE]
    assert "nli:PATH" in caught.value.fix


@pytest.mark.torch
@needs_hub
def test_a_folder_is_never_replaced_by_a_model_of_its_name(
    model_info: Mock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / NAME).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelMissing):
        HubModel(NAME, "nli:").load(at_the_hub)
    model_info.assert_not_called()


def test_the_version_is_that_of_all_weights(tmp_path: Path) -> None:
    found = HubModel(str(tmp_path), "nli:")
    nothing = SimpleNamespace(_commit_hash=None)
    with pytest.raises(ModelMissing, match="no version"):
        found.version(nothing)
    assert found.version(SimpleNamespace(_commit_hash="0123456789abcdef")) == "0123456789ab"
    (tmp_path / "pytorch_model.bin").write_bytes(b"old")
    versions = [found.version(nothing)]
    (tmp_path / "model.safetensors").write_bytes(b"new")
    versions.append(found.version(nothing))
    assert versions == [hashlib.sha256(content).hexdigest()[:12] for content in (b"old", b"new")]
    for module, content in (("2_Dense", b"a"), ("2_Dense", b"b"), (".", b"newer"), ("checkpoint-500", b"c")):
        (tmp_path / module).mkdir(exist_ok=True)
        (tmp_path / module / "model.safetensors").write_bytes(content)
        versions.append(found.version(nothing))
    assert len(set(versions[:5])) == 5
    assert versions[5] == versions[4]
