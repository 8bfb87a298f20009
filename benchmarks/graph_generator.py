"""Causal graphs of any size, made by chance from a seed: the same seed gives the same graph on every machine.

A graph of n events comes from n sentences in documents of 16, `The A and the B led to the C and the D.`, each with four
mentions and four claims: four claims an event. Every event is told by a sentence of its own; the three others in it are
drawn by a power law, so that the degrees follow one. One event, the hub, is told in four sentences of every fifth
document beside events that are drawn evenly, which gives it an edge to one event in ten: 10,000 of 100,000. Kinds of
happening grow with the root of the number of events, as the words of a language do, and some are far more frequent than
others. Vectors have 16 components and depend on the text alone.

Everything is made while it is asked for: a document, or one edge, is all that is held.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b, sha256
from math import isqrt

import numpy as np

from kg.encoding import Vectors
from kg.records import (
    Claim,
    Decision,
    Document,
    Edge,
    Event,
    Mention,
    Modality,
    Passage,
    PassageKind,
    Polarity,
    Relation,
    Resolution,
    record_id,
)
from kg.resolution import Resolved
from kg.store import Bundle, Source

DIMENSION = 16
"""Components of a vector: small, so that what is measured is the graph and not its vectors."""

COLLECTION = "main"
SENTENCES = 16
"""Sentences of a document."""
PASSAGE_SENTENCES = 4
"""Sentences of a passage."""
HUB_DOCUMENTS = 5
"""Every so many documents tell of the hub."""
HUB_SENTENCES = 4
"""Sentences in such a document that do."""

_EXTRACTION = "generated-1"
_CUE = "led to"
_SKEW = 2.5
"""A share of 1/n of the draws falls on the n ** (1 / 2.5) most frequent events: degrees of exponent 2.7."""
_KIND_SKEW = 2.0
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]
_CAUSES, _EFFECTS = (0, 1), (2, 3)


@dataclass(frozen=True, slots=True)
class Happening:
    """One event before it was told: the words for it and its day of 2014, if it has one."""

    number: int
    kind: str
    day: int | None

    @property
    def words(self) -> str:
        return f"{self.kind} {self.number}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """Four happenings, two causes and two effects, and how the one leads to the other."""

    told: tuple[Happening, ...]
    relation: Relation
    polarity: Polarity
    modality: Modality
    confidence: float


@dataclass(frozen=True)
class GeneratedGraph:
    """One graph.

    Attributes:
        events: Number of events; a multiple of 80, so that every document is full and hubs come out even.
    """

    events: int
    seed: int = 7

    @property
    def documents(self) -> int:
        """Number of documents."""
        return self.events // SENTENCES

    @property
    def hub(self) -> Happening:
        """The event with the most edges."""
        return self.happening(self.events // 2)

    @cached_property
    def _kinds(self) -> list[str]:
        return [_word(number) for number in range(10 * isqrt(self.events))]

    def happening(self, number: int) -> Happening:
        """An event by its number; those of numbers 2n and 2n + 1 are of one kind."""
        drawn = blake2b(f"{self.seed} {number // 2}".encode(), digest_size=8).digest()
        share = int.from_bytes(drawn, "big") / 2**64
        day = None if number % 2 else number // 2 % 364
        return Happening(number, self._kinds[int(len(self._kinds) * share**_KIND_SKEW)], day)

    def sentences(self, document: int) -> list[Sentence]:
        """What a document tells; documents are numbered from 0."""
        chance = random.Random(f"{self.seed} {self.events} {document}")
        return [self._sentence(document * SENTENCES + place, place, document, chance) for place in range(SENTENCES)]

    def tells_of_hub(self, document: int) -> bool:
        """Whether a document mentions the hub."""
        return document % HUB_DOCUMENTS == 0

    def bundles(self) -> Iterator[Bundle]:
        """All documents in order, ready to be committed."""
        return (self.bundle(document) for document in range(self.documents))

    def bundle(self, document: int) -> Bundle:
        """A document with all that is found in it."""
        return _bundle(document, self.sentences(document))

    def event_records(self) -> Iterator[Event]:
        """The events alone, as if each were told once by the document of its own sentence."""
        return (self._event(number) for number in range(self.events))

    def edge_records(self) -> Iterator[Edge]:
        """The edges alone, one for each claim: an edge that two claims make comes twice. Their claims stand nowhere."""
        for document in range(self.documents):
            for sentence in self.sentences(document):
                for cause in _CAUSES:
                    for effect in _EFFECTS:
                        yield _edge(sentence, sentence.told[cause].number, sentence.told[effect].number)

    def _sentence(self, own: int, place: int, document: int, chance: random.Random) -> Sentence:
        hub = self.hub.number
        if self.tells_of_hub(document) and place < HUB_SENTENCES:
            numbers = [own, hub]
            even = True
        else:
            numbers = [own]
            even = False
        while len(numbers) < 4:
            drawn = int(self.events * chance.random() ** (1.0 if even else _SKEW))
            if drawn not in numbers and drawn != hub:
                numbers.append(drawn)
        # The event of the sentence and the hub stand on different sides, each side as often as the other.
        order = (numbers[0], numbers[2], numbers[1], numbers[3])
        order = order if chance.random() < 0.5 else (order[2], order[3], order[0], order[1])
        relation = chance.choices(tuple(Relation), weights=(60, 15, 10, 15))[0]
        return Sentence(
            told=tuple(self.happening(number) for number in order),
            relation=relation,
            polarity=Polarity.NEGATED if chance.random() < 0.05 else Polarity.AFFIRMED,
            modality=chance.choices(tuple(Modality), weights=(85, 10, 3, 2))[0],
            confidence=round(0.3 + 0.69 * chance.random(), 3),
        )

    def _event(self, number: int) -> Event:
        told = self.happening(number)
        start, end, resolution = _day(told)
        return Event(
            id=event_id(number),
            collection=COLLECTION,
            description=told.words,
            kind=told.kind,
            polarity=Polarity.AFFIRMED,
            modality=Modality.ACTUAL,
            time_start=start,
            time_end=end,
            time_resolution=resolution,
            mention_count=1,
            document_count=1,
        )


class ByWords:
    """The resolver of generated graphs: the same words, the same event; every twentieth resembles the next."""

    version = "by-words-1"

    def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
        """Clusters by the words alone; no decisions are made on generated graphs."""
        clusters: dict[int, list[str]] = defaultdict(list)
        for mention in mentions:
            clusters[_number(mention)].append(mention.id)
        ids = {number: tuple(sorted(members)) for number, members in clusters.items()}
        alike = [(ids[number][0], ids[number + 1][0]) for number in ids if number % 20 == 0 and number + 1 in ids]
        return Resolved(
            clusters=tuple(sorted(ids.values())),
            similar=tuple(sorted((min(pair), max(pair)) for pair in alike)),
            reasons={members[0]: ("the same words",) for members in ids.values() if len(members) > 1},
        )


def event_id(number: int) -> str:
    """Id of an event of a graph without documents."""
    return record_id("e", "generated", number)


def _number(mention: Mention) -> int:
    return int(mention.text.rsplit(" ", maxsplit=1)[1])


def _edge(sentence: Sentence, cause: int, effect: int) -> Edge:
    ruled_out = sentence.polarity is Polarity.NEGATED and sentence.modality is Modality.ACTUAL
    told = sentence.polarity is Polarity.AFFIRMED
    return Edge(
        collection=COLLECTION,
        cause=event_id(cause),
        effect=event_id(effect),
        relation=sentence.relation,
        ruled_out=ruled_out,
        confidence=sentence.confidence if told or ruled_out else 0.0,
        p_for=sentence.confidence if told else 0.0,
        p_against=0.0 if told else sentence.confidence,
        support=int(told),
        against=int(not told),
        consistent=True,
        claims=(record_id("c", "generated", cause, effect),),
    )


def _bundle(number: int, sentences: Sequence[Sentence]) -> Bundle:
    verb = {Relation.CAUSES: _CUE, Relation.ENABLES: "made way for", Relation.PREVENTS: "averted"}
    pieces: list[str] = []
    places: list[list[tuple[int, int]]] = []
    spans: list[tuple[int, int]] = []
    length = 0
    for sentence in sentences:
        begin = length
        found: list[tuple[int, int]] = []
        between = verb.get(sentence.relation, "came before")
        for joint, told in zip(("The ", " and the ", f" {between} the ", " and the "), sentence.told, strict=True):
            start = length + len(joint)
            length = start + len(told.words)
            found.append((start, length))
            pieces += [joint, told.words]
        pieces.append(". ")
        length += 2
        places.append(found)
        spans.append((begin, length - 1))
    text = "".join(pieces).rstrip()
    document_id = Document.id_of(text)
    mentions: list[Mention] = []
    claims: list[Claim] = []
    for sentence, found, span in zip(sentences, places, spans, strict=True):
        made = [
            _mention(document_id, happening, place, span) for happening, place in zip(sentence.told, found, strict=True)
        ]
        mentions += made
        claims += [
            _claim(document_id, sentence, made[cause].id, made[effect].id, span, text)
            for cause in _CAUSES
            for effect in _EFFECTS
        ]
    passages = [
        _passage(document_id, ordinal, spans[at][0], spans[min(at + PASSAGE_SENTENCES, len(spans)) - 1][1])
        for ordinal, at in enumerate(range(0, len(spans), PASSAGE_SENTENCES))
    ]
    return Bundle(
        collection=COLLECTION,
        source=_source(number),
        text=text,
        language="en",
        extraction=_EXTRACTION,
        sentences=len(sentences),
        passages=tuple(passages),
        passage_vectors=_vectors([text[passage.start : passage.end] for passage in passages]),
        mentions=tuple(mentions),
        mention_vectors=_vectors([mention.text for mention in mentions]),
        claims=tuple(claims),
        rejected={"not_a_verb": 1},
    )


def _source(number: int) -> Source:
    name = f"generated/{number:08d}.txt"
    return Source(
        name=name,
        raw_sha256=sha256(name.encode()).hexdigest(),
        origin=name,
        doc_title=f"Report {number}",
        published=None,
        published_resolution=None,
        media_type="text/plain",
        pages=(),
        normaliser="generated-1",
    )


def _mention(document_id: str, told: Happening, place: tuple[int, int], sentence: tuple[int, int]) -> Mention:
    time_start, time_end, resolution = _day(told)
    return Mention(
        id=Mention.id_of(document_id, *place),
        collection=COLLECTION,
        document_id=document_id,
        start=place[0],
        end=place[1],
        sentence_start=sentence[0],
        sentence_end=sentence[1],
        text=told.words,
        lemma=told.kind,
        kind=told.kind,
        polarity=Polarity.AFFIRMED,
        modality=Modality.ACTUAL,
        participants=(f"unit {told.number % 97}",),
        place=None,
        incident=None,
        time_start=time_start,
        time_end=time_end,
        time_resolution=resolution,
    )


def _claim(document_id: str, sentence: Sentence, cause: str, effect: str, span: tuple[int, int], text: str) -> Claim:
    return Claim(
        id=Claim.id_of(document_id, sentence.relation, cause, effect, *span, _CUE, _EXTRACTION),
        collection=COLLECTION,
        document_id=document_id,
        relation=sentence.relation,
        cause_mention=cause,
        effect_mention=effect,
        start=span[0],
        end=span[1],
        quote=text[span[0] : span[1]],
        cue=_CUE,
        polarity=sentence.polarity,
        modality=sentence.modality,
        confidence=sentence.confidence,
        extractor=_EXTRACTION,
    )


def _passage(document_id: str, ordinal: int, start: int, end: int) -> Passage:
    return Passage(
        id=Passage.id_of(document_id, ordinal, start, end, PassageKind.PROSE),
        collection=COLLECTION,
        document_id=document_id,
        ordinal=ordinal,
        start=start,
        end=end,
        page=None,
        kind=PassageKind.PROSE,
    )


def _day(told: Happening) -> tuple[str | None, str | None, Resolution | None]:
    if told.day is None:
        return None, None, None
    first, last = np.datetime64("2014-01-01") + told.day, np.datetime64("2014-01-02") + told.day
    return f"{first}T00:00:00Z", f"{last}T00:00:00Z", Resolution.DAY


def _vectors(texts: Sequence[str]) -> Vectors:
    drawn = b"".join(blake2b(text.encode(), digest_size=4 * DIMENSION).digest() for text in texts)
    numbers = np.frombuffer(drawn, dtype="<i4").astype(np.float32).reshape(len(texts), DIMENSION)
    vectors: Vectors = (numbers / np.linalg.norm(numbers, axis=1, keepdims=True)).astype(np.float32)
    return vectors


def _word(number: int) -> str:
    """A word of its own for each number: syllables as digits, at least two of them."""
    base = len(_SYLLABLES)
    word = ""
    while number or len(word) < 4:
        number, digit = divmod(number, base)
        word = _SYLLABLES[digit] + word
    return word
