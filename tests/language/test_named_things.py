"""Names that tell things of one sort apart."""

from __future__ import annotations

import pytest

from language.content_words import key_of
from language.named_things import names_of_things, tells_another_name


def test_names_stand_with_their_thing() -> None:
    text = "The Arlen dam released water into the River Teller, and the train to Bergen stopped in Mill Street"
    found = names_of_things(text)
    told = {(key_of("dam"), ""): {"arlen"}, (key_of("river"), ""): {"teller"}, (key_of("train"), "to"): {"bergen"}}
    assert found == {**told, (key_of("street"), ""): {"mill"}}


@pytest.mark.parametrize(
    ("asked", "told", "another"),
    [
        ("High Street flooded", "The flooding of Mill Street on 5 February", True),
        ("the council close the footbridge at Vell", "the council closed the footbridge at Marle", True),
        ("the Hasel dam release water", "The Arlen dam released water", True),
        ("the clinic in Bexley closed", "The clinic in Arda closed on 3 March", True),
        ("the train to Oslo late", "The train to Bergen was late", True),
        ("the Arlen dam release water", "The Arlen dam released water", False),
        ("the dam release water", "The Arlen dam released water", False),
        ("the Hasel dam release water", "The dam released water", False),
        ("the Hasel dam release water", "The Arlen dam and the Hasel dam released water", False),
        ("the explosion at the mill in Orsk", "the explosion at Marsden Point", False),
        ("the train to Oslo late", "The train from Bergen was late", False),
        ("the river Teller rise", "The River Teller rose", False),
        ("the Federal Aviation Authority office close", "The FAA office closed", False),
        ("the FAA office close", "The office of the Federal Aviation Authority closed", False),
        ("the FAA office close", "The Federal Aviation Authority office closed", False),
        ("the FAA office close", "The Federal Rail Authority office closed", True),
    ],
)
def test_another_name_is_another_thing(asked: str, told: str, another: bool) -> None:
    assert tells_another_name(asked, told) is another
