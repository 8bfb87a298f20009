"""What stays of a run on disk: one line for each question, and what the run was made with."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from causetrail.errors import EvaluationChanged, EvaluationRunning, EvaluationUnwritable, RecordsDamaged
from kg.records import Answer, Mode, Probability, Verdict
from reasoning.choice_report import Choice

_HEADER: Final = "run.json"
_LOCK: Final = "run.lock"


class Made(BaseModel):
    """What a run was made with: records of different ones are not to be read side by side."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: str
    """Of the program."""
    program: str
    """Hash of the code, the tables and the weights that answer."""
    questions: str
    """Hash of the file of questions."""
    settings: str
    """Hash of the settings that can change an answer."""
    generations: dict[str, int]
    """Generation of the graph of each collection that is asked."""


class QuestionRecord(BaseModel):
    """What came of one question."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    """The question's."""
    group: str | None
    """The question's."""
    scores: dict[str, float]
    """Measures, each 0 to 1; none where the question failed."""
    confidence: Probability
    """Confidence in the verdict, also where the documents do not tell; 0 where nothing was chosen, or it failed."""
    answered: bool
    """Whether anything was."""
    verdict: Verdict | None
    """What was said; none where the question failed."""
    mode: Mode | None
    """Where it came from; none where no document decided it."""
    seconds: float = Field(ge=0)
    """How long the question took."""
    tokens: int = Field(ge=0)
    """Tokens read and written by language models."""
    error: str | None = None
    """Code of the error by which the question failed."""
    answer: Answer | None = None
    """The whole answer to a question, with its trace."""
    choice: Choice | None = None
    """The whole choice among offered causes, with its trace."""


class RecordFile:
    """The records of one strategy, appended one by one, so that a run that was broken off goes on behind the last."""

    def __init__(self, folder: Path, strategy: str) -> None:
        """Opens nothing yet.

        Args:
            folder: That of the run.
            strategy: Names the file.
        """
        self._path: Path = folder / f"{strategy}.jsonl"

    def read(self) -> dict[str, QuestionRecord]:
        """All records by the id of their question; a last line that was not written whole is cut off.

        Raises:
            RecordsDamaged: a line before the last is no record.
            EvaluationUnwritable: the file cannot be opened.
        """
        try:
            raw = self._path.read_bytes() if self._path.exists() else b""
            whole = raw.rfind(b"\n") + 1
            if whole < len(raw):
                os.truncate(self._path, whole)
        except OSError as error:
            raise EvaluationUnwritable(path=self._path, reason=(error.strerror or "unknown").lower()) from None
        found = {}
        for number, line in enumerate(raw[:whole].splitlines(), 1):
            try:
                record = QuestionRecord.model_validate_json(line)
            except ValidationError:
                raise RecordsDamaged(path=self._path, line=number) from None
            found[record.id] = record
        return found

    def append(self, record: QuestionRecord) -> None:
        """Writes one record through to the disk.

        Raises:
            EvaluationUnwritable: there is no room, or no right to write there.
        """
        try:
            with self._path.open("ab") as file:
                file.write(record.model_dump_json().encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise EvaluationUnwritable(path=self._path, reason=(error.strerror or "unknown").lower()) from None


@contextmanager
def sole_run(folder: Path) -> Iterator[None]:
    """Makes the folder of a run, and keeps other runs out of it as long as this one lasts, or until its process ends.

    Two that write at once would ask each question twice, and what one cuts off for a half line the other is still
    writing.

    Raises:
        EvaluationRunning: another one is in it.
        EvaluationUnwritable: it cannot be made or written.
    """
    import fcntl

    path = folder / _LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        raise EvaluationUnwritable(path=path, reason=(error.strerror or "unknown").lower()) from None
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise EvaluationRunning(path=folder) from None
        except OSError as error:
            raise EvaluationUnwritable(path=path, reason=(error.strerror or "unknown").lower()) from None
        yield
    finally:
        os.close(descriptor)


def open_run(folder: Path, made: Made) -> None:
    """Makes the folder of a run, or makes sure that the one there was made with the same.

    Raises:
        EvaluationChanged: it was made with other questions, settings or graphs, or by another program.
        EvaluationUnwritable: it cannot be made or read.
    """
    path = folder / _HEADER
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            scratch = folder / f"{_HEADER}.new"
            scratch.write_text(made.model_dump_json(indent=1) + "\n", "utf-8")
            scratch.replace(path)
            return
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or "it is not text"
        raise EvaluationUnwritable(path=path, reason=reason.lower()) from None
    try:
        before = Made.model_validate_json(text)
    except ValidationError:
        raise RecordsDamaged(path=path, line=1) from None
    changed = _changed(before, made)
    if changed:
        raise EvaluationChanged(path=folder, what=", ".join(changed))


def _changed(before: Made, now: Made) -> Sequence[str]:
    one, other = json.loads(before.model_dump_json()), json.loads(now.model_dump_json())
    return [name for name in one if one[name] != other[name]]
