"""Whether two sentences tell of one happening, where one tells it as a cause and the other what led to it.

"A fire" of one document and "the fire" of another are mostly two fires: what is told behind a cause has to stand near
to it, or the names and times around both have to agree.
"""

from __future__ import annotations

from kg.records import Evidence
from language.content_words import content_keys
from language.intervals import TimeInterval
from language.lexicon import readings
from language.name_runs import name_key, name_spans
from language.question_times import question_time
from language.quick_sentences import quick_sentences
from reasoning.evidence import Quoter
from reasoning.thresholds import thresholds


def tells_of_same(cause: str, told: Evidence, behind: Evidence, quoter: Quoter) -> bool:
    """Whether what a second sentence explains is the happening that the first one gives as a cause.

    Times that differ part two happenings, as do names of which none agree. Where neither can be compared, a single word
    such as "fire" is not enough; several say which happening is meant.

    Args:
        cause: The words of the happening.
        told: Where it is given as a cause.
        behind: Where its own cause is told.
        quoter: Gives the texts.
    """
    if told.document_id == behind.document_id and _gap(told, behind) <= thresholds().same_happening.reach:
        return True
    first, second = _around(told, quoter), _around(behind, quoter)
    times = _time(told.quote, first), _time(behind.quote, second)
    if _apart(*times):
        return False
    names = _names(first), _names(second)
    if all(names):
        return any(one in other or other in one for one in names[0] for other in names[1])
    return None not in times or len(content_keys(cause)) > 1


def _gap(one: Evidence, other: Evidence) -> int:
    """Characters between two places of a document."""
    return max(one.start, other.start) - min(one.end, other.end)


def _around(evidence: Evidence, quoter: Quoter) -> str:
    """A quote with what stands before it, as far as it may be spoken of there."""
    start = max(0, evidence.start - thresholds().same_happening.reach)
    return quoter.text(evidence.document_id)[start : evidence.end]


def _time(*texts: str) -> TimeInterval | None:
    """The first time that is named, the sentence itself before what stands before it."""
    named = (question_time(text) for text in texts)
    return next((one.interval for one in named if one is not None and one.interval is not None), None)


def _apart(one: TimeInterval | None, other: TimeInterval | None) -> bool:
    return one is not None and other is not None and (one.end <= other.start or other.end <= one.start)


def _names(text: str) -> set[str]:
    """The names, as keys; a word of the lexicon that opens a sentence owes its capital to that."""
    return {
        name_key(one.text[start:end])
        for one in quick_sentences(text, 0)
        for start, end in name_spans(one.text)
        if start > 0 or one.text[start:end].casefold() not in readings()
    }
