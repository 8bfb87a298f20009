"""A draft that tells of another thing of the sort that is asked about, or of a part: the seal for the new seal.

An event of the graph is found by most of the words of a question. What it lacks may be just what tells two things of
one sort apart, as the document around it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Final

from kg.records import Evidence, Relation, Stance, Verdict
from language.content_words import content_keys, question_words
from language.named_kinds import kind_apart, kind_later
from language.numbered_things import numbered_apart
from language.paired_things import described_later
from language.questions import Question, QuestionKind
from language.small_shares import tells_small_share
from language.stated_causes import may_deny_reason, stated_as
from language.tokens import Sentence
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.passages import ChosenPassages
from reasoning.quotable import tells, told_sentences
from reasoning.withheld import withheld
from reasoning.wording import say

_MAIN: Final = re.compile(
    r"\b(?:main|primary|principal|chief|root|leading|key|major) (?:cause|reason|factor)\b", re.IGNORECASE
)


def of_the_one_asked(draft: Draft, asked: Question, read: ChosenPassages, quoter: Quoter) -> Draft:
    """The draft; withheld where its document tells apart what it tells of and what is asked about, or tells of few.

    Args:
        draft: What would be given.
        asked: The question.
        read: The passages that are read.
        quoter: Gives the texts.
    """
    if draft.verdict not in {Verdict.SUPPORTED, Verdict.HYPOTHESISED} or asked.kind is QuestionKind.WHAT_IF:
        return draft
    quotes = [one for one in draft.evidence if one.stance is Stance.FOR]
    if not quotes:
        return draft
    happening = asked.effect or asked.focus
    lack = _of_few(happening, quotes) or _of_no_main_cause(draft, asked, quotes)
    if lack is not None:
        return withheld(replace(draft, missing=()), [lack], 1.0 - draft.confidence / 2)
    later = next(_named_later(happening, quotes, quoter), None)
    lacking = question_words(happening).keys() - content_keys(" ".join(one.quote for one in quotes))
    shown, lack = draft.evidence, later
    if lacking:
        lack = next(_named_apart(happening, quotes, quoter), None)
        denial = None if lack or asked.negated else next(_denials(happening, lacking, read, quoter), None)
        if denial is not None:
            shown, lack = (*shown, denial), _quoted("denied_of_it", denial)
        lack = lack or later
    if lack is None:
        return draft
    return withheld(replace(draft, missing=(), evidence=shown), [lack], 1.0 - draft.confidence / 2)


def _quoted(entry: str, quote: Evidence, **words: str) -> str:
    return say("missing", entry, place=place_of(quote), quote=" ".join(quote.quote.split()), **words)


def _of_few(happening: str, quotes: Sequence[Evidence]) -> str | None:
    """That the quotes tell of a part alone of the things that are asked about; none where they do not."""
    words = tells_small_share(happening, " ".join(dict.fromkeys(one.quote for one in quotes)))
    return None if words is None else _quoted("small_share", quotes[0], words=words)


def _of_no_main_cause(draft: Draft, asked: Question, quotes: Sequence[Evidence]) -> str | None:
    """That chains tell only what contributed, where the main cause is asked for; none where they tell more."""
    last = [chain.edges[-1].relation for chain in draft.chains if chain.edges]
    if _MAIN.search(asked.text) is None or not last or any(relation is not Relation.ENABLES for relation in last):
        return None
    return _quoted("main_cause", quotes[0])


def _named_later(happening: str, quotes: Sequence[Evidence], quoter: Quoter) -> Iterator[str]:
    """That a quote may tell of another thing than the one that its document names only later."""
    told = " ".join(one.quote for one in quotes)
    for quote in quotes:
        words = kind_later(happening, told, quote.start, quoter.text(quote.document_id))
        if words is not None:
            yield _quoted("another_one", quote, words=words)


def _named_apart(happening: str, quotes: Sequence[Evidence], quoter: Quoter) -> Iterator[str]:
    """That a quote tells of another thing, where its document tells that from the one that is asked about."""
    told = " ".join(one.quote for one in quotes)
    for quote in quotes:
        whole = quoter.text(quote.document_id)
        for apart in (described_later, numbered_apart):
            words = apart(happening, told, quote.start, whole)
            if words is not None:
                yield _quoted("another_one", quote, words=words)
        words = kind_apart(happening, told, whole)
        if words is not None:
            yield _quoted("another_one", quote, words=words)


def _denials(happening: str, lacking: AbstractSet[str], read: ChosenPassages, quoter: Quoter) -> Iterator[Evidence]:
    """The sentences that deny the happening in more of its words than the quotes have: of the very thing."""
    keys = question_words(happening).keys()
    for passage in (read.passages[hit.id] for hit in read.hits):
        for sentence in told_sentences(passage, quoter):
            named = content_keys(sentence.text)
            if lacking <= named and keys <= named and _denies(sentence):
                yield quoter.span(passage.document_id, sentence.start, sentence.end, Stance.CONTEXT)


def _denies(sentence: Sentence) -> bool:
    return tells(sentence) and stated_as(sentence) == (False, True) and not may_deny_reason(sentence)
