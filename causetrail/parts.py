"""The parts a facade is put together from: store, encoder, index. Each is made when it is first needed, and once."""

from __future__ import annotations

import os
import re
import shutil
import threading
from typing import TYPE_CHECKING, cast

from causetrail.errors import SettingInvalid
from causetrail.settings import COLLECTION_NAME
from kg.addresses import completions_of, cypher_of, is_server, open_store, path_of, seeds_of
from kg.neo4j_access import Neo4jAccess

if TYPE_CHECKING:
    from pathlib import Path

    from causetrail.settings import Settings
    from kg.cypher import CypherRunner
    from kg.encoding import Encoder
    from kg.neo4j_store import Neo4jStore
    from kg.seed_index import SeedIndex
    from kg.store import GraphStore, Progress
    from language.domain import Domain
    from models.event_coreference import EventCoreference
    from models.judge import RelevanceJudge
    from models.judge_source import ChosenJudges
    from models.language_model_source import LanguageModels
    from models.relation_reader import RelationReader
    from reasoning.room import Bench, Reranker

_RERANK_BY = "rerank_by"
_JUDGE_BY = "judge_by"
_JUDGE_THREADS = 4
"""Most processors that judge passages of one question."""


def _judge_threads() -> int:
    return min(_JUDGE_THREADS, os.cpu_count() or 1)


def server_access(settings: Settings, adopt: bool = False) -> Neo4jAccess:
    """How the settings say that a Neo4j server is reached.

    Args:
        adopt: Take a database that holds nodes of other programs under the labels of the graph, whatever they say.
    """
    return Neo4jAccess(
        user=settings.neo4j_user,
        password=settings.neo4j_password,
        database=settings.neo4j_database,
        pool=settings.neo4j_pool,
        connect_seconds=settings.neo4j_connect_seconds,
        transaction_seconds=settings.neo4j_transaction_seconds,
        ca_file=settings.neo4j_ca_file,
        adopt=adopt or settings.neo4j_adopt,
    )


