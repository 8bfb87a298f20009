"""Names: words with capitals that stand together."""

import pytest

from language.name_runs import name_key, names_in


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("The Arlen gate was made by Hasel & Sons of Leeds.", ["Arlen", "Hasel & Sons of Leeds"]),
        ("It is led by J. R. Ewing, who lives in St. Helens.", ["J. R. Ewing", "St. Helens"]),
        ("Ludwig van Beethoven met Joan of Arc’s heirs.", ["Ludwig van Beethoven", "Joan of Arc"]),
        ("A Boeing 747 left Oslo in March 2011. In 1995 Oslo's port froze.", ["Boeing 747", "Oslo"]),
        ("Arlen and Hasel. ARLEN", ["Arlen", "Hasel"]),
        ("It rained. They waited, and so did we.", []),
        ("", []),
    ],
)
def test_each_name_is_told_once_in_the_order_of_the_text(text, names):
    assert names_in(text) == names


def test_a_name_is_in_a_text_that_tells_it_as_whole_words():
    assert name_key("Oslo’s") in name_key("The port of OSLO froze.")
    assert name_key("Oslo") not in name_key("Osloers skate.")
