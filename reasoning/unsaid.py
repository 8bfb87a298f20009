"""Words of a question that the quotes of its answer do not speak of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kg.records import Evidence, Stance, Verdict
from language.content_words import content_keys, question_words
from language.questions import QuestionKind
from reasoning.draft import Draft
from reasoning.material import Material
from reasoning.wording import say


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


def as_far_as_said(draft: Draft, material: Material) -> Draft:
    """The draft; no plain yes where its quotes do not speak of all that is asked, but of something like it.

    A word that stands elsewhere in the document may be another name of what a quote tells of ("the ship", "the
    vessel"), or of something else ("the pumps went on", "the mill stopped"). The question names both ends itself, so
    that a yes would vouch for what nothing tells.
    """
    if material.asked.kind is not QuestionKind.DID or draft.verdict is not Verdict.SUPPORTED:
        return draft
    words = unsaid([one for one in draft.evidence if one.stance is not Stance.CONTEXT], material)
    if not words:
        return draft
    named = ", ".join(f"“{word}”" for word in words)
    quotes = " ".join(dict.fromkeys(f"“{' '.join(one.quote.split())}”" for one in draft.evidence))
    return replace(
        draft,
        verdict=Verdict.HYPOTHESISED,
        text=say("answers", "maybe_unsaid", words=named, quotes=quotes),
        confidence=round(draft.confidence / 2, 6),
    )


def names_among(words: Sequence[str]) -> list[str]:
    """Those that are names or numbers."""
    return [word for word in words if word[0].isupper() or word[0].isdigit()]
