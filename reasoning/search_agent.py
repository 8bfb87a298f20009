"""Another look at the passages where those that were read do not suffice.

The search agent of Columbaro et al., "Iterative Evidence Retrieval and Abductive Reasoning": it looks at what was read,
says `SUFFICIENT`, or asks for more with `Search['query']`, in a few rounds. Who looks is a `SearchAnalyst`.
"""

from __future__ import annotations

from dataclasses import replace

from causetrail.errors import PassageTooLong
from kg.fusion import Hit
from reasoning.evidence import Quoter
from reasoning.knowledge import knowledge_of, search_bases
from reasoning.passages import UNDECIDED, ChosenPassages, judge_passages
from reasoning.room import Room
from reasoning.search_analysts import SearchAnalyst, WordAnalyst, texts_of
from reasoning.thresholds import thresholds


def search_on(
    question: str,
    read: ChosenPassages,
    rounds: int,
    room: Room,
    quoter: Quoter,
    analyst: SearchAnalyst | None = None,
) -> tuple[ChosenPassages, list[dict[str, object]]]:
    """What is read after at most so many rounds, the passages of later rounds behind the others.

    Args:
        question: What the passages have to answer, in words.
        read: What was read so far.
        rounds: Most rounds.
        room: Store, index and judges.
        quoter: Gives the texts.
        analyst: Says what is searched for; a judge of sufficiency and the words of the question where none is given.

    Returns:
        All passages, and each round as plain JSON values: what the agent did, by whose word, and what it found.

    Raises:
        ModelError: the judge, or the analyst, cannot be asked at all.
    """
    analyst = analyst or WordAnalyst(question, room, quoter)
    told: list[dict[str, object]] = []
    for _ in range(rounds):
        analysis = analyst.analyse(read)
        if analysis is None:
            break
        step: dict[str, object] = {"judged": [hit.id for hit in read.hits], **analysis.told}
        told.append(step)
        if not analysis.queries:
            step["action"] = "SUFFICIENT"
            break
        # As Python writes a text: one that holds a mark of its own cannot end it.
        step["action"] = "; ".join(f"Search[{query!r}]" for query in analysis.queries)
        found: list[str] = []
        for query in analysis.queries:
            try:
                more = _more(query, question, read, room, quoter)
            except PassageTooLong:
                step.setdefault("left_out", "a query that is longer than the encoder reads")
                continue
            found += [hit.id for hit in more.hits]
            read = replace(read, hits=[*read.hits, *more.hits], passages=read.passages | more.passages)
        step["found"] = found
        if not found:
            break
    return read, told


def _more(query: str, question: str, read: ChosenPassages, room: Room, quoter: Quoter) -> ChosenPassages:
    """The best passages for a query that were not read yet; of those that are found, a judge of relevance picks."""
    figures = thresholds()
    known = {hit.id for hit in read.hits}
    hits = search_bases(room, query, figures.choice.candidates, knowledge_of(room).later, quoter, known)
    passages = room.store.passages(room.collection, [hit.id for hit in hits])
    found = ChosenPassages([hit for hit in hits if hit.id in passages], passages, None)
    order: list[Hit] = found.hits
    if room.reranker is not None:
        helps = judge_passages(question, texts_of(found, quoter), room.reranker)
        told = {hit.id: UNDECIDED if isinstance(one, str) else one for hit, one in zip(found.hits, helps, strict=True)}
        order = sorted(found.hits, key=lambda hit: -told[hit.id])
    kept = order[: figures.search_agent.passages]
    return ChosenPassages(kept, {hit.id: passages[hit.id] for hit in kept}, None)
