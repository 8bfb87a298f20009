"""Plain text and logs."""

from __future__ import annotations

from collections.abc import Iterator

from causetrail.settings import Settings
from extraction.loading.decoding import decode
from extraction.loading.reading import Bytes, Reading


def read_plain(file: Bytes, settings: Settings) -> Iterator[Reading]:
    """The text as it stands; it has no title and no date of its own."""
    yield Reading((decode(file.data, file.source),))
