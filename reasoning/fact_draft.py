"""A draft for a question that asks for a fact and for no cause: the sentence that helps most, where it suffices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kg.passage_texts import embedded_text, told_span
from kg.records import Evidence, Mode, Passage, PassageKind, Stance, Verdict
from language.agentless import names_no_doer
from language.content_words import content_keys, question_words
from language.contrasts import sets_apart
from language.facts import can_answer, points_back
from language.irrealis import tells_near
from language.labels import is_asked_for
from language.named_subjects import tells_of_another
from language.numbered_things import tells_another_number
from language.placed_things import tells_other_placed
from language.question_times import names_other_year
from language.questions import Question, QuestionKind, asked_of_reason, asks_what_stopped, asks_yes_or_no
from language.quick_sentences import quick_sentences
from language.retractions import is_taken_back
from language.side_bounds import clauses_beside
from language.stated_causes import stated_as, stated_causes
from language.tokens import Sentence
from language.told_doers import asked_deed, told_doer
from models.judge import RelevanceJudge
from reasoning.bridged_sentences import sentence_pairs
from reasoning.draft import Draft
from reasoning.evidence import Quoter
from reasoning.left_open import is_left_open
from reasoning.passages import UNDECIDED, ChosenPassages
from reasoning.quotable import in_time, overlaps, rejected_claims, tells, with_neighbours, word_cover
from reasoning.room import Room
from reasoning.text_draft import denies
from reasoning.thresholds import thresholds
from reasoning.unjudged import UNJUDGED

_TAKING_UP: Final = frozenset(
    {"it", "its", "they", "them", "their", "he", "him", "his", "she", "her", "this", "these", "both"}
)
"""Words of a sentence that may stand for what the one before names."""
_STOPS: Final = (".", "!", "?", "…", ".”", '."', ".)")


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A sentence, with the one before it where it points back to that; or the answer of a pair.

    Attributes:
        wider_start: Where the sentence before it starts, or it itself where it has none in its passage.
        cover: Share of the words of the question that it has.
        asked: The question of the pair; empty for a sentence.
    """

    document_id: str
    start: int
    end: int
    text: str
    wider: str
    wider_start: int
    cover: float
    asked: str = ""


@dataclass(frozen=True, slots=True)
class FactFindings:
    """What the judges made of the sentences.

    Attributes:
        draft: The sentence that answers; none when no sentence suffices.
        nearest: The sentence that helps most without sufficing; none when none helps.
        steps: What was judged, as plain JSON values.
    """

    draft: Draft | None
    nearest: Evidence | None
    steps: dict[str, object]


def asks_for_fact(question: Question) -> bool:
    """Whether judges can answer it with a sentence: it asks for no cause, and not for yes or no."""
    return question.kind is QuestionKind.PLAIN and not asks_yes_or_no(question.text)


def draft_of_fact(question: Question, read: ChosenPassages, room: Room, quoter: Quoter) -> FactFindings:
    """The sentence that answers, by a judge of relevance and a judge of sufficiency.

    A sentence that points back to the one before it is judged and told with it, and one that does not suffice by itself
    is, too, where the two do. Two sentences of different passages that a name links come before it where they help
    more. What names no number and no time answers no question for one, and what tells it of
    another name than the one asked about none for it, whatever the judges say.

    Raises:
        ModelError: a judge cannot judge at all.
    """
    figures = thresholds().fact
    judges = room.judges.judges
    found = sorted(_candidates(question, read, room, quoter), key=lambda one: -one.cover)
    found = _with_deed(question, found)
    sentences, pairs = ([one for one in found if bool(one.asked) is of_pair] for of_pair in (False, True))
    candidates = [*sentences[: figures.candidates], *pairs[: figures.candidates]]
    helps = _helps(question.text, [one.text for one in candidates], judges.relevance)
    steps: dict[str, object] = {
        "judges": [judges.relevance.fingerprint, judges.sufficiency.fingerprint],
        "sentences": [
            [one.document_id, one.start, one.end, round(value, 6)] for one, value in zip(candidates, helps, strict=True)
        ],
        "least": figures.sufficient,
    }
    bridged, told_of_pairs = _draft_of_pair(question, read, candidates, helps, room, quoter)
    if told_of_pairs:
        steps["bridged"] = told_of_pairs
    if bridged is not None:
        return FactFindings(bridged, None, steps)
    if not candidates:
        return FactFindings(None, None, steps)
    best = candidates[max(range(len(candidates)), key=lambda place: helps[place])]
    for one, start, text in _in_turn(question, candidates, helps):
        labelled = sum(is_asked_for(question.text, other.text) for other in candidates) == 1
        labelled = labelled and is_asked_for(question.text, one.text)
        # Of several causes with the same label no one knows which is asked for.
        enough = 1.0 if labelled or _tells_doer(question, one) else _suffices(question.text, text, room)
        steps["sufficiency"] = [one.document_id, start, one.end, round(enough, 6)]
        if enough >= figures.sufficient:
            shown = quoter.span(one.document_id, start, one.end, Stance.FOR)
            told = Draft(
                mode=Mode.TEXT,
                verdict=Verdict.SUPPORTED,
                text=" ".join(shown.quote.split()),
                confidence=round(enough, 6),
                evidence=(shown,),
                reasons={"sufficiency": round(enough, 6)},
            )
            return FactFindings(told, None, steps)
    helped = max(helps) >= figures.helpful
    nearest = quoter.span(best.document_id, best.start, best.end, Stance.CONTEXT) if helped else None
    return FactFindings(None, nearest, steps)


