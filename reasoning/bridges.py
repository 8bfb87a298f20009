"""Passages two steps away from a question: found by a name that a nearer passage tells and the question does not.

"When was the maker of the Arlen gate founded?" names the gate. What is told of the gate names its maker, and what is
told of the maker has of the question no word but "founded". So the next search is for the name together with those
words of the question that the first passage has not told, and what it finds counts as far as the name stands in it.

A chain of two passages is scored by both, and the second search is made of the question and the first passage, as in
multi-hop dense retrieval (Xiong et al., arXiv 2009.12756); the names are what links passages, as in HippoRAG (Gutiérrez
et al., arXiv 2405.14831), but looked for in the few best passages when a question is asked, instead of kept as a graph.
No language model is asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from causetrail.errors import PassageTooLong
from kg.fusion import Hit
from language.content_words import unread_words
from language.name_runs import name_key, names_in
from reasoning.thresholds import BridgeThresholds, thresholds


class Library(Protocol):
    """What is searched."""

    def search(self, query: str, most: int) -> list[Hit]:
        """The best passages by meaning and words.

        Raises:
            PassageTooLong: the query is longer than the encoder reads.
        """
        ...

    def texts(self, ids: Sequence[str]) -> Mapping[str, str]:
        """The words of passages by id; one that is gone is left out."""
        ...


@dataclass(frozen=True, slots=True)
class Bridge:
    """How a passage was come to.

    Attributes:
        name: The name that both passages tell.
        source: Id of the passage that the name was taken from.
        query: What was searched: the name and what is left of the question.
        found: Id of the passage that was found.
        score: That of the two passages together, on the scale of those found for the question alone.
    """

    name: str
    source: str
    query: str
    found: str
    score: float


def walk(
    question: str, library: Library, most: int, figures: BridgeThresholds | None = None
) -> tuple[list[Hit], list[Bridge]]:
    """The passages for a question, those that a name leads to among those that the question itself finds.

    Args:
        question: What is asked.
        library: What is searched.
        most: Passages of the question's own search; there may be as many again for each name.
        figures: How far it goes; those of the table but in an ablation.

    Returns:
        The hits, best first, and how each was come to that stands where it does for a name; ties go by id.

    Raises:
        PassageTooLong: the question is longer than the encoder reads.
    """
    figures = figures or thresholds().bridges
    hits = {hit.id: hit for hit in library.search(question, max(most, figures.found))}
    scores = _scores(hits.values(), figures.words_weight)
    nearest = sorted(scores, key=lambda id_: (-scores[id_], id_))[: figures.starts]
    best: dict[str, Bridge] = {}
    for source, text in _in_order(nearest, library):
        for bridge, hit in _steps(question, source, text, scores[source], library, figures):
            known = best.get(bridge.found)
            reached = scores.get(bridge.found, 0.0) if known is None else known.score
            if bridge.score > reached:
                best[bridge.found] = bridge
                hits.setdefault(hit.id, hit)
    final = scores | {found: bridge.score for found, bridge in best.items()}
    order = sorted(final, key=lambda id_: (-final[id_], id_))
    return [replace(hits[id_], score=final[id_]) for id_ in order], [best[id_] for id_ in order if id_ in best]


def bridges_traced(bridges: Sequence[Bridge]) -> list[dict[str, object]]:
    """Each name with the passage that tells it and those that it led to, as plain JSON values."""
    found: dict[tuple[str, str, str], list[list[object]]] = {}
    for one in bridges:
        found.setdefault((one.name, one.source, one.query), []).append([one.found, one.score])
    return [
        {"name": name, "source": source, "query": query, "found": led} for (name, source, query), led in found.items()
    ]


def _steps(
    question: str, source: str, text: str, score: float, library: Library, figures: BridgeThresholds
) -> Iterator[tuple[Bridge, Hit]]:
    """Each passage that a name of this one leads to; none where nothing of the question is left to be told."""
    left = unread_words(question, [text])
    if not left:
        return
    for name in _names(question, text, figures):
        query = " ".join((name, *left))
        try:
            found = library.search(query, figures.found)
        except PassageTooLong:
            continue
        near, texts = _scores(found, figures.words_weight), library.texts([hit.id for hit in found])
        for hit in found:
            if hit.id != source and name_key(name) in name_key(texts.get(hit.id, "")):
                together = figures.onward * near[hit.id] + (1 - figures.onward) * score - figures.step_cost
                yield Bridge(name, source, query, hit.id, round(together, 6)), hit


def _names(question: str, text: str, figures: BridgeThresholds) -> list[str]:
    """The first names of a passage that say something the question does not."""
    asked = set(name_key(question).split())
    named = [(name, set(name_key(name).split())) for name in names_in(text)]
    return [name for name, words in named if len(words) <= figures.name_words and not words <= asked][: figures.names]


def _scores(hits: Collection[Hit], words_weight: float) -> dict[str, float]:
    """Likeness in meaning, and a little for the words: their share of the best hit's."""
    most = max((hit.words for hit in hits), default=0.0) or 1.0
    return {hit.id: round(hit.cosine + words_weight * hit.words / most, 6) for hit in hits}


def _in_order(ids: Sequence[str], library: Library) -> list[tuple[str, str]]:
    texts = library.texts(ids)
    return [(id_, texts[id_]) for id_ in ids if id_ in texts]
