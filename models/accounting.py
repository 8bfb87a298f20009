"""What language models cost: calls, tokens, seconds and money by stage, and a budget that is never exceeded."""

from __future__ import annotations

import threading
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError

from causetrail.errors import BudgetSpent, SettingInvalid
from causetrail.spending import Spending, total
from models.language_model import Completion, TokenCount

MILLION: Final = 1_000_000


class Price(BaseModel):
    """What a million tokens of one model cost, in any unit of money."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Cost of one call."""
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / MILLION


class _Prices(RootModel[dict[str, Price]]):
    """The whole file."""


def read_prices(path: Path) -> Mapping[str, Price]:
    """Prices by the name of the model, from a TOML file with a table for each.

    Raises:
        SettingInvalid: the file cannot be read, or is no such file.
    """
    try:
        return _Prices.model_validate(tomllib.loads(path.read_text(encoding="utf-8-sig"))).root
    except OSError:
        reason = "it cannot be opened"
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        reason = "it is not TOML"
    except ValidationError as error:
        place = ".".join(str(key) for key in error.errors()[0]["loc"])
        reason = f"it needs the numbers prompt and completion, at least 0, for each model, and {place} is not right"
    raise SettingInvalid(name="llm_prices", value=repr(str(path)), reason=reason) from None


@dataclass(frozen=True)
class Reservation:
    """The most that one call may cost, held back until it is over."""

    stage: str
    model: str
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


class Ledger:
    """Sums what is spent, by stage; safe to use from several threads.

    A call is reserved at the most that it may cost before it is made, so that calls side by side cannot exceed the
    budget together.
    """

    def __init__(
        self,
        prices: Mapping[str, Price] | None = None,
        budget_tokens: int | None = None,
        budget_cost: float | None = None,
        within: Ledger | None = None,
    ) -> None:
        """Nothing is spent yet.

        Args:
            prices: By the name of the model.
            budget_tokens: Most tokens of prompts and answers.
            budget_cost: Most money, in the unit of the prices.
            within: A ledger that books everything too, and whose prices and budget count instead.
        """
        self._within = within
        self._prices = prices or {}
        self._budget_tokens = budget_tokens
        self._budget_cost = budget_cost
        self._stages: dict[str, Spending] = {}
        self._held: list[Reservation] = []
        self._lock = threading.Lock()

    def cost_of(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        """What a call costs, in the unit of the prices; none where the price of the model is not known."""
        if self._within is not None:
            return self._within.cost_of(model, prompt_tokens, completion_tokens)
        price = self._prices.get(model)
        return None if price is None else price.of(prompt_tokens, completion_tokens)

    def reserve(self, stage: str, model: str, prompt_tokens: int, completion_tokens: int) -> Reservation:
        """Holds back what a call may cost at most; to be settled, given up, or given back.

        Raises:
            BudgetSpent: it could exceed the budget; nothing is held back then.
            SettingInvalid: there is a budget of money, and no price of this model.
        """
        if self._within is not None:
            return self._within.reserve(stage, model, prompt_tokens, completion_tokens)
        held = Reservation(
            stage, model, prompt_tokens, completion_tokens, self.cost_of(model, prompt_tokens, completion_tokens)
        )
        with self._lock:
            self._check_tokens(held)
            self._check_cost(held)
            self._held.append(held)
        return held

    def settle(self, held: Reservation, completion: Completion) -> None:
        """Books what the call did cost."""
        tokens = completion.tokens
        cost = self.cost_of(held.model, tokens.prompt, tokens.completion)
        if self._within is not None:
            self._within.settle(held, completion)
        with self._lock:
            self._release(held)
            self._stages[held.stage] = _with_call(self._of(held.stage), tokens, completion.seconds, cost)

    def give_back(self, held: Reservation) -> None:
        """Books nothing for a call that was not made after all."""
        if self._within is not None:
            self._within.give_back(held)
            return
        with self._lock:
            self._release(held)

    def give_up(self, held: Reservation, seconds: float) -> None:
        """Books a call that gave no answer after `seconds`: its prompt counts as spent."""
        tokens = TokenCount(held.prompt_tokens, 0, estimated=True)
        cost = self.cost_of(held.model, held.prompt_tokens, 0)
        if self._within is not None:
            self._within.give_up(held, seconds)
        with self._lock:
            self._release(held)
            self._stages[held.stage] = _with_call(self._of(held.stage), tokens, seconds, cost, failed=True)

    def count_kept(self, stage: str) -> None:
        """Books a call that the cache answered."""
        if self._within is not None:
            self._within.count_kept(stage)
        with self._lock:
            spent = self._of(stage)
            self._stages[stage] = spent.model_copy(update={"kept_calls": spent.kept_calls + 1})

    def by_stage(self) -> dict[str, Spending]:
        """What each stage has cost, in the order of their names."""
        with self._lock:
            return dict(sorted(self._stages.items()))

    def total(self) -> Spending:
        """What all have cost together."""
        with self._lock:
            return self._total()

    def _release(self, held: Reservation) -> None:
        if self._within is None:
            self._held.remove(held)

    def _of(self, stage: str) -> Spending:
        return self._stages.get(stage, Spending())

    def _total(self) -> Spending:
        return total(self._stages.values())

    def _check_tokens(self, wanted: Reservation) -> None:
        if self._budget_tokens is None:
            return
        needed = wanted.prompt_tokens + wanted.completion_tokens
        held = sum(other.prompt_tokens + other.completion_tokens for other in self._held)
        spent = self._total().tokens + held
        if spent + needed > self._budget_tokens:
            raise BudgetSpent(
                spent=spent, budget=self._budget_tokens, needed=needed, unit="tokens", setting="llm_budget_tokens"
            )

    def _check_cost(self, wanted: Reservation) -> None:
        if self._budget_cost is None:
            return
        if wanted.cost is None:
            raise no_price(wanted.model)
        spent = (self._total().cost or 0.0) + sum(other.cost or 0.0 for other in self._held)
        if spent + wanted.cost > self._budget_cost:
            raise BudgetSpent(
                spent=round(spent, 6),
                budget=self._budget_cost,
                needed=round(wanted.cost, 6),
                unit="in the unit of llm_prices",
                setting="llm_budget_cost",
            )


def no_price(model: str) -> SettingInvalid:
    """The error for a budget of money that nothing can be held to."""
    return SettingInvalid(name="llm_budget_cost", value="kept", reason=f"llm_prices has no price of {model}")


def _with_call(
    spent: Spending, tokens: TokenCount, seconds: float, cost: float | None, *, failed: bool = False
) -> Spending:
    """With one more call."""
    return Spending(
        calls=spent.calls + (not failed),
        kept_calls=spent.kept_calls,
        failed_calls=spent.failed_calls + failed,
        prompt_tokens=spent.prompt_tokens + tokens.prompt,
        completion_tokens=spent.completion_tokens + tokens.completion,
        estimated=spent.estimated or tokens.estimated,
        seconds=spent.seconds + seconds,
        cost=None if spent.cost is None or cost is None else spent.cost + cost,
    )
