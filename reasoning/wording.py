"""Sentences around the words of the documents: the templates of the table, filled."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from kg.records import Claim, Event, Mention, Relation
from language.phrases import as_happening, as_opening, as_part, is_clause, is_predicate
from language.whole_phrases import is_cut_off, is_whole
from reasoning.late_causes import LateCause
from reasoning.links import Link
from reasoning.times_told import time_told
from traversal.expansion import Cut

_MADE: Final = re.compile(r"(?:made|makes?|making)\b.* \.\.\. ")
"""The cues whose effect is an object with an infinitive."""
_QUOTATION_MARKS: Final = ("“", "‘", '"')


@cache
def _table() -> dict[str, dict[str, dict[str, str] | str]]:
    return tomllib.loads(files("reasoning").joinpath("wording.toml").read_text(encoding="utf-8"))


def say(group: str, entry: str, **words: str) -> str:
    """One entry of the table with its words filled in."""
    template = _table()[group][entry]
    if not isinstance(template, str):
        raise KeyError(f"{group}.{entry} has forms")
    return template.format(**{name: " ".join(word.split()) for name, word in words.items()})


def part_of(mention: Mention, claim: Claim) -> str:
    """The words of a mention of a claim as they read in the middle of a sentence, those that open a quotation too."""
    before = claim.quote[: max(0, mention.start - claim.start)]
    return as_part(
        mention.text, opened_sentence=mention.start == mention.sentence_start or before[-1:] in _QUOTATION_MARKS
    )


def event_words(event: Event) -> str:
    """The wording of an event as it reads in the middle of a sentence."""
    return as_happening(as_part(event.description, opened_sentence=True), event.kind)


def why_told(links: Sequence[Link]) -> str:
    """A chain from its effect back to its first cause; no full stop at the end.

    It is told in the words of its claims where they fit into a sentence, else in the sentences that state it.
    """
    last = links[-1].best
    if last is None:
        return ""
    if not _fit(links):
        return _stated(links[::-1])
    relation = _relation(links[-1])
    effect, cause = part_of(last.effect, last.claim), part_of(last.cause, last.claim)
    prevented = links[-1].edge.relation is Relation.PREVENTS
    if is_predicate(effect) and not prevented:
        told = say("why", f"predicate_{relation}", effect=effect, cause=cause)
    elif relation.endswith("_possible") and not prevented and not is_clause(effect):
        told = _formed("why", f"noun_{relation}", cause=cause, effect=effect)
    else:
        told = _formed("why", f"head_{relation}" if prevented else "head", effect=effect)
        told += _formed("why", f"first_{relation}" if prevented else relation, cause=cause)
    for link in reversed(links[:-1]):
        if link.best is not None:
            reason = _formed("why", _relation(link), cause=part_of(link.best.cause, link.best.claim))
            told += reason if reason.startswith(",") else f",{reason}"
    return as_opening(told)


def steps_told(links: Sequence[Link]) -> str:
    """A chain from its first cause on; else as `why_told`."""
    first = links[0].best
    if first is None:
        return ""
    if not _fit(links):
        return _stated(links)
    cause, effect = part_of(first.cause, first.claim), part_of(first.effect, first.claim)
    if is_predicate(effect) and links[0].edge.relation is not Relation.PREVENTS:
        told = say("why", f"predicate_{_relation(links[0])}", effect=effect, cause=cause)
    elif is_clause(cause):
        told = cause + _formed("on", _relation(links[0]), effect=effect)
    else:
        told = _formed("on", f"phrase_{_relation(links[0])}", effect=effect, cause=cause)
    for link in links[1:]:
        if link.best is not None:
            told += _formed("on", _relation(link), effect=part_of(link.best.effect, link.best.claim))
    return as_opening(told)


def _fit(links: Sequence[Link]) -> bool:
    """Whether the words of all claims can be put into a sentence of ours without breaking it."""
    for link in links:
        stated = link.best
        if stated is not None and not (_fits(stated.cause, stated.claim) and _fits(stated.effect, stated.claim)):
            return False
    return True


def _fits(mention: Mention, claim: Claim) -> bool:
    part = part_of(mention, claim)
    if mention.id == claim.effect_mention and _MADE.match(claim.cue) and claim.relation is Relation.CAUSES:
        # What "made the river rise" has no sentence of its own: its verb is none that says when.
        return False
    if is_cut_off(claim.quote, mention.start - claim.start, mention.end - claim.start, claim.cue):
        return False
    return is_whole(part) or (mention.id == claim.effect_mention and is_predicate(part))


def _stated(links: Sequence[Link]) -> str:
    """The sentences that state the links, each once."""
    quotes = (" ".join(link.best.claim.quote.split()) for link in links if link.best is not None)
    return " ".join(dict.fromkeys(map(as_sentence, quotes)))


def premise_told(cause: Event, effect: Event) -> str:
    """That one event led to another, as a sentence."""
    return link_told(event_words(cause), event_words(effect))


def link_told(first: str, then: str) -> str:
    """That one happening led to another, as a sentence; both in words as they read in the middle of one."""
    form = "broken" if not (is_whole(first) and is_whole(then)) else "clause" if is_clause(first) else "phrase"
    return as_sentence(_formed("premises", form, effect=then, cause=first))


def missing_cause(words: str) -> str:
    """That nothing says why this happened."""
    return say("missing", "cause_clause" if is_clause(words) else "cause_phrase", focus=words)


def missing_effect(words: str) -> str:
    """That nothing says what followed from this."""
    return say("missing", "effect_clause" if is_clause(words) else "effect_phrase", focus=words)


def may_be_told(words: str | None, place: str, quote: str, *, forward: bool) -> str:
    """That a sentence may say why this happened, or what followed from it, with its place.

    Args:
        words: What happened; none for "it".
        place: Where the sentence stands, for a person.
        quote: The sentence.
        forward: Whether it may say what followed.
    """
    form = "it" if words is None else "clause" if is_clause(words) else "phrase"
    entry = f"{'effect' if forward else 'cause'}_near_{form}"
    return say("missing", entry, focus=words or "", place=place, quote=quote)


def late_told(late: LateCause) -> str:
    """That what is given as a cause came after its effect, with the times of both."""
    cause, effect = (one.told or time_told(one.time) for one in (late.cause, late.effect))
    times = {"cause_time": cause, "effect_time": effect}
    return say("missing", "late", cause=late.cause.words, effect=late.effect.words, **times)


def cut_told(cuts: Sequence[Cut]) -> str:
    """That the search met these bounds."""
    return say("missing", "cut", cuts=", ".join(cut.value.replace("_", " ") for cut in cuts))


def any_of(words: Sequence[str]) -> str:
    """Words, each quoted, of which none is there: “a”, “b” or “c”."""
    *before, last = (f"“{word}”" for word in words)
    return f"{', '.join(before)} or {last}" if before else last


def named(text: str) -> str:
    """What somebody gave as a text of its own, as it reads inside a sentence."""
    return text.strip().removesuffix(".")


def as_sentence(told: str) -> str:
    """With a capital and a full stop."""
    told = as_opening(told.strip())
    return told if told[-1:] in {".", "!", "?", "”"} else told + "."


def _relation(link: Link) -> str:
    relation = link.edge.relation.value
    if not link.told_as_fact:
        return f"{relation}_possible"
    hedged = link.best is not None and _hedge().search(link.best.claim.quote) is not None
    return f"{relation}_likely" if hedged else relation


@cache
def _hedge() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{say('hedges', 'likely')})\b", re.IGNORECASE)


def _formed(group: str, entry: str, **words: str) -> str:
    """An entry in the form that fits the first of its words: a clause or a noun phrase."""
    forms = _table()[group][entry]
    if isinstance(forms, str):
        raise KeyError(f"{group}.{entry} has no forms")
    return forms["clause" if is_clause(next(iter(words.values()))) else "phrase"].format(**words)
