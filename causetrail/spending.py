"""What was asked of language models, and what it cost: a record of reports, light to import."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field


class Spending(BaseModel):
    """What one stage of the work, or all together, asked of language models."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    calls: int = Field(default=0, ge=0)
    """Calls that a model answered."""
    kept_calls: int = Field(default=0, ge=0)
    """Calls that the cache answered; they cost nothing."""
    failed_calls: int = Field(default=0, ge=0)
    """Calls without an answer; their prompts are counted as spent, since a server may have read them."""
    prompt_tokens: int = Field(default=0, ge=0)
    """Tokens of the prompts."""
    completion_tokens: int = Field(default=0, ge=0)
    """Tokens of the answers."""
    estimated: bool = False
    """Whether some of the tokens were not told by the model."""
    seconds: float = Field(default=0.0, ge=0)
    """Time of the calls, added up, also of those that ran side by side."""
    cost: float | None = 0.0
    """In the unit of the prices; none as soon as a call was made whose price is not known."""

    @property
    def tokens(self) -> int:
        """Of prompts and answers."""
        return self.prompt_tokens + self.completion_tokens

    @property
    def asked(self) -> bool:
        """Whether a model was asked at all, if only of the cache."""
        return self.calls + self.kept_calls + self.failed_calls > 0


def total(spent: Iterable[Spending]) -> Spending:
    """All together; without a cost as soon as one has none."""
    each = list(spent)
    costs = [one.cost for one in each if one.cost is not None]
    return Spending(
        calls=sum(one.calls for one in each),
        kept_calls=sum(one.kept_calls for one in each),
        failed_calls=sum(one.failed_calls for one in each),
        prompt_tokens=sum(one.prompt_tokens for one in each),
        completion_tokens=sum(one.completion_tokens for one in each),
        estimated=any(one.estimated for one in each),
        seconds=sum(one.seconds for one in each),
        cost=sum(costs) if len(costs) == len(each) else None,
    )
