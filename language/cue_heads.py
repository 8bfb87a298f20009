"""Whether the sides of a cue have the heads that the cue asks for; the nouns are in `cue_heads.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from language.kinds import is_event_noun
from language.time_nouns import time_nouns
from language.word_classes import WordClass

if TYPE_CHECKING:
    from language.clause_words import ClauseWords, Span
    from language.cues import Cue, CueMatch

W = WordClass
UNKNOWN: Final = frozenset(
    {"unknown", "unclear", "undetermined", "determined", "established", "found", "identified", "known", "under"}
    | {"investigated", "being", "uncertain", "similar", "different", "subject"}
)
"""Words behind "the cause of Y was" that name no cause."""
_UNIT_WITHIN: Final = 3
"""Tokens within which the unit of an amount stands."""
_SUBJECTS: Final = frozenset(
    {"the", "a", "an", "this", "these", "those", "his", "her", "its", "their", "our", "my"}
    | {"he", "she", "it", "they", "we"}
)


@cache
def head_lists() -> Mapping[str, frozenset[str]]:
    """The lists of nouns by name."""
    table = tomllib.loads(files("language").joinpath("cue_heads.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in table.items()}


def clause_behind(match: CueMatch) -> int | None:
    """Where the clause starts that "the reason why" opens, or "the reason the"; none behind another noun."""
    *_, noun, last = ("", *match.text.split())
    if not noun.startswith("reason"):
        return None
    return match.end if last in ("why", "that") else match.end - 1 if last in _SUBJECTS else None


def asks_for_heads(cue: Cue) -> bool:
    """Whether a cue asks for certain heads of its sides."""
    return bool(cue.cause_in or cue.cause_not_in or cue.effect_in or cue.effect_not_in or _takes_no_time(cue))


def heads_fit(cue: Cue, clauses: ClauseWords, cause: Span, effect: Span) -> bool:
    """Whether cause and effect have the heads that a cue asks for.

    Args:
        cue: Tells which lists of nouns its sides must have their heads in, or must not.
        clauses: The sentence of both.
        cause: The tokens of the cause.
        effect: Those of the effect, from its object on where the words of the cue are part of it.
    """
    lists = head_lists()
    if cue.cause_in and (_head(clauses, cause) not in lists[cue.cause_in] or clauses.has_verb(*cause)):
        return False
    if cue.effect_in and (head_noun(clauses, effect) or _doing(clauses, effect)) not in lists[cue.effect_in]:
        return False
    if cue.effect_not_in and any(token.lemma in lists[cue.effect_not_in] for token in clauses.tokens[slice(*effect)]):
        return False
    if _takes_no_time(cue) and _names_time(clauses, cause):
        return False
    if cue.cause_not_in:
        asks = clauses.words[cause[0] : cause[0] + 1] in (["what"], ["how"], ["who"], ["whether"])
        noun = head_noun(clauses, cause)
        doing = clauses.classes[cause[0] : cause[0] + 1] == (W.GERUND,)
        named = bool(noun) or (names_happening(clauses, cause) if cue.needs_event else doing)
        return named and not asks and noun not in lists[cue.cause_not_in]
    return True


def _head(clauses: ClauseWords, span: Span) -> str:
    """The noun that a phrase is about, or a gerund that stands alone for one: "*Flooding* closed the tunnel"."""
    alone = span[1] - span[0] == 1 and clauses.classes[span[0]] is W.GERUND
    return clauses.words[span[0]] if alone else head_noun(clauses, span)


def _takes_no_time(cue: Cue) -> bool:
    """Whether a cue before a noun phrase means something else before a time: "suspended for a week"."""
    return cue.not_time and cue.construction == "phrase"


def _names_time(clauses: ClauseWords, span: Span) -> bool:
    """Whether a phrase says how long or when: "a week"; not "Sunday's clash"."""
    times = [place for place in range(*span) if clauses.tokens[place].lemma in time_nouns()]
    owns = any(clauses.words[place + 1 : place + 2] in (["'s"], ["'"], ["’"]) for place in times)
    return head_noun(clauses, span) in time_nouns() and not owns


def names_happening(clauses: ClauseWords, span: Span) -> bool:
    """Whether a phrase names what can befall somebody: "heavy shelling", "Hurricane Hugo", "a series of blasts"."""
    lists = head_lists()
    noun = head_noun(clauses, span)
    if not noun:
        doing = [clauses.tokens[place].text for place in range(*span) if clauses.classes[place] is W.GERUND]
        return is_event_noun("".join(doing[:1]))
    if is_event_noun(noun) or noun in lists["harms"]:
        return True
    places = [place for place in range(*span) if clauses.classes[place] is W.NOUN][:2]
    named = len(places) > 1 and places[1] == places[0] + 1 and clauses.tokens[places[1]].text[:1].isupper()
    return named and clauses.words[places[0]] in lists["named_storms"]


def _doing(clauses: ClauseWords, span: Span) -> str:
    """The gerund that opens a phrase: "bleaching of corals"."""
    opens = clauses.classes[span[0] : span[0] + 1] == (W.GERUND,)
    return clauses.words[span[0]] if opens else ""


def tells_amount(clauses: ClauseWords, span: Span) -> bool:
    """Whether a phrase only says how much: "by *two hours* on Monday", "by *about ten percent*"."""
    start, end = span
    while start < end and (clauses.classes[start] is W.ADVERB or clauses.words[start] in head_lists()["roughly"]):
        start += 1
    counted = start < end and (clauses.classes[start] is W.NUMBER or clauses.words[start][:1].isdigit())
    units = head_lists()["units"]
    return counted and any(token.lemma in units for token in clauses.tokens[start : min(start + _UNIT_WITHIN, end)])


def head_noun(clauses: ClauseWords, span: Span) -> str:
    """Lemma of the noun that a noun phrase is about, "strike" of "the long strike of the miners"; empty without one."""
    found = ""
    for place in range(*span):
        word_class = clauses.classes[place]
        if word_class is W.NOUN:
            found = clauses.tokens[place].lemma.lower()
        elif found or (word_class is W.GERUND and clauses.classes[place + 1 : place + 2] != (W.NOUN,)):
            # "mining the waters" is about mining, "rising water" about water.
            break
    return found
