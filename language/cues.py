"""The cue table (`cues.toml`) and the automaton that finds its cues in a sentence: longest first, without overlap."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, cast, get_args

from causetrail.errors import SettingInvalid
from language.cue_heads import head_lists
from language.finished_clauses import opens_finished
from language.tokens import Token

Construction = Literal["predicate", "clause", "phrase", "adverb", "noun", "participle"]
Role = Literal["cause", "effect"]
Scope = Literal["inside", "between", "both"]
Side = Literal["", "left", "right"]

_RELATIONS: Final = ("CAUSES", "ENABLES", "PREVENTS", "BEFORE")
_POLARITIES: Final = ("affirmed", "negated")
_A_NUMBER: Final = "#"
"""Stands for any number in `only_before`."""
_MODALITIES: Final = ("actual", "possible", "planned", "hypothetical")
_ADVERBS: Final = frozenset(
    [
        "not",
        "n't",
        "never",
        "also",
        "then",
        "only",
        "both",
        "either",
        "neither",
        "partly",
        "mainly",
        "almost",
        "perhaps",
        "maybe",
        "itself",
        "themselves",
        "in",
        "part",
        "all",
        "just",
        "even",
        "still",
        "again",
        "ultimately",
        "at",
        "least",
        "no",
        "longer",
        "very",
        "most",
        "soon",
        "shortly",
        "once",
        "back",
    ]
) - {"in", "at", "no", "longer", "part", "least"}
"""Words besides those in -ly that may stand where a pattern has `~`."""
_OPENERS: Final = frozenset(
    {"and", "but", "so", "yet", "however", "instead", "again", "also", ",", '"', "'", "“", "‘", "(", "-", "–", "•", "*"}
)
"""Words and marks that may stand before a cue that starts its sentence."""
_LONGEST_OBJECT: Final = 10
"""Most tokens from a verb to the preposition that parts its two sides."""
_ANY: Final = "_"
_ADVERB: Final = "~"
_START: Final = "^"


@dataclass(frozen=True, slots=True)
class Cue:
    """One entry of the table; the head of `cues.toml` says what the fields mean."""

    text: str
    patterns: tuple[str, ...]
    construction: Construction
    right: Role
    relation: str
    confidence: float
    example: str
    cause: str
    effect: str
    polarity: str = "affirmed"
    modality: str = "actual"
    scope: Scope = "inside"
    keeps: Side = ""
    needs_event: bool = False
    needs_verb: bool = False
    not_time: bool = False
    not_before: tuple[str, ...] = ()
    only_before: tuple[str, ...] = ()
    not_after: tuple[str, ...] = ()
    causative: bool = False
    cause_in: str = ""
    cause_not_in: str = ""
    effect_in: str = ""
    effect_not_in: str = ""
    takes_it: bool = False
    finished: bool = False
    through: str = ""
    keeps_verb: bool = False

    @property
    def left(self) -> Role:
        """The role of what stands to the left of the cue."""
        return "effect" if self.right == "cause" else "cause"


class CueMatch(NamedTuple):
    """A cue in a sentence: tokens `first` to `end`, end exclusive.

    `text` is the alternative that was matched, as the table writes it: verbs in the past, without words that may be
    left out, `...` for any words: `led to`, `severing`, `so ... that`.
    """

    cue: Cue
    first: int
    end: int
    text: str


@dataclass(slots=True)
class _Node:
    """One state of the automaton; `cue` is set where a pattern ends, with `text` as its wording."""

    next: dict[str, _Node] = field(default_factory=dict)
    cue: Cue | None = None
    text: str = ""


class CueTable:
    """All cues, compiled into a trie over lower-case tokens."""

    def __init__(self, table: Mapping[str, Any], domain: Mapping[str, Any] | None = None) -> None:
        """Compiles the parsed TOML.

        Args:
            table: The packaged table.
            domain: A table of the same form; what it says of a pattern counts, whatever the packaged one says.

        Raises:
            SettingInvalid: an entry is incomplete, contradicts itself, or repeats a pattern; the message names it.
        """
        further = domain or {}
        self._inflector = _Inflector({**table.get("irregular", {}), **further.get("irregular", {})})
        # Of two entries that write the same pattern the first one counts.
        entries = (*further.get("cue", ()), *table.get("cue", ()))
        self.cues: tuple[Cue, ...] = tuple(_cue(entry) for entry in entries)
        self._root = _Node()
        for cue in self.cues:
            for pattern in cue.patterns:
                self._add(cue, pattern)
        self._first_words = frozenset(self._root.next) | frozenset(self._root.next.get(_START, _Node()).next)

    def find(self, tokens: Sequence[Token]) -> list[CueMatch]:
        """The cues of a sentence, from left to right: the longest at each place, none overlapping another."""
        words = [token.lower for token in tokens]
        if self._first_words.isdisjoint(words):
            return []
        found: list[CueMatch] = []
        place, initial = 0, True
        while place < len(words):
            match = self._longest(words, place, initial) if words[place] in self._first_words else None
            initial = initial and words[place] in _OPENERS
            if match is None:
                place += 1
            else:
                # Its sides both stand behind the verb, which alone is the cue then.
                found.append(match._replace(end=match.first + 1) if match.cue.through else match)
                place, initial = found[-1].end, False
        return found

    def _longest(self, words: Sequence[str], first: int, initial: bool) -> CueMatch | None:
        best: CueMatch | None = None
        waiting: list[tuple[_Node, int, int]] = [(self._root, first, 0)]
        if initial and _START in self._root.next:
            waiting.append((self._root.next[_START], first, 0))
        while waiting:
            node, place, skipped = waiting.pop()
            if (
                node.cue is not None
                and (best is None or place > best.end)
                and not _barred(node.cue, words, first, place)
            ):
                best = CueMatch(node.cue, first, place, node.text)
            # What is put last is looked at first: of two equally long cues the one with the word itself stands.
            anything = node.next.get(_ANY)
            if anything is not None and place < len(words) and words[place][:1].isalnum():
                waiting.append((anything, place + 1, 0))
            adverbs = node.next.get(_ADVERB)
            if adverbs is not None:
                waiting.append((adverbs, place, 0))
                if place < len(words) and skipped < 2 and _is_adverb(words[place]):
                    waiting.append((node, place + 1, skipped + 1))
            if place >= len(words):
                continue
            following = node.next.get(words[place])
            if following is not None:
                waiting.append((following, place + 1, 0))
        return best

    def _add(self, cue: Cue, pattern: str) -> None:
        ends: list[tuple[_Node, tuple[str, ...]]] = [(self._root, ())]
        for element in pattern.split():
            optional = element.startswith("(") and element.endswith(")")
            choices = self._inflector.forms(element.strip("()"), cue)
            grown = [
                (node.next.setdefault(choice, _Node()), words if optional else (*words, written))
                for node, words in ends
                for choice, written in choices
            ]
            ends = ends + grown if optional else grown
        for node, words in ends:
            if node is self._root:
                raise _wrong(cue.text, f"the pattern {pattern!r} may be empty")
            if node.cue is None:
                node.cue, node.text = cue, _wording(words)


def _wording(words: Sequence[str]) -> str:
    """The elements of a pattern as they read in a claim: any words as dots, no marks at the ends."""
    kept = [word for word in words if word not in (_START, _ADVERB)]
    read = " ".join("..." if word == _ANY else word for word in kept)
    return re.sub(r"\.\.\.(?: \.\.\.)+", "...", read).replace(" ,", ",").strip(", *:")


def _is_adverb(word: str) -> bool:
    return word in _ADVERBS or (word.endswith("ly") and len(word) > 4)


def _barred(cue: Cue, words: Sequence[str], first: int, place: int) -> bool:
    if first > 0 and words[first - 1] in cue.not_after:
        return True
    if cue.finished and not opens_finished(words, first, place):
        return True
    if cue.through and cue.through not in words[place : place + _LONGEST_OBJECT]:
        return True
    joins = cue.construction == "clause" and cue.relation == "BEFORE"
    if joins and not any(word[:1].isalnum() for word in words[place : place + 2]):
        # "the day before.": nothing follows that it could join.
        return True
    behind = words[place] if place < len(words) else ""
    if cue.only_before and (_A_NUMBER if behind[:1].isdigit() else behind) not in cue.only_before:
        return True
    return any(
        tuple(words[place : place + len(bar)]) == bar for bar in (tuple(entry.split()) for entry in cue.not_before)
    )


class _Inflector:
    """Spells the forms of a verb: regular ones by rule, others from the table."""

    def __init__(self, irregular: Mapping[str, Sequence[str]]) -> None:
        for verb, forms in irregular.items():
            if not _are_texts(forms) or len(forms) < _FORMS_OF_A_VERB:
                raise SettingInvalid(
                    name="irregular", value=repr(verb), reason="it lists third person, past, participle and -ing form"
                )
        self._irregular = irregular

    def forms(self, element: str, cue: Cue) -> list[tuple[str, str]]:
        """The words an element of a pattern stands for, each with the word it is written as in a claim."""
        bracketed = re.fullmatch(r"\[([a-z]+)(?::(ed|ing))?\]", element)
        if bracketed is None:
            words = element.split("|")
            if "[" in element or not all(words):
                raise _wrong(cue.text, f"{element!r} is not a pattern element")
            return [(word, word) for word in words]
        verb, part = bracketed.group(1), bracketed.group(2)
        third, past, participle, ing, *others = self._irregular.get(verb) or self._regular(verb)
        if part is not None:
            return [(participle, participle)] if part == "ed" else [(ing, ing)]
        return [(form, past) for form in dict.fromkeys([verb, third, past, participle, ing, *others])]

    @staticmethod
    def _regular(verb: str) -> list[str]:
        if verb.endswith("e"):
            return [verb + "s", verb + "d", verb + "d", verb[:-1] + "ing"]
        third = verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh")) else "s")
        return [third, verb + "ed", verb + "ed", verb + "ing"]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_truth(value: object) -> bool:
    return isinstance(value, bool)


def _is_share(value: object) -> bool:
    return isinstance(value, float) and 0.05 <= value <= 0.95


_FORMS_OF_A_VERB: Final = 4
_MEANT: Final = {
    _is_text: "not a text",
    _are_texts: "not a list of texts",
    _is_truth: "neither true nor false",
    _is_share: "not between 0.05 and 0.95",
}
_FORMS: Final = {
    **dict.fromkeys(("text", "construction", "right", "relation", "example", "cause", "effect"), _is_text),
    **dict.fromkeys(
        ("polarity", "modality", "scope", "keeps", "cause_in", "cause_not_in", "effect_in", "effect_not_in", "through"),
        _is_text,
    ),
    **dict.fromkeys(("patterns", "not_before", "only_before", "not_after"), _are_texts),
    **dict.fromkeys(
        ("needs_event", "needs_verb", "not_time", "causative", "takes_it", "finished", "keeps_verb"), _is_truth
    ),
    "confidence": _is_share,
}
"""The form of each field of an entry."""


def _wrong(entry: str, reason: str) -> SettingInvalid:
    return SettingInvalid(name="cue", value=repr(entry), reason=reason)


def _cue(entry: Mapping[str, Any]) -> Cue:
    name = str(entry.get("text", "an entry without text"))
    unknown = sorted(set(entry) - set(Cue.__slots__))
    missing = [key for key in Cue.__slots__[:9] if key not in entry]
    if unknown or missing:
        raise _wrong(name, f"unknown fields {unknown}, missing fields {missing}")
    for key, value in entry.items():
        if not _FORMS[key](value):
            raise _wrong(name, f"its {key} is {_MEANT[_FORMS[key]]}")
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
    adverb = values["construction"] == "adverb"
    values.setdefault("scope", "both" if adverb else "inside")
    _one_of(name, values, "construction", get_args(Construction))
    _one_of(name, values, "right", get_args(Role))
    _one_of(name, values, "scope", get_args(Scope))
    _one_of(name, values, "keeps", get_args(Side))
    _one_of(name, values, "relation", _RELATIONS)
    _one_of(name, values, "polarity", _POLARITIES)
    _one_of(name, values, "modality", _MODALITIES)
    for key in ("cause_in", "cause_not_in", "effect_in", "effect_not_in"):
        _one_of(name, values, key, sorted(head_lists()))
    if not values["patterns"]:
        raise _wrong(name, "it has no pattern")
    if not adverb and values["scope"] != "inside":
        raise _wrong(name, "only adverbs reach across sentences")
    for role in get_args(Role):
        if values[role] not in values["example"]:
            raise _wrong(name, f"its {role} is not in its example word for word")
    return Cue(**cast("dict[str, Any]", values))


def _one_of(name: str, values: Mapping[str, Any], key: str, allowed: Sequence[str]) -> None:
    if key in values and values[key] not in allowed:
        raise _wrong(name, f"its {key} is {values[key]!r}, not one of {', '.join(repr(value) for value in allowed)}")


@cache
def packaged_cues() -> CueTable:
    """The table of `cues.toml` alone.

    Raises:
        SettingInvalid: the table has a fault.
    """
    return CueTable(packaged_cue_data())


def packaged_cue_data() -> dict[str, Any]:
    """`cues.toml`, parsed."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


IN_USE: Final[ContextVar[CueTable | None]] = ContextVar("cue_table", default=None)
"""The table that is in use, when it is not the packaged one; `language.domain` sets it."""


def cue_table() -> CueTable:
    """The table in use.

    Raises:
        SettingInvalid: the packaged table has a fault.
    """
    return IN_USE.get() or packaged_cues()
