"""A language model with its cache, its ledger and its turns, by the settings; SmolLM2 answers."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from causetrail.errors import (
    BudgetSpent,
    ExtraMissing,
    ModelMissing,
    ModelNotChosen,
    ModelSlow,
    PromptTooLong,
    SettingInvalid,
)
from causetrail.settings import Settings, load_settings
from models.accounting import Ledger
from models.call_deadline import CallDeadline
from models.completion_cache import CompletionCache
from models.counted_model import MESSAGE_TOKENS, CountedModel
from models.gguf_model import GgufModel
from models.language_model import Message, Sampling
from models.language_model_source import load_language_models
from models.openai_model import OpenAIModel
from models.structured_output import structured
from tests.models.language_models.scripted_server import ScriptedServer, reply, says, silent
from tests.models.language_models.test_gguf_model import SKY, Colour

pytest.importorskip("httpx2", reason="the extra llm is not there")

ROOT = Path(__file__).parents[3]
FIVE = Sampling(max_tokens=5)


@pytest.fixture
def counted(smollm2: GgufModel, tmp_path: Path) -> CountedModel:
    cache = CompletionCache(tmp_path / "cache", 10_000_000)
    return CountedModel(smollm2, Ledger(), threading.Semaphore(2), cache)


@pytest.fixture
def served(server: ScriptedServer) -> Iterator[Settings]:
    """Settings that name the scripted server."""
    yield load_settings(llm="openai:tiny", llm_base_url=server.url, llm_key="sk-secret-4711")


def test_the_same_call_is_answered_from_the_cache_and_costs_nothing(counted: CountedModel) -> None:
    first = counted.at("extract").complete(SKY, FIVE, CallDeadline(60))
    second = counted.at("judge").complete(SKY, FIVE, CallDeadline(60))
    assert (second.text, second.tokens, second.kept, second.seconds) == (first.text, first.tokens, True, 0.0)
    stages = counted._ledger.by_stage()
    assert (stages["extract"].calls, stages["extract"].tokens) == (1, first.tokens.total)
    assert (stages["judge"].calls, stages["judge"].kept_calls, stages["judge"].tokens) == (0, 1, 0)


def test_a_typed_answer_is_kept_too(counted: CountedModel) -> None:
    first = structured(counted, SKY, Colour, Sampling(60), CallDeadline(60))
    again = structured(counted, SKY, Colour, Sampling(60), CallDeadline(60))
    assert (again.value, [one.kept for one in again.completions]) == (first.value, [True])


def test_an_answer_that_is_drawn_by_chance_is_not_kept(counted: CountedModel) -> None:
    warm = Sampling(5, temperature=1.0)
    assert [counted.complete(SKY, warm, CallDeadline(60)).kept for _ in range(2)] == [False, False]
    seeded = Sampling(5, temperature=1.0, seed=7)
    assert [counted.complete(SKY, seeded, CallDeadline(60)).kept for _ in range(2)] == [False, True]


CALLER = """
import sys
from pathlib import Path
from causetrail.settings import load_settings
from models.call_deadline import CallDeadline
from models.language_model import Message, Sampling
from models.language_model_source import load_language_models
models = load_language_models(load_settings(llm="smollm2", llm_cache=Path(sys.argv[1])))
answer = models.need("reader", "The test").complete([Message("user", "Say yes.")], Sampling(4), CallDeadline(60))
print(answer.kept, answer.text)
models.close()
"""


def test_two_processes_share_the_answers(smollm2: GgufModel, tmp_path: Path) -> None:
    told = [
        subprocess.run(
            [sys.executable, "-c", CALLER, str(tmp_path)],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
            # The second one closes its model without having asked it anything.
            timeout=120,
        ).stdout.partition(" ")
        for _ in range(2)
    ]
    assert [kept for kept, _, _ in told] == ["False", "True"]
    assert told[0][2] == told[1][2] != ""


def test_the_budget_ends_the_calls_and_not_the_kept_answers(smollm2: GgufModel, tmp_path: Path) -> None:
    cache = CompletionCache(tmp_path, 10_000_000)
    ledger = Ledger(budget_tokens=160)
    model = CountedModel(smollm2, ledger, threading.Semaphore(1), cache)
    model.complete(SKY, FIVE, CallDeadline(60))
    begin = time.monotonic()
    with pytest.raises(BudgetSpent):
        model.complete([Message("user", "gauge " * 200)], FIVE, CallDeadline(60))
    assert time.monotonic() - begin < 2
    assert model.complete(SKY, FIVE, CallDeadline(60)).kept
    assert ledger.total().calls == 1
    with pytest.raises(BudgetSpent):
        list(model.stream([Message("user", "gauge " * 200)], FIVE, CallDeadline(60)))


def test_what_a_call_may_cost_counts_the_marks_around_each_message(smollm2: GgufModel) -> None:
    model = CountedModel(smollm2, Ledger(), threading.Semaphore(1))
    twice = [Message("user", "Hello."), Message("assistant", "Hello.")]
    assert model.foresee(twice, FIVE).prompt_tokens == 2 * (smollm2.count_tokens("Hello.") + MESSAGE_TOKENS)
    asked = smollm2.complete(twice, FIVE, CallDeadline(60)).tokens.prompt
    assert asked <= model.foresee(twice, FIVE).prompt_tokens


def test_answers_must_leave_room_for_prompts() -> None:
    with pytest.raises(SettingInvalid, match="llm_max_tokens cannot be 4096"):
        load_language_models(load_settings(llm_max_tokens=4096, llm_context_tokens=4096))


def test_a_model_is_closed_where_the_other_cannot_be_loaded(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[str] = []
    monkeypatch.setattr(OpenAIModel, "close", lambda model: closed.append(model.name))
    with pytest.raises(ModelMissing):
        load_language_models(
            load_settings(llm="openai:tiny", llm_base_url=server.url, llm_reasoner=f"gguf:{tmp_path}/none.gguf")
        )
    assert closed == ["tiny"]


def test_no_more_calls_at_once_than_there_are_turns(server: ScriptedServer) -> None:
    running = 0
    most = 0
    lock = threading.Lock()

    def slow(handler: object, over: threading.Event) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.05)
        with lock:
            running -= 1
        says("Hello.")(handler, over)  # type: ignore[arg-type]

    server.script = [slow]
    models = load_language_models(load_settings(llm="openai:tiny", llm_base_url=server.url, llm_concurrency=3))
    model = models.need("reader", "The test")
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda n: model.complete([Message("user", str(n))], FIVE, CallDeadline(20)), range(12)))
    assert most == 3
    assert models.ledger.total().calls == 12
    models.close()


def test_whoever_waits_for_a_turn_waits_no_longer_than_it_may(server: ScriptedServer, served: Settings) -> None:
    server.script = [silent]
    models = load_language_models(served.model_copy(update={"llm_concurrency": 1}))
    model = models.need("reader", "The test")
    with ThreadPoolExecutor(2) as pool:
        begin = time.monotonic()
        calls = [pool.submit(model.complete, SKY, FIVE, CallDeadline(seconds)) for seconds in (1.5, 0.5)]
        for call in calls:
            with pytest.raises(ModelSlow):
                call.result()
    assert time.monotonic() - begin < 2.5
    assert models.ledger.total().failed_calls in (1, 2)
    server.script = [says("Hello.")]
    assert model.complete(SKY, FIVE, CallDeadline(5)).text == "Hello."
    models.close()


def test_a_refusal_is_not_kept(server: ScriptedServer, served: Settings, tmp_path: Path) -> None:
    server.script = [says(None, refusal="No."), says("Yes.")]
    models = load_language_models(served.model_copy(update={"llm_cache": tmp_path}))
    model = models.need("reader", "The test")
    assert [model.complete(SKY, FIVE, CallDeadline(20)).finish for _ in range(2)] == ["refusal", "stop"]
    models.close()


def test_a_stream_is_counted(counted: CountedModel) -> None:
    pieces = counted.at("talk").stream(SKY, Sampling(50), CallDeadline(60))
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    spent = counted._ledger.by_stage()["talk"]
    assert (spent.calls, spent.estimated) == (1, True)
    assert spent.completion_tokens >= 1


def test_nothing_is_chosen_unless_the_settings_choose() -> None:
    models = load_language_models(load_settings())
    assert models.reader is models.reasoner is None
    with pytest.raises(ModelNotChosen, match="Abduction needs a language model"):
        models.need("reasoner", "Abduction")
    models.close()


def test_the_two_roles_are_one_model_or_two(smollm2: GgufModel, served: Settings) -> None:
    one = load_language_models(served)
    assert one.reader is one.reasoner is not None
    two = load_language_models(served.model_copy(update={"llm_reasoner": "openai:large"}))
    assert [model.name for model in (two.reader, two.reasoner) if model] == ["tiny", "large"]
    assert (two.sampling, two.deadline().seconds) == (Sampling(served.llm_max_tokens), served.llm_seconds)
    reader_only = load_language_models(served.model_copy(update={"llm_reasoner": "none"}))
    assert (reader_only.reader is None, reader_only.reasoner is None) == (False, True)
    for models in (one, two, reader_only):
        models.close()


@pytest.mark.parametrize("name", ["", "gpt-4", "openai:", "gguf:", "smollm2:x", "transformers:", "Smollm2"])
def test_a_setting_that_names_no_model_is_refused(name: str) -> None:
    with pytest.raises(SettingInvalid, match="llm"):
        load_language_models(load_settings(llm=name, llm_base_url="http://127.0.0.1:1/v1"))


def test_no_address_is_assumed() -> None:
    with pytest.raises(SettingInvalid, match="llm_base_url"):
        load_language_models(load_settings(llm="openai:gpt-4o-mini"))


def test_a_file_that_is_not_there_is_told_by_its_path() -> None:
    with pytest.raises(ModelMissing, match=r"no/such/file\.gguf"):
        load_language_models(load_settings(llm="gguf:no/such/file.gguf"))


@pytest.mark.parametrize(
    ("name", "library", "extra"),
    [
        ("openai:tiny", "httpx2", "llm"),
        ("gguf:{file}", "xllamacpp", "llm"),
        ("transformers:{file}", "transformers", "torch"),
    ],
)
def test_a_missing_extra_is_told(
    name: str, library: str, extra: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "model.gguf"
    file.write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(ExtraMissing, match=rf"causetrail\[{extra}\]"):
        load_language_models(load_settings(llm=name.format(file=file), llm_base_url="http://127.0.0.1:9/v1"))


def test_the_key_is_taken_from_the_environment_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, server: ScriptedServer
) -> None:
    caplog.set_level(logging.DEBUG)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "causetrail.toml").write_text('llm_key = "sk-in-a-file"\n')
    with pytest.raises(SettingInvalid, match="CAUSETRAIL_LLM_KEY") as caught:
        load_settings()
    assert "sk-in-a-file" not in str(caught.value)
    (tmp_path / "causetrail.toml").unlink()
    monkeypatch.setenv("CAUSETRAIL_LLM_KEY", "sk-secret-4711")
    settings = load_settings(llm="openai:tiny", llm_base_url=server.url, llm_cache=tmp_path / "cache")
    assert "sk-secret" not in repr(settings) + str(settings)
    server.script = [says("Hello.")]
    models = load_language_models(settings)
    models.need("reader", "The test").complete(SKY, FIVE, CallDeadline(20))
    models.close()
    assert server.asked[0].headers["Authorization"] == "Bearer sk-secret-4711"
    assert "sk-secret" not in caplog.text
    kept = list((tmp_path / "cache").rglob("*.json"))
    assert kept
    assert all("sk-secret" not in path.read_text() for path in kept)


def test_an_error_of_the_server_is_booked_as_a_failed_call(server: ScriptedServer, served: Settings) -> None:
    server.script = [reply(401, {})]
    models = load_language_models(served)
    with pytest.raises(Exception, match="CT-M014"):
        models.need("reader", "The test").at("extract").complete(SKY, FIVE, CallDeadline(20))
    spent = models.ledger.by_stage()["extract"]
    assert (spent.calls, spent.failed_calls, spent.completion_tokens) == (0, 1, 0)
    models.close()


def test_a_call_that_was_not_made_is_not_booked(smollm2: GgufModel, server: ScriptedServer, served: Settings) -> None:
    """Prompts that do not fit, at a server and in this process, and a turn of the model that never came."""
    server.script = [says("Hello.")]
    models = load_language_models(served.model_copy(update={"llm_context_tokens": 256, "llm_max_tokens": 64}))
    inside = CountedModel(smollm2, Ledger(within=models.ledger), threading.Semaphore(2))
    long = [Message("user", "gauge " * 40_000)]
    for model in (models.need("reader", "The test"), inside):
        with pytest.raises(PromptTooLong):
            model.complete(long, FIVE, CallDeadline(60))
        with pytest.raises(PromptTooLong):
            list(model.stream(long, FIVE, CallDeadline(60)))
    with smollm2._turn:
        with pytest.raises(ModelSlow):
            inside.complete(SKY, FIVE, CallDeadline(0.3))
        with pytest.raises(ModelSlow):
            list(inside.stream(SKY, FIVE, CallDeadline(0.3)))
    assert (server.asked, models.ledger.by_stage(), models.ledger._held) == ([], {}, [])
    # What a server has read and cut was paid for.
    roomy = OpenAIModel("tiny", server.url, None, 8_192)
    with pytest.raises(PromptTooLong):
        CountedModel(roomy, models.ledger, threading.Semaphore(1), stage="cut").complete(
            [Message("user", "gauge " * 3_000)], FIVE, CallDeadline(20)
        )
    assert models.ledger.by_stage()["cut"].failed_calls == 1
    roomy.close()
    models.close()
