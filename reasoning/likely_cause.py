"""A cause that no cue states, but that a sentence seems to tell: a hypothesis, where nothing states one.

Many sentences tell of a cause without a word that says so ("After the dam broke, the village was under water"). The
heads that read claims from documents are trained on such sentences too, but what they find is a claim only when it is
sure enough to be kept for good; for one question that has no other answer less is needed, as long as it is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from kg.records import Evidence, Mode, PassageKind, Stance, Verdict
from language.content_words import content_keys, question_words
from language.contrasts import is_set_apart, without
from language.facts import leaves_open, opens_no_cause, points_back, supposes
from language.hindrances import only_hinders, tells_what_it_did
from language.paired_things import tells_other_of_pair
from language.questions import Question, QuestionKind
from language.retractions import is_taken_back
from language.side_cores import is_object_alone
from language.stated_causes import part_is_actual, stated_as, stated_causes
from language.tokens import Sentence
from language.untold import leaves_asked
from models.relation_reader import ReadRelation, RelationReader
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.passages import ChosenPassages
from reasoning.quotable import in_time, overlaps, rejected_claims, tells, told_sentences, with_neighbours, word_cover
from reasoning.room import Room
from reasoning.text_draft import is_unrealised
from reasoning.thresholds import thresholds
from reasoning.told_nearby import same_words
from reasoning.wording import say
from traversal.deadline import Deadline


@dataclass(frozen=True, slots=True)
class _Telling:
    """A sentence that may tell the cause.

    Attributes:
        cover: Share of the words of the question that it has.
        wider_start: Where the sentence before it starts, or it itself where it has none in its passage.
    """

    document_id: str
    sentence: Sentence
    cover: float
    wider_start: int


def asks_for_cause(question: Question) -> bool:
    """Whether a likely cause would answer it: it asks why something happened, and not why it did not."""
    return question.kind is QuestionKind.WHY and not question.negated


def likely_cause(
    question: Question, lack: Draft, read: ChosenPassages, room: Room, quoter: Quoter, deadline: Deadline
) -> tuple[Draft, dict[str, object]]:
    """The draft with the likeliest cause that a sentence about the effect seems to tell, as a hypothesis.

    Args:
        question: Why something happened.
        lack: What is said where nothing states a cause; it stands where none is likely.
        read: The passages that are read.
        room: Has a reader of relations.
        quoter: Gives the texts.
        deadline: When the search has to end.

    Returns:
        The draft, and what was read as plain JSON values.

    Raises:
        DeadlinePassed: the time is up.
    """
    reader, figures = room.relations, thresholds().likely
    steps: dict[str, object] = {"least": figures.least}
    if reader is None:
        return lack, steps
    found: list[tuple[float, _Telling, ReadRelation]] = []
    tellings = sorted(_tellings(question, read, room, quoter), key=lambda one: -one.cover)
    for telling in tellings[: figures.sentences]:
        deadline.check()
        for relation in _relations(telling.sentence, reader):
            cover = _cover(question, telling.sentence, relation)
            if cover > 0:
                found.append((round(cover * relation.probability, 6), telling, relation))
    found.sort(key=lambda one: (-one[0], one[1].document_id, one[1].sentence.start))
    steps["reader"] = reader.fingerprint
    steps["read"] = [
        [telling.document_id, telling.sentence.start, telling.sentence.end, one.probability]
        for _, telling, one in found[: figures.sentences]
    ]
    likely = [one for one in found if one[2].probability >= figures.least]
    if not likely:
        return lack, steps
    stated = _stated(question, read, room, quoter)
    if stated and _place(likely[0][1]) not in stated:
        return lack, steps
    confidence, telling, relation = likely[0]
    cause = without(telling.sentence.text[slice(*relation.cause)], telling.sentence)
    start = telling.wider_start if points_back(cause) else telling.sentence.start
    shown = quoter.span(telling.document_id, start, telling.sentence.end, Stance.FOR)
    steps["cause"] = cause
    entry = "likely_stated" if stated else "likely"
    text = say("answers", entry, cause=cause, place=place_of(shown), quote=" ".join(shown.quote.split()))
    nearest = [one for one in lack.evidence if (one.document_id, one.start, one.end) == _place(telling)]
    beside = [one for one in lack.evidence if one not in nearest]
    told = replace(
        lack,
        mode=Mode.TEXT,
        verdict=Verdict.HYPOTHESISED,
        text=text,
        confidence=confidence,
        evidence=(shown, *beside),
        missing=_missing(lack.missing, nearest),
        reasons={"likely": relation.probability, "instead_of": lack.text},
    )
    return told, steps


def _missing(before: Sequence[str], nearest: Sequence[Evidence]) -> tuple[str, ...]:
    """What was missing before; the sentence that is told as the answer is not shown as what comes near once more."""
    told = dict.fromkeys(say("missing", "unstated") if _shows(line, nearest) else line for line in before)
    return tuple(told)


def _shows(line: str, nearest: Sequence[Evidence]) -> bool:
    """Whether what is missing is told with a sentence, whatever is said of it."""
    return any(place_of(one) in line and f"“{' '.join(one.quote.split())}”" in line for one in nearest)


def _stated(question: Question, read: ChosenPassages, room: Room, quoter: Quoter) -> set[tuple[str, int, int]]:
    """Where a sentence states as a fact what led to what may be the asked happening."""
    rejected = rejected_claims(room)
    places = set()
    for passage in (read.passages[hit.id] for hit in read.hits):
        for _, sentence, behind in with_neighbours(told_sentences(passage, quoter)):
            if any(overlaps(claim, sentence) for claim in rejected[passage.document_id]):
                continue
            if any(
                one.affirmed
                and one.actual
                and one.cue.relation != "PREVENTS"
                and not one.reaches_back
                and same_words(question.focus, one.effect)
                for one in stated_causes(sentence, behind)
            ):
                places.add((passage.document_id, sentence.start, sentence.end))
    return places


def _tellings(question: Question, read: ChosenPassages, room: Room, quoter: Quoter) -> Iterator[_Telling]:
    """Sentences that tell of the effect as a fact and deny no cause of it, each once."""
    rejected = rejected_claims(room)
    seen: set[tuple[str, int]] = set()
    for hit in read.hits:
        passage = read.passages[hit.id]
        if passage.kind is PassageKind.PAIR:
            continue
        document = quoter.document(passage.document_id)
        sentences = told_sentences(passage, quoter)
        for before, sentence, behind in with_neighbours(sentences):
            if is_taken_back(sentence, behind):
                continue
            place = (passage.document_id, sentence.start)
            cover = word_cover(question.focus, sentence.text, frozenset())
            if place in seen or cover < thresholds().text.context_coverage or not tells(sentence):
                continue
            seen.add(place)
            refused = any(overlaps(claim, sentence) for claim in rejected[passage.document_id])
            if not refused and _affirms(question, sentence) and in_time(question, sentence, sentences, document):
                wider = sentence.start if before is None else before.start
                yield _Telling(passage.document_id, sentence, cover, wider)


def _affirms(question: Question, sentence: Sentence) -> bool:
    """Whether a sentence tells what happened, and neither what prevented it nor what is not known of it."""
    affirmed, actual = stated_as(sentence)
    causes = stated_causes(sentence)
    caused = all(stated.affirmed and stated.cue.relation != "PREVENTS" for stated in causes)
    open_ = leaves_open(question.text, sentence.text) or supposes(sentence.text) or is_unrealised(question, sentence)
    return affirmed and actual and caused and not open_ and not leaves_asked(question.text, sentence)


def _relations(sentence: Sentence, reader: RelationReader) -> list[ReadRelation]:
    words = [(token.start - sentence.start, token.end - sentence.start) for token in sentence.tokens]
    return reader.relations(sentence.text, words)


def _cover(question: Question, sentence: Sentence, relation: ReadRelation) -> float:
    """Share of the words of the question on the side of the effect; 0 where that side tells of something else.

    It is 0 as well where the effect is only supposed: "had the guard slept, the store *would have been robbed*", and
    where the cause is told as none: "he died of a stroke, *not of cancer*".
    """
    if not part_is_actual(sentence, relation.effect) or is_set_apart(sentence, relation.cause):
        return 0.0
    figures = thresholds().text
    effect, cause = (sentence.text[slice(*span)] for span in (relation.effect, relation.cause))
    keys, asked = content_keys(effect), question_words(question.focus).keys()
    if opens_no_cause(sentence.text[: relation.cause[0]]) or opens_no_cause(f"{cause.split()[0]} "):
        return 0.0
    if only_hinders(cause, question.focus) or tells_what_it_did(effect, question.focus):
        return 0.0
    if not content_keys(cause) - asked or len(keys & asked) < figures.side_precision * len(keys):
        return 0.0
    asked_of = question.with_order(question.focus)
    if is_object_alone(frozenset(asked), effect) or tells_other_of_pair(asked_of, sentence.text):
        return 0.0
    cover = word_cover(question.focus, effect, frozenset())
    return cover if cover >= figures.side_coverage else 0.0


def _place(telling: _Telling) -> tuple[str, int, int]:
    return telling.document_id, telling.sentence.start, telling.sentence.end
