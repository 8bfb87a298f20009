"""A draft from plain text: the sentences of the best passages that answer the question by themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from kg.records import Claim, Evidence, Mode, Stance, Verdict
from language.anyone_there import tells_none_there
from language.clauses import Clauses
from language.content_words import content_keys, question_words
from language.contrasts import sets_apart
from language.facts import asks_once_more, leaves_open, supposes, tells_failing, tells_opposite
from language.irrealis import tells_near
from language.named_things import tell_apart
from language.only_named import is_taken_as_given
from language.own_deeds import tells_other_deed
from language.paired_things import tells_other_of_pair
from language.questions import Question, QuestionKind, asks_of_past, asks_yes_or_no, tells_of_refusal
from language.quick_sentences import quick_sentences
from language.retractions import is_taken_back
from language.side_bounds import clauses_beside
from language.side_cores import is_about, is_object_alone
from language.small_shares import tells_small_share
from language.stated_causes import StatedCause, denies_reason, may_deny_reason, stated_as, stated_causes
from language.taken_up import taken_up
from language.tokens import Sentence
from language.told_again import with_antecedent
from language.told_doers import told_doer
from language.unrealised import tells_unrealised
from language.untold import denies_part, leaves_asked, leaves_untold, only_reports
from reasoning.draft import Draft
from reasoning.evidence import Quoter, place_of
from reasoning.late_causes import LateCause, LateCauses
from reasoning.passages import ChosenPassages
from reasoning.quotable import in_time, overlaps, rejected_claims, tells, told_sentences, with_neighbours, word_cover
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.wording import late_told, say
from traversal.thresholds import thresholds as traversal_thresholds

_IN_OWN_WORDS: Final = 0.9
"""Certainty of a sentence that states in a question's own words what led to it."""
_RELATIVE: Final = re.compile(r", (?:which|who|whose|where)\b[^,]*,")

_ASKS_WHETHER_THERE: Final = re.compile(r"\W*(?:is|are|was|were|has|have|had) there\b", re.IGNORECASE)

_ONSET: Final = re.compile(r"\s+(?:start|begin|erupt|break out)$", re.IGNORECASE)
_NOT_ONLY: Final = re.compile(r"\bnot (?:only|just|merely)\b")

_ASIDE: Final = re.compile(r", (?:which|who|whom|whose|where)\b[^,]*")


@dataclass(frozen=True, slots=True)
class _Found:
    """A sentence that answers.

    Attributes:
        denied: Whether it denies what is asked, or takes the premise away from a question why not.
        announced: Whether it tells what will happen, and not what did.
        reason: What it gives as the cause, or as the effect where effects are asked for; empty where it links nothing.
        of_reason: Whether it may deny no more than a reason of what is asked: "it did not burst because of frost".
        reported: Whether it tells what is asked only as what somebody reported: "had reported a leak".
    """

    document_id: str
    start: int
    end: int
    cover: float
    confidence: float
    cue: str
    denied: bool
    late: LateCause | None = None
    announced: bool = False
    reason: str = ""
    of_reason: bool = False
    reported: bool = False


@dataclass(frozen=True, slots=True)
class TextFindings:
    """What the best passages hold.

    Attributes:
        draft: Sentences that answer the question; none when no sentence does.
        context: The sentence that tells best of the focus without answering; none when none comes near.
        steps: What was done, as plain JSON values.
    """

    draft: Draft | None
    context: Evidence | None
    steps: dict[str, object]


