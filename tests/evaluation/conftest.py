"""Answers as records, without a store."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kg.records import Answer, Evidence, Mode, Stance, Usage, Verdict


@pytest.fixture
def told() -> Callable[..., Answer]:
    return _told


def _told(text="It froze.", quotes=("It froze.",), verdict=Verdict.SUPPORTED, confidence=0.5, mode=Mode.TEXT) -> Answer:
    evidence = [
        Evidence(
            document_id="d" + 24 * "0", source="a.txt", start=0, end=len(quote), quote=quote, page=None, line=1,
            claim_id=None, stance=Stance.FOR,
        )
        for quote in quotes
    ]  # fmt: skip
    return Answer(
        question="Why?", text=text, verdict=verdict, mode=mode, confidence=confidence, chains=(),
        evidence=tuple(evidence), premises=(), counterfactuals=(), cut_at_hops=False, missing=(), generation=1,
        trace=(), usage=Usage(seconds={}, tokens=7, models={}),
    )  # fmt: skip
