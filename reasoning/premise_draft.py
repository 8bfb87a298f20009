"""A draft for a question that takes for granted what the documents deny: "why did the alarm sound?", and it did not."""

from __future__ import annotations

from typing import Final

from kg.records import Mention, Modality, Mode, Polarity, Stance, Verdict
from language.content_words import content_keys
from language.questions import Question, QuestionKind
from language.quick_sentences import quick_sentences
from language.stated_causes import may_deny_reason, stated_as
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.findings import Findings
from reasoning.room import Room
from reasoning.text_draft import denies
from reasoning.thresholds import thresholds
from reasoning.wording import say

_NEAR: Final = 2_000
"""Characters around a denial in which its document may tell that it did happen: a page or so."""


def draft_from_denied_premise(question: Question, found: Findings, room: Room, quoter: Quoter) -> Draft | None:
    """That the focus did not happen, or did where it is asked why not.

    None when some event found is as it is asked, or none is told as a fact to be otherwise.
    """
    least = thresholds().verdicts.denied_premise_coverage
    seeds = found.focus.seeds
    if question.kind is QuestionKind.PLAIN and denies(question.text):
        # "What had not been changed?" takes for granted what is denied.
        return None
    if not seeds or not all(seed.opposite for seed in seeds) or seeds[0].coverage < least:
        return None
    otherwise = Polarity.AFFIRMED if question.negated else Polarity.NEGATED
    mentions = [
        mention
        for mention in room.store.mentions_of_event(room.collection, seeds[0].event.id)
        if mention.polarity is otherwise and mention.modality is Modality.ACTUAL
    ]
    if not mentions:
        return None
    told = quoter.mention(mentions[0])
    if _tells_it_too(told, quoter):
        return None
    quote = quoter.span(told.document_id, told.sentence_start, told.sentence_end, Stance.AGAINST)
    return Draft(
        mode=Mode.GRAPH,
        verdict=Verdict.CONTRADICTED,
        text=say("answers", "not_so", place=place_of(quote), quote=quote.quote),
        confidence=seeds[0].match,
        evidence=(quote,),
        reasons={"denied_by": told.id, "denied_premise_coverage": least},
    )


def _tells_it_too(told: Mention, quoter: Quoter) -> bool:
    """Whether it may be a reason only that is denied, as the same document tells of what happened as a fact."""
    whole = quoter.text(told.document_id)
    if not any(map(may_deny_reason, quick_sentences(whole[told.sentence_start : told.sentence_end]))):
        return False
    keys, start = content_keys(told.text), max(0, told.sentence_start - _NEAR)
    return any(
        keys <= content_keys(sentence.text) and stated_as(sentence) == (True, True) and not may_deny_reason(sentence)
        for sentence in quick_sentences(whole[start : told.sentence_end + _NEAR], start)
    )
