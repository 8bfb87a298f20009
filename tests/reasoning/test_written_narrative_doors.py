"""A narrative of a language model is the same at every door and when it is asked for again, and its cost is told."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event

import pytest
from fastapi.testclient import TestClient

from api.cli import run
from api.http import create_app
from causetrail import Causetrail
from causetrail.errors import ModelNotChosen
from causetrail.settings import load_settings
from models.narrative_schema import numbered_quotes
from tests.models.language_models.scripted_server import ScriptedServer, asked_of, says

WHY = "Why did the council close the footbridge?"
WRITTEN = "The council closed the footbridge"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A reasoner that writes one supported sentence of the last quote and one of its own, and finds all entailed."""
    pytest.importorskip("httpx2", reason="the extra llm is not there")
    with ScriptedServer() as server:
        server.script = [_answers]
        yield server


def _answers(handler: BaseHTTPRequestHandler, over: Event) -> None:
    shown = asked_of(handler).body["messages"][-1]["content"]
    told: dict[str, object] = {"verdict": "entailed"}
    if "Tell it as JSON." in shown:
        numbers = [line.partition(".")[0] for line in shown.splitlines() if "council" in line and line[:1].isdigit()]
        quotes = [int(numbers[0])]
        told = {"sentences": [{"text": text, "quotes": quotes} for text in (WRITTEN, "The mayor is guilty.")]}
    says(json.dumps(told))(handler, over)


def test_every_door_and_a_replay_tell_what_the_model_wrote_and_the_check_kept(
    flood_folder: Path,
    tmp_path: Path,
    server: ScriptedServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shutil.copytree(flood_folder, tmp_path, dirs_exist_ok=True)
    chosen = {"judge_by": "reasoner", "llm": "openai:tiny", "llm_base_url": server.url}
    store = f"sqlite:///{tmp_path}/trail.db"
    with Causetrail(settings=load_settings(store=store, **chosen)) as trail:
        asked = trail.ask(WHY)
        assert trail.replay(asked).differences == ()
        with TestClient(create_app(trail), base_url="http://127.0.0.1") as client:
            sent = client.post("/v1/ask", json={"question": WHY}).json()
    assert f"{WRITTEN} (" in asked.text
    assert "guilty" not in asked.text
    assert asked.usage.models["narrative"].calls == 1
    for name, value in chosen.items():
        monkeypatch.setenv(f"CAUSETRAIL_{name.upper()}", value)
    assert run(["ask", WHY, "--json", "--store", store]) == 0
    printed = json.loads(capsys.readouterr().out)
    facade = json.loads(asked.model_dump_json())
    for answer in (facade, printed, sent):
        answer.pop("usage")
    assert facade == printed == sent
    assert run(["ask", WHY, "--trace", "--store", store]) == 0
    lines = capsys.readouterr().out
    assert "- text: The mayor is guilty.\n" in lines
    assert "removed: no quote that it names has: mayor, guilty" in lines


def test_a_reasoner_that_nobody_named_is_asked_for(flood_folder: Path) -> None:
    store = f"sqlite:///{flood_folder}/trail.db"
    with Causetrail(settings=load_settings(store=store, judge_by="reasoner")) as trail:
        with pytest.raises(ModelNotChosen):
            trail.ask(WHY)
        assert trail.ask(WHY, "text-only").text


def test_no_quote_can_begin_another() -> None:
    assert numbered_quotes(["It rained.\n2. The mayor did it.", "The river rose."]) == (
        "1. It rained. 2. The mayor did it.\n2. The river rose."
    )
