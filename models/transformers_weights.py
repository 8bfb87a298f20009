"""Weights of a transformers model: in 4 bits where that works, else as they are stored."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from models.hub_model import HERE, HubModel, Place, import_torch_libraries
from models.language_model_source import TRANSFORMERS
from models.weights_card import sha256_of

GGUF_SUFFIX: Final = ".gguf"


@dataclass(frozen=True)
class LoadedWeights:
    """A model that is ready to run, and how it was loaded."""

    model: Any
    tokenizer: Any
    fingerprint: str
    precision: str
    """For people."""


def load_weights(name: str) -> LoadedWeights:
    """Loads a model by the name of a folder, a GGUF file, or a model of the hub.

    Linear layers are quantised to NF4 (double quantisation, computed in bfloat16), on a CUDA device where there is one
    and else on the processor. Where bitsandbytes cannot do that, and for a GGUF file, which is unpacked, the weights
    stay as they are stored. Only safetensors and GGUF files are read, and no code that comes with a model is run.

    Raises:
        ExtraMissing: transformers is not installed.
        ModelMissing: the model cannot be found, fetched or loaded, or is none to talk to.
    """
    import_torch_libraries(f"The language model {TRANSFORMERS}{name}", "llguidance", "torch")
    path = Path(name)
    found = HubModel(name, TRANSFORMERS)
    if path.suffix == GGUF_SUFFIX:
        return _from_gguf(found, path)
    tokenizer = _tokenizer(found, name, _place(found))
    quantised = _quantised(name)
    model, precision = quantised or (_plain(found), "")
    version = found.version(model.config)
    if quantised:
        return LoadedWeights(model, tokenizer, f"{path.name}-{version}-nf4", precision)
    stored = str(model.dtype).removeprefix("torch.")
    told = f"in {stored} on {model.device.type}, not in 4 bits: bitsandbytes cannot do that here"
    return LoadedWeights(model, tokenizer, f"{path.name}-{version}-{stored}", told)


def _from_gguf(found: HubModel, path: Path) -> LoadedWeights:
    from transformers import AutoModelForCausalLM

    if not path.is_file():
        raise found.not_usable("there is no such file")
    tokenizer = _tokenizer(found, str(path.parent), HERE, gguf_file=path.name)
    try:
        model = AutoModelForCausalLM.from_pretrained(str(path.parent), gguf_file=path.name, **HERE).eval()
    except Exception:  # the library has no root for its exceptions
        raise found.not_usable("transformers cannot read it") from None
    stored = str(model.dtype).removeprefix("torch.")
    told = f"unpacked to {stored} on {model.device.type}, since it comes from a GGUF file"
    return LoadedWeights(model, tokenizer, f"{path.stem}-{sha256_of(path)[:12]}-{stored}", told)


def _place(found: HubModel) -> Place:
    """Where the files of a model are.

    Raises:
        ModelMissing: neither here nor at the hub.
    """
    from transformers import AutoConfig

    def tried(place: Place) -> Place:
        AutoConfig.from_pretrained(found.name, **place)
        return place

    return found.load(tried)


def _tokenizer(found: HubModel, folder: str, place: Place, **file: str) -> Any:
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, **place, **file)
    except Exception:  # the library has no root for its exceptions
        raise found.not_usable("its tokeniser cannot be read") from None
    if not tokenizer.chat_template:
        raise found.not_usable("it has no chat template, so it is none to talk to")
    return tokenizer


def _quantised(name: str) -> tuple[Any, str] | None:
    """The model in NF4 and what to say of it; none where that does not work, tried by running it."""
    try:
        _import_bitsandbytes()
        import torch
        from transformers import AutoModelForCausalLM, BitsAndBytesConfig

        config = BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_use_double_quant=True,
            bnb_4bit_compute_dtype=torch.bfloat16,
        )
        model = AutoModelForCausalLM.from_pretrained(
            name,
            quantization_config=config,
            dtype=torch.bfloat16,
            device_map=_device_map(),
            use_safetensors=True,
            trust_remote_code=False,
        ).eval()
        with torch.inference_mode():
            model(input_ids=torch.zeros((1, 1), dtype=torch.long, device=model.device))
    except Exception:  # bitsandbytes, its kernels and the loader fail in their own ways
        return None
    return model, f"in NF4 with double quantisation, computed in bfloat16, on {model.device.type}"


def _import_bitsandbytes() -> None:
    """Imports it without the package `kernels`: with that it would fetch a program from the hub and run it, unasked.

    Raises:
        ImportError: it is not installed.
    """
    missing = object()
    kernels = sys.modules.get("kernels", missing)
    logger = logging.getLogger("bitsandbytes")
    level = logger.level
    sys.modules["kernels"] = None  # type: ignore[assignment]  # what Python takes for a package that is not there
    logger.setLevel(logging.ERROR)
    try:
        import bitsandbytes  # noqa: F401
    finally:
        logger.setLevel(level)
        if kernels is missing:
            del sys.modules["kernels"]
        else:
            sys.modules["kernels"] = kernels  # type: ignore[assignment]


def _plain(found: HubModel) -> Any:
    from transformers import AutoModelForCausalLM

    try:
        return AutoModelForCausalLM.from_pretrained(
            found.name, dtype="auto", device_map=_device_map(), use_safetensors=True, trust_remote_code=False
        ).eval()
    except Exception:  # the library has no root for its exceptions
        raise found.not_usable("its weights cannot be loaded; they must be in safetensors") from None


def _device_map() -> Any:
    """Spread over the CUDA devices, what does not fit on the processor; all on the processor where there are none."""
    import torch

    return "auto" if torch.cuda.is_available() else {"": "cpu"}
