"""A question that sets one cause against another, "did ice rather than speed cause it?", is no yes where both did."""

from __future__ import annotations

from kg.records import Verdict
from language.content_words import content_keys
from language.left_out import left_out
from language.questions import Question
from language.stated_causes import stated_causes
from reasoning.draft import Draft
from reasoning.evidence import Quoter
from reasoning.passages import ChosenPassages
from reasoning.quotable import told_sentences, with_neighbours, word_cover
from reasoning.thresholds import thresholds
from reasoning.withheld import withheld
from reasoning.wording import say


def without_excluded(draft: Draft, asked: Question, read: ChosenPassages, quoter: Quoter) -> Draft:
    """The draft; withheld where the passages state what the question excludes as a cause too, or leave that open.

    Withheld too where its quotes tell of just what is left out: "what *other than the storm* caused it?".

    Args:
        draft: What would be given.
        asked: The question.
        read: The passages that are read.
        quoter: Gives the texts.
    """
    if draft.verdict is not Verdict.SUPPORTED:
        return draft
    beside = left_out(asked.text)
    if beside and content_keys(beside) <= content_keys(" ".join(one.quote for one in draft.evidence)):
        return withheld(draft, [say("missing", "only_left_out", word=beside)], 1.0 - draft.confidence / 2)
    if not asked.excluded:
        return draft
    told = _told(asked, read, quoter)
    if told == {False}:
        return draft
    entry = "excluded_too" if True in told else "excluded_open"
    return withheld(draft, [say("missing", entry, excluded=asked.excluded)], 1.0 - draft.confidence / 2)


def _told(asked: Question, read: ChosenPassages, quoter: Quoter) -> set[bool]:
    """Whether the passages affirm what is excluded as a cause, or deny it; both where they do both."""
    least, found = thresholds().text.side_coverage, set()
    for passage in (read.passages[hit.id] for hit in read.hits):
        for _, sentence, behind in with_neighbours(told_sentences(passage, quoter)):
            for stated in stated_causes(sentence, behind):
                sides = (asked.excluded, stated.cause), (asked.effect or "", stated.effect)
                fits = all(word_cover(words, side, frozenset()) >= least for words, side in sides)
                if fits and stated.actual and stated.cue.relation != "PREVENTS":
                    found.add(stated.affirmed)
    return found
