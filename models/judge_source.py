"""Which judges are named: the packaged ones, models of the hub, or the language model that reasons."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial

from causetrail.errors import ModelNotChosen, SettingInvalid
from models.cross_encoder_judge import CROSS_ENCODER, CrossEncoderJudge
from models.judge import CauseJudge, EntailmentJudge, RelevanceJudge, SufficiencyJudge
from models.judges import NAME, Judges
from models.language_model_source import NONE, LanguageModels
from models.model_judges import TRUST, ModelJudges
from models.nli_judge import NLI, NliJudge

PACKAGED = NAME
REASONER = "reasoner"
STAGE = "judge"
"""How the calls of a language model are booked."""


@dataclass(frozen=True)
class JudgeNames:
    """Who judges what, by name: `causetrail_judges`, `reasoner`, or a model of the hub that was made for it."""

    entailment: str = PACKAGED
    """Also `nli:NAME_OR_PATH`."""
    relevance: str = PACKAGED
    """Also `cross-encoder:NAME_OR_PATH`."""
    cause: str = PACKAGED
    sufficiency: str = PACKAGED


@dataclass(frozen=True)
class ChosenJudges:
    """A judge for each judgement; one and the same where the same name stands for several."""

    entailment: EntailmentJudge
    relevance: RelevanceJudge
    cause: CauseJudge
    sufficiency: SufficiencyJudge

    @property
    def fingerprints(self) -> Mapping[str, str]:
        """Who judged, by judgement, for traces."""
        return {
            "entailment": self.entailment.fingerprint,
            "relevance": self.relevance.fingerprint,
            "cause": self.cause.fingerprint,
            "sufficiency": self.sufficiency.fingerprint,
        }


def load_judges(
    names: JudgeNames | None = None,
    language_models: LanguageModels | None = None,
    threads: int = 1,
    trust: float = TRUST,
    concurrency: int = 1,
) -> ChosenJudges:
    """Loads the judges that are named; one that several judgements name is loaded once.

    Args:
        names: Who judges what; the packaged judges do where it is not given.
        language_models: Where `reasoner` is found; needed for that name alone.
        threads: Threads that a judge in this process may use.
        trust: Probability that a verdict of the language model is right, above a half and below 1.
        concurrency: Calls of the language model at once.

    Raises:
        SettingInvalid: a name is none of those that the judgement takes.
        ModelDamaged: the packaged weights were changed.
        ModelMissing: a model cannot be found or loaded, or does not judge that.
        ExtraMissing: it needs the extra `torch`.
        ModelNotChosen: it is the reasoner, and there is none.
    """
    names = names or JudgeNames()
    shelf = _Shelf(language_models, threads, trust, concurrency)
    return ChosenJudges(
        entailment=shelf.entailment(names.entailment),
        relevance=shelf.relevance(names.relevance),
        cause=shelf.any_task("cause judge", names.cause),
        sufficiency=shelf.any_task("sufficiency judge", names.sufficiency),
    )


def load_relevance_judge(
    name: str,
    setting: str,
    language_models: LanguageModels | None = None,
    threads: int = 1,
    given_up: threading.Event | None = None,
) -> RelevanceJudge:
    """Loads the judge of relevance alone.

    Args:
        name: Who judges.
        setting: Which setting names it, for messages.
        language_models: As in `load_judges`.
        threads: As in `load_judges`.
        given_up: Ends the calls of a language model when it is set.

    Raises:
        As `load_judges`.
    """
    return _Shelf(language_models, threads, TRUST, 1, given_up).relevance(name, setting, NONE)


class _Shelf:
    """Judges that were loaded, so that none is loaded twice."""

    def __init__(
        self,
        language_models: LanguageModels | None,
        threads: int,
        trust: float,
        concurrency: int,
        given_up: threading.Event | None = None,
    ) -> None:
        self._language_models = language_models
        self._threads = threads
        self._trust = trust
        self._concurrency = concurrency
        self._given_up = given_up

    def entailment(self, name: str) -> EntailmentJudge:
        model = name.removeprefix(NLI)
        if model and model != name:
            return NliJudge(model, self._threads)
        return self.any_task("entailment judge", name, NLI)

    def relevance(self, name: str, setting: str = "relevance judge", *besides: str) -> RelevanceJudge:
        """`besides` are other names that the setting takes, for the message."""
        model = name.removeprefix(CROSS_ENCODER)
        if model and model != name:
            return CrossEncoderJudge(model, self._threads)
        return self.any_task(setting, name, CROSS_ENCODER, *besides)

    def any_task(self, setting: str, name: str, prefix: str | None = None, *besides: str) -> Judges | ModelJudges:
        """One of those that judge everything; `prefix` is that of the others, for the message, as are `besides`."""
        if name == PACKAGED:
            return self._packaged
        if name == REASONER:
            return self._reasoner
        known = f"neither {PACKAGED} nor {REASONER}"
        if prefix:
            known = f"none of {', '.join((*besides, PACKAGED, REASONER))} and {prefix}NAME_OR_PATH"
        raise SettingInvalid(name=setting, value=repr(name), reason=f"it is {known}")

    @cached_property
    def _packaged(self) -> Judges:
        return Judges(threads=self._threads)

    @cached_property
    def _reasoner(self) -> ModelJudges:
        feature = "Judging by the reasoner"
        if self._language_models is None:
            raise ModelNotChosen(feature=feature)
        models = self._language_models
        deadline = partial(models.deadline, self._given_up)
        return ModelJudges(
            models.need(REASONER, feature).at(STAGE), models.sampling, deadline, self._trust, self._concurrency
        )
