"""The passages that an option is judged by, found by three views of it.

Columbaro et al., "Iterative Evidence Retrieval and Abductive Reasoning": an option is looked for as the cause of the
event, by itself, and by the event, S(d, O) = max over views of cos(view, d) + α · (keywords of O that occur in d), and
a judge of relevance picks the few of the best that are read.
"""

from __future__ import annotations

from language.content_words import content_keys
from reasoning.evidence import Quoter
from reasoning.knowledge import knowledge_of, without_repeats
from reasoning.passages import UNDECIDED, ChosenPassages, judge_passages
from reasoning.question_views import ALL_RETRIEVAL, RetrievalStages
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.view_search import search_views
from reasoning.views import Views


def read_views(views: Views, room: Room, quoter: Quoter, stages: RetrievalStages = ALL_RETRIEVAL) -> ChosenPassages:
    """The passages of the first search's bases that are read for an option, best first.

    Args:
        views: The option and the event.
        room: Store, index and judge.
        quoter: Gives the texts.
        stages: What of the search is left out; without views, the one is searched that names option and event.

    Raises:
        PassageTooLong: a view is longer than the encoder reads.
        ModelError: the judge cannot judge at all.
    """
    figures = thresholds().choice
    keywords = content_keys(views.entity)
    looked_for = views.each if stages.views else (views.causal,)
    boost = figures.keyword_boost if stages.keyword_boost else 0.0
    bases = knowledge_of(room).first
    found = [search_views(looked_for, keywords, boost, room, quoter, kind) for kind in bases]
    hits = sorted((hit for one in found for hit in one.hits), key=lambda hit: (-hit.score, hit.id))
    passages = {id_: one for some in found for id_, one in some.passages.items()}
    texts = {id_: one for some in found for id_, one in some.texts.items()}
    hits = without_repeats(hits, passages, quoter)[: figures.candidates]
    scored = {hit.id: hit for hit in hits}
    best = list(scored)
    judged: dict[str, object] = {"views": list(looked_for), "keyword_boost": boost}
    order = best
    room = stages.ranked_in(room)
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
    judged |= {"found": [[id_, hit.score] for id_, hit in scored.items()], "read": read}
    return ChosenPassages([scored[id_] for id_ in read], {id_: passages[id_] for id_ in read}, judged)
