"""The same structured requests to each backend of language models: what it answers, in how many tokens, how soon.

    python -m benchmarks.backends

Three of the columns run the same weights, SmolLM2-135M-Instruct: llama.cpp in this process, llama.cpp's server of the
OpenAI kind asked over HTTP, and transformers with the weights unpacked from the same file. The fourth is the
architecture of Qwen2.5 with random weights and a token for each byte, in NF4: it shows that the quantised way works,
and its verdicts mean nothing. The requests are the four judgements of one pair of texts, in turn, so that no server has
just read the beginning of a prompt; none is answered from a cache. The first turn is not timed.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from benchmarks.results import write_result
from models.call_deadline import CallDeadline
from models.gguf_model import PACKAGED_NAME, GgufModel, packaged_gguf
from models.language_model import LanguageModel, Sampling
from models.model_judges import PROMPTS
from models.openai_model import OpenAIModel
from models.prompts import load_prompt
from models.structured_output import Structured, structured
from models.transformers_model import TransformersModel
from tests.models.language_models.tiny_qwen2 import write_tiny_qwen2

_CONTEXT: Final = 8_192
_MOST_TOKENS: Final = 64
_SECONDS: Final = 300.0
_FIRST: Final = "The council closed the footbridge because water was over its deck."
_SECOND: Final = "The footbridge was closed."
_TEXTS: Final[Mapping[str, tuple[str, str]]] = {
    "judge_entailment": ("premise", "hypothesis"),
    "judge_relevance": ("passage", "question"),
    "judge_cause": ("cause", "effect"),
    "judge_sufficiency": ("evidence", "question"),
}
"""What stands in each prompt for the first and the second text."""


def main() -> None:
    """Asks each backend and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="how often each request is timed")
    arguments = parser.parse_args()
    figures: dict[str, list[str]] = {"runs": []}
    columns = (
        "llama.cpp in process",
        "the same over HTTP",
        "transformers, the same weights",
        "transformers, tiny Qwen2",
    )
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for model in _backends(scratch):
            stack.callback(model.close)
            figures["runs"].append(model.describe())
            for name, told in _asked(model, arguments.rounds).items():
                figures.setdefault(name, []).append(told)
    write_result(
        "backends",
        command="python -m benchmarks.backends",
        data=f'the four judgements over "{_FIRST}" and "{_SECOND}", {arguments.rounds} times each',
        baseline="one another: the first three columns run the same weights",
        columns=columns,
        figures=figures,
    )


def _backends(scratch: Path) -> Sequence[LanguageModel]:
    embedded = GgufModel(packaged_gguf(), _CONTEXT, PACKAGED_NAME)
    served = OpenAIModel(PACKAGED_NAME, f"http://{embedded._address}/v1", embedded._key, _CONTEXT)
    folder = scratch / "tiny-qwen2"
    write_tiny_qwen2(folder, _CONTEXT)
    unpacked, tiny = (TransformersModel(str(one), _CONTEXT) for one in (packaged_gguf(), folder))
    return embedded, served, unpacked, tiny


def _asked(model: LanguageModel, rounds: int) -> dict[str, str]:
    """Verdict, tokens and seconds of each request."""
    answers: dict[str, list[Structured[BaseModel]]] = {name: [] for name in PROMPTS}
    for _ in range(1 + rounds):
        for name, given in answers.items():
            prompt = load_prompt(name)
            first, second = _TEXTS[name]
            messages = prompt.messages(**{first: _FIRST, second: _SECOND})
            given.append(structured(model, messages, prompt.kind, Sampling(_MOST_TOKENS), CallDeadline(_SECONDS)))
    figures: dict[str, str] = {}
    for name, (last, *_, untimed) in ((name, given[::-1]) for name, given in answers.items()):
        tokens = last.completions[0].tokens
        seconds = [sum(one.seconds for one in each.completions) for each in answers[name] if each is not untimed]
        figures[f"{name}, verdict"] = str(last.value.model_dump()["verdict"]) + ", repaired" * last.repaired
        figures[f"{name}, tokens of prompt and answer"] = f"{tokens.prompt} and {tokens.completion}"
        figures[f"{name}, seconds"] = f"{statistics.median(seconds):.2f} ({min(seconds):.2f} to {max(seconds):.2f})"
    return figures


if __name__ == "__main__":
    main()
