"""A draft for a question that takes for granted what the documents deny: "why did the alarm sound?", and it did not."""

from __future__ import annotations

from kg.records import Modality, Mode, Polarity, Stance, Verdict
from language.questions import Question
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.findings import Findings
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.wording import say


def draft_from_denied_premise(question: Question, found: Findings, room: Room, quoter: Quoter) -> Draft | None:
    """That the focus did not happen, or did where it is asked why not.

    None when some event found is as it is asked, or none is told as a fact to be otherwise.
    """
    least = thresholds().verdicts.denied_premise_coverage
    seeds = found.focus.seeds
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
    quote = quoter.span(told.document_id, told.sentence_start, told.sentence_end, Stance.AGAINST)
    return Draft(
        mode=Mode.GRAPH,
        verdict=Verdict.CONTRADICTED,
        text=say("answers", "not_so", place=place_of(quote), quote=quote.quote),
        confidence=seeds[0].match,
        evidence=(quote,),
        reasons={"denied_by": told.id, "denied_premise_coverage": least},
    )
