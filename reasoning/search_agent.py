"""Another look at the passages where those that were read do not suffice.

The search agent of Columbaro et al., "Iterative Evidence Retrieval and Abductive Reasoning": it looks at what was read,
says `SUFFICIENT`, or asks for more with `Search['query']`, in a few rounds. Here a judge of sufficiency looks, and the
query is made of the words of the question that nothing read so far has.
"""

from __future__ import annotations

from dataclasses import replace

from kg.fusion import DEPTH, Hit
from language.content_words import question_words
from models.judge import SufficiencyJudge
from reasoning.evidence import Quoter
from reasoning.gaps import unread_words
from reasoning.knowledge import knowledge_of, search_bases
from reasoning.passages import UNDECIDED, ChosenPassages, judge_passages
from reasoning.room import Room
from reasoning.thresholds import thresholds
from reasoning.unjudged import UNJUDGED


def search_on(
    question: str, read: ChosenPassages, rounds: int, room: Room, quoter: Quoter
) -> tuple[ChosenPassages, list[dict[str, object]]]:
    """What is read after at most so many rounds, the passages of later rounds behind the others.

    Args:
        question: What the passages have to answer, in words.
        read: What was read so far.
        rounds: Most rounds.
        room: Store, index and judges.
        quoter: Gives the texts.

    Returns:
        All passages, and each round as plain JSON values: what the agent did, how far the passages sufficed, what it
        found.

    Raises:
        ModelError: the judge cannot judge at all.
    """
    figures = thresholds().search_agent
    told: list[dict[str, object]] = []
    for _ in range(rounds):
        texts = {id_: _text(id_, read, quoter) for id_ in read.passages}
        enough, undecided = _sufficiency(question, list(texts.values()), room.judges.judges.sufficiency)
        step: dict[str, object] = {"sufficiency": enough, "least": figures.sufficient, "undecided": undecided}
        told.append(step)
        if enough >= figures.sufficient:
            step["action"] = "SUFFICIENT"
            break
        query = _missing_words(question, list(texts.values()))
        step["action"] = f"Search['{query}']"
        found = _more(query, question, read, room, quoter)
        step["found"] = [hit.id for hit in found.hits]
        if not found.hits:
            break
        read = replace(read, hits=[*read.hits, *found.hits], passages=read.passages | found.passages)
    return read, told


def _sufficiency(question: str, texts: list[str], judge: SufficiencyJudge) -> tuple[float, int]:
    """How far the best passage suffices, 0 where there is none, and how many of them the judge could not judge."""
    best, undecided = 0.0, 0
    for text in texts:
        try:
            (told,) = judge.sufficiency([(question, text)])
        except UNJUDGED:
            undecided += 1
        else:
            best = max(best, told)
    return round(best, 6), undecided


def _missing_words(question: str, texts: list[str]) -> str:
    """The words of the question that nothing read has, in its order; all of them where none is missing."""
    return " ".join(unread_words(question, texts) or question_words(question).values()) or question


def _more(query: str, question: str, read: ChosenPassages, room: Room, quoter: Quoter) -> ChosenPassages:
    """The best passages for a query that were not read yet; of those that are found, a judge of relevance picks."""
    figures = thresholds()
    hits = [hit for hit in search_bases(room, query, DEPTH, knowledge_of(room).later) if hit.id not in read.passages]
    hits = hits[: figures.choice.candidates]
    passages = room.store.passages(room.collection, [hit.id for hit in hits])
    found = ChosenPassages([hit for hit in hits if hit.id in passages], passages, None)
    order: list[Hit] = found.hits
    if room.reranker is not None:
        texts = [_text(hit.id, found, quoter) for hit in found.hits]
        helps = judge_passages(question, texts, room.reranker)
        told = {hit.id: UNDECIDED if isinstance(one, str) else one for hit, one in zip(found.hits, helps, strict=True)}
        order = sorted(found.hits, key=lambda hit: -told[hit.id])
    kept = order[: figures.search_agent.passages]
    return ChosenPassages(kept, {hit.id: passages[hit.id] for hit in kept}, None)


def _text(passage_id: str, read: ChosenPassages, quoter: Quoter) -> str:
    passage = read.passages[passage_id]
    return quoter.text(passage.document_id)[passage.start : passage.end]
