"""Which encoder a setting names."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from causetrail.errors import SettingInvalid
from models.weights_card import WEIGHTS, open_weights

if TYPE_CHECKING:
    from models.onnx_encoder import OnnxEncoder
    from models.sentence_transformers_encoder import SentenceTransformersEncoder

PACKAGED = "bge-small-en-v1.5"
HUB_PREFIX = "sentence-transformers:"


def load_encoder(setting: str, threads: int | None = None) -> OnnxEncoder | SentenceTransformersEncoder:
    """Loads the encoder that a setting names.

    Args:
        setting: `bge-small-en-v1.5`, which is packaged, or `sentence-transformers:NAME_OR_PATH`.
        threads: Threads it may use; as many as the process has processors when not given. Give 1 where several
            processes encode side by side. It changes the speed, never a vector of the packaged encoder.

    Raises:
        SettingInvalid: the setting names neither.
        ModelDamaged: the packaged weights were changed.
        ModelMissing: the model cannot be found or loaded.
        ExtraMissing: it needs the extra `torch`.
    """
    _check_setting(setting)
    if threads is None:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if setting == PACKAGED:
        from models.onnx_encoder import OnnxEncoder

        return OnnxEncoder(WEIGHTS / PACKAGED, threads)
    from models.sentence_transformers_encoder import SentenceTransformersEncoder

    return SentenceTransformersEncoder(setting.removeprefix(HUB_PREFIX), threads)


def encoder_fingerprint(setting: str) -> str:
    """The fingerprint that the encoder of this setting has; the packaged one is not loaded for it.

    Raises:
        SettingInvalid, ModelDamaged, ModelMissing, ExtraMissing: as `load_encoder`.
    """
    _check_setting(setting)
    if setting == PACKAGED:
        return open_weights(WEIGHTS / PACKAGED).fingerprint
    return load_encoder(setting).fingerprint


def _check_setting(setting: str) -> None:
    if setting != PACKAGED and (not setting.startswith(HUB_PREFIX) or setting == HUB_PREFIX):
        raise SettingInvalid(
            name="encoder", value=repr(setting), reason=f"it is neither {PACKAGED} nor {HUB_PREFIX}NAME_OR_PATH"
        )
