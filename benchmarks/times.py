"""Causal-TimeBank: are the dates and clock times of news found, and are their values right?

    python -m benchmarks.times [--data ../shared/data/timebank] [--errors]

Gold are the TIMEX3 of type DATE and TIME with a value of the calendar (no PRESENT_REF, no durations, no seasons, no
WXX). A found time counts when it overlaps a gold one; a value is right when start and resolution are those of the gold
value. The creation time of the document is given as its day of publication. Nothing was trained, so seeds do not enter.
"""

from __future__ import annotations

import argparse
import re
import zipfile
from datetime import date
from pathlib import Path
from typing import NamedTuple

from benchmarks.results import write_result
from language.intervals import TimeInterval, day_interval, month_interval, year_interval
from language.sentences import SentenceReader
from language.times import TimeExpression, TimeReader

_ARCHIVE = "Causal-TimeBank-TimeML.zip"
_TAG = re.compile(r"<[^>]*>")
_ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
_ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'"}


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


def read_document(markup: str) -> tuple[str, list[Gold], TimeInterval | None]:
    """Text, gold times and day of creation of one TimeML document."""
    created = re.search(r'<DCT>.*?value="(\d{4})-(\d\d)-(\d\d)', markup, re.DOTALL)
    published = day_interval(date(int(created[1]), int(created[2]), int(created[3]))) if created else None
    body = markup[markup.index("<TEXT>") + 6 : markup.index("</TEXT>")]
    text, gold, opened, position = "", [], None, 0
    for tag in _TAG.finditer(body):
        text += _plain(body[position : tag.start()])
        position = tag.end()
        if tag.group().startswith("<TIMEX3"):
            opened = (len(text), dict(_ATTRIBUTE.findall(tag.group())))
        elif tag.group() == "</TIMEX3>" and opened is not None:
            known = of_value(opened[1].get("value", "")) if opened[1].get("type") in ("DATE", "TIME") else None
            if known is not None:
                gold.append(Gold(opened[0], len(text), opened[1]["value"], known))
            opened = None
    return text + _plain(body[position:]), gold, published


def _plain(text: str) -> str:
    for entity, character in _ENTITIES.items():
        text = text.replace(entity, character)
    return text


def agrees(found: TimeInterval, known: tuple[str, str]) -> bool:
    """Whether an interval has the start and the resolution of a gold value."""
    start, resolution = known
    if resolution == "clock":
        return found.resolution in ("minute", "second", "hour") and found.start[:16] == start
    if resolution == "part_of_day":
        return found.resolution == resolution and found.start[:10] == start
    return found.resolution == resolution and found.start[:16] == start


def main() -> None:
    """Measure and store."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--data", type=Path, default=Path("../shared/data"))
    options.add_argument("--errors", action="store_true", help="print every wrong, missed and superfluous time")
    given = options.parse_args()
    data: Path = given.data / "timebank"
    reader = SentenceReader()
    gold_count = found_count = hit = exact = right = 0
    rows: list[dict[str, object]] = []
    with zipfile.ZipFile(data / _ARCHIVE) as archive:
        names = sorted(name for name in archive.namelist() if name.endswith(".tml"))
        for name in names:
            text, gold, published = read_document(archive.read(name).decode("utf-8"))
            times = TimeReader(published)
            found: list[TimeExpression] = [one for sentence in reader.read(text) for one in times.read(sentence)]
            gold_count, found_count = gold_count + len(gold), found_count + len(found)
            free = list(found)
            for one in gold:
                overlap = next((each for each in free if each.start < one.end and one.start < each.end), None)
                is_right = overlap is not None and agrees(overlap.interval, one.known)
                if overlap is not None:
                    free.remove(overlap)
                    hit, right = hit + 1, right + is_right
                    exact += (overlap.start, overlap.end) == (one.start, one.end)
                if not is_right:
                    rows.append(_row(name, text[one.start : one.end], one.value, overlap))
            rows.extend(_row(name, None, None, each) for each in free)
    precision, recall = hit / found_count, hit / gold_count
    write_result(
        "times",
        command="python -m benchmarks.times",
        data=f"Causal-TimeBank (TimeML), {len(names)} news documents, {gold_count} calendar times",
        baseline="none: a first figure",
        figures={
            "found": found_count,
            "span precision (overlap)": round(precision, 3),
            "span recall (overlap)": round(recall, 3),
            "span F1 (overlap)": round(2 * precision * recall / (precision + recall), 3),
            "span exact, of the overlapping": round(exact / hit, 3),
            "value right, of the overlapping": round(right / hit, 3),
            "value right, of all gold": round(right / gold_count, 3),
        },
    )
    if given.errors:
        print(*rows, sep="\n")


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
