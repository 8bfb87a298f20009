"""A language model as the judge of pairs of texts."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from pydantic import BaseModel

from causetrail.errors import SettingInvalid
from models.call_deadline import CallDeadline
from models.judges import Inference
from models.language_model import LanguageModel, Sampling
from models.prompts import FINGERPRINT_DIGITS, load_prompt
from models.side_by_side import ask_side_by_side
from models.structured_output import structured
from models.verdict_schema import CauseVerdict, EntailmentVerdict, RelevanceVerdict, SufficiencyVerdict

TRUST: Final = 0.8
"""Trust in a verdict where none is given. It is an assumption and no measurement."""
ENTAILMENT: Final = "judge_entailment"
RELEVANCE: Final = "judge_relevance"
CAUSE: Final = "judge_cause"
SUFFICIENCY: Final = "judge_sufficiency"
PROMPTS: Final = (ENTAILMENT, RELEVANCE, CAUSE, SUFFICIENCY)

MOST_TOKENS: Final = 64
"""Longest answer, with the room that some models need around a verdict; so much is held back from a budget."""

Verdict = TypeVar("Verdict", bound=BaseModel)


class ModelJudges:
    """All four judgements by a language model: one call and one verdict of a closed set for each pair.

    The model is not asked how sure it is: the probabilities that language models speak are not calibrated, most of all
    too high (Xiong et al. 2024, arXiv 2306.13063). A probability here is the trust in the model's verdicts, stated by
    whoever chooses the model, and the same for each of them; the rest is shared among the other verdicts. So these
    probabilities order nothing within a verdict, and they are as right as the trust is.

    The texts of a pair are data to the model. One that it obeys nevertheless can give its own pair another verdict of
    the set, at the same trust, or have it answer something that is no verdict, which is an error.
    """

    def __init__(
        self,
        model: LanguageModel,
        sampling: Sampling,
        deadline: Callable[[], CallDeadline],
        trust: float = TRUST,
        concurrency: int = 1,
    ) -> None:
        """Takes the model of the role `reasoner`.

        Args:
            model: Who judges.
            sampling: How its answers are drawn; none is longer than 64 tokens.
            deadline: Gives the deadline of a call that begins now; of all calls, where it gives the same one each time.
            trust: Probability that a verdict of the model is right, above a half and below 1.
            concurrency: Calls at once.

        Raises:
            SettingInvalid: the trust is none.
        """
        if not 0.5 < trust < 1:
            raise SettingInvalid(name="trust", value=repr(trust), reason="it must be more than 0.5 and less than 1")
        self._model = model
        self._sampling = replace(sampling, max_tokens=min(sampling.max_tokens, MOST_TOKENS))
        self._deadline = deadline
        self._trust = trust
        self._concurrency = concurrency
        self.prompts: Mapping[str, str] = {name: load_prompt(name).fingerprint for name in PROMPTS}
        """Fingerprint of each prompt by its name."""
        how = "\0".join([*self.prompts.values(), repr(self._sampling), repr(trust)])
        digest = hashlib.sha256(how.encode()).hexdigest()[:FINGERPRINT_DIGITS]
        self.fingerprint = f"{model.fingerprint}+judges-{digest}"
        """Changes with the model, a prompt, the trust, and how answers are drawn."""

    def inferences(self, pairs: Sequence[tuple[str, str]]) -> list[Inference]:
        """What follows from what, of premises and hypotheses.

        Raises:
            PromptTooLong: a pair does not fit into the model; nothing is cut.
            OutputInvalid, OutputCut, ModelRefused: it gave no verdict, not even when it was asked again.
            ModelError: it could not be asked, or not in time.
        """
        texts = [{"premise": premise, "hypothesis": hypothesis} for premise, hypothesis in pairs]
        other = (1 - self._trust) / 2
        shares = Inference(other, other, other)
        return [
            shares._replace(**{answer.verdict: self._trust})
            for answer in self._verdicts(ENTAILMENT, EntailmentVerdict, texts)
        ]

    def relevance(self, query: str, passages: Sequence[str]) -> list[float]:
        """Probability for each passage that it helps to answer the query.

        Raises:
            ModelError: as `inferences`.
        """
        texts = [{"question": query, "passage": passage} for passage in passages]
        answers = self._verdicts(RELEVANCE, RelevanceVerdict, texts)
        return [self._probability(answer.verdict == "helps") for answer in answers]

    def causes(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Probability for each pair of a candidate cause and an event that the first led to the second.

        Raises:
            ModelError: as `inferences`.
        """
        texts = [{"cause": cause, "effect": effect} for cause, effect in pairs]
        answers = self._verdicts(CAUSE, CauseVerdict, texts)
        return [self._probability(answer.verdict == "plausible") for answer in answers]

    def sufficiency(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Probability for each pair of a question and evidence that the evidence suffices for an answer.

        Raises:
            ModelError: as `inferences`.
        """
        texts = [{"question": question, "evidence": evidence} for question, evidence in pairs]
        answers = self._verdicts(SUFFICIENCY, SufficiencyVerdict, texts)
        return [self._probability(answer.verdict == "suffices") for answer in answers]

    def _verdicts(self, prompt: str, kind: type[Verdict], each: Sequence[Mapping[str, str]]) -> list[Verdict]:
        def ask(texts: Mapping[str, str], given_up: threading.Event) -> Verdict:
            messages = load_prompt(prompt).messages(**texts)
            deadline = self._deadline().or_when(given_up)
            return structured(self._model, messages, kind, self._sampling, deadline).value

        return ask_side_by_side(ask, each, self._concurrency, self._model.name)

    def _probability(self, affirmed: bool) -> float:
        return self._trust if affirmed else 1 - self._trust
