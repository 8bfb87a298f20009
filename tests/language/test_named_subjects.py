"""What is told of another name than the one that is asked about, and what may be told of it."""

import pytest

from language.named_subjects import tells_of_another

WHEN = "When was the Arlen gate founded?"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (WHEN, "The Arlen gate was made by Tolk & Sons, founded in 1911."),
        (WHEN, "The Arlen gate was made by Tolk & Sons, which was founded in 1911."),
        (WHEN, "The Arlen gate was made by Tolk & Sons. Tolk & Sons was founded in 1911."),
        (WHEN, "The Arlen gate is of steel, but Tolk & Sons was first founded at Bexley. The gate weighs 9 tonnes."),
        ("What year was the Arlen gate opened?", "The Arlen gate was made by Tolk & Sons, founded in 1911."),
        ("Where was the Arlen gate built?", "The Arlen gate is of Hasel. Hasel Works was built at Bexley."),
        ("When was Tolk & Sons founded?", "The Arlen gate was founded in 1923. It was made by Tolk & Sons."),
        ("When did the Arlen gate fail?", "The Arlen gate replaced another. Hasel Weir failed in 1911."),
    ],
)
def test_the_time_of_another_name_is_no_answer(question, told):
    assert tells_of_another(question, told)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        # Of the very thing, in one way or another.
        (WHEN, "The Arlen gate, made by Tolk & Sons, was founded in 1911."),
        (WHEN, "The Arlen gate of Tolk & Sons, founded in 1911, is of steel."),
        (WHEN, "Tolk & Sons founded the Arlen gate in 1911."),
        (WHEN, "The Arlen gate stands at Bexley. It was founded in 1911."),
        ("When was the Arlen gate built?", "The Arlen gate was built by Tolk & Sons in 1911."),
        ("When did Ada Holm discover oxygen?", "Oxygen was discovered by Ada Holm in 1773."),
        (
            "When did Ada Holm resign?",
            "Ole Brandt, who was named chair after the resignation of Ada Holm in 2015, left.",
        ),
        ("When was the Arlen gate made?", "Repairs were made in 1911. In 1912 all was put into the Arlen gate."),
        # The other name is one of the asked thing.
        ("When was the Sheffield band founded?", "Pulp is a band of Sheffield. Pulp was founded in 1978."),
        ("When was the Sheffield band founded?", "The Sheffield band Pulp plays rock. Pulp was founded in 1978."),
        ("When was Archie Leach born?", "Archie Leach was called Cary Grant. Cary Grant was born in 1904."),
        # The question asks of something else than the name itself, or the text does not name what it asks about.
        ("When was the maker of the Arlen gate founded?", "The Arlen gate is of Hasel. Hasel was founded in 1911."),
        (
            "When was the company that made the Arlen gate founded?",
            "Hasel made the Arlen gate. Hasel was founded in 1911.",
        ),
        (
            "When was Arlen\u2019s gate maker founded?",
            "Arlen has a gate by Hasel Works. Hasel Works was founded in 1911.",
        ),
        (WHEN, "Tolk & Sons was founded in 1911."),
        ("Who founded the Arlen gate?", "The Arlen gate was made by Tolk & Sons, founded in 1911."),
        ("When was the gate founded?", "The gate was made by Tolk & Sons, founded in 1911."),
        # Another sentence tells it of the thing.
        (WHEN, "The Arlen gate was founded in 1923. Its maker Tolk & Sons, founded in 1911, is gone."),
    ],
)
def test_what_may_be_told_of_the_asked_thing_is_left_to_the_judges(question, told):
    assert not tells_of_another(question, told)
