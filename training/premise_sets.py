"""What the premise generator learns from: explanations of causes, and proofs with one of their premises left out.

Texts are written as sentences of documents are: EntailmentBank has them in small letters, without a full stop.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from models.premise_generator import OF_CONCLUSION, OF_EFFECT
from models.premise_schema import cause_and_effect, evidence_and_conclusion

ECARE: Final = "ecare"
ENTAILMENTBANK: Final = "entailmentbank"
_HELD_OUT: Final = 12
"""One explanation in so many is held out."""
_STEP: Final = re.compile(r"((?:sent|int)\d+(?: & (?:sent|int)\d+)+) -> (hypothesis|int\d+)")
_ALTERNATIVES: Final = " / "
"""How EntailmentBank writes that one of several words may stand: no sentence to learn from."""


class PremiseExample(NamedTuple):
    """What is given and the missing statement, as a person wrote it.

    Attributes:
        source: `ECARE` or `ENTAILMENTBANK`.
        prompt: Name of the prompt that asks for it.
        given: The texts that are given, the last one being what is to be explained or concluded.
        answer: The missing statement.
    """

    source: str
    prompt: str
    given: tuple[str, ...]
    answer: str

    @property
    def shown(self) -> str:
        """What is given, as the prompt shows it."""
        *first, last = self.given
        return cause_and_effect(first[0], last) if self.prompt == OF_EFFECT else evidence_and_conclusion(first, last)


def explanations(path: Path) -> Iterator[PremiseExample]:
    """e-CARE: cause, effect, and why the one has the other."""
    for row in _rows(path):
        given = (sentence(row["cause"]), sentence(row["effect"]))
        yield PremiseExample(ECARE, OF_EFFECT, given, sentence(row["conceptual_explanation"]))


def lacking_steps(path: Path) -> Iterator[PremiseExample]:
    """EntailmentBank: each step of each proof without each of its premises in turn, the same one once."""
    seen: set[PremiseExample] = set()
    for row in _rows(path):
        told = row["meta"]["triples"] | row["meta"]["intermediate_conclusions"] | {"hypothesis": row["hypothesis"]}
        for names, conclusion in _STEP.findall(row["proof"]):
            premises = [told[name] for name in names.split(" & ")]
            for place, missing in enumerate(premises):
                if _ALTERNATIVES in missing:
                    continue
                given = [*premises[:place], *premises[place + 1 :], told[conclusion]]
                example = PremiseExample(ENTAILMENTBANK, OF_CONCLUSION, tuple(map(sentence, given)), sentence(missing))
                if example not in seen:
                    seen.add(example)
                    yield example


def choice_texts(path: Path) -> frozenset[str]:
    """All texts of a part of e-CARE that has no explanations."""
    names = ("premise", "hypothesis1", "hypothesis2")
    return frozenset(sentence(row[name]) for row in _rows(path) for name in names)


def is_held_out(example: PremiseExample) -> bool:
    """Whether an example is kept from training: one answer in twelve, with all that has this answer."""
    return hashlib.sha256(example.answer.casefold().encode()).digest()[0] % _HELD_OUT == 0


def apart_from(
    examples: Sequence[PremiseExample], others: Iterable[PremiseExample], texts: frozenset[str] = frozenset()
) -> list[PremiseExample]:
    """The examples that share neither a cause or effect, nor a conclusion, nor an answer with others or with texts.

    Evidence may be shared: a statement such as `The earth is a kind of planet.` stands in many proofs.
    """
    known = set(texts)
    for one in others:
        known.update(_keys(one))
    return [one for one in examples if known.isdisjoint(_keys(one))]


def _keys(example: PremiseExample) -> tuple[str, ...]:
    told = example.given if example.prompt == OF_EFFECT else example.given[-1:]
    return (*told, example.answer)


def sentence(text: str) -> str:
    """A text as a sentence: a capital first, marks behind their words, a full stop last."""
    joined = re.sub(r"\s+([,;.:!?)]|['’]s\b)", r"\1", " ".join(text.split())).replace("( ", "(")
    begun = joined[:1].upper() + joined[1:]
    return begun if begun.endswith((".", "!", "?")) else f"{begun}."


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
