"""What the sentences behind a sentence take back of it: "This was wrong", "The agency later withdrew the report".

A pronoun means the sentence right before, and what is said of that in between changes nothing; "the report" may mean
one farther up in the paragraph. The words are data (`retractions.toml`), with the judgements of `framing.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from language.cues import cue_table
from language.lemmas import lemma_of
from language.tokens import Sentence

FARTHEST: Final = 5
"""Most sentences behind one among which it is taken back."""
_LONGEST: Final = 300
"""Most characters of a sentence that takes back another."""
_IN_FACT: Final = re.compile(r"\W*(?:but )?(?:in (?:actual )?fact|in reality|in truth|actually)\b", re.IGNORECASE)
"""What opens a sentence that sets what is so against what somebody said."""
_MARKS: Final = "\"“”‘'()[] "
_EXCLUDED: Final = "ruled-out"
_FALSE: Final = (True, "actual")
DISPUTED: Final = (False, "possible")
"""What is left of a statement that somebody else does not agree with."""
_UNPROVEN: Final = (True, "possible")
_WITHDRAWN: Final = (False, "hypothetical")
STANDS: Final = (False, "actual")
"""What is left of a statement that nobody takes back."""
Told = tuple[bool, str]
"""Whether something is denied, and its modality."""


class Judgement(NamedTuple):
    """What a sentence says of one before it.

    Attributes:
        told: What it makes of it.
        noun: What it calls it; empty where a pronoun points at it.
    """

    told: Told
    noun: str


def taken_back(sentence: Sentence, behind: Iterable[Sentence]) -> Told:
    """Whether the sentences behind one, in its paragraph, deny it, and the modality that they leave it."""
    between: list[Sentence] = []
    for other in behind:
        if other.block != sentence.block or not other.prose or len(between) == FARTHEST:
            break
        of_saying = _tells(sentence.text) or any(_comments(one.text) and _tells(one.text) for one in between)
        if not between and of_saying and _IN_FACT.match(other.text) is not None:
            return DISPUTED
        judged = judgement_of(other.text, of_saying=of_saying)
        if judged is not None and _means(judged, sentence, between):
            near = all(_comments(one.text) for one in between)
            return judged.told if near else _WITHDRAWN
        between.append(other)
    return STANDS


def is_taken_back(sentence: Sentence, behind: Iterable[Sentence]) -> bool:
    """Whether the sentences behind one, in its paragraph, take it back or doubt it."""
    return taken_back(sentence, behind) != STANDS


@lru_cache(maxsize=4096)
def judgement_of(text: str, *, of_saying: bool) -> Judgement | None:
    """What a sentence, or a clause, says of what was told before it; none where it says nothing of it.

    Args:
        text: Its words.
        of_saying: Whether somebody is told to have said it, so that "it" may mean what was said.
    """
    if len(text) > _LONGEST or text.rstrip(_MARKS).endswith("?"):
        return None
    table = _table()
    # What stands behind a colon is what they say instead.
    opened, mark, _ = text.partition(": ")
    text = opened if mark else text
    words = " ".join(re.findall(r"n't\b|[\w-]+?(?=n't\b)|[\w-]+|,", text.lower().replace("’", "'")))
    words = words.replace("not the case", "not true")
    if table.triggers.isdisjoint(words.split()):
        return None
    words = re.sub(rf"^(?:(?:{table.entries['openers']}) ?(?:, )?)*", "", words)
    judged = _of_subject(words, of_saying) or _of_object(words, of_saying) or _of_nothing(words, of_saying)
    return judged or _of_dispute(words)


def _means(judged: Judgement, sentence: Sentence, between: Sequence[Sentence]) -> bool:
    """Whether a judgement is of a sentence, which others part from it."""
    apart = [one for one in between if not _comments(one.text)]
    if not apart:
        return True
    if not judged.noun or any(_tells(one.text) or cue_table().find(one.tokens) for one in apart):
        return False
    return _tells(sentence.text) or bool(cue_table().find(sentence.tokens))


def _comments(text: str) -> bool:
    """Whether a sentence is about a statement before it: "*This report* was widely read"."""
    table = _table()
    pointed = re.match(rf"(?:{table.pointer(weak=False)})\b", text.lower().lstrip(_MARKS))
    return pointed is not None and (pointed["noun"] is not None or _tells(text))


def _tells(text: str) -> bool:
    """Whether somebody is told to say something."""
    table = _table()
    words = re.findall(r"[\w-]+", text.lower())
    return any(lemma_of(word, "VERB") in table.said or lemma_of(word, "NOUN") in table.statements for word in words)


def _of_subject(words: str, of_saying: bool) -> Judgement | None:
    """What is said of it: "This was wrong", "the report was withdrawn", "it was found that this was untrue"."""
    table = _table()
    entries = table.entries
    pointing = rf"(?=(?:{entries['determiners']}|it) )"
    told = re.match(rf"(?P<who>.{{0,60}}?)\b(?:{entries['tellers']}) (?:that )?{pointing}", words)
    said, after = rf"(?:{entries['said']})", rf"(?:{entries['correcting']})"
    later = re.match(rf"(?P<who>.{{0,60}}?)\b(?:{after} {said}|{said} {after}) (?:that )?", words)
    for opened in (told, later):
        if opened is not None and table.nobody.isdisjoint(opened["who"].split()):
            found = _judged(words[opened.end() :], of_saying)
            if found is not None:
                return found
    return _judged(words, of_saying)


def _judged(words: str, of_saying: bool) -> Judgement | None:
    table = _table()
    entries = table.entries
    words = words.replace("ruled out", _EXCLUDED)
    found = re.match(
        rf"(?:{table.pointer(weak=True)}) (?:(?:{entries['between']}) )*(?P<turned>(?:never|not) )?(?:{entries['be']}) "
        rf"(?P<judged>(?:(?:{entries['between']}|{entries['judged']}) )*)(?P<judgement>[\w-]+)(?P<tail>.*)$",
        words,
    )
    if found is None or not table.is_tail(found["tail"]):
        return None
    return _weighed(found, found["judgement"], f"{found['turned'] or ''}{found['judged']}", of_saying)


def _weighed(found: re.Match[str], judgement: str, before: str, of_saying: bool) -> Judgement | None:
    """What a word of judgement makes of what it is said of."""
    table = _table()
    noun = found["noun"] or ""
    weak = not noun and found["weak"] is not None
    turned = not table.turning.isdisjoint(before.split()) or "far from" in before
    kinds = {kind for kind, listed in table.judgements.items() if judgement in listed}
    told: Told | None = None
    if "withdrawn" in kinds:
        # A deed can be abandoned or revoked as well.
        deed = not noun and (judgement not in table.unsaid or (weak and not of_saying))
        told = None if turned or deed else _WITHDRAWN
    elif judgement in table.acts and not noun:
        told = None if turned or weak else (False, "possible")
    elif "false" in kinds or ("mistaken" in kinds and noun):
        told = None if turned else _FALSE
    elif "true" in kinds:
        told = _FALSE if turned and (not weak or judgement == "true") else None
    elif "mistaken" in kinds:
        # What was done can be wrong as well as what was said of it.
        told = _WITHDRAWN if judgement in table.wrong and not turned and not weak else None
    elif "doubtful" in kinds:
        told = None if turned or weak else _UNPROVEN
    elif "shown" in kinds:
        told = _UNPROVEN if turned and not weak else None
    elif "possible" in kinds:
        told = None if turned or weak else (False, "possible")
    return None if told is None else Judgement(told, noun)


def _of_object(words: str, of_saying: bool) -> Judgement | None:
    """What is done to it: "They withdrew this report", "the inquiry ruled this out", "tests found it to be false"."""
    table = _table()
    entries, pointer = table.entries, table.pointer(weak=True)
    who = rf"(?P<who>.{{0,80}}?)\b(?:(?:{entries['between']}) )*"
    patterns = (
        ("withdraw", rf"{who}(?:{entries['withdraw']}) (?:{pointer})\b(?P<tail>.*)$"),
        ("disprove", rf"{who}(?:{entries['disprove']}) (?:{pointer})\b(?P<tail>.*)$"),
        ("disprove", rf"{who}(?:{entries['parted']}) (?:{pointer}) out\b(?P<tail>.*)$"),
        ("reject", rf"{who}(?:{entries['reject']}) (?:{pointer})\b(?P<tail>.*)$"),
        (
            "find",
            rf"{who}(?:{entries['find']}) (?:{pointer}) (?P<judged>(?:(?:{entries['judged']}) )*)"
            rf"(?P<judgement>[\w-]+)(?P<tail>.*)$",
        ),
    )
    for kind, pattern in patterns:
        found = re.match(pattern, words)
        if found is None or not found["who"].strip() or not table.nobody.isdisjoint(found["who"].split()):
            continue
        noun = found["noun"] or ""
        if not table.is_tail(found["tail"]):
            continue
        if kind == "find":
            told = _weighed(found, found["judgement"], found["judged"], of_saying)
            if told is not None:
                return told
            continue
        if (found["weak"] is not None and not of_saying) or (
            kind == "reject" and lemma_of(noun, "NOUN") not in table.theories
        ):
            continue
        return Judgement(_WITHDRAWN if kind == "withdraw" else _FALSE, noun)
    return None


def _of_nothing(words: str, of_saying: bool) -> Judgement | None:
    """What there is not for it: "There is no truth in this", "no evidence for this was found"."""
    table = _table()
    nothing = rf"\bno (?P<nothing>{table.entries['nothing']}) (?:for|of|in|behind|to support)"
    found = re.search(rf"{nothing} (?:{table.pointer(weak=True)})\b(?P<tail>.*)$", words)
    if found is None or (found["weak"] is not None and not of_saying):
        return None
    noun = found["noun"] or ""
    fits = table.is_tail(found["tail"]) or re.match(r" (?:was|has|had|could)\b", found["tail"]) is not None
    told = _FALSE if found["nothing"] in table.untrue else _UNPROVEN
    return Judgement(told, noun) if fits else None


def _of_dispute(words: str) -> Judgement | None:
    """What somebody else does not agree with: "Dr Moss said it did not", "the hospital disputes this"."""
    table = _table()
    entries = table.entries
    otherwise = rf"(?:{entries['says']}) (?:that )?(?:it|this|that|they|he|she) (?:{entries['did']}) (?:not|n't)"
    nothing = rf"(?:{entries['find']}|saw|observed|detected) no such [a-z]+"
    found = re.match(
        rf"(?P<who>.{{2,60}}?) (?:{otherwise}|{nothing}|(?:{entries['disputes']})(?: {entries['disputed']})?)"
        rf"(?:,? (?:and|saying|but|while) .*)?$",
        words,
    )
    if found is None or not table.nobody.isdisjoint(found["who"].split()):
        return None
    return Judgement(DISPUTED, "")


class _Table:
    """The words of the tables, ready to match."""

    def __init__(self) -> None:
        own = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
        framing = tomllib.loads(Path(__file__).with_name("framing.toml").read_text(encoding="utf-8"))
        self.entries: dict[str, str] = {name: told for name, told in own.items() if isinstance(told, str)}
        self.theories = frozenset(own["theories"])
        self.untrue = frozenset(own["untrue"])
        self.unsaid = frozenset(own["unsaid"])
        self.nobody = frozenset(own["nobody"])
        nouns = framing["nouns"]
        self.statements = frozenset((*nouns["untrue"], *nouns["hearsay"], *nouns["told"], *own["theories"]))
        self._nouns = "|".join(sorted({form for one in self.statements for form in (one, _plural(one))}))
        self.said = frozenset(framing["verbs"]["said"])
        self.judgements = {kind: frozenset(listed) for kind, listed in framing["judgements"].items()}
        self.judgements["false"] |= {_EXCLUDED}
        self.wrong = frozenset(framing["wrong"])
        self.turning = frozenset((*framing["negators"], "no"))
        verbs = (
            self.entries[name] for name in ("withdraw", "disprove", "parted", "reject", "find", "nothing", "disputes")
        )
        self.triggers = frozenset({"not", "n't"}).union(
            *self.judgements.values(), *(re.split(r"[| ]", one) for one in verbs)
        )
        """The words without which nothing is taken back."""
        self.acts = frozenset({"rejected", "dismissed", "denied", "contradicted"})

    def pointer(self, *, weak: bool) -> str:
        """A pattern of what points at what was told: a pronoun, or a noun with its determiner."""
        entries = self.entries
        by_itself = rf"(?P<weak>{entries['weak']})|" if weak else rf"(?:{entries['weak']})|"
        described = rf"(?:(?:{entries['described']}) )*"
        return (
            rf"{by_itself}(?:{entries['determiners']}) {described}(?P<noun>(?:{self._nouns})\b)"
            rf"|(?:{entries['pronouns']})"
        )

    def is_tail(self, words: str) -> bool:
        """Whether what follows a judgement leaves it whole."""
        told = words.strip()
        return not told or told.startswith(",") or re.match(rf"(?:{self.entries['tails']})\b", told) is not None


def _plural(noun: str) -> str:
    for ending, plural in (("y", "ies"), ("is", "es")):
        if noun.endswith(ending):
            return f"{noun.removesuffix(ending)}{plural}"
    return f"{noun}s"


@cache
def _table() -> _Table:
    return _Table()
