"""The passages that a question is answered from, chosen by a judge of relevance where the settings name one."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from kg.fusion import Hit
from kg.records import Passage
from language.questions import Question, QuestionKind
from models.model_judges import RELEVANCE
from models.side_by_side import ask_side_by_side
from reasoning.bridges import Bridge, walk
from reasoning.evidence import Quoter
from reasoning.knowledge import knowledge_of, search_bases, without_repeats
from reasoning.question_views import ALL_RETRIEVAL, RetrievalStages, search_question
from reasoning.room import Reranker, Room
from reasoning.thresholds import thresholds
from reasoning.unjudged import UNJUDGED
from traversal.seed_order import SentenceJudge

UNDECIDED: Final = 0.5
"""What counts for a passage that the judge cannot judge."""


@dataclass(frozen=True, slots=True)
class ChosenPassages:
    """What is read.

    Attributes:
        hits: The passages as the search found them, those to be read first in front.
        passages: Their records by id.
        judged: Who chose and what was said of each, as plain JSON values; none where the search alone decides.
        bridges: How those were come to that a name of another passage led to, best first.
        views: By which views they were found and what each scored, likewise; none where one text was searched.
    """

    hits: list[Hit]
    passages: dict[str, Passage]
    judged: dict[str, object] | None
    bridges: tuple[Bridge, ...] = ()
    views: dict[str, object] | None = None

    @property
    def read_bridges(self) -> list[Bridge]:
        """The bridges between passages that are both read."""
        read = {hit.id for hit in self.hits}
        return [one for one in self.bridges if one.source in read and one.found in read]


class _Shelf:
    """The passages of a collection, as they are searched for a question."""

    def __init__(self, room: Room, quoter: Quoter) -> None:
        self._room = room
        self._quoter = quoter

    def search(self, query: str, most: int) -> list[Hit]:
        return search_bases(self._room, query, most, knowledge_of(self._room).first, self._quoter)

    def texts(self, ids: Sequence[str]) -> dict[str, str]:
        passages = self._room.store.passages(self._room.collection, ids)
        return {id_: self._quoter.passage(one) for id_, one in passages.items()}


def choose_passages(
    question: Question,
    room: Room,
    quoter: Quoter,
    reranker: Reranker | None,
    stages: RetrievalStages = ALL_RETRIEVAL,
    *,
    bridges: bool = False,
) -> ChosenPassages:
    """The passages that are nearest to the question; with a judge, those of more that it finds most helpful.

    Passages that are judged alike stay in the order of the search. One that the judge does not judge, since it is too
    long for it or its model gives no verdict, counts as undecided.

    Args:
        question: What is asked; the judge gets its words, the search what it is about.
        room: Store and index.
        quoter: Gives the texts.
        reranker: The judge; none leaves the passages in the order of the search.
        stages: What of the search is left out.
        bridges: Whether a question that asks for no cause is also read what a name in a nearer passage leads to.

    Raises:
        PassageTooLong: the question is longer than the encoder reads.
        ModelError: the judge cannot judge at all.
    """
    figures = thresholds().text
    most = figures.passages if reranker is None else thresholds().choice.candidates
    viewed = search_question(question, most, room, quoter, stages)
    views = None if viewed is None else viewed.step
    shelf, walked = _Shelf(room, quoter), tuple[Bridge, ...]()
    if viewed is not None:
        hits = viewed.hits
    elif bridges and question.kind is QuestionKind.PLAIN:
        hits, led = walk(question.text, shelf, most)
        hits, walked = hits[:most], tuple(led)
    else:
        hits = shelf.search(_query(question), most)
    passages = room.store.passages(room.collection, [hit.id for hit in hits])
    hits = without_repeats([hit for hit in hits if hit.id in passages], passages, quoter)
    if reranker is None:
        return ChosenPassages(hits, passages, None, walked, views)
    found = [passages[hit.id] for hit in hits]
    texts = [quoter.passage(passage) for passage in found]
    told = judge_passages(question.text, texts, reranker)
    helps = [UNDECIDED if isinstance(one, str) else one for one in told]
    order = sorted(range(len(hits)), key=lambda place: -helps[place])[: figures.passages]
    judged: dict[str, object] = {
        "by": reranker.name,
        "judge": reranker.judge.fingerprint,
        "prompts": {name: one for name, one in reranker.judge.prompts.items() if name == RELEVANCE},
        "passages": [[hit.id, round(hit.score, 6), round(value, 6)] for hit, value in zip(hits, helps, strict=True)],
        "undecided": {hit.id: one for hit, one in zip(hits, told, strict=True) if isinstance(one, str)},
        "read": [hits[place].id for place in order],
    }
    return ChosenPassages([hits[place] for place in order], passages, judged, walked, views)


def judge_passages(query: str, texts: Sequence[str], reranker: Reranker) -> list[float | str]:
    """Probability for each text that it helps, or the code of the error that says why nothing is told of it.

    Raises:
        ModelError: the judge cannot judge at all.
    """
    tell = partial(reranker.progress, "passages judged") if reranker.progress else None
    return ask_side_by_side(
        partial(_told, query, reranker), texts, reranker.concurrency, reranker.name, reranker.given_up, tell
    )


def sentence_judge(reranker: Reranker | None) -> SentenceJudge | None:
    """The judge of relevance as what puts events in order; a sentence that it cannot judge counts as undecided."""
    if reranker is None:
        return None

    def judged(happening: str, sentences: Sequence[str]) -> list[float]:
        told = judge_passages(happening, sentences, reranker)
        return [UNDECIDED if isinstance(one, str) else one for one in told]

    return judged


def _told(query: str, reranker: Reranker, text: str, _: threading.Event) -> float | str:
    try:
        (told,) = reranker.judge.relevance(query, [text])
    except UNJUDGED as error:
        return error.code
    return told


def _query(question: Question) -> str:
    if question.cause is not None and question.effect is not None:
        return f"{question.cause} {question.effect}"
    return question.text if question.kind is QuestionKind.PLAIN else question.focus
