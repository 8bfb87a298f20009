"""Nobody is told that no document tells what a sentence near by tells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from causetrail import Causetrail
from kg.records import Answer, Verdict

Asking = Callable[..., Answer]


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Asking]:
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:

        def ask(text: str, question: str, **options: Any) -> Answer:
            trail.ingest_text(text, "told.txt")
            return trail.ask(question, **options)

        yield ask


@pytest.mark.parametrize("with_hypotheses", [False, True])
def test_a_passive_statement_of_just_what_is_asked_tells_what_followed(asking: Asking, with_hypotheses: bool) -> None:
    text = "The strike at the port of Gdan was caused by low pay."
    found = asking(text, "What followed from low pay?", with_hypotheses=with_hypotheses)
    assert found.verdict is Verdict.SUPPORTED
    assert found.text == "Low pay led to the strike at the port of Gdan."


def test_a_cause_told_in_the_next_sentence_is_pointed_at(asking: Asking) -> None:
    text = (
        "The pump at Rjukan failed on 2 May 2020. The failure of the pump was caused by short circuits. "
        "The short circuits were caused by damp. The damp was due to a leak."
    )
    found = asking(text, "Why did the pump fail?")
    assert found.missing == (
        "What caused short circuits may be said here (told.txt:1): “The short circuits were caused by damp.”",
    )


@pytest.mark.parametrize("strategy", ["default", "causal-graph"])
def test_what_was_introduced_in_the_same_words_is_one_link(strategy: str, asking: Asking) -> None:
    text = "The failure of the pump was caused by a short circuit. The short circuit was caused by damp."
    found = asking(text, "Why did the pump fail?", strategy=strategy)
    assert found.verdict is Verdict.SUPPORTED
    assert "damp" in found.text
    assert found.missing == ()


def test_a_sentence_whose_claim_was_rejected_is_not_pointed_at(tmp_path: Path) -> None:
    text = "The failure of the pump was caused by short circuits. The short circuits were caused by damp."
    with Causetrail(f"sqlite:///{tmp_path}/trail.db") as trail:
        trail.ingest_text(text, "told.txt")
        assert "damp" in trail.ask("Why did the pump fail?").missing[0]
        (claim,) = [one for one in trail.claims() if "damp" in one.quote]
        trail.reject_claim(claim.id, reason="misread")
        assert not any("damp" in line for line in trail.ask("Why did the pump fail?").missing)


def test_what_was_withheld_is_not_told_by_no_document(asking: Asking) -> None:
    text = "The sailor died on 3 May 2020. The captain died too. The death was caused by cold."
    found = asking(text, "Why did the sailor die?")
    assert found.verdict is not Verdict.SUPPORTED
    assert "What led to it may be said here (told.txt:1): “The death was caused by cold.”" in found.missing
    assert not any("no statement was found" in line for line in found.missing)


def test_a_thing_is_no_happening_whose_cause_is_missed(asking: Asking) -> None:
    text = "The train derailed because of a cow. The boat sank because of nothing in particular."
    found = asking(text, "Why did the train derail?", strategy="causal-graph")
    assert found.verdict is Verdict.SUPPORTED
    assert found.missing == ()


def test_a_cause_in_other_words_is_not_pointed_at(asking: Asking) -> None:
    text = "The pump failed because of a leak. The valve failed because of a short circuit."
    assert asking(text, "Why did the pump fail?").missing == ("No statement was found of what caused a leak.",)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "The tanker Aurora ran aground on 3 May 2020. "
            "The grounding of the tanker Aurora was caused by a failure of the steering gear.",
            "Why did the tanker Aurora run aground?",
        ),
        ("The death of the captain was caused by a heart attack.", "Why did the captain die?"),
    ],
)
def test_a_verb_asks_for_what_its_noun_tells(asking: Asking, text: str, question: str) -> None:
    assert asking(text, question).verdict is Verdict.SUPPORTED


STRATEGIES = ["default", "text-only", "causal-graph"]
NO_DOCUMENT = ("No statement", "no statement", "no document")


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The float of the gauge was gnawed through by mice.", "Why was the float gnawed through?"),
        ("The drought saw the harvest fail.", "Why did the harvest fail?"),
        ("With the seal broken, the tank leaked.", "Why did the tank leak?"),
        ("The pump overheated and failed.", "Why did the pump fail?"),
        ("Ida destroyed the pier.", "Why was the pier destroyed?"),
    ],
)
def test_where_a_sentence_may_tell_it_no_document_is_said_to_be_silent(
    text: str, question: str, strategy: str, asking: Asking
) -> None:
    found = asking(text, question, strategy=strategy)
    assert text in found.text, found.text
    assert not any(words in line for line in (found.text, *found.missing) for words in NO_DOCUMENT), found.text


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("The crew left the dam on Monday.", "Why did the crew leave the dam?"),
        ("The road at Marle was closed by Friday.", "Why was the road closed?"),
        ("The cause of the fire is unknown.", "What caused the fire?"),
    ],
)
def test_that_no_document_tells_it_is_said_where_none_seems_to(
    text: str, question: str, strategy: str, asking: Asking
) -> None:
    assert "no statement was found in them of what led to it" in asking(text, question, strategy=strategy).text


def test_two_ends_that_a_sentence_names_are_not_said_to_be_unlinked(asking: Asking) -> None:
    text = "Mice were found to be at the root of the outage. Cats live there."
    found = asking(text, "Did mice cause the outage?", strategy="causal-graph")
    assert "links them" not in found.text
    assert "Mice were found" in found.text
