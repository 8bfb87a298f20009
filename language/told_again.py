"""What "it" stands for in a clause, by the sentence before: "The alarm was off. *It* had been switched off ..."."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from language.calendar_marks import calendar_marks
from language.clauses import Clauses
from language.content_words import content_keys, question_words
from language.denied_reasons import denies_happening_or_reason
from language.facts import supposes
from language.factuality import of_clause
from language.named_things import tells_another_thing
from language.paired_things import tells_other_of_pair
from language.time_nouns import time_nouns
from language.time_patterns import without_times
from language.tokens import Sentence, Token
from language.word_classes import WordClass, word_classes

W = WordClass
_PRONOUNS: Final = frozenset({"it", "they", "he", "she"})
_WHERE: Final = frozenset({"in", "at", "on", "near", "during", "inside", "outside", "throughout"})
"""Prepositions before a place or a time, for which no subject stands."""
_OPENERS: Final = frozenset({"but", "and", "however", "later", "then", "thus"})


def with_antecedent(asked: str, clause: str, before: Sentence | None) -> str:
    """A clause with what its pronoun stands for in place of it, where the sentence before leaves no doubt of that.

    There is none where that sentence names one thing only, or where it tells in full what is asked and the clause the
    same of its pronoun. A sentence that denies or supposes what it tells, and one that asks, stands for nothing; one
    that denies a reason alone stands for what the clause tells to have happened for another one.

    Args:
        asked: The happening that is asked about.
        clause: A side of a cue.
        before: The sentence before; none where the clause opens its text.

    Returns:
        The clause as it is where it opens with no pronoun or nothing is sure to be meant.
    """
    rest = _behind_pronoun(clause)
    if rest is None or before is None or not before.prose or before.text.rstrip("\"'”’) ").endswith("?"):
        return clause
    clauses = Clauses(before)
    told = of_clause(clauses, (0, len(before.tokens)))
    denied = told.polarity != "affirmed"
    if told.modality != "actual" or supposes(before.text) or (denied and not denies_happening_or_reason(clauses)):
        return clause
    if tells_another_thing(asked, before.text) or tells_other_of_pair(asked, before.text):
        return clause
    wanted, own = frozenset(question_words(asked)), content_keys(without_times(rest))
    if own and own <= wanted <= content_keys(before.text):
        return asked
    only = "" if denied else _only_thing(before)
    return f"{only} {rest}" if only else clause


def _behind_pronoun(clause: str) -> str | None:
    """The words behind the pronoun that a clause, or what follows its opening phrase, has for its subject."""
    opening, comma, behind = clause.strip().rpartition(", ")
    for part in (clause.strip(), behind if comma and opening else ""):
        words = part.split()
        while words and words[0].lower().strip(",") in _OPENERS:
            words = words[1:]
        if len(words) > 1 and words[0].lower() in _PRONOUNS:
            return " ".join(words[1:])
    return None


def _only_thing(sentence: Sentence) -> str:
    """The one noun phrase of a sentence, but for times and places; empty where it names several things, or none."""
    classes, dates = word_classes(sentence), calendar_marks(sentence.text)
    groups: list[list[Token]] = []
    for place, token in enumerate(sentence.tokens):
        start, end = token.start - sentence.start, token.end - sentence.start
        dated = any(date.start < end and start < date.end for date in dates)
        if classes[place] is not W.NOUN or dated or _tells_where(sentence, classes, place):
            continue
        if place and classes[place - 1] is W.NOUN:
            groups[-1].append(token)
        else:
            groups.append([token])
    things = [group for group in groups if not {token.lemma.lower() for token in group} <= time_nouns()]
    return " ".join(token.text for token in things[0]) if len(things) == 1 else ""


def _tells_where(sentence: Sentence, classes: Sequence[WordClass], place: int) -> bool:
    """Whether a noun stands behind a preposition of place: "the fire started *in the kitchen*"."""
    while place > 0 and classes[place - 1] in (W.DETERMINER, W.ADJECTIVE, W.NOUN, W.NUMBER):
        place -= 1
    return place > 0 and sentence.tokens[place - 1].lower in _WHERE
