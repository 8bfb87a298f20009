"""The tutorial of the Neo4j Browser names what there is."""

from __future__ import annotations

import re

import pytest
from browser_page import FOLDER, QUERIES
from take_pictures import PICTURES, PICTURES_TAKEN

TUTORIAL = (FOLDER / "README.md").read_text(encoding="utf-8")
TITLES = sorted(file.read_text(encoding="utf-8").splitlines()[0].removeprefix("// ") for file in QUERIES.iterdir())


def test_every_picture_is_shown_and_every_shown_picture_is_taken() -> None:
    shown = re.findall(r"\]\(pictures/([^)]+)\)", TUTORIAL)
    assert sorted(shown) == sorted(picture.file for picture in PICTURES_TAKEN)
    assert sorted(shown) == sorted(file.name for file in PICTURES.iterdir())


def test_every_query_is_in_the_table_under_its_title() -> None:
    listed = re.findall(r"^\| (\d\d .+?) \|", TUTORIAL, flags=re.MULTILINE)
    assert [title[:2] for title in listed] == [title[:2] for title in TITLES]
    for short, title in zip(listed, TITLES, strict=True):
        assert title.startswith(short)


@pytest.mark.parametrize("name", re.findall(r"\*(\d\d [^*]+)\*", TUTORIAL))
def test_a_query_is_called_by_its_title(name: str) -> None:
    assert any(title.startswith(" ".join(name.split())) for title in TITLES)


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(([^)#]+)\)", TUTORIAL))))
def test_a_link_leads_somewhere(target: str) -> None:
    assert (FOLDER / target).exists()
