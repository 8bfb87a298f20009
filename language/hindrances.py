"""What a sentence tells beside a happening and that does not bring it about: what fights it, or where it went on to."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from language.clause_words import VERBAL
from language.clauses import Clauses
from language.content_words import content_keys, key_of
from language.lemmas import lemma_of
from language.quick_sentences import quick_sentences


def only_hinders(cause: str, happening: str) -> bool:
    """Whether what is told as a cause acts against a happening: "the sprinklers" against "the fire"."""
    lemmas = {token.lemma for sentence in quick_sentences(cause) for token in sentence.tokens}
    lemmas |= {lemma_of(lemma, "NOUN") for lemma in lemmas}
    keys, table = content_keys(happening), _table()
    if any(key_of(kind) in keys and not lemmas.isdisjoint(fighters) for kind, fighters in table["fights"].items()):
        return True
    against = table["acts_against"]
    return not lemmas.isdisjoint(against["any"]) and lemmas.isdisjoint(against["failing"])


def tells_what_it_did(effect: str, happening: str) -> bool:
    """Whether an effect is what a happening did and not that it came about: "*the fire* spread through the hall"."""
    keys = content_keys(happening)
    for sentence in quick_sentences(effect):
        clauses = Clauses(sentence)
        verb = next((at for at, one in enumerate(clauses.classes) if one in VERBAL), -1)
        if verb <= 0:
            continue
        told = content_keys(" ".join(clauses.words[:verb]))
        group = {token.lemma for token in clauses.tokens[verb:]}
        if keys <= told and group.isdisjoint(_table()["comes_about"]["verbs"]):
            return True
    return False


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(files("language").joinpath("hindrances.toml").read_text(encoding="utf-8"))
