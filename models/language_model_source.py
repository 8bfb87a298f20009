"""Which language models the settings name: one that reads, one that reasons."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from causetrail.errors import ModelNotChosen, SettingInvalid
from causetrail.settings import Settings
from models.accounting import Ledger, no_price, read_prices
from models.call_deadline import CallDeadline
from models.completion_cache import CompletionCache
from models.counted_model import CountedModel
from models.language_model import LanguageModel, Sampling

NONE = "none"
PACKAGED = "smollm2"
GGUF = "gguf:"
OPENAI = "openai:"
TRANSFORMERS = "transformers:"
_SETTINGS: Mapping[str, str] = {"reader": "llm", "reasoner": "llm_reasoner"}
"""The setting of each role."""


@dataclass(frozen=True)
class LanguageModels:
    """The models of the two roles, one and the same where the settings name one; they share ledger and cache."""

    reader: CountedModel | None
    """Reads documents; none where none is chosen."""
    reasoner: CountedModel | None
    """Judges and explains."""
    ledger: Ledger
    """What they have cost."""
    sampling: Sampling
    """How answers are drawn: the likeliest token each time, as many as the settings allow."""
    seconds: float
    """Longest time of one call."""

    def need(self, role: str, feature: str) -> CountedModel:
        """The model of a role.

        Args:
            role: `reader` or `reasoner`.
            feature: What needs it, for the message.

        Raises:
            ModelNotChosen: the settings name none.
        """
        model = self.reader if role == "reader" else self.reasoner
        if model is None:
            raise ModelNotChosen(feature=feature)
        return model

    def deadline(self, cancelled: threading.Event | None = None) -> CallDeadline:
        """For one call that begins now; whoever sets `cancelled` gives it up."""
        return CallDeadline(self.seconds, cancelled)

    def apart(self) -> LanguageModels:
        """The same models with a ledger for a part of the work, so that its cost is told when others work beside it."""
        ledger = Ledger(within=self.ledger)
        reader, reasoner = (
            None if model is None else model.booked_in(ledger) for model in (self.reader, self.reasoner)
        )
        return replace(self, reader=reader, reasoner=reasoner, ledger=ledger)

    def close(self) -> None:
        """Ends both."""
        for model in {id(model): model for model in (self.reader, self.reasoner)}.values():
            if model is not None:
                model.close()


def load_language_models(settings: Settings) -> LanguageModels:
    """Loads the models that the settings name; a model that both roles name is loaded once.

    Raises:
        SettingInvalid: a setting names no model, or misses what its model needs; there is a budget of money and no
            price of it.
        ExtraMissing: a library is not installed.
        ModelMissing: a model cannot be found or loaded.
    """
    if settings.llm_max_tokens >= settings.llm_context_tokens:
        reason = f"prompt and answer share llm_context_tokens, which is {settings.llm_context_tokens}"
        raise SettingInvalid(name="llm_max_tokens", value=str(settings.llm_max_tokens), reason=reason)
    prices = read_prices(settings.llm_prices) if settings.llm_prices else None
    ledger = Ledger(prices, settings.llm_budget_tokens, settings.llm_budget_cost)
    cache = CompletionCache(settings.llm_cache, settings.llm_cache_bytes) if settings.llm_cache else None
    loaded: dict[str, CountedModel | None] = {NONE: None}
    with ExitStack() as failed:
        for role, setting in _SETTINGS.items():
            name = _named(settings, role)
            if name not in loaded:
                model = load_language_model(name, settings, setting)
                failed.callback(model.close)
                if settings.llm_budget_cost is not None and ledger.cost_of(model.name, 0, 0) is None:
                    raise no_price(model.name)
                turns = threading.Semaphore(calls_at_once(settings, role))
                loaded[name] = CountedModel(model, ledger, turns, cache)
        failed.pop_all()
    return LanguageModels(
        loaded[_named(settings, "reader")],
        loaded[_named(settings, "reasoner")],
        ledger,
        Sampling(settings.llm_max_tokens),
        settings.llm_seconds,
    )


def calls_at_once(settings: Settings, role: str) -> int:
    """How many calls the model of a role is given at once.

    One in this process answers one after the other: what waits for it would use up its time.
    """
    return settings.llm_concurrency if _named(settings, role).startswith(OPENAI) else 1


def load_language_model(name: str, settings: Settings, setting: str = "llm") -> LanguageModel:
    """Loads the model that a setting names, and nothing around it.

    Args:
        name: `smollm2`, `gguf:PATH`, `openai:MODEL` or `transformers:NAME_OR_PATH`.
        settings: What it needs besides.
        setting: Which setting it was, for messages.

    Raises:
        SettingInvalid, ExtraMissing, ModelMissing: as `load_language_models`.
    """
    if name == PACKAGED:
        from models.gguf_model import GgufModel, packaged_gguf

        return GgufModel(packaged_gguf(), settings.llm_context_tokens, PACKAGED)
    kind, colon, rest = name.partition(":")
    if rest and kind + colon == GGUF:
        from models.gguf_model import GgufModel

        return GgufModel(Path(rest), settings.llm_context_tokens)
    if rest and kind + colon == OPENAI:
        if settings.llm_base_url is None:
            # No address is assumed: where documents are sent is for the user to say.
            raise SettingInvalid(name=setting, value=repr(name), reason="it needs llm_base_url, and that is not set")
        from models.openai_model import OpenAIModel

        return OpenAIModel(rest, settings.llm_base_url, settings.llm_key, settings.llm_context_tokens)
    if rest and kind + colon == TRANSFORMERS:
        from models.transformers_model import TransformersModel

        return TransformersModel(rest, settings.llm_context_tokens)
    raise SettingInvalid(
        name=setting,
        value=repr(name),
        reason=f"it is none of {NONE}, {PACKAGED}, {GGUF}PATH, {OPENAI}MODEL and {TRANSFORMERS}NAME_OR_PATH",
    )


def _named(settings: Settings, role: str) -> str:
    """The model of a role; who reads also reasons where nobody else is named."""
    return settings.llm_reasoner or settings.llm if role == "reasoner" else settings.llm
