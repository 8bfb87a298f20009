"""The passages that an option is judged by, found by three views of it.

Columbaro et al., "Iterative Evidence Retrieval and Abductive Reasoning": an option is looked for as the cause of the
event, by itself, and by the event, S(d, O) = max over views of cos(view, d) + α · (keywords of O that occur in d), and
a judge of relevance picks the few of the best that are read.
"""

from __future__ import annotations

from dataclasses import dataclass

from kg.fusion import DEPTH, Hit
from kg.records import Passage
from language.content_words import content_keys
from reasoning.evidence import Quoter
from reasoning.knowledge import knowledge_of, search_bases
from reasoning.passages import UNDECIDED, ChosenPassages, judge_passages
from reasoning.room import Room
from reasoning.thresholds import thresholds


@dataclass(frozen=True, slots=True)
class Views:
    """What an option is looked for with.

    Attributes:
        causal: The option as the cause of the event.
        entity: The option by itself.
        event: The event by itself.
    """

    causal: str
    entity: str
    event: str

    @property
    def question(self) -> str:
        """Whether the option led to the event, as a question."""
        return f"Did {_bare(self.entity)} lead to {_bare(self.event)}?"

    @property
    def each(self) -> tuple[str, str, str]:
        """All three."""
        return self.causal, self.entity, self.event


def views_of(event: str, option: str) -> Views:
    """The three views of an option for an event."""
    return Views(causal=f"Evidence that {_bare(option)} is the cause of {_bare(event)}.", entity=option, event=event)


def read_views(views: Views, room: Room, quoter: Quoter) -> ChosenPassages:
    """The passages of the first search's bases that are read for an option, best first.

    A view's cosine is known for the passages that it finds among its hundred nearest and hundred best by words; that
    of a passage that another view alone finds is smaller, and cannot be the largest but by a hair.

    Raises:
        PassageTooLong: a view is longer than the encoder reads.
        ModelError: the judge cannot judge at all.
    """
    figures = thresholds().choice
    cosines: dict[str, float] = {}
    for view in views.each:
        for hit in search_bases(room, view, DEPTH, knowledge_of(room).first, quoter=quoter):
            cosines[hit.id] = max(hit.cosine, cosines.get(hit.id, -1.0))
    passages = room.store.passages(room.collection, sorted(cosines))
    texts = {id_: _text(passage, quoter) for id_, passage in passages.items()}
    keywords = content_keys(views.entity)
    shared = {id_: len(keywords & content_keys(text)) for id_, text in texts.items()}
    scores = {id_: round(cosines[id_] + figures.keyword_boost * shared[id_], 6) for id_ in passages}
    best = sorted(scores, key=lambda id_: (-scores[id_], id_))[: figures.candidates]
    judged: dict[str, object] = {"views": list(views.each), "keyword_boost": figures.keyword_boost}
    order = best
    if room.reranker is not None:
        told = judge_passages(views.causal, [texts[id_] for id_ in best], room.reranker)
        helps = {id_: UNDECIDED if isinstance(one, str) else round(one, 6) for id_, one in zip(best, told, strict=True)}
        order = sorted(best, key=lambda id_: -helps[id_])
        judged |= {
            "by": room.reranker.name,
            "judge": room.reranker.judge.fingerprint,
            "undecided": {id_: one for id_, one in zip(best, told, strict=True) if isinstance(one, str)},
            "helps": helps,
        }
    read = order[: figures.read]
    judged |= {"found": [[id_, scores[id_]] for id_ in best], "read": read}
    hits = [Hit(id_, scores[id_], cosines[id_], float(shared[id_])) for id_ in read]
    return ChosenPassages(hits, {id_: passages[id_] for id_ in read}, judged)


def _text(passage: Passage, quoter: Quoter) -> str:
    return quoter.text(passage.document_id)[passage.start : passage.end]


def _bare(text: str) -> str:
    return " ".join(text.split()).rstrip(".!? ")
