"""Ingests in which a language model reads claims, at a real server that splits sentences at "because"."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from causetrail import Causetrail
from causetrail.errors import ModelNotChosen, SettingInvalid
from causetrail.settings import load_settings
from kg.addresses import completions_of
from tests.models.language_models.scripted_server import ScriptedServer, asked_of, reply, says, silent

pytest.importorskip("httpx2", reason="the extra llm is not there")

FACTS = ("its bearing was worn", "the fuse had blown", "nobody had oiled it")
DOCUMENTS = 4
COMMAND = (sys.executable, "-c", "from api.cli import main; main()", "ingest")


def reads(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    """Answers like a model that knows one word."""
    says(_claims(asked_of(handler).body["messages"][-1]["content"]), prompt_tokens=100)(handler, over)


def _claims(shown: str) -> str:
    claims = [
        {
            "sentence": int(number),
            "cause": cause,
            "effect": effect,
            "relation": "CAUSES",
            "polarity": "affirmed",
            "modality": "actual",
            "quote": f"{effect} because {cause}",
        }
        for number, effect, cause in re.findall(r"^(\d+)\. (.+?) because (.+?)\.$", shown, re.MULTILINE)
    ]
    return json.dumps({"claims": claims})


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script = [reads]
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Documents of three windows each."""
    folder = tmp_path / "reports"
    folder.mkdir()
    for number in range(DOCUMENTS):
        parts = [f"# Part\n\nPump {number} of the plant failed because {fact}." for fact in FACTS]
        (folder / f"{number}.md").write_text("\n\n".join(parts), "utf-8")
    return folder


def settings_of(server: ScriptedServer, tmp_path: Path, **more: object) -> dict[str, object]:
    return {
        "store": f"sqlite:///{tmp_path / 'trail.db'}",
        "llm": "openai:tiny",
        "llm_base_url": server.url,
        "llm_concurrency": 1,
        "claims_by": "model",
        **more,
    }


def opened(server: ScriptedServer, tmp_path: Path, **more: object) -> Causetrail:
    return Causetrail(settings=load_settings(**settings_of(server, tmp_path, **more)))


def environment(server: ScriptedServer, tmp_path: Path, **more: object) -> dict[str, str]:
    given = {f"CAUSETRAIL_{name.upper()}": str(value) for name, value in settings_of(server, tmp_path, **more).items()}
    return {**os.environ, **given}


def windows_of(server: ScriptedServer) -> Counter[str]:
    return Counter(json.dumps(one.body["messages"]) for one in server.asked)


def five_calls(server: ScriptedServer, folder: Path, tmp_path: Path) -> int:
    """A budget for about five calls: each is held to the most that it may cost, and costs 105 tokens."""
    with opened(server, tmp_path, llm_max_tokens=100) as trail:
        foreseen = trail.estimate(folder)
    return foreseen.prompt_tokens // foreseen.calls + 100 + 4 * 105


def test_claims_of_a_model_are_in_the_graph_with_their_quotes(
    server: ScriptedServer, folder: Path, tmp_path: Path
) -> None:
    with opened(server, tmp_path) as trail:
        report = trail.ingest(folder)
        assert (report.added, report.failed, report.claims, report.stopped) == (DOCUMENTS, 0, 12, None)
        (use,) = report.models.values()
        assert (use.calls, use.kept_calls, use.prompt_tokens, use.completion_tokens) == (12, 0, 1_200, 60)
        assert {claim.extractor for claim in trail.claims()} == {"llm-1"}
        assert not trail.verify().faults
        again = trail.ingest(folder)
        assert (again.unchanged, again.models) == (DOCUMENTS, {})
    assert len(server.asked) == 12
    with opened(server, tmp_path, claims_by="both") as trail:
        report = trail.ingest(folder)
        assert {claim.extractor for claim in trail.claims()} == {"rules-1+heads-1+llm-1"}
        (use,) = report.models.values()
        assert (use.calls, use.kept_calls) == (0, 12), "what was asked before is not asked again"


def test_ingests_side_by_side_are_told_their_own_cost(server: ScriptedServer, folder: Path, tmp_path: Path) -> None:
    collections = ("east", "west")
    parts = [f"The fan of hall {name} stopped because {fact}." for name in collections for fact in FACTS]
    (folder / "west.md").write_text("\n\n".join(f"# Part\n\n{part}" for part in parts), "utf-8")
    with opened(server, tmp_path) as trail, ThreadPoolExecutor(2) as pool:
        trail.ingest_text("Nothing is told here.", "first.txt")
        before = len(server.asked)
        reports = list(pool.map(lambda name: trail.within(name).ingest(folder), collections))
    used = [use for report in reports for use in report.models.values()]
    # Which of them asks first, and which is answered from what is kept, is for chance to say.
    assert [use.calls + use.kept_calls for use in used] == [3 * DOCUMENTS + len(parts)] * 2
    assert sum(use.calls for use in used) == len(server.asked) - before


