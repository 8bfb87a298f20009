"""The name people import: one object for one collection of one store, from documents in to answers out.

This is the composition root: the one place that knows which store, encoder, resolver and recipe work together.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import wraps
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar

from causetrail.corrections import accept, decide, derive, propose, undo
from causetrail.errors import ArgumentInvalid, DocumentCharacters, DocumentUnknown, RecordUnknown
from causetrail.intake import estimate_files, spellings, take_bytes, take_files
from causetrail.parts import Parts, server_access
from causetrail.settings import Settings, load_settings
from kg.records import (
    Answer,
    Claim,
    Decision,
    DecisionKind,
    Document,
    Event,
    Evidence,
    Hypothesis,
    JudgedClaim,
    JudgedHypothesis,
    Mention,
    Polarity,
    Relation,
    Stance,
    Suggestion,
)
from kg.store import CollectionSize, Counts, Merge, Progress

if TYPE_CHECKING:
    from extraction.estimate import Estimate
    from extraction.ledger import IngestReport
    from kg.cypher import CypherResult
    from kg.verify import VerifyReport
    from language.questions import Question
    from models.relation_reader import RelationReader
    from reasoning.choice_report import Choice
    from reasoning.replay_report import Replay
    from reasoning.room import Bench, Reranker, Room
    from reasoning.strategies import Strategy
    from reasoning.what_if_report import WhatIf

READY_SECONDS = 5.0
"""How long a server may take to say that it is ready."""

P = ParamSpec("P")
T = TypeVar("T")

_EVENT_ID = re.compile(r"e[0-9a-f]{24}")
_DOCUMENT_ID = re.compile(r"d[0-9a-f]{24}")


def _prompt(read: Callable[Concatenate[Causetrail, P], T]) -> Callable[Concatenate[Causetrail, P], T]:
    """The method, which tells soon that a server is away or hangs: a reader would rather know than wait."""

    @wraps(read)
    def promptly(self: Causetrail, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with self._reading():
            return read(self, *args, **kwargs)

    return promptly


class Causetrail:
    """Documents in, causes out.

        with Causetrail("sqlite:///trail.db") as trail:
            trail.ingest("reports/")
            print(trail.why("the footbridge closed").text)

    Safe to use from threads. A store is made by the first ingest; everything else raises `StoreMissing` before that.
    Every method may raise a `StoreError`; what else one raises stands with it.
    """

    def __init__(
        self, store: str | None = None, *, collection: str | None = None, settings: Settings | None = None
    ) -> None:
        """Nothing is opened or loaded yet.

        Args:
            store: Address of the store; that of the settings when not given.
            collection: The set of documents to work on; that of the settings when not given.
            settings: All settings; from the environment and `causetrail.toml` when not given.

        Raises:
            SettingUnknown, SettingInvalid: a setting has no meaning.
        """
        given = {"store": store, "collection": collection}
        base = settings.model_dump() if settings is not None else {}
        base |= {name: value for name, value in given.items() if value is not None}
        self.settings = load_settings(**base)
        self._parts = Parts(self.settings)

    def within(self, collection: str | None) -> Causetrail:
        """The facade of another collection of the same store, sharing what is loaded; itself when none is named."""
        if collection is None or collection == self.collection:
            return self
        other = object.__new__(type(self))
        other.settings = load_settings(**self.settings.model_dump() | {"collection": collection})
        other._parts = self._parts
        return other

    @property
    def collection(self) -> str:
        """The set of documents that is read and written."""
        return self.settings.collection

    def close(self) -> None:
        """Closes the store, for all facades that share it."""
        self._parts.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # Documents

    def ingest(
        self,
        *paths: str | Path,
        published: str | None = None,
        progress: Progress | None = None,
        pairs: bool = False,
    ) -> IngestReport:
        """Takes files and folders in and derives the graph; what did not change is left alone.

        Bad documents do not stop the others: the report names them with their errors. A language model that reads
        claims and cannot go on stops it: the report says so, what was read is in the graph, and the next call goes on.

        Args:
            paths: Files and folders.
            published: Date of publication of all these documents; what each says itself when not given.
            progress: Called with a stage's name, what is done of it and how much there is.
            pairs: Whether the files hold question-answer pairs (csv, jsonl, Markdown): `docs/pairs.md`.
        """
        found = [Path(path) for path in paths]
        return take_files(self._parts, self.settings, found, published, progress, pairs)

    def estimate(self, *paths: str | Path) -> Estimate:
        """What `ingest` would ask of the language model that reads claims; nothing is asked, or written to the store.

        Args:
            paths: As `ingest`.

        Raises:
            ModelNotChosen: no language model reads claims.
        """
        return estimate_files(self._parts, self.settings, [Path(path) for path in paths])

    def ingest_bytes(
        self,
        data: bytes,
        name: str,
        media_type: str | None = None,
        published: str | None = None,
        progress: Progress | None = None,
        pairs: bool = False,
    ) -> IngestReport:
        """Takes in one file that is no file of this machine: an upload, standard input.

        Args:
            data: All bytes.
            name: Name of the source; the same name replaces what it gave before.
            media_type: Its format; the ending of its name tells it when not given.
            published: As `ingest`.
            progress: As `ingest`.
            pairs: As `ingest`.

        Raises:
            ArgumentInvalid: the name or the date cannot be one.
        """
        return take_bytes(self._parts, self.settings, data, name, media_type, published, progress, pairs)

    def ingest_text(self, text: str, name: str, published: str | None = None) -> IngestReport:
        """Takes in one text under a name; everything else as `ingest_bytes`.

        Raises:
            ArgumentInvalid: the name or the date cannot be one.
            DocumentCharacters: the text holds a lone surrogate.
        """
        try:
            data = text.encode("utf-8")
        except UnicodeEncodeError as error:
            reason = f"the lone surrogate U+{ord(text[error.start]):04X} at position {error.start}"
            raise DocumentCharacters(source=name, reason=reason) from None
        return self.ingest_bytes(data, name, "text/plain" if "." not in name else None, published)

    def documents(self) -> Iterator[Document]:
        """All documents, by id."""
        return self._each_promptly(self._parts.store().documents(self.collection))

    @_prompt
    def document(self, name: str) -> Document:
        """The document with this id or source.

        Raises:
            DocumentUnknown: there is none.
        """
        store = self._parts.store()
        self._parts.mark_answers()
        if _DOCUMENT_ID.fullmatch(name):
            return store.document(self.collection, name)
        for spelling in spellings(self.settings, name):
            state = store.source_state(self.collection, spelling)
            if state is not None:
                return store.document(self.collection, state.document_id)
        raise DocumentUnknown(document=name, collection=self.collection)

    @_prompt
    def text(self, name: str) -> str:
        """The normalised text of the document with this id or source; all offsets count its characters."""
        return self._parts.store().document_text(self.collection, self.document(name).id)

    @_prompt
    def passages(self, text: str, limit: int = 10) -> list[Evidence]:
        """The passages that resemble a text, best first: plain retrieval, without the graph.

        Raises:
            QuestionError: the text is empty, too long, or not text.
        """
        from language.questions import refuse_unreadable
        from reasoning.evidence import Quoter

        refuse_unreadable(text, self.settings.max_question_characters)

        store = self._parts.store()
        hits = self._parts.index(self.collection).search_passages(text, limit)
        found = store.passages(self.collection, [hit.id for hit in hits])
        quoter = Quoter(store, self.collection)
        passages = [found[hit.id] for hit in hits if hit.id in found]
        return [quoter.span(passage.document_id, passage.start, passage.end, Stance.CONTEXT) for passage in passages]

    def delete(self, name: str) -> None:
        """Removes the document with this id and all its sources, or this source and what only it gave.

        Raises:
            DocumentUnknown: there is none.
        """
        store = self._parts.store()
        self._parts.mark_answers()
        if _DOCUMENT_ID.fullmatch(name):
            store.delete_document(self.collection, name)
            derive(store, self.collection)
            self._parts.forget_answers()
            return
        for spelling in spellings(self.settings, name):
            states = store.sources_of_origin(self.collection, spelling)
            state = store.source_state(self.collection, spelling)
            names = sorted({found.name for found in [*states, *([state] if state else [])]})
            for source in names:
                store.delete_source(self.collection, source)
            if names:
                derive(store, self.collection)
                self._parts.forget_answers()
                return
        raise DocumentUnknown(document=name, collection=self.collection)

    # Questions

    def ask(
        self,
        question: str,
        strategy: str | Strategy = "default",
        progress: Progress | None = None,
        *,
        with_hypotheses: bool = False,
    ) -> Answer:
        """Answers a question, with the sentences that prove the answer.

        Args:
            question: In English, a sentence or two.
            strategy: A recipe, or its name (`docs/strategies.md`).
            progress: Called with a stage's name, what is done of it and how much there is.
            with_hypotheses: Whether chains may go over the written hypotheses that nobody decided on, where nothing
                stated answers. Such an answer is `hypothesised`, and names each link that is assumed.

        Raises:
            QuestionError: it is empty, too long, or not text.
            ArgumentInvalid: no recipe has this name.
            DeadlinePassed: `deadline_seconds` went by and nothing was found to tell.
        """
        return self._answer(question, strategy, progress, with_hypotheses=with_hypotheses)

    def why(self, event: str, strategy: str = "default", progress: Progress | None = None) -> Answer:
        """Says why something happened; `event` is told in words, or is the id of an event. Errors as `ask`."""
        from language.questions import why_question

        return self._answer(
            why_question(self._in_words(event), self.settings.max_question_characters), strategy, progress
        )

    def effects(self, event: str, strategy: str = "default", progress: Progress | None = None) -> Answer:
        """Says what followed from something; `event` is told in words, or is the id of an event. Errors as `ask`."""
        from language.questions import effects_question

        return self._answer(
            effects_question(self._in_words(event), self.settings.max_question_characters), strategy, progress
        )

    def chain(self, cause: str, effect: str, strategy: str = "default", progress: Progress | None = None) -> Answer:
        """Says how one thing led to another; both are told in words, or are ids of events. Errors as `ask`."""
        from language.questions import how_question

        limit = self.settings.max_question_characters
        return self._answer(how_question(self._in_words(cause), self._in_words(effect), limit), strategy, progress)

    @_prompt
    def what_if(self, event: str, effect: str | None = None, *, links_only: bool = False) -> WhatIf:
        """What of the graph would fall without an event, or without its direct links to another.

        Nothing is changed. What is told is read off the graph and never more than hypothesised.

        Args:
            event: What is taken away, in words, or the id of an event; of what the documents tell as not having
                happened, that it did not. A whole question “what if” says itself what is supposed.
            effect: What is asked about especially, likewise: whether it falls, and the fewest links without which
                nothing leads to it from the event.
            links_only: Take away only the direct links from the event to the effect.

        Raises:
            ArgumentInvalid: only links are to be taken away, and no effect is given.
            RecordUnknown: there is no event of an id.
            QuestionError: the words are empty, too many, or not text.
            DeadlinePassed: `deadline_seconds` went by.
        """
        from language.domain import in_domain
        from reasoning.what_if import what_if

        if links_only and effect is None:
            raise ArgumentInvalid(argument="links_only", value="given", reason="it needs an effect")
        with in_domain(self._parts.domain()):
            ends = None if effect is None else self._meant(effect)
            return what_if(self._meant(event), ends, self._room(), links_only=links_only)

    @_prompt
    def choose(
        self, event: str, options: Sequence[str], strategy: str | Strategy = "default", progress: Progress | None = None
    ) -> Choice:
        """Says which of several causes that are offered led to an event; more than one may have, or none of them.

        What documents state comes first; where they state nothing of any option, one is guessed, and is a hypothesis:
        that nearest to what they tell of the event, or else the most plausible one by the judge of causes. One that
        comes after the event, or that is denied, is never chosen.

        Args:
            event: What happened, in words, or the id of an event.
            options: 2 to 26 causes, likewise; one may be that none of the others is right.
            strategy: Name of a recipe, as for `ask`.
            progress: Called with a stage's name, what is done of it and how much there is.

        Raises:
            ArgumentInvalid: the options are too few, too many or all the same, none names a cause, or no recipe has
                this name.
            RecordUnknown: there is no event of an id.
            QuestionError: a text is empty, too long, or not text.
            DeadlinePassed: `deadline_seconds` went by.
        """
        from language.domain import in_domain
        from reasoning.choose import choose

        room = self._room(self._parts.reranker(progress, self.settings.judge_by), self._parts.bench())
        with in_domain(self._parts.domain()):
            return choose(self._in_words(event), [self._in_words(option) for option in options], room, strategy)

    def replay(self, told: Answer | Choice) -> Replay:
        """Asks for a stored answer again, from its trace, and says what differs.

        The same graph, settings and version give the same record, what it cost apart. It is asked of the collection
        that it was made in.

        Args:
            told: As `ask`, `why`, `effects`, `chain` or `choose` gave it.

        Raises:
            TraceUnusable: its trace does not begin with the question.
            ArgumentInvalid: there is no recipe any more of its name.
            StageUnknown: it was made without a stage that the recipe no longer has.
            QuestionError, DeadlinePassed: as `ask`.
        """
        from reasoning.ablation import variant_named
        from reasoning.replay import asked_for, compared, offered_of

        if isinstance(told, Answer):
            asked = asked_for(told)
            recipe, asking = variant_named(asked.strategy), self.within(asked.collection)
            again = asking._answer(asked.question, recipe, None, with_hypotheses=asked.with_hypotheses)
            return compared(told, again, asked.strategy)
        event, options, strategy = offered_of(told)
        recipe = variant_named(strategy)
        return compared(told, self.within(told.collection).choose(event, options, recipe), strategy)

    @_prompt
    def named(self, told: Answer | Choice) -> dict[str, str]:
        """What the ids in a trace stand for, by id.

        Returns:
            For a document its least source, for a passage `source [start:end]`, for an event its description, for a
            claim its quote; nothing for what the collection no longer holds.
        """
        from causetrail.naming import ids_in, words_of

        ids = {id_ for step in told.trace for id_ in ids_in(step.detail)}
        return words_of(ids, self._parts.store(), self.collection)

    # The graph

    @_prompt
    def events(self, text: str | None = None, limit: int = 50, offset: int = 0) -> list[Event]:
        """Events that resemble a text, best first; all events by id when no text is given.

        Raises:
            QuestionError: the text is empty, too long, or not text.
        """
        from language.questions import refuse_unreadable

        store = self._parts.store()
        if text is None:
            ids = store.event_ids(self.collection)[offset : offset + limit]
        else:
            refuse_unreadable(text, self.settings.max_question_characters)
            hits = self._parts.index(self.collection).search_events(text, offset + limit)
            ids = [hit.id for hit in hits[offset:]]
        found = store.events(self.collection, ids)
        return [found[event_id] for event_id in ids if event_id in found]

    @_prompt
    def event(self, event_id: str) -> Event:
        """One event; an old id finds the event that now holds its mention.

        Raises:
            RecordUnknown: there is none.
        """
        return self._parts.store().event(self.collection, event_id)

    @_prompt
    def mentions_of_event(self, event_id: str) -> list[Mention]:
        """The mentions an event was made from, by document and place in the text."""
        return self._parts.store().mentions_of_event(self.collection, event_id)

    @_prompt
    def claim(self, claim_id: str) -> JudgedClaim:
        """One claim.

        Raises:
            RecordUnknown: there is none.
        """
        found = self._parts.store().claims(self.collection, [claim_id])
        if claim_id not in found:
            raise RecordUnknown(kind="claim", id=claim_id, collection=self.collection)
        return self._judged([found[claim_id]])[0]

    @_prompt
    def claims(
        self,
        *,
        document: str | None = None,
        event: str | None = None,
        relation: Relation | None = None,
        polarity: Polarity | None = None,
        limit: int | None = None,
        offset: int = 0,
    ) -> list[JudgedClaim]:
        """Claims that fit everything that is given, by document and place in the text.

        Args:
            document: Id or source of the document they stand in.
            event: Id of an event that is their cause or effect.
            relation: What the cause does to the effect.
            polarity: Whether they assert or deny.
            limit: Most claims; all when not given.
            offset: Claims left out first.

        Raises:
            DocumentUnknown, RecordUnknown: there is no such document or event.
        """
        held = None if event is None else self.mentions_of_event(self.event(event).id)
        mentions = None if held is None else {mention.id for mention in held}
        fitting = (
            claim
            for claim in self._claims_in(document, held)
            if (mentions is None or claim.cause_mention in mentions or claim.effect_mention in mentions)
            and (relation is None or claim.relation is relation)
            and (polarity is None or claim.polarity is polarity)
        )
        return self._judged(islice(fitting, offset, None if limit is None else offset + limit))

    def merges(self, across_documents: bool = False) -> Iterator[Merge]:
        """Events of two or more mentions and why they are one; only those that span documents when asked."""
        return self._each_promptly(self._parts.store().merges(self.collection, across_documents))

    @_prompt
    def suggestions(self, limit: int = 20, least: float = 0.2) -> list[Suggestion]:
        """Pairs of events that may be one, likeliest first: what `merge` or `split` was not yet said of.

        They resemble each other without positive identity, and nothing told keeps them apart. A pair that was decided
        comes back when the decision is undone.

        Args:
            limit: Most pairs.
            least: Least score, 0 to 1.

        Raises:
            ArgumentInvalid: `limit` is not positive, or `least` no probability.
            ModelDamaged: the packaged weights were changed.
            SnapshotLost: the graph changed while it was read.
        """
        from causetrail.suggesting import suggestions

        if limit < 1:
            raise ArgumentInvalid(argument="limit", value=limit, reason="it must be 1 or more")
        if not 0 <= least <= 1:
            raise ArgumentInvalid(argument="least", value=least, reason="it must be between 0 and 1")
        return suggestions(self._parts.store(), self.collection, self._parts.coreference, limit, least)

    def cypher(
        self,
        query: str,
        params: Mapping[str, object] | None = None,
        limit: int | None = None,
        timeout: float | None = None,
    ) -> CypherResult:
        """Runs one query in Cypher that reads the graph, of all collections; docs/cypher.md tells its schema.

        Args:
            query: It may ask for `$collection`, the name of this facade's collection, without its being given.
            params: Values of its parameters, by name: what JSON knows.
            limit: Most rows; `cypher_rows` when not given, and at most that.
            timeout: Longest time in seconds; `cypher_seconds` when not given, and at most that.

        Raises:
            CypherError: it is no Cypher, would do more than read, takes too much, or cannot be run here.
            ArgumentInvalid: a limit is not positive, or above its setting.
        """
        from kg.cypher import CypherLimits

        settings = self.settings
        rows = _within("limit", limit, settings.cypher_rows, "cypher_rows")
        time = _within("timeout", timeout, settings.cypher_seconds, "cypher_seconds")
        given = {"collection": self.collection} | dict(params or {})
        return self._parts.cypher().run(query, given, CypherLimits(int(rows), settings.cypher_bytes, time))

    # Corrections by a person

    def merge(self, *mentions: str, reason: str = "", by: str | None = None) -> Decision:
        """Says that these mentions tell of the same happening.

        Args:
            mentions: Ids of two or more mentions.
            reason: Why; kept with the decision.
            by: Who decides; the name of the user when not given.

        Raises:
            RecordUnknown: a mention does not exist.
            DecisionRefused: a standing decision says otherwise.
        """
        return decide(self._parts.store(), self.collection, DecisionKind.MERGE, mentions, reason, by)

    def split(self, *mentions: str, reason: str = "", by: str | None = None) -> Decision:
        """Says that these mentions tell of different happenings; arguments and errors as `merge`."""
        return decide(self._parts.store(), self.collection, DecisionKind.SPLIT, mentions, reason, by)

    def reject_claim(self, claim_id: str, reason: str = "", by: str | None = None) -> Decision:
        """Leaves a claim out of the graph; arguments and errors as `merge`."""
        return decide(self._parts.store(), self.collection, DecisionKind.REJECT_CLAIM, (claim_id,), reason, by)

    def propose(self, question: str, progress: Progress | None = None) -> list[Hypothesis]:
        """Asks with the strategy `abductive` and writes what its answer assumes: hypotheses, and no edges.

        Nothing is written where the evidence suffices or no premise stands. Arguments and errors as `ask`.
        """
        return propose(self._parts.store(), self.collection, self.ask(question, "abductive", progress).premises)

    @_prompt
    def hypotheses(self) -> list[JudgedHypothesis]:
        """All hypotheses that were written, by id, each with what was decided of it."""
        from kg.rejections import decided_hypotheses

        store = self._parts.store()
        decided = decided_hypotheses(store, self.collection)
        found = store.hypotheses(self.collection)
        return [JudgedHypothesis(**one.model_dump(), decided=decided.get(one.id)) for one in found]

    def accept_hypothesis(self, hypothesis_id: str, reason: str = "", by: str | None = None) -> Decision:
        """Takes a hypothesis for true: a signed note becomes a document, and its claim an edge between the two events.

        Undoing the decision removes the note. Arguments and errors as `merge`.
        """
        store, encoder = self._parts.store(), self._parts.encoder()
        return accept(store, self.collection, hypothesis_id, reason, by, encoder)

    def reject_hypothesis(self, hypothesis_id: str, reason: str = "", by: str | None = None) -> Decision:
        """Has a hypothesis never proposed again; arguments and errors as `merge`."""
        kind = DecisionKind.REJECT_HYPOTHESIS
        return decide(self._parts.store(), self.collection, kind, (hypothesis_id,), reason, by)

    @_prompt
    def decisions(self) -> list[Decision]:
        """All decisions, oldest first."""
        return self._parts.store().decisions(self.collection)

    def undo(self, decision_id: str) -> Decision:
        """Takes a decision back; it stays in the log as undone.

        Raises:
            RecordUnknown: there is none.
        """
        return undo(self._parts.store(), self.collection, decision_id)

    # The store

    @_prompt
    def collections(self) -> list[CollectionSize]:
        """All collections of the store that hold documents or decisions, by name."""
        store = self._parts.store()
        sizes = [(name, store.counts(name)) for name in store.collections()]
        return [CollectionSize(name, held.documents, held.events, held.decisions) for name, held in sizes]

    def drop(self, collection: str, progress: Progress | None = None) -> int:
        """Removes a collection of the store with everything in it, for good; interrupted, it goes on when called again.

        Args:
            progress: Called with the stage `drop`, documents removed, and documents there are.

        Returns:
            The number of documents that were removed.

        Raises:
            CollectionUnknown: the store holds nothing of this name.
        """
        self._parts.mark_answers()
        dropped = self._parts.store().drop(collection, progress)
        self._parts.forget(collection)
        self._parts.forget_answers()
        return dropped

    def verify(self, progress: Progress | None = None, collection: str | None = None) -> VerifyReport:
        """Checks every record of the store against its document, and the file or server itself.

        Args:
            progress: Called with the kind of record, how many were checked, and how many there are.
            collection: Name of the one to check; all of them when not given.

        Raises:
            CollectionUnknown: the store holds nothing of this collection.
        """
        from extraction.resolution import EventResolver
        from kg.verify import verify

        access = server_access(self.settings)
        return verify(self.settings.store, collection, progress, access=access, resolver=EventResolver())

    def export(self, form: str = "jsonl") -> Iterator[str]:
        """The graph as text, piece by piece; equal graphs give equal bytes.

        Args:
            form: `jsonl`, `graphml` or `cypher`.

        Raises:
            ArgumentInvalid: no such form.
        """
        from kg.export import export

        return export(self._parts.store(), self.collection, form)

    @_prompt
    def counts(self) -> Counts:
        """How much the collection holds."""
        return self._parts.store().counts(self.collection)

    def health(self) -> tuple[int, int]:
        """Generation of the graph, and the number of blocks that wait for derivation.

        A server that is away is not waited for.
        """
        store = self._parts.store()
        with store.prompt(READY_SECONDS):
            return store.generation(self.collection), store.pending(self.collection)

    # Inside

    def _reading(self) -> AbstractContextManager[None]:
        """What the calling thread reads inside waits for no server that is away, and not for long on one that hangs."""
        return self._parts.store().prompt(max(READY_SECONDS, self.settings.deadline_seconds))

    def _each_promptly(self, found: Iterator[T]) -> Iterator[T]:
        """The same things, each read as `_reading` says; what the caller does in between is not."""
        while True:
            with self._reading():
                try:
                    one = next(found)
                except StopIteration:
                    return
            yield one

    @_prompt
    def _answer(
        self,
        question: str | Question,
        strategy: str | Strategy,
        progress: Progress | None,
        *,
        with_hypotheses: bool = False,
    ) -> Answer:
        from language.domain import in_domain
        from language.questions import Question, QuestionKind, read_question, what_stopped
        from models.judge_source import REASONER
        from reasoning.answer import answer
        from reasoning.fact_draft import asks_for_fact
        from reasoning.likely_cause import asks_for_cause
        from reasoning.strategies import find_strategy

        recipe = find_strategy(strategy)
        with in_domain(self._parts.domain()):
            limit = self.settings.max_question_characters
            asked = question if isinstance(question, Question) else read_question(question, limit)
            # Loading the judges takes longer than most answers.
            offered = asked.kind is QuestionKind.CHOOSE
            judged = (
                recipe.judged or offered or (recipe.text and (asks_for_fact(asked) or what_stopped(asked) is not None))
            )
            judged = judged or (recipe.graph and self.settings.judge_by == REASONER)
            relations = self._parts.relations() if recipe.likely and asks_for_cause(asked) else None
            reranker = self._parts.reranker(progress, self.settings.judge_by if offered else "none")
            room = self._room(reranker, self._parts.bench() if judged else None, relations)
            return answer(asked, room, recipe, with_hypotheses=with_hypotheses)

    def _room(
        self,
        reranker: Reranker | None = None,
        bench: Bench | None = None,
        relations: RelationReader | None = None,
    ) -> Room:
        from reasoning.room import Room

        return Room(
            store=self._parts.store(),
            index=self._parts.index(self.collection),
            settings=self.settings,
            collection=self.collection,
            reranker=reranker,
            bench=bench,
            relations=relations,
        )

    def _meant(self, event: str) -> str | Event:
        """The event, where it is named by its id."""
        return self.event(event) if _EVENT_ID.fullmatch(event) else event

    def _in_words(self, event: str) -> str:
        meant = self._meant(event)
        return meant.description if isinstance(meant, Event) else meant

    def _judged(self, claims: Iterable[Claim]) -> list[JudgedClaim]:
        from kg.rejections import standing_rejections

        rejected = standing_rejections(self._parts.store(), self.collection)
        return [JudgedClaim(**claim.model_dump(), rejected=rejected.get(claim.id)) for claim in claims]

    def _claims_in(self, document: str | None, mentions: list[Mention] | None) -> Iterator[Claim]:
        store = self._parts.store()
        if document is not None:
            ids = [self.document(document).id]
        elif mentions is not None:
            ids = sorted({mention.document_id for mention in mentions})
        else:
            ids = [found.id for found in store.documents(self.collection)]
        for document_id in ids:
            yield from store.claims_of(self.collection, document_id)


def _within(argument: str, given: float | None, most: float, setting: str) -> float:
    """What was given, or the setting when nothing was."""
    if given is None:
        return most
    if not 0 < given <= most:
        reason = f"it must be more than 0 and at most {most:,.15g}, which the setting {setting} bounds"
        raise ArgumentInvalid(argument=argument, value=given, reason=reason)
    return given
