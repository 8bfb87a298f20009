"""A denial that is one of a time, a way or another thing alone: it contradicts no plain question for yes or no."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kg.records import Evidence, Modality, Stance, Verdict
from language.limited_denials import denies_in_part
from language.paired_things import tells_other_of_pair
from language.questions import Question, QuestionKind, asks_yes_or_no
from language.quick_sentences import quick_sentences
from language.tokens import Sentence
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.material import Material
from reasoning.passages import ChosenPassages
from reasoning.quotable import told_sentences
from reasoning.withheld import withheld
from reasoning.wording import say


def without_partial_denials(draft: Draft, material: Material) -> Draft:
    """The draft without denials that leave open what is asked; what speaks for it is told alone, or nothing.

    What is only suspected is told as possible, and never as a fact.

    Args:
        draft: What would be given.
        material: The question, and what was read for it.
    """
    asked, read, quoter = material.asked, material.read, material.quoter
    yes_or_no = asked.kind is QuestionKind.DID or (asked.kind is QuestionKind.PLAIN and asks_yes_or_no(asked.text))
    if draft.verdict is not Verdict.CONTRADICTED or not yes_or_no:
        return draft
    against = [one for one in draft.evidence if one.stance is Stance.AGAINST]
    partial = [one for one in against if _is_partial(asked, one, read, quoter)]
    if not partial or len(partial) < len(against):
        return draft
    told = tuple(one for one in draft.evidence if one.stance is Stance.FOR)
    reasons = {**draft.reasons, "denied in part": [[one.document_id, one.start, one.end] for one in partial]}
    if told:
        return _affirmed(draft, told, reasons, material)
    shown = partial[0]
    lack = say("missing", "denied_in_part", place=place_of(shown), quote=" ".join(shown.quote.split()))
    return withheld(replace(draft, missing=(), reasons=reasons), [lack], 1.0 - draft.confidence / 2)


def _affirmed(draft: Draft, told: tuple[Evidence, ...], reasons: dict[str, object], material: Material) -> Draft:
    """What speaks for it: what is stated as a fact where anything is, else what is told as possible."""
    claims = material.room.store.claims(material.room.collection, [one.claim_id for one in told if one.claim_id])
    possible = [one for one in told if one.claim_id and claims[one.claim_id].modality is not Modality.ACTUAL]
    stated = tuple(one for one in told if one not in possible)
    shown = stated or told
    telling = " ".join(dict.fromkeys(" ".join(one.quote.split()) for one in shown))
    sure = [claims[one.claim_id].confidence for one in shown if one.claim_id]
    confidence = min(draft.confidence, max(sure)) if sure else draft.confidence
    return replace(
        draft,
        verdict=Verdict.SUPPORTED if stated else Verdict.HYPOTHESISED,
        text=telling if stated else say("answers", "maybe", telling=telling),
        confidence=confidence if stated else round(confidence / 2, 6),
        evidence=shown,
        reasons=reasons,
    )


def _is_partial(asked: Question, quote: Evidence, read: ChosenPassages, quoter: Quoter) -> bool:
    if tells_other_of_pair(asked.text, quote.quote):
        return True
    own = quick_sentences(quoter.text(quote.document_id)[quote.start : quote.end], quote.start)
    # That it happened at another time is said of a happening, and not of what led to it.
    behind = _behind(quote, read, quoter) if asked.kind is QuestionKind.PLAIN else ()
    return bool(own) and denies_in_part(asked.text, own[-1], behind)


def _behind(quote: Evidence, read: ChosenPassages, quoter: Quoter) -> Sequence[Sentence]:
    for passage in (read.passages[hit.id] for hit in read.hits):
        if passage.document_id == quote.document_id and passage.start <= quote.start < passage.end:
            return [one for one in told_sentences(passage, quoter) if one.start >= quote.end]
    return ()
