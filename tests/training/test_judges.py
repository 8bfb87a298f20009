"""Training of the judges on made-up sets, from the files to the packaged form."""

from __future__ import annotations

import copy
import json
import random
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from models.adapted_trunk import TRUNK, trunk_and_head
from models.encoder import PACKAGED
from models.judges import CALIBRATION, MARKS, NAME, OUTPUTS, TRUNKS, Judges, Task
from models.weights_card import HEAD_FILE, WEIGHTS, open_weights
from training import judges
from training.cards import write_head
from training.fitting import Schedule
from training.judge_net import EncodedGroup, JudgeNet
from training.judge_sets import (
    JudgeExample,
    chosen_causes,
    copa,
    events_of_topics,
    inferences,
    is_held_out,
    nearest,
    questions,
    trees,
)

pytestmark = pytest.mark.torch
PLACES = tuple(
    f"{one} {other}"
    for one in ("old", "new", "far", "low", "high", "red")
    for other in ("mill", "barn", "shop", "farm")
)


def write_lines(path: Path, rows: list[dict[str, object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def ecare_rows() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for number, place in enumerate(PLACES):
        told, other = f"A storm hit the {place}.", f"A party was held at the {place}."
        right = number % 2
        rows.append(
            {
                "premise": f"The {place} lost its roof.",
                "ask-for": "cause",
                "hypothesis1": other if right else told,
                "hypothesis2": told if right else other,
                "label": right,
            }
        )
    return rows


@pytest.fixture(scope="module")
def net() -> JudgeNet:
    torch.manual_seed(0)
    net = JudgeNet(WEIGHTS / PACKAGED / "model.onnx", 4, tuple(Task))
    for parameter in net.parameters():
        parameter.data = parameter.data.half().float()
    return net.eval()


@pytest.mark.slow
def test_what_is_learned_reaches_the_packaged_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    write_lines(tmp_path / "ecare/train.jsonl", ecare_rows())
    target = tmp_path / "judges"
    rest = [source for source in judges.FILES if source not in {"ecare"}]
    options = ["--data", str(tmp_path), "--epochs", "5", "--output", str(target), "--without", *rest]
    monkeypatch.setattr(sys, "argv", ["judges", *options])
    judges.main()
    losses = [float(one) for one in re.findall(r"epoch \d+ of 5: loss ([\d.]+)", capfd.readouterr().out)]
    assert len(losses) == 5
    assert losses[-1] < losses[0] / 2
    card = open_weights(target).card
    assert card["licences_of_data"] == {"ecare": "MIT"}
    assert card["licence"] == "Apache-2.0"
    assert card["held_out"] > 0
    assert card["on_held_out"]["cause_pairs"] == 2 * card["held_out"]
    told = Judges(target).causes(
        [("A storm hit the inn.", "The inn lost its roof."), ("A party was held.", "The inn lost its roof.")]
    )
    assert told[0] > 0.5 > told[1]


@pytest.mark.slow
def test_a_trunk_that_is_not_trained_stays_as_packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_lines(tmp_path / "ecare/train.jsonl", ecare_rows())
    target = tmp_path / "judges"
    rest = [source for source in judges.FILES if source != "ecare"]
    options = ["--data", str(tmp_path), "--epochs", "1", "--output", str(target), "--trunk", "events"]
    monkeypatch.setattr(sys, "argv", ["judges", *options, "--without", *rest])
    judges.main()
    made, packaged = load_file(target / HEAD_FILE), load_file(WEIGHTS / NAME / HEAD_FILE)
    changed = {name for name in packaged if not np.array_equal(made[name], packaged[name])}
    assert changed
    assert all(name.startswith(("events.", CALIBRATION + Task.CAUSE)) for name in changed)
    assert open_weights(target).card["command"] == "python -m training.judges --trunk events"


def test_the_judges_of_training_and_those_that_are_shipped_score_alike(net: JudgeNet, tmp_path: Path) -> None:
    tensors = net.tensors()
    changes, head = trunk_and_head(tensors)
    assert sum(name.startswith(TRUNK) for name in tensors) == len(changes) == 2 * 72
    of_both = {f"{trunk}.{name}": values for trunk in TRUNKS for name, values in tensors.items()}
    write_head(tmp_path, of_both, {"model": "tried"})
    shipped = Judges(tmp_path)
    first, second = "The pump failed.", "The town was flooded."
    for task, count in OUTPUTS.items():
        ids = shipped.token_ids(task, first, second)
        with torch.no_grad():
            told = net.heads[task](net._pooled([ids]))[0].numpy()
        scores = shipped.scores(task, [(first, second)])[0]
        assert scores.shape == (count,)
        assert head[f"heads.{task}.weight"].shape == (count, 768)
        # The trunk in bfloat16 and the one in int8 differ by as much.
        np.testing.assert_allclose(scores, told, atol=0.15)


def test_padding_changes_nothing(net: JudgeNet) -> None:
    short, long = [101, 3, 2058, 102], [101, 3, *range(2_000, 2_030), 102]
    with torch.no_grad():
        alone, beside = net._pooled([short])[0], net._pooled([short, long])[0]
    np.testing.assert_allclose(alone.numpy(), beside.numpy(), atol=0.05)


def test_a_group_learns_which_pair_is_right(net: JudgeNet) -> None:
    net = copy.deepcopy(net).train()
    group = EncodedGroup(Task.CAUSE, ([101, 3, 2058, 102], [101, 3, 3000, 102]), (1, 0))
    optimizer = torch.optim.AdamW(net.parameters(), lr=1e-2)
    for _ in range(12):
        loss = net.loss([group])
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
    net.eval()
    with torch.no_grad():
        right, wrong = net.heads[Task.CAUSE](net._pooled(group.ids))[:, 0].tolist()
    assert right > wrong + 1


def test_what_is_soon_known_by_heart_is_seen_in_the_last_epoch_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = (("The pump failed.", "The town was flooded."), ("Bread is sold.", "The town was flooded."))
    examples = [JudgeExample(Task.CAUSE, source, pairs, (1, 0), source) for source in ("ecare", "aer", "copa")]
    epochs: list[int] = []

    def fit(
        net: JudgeNet,
        loss: object,
        batches: Callable[[random.Random], Iterator[list[EncodedGroup]]],
        schedule: Schedule,
        draw: random.Random,
        name: str,
    ) -> None:
        drawn = [list(batches(draw)) for _ in range(schedule.epochs)]
        assert sum(map(len, drawn)) == schedule.steps
        epochs.extend(sum(map(len, batch)) for batch in drawn)

    monkeypatch.setattr(judges, "fit", fit)
    judges.train("events", examples, epochs=3, seed=0)
    assert epochs == [2, 2, 3]


def test_each_group_is_in_one_batch_and_each_batch_of_one_task() -> None:
    groups = [
        EncodedGroup(task, [[101, MARKS[task], *range(1_000, 1_000 + length), 102]] * 2, (1, 0))
        for task in Task
        for length in range(1, 120)
    ]
    drawn = list(judges.batches(groups, random.Random(0)))
    assert sorted(id(group) for batch in drawn for group in batch) == sorted(map(id, groups))
    assert all(len({group.task for group in batch}) == 1 for batch in drawn)
    assert max(sum(len(one) for group in batch for one in group.ids) for batch in drawn) <= judges._TOKENS


def test_the_cause_comes_first_in_each_pair(tmp_path: Path) -> None:
    rows = [*ecare_rows()[:1], {**ecare_rows()[1], "ask-for": "effect"}]
    asked, followed = chosen_causes(write_lines(tmp_path / "train.jsonl", rows))
    assert asked.pairs[0] == ("A storm hit the old mill.", "The old mill lost its roof.")
    assert asked.gold == (1, 0)
    assert followed.pairs[0] == ("The old barn lost its roof.", "A party was held at the old barn.")
    assert followed.gold == (0, 1)
    path = tmp_path / "copa.xml"
    path.write_text(
        '<copa-corpus version="1.0"><item id="1" asks-for="cause" most-plausible-alternative="2">'
        "<p>The vase broke.</p><a1>It shone.</a1><a2>It fell.</a2></item></copa-corpus>",
        "utf-8",
    )
    (item,) = copa(path)
    assert item.pairs == (("It shone.", "The vase broke."), ("It fell.", "The vase broke."))
    assert item.gold == (0, 1)


def test_topics_that_are_held_out_are_never_learned_from(tmp_path: Path) -> None:
    rows = [
        {
            "topic_id": topic,
            "target_event": "A strike began.",
            "option_A": "Pay fell.",
            "option_B": "It rained.",
            "golden_answer": "A",
        }
        for topic in range(8)
    ]
    path = write_lines(tmp_path / "train.jsonl", rows)
    learned, kept = (list(events_of_topics(path, held_out=held)) for held in (False, True))
    assert {one.key for one in kept} == {"topic 3", "topic 7"}
    assert not {one.key for one in learned} & {one.key for one in kept}
    assert kept[0].gold == (1, 0)


def test_questions_are_learned_from_in_every_second_article(tmp_path: Path) -> None:
    def article(number: int) -> dict[str, object]:
        contexts = [
            f"The mill number {number} burned in May. It stood in ruins. A barn was built {place}."
            for place in ("there", "later")
        ]
        asked = [
            {
                "question": f"When did mill {number} burn?",
                "answers": [{"text": "May", "answer_start": contexts[0].index("May")}],
            }
        ] * 2
        return {
            "title": f"Mill_{number}",
            "paragraphs": [
                {"context": contexts[0], "qas": asked},
                {"context": contexts[1].replace("May", "June"), "qas": []},
            ],
        }

    path = tmp_path / "xquad.json"
    path.write_text(json.dumps({"data": [article(number) for number in range(4)]}), "utf-8")

    def sentences_of(text: str) -> list[str]:
        return re.findall(r"[^.]+\.", text)

    learned, kept = (list(questions(path, sentences_of, nearest, held_out=held)) for held in (False, True))
    assert {one.key for one in learned} == {"article Mill 0", "article Mill 2"}
    assert {one.key for one in kept} == {"article Mill 1", "article Mill 3"}
    of_sentence, of_paragraph = (one for one in learned[:4] if one.task is Task.RELEVANCE)
    assert of_sentence.pairs[0][1] == "The mill number 0 burned in May."
    assert of_paragraph.pairs[0][1].startswith("Mill 0: The mill number 0 burned in May. It stood")
    assert all(text.startswith("Mill 0: ") for _, text in of_paragraph.pairs)
    assert all("May" not in text for one in (of_sentence, of_paragraph) for _, text in one.pairs[1:])
    enough = next(one for one in learned if one.task is Task.SUFFICIENCY)
    assert [value == ("May" in text) for (_, text), value in zip(enough.pairs, enough.gold, strict=True)] == [
        True
    ] * len(enough.gold)


def test_a_proof_without_one_of_its_sentences_does_not_suffice(tmp_path: Path) -> None:
    row = {
        "hypothesis": "iron sinks in water",
        "question": "What does iron do in water?",
        "answer": "sink",
        "proof": "sent1 & sent3 -> hypothesis; ",
        "meta": {"triples": {"sent1": "iron is heavy", "sent2": "water is wet", "sent3": "heavy things sink in water"}},
    }
    path = write_lines(tmp_path / "dev.jsonl", [row])
    *relevant, enough = trees(path, frozenset(), nearest)
    assert [one.pairs[0][1] for one in relevant] == ["iron is heavy", "heavy things sink in water"]
    assert all(one.pairs[1][1] == "water is wet" for one in relevant)
    assert [text for _, text in enough.pairs] == [
        "iron is heavy. heavy things sink in water",
        "heavy things sink in water",
        "iron is heavy",
    ]
    assert enough.gold == (1, 0, 0)
    assert not list(trees(path, frozenset({"iron sinks in water"}), nearest))


def test_pairs_of_one_premise_are_held_out_together(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {
            "src": "scitail",
            "premise": f"Iron of kind {number % 60} sinks.",
            "hypothesis": f"It sinks {number}.",
            "label": "neutral",
        }
        for number in range(180)
    ]
    examples = list(inferences(write_lines(tmp_path / "nli.jsonl", rows), ("scitail",)))
    kept = {one.key for one in examples if is_held_out(one)}
    assert 0 < len(kept) < 30
    assert not kept & {one.key for one in examples if not is_held_out(one)}
    assert isinstance(examples[0], JudgeExample)
