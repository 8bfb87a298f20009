"""The names of which a text tells a deed: what the Dornau did is no answer to what the Isk did."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from language.content_words import key_of
from language.initials import is_shortened
from language.lemmas import can_be_verb
from language.lexicon import readings
from language.name_runs import name_key, name_spans

_DEED: Final = re.compile(
    r"\s+(?:(?:to|is|are|was|were|be|been|had|has|have|did|also|then|later)\s+)*(?P<deed>[a-z]+(?:-[a-z]+)*)"
)
"""What stands behind the name of who does something: auxiliaries, and the verb itself."""


def tells_another_doer(asked: str, told: str) -> bool:
    """True when a text tells a deed of another name than a question, and nowhere has that.

    Where the two share any name, one may be a second name of the other ("the UK left the EU", "Britain left the EU").
    So may what the lexicon has ("the Prime Minister resigned"), and first letters.
    """
    wanted = _doers(asked, of_question=True)
    if not wanted:
        return False
    others = _doers(told, of_question=False)
    if not wanted.keys() & others.keys() or _name_words(asked) & _name_words(told):
        return False
    words = frozenset(name_key(told).split())
    return any(
        not names & words and not is_shortened(names, told) and not is_shortened(others[deed], asked)
        for deed, names in wanted.items()
        if deed in others
    )


@lru_cache(maxsize=16_384)
def _doers(text: str, *, of_question: bool) -> dict[str, frozenset[str]]:
    """The last words of the names right before a verb, as they are compared, by the key of the verb.

    Words of the lexicon are names in a question alone, which opens with none: "why did *Bob* leave?".
    """
    found: dict[str, set[str]] = {}
    for start, end in name_spans(text):
        *_, name = name_key(text[start:end]).split()
        behind = _DEED.match(text, end)
        known = name in readings() and not of_question
        if behind is not None and name.isalpha() and not known and can_be_verb(behind["deed"]):
            found.setdefault(key_of(behind["deed"]), set()).add(name)
    return {deed: frozenset(names) for deed, names in found.items()}


@lru_cache(maxsize=16_384)
def _name_words(text: str) -> frozenset[str]:
    return frozenset(word for start, end in name_spans(text) for word in name_key(text[start:end]).split())