class Parts:
    """Shared by the facades of all collections of one store; safe to use from threads."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._lock = threading.RLock()
        # Not the lock of the other parts: a model of the hub, or a large one, may take long to load.
        self._judge_lock = threading.Lock()
        self._language_lock = threading.Lock()
        self._store: GraphStore | None = None
        self._encoder: Encoder | None = None
        self._domain: Domain | None = None
        self._coreference: EventCoreference | None = None
        self._relations: RelationReader | None = None
        self._indexes: dict[str, SeedIndex] = {}
        self._cypher: CypherRunner | None = None
        self._language_models: LanguageModels | None = None
        self._relevance: RelevanceJudge | None = None
        self._judges: ChosenJudges | None = None

    def store(self, create: bool = False) -> GraphStore:
        """The store.

        Args:
            create: Make it when there is none.

        Raises:
            StoreMissing: there is none, and `create` is not given.
        """
        with self._lock:
            if self._store is None:
                self._store = open_store(
                    self.settings.store,
                    wait_seconds=self.settings.store_wait_seconds,
                    lease_seconds=self.settings.lease_seconds,
                    create=create,
                    access=server_access(self.settings),
                )
            return self._store

    def encoder(self) -> Encoder:
        """The encoder that the settings name."""
        with self._lock:
            if self._encoder is None:
                from models.encoder import load_encoder

                self._encoder = load_encoder(self.settings.encoder)
            return self._encoder

    def coreference(self) -> EventCoreference:
        """The head that scores pairs of mentions.

        Raises:
            ModelDamaged: the packaged weights were changed.
            ModelMissing: the installed runtime cannot run them.
        """
        with self._lock:
            if self._coreference is None:
                from models.event_coreference import EventCoreference

                self._coreference = EventCoreference()
            return self._coreference

    def relations(self) -> RelationReader:
        """What reads likely causes in sentences; its heads are loaded when the first sentence is read."""
        with self._lock:
            if self._relations is None:
                from models.relation_reader import PackagedRelationReader

                self._relations = PackagedRelationReader()
            return self._relations

    def language_models(self) -> LanguageModels:
        """The language models that the settings name; their answers are kept beside the file of the store.

        Raises:
            SettingInvalid: a setting names no model, or misses what its model needs.
            ExtraMissing: a library is not installed.
            ModelMissing: a model cannot be found or loaded.
        """
        with self._language_lock:
            if self._language_models is None:
                from models.language_model_source import load_language_models

                settings = self.settings
                if settings.llm_cache is None and not is_server(settings.store):
                    settings = settings.model_copy(update={"llm_cache": completions_of(settings.store)})
                self._language_models = load_language_models(settings)
            return self._language_models

    def reranker(self, progress: Progress | None = None, otherwise: str = "none") -> Reranker | None:
        """Who chooses passages for one question, what it asks booked apart.

        Args:
            progress: Called with `passages judged`, how many are, and how many there are to judge.
            otherwise: Who does where the settings name nobody; `none` leaves that to the search.

        Raises:
            SettingInvalid: the name is none that judges relevance.
            ModelNotChosen: it is the reasoner, and there is none.
            ModelDamaged, ModelMissing, ExtraMissing: the model cannot be loaded.
        """
        name = otherwise if self.settings.rerank_by == "none" else self.settings.rerank_by
        if name == "none":
            return None
        from models.judge_source import PACKAGED, REASONER, load_relevance_judge
        from models.language_model_source import calls_at_once
        from reasoning.room import Reranker

        if name == REASONER:
            models = self.language_models().apart()
            given_up = threading.Event()
            judge = load_relevance_judge(name, _RERANK_BY, models, given_up=given_up)
            at_once = calls_at_once(self.settings, REASONER)
            return Reranker(name, judge, at_once, models.ledger.by_stage, given_up, progress)
        if name == PACKAGED:
            relevance = self._packaged_judges().relevance
            return Reranker(name, relevance, _judge_threads(), dict, threading.Event(), progress)
        with self._judge_lock:
            if self._relevance is None:
                self._relevance = load_relevance_judge(name, _RERANK_BY, threads=_judge_threads())
            return Reranker(name, self._relevance, _judge_threads(), dict, threading.Event(), progress)

    def bench(self) -> Bench:
        """Who judges the steps of one question, what they ask booked apart.

        Raises:
            SettingInvalid: the setting names no judges.
            ModelNotChosen: it is the reasoner, and there is none.
            ModelDamaged, ModelMissing, ExtraMissing: the model cannot be loaded.
        """
        from models.judge_source import PACKAGED, REASONER, JudgeNames, load_judges
        from models.language_model_source import calls_at_once
        from models.narrative_writer import STAGE as TELLING
        from models.narrative_writer import NarrativeWriter
        from models.proposer import STAGE as PROPOSING
        from models.proposer import Proposer
        from reasoning.room import Bench

        name = self.settings.judge_by
        if name == PACKAGED:
            return Bench(name, self._packaged_judges(), dict, concurrency=_judge_threads())
        if name == REASONER:
            models = self.language_models().apart()
            at_once = calls_at_once(self.settings, REASONER)
            judges = load_judges(JudgeNames(*4 * (name,)), models, concurrency=at_once)
            reasoner = models.need(REASONER, "Proposing by the reasoner").at(PROPOSING)
            teller = models.need(REASONER, "Telling").at(TELLING)
            return Bench(
                name,
                judges,
                models.ledger.by_stage,
                proposer=Proposer(reasoner, models.sampling, models.seconds),
                writer=NarrativeWriter(teller, models.sampling, models.deadline),
                concurrency=at_once,
            )
        raise SettingInvalid(name=_JUDGE_BY, value=repr(name), reason=f"it is neither {PACKAGED} nor {REASONER}")

    def _packaged_judges(self) -> ChosenJudges:
        from models.judge_source import load_judges

        with self._judge_lock:
            if self._judges is None:
                self._judges = load_judges(threads=_judge_threads())
            return self._judges

    def domain(self) -> Domain | None:
        """The cues and kinds of the domain that the settings name; none when they name none.

        Raises:
            SettingInvalid: the file cannot be used.
        """
        with self._lock:
            if self._domain is None and self.settings.domain is not None:
                from language.domain import load_domain

                self._domain = load_domain(self.settings.domain)
            return self._domain

    def index(self, collection: str) -> SeedIndex:
        """The search index of a collection: the server's own, or one kept in a folder beside the file of the store."""
        with self._lock:
            if collection not in self._indexes:
                self._indexes[collection] = self._make_index(collection)
            return self._indexes[collection]

    def forget(self, collection: str) -> None:
        """Removes what is kept beside the file of the store of a collection that was dropped: index and Cypher view."""
        with self._lock:
            self._indexes.pop(collection, None)
            # A store that another program made may hold a collection whose name leads out of the folder.
            if not is_server(self.settings.store) and re.fullmatch(COLLECTION_NAME, collection):
                for folder in (seeds_of(self.settings.store) / collection, cypher_of(self.settings.store)):
                    shutil.rmtree(folder, ignore_errors=True)

    def mark_answers(self) -> None:
        """Marks of which documents of the store language models answered; before any of them may be removed."""
        folder = self._answers()
        if folder is not None:
            from models.completion_cache import mark_documents

            mark_documents(folder, self._holds)

    def forget_answers(self) -> None:
        """Removes what language models answered of documents that were removed since they were marked."""
        folder = self._answers()
        if folder is not None:
            from models.completion_cache import forget_documents

            forget_documents(folder, self._holds)

    def _answers(self) -> Path | None:
        """The folder of answers beside the file of the store, if there is one.

        None where the settings name a folder: it may serve other stores too.
        """
        if self.settings.llm_cache is not None or is_server(self.settings.store):
            return None
        folder = completions_of(self.settings.store)
        return folder if folder.is_dir() else None

    def _holds(self, document_id: str) -> bool:
        """Whether any collection of the store holds a document."""
        store = self.store()
        return any(store.sources(name, document_id) for name in store.collections())

    def cypher(self) -> CypherRunner:
        """What runs queries in Cypher on the store."""
        with self._lock:
            if self._cypher is None:
                self._cypher = self._make_cypher()
            return self._cypher

    def _make_cypher(self) -> CypherRunner:
        store = self.store()
        if is_server(self.settings.store):
            from kg.neo4j_cypher import ServerCypher

            return ServerCypher(cast("Neo4jStore", store).server)
        from kg.embedded_cypher import EmbeddedCypher

        address = self.settings.store
        return EmbeddedCypher(store, path_of(address), cypher_of(address), self.settings.cypher_view_bytes)

    def _make_index(self, collection: str) -> SeedIndex:
        store = self.store()
        if is_server(self.settings.store):
            from kg.neo4j_seed_index import Neo4jSeedIndex

            return Neo4jSeedIndex(cast("Neo4jStore", store), self.encoder(), collection)
        from kg.seed_index import EmbeddedSeedIndex

        folder = seeds_of(self.settings.store) / collection
        return EmbeddedSeedIndex(store, self.encoder(), collection, folder)

    def close(self) -> None:
        """Closes the store; the parts are made anew when they are needed again."""
        with self._lock:
            if self._cypher is not None:
                self._cypher.close()
            if self._store is not None:
                self._store.close()
            self._store = self._cypher = None
            self._indexes.clear()
        with self._language_lock:
            if self._language_models is not None:
                self._language_models.close()
            self._language_models = None
