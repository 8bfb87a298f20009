"""What the tests of the facade share: texts that are each asked by themselves."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from causetrail import Causetrail


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Causetrail]]:
    """Gives the facade over a collection that holds one text, which is taken in when it is first asked for."""
    with Causetrail(f"sqlite:///{tmp_path_factory.mktemp('alone')}/trail.db") as trail:

        @cache
        def holding(text: str) -> Causetrail:
            trail_of_text = trail.within(hashlib.sha256(text.encode()).hexdigest()[:12])
            trail_of_text.ingest_text(text, "told.md")
            return trail_of_text

        yield holding
