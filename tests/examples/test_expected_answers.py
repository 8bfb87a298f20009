"""Every question of the example corpus gets the answer it must get."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from causetrail import Causetrail
from kg.records import Stance

EXAMPLES = Path(__file__).parents[2] / "examples"
EXPECTED: list[dict[str, Any]] = tomllib.loads((EXAMPLES / "expected.toml").read_text("utf-8"))["question"]
COLLECTIONS = sorted({str(item["collection"]) for item in EXPECTED})


@pytest.mark.parametrize("item", EXPECTED, ids=[item["ask"] for item in EXPECTED])
def test_answer_is_the_expected_one(item: dict[str, Any], trails: dict[str, Causetrail]) -> None:
    answer = trails[item["collection"]].ask(item["ask"])
    quotes = [" ".join(evidence.quote.split()) for evidence in answer.evidence]
    against = [" ".join(e.quote.split()) for e in answer.evidence if e.stance is Stance.AGAINST]

    assert answer.verdict.value == item["verdict"], answer.text
    assert max((len(chain.edges) for chain in answer.chains), default=0) >= item.get("links", 0)
    assert len({evidence.document_id for evidence in answer.evidence}) >= item.get("documents", 0)
    for words in item.get("quotes", ()):
        assert any(words in quote for quote in quotes), (words, quotes)
    for words in item.get("against", ()):
        assert any(words in quote for quote in against), (words, against)
    for words in item.get("absent", ()):
        assert not any(words in quote for quote in quotes), (words, quotes)
    for words in item.get("missing", ()):
        assert any(words in missing for missing in answer.missing), answer.missing


@pytest.mark.parametrize("name", COLLECTIONS)
def test_every_quote_is_verbatim(name: str, trails: dict[str, Causetrail]) -> None:
    report = trails[name].verify()

    assert report.faults == ()
    assert report.exact == 1.0
