"""Small collections made by hand: real store, index and encoder; only the claims are written down."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from causetrail.settings import Settings
from kg.fusion import Hit
from kg.records import (
    Claim,
    Decision,
    Document,
    Mention,
    Modality,
    Passage,
    PassageKind,
    Polarity,
    Relation,
    Resolution,
)
from kg.resolution import Resolved
from kg.seed_index import EmbeddedSeedIndex
from kg.sqlite_store import SqliteStore
from kg.store import Bundle, Source
from language.content_words import content_keys
from language.kinds import kind_of
from language.lemmas import lemma_of
from language.quick_sentences import quick_sentences
from models.encoder import load_encoder
from reasoning.room import Room

EXTRACTOR = "hand-1"


@dataclass(frozen=True)
class Told:
    """A happening: its words in the document, the word that names it, the day it was, how real it is."""

    words: str
    head: str
    day: str | None = None
    denied: bool = False
    modality: Modality = Modality.ACTUAL


@dataclass(frozen=True)
class Says:
    """A claim of a document."""

    cause: Told
    effect: Told
    relation: Relation = Relation.CAUSES
    denied: bool = False
    modality: Modality = Modality.ACTUAL
    confidence: float = 0.9


@dataclass(frozen=True)
class Text:
    """A document: its source, its text, what it claims, and when it was published."""

    source: str
    text: str
    claims: tuple[Says, ...] = ()
    published: str | None = None
    mentions: tuple[Told, ...] = ()


class SameWords:
    """One event for the mentions of one kind, one day, one polarity and the same participants."""

    version = "same-words-1"

    def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
        clusters: dict[tuple[object, ...], list[str]] = defaultdict(list)
        for mention in mentions:
            clusters[mention.participants, mention.time_start, mention.polarity].append(mention.id)
        ordered = sorted(tuple(sorted(ids)) for ids in clusters.values())
        firsts = [ids[0] for ids in ordered]
        similar = tuple(sorted((a, b) for a in firsts for b in firsts if a < b))
        return Resolved(tuple(ordered), similar, {ids[0]: ("the same words",) for ids in ordered if len(ids) > 1})


class Shelf:
    """Puts documents into a store and gives the room in which questions are asked."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "hand.db"
        self.store = SqliteStore(self.path, wait_seconds=5, lease_seconds=5)
        self._encoder = load_encoder("bge-small-en-v1.5")

    def room(self, *texts: Text) -> Room:
        for text in texts:
            self.store.commit_document(self._bundle(text))
        self.store.derive("main", SameWords())
        index = EmbeddedSeedIndex(self.store, self._encoder, "main", None)
        return Room(self.store, index, Settings(), "main")

    def _bundle(self, given: Text) -> Bundle:
        document_id = Document.id_of(given.text)
        mentions: dict[str, Mention] = {}
        claims = []
        for says in given.claims:
            cause, effect = (
                self._mention(given, document_id, says.cause),
                self._mention(given, document_id, says.effect),
            )
            mentions |= {cause.id: cause, effect.id: effect}
            start = min(cause.sentence_start, effect.sentence_start)
            end = max(cause.sentence_end, effect.sentence_end)
            claim_id = Claim.id_of(document_id, says.relation, cause.id, effect.id, start, end, "because", EXTRACTOR)
            claims.append(
                Claim(
                    id=claim_id,
                    collection="main",
                    document_id=document_id,
                    relation=says.relation,
                    cause_mention=cause.id,
                    effect_mention=effect.id,
                    start=start,
                    end=end,
                    quote=given.text[start:end],
                    cue="because",
                    polarity=Polarity.NEGATED if says.denied else Polarity.AFFIRMED,
                    modality=says.modality,
                    confidence=says.confidence,
                    extractor=EXTRACTOR,
                )
            )
        for told in given.mentions:
            mention = self._mention(given, document_id, told)
            mentions[mention.id] = mention
        end = len(given.text)
        passage = Passage(
            id=Passage.id_of(document_id, 0, 0, end, PassageKind.PROSE),
            collection="main",
            document_id=document_id,
            start=0,
            end=end,
            ordinal=0,
            page=None,
            kind=PassageKind.PROSE,
        )
        source = Source(
            name=given.source,
            raw_sha256=hashlib.sha256(given.text.encode()).hexdigest(),
            origin=given.source,
            doc_title=given.source,
            published=given.published and f"{given.published}T00:00:00Z",
            published_resolution=Resolution.DAY if given.published else None,
            media_type="text/plain",
            pages=(),
            normaliser="n1",
        )
        ordered = tuple(sorted(mentions.values(), key=lambda m: (m.start, m.end)))
        return Bundle(
            collection="main",
            source=source,
            text=given.text,
            language="en",
            extraction="hand",
            sentences=len(quick_sentences(given.text)),
            passages=(passage,),
            passage_vectors=self._encoder.encode_passages([given.text]),
            mentions=ordered,
            mention_vectors=self._encoder.encode_passages([m.text for m in ordered]),
            claims=tuple(sorted(claims, key=lambda c: c.id)),
        )

    @staticmethod
    def _mention(given: Text, document_id: str, told: Told) -> Mention:
        start = given.text.index(told.words)
        end = start + len(told.words)
        sentence = next(s for s in quick_sentences(given.text) if s.start <= start < s.end)
        lemma = lemma_of(told.head)
        return Mention(
            id=Mention.id_of(document_id, start, end),
            collection="main",
            document_id=document_id,
            start=start,
            end=end,
            sentence_start=sentence.start,
            sentence_end=sentence.end,
            text=told.words,
            lemma=lemma,
            kind=kind_of(lemma),
            polarity=Polarity.NEGATED if told.denied else Polarity.AFFIRMED,
            modality=told.modality,
            participants=tuple(sorted(content_keys(told.words) - {kind_of(lemma)})),
            place=None,
            incident=None,
            time_start=told.day and f"{told.day}T00:00:00Z",
            time_end=told.day and f"{told.day}T23:59:59Z",
            time_resolution=Resolution.DAY if told.day else None,
        )


@pytest.fixture
def shelves(tmp_path):
    made = []

    def make(name: str) -> Shelf:
        folder = tmp_path / name
        folder.mkdir()
        made.append(Shelf(folder))
        return made[-1]

    yield make
    for each in made:
        each.store.close()


@pytest.fixture
def shelf(shelves):
    return shelves("only")


@pytest.fixture
def told():
    return Told


@pytest.fixture
def says():
    return Says


@pytest.fixture
def text():
    return Text


class ByView:
    """An index that finds nothing but one given passage for each of some texts, with a given cosine: a double."""

    def __init__(self, sources: dict[str, str], room: Room, cosines: dict[str, float] | None = None) -> None:
        store, collection = room.store, room.collection
        ids = {one.id: one.sources[0] for one in store.documents(collection)}
        passages = store.passages(collection, store.passage_ids(collection))
        self._ids = {ids[passage.document_id]: id_ for id_, passage in passages.items()}
        self._sources, self._cosines = sources, cosines or {}
        self.encoder = room.index.encoder

    def refresh(self, progress: object = None) -> None:
        """There is nothing to bring up to date."""

    def search_passages(self, text: str, k: int, kind: PassageKind | None = None) -> list[Hit]:
        source = self._sources.get(text)
        return [] if source is None else [Hit(self._ids[source], 1.0, self._cosines.get(source, 0.5), 0.0)]

    def search_events(self, text: str, k: int) -> list[Hit]:
        return []


@pytest.fixture
def by_view() -> type[ByView]:
    return ByView
