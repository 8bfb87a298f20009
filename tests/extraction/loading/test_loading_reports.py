from __future__ import annotations

from pathlib import Path

import pytest

from causetrail.settings import Settings
from extraction.loading.finding import find_files
from extraction.loading.load import Loaded, load

REPORTS = Path(__file__).parents[4] / "shared" / "data" / "reports"


@pytest.mark.shared_data
@pytest.mark.skipif(not REPORTS.is_dir(), reason="the labelled data are not here")
def test_real_reports_load_word_for_word() -> None:
    paths = list(find_files([REPORTS]))
    assert len(paths) == 26
    for path in paths:
        assert isinstance(path, Path)
        (item,) = load(path, Settings(), path.name)
        assert isinstance(item, Loaded)
        written = path.read_bytes().decode("utf-8")
        assert len(item.text) == len(written)
        assert [a for a, b in zip(written, item.text, strict=True) if a != b and not "\x80" <= a <= "\x9f"] == []