def _with_deed(question: Question, found: list[_Candidate]) -> list[_Candidate]:
    """Those that tell what a question says was done, where any does: who built it, no sentence about its fire tells."""
    deed = asked_deed(question.text)
    telling = [one for one in found if one.asked or deed in content_keys(one.wider)]
    telling = telling if deed and any(not one.asked for one in telling) else found
    return [one for one in telling if one.asked or not tells_another_number(question.text, one.text)]


def _draft_of_pair(
    question: Question,
    read: ChosenPassages,
    candidates: Sequence[_Candidate],
    helps: Sequence[float],
    room: Room,
    quoter: Quoter,
) -> tuple[Draft | None, list[dict[str, object]]]:
    """Two sentences linked by a name that together suffice, and what was judged of each two, as plain JSON values.

    They have to tell more words of the question than the sentence that helps most, and to help at least as much.
    """
    figures = thresholds().fact
    pairs = sentence_pairs(question, read, figures.pairs, room, quoter)
    best = max(range(len(candidates)), key=lambda place: helps[place], default=None)
    cover, help_ = (0.0, 0.0) if best is None else (candidates[best].cover, helps[best])
    pairs = [pair for pair in pairs if pair.cover > cover and not tells_of_another(question.text, pair.text)]
    if not pairs:
        return None, []
    values = _helps(question.text, [pair.text for pair in pairs], room.judges.judges.relevance)
    steps: list[dict[str, object]] = [
        {"name": pair.name, "text": pair.text, "relevance": round(value, 6)}
        for pair, value in zip(pairs, values, strict=True)
    ]
    place = max(range(len(pairs)), key=lambda one: values[one])
    if values[place] < help_:
        return None, steps
    pair, enough = pairs[place], round(_suffices(question.text, pairs[place].text, room), 6)
    steps[place]["sufficiency"] = enough
    if enough < figures.sufficient:
        return None, steps
    shown = [quoter.span(one.document_id, one.start, one.end, Stance.FOR) for one in (pair.first, pair.second)]
    told = Draft(
        mode=Mode.TEXT,
        verdict=Verdict.SUPPORTED,
        text=" ".join(" ".join(one.quote.split()) for one in shown),
        confidence=enough,
        evidence=tuple(shown),
        reasons={"sufficiency": enough, "bridge": pair.name},
    )
    return told, steps


def _in_turn(
    question: Question, candidates: Sequence[_Candidate], helps: Sequence[float]
) -> Iterator[tuple[_Candidate, int, str]]:
    """Of which the judge of sufficiency is asked, one after another, with where it starts and its words.

    The pair that asks the same, in the same words; the sentence that helps most; then another pair, since a question
    that is only like the one asked has another answer more often than not.
    """
    ranked = [candidates[place] for place in sorted(range(len(candidates)), key=lambda place: -helps[place])]
    same = [bool(one.asked) and _ask_the_same(question.text, one.asked) for one in ranked]
    alike = next((one for one, is_same in zip(ranked, same, strict=True) if is_same), None)
    sentence = next((one for one in ranked if not one.asked), None)
    other = next((one for one, is_same in zip(ranked, same, strict=True) if one.asked and not is_same), None)
    for each in (alike, sentence, other):
        if each is not None:
            wider = () if _is_of_other_object(question, each) else ((each.wider_start, each.wider),)
            for start, text in dict.fromkeys(((each.start, each.text), *wider)):
                if each.asked or not tells_of_another(question.text, text):
                    yield each, start, text


def _tells_doer(question: Question, one: _Candidate) -> bool:
    """Whether a sentence tells what did it in the question's own words, which a judge may not take for an answer."""
    sentences = quick_sentences(one.text)
    return not one.asked and len(sentences) == 1 and told_doer(question.text, sentences[0]) != ""


def _is_of_other_object(question: Question, one: _Candidate) -> bool:
    """Whether a sentence tells the deed that is asked about with nothing else of the question: of another thing."""
    deed, told = asked_deed(question.text), content_keys(one.text)
    if not _TAKING_UP.isdisjoint(one.text.lower().rstrip(".!").split()):
        return False
    return deed in told and told.isdisjoint(question_words(question.text).keys() - {deed})


def _ask_the_same(one: str, other: str) -> bool:
    """Whether two questions have the same content words."""
    return min(word_cover(one, other, frozenset()), word_cover(other, one, frozenset())) >= 1.0


