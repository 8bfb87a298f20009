from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from causetrail.errors import DocumentFormat, DocumentLoop, DocumentUnreadable, SourceMissing
from causetrail.settings import Settings
from extraction.loading.files import raw_sha256
from extraction.loading.finding import Skipped, SkipReason, find_files
from extraction.loading.load import Loaded, load


def write(path: Path, text: str = "The pump failed.") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_folders_are_read_in_sorted_order(tmp_path: Path) -> None:
    names = ["b/z.txt", "b/a.md", "a.txt", "c.TXT", "b/c/deep.html"]
    paths = [write(tmp_path / name) for name in names]
    assert list(find_files([tmp_path])) == sorted(paths)


def test_what_is_skipped_is_told_with_its_reason(tmp_path: Path) -> None:
    write(tmp_path / "a.txt")
    write(tmp_path / ".hidden.txt")
    write(tmp_path / ".git/config.txt")
    write(tmp_path / "picture.png")
    os.mkfifo(tmp_path / "pipe.txt")
    skipped: list[Skipped] = []
    assert list(find_files([tmp_path], skipped)) == [tmp_path / "a.txt"]
    assert sorted((item.path.name, item.reason) for item in skipped) == [
        (".git", SkipReason.HIDDEN),
        (".hidden.txt", SkipReason.HIDDEN),
        ("picture.png", SkipReason.UNKNOWN_ENDING),
        ("pipe.txt", SkipReason.NOT_A_FILE),
    ]


def test_the_files_of_the_store_are_left_out_without_a_word(tmp_path: Path) -> None:
    document, store = write(tmp_path / "a.txt"), write(tmp_path / "trail.db")
    write(tmp_path / "trail.db-seeds" / "main" / "page.json")
    skipped: list[Skipped] = []
    assert list(find_files([tmp_path], skipped, [store, tmp_path / "trail.db-seeds"])) == [document]
    assert skipped == []


def test_a_file_that_was_named_is_taken_or_refused_never_skipped(tmp_path: Path) -> None:
    hidden = write(tmp_path / ".notes.txt")
    unknown = write(tmp_path / "a.xyz")
    os.mkfifo(tmp_path / "pipe.txt")
    found = list(find_files([hidden, unknown, tmp_path / "pipe.txt", tmp_path / "missing.txt"]))
    assert found[0] == hidden
    assert [type(item) for item in found[1:]] == [DocumentFormat, DocumentUnreadable, SourceMissing]


def test_the_same_file_by_two_paths_is_taken_once(tmp_path: Path) -> None:
    path = write(tmp_path / "folder/a.txt")
    skipped: list[Skipped] = []
    assert list(find_files([path, tmp_path / "folder", path], skipped)) == [path]
    assert [item.reason for item in skipped] == [SkipReason.REPEATED] * 2


def test_hard_links_are_files_of_their_own(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt")
    os.link(path, tmp_path / "b.txt")
    assert list(find_files([tmp_path])) == [path, tmp_path / "b.txt"]


def test_a_link_to_a_folder_above_is_a_loop(tmp_path: Path) -> None:
    path = write(tmp_path / "folder/inner/a.txt")
    (tmp_path / "folder/inner/up").symlink_to(tmp_path / "folder")
    first, second = find_files([tmp_path])
    assert first == path
    assert isinstance(second, DocumentLoop)
    assert "inner/up" in str(second)


def test_a_link_to_itself_is_a_loop(tmp_path: Path) -> None:
    link = tmp_path / "a.txt"
    link.symlink_to(link)
    for paths in ([link], [tmp_path]):
        (error,) = find_files(paths)
        assert isinstance(error, DocumentLoop)


def test_links_in_a_circle_end(tmp_path: Path) -> None:
    one, two = write(tmp_path / "one/a.txt"), write(tmp_path / "two/b.txt")
    (tmp_path / "one/to-two").symlink_to(tmp_path / "two")
    (tmp_path / "two/to-one").symlink_to(tmp_path / "one")
    skipped: list[Skipped] = []
    assert list(find_files([tmp_path], skipped)) == [one, two]
    assert [item.reason for item in skipped] == [SkipReason.REPEATED] * 2


def test_a_link_outside_is_followed_once_under_its_first_name(tmp_path: Path) -> None:
    write(tmp_path / "outside/x.txt")
    folder = tmp_path / "inside"
    folder.mkdir()
    for name in ("b", "a"):
        (folder / name).symlink_to(tmp_path / "outside")
    (folder / "c.txt").symlink_to(tmp_path / "outside/x.txt")
    skipped: list[Skipped] = []
    assert list(find_files([folder], skipped)) == [folder / "a/x.txt"]
    assert [item.path.name for item in skipped] == ["b", "c.txt"]


def test_a_file_keeps_its_own_path_when_a_link_sorts_first(tmp_path: Path) -> None:
    real = write(tmp_path / "z.txt")
    (tmp_path / "a.txt").symlink_to(real)
    assert list(find_files([tmp_path])) == [real]


def test_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "a.txt").symlink_to(tmp_path / "gone.txt")
    for paths in ([tmp_path], [tmp_path / "a.txt"]):
        (error,) = find_files(paths)
        assert isinstance(error, DocumentUnreadable)
        assert "leads nowhere" in str(error)


