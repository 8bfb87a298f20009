"""Two sources that give different causes of one happening: told side by side, and neither as a fact.

What a named person or a body said is told as stated, as long as nobody else is told to say otherwise. What somebody
looked into, and what the documents state without naming a source, stands against what is merely said.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from kg.records import Evidence, Mode, Stance, Verdict
from language.attribution import Account, accounts_of
from language.content_words import content_keys, question_words
from language.named_things import tells_another_thing
from language.questions import Question, QuestionKind, asks_yes_or_no
from language.retractions import DISPUTED, STANDS, taken_back
from language.stated_causes import stated_causes
from language.tokens import Sentence
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.passages import ChosenPassages
from reasoning.quotable import overlaps, rejected_claims, told_sentences, with_neighbours, word_cover
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.wording import say

_MOST_TOLD: Final = 4
"""Accounts that are told at most."""
_ASKS_WHAT: Final = re.compile(r"\W*(?:what|who|which)\b", re.IGNORECASE)


class Sureness(IntEnum):
    """How surely an account is told: what is less sure stands against nothing that is surer."""

    SAID = 0
    """Somebody says it."""
    FOUND = 1
    """Somebody found it when they looked into it."""
    STATED = 2
    """The document states it, and names no source."""


@dataclass(frozen=True, slots=True)
class Told:
    """An account with its place.

    Attributes:
        account: What is told; its source is empty for what no source is named for.
    """

    account: Account
    document_id: str
    start: int
    end: int

    @property
    def sureness(self) -> Sureness:
        """How it is told."""
        if not self.account.source:
            return Sureness.STATED
        return Sureness.FOUND if self.account.found else Sureness.SAID


def beside_rivals(
    draft: Draft, question: Question, read: ChosenPassages, room: Room, quoter: Quoter, *, tells_text: bool
) -> Draft:
    """The draft; or, where what it tells is one account among others that differ, those side by side.

    Args:
        draft: What is to be told.
        question: What is asked.
        read: The passages where accounts are looked for.
        room: Says which claims a person has rejected.
        quoter: Gives the texts.
        tells_text: Whether sentences may be told that the draft does not rest on.
    """
    told = draft.verdict in {Verdict.SUPPORTED, Verdict.HYPOTHESISED}
    if not (told or (tells_text and draft.verdict is Verdict.INSUFFICIENT)) or draft.late or not _may_ask(question):
        return draft
    found = _told_in(read, room, quoter)
    answering = [one for one in found if not one.account.denies and _answers(question, one.account)]
    if not any(one.account.source for one in answering) or _asks_of_source(question, found):
        return draft
    surest = max(one.sureness for one in answering)
    if surest is Sureness.STATED:
        return draft
    answering = [one for one in answering if one.sureness is surest]
    quotes = [one for one in draft.evidence if one.stance is not Stance.CONTEXT]
    if told and not any(_is_quoted(one, quotes) for one in answering):
        return draft
    rivals = [
        other
        for other in found
        if (other.account.denies or surest <= other.sureness < Sureness.STATED)
        and any(_differ(one.account, other.account) for one in answering)
    ]
    beside = [one for one in found if one in answering or one in rivals] if rivals else []
    return _told_side_by_side(draft, beside[:_MOST_TOLD], answering, quoter) if beside else draft


def _may_ask(question: Question) -> bool:
    causal = question.kind in {QuestionKind.WHY, QuestionKind.DID, QuestionKind.HOW}
    plain = question.kind is QuestionKind.PLAIN
    return (causal and not question.negated) or (plain and (_asks_of_cause(question) or asks_yes_or_no(question.text)))


def _asks_of_cause(question: Question) -> bool:
    return question.kind is QuestionKind.WHY or _ASKS_WHAT.match(question.text) is not None


def _asks_of_source(question: Question, found: Sequence[Told]) -> bool:
    """Whether it is asked what just one of the sources says: "What did the owner say destroyed it?"."""
    asked = content_keys(question.text) - content_keys(question.cause or "")
    accounts = [one.account for one in found if one.account.source]
    return any(content_keys(one.source) <= asked - content_keys(one.effect) for one in accounts)


def _told_in(read: ChosenPassages, room: Room, quoter: Quoter) -> list[Told]:
    """What the passages tell as causes, in the order of the documents, each sentence once; nothing without a source."""
    said: list[tuple[str, Sentence, Sequence[Sentence], list[Account]]] = []
    for hit in read.hits:
        passage = read.passages[hit.id]
        before = ""
        for previous, sentence, behind in with_neighbours(told_sentences(passage, quoter)):
            accounts = accounts_of(sentence, before or ("" if previous is None else previous.text))
            before = accounts[-1].effect if accounts else ""
            said.append((passage.document_id, sentence, behind, accounts))
    if not any(accounts for _, _, _, accounts in said):
        return []
    rejected = rejected_claims(room)
    found: dict[tuple[str, int, Account], Told] = {}
    for document_id, sentence, behind, accounts in said:
        # What somebody else only disputes is one account still.
        gone = taken_back(sentence, behind) not in (STANDS, DISPUTED)
        if gone or any(overlaps(one, sentence) for one in rejected[document_id]):
            continue
        for account in accounts or _plain(sentence):
            found[document_id, sentence.start, account] = Told(account, document_id, sentence.start, sentence.end)
    return sorted(found.values(), key=lambda one: (one.document_id, one.start))


def _plain(sentence: Sentence) -> Iterator[Account]:
    for one in stated_causes(sentence):
        if one.affirmed and one.actual and one.cue.relation == "CAUSES":
            yield Account("", one.cause, one.effect)


def _answers(question: Question, account: Account) -> bool:
    """Whether an account is of what is asked, and of the cause that is asked, where one is."""
    figures = thresholds().text
    if question.kind in {QuestionKind.DID, QuestionKind.HOW}:
        of_cause = word_cover(question.cause or "", account.cause, frozenset())
        return min(of_cause, word_cover(question.effect or "", account.effect, frozenset())) >= figures.side_coverage
    if _asks_of_cause(question):
        return word_cover(question.focus, account.effect, frozenset()) >= figures.side_coverage
    asked = question_words(question.focus).keys()
    of_both = word_cover(question.focus, f"{account.cause} {account.effect}", frozenset()) == 1.0
    return of_both and not asked <= content_keys(account.effect)


def _differ(one: Account, other: Account) -> bool:
    causes, effects = (content_keys(one.cause), content_keys(other.cause)), (one.effect, other.effect)
    return (
        not _within(content_keys(one.source), content_keys(other.source))
        and (other.denies or not _within(*causes))
        and _within(*map(content_keys, effects))
        and not tells_another_thing(*effects)
        and not tells_another_thing(*reversed(effects))
    )


def _within(one: Collection[str], other: Collection[str]) -> bool:
    """Whether one of two sets holds the other."""
    first, second = frozenset(one), frozenset(other)
    return first <= second or second <= first


def _is_quoted(told: Told, quotes: Sequence[Evidence]) -> bool:
    return any(told.document_id == one.document_id and told.start < one.end and one.start < told.end for one in quotes)


def _told_side_by_side(draft: Draft, told: Sequence[Told], answering: Sequence[Told], quoter: Quoter) -> Draft:
    places: dict[tuple[str, int], Evidence] = {}
    for one in told:
        stance = Stance.FOR if one in answering else Stance.AGAINST if one.account.denies else Stance.CONTEXT
        places.setdefault((one.document_id, one.start), quoter.span(one.document_id, one.start, one.end, stance))
    evidence = tuple(places.values())
    entries = ["account", *["account_beside"] * (len(evidence) - 1)]
    quoted = zip(entries, evidence, strict=True)
    telling = " ".join(say("answers", entry, place=place_of(one), quote=one.quote) for entry, one in quoted)
    confidence = draft.confidence if draft.verdict is not Verdict.INSUFFICIENT else 1.0 - draft.confidence
    kept = draft.verdict is not Verdict.INSUFFICIENT
    return replace(
        draft,
        mode=draft.mode if kept else Mode.TEXT,
        verdict=Verdict.HYPOTHESISED,
        text=say("answers", "accounts", telling=telling),
        confidence=round(confidence / len(told), 6),
        evidence=evidence,
        late=False,
        missing=draft.missing if kept else (),
        steps=(),
        reasons={**draft.reasons, "accounts": [[one.document_id, one.start, one.end] for one in evidence]},
    )