def draft_from_text(question: Question, chosen: ChosenPassages, room: Room, quoter: Quoter) -> TextFindings:
    """Reads the chosen passages.

    A sentence answers a question why only when a cue in it states a cause as a fact and the words of the focus stand on
    the side of the effect; likewise for the other kinds. A cue whose claim a person has rejected answers nothing,
    and is no context. A sentence that merely speaks of the focus is context. One whose cause came after its effect, by
    the dates that it names or by those of the graph, comes behind the others and is no proof. A sentence that denies
    the very cause, or effect, that is told contradicts it.
    """
    figures = thresholds().text
    # No sentence covers more than its passage does, and most passages are read for nothing.
    least = min(figures.side_coverage, figures.context_coverage, figures.plain_coverage)
    rejected = rejected_claims(room)
    late = LateCauses([hit.id for hit in chosen.hits], room, quoter)
    found: list[_Found] = []
    context: list[_Found] = []
    for rank, hit in enumerate(chosen.hits):
        passage = chosen.passages[hit.id]
        document = quoter.document(passage.document_id)
        title = content_keys(document.doc_title)
        if _most_cover(question, quoter.passage(passage), title) < least:
            continue
        sentences = told_sentences(passage, quoter)
        left_out = rejected[passage.document_id]
        for before, sentence, behind in with_neighbours(sentences):
            beside = before, behind, sentences
            answers = list(_answers(question, left_out, late, passage.document_id, beside, sentence, title))
            answers = answers or list(_in_own_words(question, left_out, passage.document_id, sentence, behind))
            if answers and in_time(question, sentence, sentences, document):
                found.extend(answers)
            cover = word_cover(question.focus, sentence.text, title if rank == 0 else frozenset())
            told = tells(sentence) and not any(overlaps(claim, sentence) for claim in left_out)
            if told and cover >= figures.context_coverage:
                context.append(_Found(passage.document_id, sentence.start, sentence.end, cover, 0.0, "", denied=False))
    ranked = sorted(set(found), key=_rank)
    context = sorted(set(context), key=_rank)
    steps: dict[str, object] = {
        "passages": [[hit.id, round(hit.score, 6)] for hit in chosen.hits],
        "sentences": [[f.document_id, f.start, f.end, f.cue, f.cover, f.denied] for f in ranked[:10]],
        "thresholds": figures.model_dump(mode="json"),
    }
    nearest = quoter.span(context[0].document_id, context[0].start, context[0].end, Stance.CONTEXT) if context else None
    return TextFindings(draft=_draft(question, ranked, quoter), context=nearest, steps=steps)


def _most_cover(question: Question, passage: str, title: frozenset[str]) -> float:
    """Share of the words of the focus, or of it without "start" and the like, that a passage or half its title has."""
    keys = content_keys(passage)
    covers = [
        sum(1.0 if key in keys else 0.5 if key in title else 0.0 for key in words) / len(words)
        for words in (question_words(question.focus), question_words(_ONSET.sub("", question.focus)))
        if words
    ]
    return max(covers, default=1.0)


def _draft(question: Question, ranked: Sequence[_Found], quoter: Quoter) -> Draft | None:
    figures = thresholds().text
    stated = [f for f in ranked if not f.denied]
    stated = [f for f in stated if not f.announced] or stated
    stated = [f for f in stated if (f.late is None) is (stated[0].late is None)]
    why_not = _asks_why_not(question)
    denied = [f for f in ranked if f.denied]
    # Where the same document tells it as a fact, it is the reason that is denied.
    told_in = {f.document_id for f in stated}
    denied = [f for f in denied if not (f.of_reason and f.document_id in told_in)]
    if question.kind in {QuestionKind.WHY, QuestionKind.EFFECTS} and not why_not:
        stated, denied = _with_denials(stated, denied)
    elif question.kind is QuestionKind.PLAIN and stated and denied:
        stated, denied = _of_one_thing(stated, denied, quoter)
    stated, denied = stated[: figures.sentences], denied[: figures.sentences]
    if not stated and not denied:
        return None
    shown = [quoter.span(f.document_id, f.start, f.end, Stance.FOR) for f in stated]
    against = [quoter.span(f.document_id, f.start, f.end, Stance.AGAINST) for f in denied]
    best = (denied or stated)[0]
    announced = bool(stated) and stated[0].announced and not denied
    late = tuple(dict.fromkeys(late_told(f.late) for f in stated if f.late is not None))
    telling = _announced(shown) if announced else _told(shown, against, "not_so" if why_not else "no")
    doubted = Verdict.HYPOTHESISED if late or announced else Verdict.SUPPORTED
    return Draft(
        mode=Mode.TEXT,
        verdict=Verdict.CONTRADICTED if denied else doubted,
        text=" ".join((telling, *late)),
        confidence=round(best.cover * _certainty(best), 6),
        evidence=(*shown, *against),
        late=bool(late) and not denied,
        missing=late,
        reasons={"cue": best.cue, "cover": best.cover},
    )


def _with_denials(stated: Sequence[_Found], denied: Sequence[_Found]) -> tuple[list[_Found], list[_Found]]:
    """The sentences to tell, and the denials of what they tell: of two that fit as well, what nobody denies is told."""
    undisputed = [f for f in stated if not any(_denies_reason(other, f) for other in denied)]
    if undisputed and undisputed[0].cover >= stated[0].cover:
        return undisputed, []
    against = [f for f in denied if stated and _denies_reason(f, stated[0])]
    return [f for f in stated if any(_denies_reason(other, f) for other in against)], against


