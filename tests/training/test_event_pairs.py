from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from models.event_pairs import EventPairs, SentenceEvents
from models.weights_card import open_weights
from tests.training.test_event_sets import annotated, archive
from training import event_pairs
from training.event_examples import BACKWARD, FORWARD, NONE, Reader, pair_examples, span_examples
from training.event_sets import FILES, EventDocument

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader()


def document(sentences: list[str], events: list[tuple[int, str]], links: list[tuple[int, int]]) -> EventDocument:
    triggers = [(place, (start := sentences[place].index(word), start + len(word))) for place, word in events]
    return EventDocument(
        "eventstoryline",
        "1",
        tuple(sentences),
        tuple(triggers),
        frozenset(place for place, _ in events),
        frozenset((triggers[one], triggers[other]) for one, other in links),
    )


def test_pairs_of_a_sentence_and_of_adjacent_ones(reader: Reader) -> None:
    texts = ["Rain fell and a dam burst .", "The valley flooded .", "Nobody slept .", "Trains stopped ."]
    events = [(0, "fell"), (0, "burst"), (1, "flooded"), (3, "stopped")]
    pairs = pair_examples(reader, [document(texts, events, [(1, 0), (1, 2), (1, 3)])])
    assert pairs.labels.tolist() == [BACKWARD, NONE, FORWARD]
    assert pairs.across.tolist() == [False, True, True]
    assert pairs.judged.all()
    assert pairs.features.shape[:2] == (2, 3)


def test_found_events_are_linked_where_the_annotated_ones_are(reader: Reader) -> None:
    texts = ["Rain fell and a dam burst ."]
    told = document(texts, [(0, "fell"), (0, "burst")], [(0, 1)])
    found = pair_examples(reader, [told], {"topic 1": lambda _: [(0, 0), (1, 1), (5, 5)]})
    assert found.labels.tolist() == [NONE, NONE, FORWARD]


def test_only_looked_at_pairs_are_judged(reader: Reader) -> None:
    texts = ["Rain fell , a dam burst and cows drowned ."]
    told = document(texts, [(0, "fell"), (0, "burst"), (0, "drowned")], [(0, 1)])
    _, burst, drowned = told.triggers
    looked_at = told._replace(unlinked=frozenset({(drowned, burst)}))
    assert pair_examples(reader, [looked_at]).judged.tolist() == [True, False, True]


def test_events_inside_annotated_spans(reader: Reader) -> None:
    text = "The pump stopped because the seal leaked , they said ."
    spans = (((0, (25, 40)), (0, (0, 16))),)
    told = EventDocument("cnc", text, (text,), (), frozenset(), frozenset(), spans)
    pairs = span_examples(reader, [told], lambda _: [(2, 2), (5, 5), (6, 6), (9, 9)])
    # stopped-seal, stopped-said, seal-said and leaked-said; what else lies inside the two spans is not known.
    assert pairs.labels.tolist() == [BACKWARD, NONE, NONE, NONE]


def test_one_command_makes_heads_with_their_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], reader: Reader
) -> None:
    data, target = tmp_path / "data", tmp_path / "heads"
    things = ("mill", "barn", "shop", "hotel", "church", "school")
    texts = {
        f"v1.5/{topic}/{topic}_{number}.xml": annotated(
            [
                f"A fire in the {thing} killed {number} people .",
                f"The {thing} met {number} reporters and thanked them .",
            ],
            [[2], [6], [12], [16]],
            [(0, 1, {"relType": "PRECONDITION"})],
        )
        for topic, thing in enumerate(things, start=1)
        for number in range(2, 20)
    }
    archive(data / FILES["eventstoryline"][0], texts)
    options = ["--data", str(data), "--corpora", "eventstoryline", "--output", str(target)]
    monkeypatch.setattr(sys, "argv", ["event_pairs", *options])
    event_pairs.main()
    assert '"events_f1"' in capsys.readouterr().out
    card = open_weights(target).card
    assert card["licences_of_data"] == {"eventstoryline": "CC BY 3.0"}
    assert set(card["trained_on"]) == set(FILES["eventstoryline"])
    assert card["on_held_out"]["links"] == len(texts)
    pairs = EventPairs(reader.heads.pairs, reader.heads.fingerprint, target)
    read = reader.read("A fire in the theatre killed 9 people .")
    assert read is not None
    assert (5, 5) in pairs.events(read[1]).triggers
    (link,) = pairs.links(SentenceEvents(read[1], ((1, 1), (5, 5))))
    assert link.forward
    assert link.probability > 0.5


def test_weights_that_must_not_be_shipped_stay_out_of_the_package(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for options in (["--research"], ["--corpora", "meci"]):
        monkeypatch.setattr(sys, "argv", ["event_pairs", *options])
        with pytest.raises(SystemExit):
            event_pairs.main()
        assert "must not be shipped" in capsys.readouterr().err


def test_the_perceptrons_of_training_and_those_that_are_shipped_score_alike(reader: Reader) -> None:
    pairs = EventPairs(reader.heads.pairs, reader.heads.fingerprint)
    net = torch.nn.Sequential(torch.nn.Linear(4, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    pairs._weights |= event_pairs._tensors("event", net)
    inputs = np.random.default_rng(0).normal(size=(5, 4)).astype(np.float32)
    np.testing.assert_allclose(pairs._perceptron("event", inputs), event_pairs._run(net, inputs), atol=1e-6)
