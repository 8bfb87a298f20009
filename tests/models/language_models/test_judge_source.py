"""Judges by their names."""

from __future__ import annotations

import json

import pytest

from causetrail.errors import BudgetSpent, ModelMissing, ModelNotChosen, SettingInvalid
from causetrail.settings import load_settings
from models.cross_encoder_judge import CrossEncoderJudge
from models.judge_source import JudgeNames, load_judges
from models.judges import Judges
from models.language_model_source import load_language_models
from models.model_judges import ModelJudges
from models.nli_judge import NliJudge
from tests.models.language_models.scripted_server import ScriptedServer, says


def test_the_packaged_ones_judge_everything_and_are_loaded_once() -> None:
    judges = load_judges()
    assert isinstance(judges.entailment, Judges)
    assert judges.entailment is judges.relevance is judges.cause is judges.sufficiency
    assert judges.fingerprints == dict.fromkeys(
        ("entailment", "relevance", "cause", "sufficiency"), judges.entailment.fingerprint
    )


def test_the_reasoner_judges_what_it_is_named_for_and_its_calls_are_booked(server: ScriptedServer) -> None:
    pytest.importorskip("httpx2", reason="the extra llm is not there")
    chosen = load_language_models(load_settings(llm="none", llm_reasoner="openai:tiny", llm_base_url=server.url))
    names = JudgeNames(entailment="reasoner", sufficiency="reasoner")
    judges = load_judges(names, chosen, trust=0.7, concurrency=2)
    assert isinstance(judges.entailment, ModelJudges)
    assert judges.sufficiency is judges.entailment
    assert isinstance(judges.cause, Judges)
    assert len(set(judges.fingerprints.values())) == 2
    server.script = [says(json.dumps({"verdict": "suffices"}))]
    assert judges.sufficiency.sufficiency([("Why?", "It rained."), ("Who?", "Nobody.")]) == [0.7, 0.7]
    assert chosen.ledger.by_stage()["judge"].calls == 2
    chosen.close()


def test_the_budget_holds_for_judging_too(server: ScriptedServer) -> None:
    pytest.importorskip("httpx2", reason="the extra llm is not there")
    settings = load_settings(llm="openai:tiny", llm_base_url=server.url, llm_budget_tokens=10)
    chosen = load_language_models(settings)
    with pytest.raises(BudgetSpent):
        load_judges(JudgeNames(relevance="reasoner"), chosen).relevance.relevance("Why?", ["It rained."])
    assert server.asked == []
    chosen.close()


def test_without_a_language_model_there_is_no_reasoner() -> None:
    for models in (None, load_language_models(load_settings(llm="none"))):
        with pytest.raises(ModelNotChosen, match="Judging"):
            load_judges(JudgeNames(cause="reasoner"), models)


@pytest.mark.parametrize(
    ("task", "name"),
    [
        *((task, name) for task in ("entailment", "relevance", "cause", "sufficiency") for name in ("", "smollm2")),
        *(("entailment", name) for name in ("nli:", "cross-encoder:a/b", "NLI:a/b")),
        *(("relevance", name) for name in ("cross-encoder:", "nli:a/b")),
        *(("cause", name) for name in ("nli:a/b", "cross-encoder:a/b")),
        *(("sufficiency", name) for name in ("nli:a/b", "cross-encoder:a/b")),
    ],
)
def test_a_name_that_does_not_judge_that_is_refused(task: str, name: str) -> None:
    with pytest.raises(SettingInvalid, match=f"setting {task} judge cannot be '{name}'") as caught:
        load_judges(JudgeNames(**{task: name}))
    assert ("nli:NAME_OR_PATH" in caught.value.message) == (task == "entailment")
    assert ("cross-encoder:NAME_OR_PATH" in caught.value.message) == (task == "relevance")


@pytest.mark.torch
@pytest.mark.parametrize(
    ("task", "prefix", "kind"), [("entailment", "nli:", NliJudge), ("relevance", "cross-encoder:", CrossEncoderJudge)]
)
def test_a_model_of_the_hub_is_loaded_by_its_name(
    monkeypatch: pytest.MonkeyPatch, task: str, prefix: str, kind: type
) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra torch is not there")
    with pytest.raises(ModelMissing) as caught:
        load_judges(JudgeNames(**{task: f"{prefix}/no/such:folder"}))
    assert caught.value.details["model"] == "/no/such:folder"
    loaded: list[tuple[str, int]] = []
    monkeypatch.setattr(kind, "__init__", lambda self, name, threads: loaded.append((name, threads)))
    judges = load_judges(JudgeNames(**{task: f"{prefix}a/b"}), threads=3)
    assert isinstance(getattr(judges, task), kind)
    assert loaded == [("a/b", 3)]
