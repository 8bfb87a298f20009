"""Words of a question that the quotes of its answer do not speak of."""

from __future__ import annotations

from collections.abc import Sequence

from kg.records import Evidence
from language.content_words import content_keys, question_words
from reasoning.material import Material


def unsaid(proof: Sequence[Evidence], material: Material) -> list[str]:
    """The words of what is asked that no quote and no title of its document holds.

    The judge is easily taken in by a quote that speaks of another thing of the same kind.
    """
    asked = material.asked
    known = [part for part in (asked.focus, asked.cause, asked.effect) if part]
    titles = {material.quoter.document(one.document_id).doc_title for one in proof}
    held = frozenset().union(*map(content_keys, (*(one.quote for one in proof), *titles)))
    words = {key: word for part in known for key, word in question_words(part).items()}
    return [word for key, word in words.items() if key not in held]


def names_among(words: Sequence[str]) -> list[str]:
    """Those that are names or numbers."""
    return [word for word in words if word[0].isupper() or word[0].isdigit()]
