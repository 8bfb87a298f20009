"""A real OpenAI-compatible server, llama.cpp with SmolLM2, asked over HTTP."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from causetrail.errors import ModelCancelled, ModelKeyRefused, PromptTooLong
from models.call_deadline import CallDeadline
from models.gguf_model import GgufModel
from models.language_model import Message, Sampling
from models.openai_model import OpenAIModel
from models.structured_output import structured
from tests.models.language_models.test_gguf_model import SKY, STORY, Colour

pytest.importorskip("httpx2", reason="the extra llm is not there")


@pytest.fixture(scope="module")
def served(smollm2: GgufModel) -> Iterator[OpenAIModel]:
    """The server that llama.cpp opens for the embedded model."""
    model = OpenAIModel("smollm2", f"http://{smollm2._address}/v1", smollm2._key, context_tokens=100_000)
    yield model
    model.close()


def test_it_answers_as_in_process(served: OpenAIModel, smollm2: GgufModel) -> None:
    over_http = served.complete(SKY, Sampling(max_tokens=12), CallDeadline(60))
    in_process = smollm2.complete(SKY, Sampling(max_tokens=12), CallDeadline(60))
    assert (over_http.text, over_http.tokens, over_http.finish) == (
        in_process.text,
        in_process.tokens,
        in_process.finish,
    )
    assert not over_http.tokens.estimated


def test_the_server_tells_how_much_it_reads(served: OpenAIModel, smollm2: GgufModel) -> None:
    served.complete(SKY, Sampling(max_tokens=1), CallDeadline(60))
    assert served.context_tokens == smollm2.context_tokens


def test_a_server_that_reads_more_does_not_raise_what_the_user_set(smollm2: GgufModel) -> None:
    model = OpenAIModel("smollm2", f"http://{smollm2._address}/v1", smollm2._key, context_tokens=300)
    model.complete(SKY, Sampling(max_tokens=1), CallDeadline(60))
    assert model.context_tokens == 300
    model.close()


def test_it_keeps_to_the_schema(served: OpenAIModel) -> None:
    answer = structured(served, SKY, Colour, Sampling(max_tokens=60), CallDeadline(60))
    assert not answer.repaired
    assert answer.completions[0].tokens.completion > 5


def test_it_streams(served: OpenAIModel) -> None:
    pieces = served.stream([Message("user", "Say only the word: yes")], Sampling(max_tokens=200), CallDeadline(60))
    assert len("".join(pieces)) > 2


def test_a_prompt_near_the_limit_is_refused_by_the_server_with_the_same_code(served: OpenAIModel) -> None:
    with pytest.raises(PromptTooLong):
        served.complete([Message("user", "a " * 2_500)], Sampling(max_tokens=10), CallDeadline(60))


def test_a_wrong_key_is_told(smollm2: GgufModel) -> None:
    model = OpenAIModel("smollm2", f"http://{smollm2._address}/v1", "sk-wrong", 2_048)
    with pytest.raises(ModelKeyRefused):
        model.complete(SKY, Sampling(max_tokens=1), CallDeadline(60))
    model.close()


def test_a_call_that_is_given_up_ends_at_the_server_too(served: OpenAIModel) -> None:
    cancelled = threading.Event()
    threading.Timer(0.4, cancelled.set).start()
    begin = time.monotonic()
    with pytest.raises(ModelCancelled):
        served.complete(STORY, Sampling(max_tokens=1_500), CallDeadline(60, cancelled))
    assert time.monotonic() - begin < 1.4
    served.complete(SKY, Sampling(max_tokens=1), CallDeadline(20))
    # The long answer alone would take half a minute.
    assert time.monotonic() - begin < 12


def test_threads_share_it(served: OpenAIModel) -> None:
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: served.complete(SKY, Sampling(5), CallDeadline(60)).text, range(4)))
    assert len(set(answers)) == 1
