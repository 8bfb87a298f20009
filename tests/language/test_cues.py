"""The cue table loads with clear errors, and its automaton finds the longest cues without overlap."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from causetrail.errors import SettingInvalid
from language.cues import CueTable, cue_table
from language.tokens import Token

ENTRY = """
[[cue]]
text = "caused"
patterns = ["[cause]"]
construction = "predicate"
right = "effect"
relation = "CAUSES"
confidence = 0.8
example = "The leak caused a fire."
cause = "The leak"
effect = "a fire"
"""


def tokens(text: str) -> list[Token]:
    found, place = [], 0
    for word in text.split():
        start = text.index(word, place)
        place = start + len(word)
        found.append(Token(word, start, place, word.lower(), word.lower()))
    return found


def found(text: str) -> list[tuple[str, str]]:
    words = text.split()
    return [(match.cue.text, " ".join(words[match.first : match.end])) for match in cue_table().find(tokens(text))]


def test_the_longest_cue_wins() -> None:
    assert found("The flood was caused mainly by rain") == [("caused by", "caused mainly by")]
    assert found("It failed because of rain") == [("because of", "because of")]
    assert found("It failed because rain fell") == [("because", "because")]


def test_cues_do_not_overlap_and_stand_in_order() -> None:
    text = "Rain caused a flood , which led directly to losses because the dyke was low"
    assert [words for _, words in found(text)] == ["caused", "led directly to", "because"]


def test_a_cue_of_the_sentence_start_is_found_only_there() -> None:
    assert found("The reason was a blown fuse") == [("the reason was", "The reason was")]
    assert ("the reason was", "the reason was") not in found("Nobody said what the reason was for it")


def test_words_that_bar_a_cue() -> None:
    assert found("The train was due to arrive at noon") == []
    assert found("Take the following steps") == []


def test_words_without_which_a_cue_is_none() -> None:
    assert found("A match started the fire") == [("started", "started")]
    assert found("The fire started in the kitchen") == []


def test_irregular_and_regular_forms() -> None:
    for words in ("leads to", "led to", "leading to", "resulting in", "stopped the car from", "gave rise to"):
        assert [part for _, part in found(f"X {words} Y")] == [words]


def test_a_sentence_without_cue_gives_nothing() -> None:
    assert found("The ship sailed at noon with forty people") == []


WORDS = [
    "because",
    "of",
    "due",
    "to",
    "the",
    "cause",
    "was",
    "not",
    ",",
    "so",
    "that",
    "after",
    "led",
    "[",
    "~",
    "_",
    "^",
    "thus",
]


@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_matches_never_overlap(words: list[str]) -> None:
    place = 0
    for match in cue_table().find(tokens(" ".join(words))):
        assert place <= match.first < match.end <= len(words)
        place = match.end


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('right = "effect"', 'right = "outcome"', "outcome"),
        ('relation = "CAUSES"', 'relation = "MAKES"', "MAKES"),
        ("confidence = 0.8", "confidence = 1.5", "confidence"),
        ("confidence = 0.8", "confidense = 0.8", "confidense"),
        ('cause = "The leak"', 'cause = "A leak"', "not in its example"),
        ('patterns = ["[cause]"]', "patterns = []", "no pattern"),
        ('patterns = ["[cause]"]', 'patterns = ["(leak)"]', "empty"),
        ('patterns = ["[cause]"]', 'patterns = ["[cause"]', "not a pattern element"),
        ('construction = "predicate"', 'construction = "predicate"\nscope = "both"', "only adverbs"),
    ],
)
def test_a_faulty_entry_is_named(old: str, new: str, reason: str) -> None:
    assert len(CueTable(tomllib.loads(ENTRY)).cues) == 1
    with pytest.raises(SettingInvalid) as error:
        CueTable(tomllib.loads(ENTRY.replace(old, new)))
    assert "caused" in error.value.message
    assert reason in error.value.message


def test_every_entry_of_the_packaged_table_has_an_example_of_its_own() -> None:
    path = Path(__file__).parents[2] / "language" / "cues.toml"
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["cue"]
    examples = [entry["example"] for entry in entries]
    assert len(examples) == len(set(examples)) == len(cue_table().cues)