def test_a_name_that_is_no_utf8(tmp_path: Path) -> None:
    bad = os.fsencode(tmp_path) + b"/caf\xe9.txt"
    with open(bad, "wb") as file:  # noqa: PTH123 - a path of bytes
        file.write(b"text")
    (error,) = find_files([tmp_path])
    assert isinstance(error, DocumentUnreadable)
    str(error).encode("utf-8")


def test_very_deep_folders(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(200):
        folder = folder / "d"
    here = Path.cwd()
    try:
        os.chdir(tmp_path)
        for _ in range(200):
            Path("d").mkdir()
            os.chdir("d")
        Path("a.txt").write_text("deep", encoding="utf-8")
    finally:
        os.chdir(here)
    assert list(find_files([tmp_path])) == [folder / "a.txt"]


@pytest.fixture
def without_privileges():
    """Runs as a user who may not read everything, when the tests run as one who may."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65_534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_unreadable_files_and_folders(tmp_path: Path, settings: Settings, request: pytest.FixtureRequest) -> None:
    closed_file = write(tmp_path / "closed.txt")
    write(tmp_path / "locked/a.txt")
    for parent in [tmp_path, *tmp_path.parents]:
        if not parent.stat().st_mode & 0o001:
            parent.chmod(0o755)
    closed_file.chmod(0)
    (tmp_path / "locked").chmod(0)
    request.getfixturevalue("without_privileges")
    path, error = find_files([tmp_path])
    assert path == closed_file
    assert isinstance(error, DocumentUnreadable)
    assert "permission denied" in str(error)
    (error,) = load(closed_file, settings, "closed.txt")
    assert isinstance(error, DocumentUnreadable)
    with pytest.raises(DocumentUnreadable):
        raw_sha256(closed_file)


def test_special_files_are_never_waited_for(tmp_path: Path, settings: Settings) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    (error,) = load(tmp_path / "pipe.txt", settings, "pipe.txt")
    assert isinstance(error, DocumentUnreadable)
    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        try:
            os.chdir(tmp_path)
            server.bind("socket.txt")
        finally:
            os.chdir(here)
        (error,) = load(tmp_path / "socket.txt", settings, "socket.txt")
        assert isinstance(error, DocumentUnreadable)
    (error,) = load(Path("/dev/zero"), settings, "zero.txt")
    assert isinstance(error, DocumentFormat | DocumentUnreadable)
    with pytest.raises(DocumentUnreadable):
        raw_sha256(Path("/dev/zero"))


def test_a_found_file_loads(tmp_path: Path, settings: Settings) -> None:
    write(tmp_path / "a.txt", "Rain fell.")
    (path,) = find_files([tmp_path])
    assert isinstance(path, Path)
    (item,) = load(path, settings, "a.txt")
    assert isinstance(item, Loaded)
    assert item.text == "Rain fell."
