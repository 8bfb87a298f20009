"""Causal-TimeBank: are the times of news found, and are their values right?

    python -m benchmarks.times [--data ../shared/data] [--errors]

Bounds are compared with all TIMEX3, durations and vague times included, which are not read as such; values with those
of type DATE and TIME that have a value of the calendar (no PRESENT_REF, no durations, no seasons, no WXX). A value is
right when start and resolution are those of gold; of the baseline, which gives no resolution, the digits that gold has
suffice. The creation time of the document is given as its day of publication. Nothing was trained; intervals are
95 % ones over documents drawn with replacement.
"""

from __future__ import annotations

import argparse
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from dateparser.search import search_dates

from benchmarks.bootstrap import SEED, f1_of, share_of, with_interval
from benchmarks.results import write_result
from language.intervals import TimeInterval, day_interval, month_interval, year_interval
from language.sentences import SentenceReader
from language.times import TimeExpression, TimeReader
from language.tokens import Sentence

_DIGITS: Final = {"year": 4, "decade": 3, "month": 7, "quarter": 7, "day": 10, "week": 10, "part_of_day": 10}
"""How many digits of a date in ISO form a resolution tells."""
_ARCHIVE = "Causal-TimeBank-TimeML.zip"
_TAG = re.compile(r"<[^>]*>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}


Span = tuple[int, int]


class Gold(NamedTuple):
    """One annotated time: offsets in the text, its value, and the value as start and resolution."""

    start: int
    end: int
    value: str
    known: tuple[str, str]


def of_value(value: str) -> tuple[str, str] | None:
    """Start (to the minute) and resolution of a TIMEX3 value; none for values that are no time of the calendar."""
    found: TimeInterval | None = None
    if match := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d)?)?", value):
        day = day_interval(date(int(match[1]), int(match[2]), int(match[3])))
        if match[4] and day is not None:
            return f"{day.start[:10]}T{match[4]}:{match[5]}", "clock"
        found = day
    elif match := re.fullmatch(r"(\d{4})-(\d\d)", value):
        found = month_interval(int(match[1]), int(match[2]))
    elif match := re.fullmatch(r"(\d{4})-Q([1-4])", value):
        found = month_interval(int(match[1]), int(match[2]) * 3 - 2, 3)
    elif match := re.fullmatch(r"(\d{4})-W(\d\d)", value):
        monday = day_interval(date.fromisocalendar(int(match[1]), int(match[2]), 1))
        return (monday.start[:16], "week") if monday else None
    elif match := re.fullmatch(r"\d{4}", value):
        found = year_interval(int(value))
    elif match := re.fullmatch(r"\d{3}", value):
        found = year_interval(int(value) * 10, 10, "decade")
    elif match := re.fullmatch(r"(\d{4}-\d\d-\d\d)T(MO|AF|EV|NI)", value):
        return match[1], "part_of_day"
    return (found.start[:16], found.resolution) if found else None


class Annotated(NamedTuple):
    """One TimeML document: its text, all annotated spans, those with a value of the calendar, and its day."""

    text: str
    spans: frozenset[Span]
    calendar: list[Gold]
    published: TimeInterval | None


def read_document(markup: str) -> Annotated:
    """Text, gold times and day of creation of one TimeML document."""
    created = re.search(r'<DCT>.*?value="(\d{4})-(\d\d)-(\d\d)', markup, re.DOTALL)
    published = day_interval(date(int(created[1]), int(created[2]), int(created[3]))) if created else None
    body = markup[markup.index("<TEXT>") + 6 : markup.index("</TEXT>")]
    text, opened, position = "", None, 0
    spans: set[Span] = set()
    gold: list[Gold] = []
    for tag in _TAG.finditer(body):
        text += _plain(body[position : tag.start()])
        position = tag.end()
        if tag.group().startswith("<TIMEX3"):
            opened = (len(text), dict(_ATTRIBUTE.findall(tag.group())))
        elif tag.group() == "</TIMEX3>" and opened is not None:
            spans.add((opened[0], len(text)))
            known = of_value(opened[1].get("value", "")) if opened[1].get("type") in ("DATE", "TIME") else None
            if known is not None:
                gold.append(Gold(opened[0], len(text), opened[1]["value"], known))
            opened = None
    return Annotated(text + _plain(body[position:]), frozenset(spans), gold, published)


def _plain(text: str) -> str:
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    return text


def _agrees(found: TimeInterval, gold: Gold) -> bool:
    """Whether an interval has the start and the resolution of a gold value."""
    start, resolution = gold.known
    if resolution == "clock":
        return found.resolution in ("minute", "second", "hour") and found.start[:16] == start
    if resolution == "part_of_day":
        return found.resolution == resolution and found.start[:10] == start
    return found.resolution == resolution and found.start[:16] == start