def _of_one_thing(
    stated: Sequence[_Found], denied: Sequence[_Found], quoter: Quoter
) -> tuple[list[_Found], list[_Found]]:
    """What is told and what is denied: no strike in Germany denies none in France, and a denial ends a mere report."""
    stated = [f for f in stated if not f.reported]
    told = [quoter.span(f.document_id, f.start, f.end, Stance.FOR).quote for f in stated]
    against = [
        f
        for f in denied
        if not told
        or not all(tell_apart(one, quoter.span(f.document_id, f.start, f.end, Stance.AGAINST).quote) for one in told)
    ]
    return stated, against


def _denies_reason(denial: _Found, told: _Found) -> bool:
    """Whether a denial names what a sentence tells: nothing else, and not only a small part of it."""
    if (denial.document_id, denial.start, denial.end) == (told.document_id, told.start, told.end):
        # A sentence that sets two causes apart denies the one and not the other: "burnt toast, and no fire".
        return False
    words = content_keys(told.reason)
    shared = len(content_keys(denial.reason) & words)
    least = thresholds().text.denied_share * len(words)
    return shared > 0 and shared >= least and word_cover(denial.reason, told.reason, frozenset()) == 1.0


def _announced(shown: Sequence[Evidence]) -> str:
    quotes = [(place_of(one), " ".join(one.quote.split())) for one in shown]
    return " ".join(say("answers", "announced", place=place, quote=quote) for place, quote in quotes)


def _told(shown: Sequence[Evidence], against: Sequence[Evidence], denial: str) -> str:
    if not against:
        return " ".join(dict.fromkeys(" ".join(evidence.quote.split()) for evidence in shown))
    denied = {"place": place_of(against[0]), "quote": against[0].quote}
    if not shown:
        return say("answers", denial, **denied)
    return say("answers", "disputed", for_place=place_of(shown[0]), for_quote=shown[0].quote, **denied)


def _answers(
    question: Question,
    rejected: Sequence[Claim],
    late: LateCauses,
    document_id: str,
    beside: tuple[Sentence | None, Sequence[Sentence], Sequence[Sentence]],
    sentence: Sentence,
    title: frozenset[str],
) -> Iterator[_Found]:
    figures = thresholds().text
    if question.kind is QuestionKind.WHAT_IF:
        return
    before, behind, around = beside
    unrealised = is_unrealised(question, sentence)
    if question.kind is QuestionKind.PLAIN:
        if not unrealised and not is_taken_back(sentence, behind):
            yield from _plain_answer(question, document_id, sentence, behind)
        return
    unrealised = unrealised or leaves_asked(question.text, sentence)
    asks_of_link = question.kind in {QuestionKind.DID, QuestionKind.HOW}
    may_be_announced = question.kind in {QuestionKind.WHY, QuestionKind.EFFECTS} and not asks_of_past(question.text)
    for stated in stated_causes(sentence, behind):
        announced = stated.announced and may_be_announced
        of_premise = stated.happened and _asks_why_not(question)
        if not (stated.actual or (announced and stated.affirmed)) or (unrealised and stated.affirmed):
            continue
        if not stated.affirmed and stated.cue.relation == "PREVENTS" and question.kind is not QuestionKind.DID:
            continue
        if any(is_claim_of(claim, stated, sentence) for claim in rejected):
            continue
        start, end = sentence.start, sentence.end
        if stated.happens_behind and behind:
            end = behind[0].end
        if of_premise:
            cover = word_cover(question.focus, stated.effect, title)
            if cover >= figures.side_coverage:
                yield _Found(document_id, start, end, cover, stated.cue.confidence, stated.cue.text, denied=True)
            continue
        if stated.reaches_back:
            if before is None:
                continue
            start = before.start
        cause, effect = stated.sides(before)
        happening = question.effect or question.focus
        asked_side = cause if question.kind is QuestionKind.EFFECTS else effect
        if tells_other_of_pair(question.with_order(happening), asked_side):
            continue
        if tells_small_share(happening, effect) is not None:
            # "Not all patients died" neither tells that the patients died nor denies it.
            continue
        cover = fit(question, stated, cause, effect, title)
        if cover < figures.side_coverage and before is not None and not stated.reaches_back:
            first, meant = _with_antecedents(question, (cause, effect), sentence, before, around)
            again = fit(question, stated, *meant, title)
            if again > cover:
                start, cover, (cause, effect) = first, again, meant
        reason = effect if question.kind is QuestionKind.EFFECTS else cause
        if cover >= figures.side_coverage:
            denied = not stated.affirmed or (asks_of_link and denies(effect) is not denies(question.effect or ""))
            confidence, cue = stated.cue.confidence, stated.cue.text
            one = _Found(document_id, start, end, cover, confidence, cue, denied, None, announced, reason)
            is_made_of = partial(is_claim_of, stated=stated, sentence=sentence)
            yield one if denied else replace(one, late=late.of(document_id, (start, end), is_made_of, cause, effect))


