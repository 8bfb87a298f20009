"""What a question is answered with."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from causetrail.errors import ArgumentInvalid
from causetrail.settings import Settings
from causetrail.spending import Spending
from kg.seed_index import SeedIndex
from kg.store import GraphStore, Progress
from models.judge import RelevanceJudge
from models.judge_source import ChosenJudges
from models.narrative_writer import NarrativeWriter
from models.proposer import Proposer
from models.relation_reader import RelationReader


@dataclass(frozen=True, slots=True)
class Reranker:
    """Who says which passages help.

    Attributes:
        name: What the setting `rerank_by` calls it.
        concurrency: Passages that it judges at once.
        spent: What it has asked of language models for this question so far, by stage.
        given_up: Ends the calls that it makes for this question when it is set.
        progress: Called with `passages judged`, how many are, and how many there are to judge.
    """

    name: str
    judge: RelevanceJudge
    concurrency: int
    spent: Callable[[], Mapping[str, Spending]]
    given_up: threading.Event
    progress: Progress | None = None


@dataclass(frozen=True, slots=True)
class Bench:
    """Who judges the steps of one question.

    Attributes:
        name: What the setting `judge_by` calls them.
        judges: One for each judgement.
        spent: What they have asked of language models for this question so far, by stage.
        proposer: Writes what a step of a strategy then judges; none leaves that to the rules alone.
        writer: Words the narratives of the graph; none leaves them to the templates.
        concurrency: Judgements that the judges are asked for at once.
    """

    name: str
    judges: ChosenJudges
    spent: Callable[[], Mapping[str, Spending]]
    proposer: Proposer | None = None
    writer: NarrativeWriter | None = None
    concurrency: int = 1


@dataclass(frozen=True, slots=True)
class Room:
    """The things that stay the same from question to question.

    Attributes:
        index: Finds passages and events of the collection.
        collection: The set of documents that is asked.
        reranker: Says which passages help; none leaves them in the order of the search.
        bench: Judges what the steps of a strategy propose; none where the strategy needs no judge.
        relations: Reads likely causes in sentences that state none; none leaves such questions unanswered.
    """

    store: GraphStore
    index: SeedIndex
    settings: Settings
    collection: str
    reranker: Reranker | None = None
    bench: Bench | None = None
    relations: RelationReader | None = None

    @property
    def judges(self) -> Bench:
        """The judges of the steps.

        Raises:
            ArgumentInvalid: the room was made without them.
        """
        if self.bench is None:
            raise ArgumentInvalid(argument="room", value="without judges", reason="this step needs them")
        return self.bench
