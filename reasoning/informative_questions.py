"""Which counterfactual questions are worth asking: valid ones, ranked by how much they tell (Info of CF-RAG).

A question q' that was made from q is valid when cos(q, q') is above a bound and its expected answer differs.
Info(q, q') = α Div_sem + β Div_ans + γ Rel_dom, where Div_sem = 1 - cos(q, q'), Div_ans is one minus the cosine of the
two expected answers, and Rel_dom is the cosine of q' and the passage of the collection that is nearest to it.

Nobody is asked for an answer to expect. The expected answer to a question is the sentence that helps most to answer it,
by the judge of relevance, of those with the most of its words in the passages read for q and searched for q'. A
sentence that has the word of the other question and not that of this one answers the other question: it is none of
them. The answers differ when q' has a sentence of its own, with its word. They are the same where one sentence with
both words, or with neither, is the best for both; where the best for q' is another one without its word, nothing that
is told answers q', and it is not valid either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from causetrail.errors import PassageTooLong
from kg.encoding import Encoder
from kg.fusion import Hit
from kg.records import Passage, PassageKind
from language.content_words import content_keys
from language.quick_sentences import quick_sentences
from reasoning.counterfactual_questions import CounterfactualQuestion
from reasoning.judged_help import JudgedHelp
from reasoning.knowledge import knowledge_of, search_bases
from reasoning.material import Material
from reasoning.quotable import tells
from reasoning.thresholds import thresholds

TOO_LONG: Final = "it is longer than the encoder reads"
UNLIKE: Final = "it is too unlike the question"
UNTOLD: Final = "the sentence that helps most to answer it does not tell of it"
SAME_ANSWER: Final = "the same sentence answers both"


@dataclass(frozen=True, slots=True)
class InformativeQuestion:
    """A valid counterfactual question and what it tells.

    Attributes:
        likeness: Cosine of the question and the real one.
        expected: The sentence that is expected to answer it.
        rel_dom: Cosine of the nearest passage.
        info: Info(q, q').
        hits: What was found for it.
    """

    question: CounterfactualQuestion
    likeness: float
    expected: str
    div_sem: float
    div_ans: float
    rel_dom: float
    info: float
    hits: tuple[Hit, ...]

    def traced(self) -> dict[str, object]:
        """Plain JSON values."""
        one = self.question
        return {
            "question": one.text,
            "change": one.change,
            "was": one.was,
            "now": one.now,
            "texts": one.places,
            "from": one.origin,
            "likeness": self.likeness,
            "div_sem": self.div_sem,
            "div_ans": self.div_ans,
            "rel_dom": self.rel_dom,
            "info": self.info,
            "expected": self.expected,
        }


@dataclass(frozen=True, slots=True)
class InformedChoice:
    """Which questions are asked, and which are not valid.

    Attributes:
        asked: The most informative first.
        rejected: Why others are not valid, as plain JSON values.
    """

    asked: tuple[InformativeQuestion, ...] = ()
    rejected: tuple[dict[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class _Told:
    text: str
    keys: frozenset[str]


def informative_questions(
    made: Sequence[CounterfactualQuestion],
    material: Material,
    helps: JudgedHelp,
    *,
    validity: bool = True,
    ranking: bool = True,
) -> InformedChoice:
    """The valid ones of the questions that were made, the most informative first, at most N of them.

    Args:
        made: In the order of what more texts suggest.
        material: The question, and what was read for it.
        helps: What was judged before.
        validity: Whether those are left out that are unlike, that nothing told answers or that have the same answer.
        ranking: Whether the most informative come first; else they stand as they were made.

    Raises:
        DeadlinePassed: the time is used up.
        ModelError: the judge of relevance cannot judge at all.
    """
    real = material.asked.text
    if not made:
        return InformedChoice()
    nearness = _Nearness(material.room.index.encoder)
    if not nearness.reads(real):
        return InformedChoice((), tuple(_rejected(one, TOO_LONG) for one in made))
    valid: list[InformativeQuestion] = []
    rejected: list[dict[str, object]] = []
    read = _sentences(material.read.passages, [hit.id for hit in material.read.hits], material)
    for one in made:
        weighed = _weighed(one, read, material, helps, nearness, validity=validity)
        if isinstance(weighed, InformativeQuestion):
            valid.append(weighed)
        else:
            rejected.append(weighed)
    if ranking:
        valid.sort(key=lambda one: -one.info)
    return InformedChoice(tuple(valid[: thresholds().counterfactual.questions]), tuple(rejected))


class _Nearness:
    """How alike texts are to the encoder that the collection is searched with; each is read once."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    def reads(self, text: str) -> bool:
        """Whether it reads a text whole."""
        return self._encoder.count_tokens([text])[0] <= self._encoder.max_tokens

    def cosine(self, one: str, other: str) -> float:
        """-1 to 1, of two texts that it reads."""
        return round(float(self._vector(one) @ self._vector(other)), 6)

    def _vector(self, text: str) -> NDArray[np.float32]:
        if text not in self._vectors:
            self._vectors[text] = self._encoder.encode_passages([text])[0]
        return self._vectors[text]


def _weighed(
    one: CounterfactualQuestion,
    read: Sequence[_Told],
    material: Material,
    helps: JudgedHelp,
    nearness: _Nearness,
    *,
    validity: bool,
) -> InformativeQuestion | dict[str, object]:
    """The question with what it tells, or why it is not valid."""
    figures = thresholds().counterfactual
    material.deadline.check()
    if not nearness.reads(one.text):
        return _rejected(one, TOO_LONG)
    real, room = material.asked.text, material.room
    likeness = nearness.cosine(real, one.text)
    if validity and likeness <= figures.likeness:
        return _rejected(one, UNLIKE, likeness)
    try:
        hits = search_bases(room, one.text, figures.passages, knowledge_of(room).first, material.quoter)
    except PassageTooLong:
        return _rejected(one, TOO_LONG, likeness)
    found = room.store.passages(room.collection, [hit.id for hit in hits])
    more = _sentences(found, [hit.id for hit in hits if hit.id in found], material)
    told = list({each.text: each for each in (*read, *more)}.values())
    expected = _expected(one.text, one.now, one.was, told, helps, nearness)
    otherwise = _expected(real, one.was, one.now, told, helps, nearness)
    if validity and expected is not None and expected == otherwise:
        return _rejected(one, SAME_ANSWER, likeness)
    if validity and (expected is None or not content_keys(one.now) <= content_keys(expected)):
        return _rejected(one, UNTOLD, likeness)
    div_sem = round(1.0 - likeness, 6)
    div_ans = 1.0 if expected is None or otherwise is None else round(1.0 - nearness.cosine(expected, otherwise), 6)
    rel_dom = round(max((hit.cosine for hit in hits), default=0.0), 6)
    info = figures.div_sem * div_sem + figures.div_ans * div_ans + figures.rel_dom * rel_dom
    return InformativeQuestion(one, likeness, expected or "", div_sem, div_ans, rel_dom, round(info, 6), tuple(hits))


def _rejected(one: CounterfactualQuestion, reason: str, likeness: float | None = None) -> dict[str, object]:
    return {"question": one.text, "reason": reason, "likeness": likeness}


def _expected(
    question: str, own: str, other: str, told: Sequence[_Told], helps: JudgedHelp, nearness: _Nearness
) -> str | None:
    """The sentence that helps most to answer a question and not the other one; none where no sentence has its words."""
    keys, mine, others = content_keys(question), content_keys(own), content_keys(other)
    answers = [one for one in told if keys & one.keys and (mine <= one.keys or not others <= one.keys)]
    nearest = sorted(answers, key=lambda one: -len(keys & one.keys))
    texts = list(islice(filter(nearness.reads, (one.text for one in nearest)), thresholds().counterfactual.answers))
    helps.judge((question, text) for text in texts)
    return max(texts, key=lambda text: helps.probability(question, text), default=None)


def _sentences(passages: dict[str, Passage], order: Sequence[str], material: Material) -> list[_Told]:
    """The sentences of passages in their order; a pair of question and answer is one."""
    return [_Told(text, content_keys(text)) for id_ in order for text in _texts(passages[id_], material)]


def _texts(passage: Passage, material: Material) -> Iterator[str]:
    text = material.quoter.passage(passage)
    if passage.kind is PassageKind.PAIR:
        yield " ".join(text.split())
        return
    for sentence in quick_sentences(text, passage.start):
        if tells(sentence):
            yield " ".join(sentence.text.split())
