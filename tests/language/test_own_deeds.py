"""A verb is told of its own subject and object; what only stands in the same sentence did not do it."""

from __future__ import annotations

import pytest

from language.own_deeds import tells_other_deed
from language.quick_sentences import quick_sentences

SOLD = "Maria told Elena that her brother had sold the boat."
THANKED = "Lena thanked Ruth after she repaired the pump."
ASPIRIN = "Aspirin reduced the number of heart attacks by a fifth but increased gastric bleeding."
FISHING = "Fishing was reduced in the bay and increased in the gulf because of the new treaty."
HIT = "The cyclist hit the pedestrian because the pedestrian had stepped into the road."
WEAKENED = "The dam which the flood had weakened failed."
LIED = "The mayor, who had lied to the council, resigned in May."
SANK = "The storm sank two boats and damaged the pier."


@pytest.mark.parametrize(
    ("question", "told", "other"),
    [
        ("Did Maria sell the boat?", SOLD, True),
        ("Did her brother sell the boat?", SOLD, False),
        ("Did Lena repair the pump?", THANKED, True),
        ("Did Lena repair the pump?", "Lena left after she repaired the pump.", False),
        ("Does aspirin reduce gastric bleeding?", ASPIRIN, True),
        ("Does aspirin increase gastric bleeding?", ASPIRIN, False),
        ("Did aspirin reduce heart attacks?", ASPIRIN, False),
        ("Was fishing increased in the bay?", FISHING, True),
        ("Was fishing reduced in the bay?", FISHING, False),
        ("Did the cyclist step into the road?", HIT, True),
        ("Did the pedestrian step into the road?", HIT, False),
        ("Did the flood fail?", WEAKENED, True),
        ("Did the dam fail?", WEAKENED, False),
        ("Did the council resign?", LIED, True),
        ("Did the mayor resign?", LIED, False),
        ("Did the storm sink the pier?", SANK, True),
        ("Did the storm damage the pier?", SANK, False),
        ("Did the firm sell a ship?", "The firm bought a ship and sold it.", False),
        ("Did the engine derail and roll over?", "The engine derailed and rolled over.", False),
        ("Was Isa murdered?", "Isa's son was murdered in 1430.", True),
        ("Was Isa's son murdered?", "Isa's son was murdered in 1430.", False),
        ("Did fog close the road?", "The road was closed by fog.", False),
        ("Did the strike stop the trains?", "The trains stopped because of the strike.", False),
        ("Why did Maria sell the boat?", SOLD, False),
    ],
)
def test_a_verb_is_of_its_own_subject_and_object(question: str, told: str, other: bool) -> None:
    assert tells_other_deed(question, quick_sentences(told)[0]) is other
