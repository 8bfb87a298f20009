"""All settings, in one frozen object, from `CAUSETRAIL_*` variables and `causetrail.toml`, in this order of weight."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from causetrail.errors import SettingInvalid, SettingUnknown

PREFIX = "CAUSETRAIL_"
FILE = "causetrail.toml"

COLLECTION_NAME = r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$"
"""What a name of a collection looks like, everywhere: it becomes a folder, and part of keys and addresses."""
COLLECTION_NAME_TOLD = "it must be 1 to 64 letters, digits, `.`, `_` and `-`, a letter or digit first"
"""The same in words."""

_REASONS = {
    "int_parsing": "it must be a whole number",
    "int_type": "it must be a whole number",
    "int_from_float": "it must be a whole number",
    "float_parsing": "it must be a number",
    "float_type": "it must be a number",
    "string_type": "it must be a text",
    "string_too_short": "it must have at least {min_length} characters",
    "string_pattern_mismatch": COLLECTION_NAME_TOLD,
    "greater_than": "it must be more than {gt}",
    "greater_than_equal": "it must be at least {ge}",
    "less_than_equal": "it must be at most {le}",
    "literal_error": "it must be {expected}",
}
"""What is wrong with a value, by the kind of fault that validation reports; filled from the bounds of the field."""


class Settings(BaseSettings):
    """Every setting has a default that works; unknown keys are refused.

    Read them with `load_settings`, which turns every fault into a coded error.
    """

    model_config = SettingsConfigDict(
        frozen=True,
        extra="forbid",
        env_prefix=PREFIX,
        toml_file=FILE,
        use_attribute_docstrings=True,
    )

    store: str = "sqlite:///causetrail.db"
    """Address of the store: `sqlite:///relative.db`, `sqlite:////absolute.db`, or `neo4j://host:port` (also `neo4j+s`,
    `neo4j+ssc`, `bolt`, `bolt+s`, `bolt+ssc`) for a Neo4j server."""
    collection: str = Field(default="main", pattern=COLLECTION_NAME)
    """The set of documents that is read and written."""
    encoder: str = "bge-small-en-v1.5"
    """The packaged encoder, or `sentence-transformers:NAME_OR_PATH` (needs the extra torch)."""
    parser: str = Field(default="auto", min_length=1)
    """The spaCy pipeline that reads the trees of sentences with a cue, by name or path; `auto` takes an installed
    `en_core_web_*`, else `causetrail_sm`, the packaged one; `none` works without a parser."""
    strictness: Literal["strict", "precise", "balanced", "generous"] = "precise"
    """How sure a claim must be: `strict` keeps the fewest, `precise`, `balanced`, and `generous` the most."""
    claims_by: Literal["local", "model", "both"] = "local"
    """Who reads claims: `local` (the rules and the learned heads), `model` (the language model `llm`, judged by the
    heads), or `both`."""
    domain: Path | None = None
    """A TOML file with cues and kinds of happenings of a domain, which count before the packaged ones."""
    jobs: int = Field(default=1, ge=1, le=64)
    """Processes that read documents side by side."""
    max_document_bytes: int = Field(default=200_000_000, ge=1)
    """Largest file that is opened, in bytes."""
    max_document_characters: int = Field(default=10_000_000, ge=1)
    """Longest text of one document, in characters."""
    max_document_pages: int = Field(default=20_000, ge=1)
    """Most pages of one PDF."""
    max_document_seconds: float = Field(default=120.0, gt=0.0, le=86_400.0)
    """Longest time that reading one PDF may take."""
    max_document_values: int = Field(default=10_000_000, ge=1)
    """Most values (fields, rows, items of lists) of one JSON text, told by its commas and brackets."""
    max_unpacked_bytes: int = Field(default=500_000_000, ge=1)
    """Most that a packed format (docx, pptx) may unpack to, in bytes."""
    store_wait_seconds: float = Field(default=30.0, ge=0.0, le=86_400.0)
    """How long a writer waits for its turn, and for a server that went away."""
    lease_seconds: float = Field(default=30.0, ge=1.0, le=3_600.0)
    """How long a derivation may stay silent before another process takes it over."""
    neo4j_user: str = Field(default="neo4j", min_length=1)
    """Name of the user at the Neo4j server."""
    neo4j_password: str | None = Field(default=None, min_length=1, repr=False)
    """Password of that user; none for a server that asks for none."""
    neo4j_database: str = Field(default="neo4j", min_length=1)
    """Database at the server; the Community edition has one, and collections share it."""
    neo4j_pool: int = Field(default=16, ge=1, le=1_000)
    """Most connections to the server that are open at once."""
    neo4j_connect_seconds: float = Field(default=10.0, gt=0.0, le=600.0)
    """Longest time that making one connection to the server may take."""
    neo4j_transaction_seconds: float = Field(default=120.0, gt=0.0, le=86_400.0)
    """Longest time that one transaction of the program itself may take at the server, beside the wait for its turn."""
    neo4j_ca_file: str | None = None
    """File of the certificates (PEM) that the server's own is checked against; those of the system when not given. For
    `neo4j+s` and `bolt+s` alone: with any other address of a server it is refused, for nothing would be checked."""
    neo4j_adopt: bool = False
    """Share a database that holds nodes of another program under the labels of the graph; those are left alone."""
    cypher_rows: int = Field(default=1_000, ge=1, le=1_000_000)
    """Most rows that one Cypher query gives."""
    cypher_bytes: int = Field(default=10_000_000, ge=1_000)
    """Largest answer to one Cypher query, in bytes of JSON."""
    cypher_seconds: float = Field(default=10.0, gt=0.0, le=3_600.0)
    """Longest time that one Cypher query may take."""
    cypher_view_bytes: int = Field(default=2_000_000_000, ge=1_000_000)
    """Most memory, in bytes, that the Cypher view of an embedded store may be expected to take; a larger graph belongs
    on a server."""
    hops: int = Field(default=3, ge=1, le=10)
    """Most links followed from a seed, one way; a chain from an event may have one more."""
    max_nodes: int = Field(default=2_000, ge=2, le=1_000_000)
    """Most events visited for one question."""
    deadline_seconds: float = Field(default=20.0, gt=0.0, le=3_600.0)
    """Time for one question, and for each option that `choose` is offered; calls of a language model have their own,
    `llm_seconds`, but what one proposes for a strategy ends with either."""
    reliability_floor: float = Field(default=0.2, ge=0.0, le=1.0)
    """Least `p_for` of an edge that a chain may use."""
    knowledge: Literal["passages", "pairs", "merged", "passages-then-pairs", "pairs-then-passages", "two-way"] = (
        "merged"
    )
    """What a question is answered from: `passages` of prose, question-answer `pairs`, or both `merged`; `two-way` takes
    half of what is read from each. What is missing is then searched for in the same, or in the other one with
    `passages-then-pairs` and `pairs-then-passages`."""
    rerank_by: str = Field(default="none", min_length=1)
    """Who judges which of the passages that the search finds help to answer a question, so that those are read:
    `none` (they are read in the order of the search), `causetrail_judges` (the packaged judges), `reasoner` (the
    language model that reasons), or `cross-encoder:NAME_OR_PATH` (needs the extra torch)."""
    judge_by: str = Field(default="causetrail_judges", min_length=1)
    """Who judges the steps of the strategies that check what they tell (what follows from what, what helps, what leads
    to what, what suffices): `causetrail_judges` (the packaged judges) or `reasoner` (the language model that
    reasons; it words the chains of the graph too)."""
    max_question_characters: int = Field(default=2_000, ge=1)
    """Longest question."""
    llm: str = Field(default="none", min_length=1)
    """The language model that reads: `none`, `smollm2` (the smallest real one, needs no server), `gguf:PATH` (a file
    for llama.cpp, on the processor), `openai:MODEL` (any OpenAI-compatible server at `llm_base_url`), or
    `transformers:NAME_OR_PATH` (in process, in 4 bits where that works; needs the extra torch; for example
    `transformers:Qwen/Qwen2.5-7B-Instruct`)."""
    llm_reasoner: str | None = Field(default=None, min_length=1)
    """The language model that reasons; the one that reads when not given."""
    llm_base_url: str | None = Field(default=None, min_length=1)
    """Address of the server for `openai:MODEL`, up to and with its `/v1`, without user and password."""
    llm_key: str | None = Field(default=None, min_length=1, repr=False)
    """Key for that server; only from the environment, never from the file. It is sent to `llm_base_url` alone."""
    llm_seconds: float = Field(default=120.0, gt=0.0, le=86_400.0)
    """Longest time that one call of a language model may take, its retries included."""
    llm_trust: float = Field(default=0.5, gt=0.0, lt=1.0)
    """Probability that a claim of the language model is right before the learned heads have judged it; at a half they
    alone decide."""
    llm_concurrency: int = Field(default=4, ge=1, le=256)
    """Most calls of one language model at once; a model in this process takes them one after another."""
    llm_max_tokens: int = Field(default=1_024, ge=1, le=1_000_000)
    """Longest answer of a language model, in tokens."""
    llm_context_tokens: int = Field(default=8_192, ge=256, le=10_000_000)
    """Most tokens that prompt and answer may have together; less where the model itself reads less."""
    llm_cache: Path | None = None
    """Folder that keeps the completions, so that a call that was made before costs nothing again; beside the file of
    the store when not given, and nowhere with a server as the store. They repeat words of the documents."""
    llm_cache_bytes: int = Field(default=1_000_000_000, ge=1_000_000)
    """Most that folder may hold, in bytes; what was not used for longest goes first."""
    llm_prices: Path | None = None
    """A TOML file with a table for each model by its name: `prompt` and `completion`, the prices of a million
    tokens."""
    llm_budget_tokens: int | None = Field(default=None, ge=1)
    """Most tokens, of prompts and answers together, that one process may spend; a call that could exceed it is not
    made."""
    llm_budget_cost: float | None = Field(default=None, gt=0.0)
    """Most that one process may spend, in the unit of `llm_prices`, which must then know the model."""
    host: str = "127.0.0.1"
    """Address the server listens on; any but a loopback address needs `api_key`."""
    port: int = Field(default=8017, ge=1, le=65_535)
    """Port the server listens on."""
    api_key: str | None = Field(default=None, min_length=8, repr=False)
    """Key that requests must carry in `X-API-Key`."""
    max_request_bytes: int = Field(default=20_000_000, ge=1)
    """Largest request body."""
    log_level: Literal["debug", "info", "warning", "error"] = "warning"
    """Least weight of the messages that are logged."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Arguments, then the environment, then the file."""
        return init_settings, env_settings, _FileSource(settings_cls)


