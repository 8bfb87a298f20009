from __future__ import annotations

from pathlib import Path

import pytest

from causetrail import Causetrail
from causetrail.errors import SettingInvalid
from causetrail.settings import Settings
from tests.language.test_domain import TABLE

TEXT = "The surge of 3 May 2024 took out the gateway in hall 2.\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "domain.toml").write_text(TABLE, "utf-8")
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(f"Log {number}\n\n{TEXT}", "utf-8")
    return tmp_path


def opened(place: Path, *, jobs: int = 1) -> Causetrail:
    settings = Settings(store=f"sqlite:///{place}/store.db", domain=place / "domain.toml", jobs=jobs)
    return Causetrail(settings=settings)


def test_every_process_reads_by_the_domain(place: Path) -> None:
    with opened(place, jobs=2) as trail:
        trail.ingest(*sorted(place.glob("*.txt")))
        assert [claim.cue for claim in trail.claims()] == ["took out"] * 3


def test_a_changed_file_is_reason_to_read_again(place: Path) -> None:
    with opened(place) as trail:
        trail.ingest(place / "0.txt")
        assert trail.ingest(place / "0.txt").unchanged == 1
        (place / "domain.toml").write_text("# nothing any more\n", "utf-8")
    with opened(place) as trail:
        assert trail.ingest(place / "0.txt").unchanged == 0
        assert list(trail.claims()) == []


def test_a_file_that_is_not_there_is_told_before_anything_is_read(place: Path) -> None:
    with opened(place) as trail:
        trail.ingest(place / "0.txt")
    (place / "domain.toml").unlink()
    with opened(place) as trail:
        with pytest.raises(SettingInvalid, match=r"domain\.toml"):
            trail.ingest(place / "1.txt")
        with pytest.raises(SettingInvalid, match=r"domain\.toml"):
            trail.ask("Why did the gateway fail?")
        assert len(list(trail.documents())) == 1
