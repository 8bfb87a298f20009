"""Completions on disk: found again, bounded, and whole under several processes."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import models.completion_cache
from causetrail.errors import SettingInvalid
from models.completion_cache import CompletionCache, completion_key, forget_documents, mark_documents
from models.language_model import Completion, Message, Sampling, TokenCount

ROOT = Path(__file__).parents[3]
ANSWER = Completion("The gauge – it failed.", TokenCount(12, 5), 1.5, "stop")
CALL = ("smollm2-1", [Message("user", "Why?")], Sampling(10), {"type": "object"})


def key(number: int) -> str:
    return completion_key("m", [Message("user", str(number))], Sampling(10), None)


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_what_was_kept_is_found_by_another_object(tmp_path: Path) -> None:
    CompletionCache(tmp_path / "new" / "cache", 10_000_000).put(completion_key(*CALL), ANSWER)
    found = CompletionCache(tmp_path / "new" / "cache", 10_000_000).get(completion_key(*CALL))
    assert found == replace(ANSWER, seconds=0.0, kept=True)
    assert CompletionCache(tmp_path / "new" / "cache", 10_000_000).get(key(1)) is None


CHANGES: list[tuple[str, Callable[[], str]]] = [
    ("model", lambda: completion_key("smollm2-2", *CALL[1:])),
    ("words", lambda: completion_key(CALL[0], [Message("user", "Why not?")], *CALL[2:])),
    ("role", lambda: completion_key(CALL[0], [Message("system", "Why?")], *CALL[2:])),
    ("turns", lambda: completion_key(CALL[0], [Message("user", "Wh"), Message("user", "y?")], *CALL[2:])),
    ("tokens", lambda: completion_key(*CALL[:2], Sampling(11), CALL[3])),
    ("temperature", lambda: completion_key(*CALL[:2], Sampling(10, 0.5), CALL[3])),
    ("seed", lambda: completion_key(*CALL[:2], Sampling(10, seed=1), CALL[3])),
    ("schema", lambda: completion_key(*CALL[:3], {"type": "array"})),
    ("no schema", lambda: completion_key(*CALL[:3], None)),
]


def test_whatever_an_answer_depends_on_is_in_its_key() -> None:
    assert completion_key(*CALL) == completion_key(*CALL)
    assert len({completion_key(*CALL), *(make() for _, make in CHANGES)}) == len(CHANGES) + 1


@pytest.mark.parametrize("content", [b"", b'{"key": "', b"[]", b"\x80\x04.", b'{"key": "other"}'])
def test_a_damaged_file_counts_as_missing_and_is_replaced(content: bytes, tmp_path: Path) -> None:
    cache = CompletionCache(tmp_path, 10_000_000)
    cache.put(key(1), ANSWER)
    (path,) = tmp_path.glob("??/*.json")
    path.write_bytes(content)
    assert cache.get(key(1)) is None
    cache.put(key(1), ANSWER)
    assert cache.get(key(1)) is not None


def test_an_entry_under_another_name_is_not_taken_for_it(tmp_path: Path) -> None:
    cache = CompletionCache(tmp_path, 10_000_000)
    cache.put(key(1), ANSWER)
    (path,) = tmp_path.glob("??/*.json")
    target = tmp_path / key(2)[:2] / f"{key(2)}.json"
    target.parent.mkdir(exist_ok=True)
    path.rename(target)
    assert cache.get(key(2)) is None


def test_it_stays_below_its_limit_and_keeps_what_was_used_last(tmp_path: Path) -> None:
    limit = 100_000
    cache = CompletionCache(tmp_path, limit)
    for number in range(400):
        cache.put(key(number), replace(ANSWER, text="x" * 1_000))
        # As if each had been written a second after the one before, long ago.
        os.utime(tmp_path / key(number)[:2] / f"{key(number)}.json", (number, number))
        assert cache.get(key(0)) is not None, number
    assert limit / 2 < size_of(tmp_path) <= limit * (1 + 1 / models.completion_cache.LOOKS) + 1_500
    assert cache.get(key(1)) is None
    assert cache.get(key(399)) is not None


@pytest.mark.parametrize(
    "changed", [{"finish": "refusal"}, {"prompt": -5}, {"completion": -1}, {"text": None}, {"key": "0" * 64}]
)
def test_what_no_call_would_have_kept_is_not_taken(changed: dict[str, object], tmp_path: Path) -> None:
    cache = CompletionCache(tmp_path, 10_000)
    cache.put(key(1), ANSWER)
    path = models.completion_cache.path_in(tmp_path, key(1))
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))
    assert cache.get(key(1)) is None


def test_a_full_folder_is_cleared_to_a_share_of_its_limit(tmp_path: Path) -> None:
    """So that not every completion clears it again."""
    roomy = CompletionCache(tmp_path, 10_000_000)
    for number in range(60):
        roomy.put(key(number), replace(ANSWER, text="x" * 1_000))
    limit = size_of(tmp_path) - 1
    CompletionCache(tmp_path, limit)
    assert size_of(tmp_path) <= models.completion_cache.KEPT_SHARE * limit


def test_what_others_have_put_into_the_folder_is_left_alone(tmp_path: Path) -> None:
    for name in ("ab/letter.json", "ab/notes.txt", "photo.json", "abc/x.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("mine " * 1_000)
    cache = CompletionCache(tmp_path, 2_000)
    for number in range(20):
        cache.put(key(number), ANSWER)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file() and "mine" in path.read_text()) == [
        *("letter.json", "notes.txt", "photo.json", "x.json")
    ]


def test_only_the_owner_may_read_it(tmp_path: Path) -> None:
    CompletionCache(tmp_path / "cache", 10_000_000).put(key(1), ANSWER)
    for path in [tmp_path / "cache", *(tmp_path / "cache").glob("??"), *(tmp_path / "cache").glob("??/*")]:
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingInvalid, match="llm_cache"):
        CompletionCache(tmp_path / "file" / "cache", 10_000_000)


def test_a_full_disk_costs_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    cache = CompletionCache(tmp_path, 10_000_000)

    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    cache.put(key(1), ANSWER)
    assert "could not be kept" in caplog.text
    assert [path for path in tmp_path.rglob("*") if path.is_file() and path.name.startswith("completion")] == []


WRITER = """
import sys
from pathlib import Path
from models.completion_cache import CompletionCache, completion_key
from models.language_model import Completion, Message, Sampling, TokenCount
cache = CompletionCache(Path(sys.argv[1]), 150_000)
for number in range(300):
    key = completion_key("m", [Message("user", str(number % 100))], Sampling(10), None)
    found = cache.get(key)
    assert found is None or found.text == f"{number % 100} " * 500, found
    cache.put(key, Completion(f"{number % 100} " * 500, TokenCount(1, 1), 0.1, "stop"))
