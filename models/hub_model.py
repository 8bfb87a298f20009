"""Models of the hub: looked for on this machine first, then asked for once, and told apart by their weights."""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypedDict, TypeVar

from causetrail.errors import ExtraMissing, ModelMissing
from models.weights_card import sha256_of

HUB_SECONDS: Final = 10
"""How long the hub may take to say whether it has a model."""
VERSION_DIGITS: Final = 12
WEIGHT_FILES: Final = ("*.safetensors", "[0-9]*_*/*.safetensors"), ("pytorch_model*.bin",)
"""Which files of a folder are its weights; those of the first line that has any. Modules of a sentence-transformers
model lie in folders of their own, with a number in front."""

Loaded = TypeVar("Loaded")


class Place(TypedDict):
    """Where the libraries may look for files, and that no code which comes with a model is run."""

    local_files_only: bool
    trust_remote_code: bool


HERE: Final = Place(local_files_only=True, trust_remote_code=False)
ANYWHERE: Final = Place(local_files_only=False, trust_remote_code=False)


@dataclass(frozen=True)
class HubModel:
    """A model that a setting names: a folder, or a name of the hub."""

    name: str
    prefix: str
    """What stands before the name in a setting, colon included."""

    def load(self, load: Callable[[Place], Loaded], what: str = "a model") -> Loaded:
        """Loads it from this machine, or from the hub, where it is asked for with a time limit.

        Args:
            load: Loads it from a place.
            what: What must be found, for the message.

        Raises:
            ModelMissing: it cannot be found, fetched or loaded.
        """
        try:
            return load(HERE)
        except Exception:  # missing files, refused connections and bad weights have no common root in the libraries
            missing = self.not_usable(f"it is neither a folder with {what} nor {what} that the hub gives")
        if Path(self.name).is_dir():
            # A model of the same name at the hub would be somebody else's.
            raise missing
        try:
            from huggingface_hub import HfApi

            # One question with a time limit: loading by name would ask again for a minute where there is no network.
            HfApi().model_info(self.name, timeout=HUB_SECONDS)
            return load(ANYWHERE)
        except Exception:
            raise missing from None

    def version(self, config: object) -> str:
        """First digits of a SHA-256 of a folder's weights, or of the commit of a model from the hub.

        Args:
            config: The configuration of the loaded model, which knows the commit.

        Raises:
            ModelMissing: neither is known.
        """
        for patterns in WEIGHT_FILES:
            files = sorted(file for pattern in patterns for file in Path(self.name).glob(pattern))
            digests = [sha256_of(file) for file in files]
            if len(digests) == 1:
                return digests[0][:VERSION_DIGITS]
            if digests:
                return hashlib.sha256("".join(digests).encode()).hexdigest()[:VERSION_DIGITS]
        commit = getattr(config, "_commit_hash", None)
        if not commit:
            raise self.not_usable("no version of its weights can be told")
        return str(commit)[:VERSION_DIGITS]

    def not_usable(self, reason: str) -> ModelMissing:
        """The error that says why it cannot be used, and what to do."""
        return ModelMissing(
            model=self.name,
            reason=reason,
            advice=f"Check the name, or download the model to a folder and write {self.prefix}PATH.",
        )


def import_torch_libraries(feature: str, *libraries: str) -> None:
    """Imports libraries of the extra `torch`, and has them report to nobody and print nothing.

    Args:
        feature: What needs them, for the message.
        libraries: Their names.

    Raises:
        ExtraMissing: one of them is not installed.
    """
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    try:
        for library in libraries:
            importlib.import_module(library)
        transformers: Any = importlib.import_module("transformers")
    except ImportError:
        raise ExtraMissing(feature=feature, extra="torch") from None
    transformers.utils.logging.disable_progress_bar()
    transformers.logging.set_verbosity_error()
