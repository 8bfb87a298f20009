from __future__ import annotations

from pathlib import Path

import pytest

from training.relation_sets import Example, SpanRelation, is_held_out, tagged, training_set, without_near_copies

HEADER = "text,text_w_pairs,seq_label,pair_label\n"
CAUSAL = "<ARG1>The pump stopped</ARG1> <SIG0>because</SIG0> <ARG0>the seal leaked</ARG0> ."
TEXT = "The pump stopped because the seal leaked ."


def test_tags_become_characters() -> None:
    text, relation = tagged(CAUSAL)
    assert text == TEXT
    assert relation is not None
    assert text[slice(*relation.cause)] == "the seal leaked"
    assert text[slice(*relation.effect)] == "The pump stopped"
    assert [text[slice(*one)] for one in relation.signals] == ["because"]


def test_a_signal_inside_an_argument() -> None:
    text, relation = tagged("<ARG1>They closed it</ARG1> <ARG0><SIG0>to</SIG0> save water</ARG0> .")
    assert relation is not None
    assert text[slice(*relation.cause)] == "to save water"
    assert text[slice(*relation.signals[0])] == "to"


@pytest.mark.parametrize("markup", ["No tags .", "<ARG0>Half</ARG0> a relation ."])
def test_no_relation(markup: str) -> None:
    assert tagged(markup)[1] is None


@pytest.fixture
def data(tmp_path: Path) -> Path:
    news, others = tmp_path / "causal_news_corpus", tmp_path / "unicausal"
    news.mkdir()
    others.mkdir()
    for split in ("train", "dev"):
        extra = "The dam held .,0\n" if split == "train" else ""
        (news / f"{split}_subtask1.csv").write_text(
            f"text,label\n{TEXT if split == 'train' else 'The gate jammed all night long today .'},1\n{extra}", "utf-8"
        )
        (news / f"{split}_subtask2.csv").write_text(HEADER + f"{TEXT},{CAUSAL},1,1\n", "utf-8")
        for name in ("because", "semeval2010t8", "altlex", "ctb"):
            rows = f"{TEXT},{CAUSAL},1,1\n" if split == "train" else ""
            plain = "".join(f"Plain sentence {n} ,Plain sentence {n} ,0,0\n" for n in range(9))
            (others / f"{name}_{'train' if split == 'train' else 'test'}.csv").write_text(
                HEADER + rows + (plain if split == "train" else ""), "utf-8"
            )
    return tmp_path


def test_the_corpora_in_one_form(data: Path) -> None:
    news = training_set(data, ["cnc"])
    assert [(one.text, one.causal, len(one.relations)) for one in news] == [
        (TEXT, True, 1),
        ("The dam held .", False, 0),
    ]
    assert {one.corpus for one in training_set(data, ["cnc", "because"])} == {"cnc", "because"}


def test_few_of_the_sentences_of_semeval_that_are_not_causal(data: Path) -> None:
    found = training_set(data, ["semeval"])
    assert [one.causal for one in found].count(False) == 2
    assert found == training_set(data, ["semeval"])


def test_near_copies_of_what_is_measured_on_are_left_out() -> None:
    examples = [Example(text, "cnc", False, ()) for text in ("a b c d e f g h i j", "a b c d e f g h x y", "z")]
    kept = without_near_copies(examples, ["A b c d e f g h i k", ""])
    assert [one.text for one in kept] == ["a b c d e f g h x y", "z"]


def test_about_a_tenth_is_held_out() -> None:
    examples = [
        Example(f"sentence {number}", "cnc", True, (SpanRelation((0, 1), (2, 3), ()),)) for number in range(500)
    ]
    assert 25 < sum(map(is_held_out, examples)) < 80