class Reading(NamedTuple):
    """One time that a system found: its bounds, and whether its value agrees with a gold one."""

    start: int
    end: int
    is_right: Callable[[Gold], bool]


def by_causetrail(document: Annotated, sentences: Sequence[Sentence]) -> Iterator[tuple[Reading, TimeExpression]]:
    """The times that the program reads."""
    times = TimeReader(document.published)
    for sentence in sentences:
        for one in times.read(sentence):
            yield Reading(one.start, one.end, partial(_agrees, one.interval)), one


def by_dateparser(document: Annotated, sentences: Sequence[Sentence]) -> Iterator[Reading]:
    """The times that dateparser finds in each sentence, relative to the day of creation."""
    settings = (
        {} if document.published is None else {"RELATIVE_BASE": datetime.fromisoformat(document.published.start[:19])}
    )
    for sentence in sentences:
        at = sentence.start
        for words, value in search_dates(sentence.text, languages=["en"], settings=settings) or ():
            start = document.text.find(words, at, sentence.end)
            if start >= 0:
                at = start + len(words)
                yield Reading(start, at, partial(_begins, value))


def _begins(value: datetime, gold: Gold) -> bool:
    start, resolution = gold.known
    return value.isoformat()[: _DIGITS.get(resolution, 16)] == start[: _DIGITS.get(resolution, 16)]


def counts(document: Annotated, found: Sequence[Reading]) -> tuple[Counter[str], dict[Gold, Reading | None]]:
    """Of one document the counts of each measure, and what was found at each gold time."""
    total = Counter(gold=len(document.spans), found=len(found), calendar=len(document.calendar))
    total["exact"] = len(document.spans & {(one.start, one.end) for one in found})
    free, met = list(found), dict[Gold, Reading | None]()
    for gold in document.calendar:
        met[gold] = next((one for one in free if one.start < gold.end and gold.start < one.end), None)
        if (one := met[gold]) is not None:
            free.remove(one)
            total["overlapping"] += 1
            total["right"] += one.is_right(gold)
    return total, met


def main() -> None:
    """Measure and store."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=Path("../shared/data"))
    options.add_argument("--errors", action="store_true", help="print every wrong, missed and superfluous time")
    given = options.parse_args()
    reader = SentenceReader()
    rows: dict[str, list[Counter[str]]] = {"causetrail": [], "dateparser": []}
    errors: list[dict[str, object]] = []
    with zipfile.ZipFile(given.data / "timebank" / _ARCHIVE) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".tml"))
        for name in names:
            document = read_document(archive.read(name).decode("utf-8"))
            sentences = reader.read(document.text)
            read = dict(by_causetrail(document, sentences))
            total, met = counts(document, list(read))
            rows["causetrail"].append(total)
            rows["dateparser"].append(counts(document, list(by_dateparser(document, sentences)))[0])
            errors.extend(_errors(name, document, read, met))
    write_result(
        "times",
        command="python -m benchmarks.times",
        data=f"Causal-TimeBank (TimeML), {len(names)} news documents, "
        f"{sum(row['gold'] for row in rows['causetrail'])} times, "
        f"{sum(row['calendar'] for row in rows['causetrail'])} of them with a value of the calendar",
        baseline="dateparser's search in each sentence, relative to the day of the document",
        columns=tuple(rows),
        figures={
            measure: [with_interval(one, score) for one in rows.values()]
            for measure, score in {
                "bounds exact, precision": share_of("exact", "found"),
                "bounds exact, recall of all times": share_of("exact", "gold"),
                "bounds exact, F1 of all times": f1_of("gold", "found", "exact"),
                "calendar times overlapped": share_of("overlapping", "calendar"),
                "value right, of the overlapping": share_of("right", "overlapping"),
                "value right, of all calendar times": share_of("right", "calendar"),
            }.items()
        },
        seed=SEED,
    )
    if given.errors:
        print(*errors, sep="\n")


def _errors(
    name: str, document: Annotated, read: Mapping[Reading, TimeExpression], met: Mapping[Gold, Reading | None]
) -> Iterator[dict[str, object]]:
    for gold, one in met.items():
        if one is None or not one.is_right(gold):
            yield _row(name, document.text[gold.start : gold.end], gold.value, read[one] if one else None)
    for one in set(read) - set(met.values()):
        if (one.start, one.end) not in document.spans:
            yield _row(name, None, None, read[one])


def _row(name: str, words: str | None, value: str | None, found: TimeExpression | None) -> dict[str, object]:
    return {
        "document": name,
        "gold": words,
        "value": value,
        "found": found.text if found else None,
        "read": f"{found.interval.start} {found.interval.resolution}" if found else None,
    }


if __name__ == "__main__":
    main()
