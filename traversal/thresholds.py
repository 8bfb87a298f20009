"""The table of figures that decide what is followed, read once and checked."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

from pydantic import BaseModel, ConfigDict, Field


class SeedThresholds(BaseModel):
    """When an event is what a question is about; each field is explained in the table."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    passages: int = Field(ge=1)
    events: int = Field(ge=1)
    weight_coverage: float = Field(ge=0, le=1)
    weight_head: float = Field(ge=0, le=1)
    weight_cosine: float = Field(ge=0, le=1)
    weight_precision: float = Field(ge=0, le=1)
    cosine_floor: float = Field(ge=-1, le=1)
    cosine_ceiling: float = Field(ge=-1, le=1)
    credit_sentence: float = Field(ge=0, le=1)
    credit_document: float = Field(ge=0, le=1)
    least_match: float = Field(ge=0, le=1)
    least_match_other_head: float = Field(ge=0, le=1)
    least_coverage: float = Field(ge=0, le=1)
    paraphrase_cosine: float = Field(ge=-1, le=1)
    paraphrase_coverage: float = Field(ge=0, le=1)
    relative_match: float = Field(ge=0, le=1)


class ExpansionThresholds(BaseModel):
    """How far a hub is followed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    fan_out: int = Field(ge=1)


class ChainThresholds(BaseModel):
    """How chains are ranked and when two of them are one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    cap: int = Field(ge=1)
    link_factor: float = Field(gt=0, le=1)
    inconsistent_factor: float = Field(gt=0, le=1)
    containment: float = Field(ge=0, le=1)
    near_copy: float = Field(ge=0, le=1)
    same_route: float = Field(ge=0, le=1)
    considered: int = Field(ge=1)
    kept: int = Field(ge=1)


class Thresholds(BaseModel):
    """All figures of this room."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seeds: SeedThresholds
    expansion: ExpansionThresholds
    chains: ChainThresholds


@cache
def thresholds() -> Thresholds:
    """The packaged table."""
    return Thresholds.model_validate(tomllib.loads(files("traversal").joinpath("thresholds.toml").read_text("utf-8")))
