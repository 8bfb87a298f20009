"""One document, from its normalised text to everything that is committed for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

import numpy as np

from causetrail.errors import PairInvalid
from extraction.causes import ClaimReader, Found
from extraction.claim_source import AskedModel, claim_reader
from extraction.encoder_source import EncoderSource
from extraction.ledger import Stopwatch
from extraction.loading.load import Loaded
from extraction.pair_passages import pair_passages
from extraction.passages import PassageCutter
from kg.encoding import Encoder, Vectors
from kg.passage_texts import embedded_text
from kg.records import Document, Passage, Resolution
from kg.store import Bundle, Source
from language.domain import in_domain, load_domain
from language.english import detect_language
from language.sentences import SentenceReader
from language.times import TimeInterval
from language.tokens import Sentence

_NOTHING: Final = Found(mentions=(), claims=(), rejected={})
_ENGLISH: Final = "en"


@dataclass(frozen=True, slots=True)
class ExtractorPlan:
    """How to make an extractor; sent to worker processes, which make their own, unless a language model reads.

    Attributes:
        encoder: Makes the vectors of passages and mentions.
        parser: The setting `parser`.
        strictness: The setting `strictness`.
        domain: The setting `domain`.
        asked: The language model that reads claims, in this process; none in worker processes.
        rules: Fingerprint to store with each document.
        threads: Threads of the encoder; as many as there are processors when none.
        pairs: Whether all documents are of question-answer pairs: what reads claims is then not loaded.
    """

    encoder: EncoderSource
    parser: str
    strictness: str
    domain: Path | None
    asked: AskedModel | None
    rules: str
    threads: int | None
    pairs: bool = False

    def __call__(self) -> DocumentExtractor:
        return DocumentExtractor(self)


class DocumentExtractor:
    """Reads documents; everything heavy is loaded when it is made. Not to be shared by threads."""

    def __init__(self, plan: ExtractorPlan, claims: ClaimReader | None = None) -> None:
        """Loads what the plan names.

        Args:
            plan: How it is made.
            claims: Reads claims in place of the reader that the plan names.

        Raises:
            ModelMissing: the encoder, the parser or the heads cannot be loaded.
            ModelDamaged: a file of packaged weights was changed.
            SettingInvalid: the domain cannot be used.
        """
        self._rules = plan.rules
        self._domain = load_domain(plan.domain) if plan.domain else None
        self._encoder: Encoder = plan.encoder.load(plan.threads)
        self._sentences = SentenceReader()
        self._claims = claims
        if claims is None and not plan.pairs:
            self._claims = claim_reader(plan.strictness, plan.parser, plan.asked)
        self._cutter = PassageCutter(self._encoder)

    def extract(self, loaded: Loaded, collection: str) -> tuple[Bundle, Mapping[str, float]]:
        """What the document holds, as records of the collection, and the seconds by stage."""
        watch = Stopwatch()
        text, source = loaded.text, loaded.source
        document_id = Document.id_of(text)
        with watch.stage("sentences"):
            language = detect_language(text)
            sentences = self._sentences.read(text)
        with watch.stage("claims"), in_domain(self._domain):
            found = self._find(collection, document_id, text, sentences, source) if language == _ENGLISH else _NOTHING
        with watch.stage("passages"):
            if loaded.pairs:
                passages = pair_passages(collection, document_id, loaded.pairs)
            else:
                passages = self._cutter.cut(collection, document_id, text, sentences, source.pages)
        with watch.stage("encode"):
            passage_vectors = self._encode([self._searched(passage, loaded) for passage in passages])
            mention_vectors = self._encode([self._within_reach(mention.text) for mention in found.mentions])
        bundle = Bundle(
            collection=collection,
            source=source,
            text=text,
            language=language,
            extraction=self._rules,
            sentences=len(sentences),
            passages=passages,
            passage_vectors=passage_vectors,
            mentions=found.mentions,
            mention_vectors=mention_vectors,
            claims=found.claims,
            rejected=dict(found.rejected),
        )
        return bundle, dict(watch.seconds)

    def _find(
        self, collection: str, document_id: str, text: str, sentences: Sequence[Sentence], source: Source
    ) -> Found:
        if self._claims is None:
            return _NOTHING
        return self._claims.read(collection, document_id, sentences, published_interval(source), text)

    def _searched(self, passage: Passage, loaded: Loaded) -> str:
        """What of a passage is encoded.

        Raises:
            PairInvalid: it is a question that is longer than the encoder reads.
        """
        words = embedded_text(passage, loaded.text)
        if loaded.pairs and (count := self._encoder.count_tokens([words])[0]) > self._encoder.max_tokens:
            reason = f"its question has {count} tokens, and the encoder reads {self._encoder.max_tokens}"
            raise PairInvalid(source=loaded.source.name, place=f"pair {passage.ordinal + 1}", reason=reason)
        return words

    def _encode(self, texts: Sequence[str]) -> Vectors:
        """A vector for each text; equal texts are encoded once."""
        different = sorted(set(texts))
        if not different:
            return np.empty((0, self._encoder.dimension), dtype=np.float32)
        row = {text: index for index, text in enumerate(different)}
        vectors = self._encoder.encode_passages(different)
        return vectors[[row[text] for text in texts]]

    def _within_reach(self, text: str) -> str:
        """The text, or the half, quarter, ... of it that the encoder reads: a search key, not evidence."""
        while self._encoder.count_tokens([text])[0] > self._encoder.max_tokens:
            text = text[: len(text) // 2]
        return text


def published_interval(source: Source) -> TimeInterval | None:
    """The time of publication as an interval; none when the source tells none."""
    if source.published is None or source.published_resolution is None:
        return None
    start = datetime.fromisoformat(source.published)
    if source.published_resolution is Resolution.YEAR:
        end = start.replace(year=start.year + 1) if start.year < 9999 else start + timedelta(days=364)
    elif source.published_resolution is Resolution.MONTH:
        end = (start + timedelta(days=31)).replace(day=1)
    else:
        end = start + timedelta(days=1)
    return TimeInterval(source.published, end.strftime("%Y-%m-%dT%H:%M:%SZ"), source.published_resolution.value)
