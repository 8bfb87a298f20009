"""Prompts: one file each, with its version, its role and its schema; a digest tells which one was used."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal, cast

from pydantic import BaseModel

from models.claim_schema import ClaimAnswers
from models.language_model import Message
from models.narrative_schema import NarrativeAnswer
from models.premise_schema import PremiseAnswer
from models.proposal_schema import CounterfactualQuestions, MissingKnowledge, RevisedAnswer, SearchPlan
from models.text_fence import fenced
from models.verdict_schema import CauseVerdict, EntailmentVerdict, RelevanceVerdict, SufficiencyVerdict

FOLDER = Path(__file__).parent / "prompt_files"
KINDS: Mapping[str, type[BaseModel]] = {
    kind.__name__: kind
    for kind in (
        *(ClaimAnswers, EntailmentVerdict, RelevanceVerdict, CauseVerdict, SufficiencyVerdict, PremiseAnswer),
        *(CounterfactualQuestions, MissingKnowledge, SearchPlan, RevisedAnswer, NarrativeAnswer),
    )
}
"""The schemas that a prompt may name."""
FINGERPRINT_DIGITS = 12


@dataclass(frozen=True)
class Example:
    """A question with its answer."""

    texts: Mapping[str, str]
    """By the fields of the prompt's `user`."""
    answer: str
    """JSON of the prompt's kind."""


@dataclass(frozen=True)
class Prompt:
    """One prompt as its file says."""

    name: str
    version: int
    role: Literal["reader", "reasoner"]
    """Which of the two language models it is for."""
    kind: type[BaseModel]
    """What the answer must be."""
    system: str
    """Template of the instructions; `{schema}` is the JSON schema of the answer."""
    user: str
    """Template of the question; its fields are filled with fenced text."""
    examples: tuple[Example, ...]
    """Shown before the question as turns of the conversation."""
    fingerprint: str
    """Name, version and the first 12 digits of a SHA-256 over the file and the schema: part of traces."""

    def messages(self, **texts: str) -> list[Message]:
        """The conversation that asks it.

        Args:
            texts: Text of documents by the fields of `user`, all of them; each is marked as data.
        """
        shown = [Message("system", self.system.format(schema=_schema(self.kind)))]
        for example in self.examples:
            shown += [self._question(example.texts), Message("assistant", example.answer)]
        return [*shown, self._question(texts)]

    def _question(self, texts: Mapping[str, str]) -> Message:
        return Message("user", self.user.format(**{field: fenced(text) for field, text in texts.items()}))


@cache
def load_prompt(name: str) -> Prompt:
    """The prompt of this name; there is one for each file in `prompt_files`."""
    written = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    read = tomllib.loads(written)
    kind = KINDS[read["schema"]]
    digest = hashlib.sha256(f"{written}\0{_schema(kind)}".encode()).hexdigest()[:FINGERPRINT_DIGITS]
    return Prompt(
        name=name,
        version=int(read["version"]),
        role=cast("Literal['reader', 'reasoner']", read["role"]),
        kind=kind,
        system=read["system"].strip(),
        user=read["user"].strip(),
        examples=tuple(
            Example({field: text.strip() for field, text in one["texts"].items()}, one["answer"].strip())
            for one in read["examples"]
        ),
        fingerprint=f"{name}-{read['version']}-{digest}",
    )


def _schema(kind: type[BaseModel]) -> str:
    return json.dumps(kind.model_json_schema(), separators=(",", ":"), sort_keys=True)
