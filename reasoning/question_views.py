"""The passages that a question about causes or effects is answered from, found by three views of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from kg.fusion import RRF_K, Hit
from language.content_words import question_words
from language.questions import Question
from reasoning.evidence import Quoter
from reasoning.knowledge import knowledge_of, parts_of, without_repeats
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.view_search import search_views
from reasoning.views import views_of_question
from traversal.seed_views import SeedViews


@dataclass(frozen=True, slots=True)
class RetrievalStages:
    """Which parts of the search for passages are there.

    Attributes:
        views: Three views are searched; else the event alone.
        keyword_boost: Each keyword of the question that occurs adds to the score.
        rerank: The judge of relevance chooses among what is found, where there is one.
    """

    views: bool = True
    keyword_boost: bool = True
    rerank: bool = True

    @property
    def viewed(self) -> bool:
        """Whether views or keywords count; else a question is searched as any text is, by meaning and words fused."""
        return self.views or self.keyword_boost

    def ranked_in(self, room: Room) -> Room:
        """The room, without a judge that chooses passages where that is left out."""
        return room if self.rerank else replace(room, reranker=None)


ALL_RETRIEVAL: Final = RetrievalStages()


@dataclass(frozen=True, slots=True)
class Searched:
    """What was found for a question.

    Attributes:
        hits: Passages of one base after the other, best first. Their score is that of their rank in their base, as if
            meaning and words had put them there alike, so that they can stand beside those of a search by one text.
        step: With what, and what each scored, as plain JSON values.
    """

    hits: list[Hit]
    step: dict[str, object]


def search_question(
    question: Question, most: int, room: Room, quoter: Quoter, stages: RetrievalStages
) -> Searched | None:
    """The best passages for a question about causes or effects; none where it is searched as any text is.

    Args:
        question: What is asked.
        most: Passages of all bases together.
        room: Store and index.
        quoter: Gives the texts.
        stages: What of the search is left out.

    Raises:
        PassageTooLong: a view is longer than the encoder reads.
    """
    views = views_of_question(question)
    if views is None or not stages.viewed:
        return None
    looked_for = views.each if stages.views else (views.event,)
    words = keywords_of(question)
    boost = thresholds().choice.keyword_boost if stages.keyword_boost else 0.0
    hits: list[Hit] = []
    ranked: list[Hit] = []
    for kind, part in parts_of(most, knowledge_of(room).first):
        found = search_views(looked_for, words, boost, room, quoter, kind)
        best = without_repeats(found.hits, found.passages, quoter)[:part]
        hits += best
        ranked += [replace(hit, score=2.0 / (RRF_K + rank)) for rank, hit in enumerate(best, start=1)]
    return Searched(ranked, _step(looked_for, words.values(), boost, hits))


def keywords_of(question: Question) -> dict[str, str]:
    """The content words of the happenings that a question names, by key."""
    return question_words(f"{question.cause or ''} {question.focus}")


def seed_views(question: Question) -> SeedViews | None:
    """What the events of a question about causes or effects are searched by beside its words."""
    views = views_of_question(question)
    return None if views is None else SeedViews((views.causal, views.entity), thresholds().choice.keyword_boost)


def _step(views: Iterable[str], words: Iterable[str], boost: float, hits: list[Hit]) -> dict[str, object]:
    return {
        "views": list(views),
        "keywords": list(words),
        "keyword_boost": boost,
        "found": [[hit.id, hit.score, hit.cosine, int(hit.words)] for hit in hits],
    }
