from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from causetrail.errors import SettingInvalid
from extraction.causes import ClaimReader
from language.content_words import key_of
from language.cues import cue_table
from language.domain import in_domain, load_domain
from language.kinds import is_event_noun, kind_of
from language.sentences import SentenceReader

CUE = """
[[cue]]
text = "took out"
patterns = ["[take] out"]
construction = "predicate"
right = "effect"
relation = "CAUSES"
confidence = 0.8
example = "The surge took out the gateway."
cause = "The surge"
effect = "the gateway"
"""
TABLE = (
    CUE
    + """
[irregular]
take = ["takes", "took", "taken", "taking"]

[kinds]
brown_bag = { verbs = ["brownbag"], nouns = ["brownbag"] }
spill = { verbs = ["flame out"], nouns = ["flameout"] }
failover = { nouns = ["failover", "switchover"] }
"""
)
TEXT = "The surge took out the gateway."


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "domain.toml"
    path.write_text(TABLE, "utf-8")
    return path


def claims(text: str) -> list[tuple[str, str]]:
    found = ClaimReader().read("main", "d" + "0" * 24, SentenceReader().read(text), None, text)
    mentions = {mention.id: mention.text for mention in found.mentions}
    return [(mentions[claim.cause_mention], mentions[claim.effect_mention]) for claim in found.claims]


def test_cues_count_inside_the_context_alone(file: Path) -> None:
    assert claims(TEXT) == []
    with in_domain(load_domain(file)):
        assert claims(TEXT) == [("The surge", "the gateway")]
        assert claims("The pump stopped because the seal leaked.")
    assert claims(TEXT) == []


def test_kinds_count_before_the_packaged_ones(file: Path) -> None:
    assert (kind_of("switchover"), is_event_noun("switchover")) == ("switchover", False)
    with in_domain(load_domain(file)):
        assert kind_of("switchover") == kind_of("failover") == "failover"
        assert is_event_noun("failover")
        assert kind_of("flameout") == "spill"
        assert kind_of("derailment") == "derailment"
        assert key_of("switchovers") == "failover"
    assert key_of("switchovers") == "switchover"


def test_a_pattern_of_the_domain_replaces_the_packaged_one(tmp_path: Path) -> None:
    path = tmp_path / "domain.toml"
    replaced = CUE.replace("[take] out", "[cause]").replace("took out", "caused").replace("CAUSES", "ENABLES")
    path.write_text(replaced, "utf-8")
    with in_domain(load_domain(path)):
        found = ClaimReader().read("main", "d" + "0" * 24, SentenceReader().read(t := "Rain caused a flood."), None, t)
    assert [claim.relation.value for claim in found.claims] == ["ENABLES"]


def test_no_domain_is_the_packaged_tables() -> None:
    with in_domain(None):
        assert cue_table() is cue_table()
        assert kind_of("failure") == "failure"


def test_another_thread_is_not_in_the_domain(file: Path) -> None:
    seen: list[str] = []
    with in_domain(load_domain(file)):
        thread = Thread(target=lambda: seen.append(kind_of("switchover")))
        thread.start()
        thread.join()
    assert seen == ["switchover"]


def test_the_fingerprint_is_of_the_content(file: Path) -> None:
    before = load_domain(file).fingerprint
    file.write_text(TABLE + "# more\n", "utf-8")
    assert load_domain(file).fingerprint != before


@pytest.mark.parametrize(
    ("table", "told"),
    [
        ("[[cue]", "no TOML"),
        ("\x00", "no TOML"),
        ("[cues]\n", "unknown tables cues; known are cue, irregular, kinds"),
        ("cue = 3\n", r"\[\[cue\]\]"),
        ("cue = [3]\n", r"\[\[cue\]\]"),
        ("kinds = 3\n", r"\[kinds\]"),
        ("[kinds]\nfire = 3\n", "'fire': a kind is written as"),
        ("[kinds]\nfire = { verbs = 'burn' }\n", "lists of words"),
        ("[kinds]\nfire = { nouns = ['Blaze'] }\n", "lower case"),
        ("[kinds]\na = { nouns = ['x'] }\nb = { nouns = ['x'] }\n", "stands in a too"),
        ("[irregular]\ngo = ['goes']\n", "'go': it lists third person"),
        ("[irregular]\ngo = 'went'\n", "'go': it lists third person"),
        ('[[cue]]\ntext = "x"\n', "'x': unknown fields .*, missing fields"),
        (CUE.replace("0.8", "8"), "'took out': its confidence is not between"),
        (CUE.replace("0.8", '"high"'), "'took out': its confidence is not between"),
        (CUE.replace('["[take] out"]', '"[take] out"'), "its patterns is not a list of texts"),
        (CUE.replace('["[take] out"]', "[]"), "no pattern"),
        (CUE.replace("[take] out", "[take"), "not a pattern element"),
        (CUE.replace("[take] out", "(out)"), "may be empty"),
        (CUE.replace('"effect"', '"result"', 1), "its right is 'result'"),
        (CUE.replace('effect = "the gateway"', 'effect = "the router"'), "its effect is not in its example"),
        (CUE.replace('"took out"', "7"), "its text is not a text"),
        (CUE + "needs_event = 1\n", "its needs_event is neither true nor false"),
        (CUE + "scope = \"both\"\n", "only adverbs"),
    ],
)  # fmt: skip
def test_a_fault_is_named(tmp_path: Path, table: str, told: str) -> None:
    path = tmp_path / "domain.toml"
    path.write_text(table, "utf-8")
    with pytest.raises(SettingInvalid, match=f"setting domain cannot be .*domain.toml.*{told}"):
        load_domain(path)


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(SettingInvalid, match=str(path)):
            load_domain(path)
    (tmp_path / "latin.toml").write_bytes(b"# \xe9\n")
    with pytest.raises(SettingInvalid, match="UTF-8"):
        load_domain(tmp_path / "latin.toml")
