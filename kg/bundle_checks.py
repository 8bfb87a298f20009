"""What a bundle has to fulfil before it is written: quotes repeat the text, ids are hashes, nothing points nowhere."""

from __future__ import annotations

import re

import numpy as np

from causetrail.errors import RecordInvalid
from causetrail.settings import COLLECTION_NAME, COLLECTION_NAME_TOLD
from kg.encoding import Vectors
from kg.pages import page_at
from kg.records import Claim, Document, Mention, Passage
from kg.store import Bundle, Source

LONGEST_KEY = 7_000
"""Most bytes of UTF-8 of a kind, of the name of a source and of its origin; an index of a Neo4j server takes 8,167."""

_COLLECTION_NAME = re.compile(COLLECTION_NAME)


def check_bundle(bundle: Bundle) -> str:
    """Checks a bundle against itself and its text, and gives the id of its document.

    Raises:
        RecordInvalid: names the first record that is wrong, and why.
    """
    check_collection(bundle.collection)
    try:
        document_id = Document.id_of(bundle.text)
    except UnicodeEncodeError:
        raise _refused("document", bundle.source.name, "its text holds a lone surrogate") from None
    if not bundle.text.strip():
        raise _refused("document", document_id, "its text is empty")
    check_source(bundle.source, len(bundle.text))
    for passage in bundle.passages:
        _check_passage(passage, bundle, document_id)
    if [passage.ordinal for passage in bundle.passages] != list(range(len(bundle.passages))):
        raise _refused("document", document_id, "its passages are not numbered from 0 in order")
    for mention in bundle.mentions:
        _check_mention(mention, bundle, document_id)
    mentions = {mention.id for mention in bundle.mentions}
    for claim in bundle.claims:
        _check_claim(claim, bundle, document_id, mentions)
    for kind, records in (("passage", bundle.passages), ("mention", bundle.mentions), ("claim", bundle.claims)):
        ids = [record.id for record in records]
        if len(set(ids)) != len(ids):
            repeated = next(id_ for id_ in ids if ids.count(id_) > 1)
            raise _refused(kind, repeated, "it is there twice")
    _check_vectors("passage", bundle.passage_vectors, len(bundle.passages), document_id)
    _check_vectors("mention", bundle.mention_vectors, len(bundle.mentions), document_id)
    return document_id


def check_collection(name: str) -> None:
    """Checks that a collection has a name that every door and every index takes.

    Raises:
        RecordInvalid: it has not.
    """
    if not _COLLECTION_NAME.fullmatch(name):
        raise _refused("collection", ascii(name[:80]), f"its name is not allowed: {COLLECTION_NAME_TOLD}")


def check_source(source: Source, length: int) -> None:
    """Checks that a source has a name and that its pages are offsets of a text of `length` characters, in order.

    Raises:
        RecordInvalid: they are not.
    """
    for what, text in (("name", source.name), ("origin", source.origin)):
        if not text:
            raise _refused("source", source.name[:80], f"it has no {what}")
        if _bytes(text) > LONGEST_KEY:
            raise _refused("source", source.name[:80], f"its {what} is longer than {LONGEST_KEY} bytes")
    if list(source.pages) != sorted(source.pages) or any(not 0 <= start <= length for start in source.pages):
        raise _refused("source", source.name, "its pages are not offsets of the text in order")
    if (source.published is None) != (source.published_resolution is None):
        raise _refused("source", source.name, "its date comes without a resolution, or a resolution without a date")


def _check_passage(passage: Passage, bundle: Bundle, document_id: str) -> None:
    expected = Passage.id_of(document_id, passage.ordinal, passage.start, passage.end, passage.kind)
    _check_place("passage", passage, expected, bundle, document_id)
    if not bundle.text[passage.start : passage.end].strip():
        raise _refused("passage", passage.id, "it covers no words")
    if passage.page != page_at(bundle.source.pages, passage.start):
        raise _refused("passage", passage.id, "its page is not the one its first character stands on")


def _check_mention(mention: Mention, bundle: Bundle, document_id: str) -> None:
    _check_place("mention", mention, Mention.id_of(document_id, mention.start, mention.end), bundle, document_id)
    if bundle.text[mention.start : mention.end] != mention.text:
        raise _refused("mention", mention.id, "its text is not what stands at its offsets")
    inside = mention.sentence_start <= mention.start and mention.end <= mention.sentence_end <= len(bundle.text)
    if not inside:
        raise _refused("mention", mention.id, "its sentence does not hold it, or ends after the text")
    if not mention.kind:
        raise _refused("mention", mention.id, "it has no kind")
    if _bytes(mention.kind) > LONGEST_KEY:
        raise _refused("mention", mention.id, f"its kind is longer than {LONGEST_KEY} bytes")
    times = (mention.time_start, mention.time_end, mention.time_resolution)
    if any(part is None for part in times) and any(part is not None for part in times):
        raise _refused("mention", mention.id, "its time has a start, an end or a resolution without the others")
    if mention.time_start is not None and mention.time_end is not None and mention.time_start >= mention.time_end:
        raise _refused("mention", mention.id, "its time ends before it starts")


def _check_claim(claim: Claim, bundle: Bundle, document_id: str, mentions: set[str]) -> None:
    expected = Claim.id_of(
        document_id,
        claim.relation,
        claim.cause_mention,
        claim.effect_mention,
        claim.start,
        claim.end,
        claim.cue,
        claim.extractor,
    )
    _check_place("claim", claim, expected, bundle, document_id)
    if bundle.text[claim.start : claim.end] != claim.quote:
        raise _refused("claim", claim.id, "its quote is not what stands at its offsets")
    if claim.cause_mention not in mentions or claim.effect_mention not in mentions:
        raise _refused("claim", claim.id, "a mention it links is not among the document's")
    if claim.cause_mention == claim.effect_mention:
        raise _refused("claim", claim.id, "it links a mention with itself")


def _check_place(
    kind: str, record: Passage | Mention | Claim, expected_id: str, bundle: Bundle, document_id: str
) -> None:
    if record.collection != bundle.collection:
        raise _refused(kind, record.id, "it belongs to another collection")
    if record.document_id != document_id:
        raise _refused(kind, record.id, "it belongs to another document")
    if record.id != expected_id:
        raise _refused(kind, record.id, "its id is not the hash of its fields")
    if record.end > len(bundle.text):
        raise _refused(kind, record.id, "it ends after the text")


def _check_vectors(kind: str, vectors: Vectors, count: int, document_id: str) -> None:
    if count and (vectors.ndim != 2 or vectors.shape[0] != count or vectors.shape[1] == 0):
        raise _refused("document", document_id, f"it has {count} {kind}(s), but its vectors have another shape")
    if not np.isfinite(vectors).all():
        raise _refused("document", document_id, f"a vector of a {kind} holds something that is no number")


def _refused(kind: str, id_: str, reason: str) -> RecordInvalid:
    return RecordInvalid(kind=kind, id=id_, reason=reason)


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