def _in_own_words(
    question: Question, rejected: Sequence[Claim], document_id: str, sentence: Sentence, behind: Sequence[Sentence]
) -> Iterator[_Found]:
    """The sentence, where it states in a question's own words what led to it, by no cue that is known."""
    doer = told_doer(question.text, sentence) if question.kind is QuestionKind.WHY else ""
    if not doer or is_taken_back(sentence, behind):
        return
    if not any(overlaps(claim, sentence) for claim in rejected):
        yield _Found(document_id, sentence.start, sentence.end, 1.0, _IN_OWN_WORDS, "", denied=False, reason=doer)


def _with_antecedents(
    question: Question, sides: tuple[str, str], sentence: Sentence, before: Sentence, around: Sequence[Sentence]
) -> tuple[int, tuple[str, str]]:
    """Cause and effect, with what its pronoun or its noun stands for in the one that is asked about, and from where."""
    cause, effect = sides
    forward = question.kind is QuestionKind.EFFECTS
    asked, side = (question.focus, cause) if forward else (question.effect or question.focus, effect)
    earlier = taken_up(asked, side, sentence, around)
    meant = with_antecedent(asked, side, before) if earlier is None else asked
    return (before if earlier is None else earlier).start, (meant, effect) if forward else (cause, meant)


def _plain_answer(
    question: Question, document_id: str, sentence: Sentence, behind: Sequence[Sentence]
) -> Iterator[_Found]:
    """The sentence, where it holds what a question for a plain fact asks."""
    # Yes or no is told of one clause: in "the storm did not damage the pier; a barge did" no barge is denied to.
    yes_or_no = asks_yes_or_no(question.text)
    parts = clauses_beside(sentence) if yes_or_no else [sentence]
    part = max(parts, key=lambda one: word_cover(question.focus, one.text, frozenset()))
    cover = word_cover(question.focus, part.text, frozenset())
    if not tells(sentence) or cover < thresholds().text.plain_coverage:
        return
    if asks_once_more(question.text) and not asks_once_more(part.text):
        # That it snapped tells nothing of whether it had snapped before.
        return
    denies_alike = denies(question.text)
    if not denies_alike and leaves_untold(question.text, sentence):
        return
    denied, end = False, sentence.end
    if yes_or_no and not sets_apart(part, question.text) and tells_other_deed(question.text, part):
        return
    if yes_or_no:
        doubted = leaves_open(question.text, sentence.text) or supposes(sentence.text)
        if doubted or tells_opposite(question.text, part.text):
            return
        (affirmed, actual), whole = stated_as(part), stated_as(sentence)
        actual = actual and whole[1]
        if tells_near(question.text):
            if not tells_near(sentence.text):
                return
            # The question and the sentence deny alike that it happened.
            affirmed, actual = False, True
        if not actual:
            return
        if behind and any(stated.happens_behind for stated in stated_causes(sentence, behind)):
            # The two tell together that it is the reason that is denied.
            affirmed, end = True, behind[0].end
        no_reason = denies_reason(part, question.text)
        if no_reason and _ASKS_WHETHER_THERE.match(question.text):
            # Of what is denied to be a reason nobody says that there was none.
            return
        affirmed = affirmed or is_taken_as_given(question.text, Clauses(part))
        fails = tells_failing(question.text, part.text)
        if fails is not None and not denies_alike:
            affirmed = fails
        apart = (no_reason and fails is None) or sets_apart(part, question.text) or denies_part(question.text, part)
        affirmed = affirmed and not apart
        denied = affirmed is denies_alike
        if not denied and tells_none_there(question.text, part.text):
            return
    of_reason = denied and may_deny_reason(sentence)
    reported = yes_or_no and only_reports(question.text, sentence)
    yield _Found(document_id, sentence.start, end, cover, 1.0, "", denied, of_reason=of_reason, reported=reported)


