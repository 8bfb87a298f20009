"""The encoder as a promise: its fingerprint at once, the encoder itself when a first text needs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kg.encoding import Encoder
from models.encoder import encoder_fingerprint, load_encoder


@dataclass(frozen=True, slots=True)
class EncoderSource:
    """What an ingest takes: cheap to make, and can be sent to worker processes.

    Attributes:
        fingerprint: The fingerprint that the loaded encoder has.
        load: Loads the encoder for a number of threads, or for as many as there are processors; picklable.
    """

    fingerprint: str
    load: Callable[[int | None], Encoder]


@dataclass(frozen=True, slots=True)
class _Named:
    setting: str

    def __call__(self, threads: int | None) -> Encoder:
        return load_encoder(self.setting, threads)


def encoder_source(setting: str) -> EncoderSource:
    """The promise of the encoder that a setting names.

    Raises:
        SettingInvalid: it names none.
        ModelDamaged: the packaged weights were changed.
        ModelMissing: the model cannot be found or loaded.
        ExtraMissing: it needs the extra `torch`.
    """
    return EncoderSource(encoder_fingerprint(setting), _Named(setting))