class _FileSource(TomlConfigSettingsSource):
    """The file of settings; a key that costs money is refused in it, since files are shared and committed."""

    def __call__(self) -> dict[str, Any]:
        given = super().__call__()
        if "llm_key" in given:
            raise SettingInvalid(
                name="llm_key", value="read from a file", reason=f"it is taken from {PREFIX}LLM_KEY alone"
            )
        return given


def load_settings(**overrides: object) -> Settings:
    """Settings from the environment and `causetrail.toml` in the working directory, with overrides on top.

    Args:
        overrides: Fields of `Settings`; `None` means "not given".

    Raises:
        SettingUnknown: a variable, a key of the file, or an override that no setting has.
        SettingInvalid: a value out of its range, or a file that is not TOML.
    """
    known = ", ".join(sorted(Settings.model_fields))
    for variable in sorted(os.environ):
        if variable.startswith(PREFIX) and variable[len(PREFIX) :].lower() not in Settings.model_fields:
            raise SettingUnknown(name=variable, where=" in the environment", known=known)
    given = {key: value for key, value in overrides.items() if value is not None}
    try:
        return Settings(**given)  # type: ignore[arg-type]
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        name = str(fault["loc"][0])
        if fault["type"] == "extra_forbidden":
            where = f" in {FILE}" if Path(FILE).exists() else ""
            raise SettingUnknown(name=name, where=where, known=known) from None
        raise SettingInvalid(
            name=name,
            value=repr(fault["input"]) if Settings.model_fields[name].repr else "what was given",
            reason=_reason(fault["type"], fault.get("ctx", {})),
        ) from None
    except UnicodeDecodeError:
        raise SettingInvalid(name=FILE, value="read", reason="it is not UTF-8") from None
    except ValueError as error:
        place = re.search(r" \(at .*\)$", str(error))
        raise SettingInvalid(
            name=FILE, value="read", reason=f"it is not TOML{place.group() if place else ''}"
        ) from None
    except OSError:
        raise SettingInvalid(name=FILE, value="read", reason="it cannot be opened") from None


def _reason(kind: str, bounds: Mapping[str, Any]) -> str:
    """A fault of a value in our words."""
    if kind == "string_too_short" and bounds["min_length"] == 1:
        return "it must not be empty"
    return _REASONS.get(kind, "it is not allowed").format(**bounds)
