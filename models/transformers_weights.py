"""Weights of a transformers model: in 4 bits where that works, else as they are stored."""

from __future__ import annotations

import hashlib
import logging
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from causetrail.errors import ExtraMissing, ModelMissing
from models.weights_card import sha256_of

HUB_SECONDS: Final = 10
"""How long the hub may take to say whether it has a model."""
GGUF_SUFFIX: Final = ".gguf"
WEIGHTS_SUFFIX: Final = ".safetensors"


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
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        import llguidance  # noqa: F401
        import torch  # noqa: F401
        import transformers
        from transformers.utils import logging as progress
    except ImportError:
        raise ExtraMissing(feature=f"The language model transformers:{name}", extra="torch") from None
    progress.disable_progress_bar()
    transformers.logging.set_verbosity_error()
    path = Path(name)
    if path.suffix == GGUF_SUFFIX:
        return _from_gguf(name, path)
    tokenizer = _tokenizer(name, _local_or_hub(name))
    quantised = _quantised(name)
    model, precision = quantised or (_plain(name), "")
    version = _version(model, path, name)
    if quantised:
        return LoadedWeights(model, tokenizer, f"{path.name}-{version}-nf4", precision)
    stored = str(model.dtype).removeprefix("torch.")
    told = f"in {stored} on {model.device.type}, not in 4 bits: bitsandbytes cannot do that here"
    return LoadedWeights(model, tokenizer, f"{path.name}-{version}-{stored}", told)


def _from_gguf(name: str, path: Path) -> LoadedWeights:
    from transformers import AutoModelForCausalLM

    if not path.is_file():
        raise _not_usable(name, "there is no such file")
    place = {"gguf_file": path.name, "local_files_only": True}
    tokenizer = _tokenizer(str(path.parent), place)
    try:
        model = AutoModelForCausalLM.from_pretrained(str(path.parent), **place).eval()
    except Exception:  # the library has no root for its exceptions
        raise _not_usable(name, "transformers cannot read it") from None
    stored = str(model.dtype).removeprefix("torch.")
    told = f"unpacked to {stored} on {model.device.type}, since it comes from a GGUF file"
    return LoadedWeights(model, tokenizer, f"{path.stem}-{sha256_of(path)[:12]}-{stored}", told)


def _local_or_hub(name: str) -> dict[str, Any]:
    """How the files of a model are found: here if they are here, else at the hub.

    Raises:
        ModelMissing: in neither place.
    """
    from huggingface_hub import HfApi
    from transformers import AutoConfig

    try:
        AutoConfig.from_pretrained(name, local_files_only=True)
    except Exception:  # missing files and broken ones have no common root in the libraries
        try:
            # One question with a time limit: loading by name would ask again for a minute where there is no network.
            HfApi().model_info(name, timeout=HUB_SECONDS)
        except Exception:
            raise _not_usable(name, "it is neither a folder with a model nor a model that the hub gives") from None
        return {}
    return {"local_files_only": True}


def _tokenizer(name: str, place: dict[str, Any]) -> Any:
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(name, **place)
    except Exception:  # the library has no root for its exceptions
        raise _not_usable(name, "its tokeniser cannot be read") from None
    if not tokenizer.chat_template:
        raise _not_usable(name, "it has no chat template, so it is none to talk to")
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
            name, quantization_config=config, dtype=torch.bfloat16, device_map=_device_map(), use_safetensors=True
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


def _plain(name: str) -> Any:
    from transformers import AutoModelForCausalLM

    try:
        return AutoModelForCausalLM.from_pretrained(
            name, dtype="auto", device_map=_device_map(), use_safetensors=True
        ).eval()
    except Exception:  # the library has no root for its exceptions
        raise _not_usable(name, "its weights cannot be loaded; they must be in safetensors") from None


def _device_map() -> Any:
    """Spread over the CUDA devices, what does not fit on the processor; all on the processor where there are none."""
    import torch

    return "auto" if torch.cuda.is_available() else {"": "cpu"}


def _version(model: Any, path: Path, name: str) -> str:
    """First 12 digits of a SHA-256 over a folder's weights, or of the commit of a model from the hub."""
    files = sorted(path.glob(f"*{WEIGHTS_SUFFIX}")) if path.is_dir() else []
    if files:
        return hashlib.sha256("".join(map(sha256_of, files)).encode()).hexdigest()[:12]
    commit = getattr(model.config, "_commit_hash", None)
    if not commit:
        raise _not_usable(name, "no version of its weights can be told")
    return str(commit)[:12]


def _not_usable(name: str, reason: str) -> ModelMissing:
    return ModelMissing(
        model=name,
        reason=reason,
        advice="Check the name, or download the model to a folder and write transformers:PATH.",
    )
