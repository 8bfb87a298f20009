"""A denial that is denied tells, or leaves open, what it is about."""

from __future__ import annotations

import pytest

from language.quick_sentences import quick_sentences
from language.stated_causes import stated_causes


@pytest.mark.parametrize(
    ("opening", "affirmed", "actual"),
    [
        ("There is no doubt that", True, True),
        ("Nobody denies that", True, True),
        ("It cannot be denied that", True, True),
        ("Investigators have not ruled out that", True, False),
        ("It cannot be excluded that", True, False),
        ("The company did not deny that", True, False),
        ("The company denies that", False, True),
        ("Investigators have ruled out that", False, True),
        ("The ministry neither confirms nor denies that", False, False),
    ],
)
def test_what_is_made_of_a_cause(opening: str, affirmed: bool, actual: bool) -> None:
    (stated,) = stated_causes(quick_sentences(f"{opening} ice caused the crash.")[0])
    assert (stated.affirmed, stated.actual) == (affirmed, actual)


def test_nothing_but_it_is_just_it() -> None:
    (stated,) = stated_causes(quick_sentences("Nothing but a leaking gasket caused the explosion.")[0])
    assert stated.affirmed and stated.actual
