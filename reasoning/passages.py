"""The passages that a question is answered from, chosen by a judge of relevance where the settings name one."""

from __future__ import annotations

from dataclasses import dataclass

from kg.fusion import Hit
from kg.records import Passage
from language.questions import Question, QuestionKind
from reasoning.evidence import Quoter
from reasoning.room import Reranker, Room
from reasoning.thresholds import thresholds


@dataclass(frozen=True, slots=True)
class ChosenPassages:
    """What is read.

    Attributes:
        hits: The passages as the search found them, those to be read first in front.
        passages: Their records by id.
        judged: Who chose and what was said of each, as plain JSON values; none where the search alone decides.
    """

    hits: list[Hit]
    passages: dict[str, Passage]
    judged: dict[str, object] | None


def choose_passages(question: Question, room: Room, quoter: Quoter, reranker: Reranker | None) -> ChosenPassages:
    """The passages that are nearest to the question; with a judge, those of more that it finds most helpful.

    Passages that are judged alike stay in the order of the search.

    Args:
        question: What is asked; the judge gets its words, the search what it is about.
        room: Store and index.
        quoter: Gives the texts.
        reranker: The judge; none leaves the passages in the order of the search.

    Raises:
        PassageTooLong: the question is longer than the encoder, or with a passage longer than the judge, reads.
        ModelError: the judge cannot judge.
    """
    figures = thresholds().text
    hits = room.index.search_passages(_query(question), figures.passages if reranker is None else figures.reranked)
    passages = room.store.passages(room.collection, [hit.id for hit in hits])
    hits = [hit for hit in hits if hit.id in passages]
    if reranker is None:
        return ChosenPassages(hits, passages, None)
    found = [passages[hit.id] for hit in hits]
    texts = [quoter.text(passage.document_id)[passage.start : passage.end] for passage in found]
    told = reranker.judge.relevance(question.text, texts)
    order = sorted(range(len(hits)), key=lambda place: -told[place])[: figures.passages]
    judged: dict[str, object] = {
        "by": reranker.name,
        "judge": reranker.judge.fingerprint,
        "prompts": dict(reranker.judge.prompts),
        "passages": [[hit.id, round(hit.score, 6), round(value, 6)] for hit, value in zip(hits, told, strict=True)],
        "read": [hits[place].id for place in order],
    }
    return ChosenPassages([hits[place] for place in order], passages, judged)


def _query(question: Question) -> str:
    if question.cause is not None and question.effect is not None:
        return f"{question.cause} {question.effect}"
    return question.text if question.kind is QuestionKind.PLAIN else question.focus
