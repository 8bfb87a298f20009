"""Statements that would complete an explanation, proposed by a language model: candidates, never facts.

Nothing here says that a candidate is true, or that it explains anything: whoever uses one has a judge decide, and names
it as an assumption. `packaged_premise_model` is the smallest language model with an adapter that was trained for these
prompts (LoRA: Hu et al. 2021, arXiv 2106.09685); any other language model is asked in the same words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from causetrail.errors import ArgumentInvalid, BudgetSpent, ModelRefused, ModelSlow, OutputCut, OutputInvalid
from models.call_deadline import CallDeadline
from models.gguf_model import PACKAGED_NAME, GgufModel, packaged_gguf
from models.language_model import LanguageModel, Sampling
from models.premise_schema import PremiseAnswer, cause_and_effect, evidence_and_conclusion
from models.prompts import load_prompt
from models.restatements import restates, words_of
from models.structured_output import structured
from models.weights_card import WEIGHTS

NAME: Final = "causetrail_premises"
OF_EFFECT: Final = "premise_of_effect"
OF_CONCLUSION: Final = "premise_of_conclusion"
CONTEXT_TOKENS: Final = 1_024
"""Of the packaged model; its prompts have about 200 beside what is given."""
MOST_TOKENS: Final = 64
"""Longest answer: a statement is one sentence."""
_TEMPERATURE: Final = 0.8
"""Of all candidates but the first, which is the likeliest answer."""
_TRIES: Final = 3
"""Calls for each candidate that is wanted: some answers are dropped."""

Reason = Literal["empty", "restated", "repeated", "unusable"]
"""Why an answer is dropped: it says nothing, repeats what was given, repeats another candidate, or is no answer."""


@dataclass(frozen=True)
class PremiseCandidate:
    """A statement that a language model proposed, and that nothing has proved yet."""

    text: str
    """The statement, on one line."""
    model: str
    """Fingerprint of the language model."""
    prompt: str
    """Fingerprint of the prompt, with a digest of its file."""
    sampling: Sampling
    """How it was drawn: with the two above it can be drawn again."""
    seconds: float
    """How long the model took; 0 where the answer was kept."""


class Candidates(NamedTuple):
    """What a model proposed.

    Attributes:
        kept: The candidates in the order in which they were drawn, none twice; fewer than were wanted where the model
            has no more to say.
        dropped: Answers that are no candidates, by reason.
    """

    kept: tuple[PremiseCandidate, ...]
    dropped: Counter[Reason]


def packaged_premise_model() -> GgufModel:
    """SmolLM2-135M-Instruct with the packaged adapter; it answers nothing else well.

    Raises:
        ExtraMissing: xllamacpp is not installed.
        ModelMissing: the file of SmolLM2 is not installed, or is another one.
        ModelDamaged: the adapter is not the one that was packaged.
    """
    return GgufModel(packaged_gguf(), CONTEXT_TOKENS, f"{PACKAGED_NAME} with {NAME}", WEIGHTS / NAME)


class PremiseGenerator:
    """Asks a language model for missing statements. Safe to use from threads, as the model is."""

    def __init__(self, model: LanguageModel) -> None:
        """Takes the model; whoever made it closes it."""
        self._model = model

    def candidates(self, cause: str, effect: str, count: int, deadline: CallDeadline) -> Candidates:
        """General statements that might explain why a cause had its effect.

        Args:
            cause: Words of a document.
            effect: Words of a document.
            count: Most candidates; at least 1.
            deadline: For all calls together. When it ends, or the budget does, what was found until then is given.

        Raises:
            ArgumentInvalid: `count` is below 1.
            ModelSlow: the time is over and nothing was found.
            BudgetSpent: the first call could exceed the budget.
            ModelCancelled: another thread gave it up.
            PromptTooLong: both do not fit; nothing is cut.
            ModelError: whatever else may be wrong with the model or its server.
        """
        return self._drawn(OF_EFFECT, cause_and_effect(cause, effect), (cause, effect), count, deadline)

    def candidates_for(
        self, evidence: Sequence[str], conclusion: str, count: int, deadline: CallDeadline
    ) -> Candidates:
        """Statements that might be missing so that a conclusion follows from evidence.

        Args:
            evidence: Statements of documents.
            conclusion: What is to follow.
            count: As in `candidates`.
            deadline: As in `candidates`.

        Raises:
            As `candidates`.
        """
        shown = evidence_and_conclusion(evidence, conclusion)
        return self._drawn(OF_CONCLUSION, shown, (*evidence, conclusion), count, deadline)

    def answer(self, prompt: str, shown: str, sampling: Sampling, deadline: CallDeadline) -> PremiseCandidate:
        """One answer as the model gives it, which may say nothing, or nothing new.

        Args:
            prompt: `OF_EFFECT` or `OF_CONCLUSION`.
            shown: What is given, from `models.premise_schema`.
            sampling: How it is drawn.
            deadline: How long it may take.

        Raises:
            OutputInvalid, OutputCut, ModelRefused: it is no answer.
            ModelError: as `candidates`.
        """
        asked = load_prompt(prompt)
        told = structured(self._model, asked.messages(given=shown), PremiseAnswer, sampling, deadline)
        text = " ".join(told.value.premise.split())
        seconds = sum(one.seconds for one in told.completions)
        return PremiseCandidate(text, self._model.fingerprint, asked.fingerprint, sampling, seconds)

    def _drawn(self, prompt: str, shown: str, given: Sequence[str], count: int, deadline: CallDeadline) -> Candidates:
        if count < 1:
            raise ArgumentInvalid(argument="count", value=str(count), reason="at least one candidate must be wanted")
        kept: dict[tuple[str, ...], PremiseCandidate] = {}
        dropped: Counter[Reason] = Counter()
        for sampling in _samplings(_TRIES * count):
            try:
                told = self.answer(prompt, shown, sampling, deadline)
            except (OutputInvalid, OutputCut, ModelRefused):
                dropped["unusable"] += 1
                continue
            except (BudgetSpent, ModelSlow):
                if not kept:
                    raise
                break
            words = tuple(words_of(told.text))
            if not words:
                dropped["empty"] += 1
            elif restates(told.text, given):
                dropped["restated"] += 1
            elif words in kept:
                dropped["repeated"] += 1
            else:
                kept[words] = told
            if len(kept) == count:
                break
        return Candidates(tuple(kept.values()), dropped)


def _samplings(count: int) -> Iterator[Sampling]:
    """The likeliest answer, then others that chance decides, repeatable by their seeds."""
    yield Sampling(MOST_TOKENS)
    for seed in range(1, count):
        yield Sampling(MOST_TOKENS, _TEMPERATURE, seed)
