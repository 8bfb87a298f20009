"""A denial of a way, a degree or a time is none of the happening."""

from __future__ import annotations

import pytest

from language.limited_denials import denies_in_part
from language.quick_sentences import quick_sentences


@pytest.mark.parametrize(
    ("question", "told", "in_part"),
    [
        ("Did the bridge collapse?", "The bridge did not collapse immediately. It fell later.", True),
        ("Was the ban lifted?", "The ban was not lifted in June as planned. It was lifted in May.", True),
        ("Did the river flood?", "In 2010 the river did not flood. In 2013 it flooded.", True),
        ("Was anyone hurt?", "No passengers were hurt. Two men were.", True),
        ("Was anyone injured?", "No injuries were reported.", False),
        ("Does it cause headaches?", "It does not cause headaches at low doses.", True),
        ("Did the bridge collapse?", "The bridge did not collapse. Nobody was hurt.", False),
        ("Did the river flood in 2010?", "In 2010 the river did not flood. In 2013 it flooded.", False),
        ("Did the river flood?", "In 2010 the river did not flood. The dam held.", False),
        ("Were passengers hurt?", "No passengers were hurt. Two men were.", False),
        ("Did it collapse immediately?", "The bridge did not collapse immediately.", False),
    ],
)
def test_what_a_denial_leaves_open(question: str, told: str, in_part: bool) -> None:
    first, *behind = quick_sentences(told)
    assert denies_in_part(question, first, behind) is in_part
