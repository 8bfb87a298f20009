"""The words and thresholds of resolution, read once from `resolution.toml`."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Rules:
    """The table as typed values; `resolution.toml` says what each is for.

    Attributes:
        digest: First 8 hexadecimal digits of the table's SHA-256, part of the resolver's version.
    """

    digest: str
    definite: frozenset[str]
    indefinite: frozenset[str]
    possessive: frozenset[str]
    function_words: frozenset[str]
    pronouns: frozenset[str]
    generic: frozenset[str]
    contrasts: tuple[frozenset[str], ...]
    wide_places: frozenset[str]
    told_twice: float
    told_in_part: float
    retold_within: int
    pointed_at: float
    repeated: float
    repeated_words: int
    reach: int
    nearness: float
    similar_overlap: float
    similar_degree: int
    bucket_pairwise: int
    bucket_neighbours: int
    generic_weight: float


@cache
def load_rules() -> Rules:
    """Reads the packaged table."""
    raw = files("extraction").joinpath("resolution.toml").read_bytes()
    table = tomllib.loads(raw.decode("utf-8"))
    inside, similar, buckets = table["inside"], table["similar"], table["buckets"]
    return Rules(
        digest=hashlib.sha256(raw).hexdigest()[:8],
        definite=frozenset(table["definite"]),
        indefinite=frozenset(table["indefinite"]),
        possessive=frozenset(table["possessive"]),
        function_words=frozenset(table["function_words"]),
        pronouns=frozenset(table["pronouns"]),
        generic=frozenset(table["generic"]),
        contrasts=tuple(frozenset(words) for words in table["contrasts"]),
        wide_places=frozenset(table["wide_places"]),
        told_twice=inside["told_twice"],
        told_in_part=inside["told_in_part"],
        retold_within=inside["retold_within"],
        pointed_at=inside["pointed_at"],
        repeated=inside["repeated"],
        repeated_words=inside["repeated_words"],
        reach=inside["reach"],
        nearness=inside["nearness"],
        similar_overlap=similar["overlap"],
        similar_degree=similar["degree"],
        bucket_pairwise=buckets["pairwise"],
        bucket_neighbours=buckets["neighbours"],
        generic_weight=table["weights"]["generic"],
    )
