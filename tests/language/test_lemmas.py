from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from language.lemmas import (
    can_be_adjective,
    can_be_noun,
    can_be_verb,
    is_gerund,
    is_past_or_participle,
    is_third_person,
    lemma_of,
)


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("Failed", "fail"),
        ("rose", "rise"),
        ("crashes", "crash"),
        ("failures", "failure"),
        ("building", "building"),
        ("wound", "wound"),
        ("re-opened", "re-open"),
        ("derailments", "derailment"),
        ("rebooted", "reboot"),
        ("deprioritised", "deprioritise"),
        ("kubelets", "kubelet"),
        ("was", "be"),
        ("n’t", "not"),
        ("children", "child"),
        ("gas", "gas"),
        ("3.5", "3.5"),
        ("", ""),
    ],
)
def test_lemma_without_a_tagger(word: str, lemma: str) -> None:
    assert lemma_of(word) == lemma


@pytest.mark.parametrize(
    ("word", "pos", "lemma"),
    [
        ("building", "VERB", "build"),
        ("rose", "NOUN", "rose"),
        ("leaves", "VERB", "leave"),
        ("that", "SCONJ", "that"),
        ("fewer", "ADJ", "few"),
    ],
)
def test_lemma_with_a_part_of_speech(word: str, pos: str, lemma: str) -> None:
    assert lemma_of(word, pos) == lemma


@given(st.text(max_size=60), st.sampled_from(["", "NOUN", "VERB", "ADJ", "X"]))
def test_any_text_has_a_lower_case_lemma(word: str, pos: str) -> None:
    lemma = lemma_of(word, pos)
    assert lemma == lemma.lower()
    assert bool(lemma) == bool(word)
    assert isinstance(can_be_verb(word) or can_be_noun(word) or can_be_adjective(word), bool)


def test_word_classes() -> None:
    assert can_be_verb("fails") and not can_be_verb("because")
    assert can_be_noun("failure") and not can_be_noun("failed")
    assert [
        word
        for word in ("failed", "rose", "cut", "broken", "fails", "failing", "ceiling")
        if is_past_or_participle(word)
    ] == [
        "failed",
        "rose",
        "cut",
        "broken",
    ]
    assert [word for word in ("failing", "ceiling", "bring", "flooding") if is_gerund(word)] == ["failing", "flooding"]
    assert [word for word in ("fails", "carries", "goes", "fail", "gas", "stopped") if is_third_person(word)] == [
        "fails",
        "carries",
        "goes",
    ]


def test_lemmas_of_questions_do_not_wait_for_spacy() -> None:
    program = "import sys; from language.lemmas import lemma_of; lemma_of('failed'); print('spacy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