def _candidates(question: Question, read: ChosenPassages, room: Room, quoter: Quoter) -> Iterator[_Candidate]:
    """The sentences of the passages that may be quoted, each once, best passage first."""
    rejected = rejected_claims(room)
    of_reason = asked_of_reason(question.text)
    of_near, of_stop = tells_near(question.text), of_reason is None and asks_what_stopped(question.text)
    seen: set[tuple[str, int]] = set()
    for hit in read.hits:
        passage = read.passages[hit.id]
        document = quoter.document(passage.document_id)
        whole = quoter.text(passage.document_id)
        sentences = quick_sentences(whole[passage.start : passage.end], passage.start)
        if passage.kind is PassageKind.PAIR:
            if any(in_time(question, sentence, sentences, document) for sentence in sentences):
                yield from _answer_of_pair(question, passage, whole)
            continue
        for before, sentence, behind in with_neighbours(sentences):
            place = (passage.document_id, sentence.start)
            if (
                place in seen
                or is_taken_back(sentence, behind)
                or not tells(sentence)
                or not in_time(question, sentence, sentences, document)
                or _is_of_other_year(question, sentence)
                or names_no_doer(question.text, sentence.text)
                or (not of_near and tells_near(sentence.text))
                or (of_stop and stated_as(sentence) != (True, True))
                or sets_apart(sentence, question.text)
                or tells_other_placed(question.text, sentence.text)
                or (of_reason is not None and not _tells_what_followed(*of_reason, sentence, behind))
            ):
                continue
            if any(overlaps(claim, sentence) for claim in rejected[passage.document_id]):
                continue
            seen.add(place)
            # A sentence that takes back the one before it answers nothing together with that.
            apart = (
                before is None
                or is_taken_back(before, [sentence, *behind])
                or is_left_open(question, before)
                or _is_of_other_year(question, before)
            )
            wider = sentence.start if before is None or apart else before.start
            start = wider if points_back(sentence.text) else sentence.start
            text = whole[start : sentence.end]
            if start < sentence.start and names_no_doer(question.text, text):
                continue
            if names_no_doer(question.text, whole[wider : sentence.end]):
                wider = start
            if can_answer(question.text, sentence.text) and not is_left_open(question, sentence):
                yield _Candidate(
                    document_id=passage.document_id,
                    start=start,
                    end=sentence.end,
                    text=text,
                    wider=whole[wider : sentence.end],
                    wider_start=wider,
                    cover=word_cover(question.text, text, frozenset()),
                )


def _is_of_other_year(question: Question, sentence: Sentence) -> bool:
    """Whether the clause that has most of the question is of another year: "2010, *when floods came*, was worse"."""
    if question.time is None:
        return False
    part = max(clauses_beside(sentence), key=lambda one: word_cover(question.focus, one.text, frozenset()))
    return names_other_year(question.time, part.text)


def _tells_what_followed(effect: str, cause: str, sentence: Sentence, behind: Sequence[Sentence]) -> bool:
    """Whether a sentence tells as a fact what a question says of the happening it asks for, and of its reason.

    The judges take "the pumps did not stop because of a power cut" to answer what stopped because of one.
    """
    told = [(one, word_cover(effect, one.effect, frozenset()) == 1.0) for one in stated_causes(sentence, behind)]
    least = thresholds().text.side_coverage
    linked = [(one, fits) for one, fits in told if word_cover(cause, one.cause, frozenset()) >= least]
    if linked:
        return any(
            one.affirmed and one.actual and not denies(one.effect) and (one.reaches_back or fits)
            for one, fits in linked
        )
    for_another_reason = any(fits and not one.reaches_back for one, fits in told)
    return not for_another_reason and stated_as(sentence) == (True, True)


def _answer_of_pair(question: Question, passage: Passage, whole: str) -> Iterator[_Candidate]:
    """The answer of a pair, which is judged together with its question, and quoted without it.

    It is judged as a sentence: without a full stop, the judge of sufficiency took 78 % of the short answers of XQuAD
    to be answers to their own questions, with it 95 %, and 5 % to be one to another question of the same paragraph
    (60 pairs of articles 1 modulo 4).
    """
    start, end = told_span(passage, whole)
    answer = whole[start:end]
    if can_answer(question.text, answer):
        asked = embedded_text(passage, whole)
        text = f"{asked} {answer}{'' if answer.endswith(_STOPS) else '.'}"
        cover = word_cover(question.text, text, frozenset())
        yield _Candidate(passage.document_id, start, end, text, text, start, cover, asked)


def _helps(question: str, texts: Sequence[str], judge: RelevanceJudge) -> list[float]:
    """Probability for each sentence that it helps; one that cannot be judged counts as undecided."""
    try:
        return judge.relevance(question, texts)
    except UNJUDGED:
        return [UNDECIDED] if len(texts) == 1 else [one for text in texts for one in _helps(question, [text], judge)]


def _suffices(question: str, text: str, room: Room) -> float:
    """Probability that a text suffices for an answer; 0 where it cannot be judged."""
    try:
        (enough,) = room.judges.judges.sufficiency.sufficiency([(question, text)])
    except UNJUDGED:
        return 0.0
    return enough
