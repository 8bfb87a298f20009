"""Small graphs for the tests of this room, written as sentences with marked events."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from kg.encoding import Vectors
from kg.neo4j_access import Neo4jAccess
from kg.neo4j_store import Neo4jStore
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
from kg.sqlite_store import SqliteStore
from kg.store import Bundle, Source
from tests.conformance.conftest import empty
from tests.neo4j.server import Neo4jTestServer

EVENT = re.compile(r"\{([^}]*)\}")


@dataclass
class WordsEncoder:
    """Sums a pseudo-random direction for each word: equal words, near vectors. A pure function of the text."""

    fingerprint: str = "words-1"
    dimension: int = 16
    max_tokens: int = 512
    encoded: list[str] = field(default_factory=list)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]

    def encode_passages(self, texts: Sequence[str]) -> Vectors:
        self.encoded.extend(texts)
        return np.stack([self._vector(text) for text in texts]) if texts else np.empty((0, self.dimension), np.float32)

    def encode_query(self, text: str) -> Vectors:
        return self.encode_passages([text])

    def _vector(self, text: str) -> Vectors:
        total = np.full(self.dimension, 1e-3)
        for word in sorted(re.findall(r"\w+", text.lower())):
            seed = int.from_bytes(hashlib.sha256(f"{self.fingerprint} {word}".encode()).digest()[:8])
            total += np.random.default_rng(seed).standard_normal(self.dimension)
        return (total / np.linalg.norm(total)).astype(np.float32)


class EqualWording:
    """Resolves mentions of equal wording into one event; two of equal last word are similar."""

    version = "equal-wording-1"

    def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
        groups: dict[tuple[str, str], list[str]] = {}
        for mention in mentions:
            groups.setdefault((mention.text.lower(), mention.polarity.value), []).append(mention.id)
        clusters = sorted(tuple(sorted(ids)) for ids in groups.values())
        firsts = [cluster[0] for cluster in clusters]
        return Resolved(
            clusters=tuple(clusters),
            similar=tuple(pairwise(firsts)),
            reasons={cluster[0]: ("equal wording",) for cluster in clusters if len(cluster) > 1},
        )


def make_bundle(
    name: str,
    sentences: Sequence[str],
    encoder: WordsEncoder,
    collection: str = "main",
    relation: Relation = Relation.CAUSES,
) -> Bundle:
    """One document; in a sentence the first event in braces causes the second; every sentence is a passage."""
    text, mentions, claims, passages = "", [], [], []
    plain = [EVENT.sub(r"\1", sentence) for sentence in sentences]
    full = "\n".join(plain)
    document_id = Document.id_of(full)
    for ordinal, (marked, sentence) in enumerate(zip(sentences, plain, strict=True)):
        start, end = len(text), len(text) + len(sentence)
        found = []
        for place, match in enumerate(EVENT.finditer(marked)):
            first = start + match.start() - 2 * place
            last = first + len(match[1])
            found.append(
                Mention(
                    id=Mention.id_of(document_id, first, last),
                    document_id=document_id,
                    collection=collection,
                    start=first,
                    end=last,
                    sentence_start=start,
                    sentence_end=end,
                    text=match[1],
                    lemma=match[1].split()[-1].lower(),
                    kind=match[1].split()[-1].lower(),
                    polarity=Polarity.AFFIRMED,
                    modality=Modality.ACTUAL,
                    participants=("crew", "gauge"),
                    place=None,
                    incident=None,
                    time_start="2014-03-02T00:00:00Z",
                    time_end="2014-03-03T00:00:00Z",
                    time_resolution=Resolution.DAY,
                )
            )
        if len(found) == 2:
            arguments = (document_id, relation, found[0].id, found[1].id, start, end, "led to", "rules-1")
            claims.append(
                Claim(
                    id=Claim.id_of(*arguments),
                    document_id=document_id,
                    collection=collection,
                    relation=relation,
                    cause_mention=found[0].id,
                    effect_mention=found[1].id,
                    start=start,
                    end=end,
                    quote=sentence,
                    cue="led to",
                    polarity=Polarity.AFFIRMED,
                    modality=Modality.ACTUAL,
                    confidence=0.9,
                    extractor="rules-1",
                )
            )
        mentions.extend(found)
        passages.append(
            Passage(
                id=Passage.id_of(document_id, ordinal, start, end, PassageKind.PROSE),
                document_id=document_id,
                collection=collection,
                start=start,
                end=end,
                ordinal=ordinal,
                page=None,
                kind=PassageKind.PROSE,
            )
        )
        text = full[: end + 1]
    return Bundle(
        collection=collection,
        source=Source(
            name=name,
            raw_sha256=hashlib.sha256(full.encode()).hexdigest(),
            origin=name,
            doc_title=name,
            published=None,
            published_resolution=None,
            media_type="text/plain",
            pages=(),
            normaliser="1",
        ),
        text=full,
        language="en",
        extraction=f"test {encoder.fingerprint}",
        sentences=len(sentences),
        passages=tuple(passages),
        passage_vectors=encoder.encode_passages(plain),
        mentions=tuple(mentions),
        mention_vectors=encoder.encode_passages([mention.text for mention in mentions]),
        claims=tuple(claims),
    )


@pytest.fixture
def words_encoder() -> WordsEncoder:
    return WordsEncoder()


@pytest.fixture
def bundle_of() -> Callable[..., Bundle]:
    """`make_bundle`, for tests that cannot import this file."""
    return make_bundle


@pytest.fixture
def equal_wording() -> EqualWording:
    return EqualWording()


@pytest.fixture
def open_store(tmp_path: Path) -> Iterator[Callable[..., SqliteStore]]:
    """Opens stores in the test's folder by name, and closes them."""
    opened: list[SqliteStore] = []

    def open_named(name: str = "trail.db", read_only: bool = False) -> SqliteStore:
        store = SqliteStore(tmp_path / name, wait_seconds=10, lease_seconds=10, read_only=read_only)
        opened.append(store)
        return store

    yield open_named
    for store in opened:
        store.close()


@pytest.fixture
def server(neo4j_server: Neo4jTestServer) -> Neo4jTestServer:
    """The test server, started and without records."""
    neo4j_server.start()
    empty(neo4j_server)
    return neo4j_server


@pytest.fixture
def server_access(neo4j_server: Neo4jTestServer) -> Neo4jAccess:
    return Neo4jAccess(user=neo4j_server.user, password=neo4j_server.password)


@pytest.fixture
def server_store(neo4j_server: Neo4jTestServer, server_access: Neo4jAccess) -> Iterator[Neo4jStore]:
    """An empty store on the test server."""
    neo4j_server.wipe()
    with Neo4jStore(neo4j_server.address, server_access, wait_seconds=10.0, lease_seconds=10.0, create=True) as store:
        yield store
