"""What language models cost, and the budget that no call exceeds."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from causetrail.errors import BudgetSpent, SettingInvalid
from models.accounting import Ledger, Price, read_prices
from models.language_model import Completion, TokenCount

PRICES = {"small": Price(prompt=1.0, completion=2.0)}


def answer(prompt: int, completion: int) -> Completion:
    return Completion("x", TokenCount(prompt, completion), 0.5, "stop")


def test_calls_are_summed_by_stage() -> None:
    ledger = Ledger(PRICES)
    for stage, prompt in (("extract", 1_000), ("extract", 500), ("judge", 100)):
        ledger.settle(ledger.reserve(stage, "small", prompt, 50), answer(prompt, 20))
    ledger.count_kept("judge")
    extract, judge = ledger.by_stage()["extract"], ledger.by_stage()["judge"]
    assert (extract.calls, extract.prompt_tokens, extract.completion_tokens, extract.seconds) == (2, 1_500, 40, 1.0)
    assert extract.cost == pytest.approx((1_500 * 1.0 + 40 * 2.0) / 1e6)
    assert (judge.calls, judge.kept_calls, judge.tokens) == (1, 1, 120)
    total = ledger.total()
    assert (total.calls, total.kept_calls, total.tokens, total.estimated) == (3, 1, 1_660, False)
    assert total.cost == pytest.approx((extract.cost or 0) + (judge.cost or 0))


def test_without_a_price_there_is_no_cost() -> None:
    ledger = Ledger(PRICES)
    ledger.settle(ledger.reserve("a", "small", 10, 5), answer(10, 5))
    ledger.settle(ledger.reserve("b", "unknown", 10, 5), answer(10, 5))
    assert ledger.by_stage()["a"].cost is not None
    assert ledger.by_stage()["b"].cost is None
    assert ledger.total().cost is None
    assert Ledger().total().cost == 0.0


def test_a_call_without_an_answer_counts_its_prompt() -> None:
    ledger = Ledger(PRICES)
    ledger.give_up(ledger.reserve("a", "small", 100, 50), seconds=2.0)
    spent = ledger.total()
    assert (spent.calls, spent.failed_calls, spent.tokens, spent.estimated, spent.seconds) == (0, 1, 100, True, 2.0)
    assert spent.cost == pytest.approx(100 * 1.0 / 1e6)


def test_the_call_that_could_exceed_the_budget_is_not_made() -> None:
    ledger = Ledger(budget_tokens=300)
    ledger.settle(ledger.reserve("a", "m", 100, 50), answer(100, 10))
    held = ledger.reserve("a", "m", 140, 50)
    with pytest.raises(BudgetSpent) as caught:
        ledger.reserve("a", "m", 1, 0)
    assert caught.value.details == {
        **{"spent": 300, "budget": 300, "needed": 1, "unit": "tokens", "setting": "llm_budget_tokens"}
    }
    ledger.settle(held, answer(140, 10))
    ledger.reserve("a", "m", 40, 0)


def test_a_budget_of_money_needs_prices() -> None:
    ledger = Ledger(PRICES, budget_cost=0.001)
    ledger.settle(ledger.reserve("a", "small", 400, 100), answer(400, 100))
    with pytest.raises(BudgetSpent, match="llm_budget_cost"):
        ledger.reserve("a", "small", 400, 100)
    with pytest.raises(SettingInvalid, match="no price of large"):
        ledger.reserve("a", "large", 1, 1)


def test_calls_side_by_side_do_not_exceed_a_budget_of_money() -> None:
    most_of_one = (1_000 * 1.0 + 100 * 2.0) / 1e6
    ledger = Ledger(PRICES, budget_cost=1.5 * most_of_one)
    held = ledger.reserve("a", "small", 1_000, 100)
    with pytest.raises(BudgetSpent):
        ledger.reserve("a", "small", 1_000, 100)
    ledger.settle(held, answer(100, 10))
    ledger.reserve("a", "small", 1_000, 100)


def test_threads_together_do_not_exceed_the_budget() -> None:
    ledger = Ledger(budget_tokens=1_000)

    def call(_: int) -> int:
        try:
            held = ledger.reserve("a", "m", 6, 4)
        except BudgetSpent:
            return 0
        ledger.settle(held, answer(6, 4))
        return 1

    with ThreadPoolExecutor(8) as pool:
        made = sum(pool.map(call, range(400)))
    assert made == ledger.total().calls == 100
    assert ledger.total().tokens == 1_000


def test_prices_are_read_by_model(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('["gpt-mini"]\nprompt = 0.15\ncompletion = 0.6\n[small]\nprompt = 1\ncompletion = 2\n', "utf-8-sig")
    assert read_prices(path)["small"].of(1_000_000, 0) == 1.0
    assert read_prices(path)["gpt-mini"].of(1_000_000, 1_000_000) == pytest.approx(0.75)


@pytest.mark.parametrize(
    "content",
    [
        None,
        b"\xff",
        b"prompt =",
        b"prompt = 1\n",
        b"[m]\nprompt = 1\n",
        *(b"[m]\nprompt = " + price + b"\ncompletion = 1\n" for price in (b"-1", b"inf", b"nan", b"true", b"'1'")),
    ],
)
def test_a_table_of_prices_that_is_none_is_refused(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SettingInvalid, match="llm_prices"):
        read_prices(path)


def test_a_part_of_the_work_has_its_own_sums_and_no_budget_of_its_own() -> None:
    ledger = Ledger(PRICES, budget_tokens=1_000)
    ledger.settle(ledger.reserve("ask", "small", 100, 50), answer(100, 50))
    part, other = Ledger(within=ledger), Ledger(within=ledger)
    part.settle(part.reserve("judge", "small", 300, 50), answer(300, 10))
    part.count_kept("judge")
    other.give_up(other.reserve("judge", "small", 200, 50), seconds=1.0)
    assert (part.total().calls, part.total().kept_calls, part.total().tokens) == (1, 1, 310)
    assert part.total().cost == pytest.approx((300 * 1.0 + 10 * 2.0) / 1e6)
    assert (other.total().calls, other.total().failed_calls, other.total().tokens) == (0, 1, 200)
    of_all = ledger.by_stage()["judge"]
    assert (of_all.calls, of_all.kept_calls, of_all.failed_calls, of_all.tokens) == (1, 1, 1, 510)
    with pytest.raises(BudgetSpent) as caught:
        part.reserve("judge", "small", 341, 0)
    assert caught.value.details["spent"] == 660
    held = part.reserve("judge", "small", 340, 0)
    with pytest.raises(BudgetSpent):
        other.reserve("judge", "small", 1, 0)
    part.give_up(held, seconds=0.0)
