"""What an answer still lacks, and how to look for it.

The reasoner of Shi and Qiu, "Reasoning Enhanced Missing Knowledge Retrieval Augmented Generation Framework for Domain
Specific Question Answering", says what is missing and gives a short query for each point. Here a point is missing where
a chain begins or ends without a reason told, where two chains do not meet, and where words of the question occur in
nothing that was read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

from causetrail.errors import QuestionError
from kg.records import Chain, Verdict
from language.content_words import unread_words
from language.questions import Question, QuestionKind, effects_question, how_question, why_question
from reasoning.draft import Draft
from reasoning.material import Material
from reasoning.wording import any_of, event_words, missing_cause, missing_effect, say


@dataclass(frozen=True, slots=True)
class Gap:
    """One thing that is missing.

    Attributes:
        kind: `root`, `end`, `bridge` or `words`; `link` for what links an offered cause to the event; `model` for what
            a language model misses.
        missing: What is missing, in a sentence.
        query: What is searched for it.
        asked: The question that fills it.
        before: The chain that leads to a bridge; none for the other kinds, and where none does.
        after: The chain that leads on from a bridge, likewise.
    """

    kind: str
    missing: str
    query: str
    asked: Question
    before: Chain | None = None
    after: Chain | None = None


def find_gaps(draft: Draft, material: Material) -> list[Gap]:
    """What the draft lacks; nothing where it tells all that was asked, or where no question could be asked of it."""
    if draft.verdict is Verdict.CONTRADICTED:
        return []
    if draft.verdict is Verdict.INSUFFICIENT or "likely" in draft.reasons:
        return [*_bridges(material), *_unread_words(material)]
    return list(_ends(draft, material))


def _ends(draft: Draft, material: Material) -> Iterator[Gap]:
    """The first cause of the best chain, or its last effect, of which the graph tells no more."""
    if not draft.chains or draft.cut_at_hops:
        return
    events, limit = draft.chains[0].events, material.room.settings.max_question_characters
    if material.asked.kind is QuestionKind.WHY and events[0].id not in material.found.explained:
        words = " ".join(events[0].description.split())
        with suppress(QuestionError):
            yield Gap("root", missing_cause(event_words(events[0])), words, why_question(words, limit))
    elif material.asked.kind is QuestionKind.EFFECTS:
        words = " ".join(events[-1].description.split())
        with suppress(QuestionError):
            yield Gap("end", missing_effect(event_words(events[-1])), words, effects_question(words, limit))


def _bridges(material: Material) -> Iterator[Gap]:
    """The link between the end of what follows from the cause and the start of what leads to the effect."""
    asked, found = material.asked, material.found
    if asked.kind not in {QuestionKind.HOW, QuestionKind.DID} or not (found.onward or found.backward):
        return
    before = found.onward[0] if found.onward else None
    after = found.backward[0] if found.backward else None
    start = before.events[-1].description if before else asked.cause or ""
    end = after.events[0].description if after else asked.effect or ""
    with suppress(QuestionError):
        bridge = how_question(start, end, material.room.settings.max_question_characters)
        yield Gap("bridge", say("missing", "no_link", cause=start, effect=end), f"{start} {end}", bridge, before, after)


def _unread_words(material: Material) -> Iterator[Gap]:
    """What the question names and nothing read speaks of."""
    asked, read = material.asked, material.read
    texts = []
    for passage in read.passages.values():
        texts.append(material.quoter.passage(passage))
    words = unread_words(asked.focus, texts)
    if words:
        yield Gap("words", say("missing", "words", words=any_of(words)), " ".join(words), asked)
