"""That something was done does not tell what did it."""

from __future__ import annotations

import pytest

from language.agentless import names_no_doer


@pytest.mark.parametrize(
    ("question", "told", "agentless"),
    [
        ("What killed the cows?", "Eleven cows were killed and the farmer was slightly injured.", True),
        ("What contaminated the well?", "The outbreak was traced to a contaminated well.", True),
        ("Who founded the city?", "The city was founded in 1200.", True),
        ("What killed the cows?", "Eleven cows were killed by the snow.", False),
        ("What killed the cows?", "The snow killed eleven cows.", False),
        ("What destroyed the mill?", "The mill was destroyed in a fire.", False),
        ("What broke login for web users?", "Web users could log in the whole time.", True),
        ("What stopped the bus?", "The bus stopped the next day.", True),
        ("What broke the window?", "The window broke when a ball hit it.", False),
        ("When was the city founded?", "The city was founded in 1200.", False),
    ],
)
def test_a_passive_without_a_doer_names_none(question: str, told: str, agentless: bool) -> None:
    assert names_no_doer(question, told) is agentless