def _asks_why_not(question: Question) -> bool:
    return question.kind is QuestionKind.WHY and question.negated


def is_unrealised(question: Question, sentence: Sentence) -> bool:
    """Whether what is asked of is named as prevented, wished or imputed; a question why not asks for just that."""
    asks_why_not = question.negated or denies(question.text)
    return not asks_why_not and tells_unrealised(question.text, sentence)


def is_claim_of(claim: Claim, stated: StatedCause, sentence: Sentence) -> bool:
    """Whether a claim was made of this cue of a sentence; another claim of the same cue there counts too."""
    return claim.cue == stated.cue_text and overlaps(claim, sentence)


def fit(question: Question, stated: StatedCause, cause: str, effect: str, title: frozenset[str]) -> float:
    """Share of the asked happening that stands where the question needs it; 0 when the other side says nothing new."""
    prevents = stated.cue.relation == "PREVENTS"
    if question.kind in {QuestionKind.HOW, QuestionKind.DID}:
        if prevents:
            return 0.0
        # That the sprinklers did not work is nothing that the sprinklers did.
        named = stated.affirmed and denies(cause) is not denies(question.cause or "")
        named = named or (stated.affirmed and not _is_about(question.effect or "", effect))
        # That rain halted the spread of the fire is nothing that it did for the spread.
        named = named or (
            stated.cue.keeps == "right"
            and content_keys(stated.cue_text).isdisjoint(content_keys(question.effect or ""))
        )
        if named or _names_beside(question.cause or "", cause):
            return 0.0
        return min(word_cover(question.cause or "", cause, title), word_cover(question.effect or "", effect, title))
    asked, other = (cause, effect) if question.kind is QuestionKind.EFFECTS else (effect, cause)
    if question.kind is QuestionKind.WHY and prevents is not (question.negated and not denies(asked)):
        return 0.0
    denied = stated.affirmed and denies(asked)
    if question.kind is QuestionKind.WHY and not prevents and question.negated is not denied:
        return 0.0
    if not content_keys(other) - question_words(question.focus).keys():
        return 0.0
    if not _is_about(question.focus, asked) or is_object_alone(frozenset(question_words(question.focus)), asked):
        return 0.0
    keys, focus = content_keys(asked), question_words(question.focus).keys()
    if not keys or len(keys & focus) < thresholds().text.side_precision * len(keys):
        return 0.0
    cover = word_cover(question.focus, asked, title)
    # "The fire was started by a toaster" tells why the fire started.
    onset = "" if question.kind is QuestionKind.EFFECTS else _ONSET.sub("", question.focus)
    return cover if not onset or onset == question.focus else max(cover, word_cover(onset, asked, title))


def _is_about(asked: str, side: str) -> bool:
    """Whether a side tells of what is asked, and does not only name it: "the trial over *the death of the nurse*"."""
    return is_about(frozenset(question_words(asked)), side)


def _names_beside(asked: str, side: str) -> bool:
    """Whether a side names what is asked only in a relative clause, which tells of no cause of its own."""
    keys = content_keys(asked)
    asides = [aside.group() for aside in _ASIDE.finditer(side)]
    asides = [aside for aside in asides if keys & content_keys(aside) and not _gives_cause(aside)]
    return bool(asides) and not keys & content_keys(_ASIDE.sub(" ", side))


def _gives_cause(clause: str) -> bool:
    return any(stated_causes(sentence) for sentence in quick_sentences(clause.strip(" ,.").capitalize()))


def denies(side: str) -> bool:
    """Whether a side of a cue tells that something did not happen; what a relative clause denies is another thing."""
    words = _NOT_ONLY.sub(" ", _RELATIVE.sub(" ", side).lower().replace("’", "'")).split()
    return (
        any(word in {"not", "never", "no", "nor"} or word.endswith("n't") for word in words)
        or tells_of_refusal(side)
        or tells_near(side)
    )


def _rank(found: _Found) -> tuple[float, float, str, int]:
    return -found.cover * (_certainty(found) or 1.0), -found.cover, found.document_id, found.start


def _certainty(found: _Found) -> float:
    """Confidence of the cue, less where the cause came after its effect."""
    return found.confidence * (traversal_thresholds().chains.inconsistent_factor if found.late else 1.0)
