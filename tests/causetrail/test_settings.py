"""Settings: where they come from, which wins, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from causetrail.errors import SettingInvalid, SettingUnknown
from causetrail.settings import Settings, load_settings


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory without a settings file."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_defaults_work() -> None:
    settings = load_settings()
    assert (settings.store, settings.collection, settings.host) == ("sqlite:///causetrail.db", "main", "127.0.0.1")


def test_arguments_win_over_the_environment_and_that_over_the_file(
    empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (empty_folder / "causetrail.toml").write_text('hops = 4\njobs = 2\ncollection = "file"\n')
    monkeypatch.setenv("CAUSETRAIL_JOBS", "3")
    monkeypatch.setenv("CAUSETRAIL_COLLECTION", "environment")
    settings = load_settings(collection="argument")
    assert (settings.hops, settings.jobs, settings.collection) == (4, 3, "argument")


def test_none_means_not_given() -> None:
    assert load_settings(collection=None, hops=None) == load_settings()


def test_settings_are_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        load_settings().hops = 5  # type: ignore[misc]


def test_an_unknown_variable_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAUSETRAIL_HOBS", "3")
    with pytest.raises(SettingUnknown) as caught:
        load_settings()
    assert caught.value.details["name"] == "CAUSETRAIL_HOBS"
    assert "hops" in caught.value.fix


def test_an_unknown_key_of_the_file_is_refused_by_name(empty_folder: Path) -> None:
    (empty_folder / "causetrail.toml").write_text("hobs = 4\n")
    with pytest.raises(SettingUnknown) as caught:
        load_settings()
    assert caught.value.details["name"] == "hobs"


def test_an_unknown_argument_is_refused_by_name() -> None:
    with pytest.raises(SettingUnknown):
        load_settings(hobs=4)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("jobs", 0),
        ("jobs", "many"),
        ("hops", 11),
        ("deadline_seconds", 0),
        ("collection", "../up"),
        ("api_key", "short"),
    ],
)
def test_a_value_out_of_range_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(SettingInvalid) as caught:
        load_settings(**{name: value})
    assert caught.value.details["name"] == name


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"jobs = = 2", "causetrail.toml cannot be read: it is not TOML (at line 1, column 8)."),
        (b"\xff\xfe", "causetrail.toml cannot be read: it is not UTF-8."),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(empty_folder: Path, content: bytes, reason: str) -> None:
    (empty_folder / "causetrail.toml").write_bytes(content)
    with pytest.raises(SettingInvalid) as caught:
        load_settings()
    assert caught.value.message.endswith(reason)


def test_the_key_is_never_shown() -> None:
    assert "very-secret" not in repr(load_settings(api_key="very-secret"))
    with pytest.raises(SettingInvalid) as caught:
        load_settings(api_key="secret")
    assert "secret" not in str(caught.value)
    assert "at least 8 characters" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("jobs", "many", "it must be a whole number"),
        ("hops", 1.5, "it must be a whole number"),
        ("hops", 11, "it must be at most 10"),
        ("hops", 0, "it must be at least 1"),
        ("neo4j_user", "", "it must not be empty"),
        ("deadline_seconds", 0, "it must be more than 0.0"),
        ("deadline_seconds", "soon", "it must be a number"),
        ("collection", "a/b", "a letter or digit first"),
        ("store", 7, "it must be a text"),
        ("log_level", "loud", "it must be 'debug', 'info', 'warning' or 'error'"),
    ],
)
def test_what_is_wrong_with_a_value_is_said_in_our_words(name: str, value: object, reason: str) -> None:
    with pytest.raises(SettingInvalid) as caught:
        load_settings(**{name: value})
    assert reason in caught.value.message


def test_every_setting_is_explained() -> None:
    assert [name for name, field in Settings.model_fields.items() if not field.description] == []
