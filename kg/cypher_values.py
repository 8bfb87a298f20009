"""Values of an answer as JSON: nodes, relationships and paths in our form, times as text, and the cap on bytes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Literal

Json = Any
"""None, truth values, whole numbers of 64 bits, floats, text, and lists and objects (with text keys) of them."""

Row = tuple[Json, ...]


def node_value(label: str, properties: Mapping[str, Json]) -> Json:
    """A node: its label and its properties."""
    return {"label": label, "properties": {key: properties[key] for key in sorted(properties)}}


def relationship_value(name: str, properties: Mapping[str, Json]) -> Json:
    """A relationship: its type and its properties."""
    return {"relationship": name, "properties": {key: properties[key] for key in sorted(properties)}}


def path_value(nodes: list[Json], relationships: list[Json]) -> Json:
    """A path: its nodes and relationships, in the order it is walked."""
    return {"nodes": nodes, "relationships": relationships}


def number_value(value: float) -> float | str:
    """A float; as text where JSON has no number for it."""
    if math.isfinite(value):
        return value
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def duration_text(months: int, days: int, seconds: int, nanoseconds: int) -> str:
    """A duration as ISO 8601 writes it: `P1Y2M3DT4H5M6.5S`.

    Args:
        nanoseconds: 0 to 999,999,999, on top of the seconds, which may be negative.
    """
    whole, fraction = seconds, nanoseconds
    if whole < 0 < fraction:
        whole, fraction = whole + 1, 1_000_000_000 - fraction
    sign = "-" if seconds < 0 else ""
    hours, rest = divmod(abs(whole), 3_600)
    minutes, rest = divmod(rest, 60)
    years, months = int(months / 12), months - 12 * int(months / 12)
    tail = f".{fraction:09d}".rstrip("0") if fraction else ""
    day_part = "".join(f"{count}{unit}" for count, unit in ((years, "Y"), (months, "M"), (days, "D")) if count)
    time_part = "".join(f"{sign}{count}{unit}" for count, unit in ((hours, "H"), (minutes, "M")) if count)
    if rest or tail:
        time_part += f"{sign}{rest}{tail}S"
    return f"P{day_part}" + (f"T{time_part}" if time_part else "" if day_part else "T0S")


def clock_text(hour: int, minute: int, second: int, nanosecond: int) -> str:
    """A time of day, to the second or finer: `18:40:00.5`."""
    return f"{hour:02d}:{minute:02d}:{second:02d}" + (f".{nanosecond:09d}".rstrip("0") if nanosecond else "")


def offset_text(seconds: float) -> str:
    """An offset from UTC: `Z`, `+02:00`."""
    minutes = int(abs(seconds)) // 60
    return f"{'-' if seconds < 0 else '+'}{minutes // 60:02d}:{minutes % 60:02d}" if seconds else "Z"


class Capped:
    """The first rows of an answer that fit two limits."""

    def __init__(self, most_rows: int, most_bytes: int) -> None:
        """Nothing is kept yet.

        Args:
            most_bytes: Of the rows as JSON.
        """
        self._most_rows = most_rows
        self._left = most_bytes
        self._kept: list[Row] = []
        self.truncated: Literal["rows", "bytes"] | None = None
        """The limit that refused a row; none as long as all were kept."""

    def take(self, row: Row) -> bool:
        """Keeps a row, or says no; there is no use in another one then."""
        if len(self._kept) == self._most_rows:
            self.truncated = "rows"
            return False
        self._left -= len(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass"))
        if self._left < 0:
            self.truncated = "bytes"
            return False
        self._kept.append(row)
        return True

    def rows(self) -> tuple[Row, ...]:
        """What was kept."""
        return tuple(self._kept)