"""


def test_several_processes_share_one_folder(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], cwd=ROOT, stderr=subprocess.PIPE)
        for _ in range(3)
    ]
    for writer in writers:
        assert (writer.communicate(timeout=60)[1], writer.returncode) == (b"", 0)
    files = list(tmp_path.glob("??/*"))
    assert len(files) > 20
    for path in files:
        assert json.loads(path.read_text())["key"] == path.stem
    assert size_of(tmp_path) <= 150_000 * (1 + 3 / models.completion_cache.LOOKS) + 5_000


def test_answers_go_with_the_last_document_whose_words_they_are_to(tmp_path: Path) -> None:
    cache = CompletionCache(tmp_path, 10_000_000)
    for number in range(4):
        cache.put(key(number), ANSWER)
    for document, numbers in (("d1", (0, 1)), ("d2", (1, 2))):
        for number in numbers:
            cache.note(document, key(number))
            cache.note(document, key(number))
    mark_documents(tmp_path, {"d1", "d2"}.__contains__)
    assert forget_documents(tmp_path, {"d1", "d2"}.__contains__) == 0
    assert forget_documents(tmp_path, {"d2"}.__contains__) == 1
    assert [number for number in range(4) if cache.get(key(number))] == [1, 2, 3]
    cache.note("d1", key(1))
    mark_documents(tmp_path, {"d1", "d2"}.__contains__)
    assert forget_documents(tmp_path, {"d1"}.__contains__) == 1, "a document that came again has its answers noted"
    assert forget_documents(tmp_path, set().__contains__) == 1
    assert [number for number in range(4) if cache.get(key(number))] == [3], "of no document"
    mark_documents(tmp_path / "nowhere", {"d1"}.__contains__)
    assert forget_documents(tmp_path / "nowhere", set().__contains__) == 0
    assert not (tmp_path / "nowhere").exists()


def test_what_was_in_no_store_yet_is_kept(tmp_path: Path) -> None:
    cache = CompletionCache(tmp_path, 10_000_000)
    for document, number in (("committed", 1), ("begun", 2)):
        cache.put(key(number), ANSWER)
        cache.note(document, key(number))
    mark_documents(tmp_path, {"committed"}.__contains__)
    # The process that removes a document may be killed before its answers are; the next one finds the mark.
    mark_documents(tmp_path, set().__contains__)
    assert forget_documents(tmp_path, set().__contains__) == 1
    assert [number for number in range(4) if cache.get(key(number))] == [2]


def test_notes_are_for_their_owner_alone_and_do_not_grow_with_each_reading(tmp_path: Path) -> None:
    for _ in range(3):
        cache = CompletionCache(tmp_path, 10_000_000)
        cache.note("d1", key(1))
    (noted,) = (tmp_path / "documents").iterdir()
    assert noted.read_text("ascii").split() == [key(1)]
    assert stat.S_IMODE((tmp_path / "documents").stat().st_mode) & 0o077 == 0
