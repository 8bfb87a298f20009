"""Whether a text is told of something else than what is asked about, though it has its words."""

from __future__ import annotations

from language.named_things import tells_another_thing
from language.only_named import only_changes, only_names
from language.paired_things import tells_other_of_pair


def is_of_other_thing(asked: str, told: str) -> bool:
    """True when a text tells of another thing of that sort, or names what is asked about without telling of it.

    Args:
        asked: What is asked about.
        told: The telling of one happening.
    """
    return (
        tells_another_thing(asked, told)
        or tells_other_of_pair(asked, told)
        or only_names(asked, told)
        or only_changes(asked, told)
    )
