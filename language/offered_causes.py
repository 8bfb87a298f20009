"""Questions that offer causes, "which of these led to it: the storm, the rising river or the blocked drain?", are read.

Most questions with an "or" in them offer nothing: rain or snow fell, the failure of the pump or the valve. A list is
read as one only where its parts cannot be anything else.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from language.choices import is_none_of_the_others
from language.phrases import is_clause, is_predicate

_MOST = 26
"""Causes that may be offered at once."""
_LONGEST = 25
"""Words of one cause."""
_ENDS = " ,;.?!"
_OR = re.compile(r",? or (?:else )?", re.I)
_OR_AND = re.compile(r",? (?:or|and) ", re.I)
_LAST_OR = re.compile(r"[,;] or (?:else )?", re.I)
_COMMA = re.compile(r", ")
_SEMICOLON = re.compile(r"; (?:or )?", re.I)
_DENIAL = re.compile(r"\b(?:not|never|no)\b|n['’]t\b", re.I)
_MOST_LIKELY = re.compile(r"\bthe (?:most|more) (?:likely|probable|plausible) ", re.I)
_QUOTES = re.compile('["“”«»]')


@dataclass(frozen=True, slots=True)
class OfferedCauses:
    """What a question offers to choose from.

    Attributes:
        event: What happened, with its time, and denied where it did not.
        causes: 2 to 26, in their order; one may say that none of the others is right.
    """

    event: str
    causes: tuple[str, ...]


def offered_causes(
    asked: str, words: Mapping[str, str], why: Callable[[str], tuple[str, bool] | None]
) -> OfferedCauses | None:
    """The causes that a question offers; none where it offers none, or where its "or" may mean something else.

    Args:
        asked: The question, with single spaces and without its closing marks.
        words: The alternatives that forms name.
        why: Of a question why, what it asks about, and whether that did not happen.
    """
    for event, causes in _readings(asked, words, why):
        named = [one for one in causes if not is_none_of_the_others(one)]
        if named and 2 <= len(causes) <= _MOST and not _pattern("nothing_named").fullmatch(event):
            return OfferedCauses(event, tuple(causes))
    return None


def _readings(
    asked: str, words: Mapping[str, str], why: Callable[[str], tuple[str, bool] | None]
) -> Iterator[tuple[str, Sequence[str]]]:
    behind = _pattern("behind").fullmatch(asked)
    if behind is not None:
        event = _event_of(behind["asked"].rstrip(_ENDS), why)
        if event is not None:
            yield event, _listed(behind["options"])
        return
    for form in _inside(tuple(sorted(words.items()))):
        match = form.fullmatch(asked)
        if match is not None and not _DENIAL.search(match["focus"]):
            yield (
                match["focus"].strip(_ENDS),
                _enumerated(match["options"], and_too=" of " in asked[: match.start("options")]),
            )


def _event_of(asked: str, why: Callable[[str], tuple[str, bool] | None]) -> str | None:
    """What a question before a list asks the cause of."""
    denied = _pattern("not_so").fullmatch(asked)
    if denied is not None:
        return f"{denied['before']} {denied['aux']} not {denied['after']}"
    pointed = _pattern("points_to_list").sub(r"\g<which>", asked, count=1)
    read = why(_MOST_LIKELY.sub("the likely ", pointed))
    return None if read is None or read[1] else read[0]


def _listed(text: str) -> Sequence[str]:
    """The parts of a list that stands by itself."""
    listed = _pattern("opens_list").sub("", text, count=1) if _pattern("opens_list").match(text) else text
    labels = list(_pattern("label").finditer(listed))
    if len(labels) > 1 and labels[0].start() == 0:
        ends = [*(label.start() for label in labels[1:]), len(listed)]
        parts = [
            re.sub(r"[,;]? (?:or|and)$", "", listed[a.end() : b].strip(_ENDS))
            for a, b in zip(labels, ends, strict=True)
        ]
    else:
        parts = _by_marker(listed) or _parts(listed)
    causes = _causes(parts)
    first, last = (causes[0], causes[-1]) if len(causes) > 1 else ("", "")
    # "rain or snow fell" is one happening.
    if len(causes) == 2 and _is_told(last) and not (_is_told(first) or _pattern("own").match(first)):
        return ()
    return causes


def _enumerated(text: str, *, and_too: bool) -> Sequence[str]:
    """The parts of a list inside a sentence, where each is surely one."""
    if text.endswith((",", ";")):
        return ()
    marked = _by_marker(text)
    if marked:
        return _causes(marked)
    listed = _unmarked(text)
    if _OR.search(listed) is None and not and_too:
        return ()
    causes = _causes(_parts(listed, _OR_AND if and_too else _OR))
    named = [one for one in causes if not is_none_of_the_others(one)]
    if len(causes) < 2 or any(map(_is_told, named)) or any(_pattern("half").search(one) for one in named[:-1]):
        return ()
    if not all(_stands_alone(one) for one in named[1:]):
        return ()
    *before, last = named
    if any(_goes_deeper(one) for one in before) and not _goes_deeper(last):
        return ()
    return causes


def _by_marker(text: str) -> list[str]:
    """The parts that the same word opens, each anew; none where it opens only the first."""
    opened = re.match(rf"(?:{_table()['marker']})\b", text, re.I)
    if opened is None:
        return []
    again = rf"(?:,|,? or|,? or else) (?:{re.escape(opened[0])}{'|to' if opened[0].endswith(' to') else ''}) "
    parts = re.split(again, text[opened.end() :].strip(), flags=re.I)
    return parts if len(parts) > 1 else []


def _unmarked(text: str) -> str:
    return (
        re.sub(rf"(?:(?:{_table()['marker']}) |either )+", "", text, count=1, flags=re.I)
        if re.match(rf"(?:{_table()['marker']}|either) ", text, re.I) and not _pattern("own").match(text)
        else text
    )


def _parts(text: str, joint: re.Pattern[str] = _OR) -> list[str]:
    """The parts between semicolons, else between commas and before the last "or", else between each "or"."""
    if ";" in text:
        return _SEMICOLON.split(text)
    if ", " not in text:
        return joint.split(text)
    # Behind a comma "or" opens the last part, so that another one belongs to what it stands in.
    if _LAST_OR.search(text):
        head, last = re.split(_LAST_OR, text)[0], re.split(_LAST_OR, text)[1:]
        return [*_COMMA.split(head), *last]
    *before, tail = _COMMA.split(text)
    return [*before, *joint.split(tail)]


def _causes(parts: Sequence[str]) -> list[str]:
    """The parts as causes; none where one is no cause."""
    causes: list[str] = []
    for part in (one.strip(_ENDS) for one in parts):
        if causes and _pattern("goes_on").match(part):
            causes[-1] = f"{causes[-1]}, {part}"
        else:
            causes.append(_unmarked(part))
    return causes if all(map(_may_be_cause, causes)) else []


def _may_be_cause(text: str) -> bool:
    letters = any(character.isalpha() for character in text)
    balanced = len(_QUOTES.findall(text)) % 2 == 0
    fits = letters and balanced and len(text.split()) <= _LONGEST
    return fits and (is_none_of_the_others(text) or _pattern("no_cause").match(text) is None)


def _is_told(text: str) -> bool:
    """Whether a part has a verb of its own."""
    return is_clause(text) or is_predicate(text)


def _stands_alone(text: str) -> bool:
    """Whether a part opens a noun phrase: by an article, as a name, or with a number of its own."""
    return bool(_pattern("own").match(text)) or text[:1].isupper() or bool(re.match(r"\w+ \d+\b", text))


def _goes_deeper(text: str) -> bool:
    """Whether something is inside a part that could go on behind "or"."""
    rest = _pattern("own").sub("", text, count=1) if _pattern("own").match(text) else text
    return bool(_pattern("inner").search(rest) or _pattern("own").search(rest))


@cache
def _inside(words: tuple[tuple[str, str], ...]) -> tuple[re.Pattern[str], ...]:
    forms: list[str] = _table()["inside"]
    for name, alternatives in words:
        forms = [form.replace("{" + name + "}", f"(?:{alternatives})") for form in forms]
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_table()[name], re.IGNORECASE)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("language").joinpath("offered_causes.toml").read_text(encoding="utf-8"))
