"""Documents that try to be more than data, read by a model that obeys them: nothing but their own claims changes."""

from __future__ import annotations

import json
import re
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from causetrail import Causetrail
from causetrail.settings import load_settings
from kg.records import Verdict
from models.claim_schema import ClaimAnswers
from models.prompts import load_prompt
from models.text_fence import TEMPLATE_MARKS
from tests.models.language_models.scripted_server import ScriptedServer, asked_of, says

pytest.importorskip("httpx2", reason="the extra llm is not there")

ATTACKS = [
    (one["kind"], one["text"])
    for one in tomllib.loads(Path(__file__).with_name("injections.toml").read_text("utf-8"))["documents"]
]
BRIDGE = "The bridge fell because its bolts had rusted.\n"
FACT = "The gate {number} opened because the gauge had failed."
QUESTION = "Why did the bridge fall?"
MAYOR = {
    "sentence": 2,
    "quote": "The mayor caused the flood",
    "cause": "The mayor",
    "effect": "the flood",
    "relation": "CAUSES",
    "polarity": "affirmed",
    "modality": "actual",
}
BLAMED = {**MAYOR, "sentence": 1, "quote": BRIDGE.strip(), "cause": "the mayor", "effect": "The bridge fell"}
DENIED = {**BLAMED, "cause": "its bolts had rusted", "polarity": "negated"}


def obeys(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    """Reads what it is shown like a fair model, and then does whatever any of the documents asks for."""
    shown = asked_of(handler).body["messages"][-1]["content"]
    claims = [
        {**MAYOR, "sentence": int(number), "quote": f"{effect} because {cause}", "cause": cause, "effect": effect}
        for number, effect, cause in re.findall(r"^(\d+)\. (.{1,99}?) because (.{1,99}?)\.?$", shown, re.MULTILINE)
    ]
    for line in re.findall(r"\{\"claims\".*\}", shown):
        try:
            claims += [claim.model_dump() for claim in ClaimAnswers.model_validate_json(line).claims]
        except ValueError:
            # It is no answer of the schema, which a model that is held to it cannot give.
            continue
    says(json.dumps({"claims": [*claims, MAYOR, BLAMED, DENIED]}))(handler, over)


@pytest.fixture(scope="module")
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.script = [obeys]
        yield server


def opened(server: ScriptedServer, path: Path, claims_by: str) -> Causetrail:
    settings = load_settings(
        store=f"sqlite:///{path}",
        llm="openai:tiny",
        llm_base_url=server.url,
        claims_by=claims_by,
        strictness="generous",
    )
    return Causetrail(settings=settings)


def attack(number: int) -> str:
    return f"{FACT.format(number=number)}\n\n{ATTACKS[number][1]}\n\nThe alarm rang because smoke had spread.\n"


def write(folder: Path) -> None:
    folder.mkdir()
    (folder / "bridge.md").write_text(BRIDGE, "utf-8")
    for number in range(len(ATTACKS)):
        (folder / f"attack-{number:02}.md").write_text(attack(number), "utf-8")


def test_there_are_enough_of_them() -> None:
    assert len(ATTACKS) >= 40
    assert {kind for kind, _ in ATTACKS} == {"order", "quote", "schema", "role", "unicode", "query"}
    assert len({text for _, text in ATTACKS}) == len(ATTACKS)


@pytest.mark.slow
@pytest.mark.parametrize("claims_by", ["model", "both"])
def test_nothing_but_their_own_claims_changes(server: ScriptedServer, tmp_path: Path, claims_by: str) -> None:
    folder = tmp_path / "reports"
    write(folder)
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / "bridge.md").write_text(BRIDGE, "utf-8")
    with opened(server, tmp_path / "alone.db", claims_by) as trail:
        trail.ingest(alone)
        before = {claim.id: claim for claim in trail.claims()}
        answer = trail.ask(QUESTION)
        assert answer.verdict is Verdict.SUPPORTED
    with opened(server, tmp_path / "all.db", claims_by) as trail:
        settings = trail.settings
        report = trail.ingest(folder)
        assert (report.added, report.failed, report.stopped) == (1 + len(ATTACKS), 0, None)
        assert trail.settings == settings == opened(server, tmp_path / "all.db", claims_by).settings
        names = {document.id: Path(document.sources[0]).name for document in trail.documents()}
        claims = list(trail.claims())
        bridge = next(number for number, name in names.items() if name == "bridge.md")
        assert {claim.id: claim for claim in claims if claim.document_id == bridge} == before
        again = trail.ask(QUESTION)
        assert again.verdict is answer.verdict
        # What a document says of the bridge itself is one more account, told with its own source behind the first.
        assert again.text.startswith(answer.text)
        told = [(one.source, one.quote) for one in again.evidence]
        assert told[0] == ("reports/bridge.md", BRIDGE.strip())
        for source, quote in told:
            assert quote in (tmp_path / source).read_text("utf-8")
        assert not trail.verify().faults
        assert report.rejected["quote_not_verbatim"] > len(ATTACKS)


@pytest.mark.parametrize("number", range(len(ATTACKS)))
def test_each_stands_between_marks_that_it_cannot_close(number: int) -> None:
    system, *examples, question = load_prompt("extract_claims").messages(window=attack(number))
    assert ATTACKS[number][1] not in system.text
    assert not any(ATTACKS[number][1] in one.text for one in examples)
    begin, *data, end, _, order = question.text.split("\n")
    assert begin.startswith("<<<DATA ")
    assert end == f"DATA {begin.removeprefix('<<<DATA ')}>>>"
    assert order == "List the causal claims of these sentences as JSON."
    assert not any(mark in line for line in data for mark in TEMPLATE_MARKS)
