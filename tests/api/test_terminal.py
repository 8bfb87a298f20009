"""What a terminal may be shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api import terminal


@given(st.text())
def test_text_of_a_document_cannot_steer_the_terminal(text: str) -> None:
    shown = terminal.shown(text)
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u2067" for c in shown)


def test_a_quote_over_two_lines_is_shown_in_one() -> None:
    assert terminal.shown("The pump\n  failed.\x1b[2J") == "The pump failed.\ufffd[2J"


def test_other_scripts_stay() -> None:
    assert terminal.shown("השער נפתח — e\u0301 🚰") == "השער נפתח — e\u0301 🚰"


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_no_colour_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert terminal.paint("supported", "good") == "\x1b[32msupported\x1b[0m"
    monkeypatch.setenv(variable, value)
    assert terminal.paint("supported", "good") == "supported"


def test_no_colour_outside_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: False, raising=False)
    assert terminal.paint("supported", "good") == "supported"
