"""Answers and choices that were stored as JSON, one record a line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from causetrail.errors import TraceUnusable
from evaluation.records import QuestionRecord
from kg.records import Answer
from reasoning.choice_report import Choice


def stored_answers(path: Path) -> Iterator[Answer | Choice]:
    """The answers of a file, of `ask --json`, `choose --json` or `eval`; records of questions that failed are left out.

    Args:
        path: JSON lines in UTF-8; `-` stands for standard input, and a folder for the records of each strategy in it.

    Raises:
        TraceUnusable: a file cannot be read or is empty, a line is no such record, or a folder holds no records.
    """
    if not path.is_dir():
        yield from _answers_of(path)
        return
    records = sorted(path.glob("*.jsonl"))
    if not records:
        raise TraceUnusable(reason=f"{path} holds no file of records")
    for file in records:
        yield from _answers_of(file)


def _answers_of(path: Path) -> Iterator[Answer | Choice]:
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text("utf-8")
    except OSError as error:
        raise TraceUnusable(reason=f"{path} cannot be read, {(error.strerror or 'for some reason').lower()}") from None
    except UnicodeDecodeError:
        raise TraceUnusable(reason=f"{path} is not UTF-8") from None
    if not text.strip():
        raise TraceUnusable(reason=f"{path} holds no record")
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            found = _stored(line, f"line {number} of {path}")
            if found is not None:
                yield found


def _stored(line: str, place: str) -> Answer | Choice | None:
    try:
        values = json.loads(line)
        if not isinstance(values, dict):
            raise TraceUnusable(reason=f"{place} is no answer")
        if "scores" in values:
            record = QuestionRecord.model_validate_json(line)
            return record.answer or record.choice
        return (Choice if "options" in values else Answer).model_validate_json(line)
    except (ValueError, RecursionError, ValidationError):
        raise TraceUnusable(reason=f"{place} is no answer") from None
