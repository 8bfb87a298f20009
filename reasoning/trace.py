"""The steps that led to an answer, and the time they took."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from kg.records import TraceStep

BY_RULE: Final = "by rule"
"""Stands in the trace in place of the fingerprint of a judge."""
WITH_HYPOTHESES: Final = "with_hypotheses"
"""Key of the first step of a question that asked for chains over hypotheses, so that a replay asks for them too."""


class Recorder:
    """Collects steps in order, and wall time by stage apart from them, so that the steps are the same on every run."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._steps: list[TraceStep] = []

    @property
    def steps(self) -> tuple[TraceStep, ...]:
        """What was recorded so far."""
        return tuple(self._steps)

    def add(self, step: str, **detail: object) -> None:
        """Records a step; its details are plain JSON values."""
        self._steps.append(TraceStep(step=step, detail=detail))

    @contextmanager
    def stage(self, title: str) -> Iterator[None]:
        """Counts the time spent inside."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[title] = self.seconds.get(title, 0.0) + time.perf_counter() - start
