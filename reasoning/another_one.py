"""A draft that tells of another thing of the sort that is asked about: the seal, where the new seal is asked about.

An event of the graph is found by most of the words of a question. What it lacks may be just what tells two things of
one sort apart, as the document around it shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from kg.records import Evidence, Stance, Verdict
from language.content_words import content_keys, question_words
from language.numbered_things import numbered_apart
from language.paired_things import described_later
from language.questions import Question, QuestionKind
from language.stated_causes import may_deny_reason, stated_as
from language.tokens import Sentence
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.passages import ChosenPassages
from reasoning.quotable import tells, told_sentences
from reasoning.withheld import withheld
from reasoning.wording import say


def of_the_one_asked(draft: Draft, asked: Question, read: ChosenPassages, quoter: Quoter) -> Draft:
    """The draft; withheld where its document tells apart what it tells of and what is asked about.

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
    lacking = question_words(happening).keys() - content_keys(" ".join(one.quote for one in quotes))
    if not lacking:
        return draft
    apart = next(_named_apart(happening, quotes, quoter), None)
    confidence, bare = 1.0 - draft.confidence / 2, replace(draft, missing=())
    if apart is not None:
        return withheld(bare, [say("missing", "another_one", words=apart)], confidence)
    denial = None if asked.negated else next(_denials(happening, lacking, read, quoter), None)
    if denial is None:
        return draft
    told = say("missing", "denied_of_it", place=place_of(denial), quote=" ".join(denial.quote.split()))
    return withheld(replace(bare, evidence=(*draft.evidence, denial)), [told], confidence)


def _named_apart(happening: str, quotes: Sequence[Evidence], quoter: Quoter) -> Iterator[str]:
    """The words for the thing that is asked about, where the documents of all quotes tell it from the one of these."""
    told = " ".join(one.quote for one in quotes)
    for quote in quotes:
        whole = quoter.text(quote.document_id)
        for apart in (described_later, numbered_apart):
            words = apart(happening, told, quote.start, whole)
            if words is not None:
                yield words


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
