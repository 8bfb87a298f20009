"""Each phenomenon of causal language, by the sentences of phenomena.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from extraction.claim_source import claim_reader
from language.sentences import SentenceReader
from models.packaged_parser import PACKAGED

CLAIMS = claim_reader("precise", PACKAGED)
SENTENCES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("phenomena.toml").read_text(encoding="utf-8"))[
    "sentence"
]
CASES = [
    pytest.param(
        one,
        marks=[pytest.mark.xfail(strict=True)] if one.get("missed") else [],
        id=f"{one['phenomenon']}: {one['text']}",
    )
    for one in SENTENCES
]


@pytest.mark.parametrize("sentence", CASES)
def test_a_sentence_gives_its_claims_and_no_others(sentence: dict[str, Any]) -> None:
    text = sentence["text"]
    found = CLAIMS.read("main", "d" + "0" * 24, SentenceReader().read(text), None, text)
    mentions = {mention.id: mention.text for mention in found.mentions}
    wanted = [tuple(claim) for claim in sentence["claims"]]
    for claim in found.claims:
        told = (claim.relation.value, mentions[claim.cause_mention], mentions[claim.effect_mention])
        match = next((one for one in wanted if one[0] == told[0] and one[1] in told[1] and one[2] in told[2]), None)
        if match is None:
            assert told[0] == "BEFORE", told
            continue
        assert (claim.polarity.value, claim.modality.value) == match[3:]
        wanted.remove(match)
    assert wanted == []


def test_there_are_thirty_and_few_are_missed() -> None:
    assert len(SENTENCES) == 30
    assert sum(one.get("missed", False) for one in SENTENCES) <= 3
