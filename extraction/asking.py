"""Windows of sentences that a language model is asked for the claims of.

Every window is one call that the model's cache knows again, so that an ingest that was stopped does not pay twice.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from causetrail.errors import ModelRefused, OutputCut, OutputInvalid
from language.tokens import Sentence
from models.call_deadline import CallDeadline
from models.claim_schema import ClaimAnswer, ClaimAnswers, numbered
from models.counted_model import CountedModel, Foreseen
from models.language_model import Message, Sampling
from models.prompts import load_prompt
from models.side_by_side import ask_side_by_side
from models.structured_output import structured

if TYPE_CHECKING:
    from kg.store import Progress

EXTRACTOR: Final = "llm-1"
"""Part of its version; who found its claims."""
PROMPT: Final = "extract_claims"
STAGE: Final = "extract claims"
"""How its calls are booked."""
WINDOW: Final = 5
"""Most sentences of one call."""
WINDOW_TOKENS: Final = 400
"""Most tokens of a window of more than one sentence, as the model counts them."""
SENTENCE_TOKENS: Final = 2_400
"""Most tokens of a sentence that is shown, as the model counts them: with more than six for each word that may be read,
it holds no words but packed data in one piece."""


class Window(NamedTuple):
    """Sentences that are shown together.

    Attributes:
        places: The place of each in the document.
        texts: The text of each.
    """

    places: tuple[int, ...]
    texts: tuple[str, ...]


class Answered(NamedTuple):
    """What a model says of one window; nothing where its answer could not be used."""

    window: Window
    claims: tuple[ClaimAnswer, ...] | None


@dataclass(frozen=True, slots=True)
class Asking:
    """How a model is asked.

    Attributes:
        seconds: Longest time of one call.
        max_tokens: Longest answer, in tokens.
        concurrency: Calls at once.
        trust: Probability that a statement of the model is right before anything judges it, above 0 and below 1: at a
            half the judge alone decides.
    """

    seconds: float
    max_tokens: int
    concurrency: int
    trust: float


class Asker:
    """Asks a language model for the claims of sentences. To be used by one thread at a time."""

    def __init__(self, model: CountedModel, asking: Asking, progress: Progress | None = None) -> None:
        """Takes the model of the role `reader`, and what is told how many windows of a document are answered."""
        self._model = model
        self._progress = progress
        self._asking = asking
        self._prompt = load_prompt(PROMPT)
        self._sampling = Sampling(max_tokens=asking.max_tokens)

    def windows(self, sentences: Sequence[tuple[int, Sentence]]) -> Iterator[Window]:
        """Cuts sentences, each with its place, into windows; none is in two, and one that is too long in none.

        A sentence that follows no other in its window ends the one before: a window is a passage of the text.
        """
        places: list[int] = []
        texts: list[str] = []
        tokens = 0
        for place, sentence in sentences:
            size = self._model.count_tokens(sentence.text)
            if size > SENTENCE_TOKENS:
                continue
            apart = bool(places) and place != places[-1] + 1
            if places and (apart or len(places) == WINDOW or tokens + size > WINDOW_TOKENS):
                yield Window(tuple(places), tuple(texts))
                places, texts, tokens = [], [], 0
            places.append(place)
            texts.append(sentence.text)
            tokens += size
        if places:
            yield Window(tuple(places), tuple(texts))

    def ask(self, windows: Sequence[Window], document_id: str) -> list[Answered]:
        """What the model says of each window of a document, in their order.

        Raises:
            BudgetSpent: a call could exceed the budget; those before it are in the cache.
            PromptTooLong: a window does not fit into what the model reads, as it is set now.
            ModelError: the model cannot be reached, or does not answer in time.
        """
        ask = partial(self._ask, self._model.of(document_id))
        tell = partial(self._progress, "windows of a document") if self._progress else None
        return ask_side_by_side(ask, windows, self._asking.concurrency, self._model.name, progress=tell)

    def foresee(self, windows: Sequence[Window]) -> list[Foreseen]:
        """What asking for each window would cost."""
        schema = ClaimAnswers.model_json_schema()
        return [self._model.foresee(self._messages(window), self._sampling, schema) for window in windows]

    def _ask(self, model: CountedModel, window: Window, given_up: threading.Event) -> Answered:
        deadline = CallDeadline(self._asking.seconds, given_up)
        try:
            answer = structured(model, self._messages(window), ClaimAnswers, self._sampling, deadline)
        except (OutputInvalid, OutputCut, ModelRefused):
            # The same call gives the same answer; the other windows are not worse for it.
            return Answered(window, None)
        return Answered(window, tuple(answer.value.claims))

    def _messages(self, window: Window) -> list[Message]:
        return self._prompt.messages(window=numbered(window.texts))


def asking_fingerprint(model: CountedModel, judge: str, asking: Asking) -> str:
    """The version of what a model is asked and of what is made of it; `judge` is that of the heads that judge."""
    how = f"{WINDOW}-{WINDOW_TOKENS}-{SENTENCE_TOKENS}-{asking.max_tokens}-{asking.trust}"
    return f"{EXTRACTOR}+{model.fingerprint}+{load_prompt(PROMPT).fingerprint}+{judge}+{how}"