def test_a_budget_of_money_without_a_price_is_refused_before_anything_is_asked(
    server: ScriptedServer, folder: Path, tmp_path: Path
) -> None:
    with (
        opened(server, tmp_path, llm_budget_cost=1.0) as trail,
        pytest.raises(SettingInvalid, match="no price of tiny"),
    ):
        trail.ingest(folder)
    assert not server.asked


def test_an_estimate_asks_nothing_and_is_not_exceeded(server: ScriptedServer, folder: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('["tiny"]\nprompt = 1.0\ncompletion = 2.0\n', "utf-8")
    with opened(server, tmp_path, llm_prices=prices) as trail:
        foreseen = trail.estimate(folder)
        assert not server.asked
        assert not (tmp_path / "trail.db").exists()
        assert (foreseen.documents, foreseen.calls, foreseen.kept_calls) == (DOCUMENTS, 12, 0)
        report = trail.ingest(folder)
        (use,) = report.models.values()
        assert use.prompt_tokens <= foreseen.prompt_tokens
        assert use.cost is not None
        assert foreseen.most_cost is not None
        assert 0 < use.cost <= foreseen.most_cost
        later = trail.estimate(folder)
        assert (later.unchanged, later.calls, later.most_cost) == (DOCUMENTS, 0, 0.0)


def test_a_budget_stops_an_ingest_cleanly_and_the_next_one_goes_on(
    server: ScriptedServer, folder: Path, tmp_path: Path
) -> None:
    budget = five_calls(server, folder, tmp_path)
    with opened(server, tmp_path, llm_max_tokens=100, llm_budget_tokens=budget) as trail:
        report = trail.ingest(folder)
        assert report.stopped is not None
        assert report.stopped.code == "CT-M018"
        assert 0 < report.added < DOCUMENTS
        assert report.failed == 0
        assert report.edges == report.claims == 3 * report.added
        assert sum(use.prompt_tokens + use.completion_tokens for use in report.models.values()) <= budget
    before = len(server.asked)
    with opened(server, tmp_path, llm_max_tokens=100) as trail:
        report = trail.ingest(folder)
        assert (report.stopped, trail.counts().claims) == (None, 12)
    assert len(server.asked) > before
    assert set(windows_of(server).values()) == {1}
    assert len(server.asked) == 12


def test_a_server_that_is_away_stops_the_ingest_at_once(server: ScriptedServer, folder: Path, tmp_path: Path) -> None:
    server.script = [reads, reads, reads, reply(401, {})]
    with opened(server, tmp_path) as trail:
        report = trail.ingest(folder)
    assert report.stopped is not None
    assert report.stopped.code == "CT-M014"
    assert (report.added, report.failed, len(server.asked)) == (1, 0, 4)


def test_a_model_that_reads_too_little_stops_the_ingest_and_a_larger_context_goes_on(
    server: ScriptedServer, folder: Path, tmp_path: Path
) -> None:
    with opened(server, tmp_path, llm_context_tokens=256, llm_max_tokens=100) as trail:
        report = trail.ingest(folder)
    assert report.stopped is not None
    assert report.stopped.code == "CT-M006"
    assert "llm_context_tokens" in report.stopped.fix
    assert (report.added, report.failed, len(server.asked)) == (0, 0, 0)
    with opened(server, tmp_path, llm_max_tokens=100) as trail:
        report = trail.ingest(folder)
    assert (report.stopped, report.added, report.claims) == (None, DOCUMENTS, 12)


def test_the_command_tells_why_it_stopped_and_what_it_spent(
    server: ScriptedServer,
    folder: Path,
    tmp_path: Path,
) -> None:
    budget = five_calls(server, folder, tmp_path)
    given = environment(server, tmp_path, llm_max_tokens=100, llm_budget_tokens=budget)
    estimate, ingest = (
        subprocess.run([*COMMAND, *options, str(folder)], env=given, capture_output=True, text=True, check=False)
        for options in (["--estimate"], [])
    )
    assert estimate.returncode == 0, estimate.stderr
    assert "12 calls" in estimate.stdout
    assert "without repairs of unusable answers" in estimate.stdout
    assert ingest.returncode == 7, ingest.stderr
    assert "Language model, extract claims:" in ingest.stdout
    assert "CT-M018" in ingest.stderr


def test_windows_that_are_answered_are_told(server: ScriptedServer, folder: Path, tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    with opened(server, tmp_path) as trail:
        trail.ingest(folder, progress=lambda *one: told.append(one))
    windows = [one for one in told if one[0] == "windows of a document"]
    assert windows == [("windows of a document", done, 3) for done in (1, 2, 3)] * DOCUMENTS


def test_a_model_that_is_to_read_must_be_named(folder: Path, tmp_path: Path) -> None:
    settings = load_settings(store=f"sqlite:///{tmp_path / 'trail.db'}", claims_by="both")
    with Causetrail(settings=settings) as trail, pytest.raises(ModelNotChosen, match="claims_by = both"):
        trail.ingest(folder)
    local = load_settings(store=f"sqlite:///{tmp_path / 'trail.db'}")
    with Causetrail(settings=local) as trail, pytest.raises(SettingInvalid, match="claims_by cannot be 'local'"):
        trail.estimate(folder)


@pytest.mark.slow
def test_a_killed_ingest_asks_nothing_twice_that_was_answered(
    server: ScriptedServer, folder: Path, tmp_path: Path
) -> None:
    """The server holds the sixth call while the process is killed; all that it answered is never asked for again."""
    held = 6
    server.script = [*[reads] * (held - 1), silent]
    command = [*COMMAND, str(folder)]
    given = environment(server, tmp_path)
    process = subprocess.Popen(command, env=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while len(server.asked) < held and time.monotonic() < deadline:
        time.sleep(0.02)
    assert len(server.asked) == held
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=30)
    answered = set(list(windows_of(server))[: held - 1])
    server.script = [reads]
    done = subprocess.run(command, env=given, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    asked = windows_of(server)
    assert [asked[window] for window in answered] == [1] * (held - 1)
    assert len(asked) == 12
    with opened(server, tmp_path) as trail:
        assert trail.counts().claims == 12
        assert not trail.verify().faults


def test_what_was_answered_lies_beside_the_store(server: ScriptedServer, folder: Path, tmp_path: Path) -> None:
    with opened(server, tmp_path) as trail:
        trail.ingest(folder)
        kept = completions_of(trail.settings.store)
    assert len(list(kept.rglob("*.json"))) == 12
    assert kept.stat().st_mode & 0o077 == 0


def answers_beside(trail: Causetrail) -> list[str]:
    """The words that are kept, of each window."""
    kept = completions_of(trail.settings.store).rglob("*.json")
    return sorted(json.loads(json.loads(path.read_text("utf-8"))["text"])["claims"][0]["quote"] for path in kept)


def test_what_was_answered_of_a_document_goes_when_it_goes(
    server: ScriptedServer, folder: Path, tmp_path: Path
) -> None:
    with opened(server, tmp_path) as trail:
        trail.ingest(folder)
        trail.delete("reports/0.md")
        assert len(answers_beside(trail)) == 9
        assert not any("Pump 0" in words for words in answers_beside(trail))
        text = (folder / "1.md").read_text("utf-8")
        (folder / "1.md").write_text(text.replace("nobody had oiled it", "it was old"), "utf-8")
        report = trail.ingest(folder / "1.md")
        assert report.replaced == 1
        (use,) = report.models.values()
        assert (use.calls, use.kept_calls) == (1, 2)
        of_one = [words for words in answers_beside(trail) if "Pump 1" in words]
        assert [words.partition(" because ")[2] for words in of_one] == [
            "it was old",
            "its bearing was worn",
            "the fuse had blown",
        ]
        trail.within("other").ingest(folder / "2.md")
        trail.drop("main")
        assert {words[:6] for words in answers_beside(trail)} == {"Pump 2"}
        trail.drop("other")
        assert answers_beside(trail) == []


def test_what_a_stopped_ingest_had_asked_outlives_what_is_done_elsewhere(
    server: ScriptedServer, folder: Path, tmp_path: Path
) -> None:
    """A deletion, a replacement and a drop between the ingest that a budget stops and the one that goes on."""
    budget = five_calls(server, folder, tmp_path)
    note = tmp_path / "note.txt"
    note.write_text("Pump 7 failed because it was old.", "utf-8")
    with opened(server, tmp_path, llm_max_tokens=100) as trail:
        trail.ingest(note)
        trail.within("other").ingest(note)
    with opened(server, tmp_path, llm_max_tokens=100, llm_budget_tokens=budget) as trail:
        assert trail.ingest(folder).stopped is not None
    begun = len(answers_beside(trail))
    assert begun % 3 != 1, "it stopped in the middle of a document"
    note.write_text("Pump 8 failed because it was old.", "utf-8")
    with opened(server, tmp_path, llm_max_tokens=100) as trail:
        assert trail.ingest(note).replaced == 1
        trail.delete("note.txt")
        trail.drop("other")
        assert len(answers_beside(trail)) == begun - 1, "of the notes nothing is left"
        assert trail.ingest(folder).stopped is None
    assert set(windows_of(server).values()) == {1}


def test_a_folder_that_the_settings_name_is_left_alone(server: ScriptedServer, folder: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    with opened(server, tmp_path, llm_cache=shared) as trail:
        trail.ingest(folder)
        trail.delete("reports/0.md")
        trail.drop("main")
    assert len(list(shared.rglob("*.json"))) == 12
