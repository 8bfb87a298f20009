"""What a question asks: its kind, the happenings it names, and the time it speaks of."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Any

from causetrail.errors import QuestionCharacters, QuestionEmpty, QuestionTooLong
from language.contrasts import parted
from language.irrealis import tells_near
from language.offered_causes import offered_causes
from language.question_times import QuestionTime, question_time

_ARTICLE = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
_SPACES = re.compile(r"\s+")
_CLOSING = " ?!.,;:\"'”’»)"
_BOUNDARY = re.compile(r"(?<=[.!?]) (?=[\"“‘]?[A-Z])")
_QUESTION_WORDS = 4
"""A shorter one at the end of a text ("Why?", "What caused it?") is about the sentence before it."""
_OPENING = " \"'“‘«(¿"
_DANGLING = re.compile(r"[\s,;:]+(?:in|on|at|of|during|since|from|by|and)$", re.IGNORECASE)
_DENIED = re.compile(
    r"\b(?:(?:did|do|does|is|are|was|were|has|have|had|could|can|would) (?:not|never)\b|\w+n['’]t\b)", re.I
)
_HAS_NONE = re.compile(r"\b(?:have|has|had|get|got|receive|find|see|show|leave|make|offer|give) no(?= [^\d\W])", re.I)
"""What something is told to have none of: "why did the hospital *have no* power?"."""
_SUPPOSED = re.compile(
    rf"{_DENIED.pattern}|\b(?:not|never|nobody|no one|none of|no(?! (?:longer|more|sooner|doubt|matter)\b))\b", re.I
)
"""As what is denied, with "had" before the subject ("had it not failed") or told of none ("no sand had got in")."""
_ASIDE = re.compile(r"\b(?:who|whom|whose|which|that|because|although|while|when|if)\b", re.I)
"""A denial may belong to what these words open, not to the happening that is asked about."""
_NEARLY = re.compile(r"\b(?:nearly|almost|all but|close to)$", re.I)
_WOULD_HAVE = re.compile(r"\b(?:still|have|be|been)\b", re.I)


class QuestionKind(StrEnum):
    """What is asked of the happenings that a question names."""

    WHY = "why"
    """What led to the focus?"""
    EFFECTS = "effects"
    """What followed from the focus?"""
    HOW = "how"
    """By which steps did the cause lead to the effect?"""
    DID = "did"
    """Did the cause lead to the effect?"""
    WHAT_IF = "what_if"
    """What would have followed, had the focus been otherwise?"""
    CHOOSE = "choose"
    """Which of the causes that are offered led to the focus?"""
    PLAIN = "plain"
    """None of these: what do the documents say of the focus?"""


@dataclass(frozen=True, slots=True)
class Question:
    """A question that was understood.

    Attributes:
        text: The question as it was asked.
        focus: The happening that is asked about, without its time; for HOW and DID the effect; for WHAT_IF what is
            supposed, affirmed; for CHOOSE the event with its time, and denied where it did not happen.
        cause: The first happening of HOW and DID; none for the other kinds.
        effect: The last happening of HOW and DID, and that of WHAT_IF where one is asked about; else none.
        negated: True when the focus is asked as something that did not happen, or supposed not to have happened.
        time: The time the question speaks of; none when it names none.
        options: The causes that CHOOSE offers; none for the other kinds.
        excluded: What HOW and DID set against their cause: "ice rather than *speed*"; else empty.
    """

    text: str
    kind: QuestionKind
    focus: str
    cause: str | None = None
    effect: str | None = None
    negated: bool = False
    time: QuestionTime | None = None
    options: tuple[str, ...] = ()
    excluded: str = ""

    def with_order(self, words: str) -> str:
        """Words of the question, with "first" where it asks for the first of several, which may be no time: a stage."""
        if self.time is None or not self.time.first:
            return words
        return f"first {_ARTICLE.sub('', words)}"

    @property
    def effect_time(self) -> QuestionTime | None:
        """The time of that whose causes are asked for; none where a time may be that of something else."""
        return self.time if self.kind is QuestionKind.WHY else None


def read_question(text: str, max_characters: int = 2_000) -> Question:
    """Reads a question in English.

    Raises:
        QuestionEmpty: it has no letter and no digit.
        QuestionTooLong: it has more than `max_characters` characters.
        QuestionCharacters: it holds NUL or a lone surrogate.
    """
    refuse_unreadable(text, max_characters)
    last = _last_sentence(text)
    if last is not None:
        read = _read(text, last)
        if read.kind is not QuestionKind.PLAIN:
            return read
    return _read(text, _SPACES.sub(" ", text).strip())


def _read(text: str, asked: str) -> Question:
    single = asked.strip(_OPENING).rstrip(_CLOSING)
    offered = offered_causes(single, _table()["words"], _asked_why)
    if offered is not None:
        negated, time = without_denial(offered.event)[1], question_time(offered.event)
        return Question(text, QuestionKind.CHOOSE, offered.event, negated=negated, time=time, options=offered.causes)
    time = question_time(single)
    timeless = _without(single, time)
    for form in _forms():
        match = form.pattern.fullmatch(timeless)
        if match is not None and not _opens_with_reason(match):
            return _question(text, form, match, time)
    by_order = time is not None and time.interval is None and time.month is None
    focus = single if by_order else timeless
    return Question(text=text, kind=QuestionKind.PLAIN, focus=focus, negated=tells_near(timeless), time=time)


def _asked_why(asked: str) -> tuple[str, bool] | None:
    """What a question why asks about, with its time, and whether that did not happen; none of another question."""
    for form in _forms():
        match = form.pattern.fullmatch(asked)
        if match is not None:
            read = _question(asked, form, match, None)
            return (read.focus, read.negated) if read.kind is QuestionKind.WHY else None
    return None


def _last_sentence(text: str) -> str | None:
    """The question at the end of a text of several sentences; none where what stands there needs the one before it."""
    *before, last = _BOUNDARY.split(_SPACES.sub(" ", text).strip())
    return last if before and last.endswith("?") and len(last.split()) >= _QUESTION_WORDS else None


def why_question(focus: str, max_characters: int = 2_000) -> Question:
    """The question what led to a happening that is named by a phrase or by a question."""
    return _about(QuestionKind.WHY, focus, max_characters)


def effects_question(focus: str, max_characters: int = 2_000) -> Question:
    """The question what followed from a happening that is named by a phrase or by a question."""
    return _about(QuestionKind.EFFECTS, focus, max_characters)


def how_question(cause: str, effect: str, max_characters: int = 2_000) -> Question:
    """The question by which steps one happening led to another."""
    refuse_unreadable(cause, max_characters)
    refuse_unreadable(effect, max_characters)
    text = f"{cause} → {effect}"
    time = question_time(effect)
    focus = _without(_tidy(_SPACES.sub(" ", effect)), time)
    return Question(text=text, kind=QuestionKind.HOW, focus=focus, cause=_tidy(cause), effect=focus, time=time)


def without_denial(phrase: str, denied: re.Pattern[str] = _DENIED) -> tuple[str, bool]:
    """A phrase that names a happening, affirmed, and whether it was denied: "the alarm did not sound"."""
    if not denied.search(phrase):
        return phrase, False
    affirmed = _tidy(_SPACES.sub(" ", denied.sub(" ", phrase)))
    return (affirmed, True) if affirmed else (phrase, False)


def refuse_unreadable(text: str, max_characters: int) -> None:
    """Refuses what cannot be read as a question.

    Raises:
        QuestionEmpty, QuestionTooLong, QuestionCharacters: as `read_question`.
    """
    if len(text) > max_characters:
        raise QuestionTooLong(length=len(text), limit=max_characters)
    for position, character in enumerate(text):
        if character == "\x00":
            raise QuestionCharacters(reason=f"NUL at position {position}")
        if "\ud800" <= character <= "\udfff":
            raise QuestionCharacters(reason=f"a lone surrogate at position {position}")
    if not any(character.isalnum() for character in text):
        raise QuestionEmpty()


@dataclass(frozen=True, slots=True)
class _Form:
    kind: QuestionKind
    pattern: re.Pattern[str]
    negated: bool


def asks_yes_or_no(text: str) -> bool:
    """Whether a question is answered by yes or no: it opens with an auxiliary verb."""
    asked = _last_sentence(text) or text
    return re.match(rf"(?:{_table()['words']['aux']})\b", _tidy(asked), re.IGNORECASE) is not None


def what_stopped(question: Question) -> Question | None:
    """A question what stopped something, read as one for the plain fact: "what stopped *the train*?"; none of others.

    What is stopped may be a happening that did not come about then, or a thing that was under way.
    """
    if not question.negated or not asks_what_stopped(question.text):
        return None
    asked = _tidy(_last_sentence(question.text) or question.text)
    return replace(question, kind=QuestionKind.PLAIN, focus=asked, negated=False)


def asks_what_stopped(text: str) -> bool:
    """Whether a question asks what stopped, or prevented, something."""
    words = _table()["words"]
    form = rf"(?:{words['lead_in']} )?what (?:has |had )?(?:{words['stop']})\b"
    return re.match(form, _tidy(_last_sentence(text) or text), re.IGNORECASE) is not None


def asked_of_reason(text: str) -> tuple[str, str] | None:
    """What happened and for which reason, where a question asks to whom: "what *stopped* because of *a power cut*?"."""
    words = _table()["words"]
    form = rf"(?:what|who|which)\b(?P<effect>.+?)\b(?:{words['reason']})(?: of)?\b(?P<cause>.+)"
    match = re.fullmatch(form, _tidy(_last_sentence(text) or text), re.IGNORECASE)
    return None if match is None else (_tidy(match["effect"]), _tidy(match["cause"]))


def asks_of_past(text: str) -> bool:
    """Whether a question asks about what has happened, by its auxiliary or its verb of causing."""
    return re.search(rf"\b(?:{_table()['words']['past']})\b", _last_sentence(text) or text, re.IGNORECASE) is not None


def tells_of_refusal(phrase: str) -> bool:
    """Whether a phrase says that something did not come about without "not": "failed to sound", "no one was hurt"."""
    return re.search(rf"\b(?:{_table()['words']['refusal']})\b", phrase, re.IGNORECASE) is not None


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("language").joinpath("questions.toml").read_text(encoding="utf-8"))


@cache
def _forms() -> tuple[_Form, ...]:
    table = _table()
    words: dict[str, str] = table["words"]
    forms = []
    for row in table["question"]:
        form: str = row["form"]
        for name, alternatives in words.items():
            form = form.replace("{" + name + "}", f"(?:{alternatives})")
        pattern = re.compile(form, re.IGNORECASE)
        forms.append(_Form(QuestionKind(row["kind"]), pattern, row.get("negated", False)))
    return tuple(forms)


def _question(text: str, form: _Form, match: re.Match[str], time: QuestionTime | None) -> Question:
    named = match.groupdict()
    if form.kind in {QuestionKind.HOW, QuestionKind.DID}:
        cause, effect = _tidy(named["cause"]), _tidy(named["effect"])
        if any(_NEARLY.search(side) for side in (cause, effect)):
            # What nearly led to it is no cause of it: only the words of a sentence answer.
            return Question(text=text, kind=QuestionKind.PLAIN, focus=_tidy(match.string), time=time)
        cause, excluded = parted(cause)
        return Question(
            text=text, kind=form.kind, focus=effect, cause=cause, effect=effect, time=time, excluded=excluded
        )
    if form.kind is QuestionKind.WHAT_IF:
        affirmed, denied = without_denial(_tidy(named["focus"]), _SUPPOSED)
        asked = named.get("effect")
        return Question(
            text=text,
            kind=form.kind,
            focus=affirmed,
            effect=None if asked is None else _tidy(_SPACES.sub(" ", _WOULD_HAVE.sub(" ", asked))),
            negated=form.negated is not denied,
            time=time,
        )
    focus = _tidy((named.get("before") or "") + named["focus"])
    if form.kind is QuestionKind.WHY and not form.negated and not _ASIDE.search(focus):
        focus, negated = without_denial(focus)
        negated = negated is not (tells_of_refusal(focus) or tells_near(focus) or _HAS_NONE.search(focus) is not None)
        return Question(text=text, kind=form.kind, focus=focus, negated=negated, time=time)
    aside = _ASIDE.search(focus) if form.kind is QuestionKind.WHY and not form.negated else None
    # Of "nobody notice that the disk was full" only what stands before "that" is asked about.
    negated = form.negated or (aside is not None and tells_of_refusal(focus[: aside.start()]))
    return Question(text=text, kind=form.kind, focus=focus, negated=negated, time=time)


def _about(kind: QuestionKind, focus: str, max_characters: int) -> Question:
    read = read_question(focus, max_characters)
    if read.kind is kind:
        return read
    plain = read.focus if read.kind in {QuestionKind.PLAIN, QuestionKind.CHOOSE} else focus
    affirmed, negated = without_denial(plain)
    return Question(text=focus, kind=kind, focus=affirmed, negated=negated, time=read.time)


def _opens_with_reason(match: re.Match[str]) -> bool:
    """Whether a form took a reason for what happened: "what stopped *because of the strike*?" asks what stopped."""
    opening = re.compile(rf"(?:{_table()['words']['reason']})\b", re.IGNORECASE)
    return opening.match(_tidy(match.groupdict().get("focus") or "")) is not None


def _without(text: str, time: QuestionTime | None) -> str:
    """The text without its words of time; with them when nothing else would be left."""
    if time is None:
        return text
    rest = text
    for start, end in reversed(time.spans):
        rest = f"{rest[:start]} {rest[end:]}"
    rest = _DANGLING.sub("", _tidy(_SPACES.sub(" ", rest)))
    return rest if any(character.isalnum() for character in rest) else text


def _tidy(text: str) -> str:
    return text.strip().strip(_OPENING + ",;:").rstrip(_CLOSING)
