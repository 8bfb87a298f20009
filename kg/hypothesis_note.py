"""The note by which a person states a hypothesis: a document of one page, whose one claim quotes it word for word."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

import numpy as np

from kg.encoding import Encoder
from kg.records import (
    Claim,
    Document,
    Event,
    Hypothesis,
    Mention,
    Modality,
    Passage,
    PassageKind,
    Polarity,
    Relation,
)
from kg.store import Bundle, GraphStore, Source

NOTES: Final = "accepted-hypotheses/"
"""What the names of the notes' sources begin with."""

_RULES: Final = "hypothesis-note-1"
_CUE: Final = "led to"
_LONGEST: Final = 240
"""Most characters of a person's name or of an event's words, so that an encoder reads the whole note."""


def note_of(store: GraphStore, hypothesis: Hypothesis, by: str, at: str, encoder: Encoder) -> Bundle:
    """The note that states a hypothesis, ready to be committed.

    Its two mentions repeat what the mentions tell that the events' ids were made from, in the words of the events.

    Args:
        by: Who signs it.
        at: When, as ISO 8601 UTC text.
        encoder: The one that the store's other vectors come from.

    Raises:
        RecordUnknown: one of its events does not exist.
        PassageTooLong: the encoder does not read so much.
    """
    collection = hypothesis.collection
    words = [_told(store.event(collection, id_).description) for id_ in (hypothesis.cause, hypothesis.effect)]
    before = f"{_told(by)} accepts as true, on {at}, that \u201c"
    between = f"\u201d {_CUE} \u201c"
    sentence = f"{before}{words[0]}{between}{words[1]}\u201d."
    text = f"{sentence}\nNo other document says it; it was proposed as the hypothesis {hypothesis.id}.\n"
    document_id = Document.id_of(text)
    starts = len(before), len(before) + len(words[0]) + len(between)
    mentions = tuple(
        _mention(store, collection, event, document_id, sentence, start, told)
        for event, start, told in zip((hypothesis.cause, hypothesis.effect), starts, words, strict=True)
    )
    parts = (document_id, Relation.CAUSES, mentions[0].id, mentions[1].id, 0, len(sentence), _CUE, _RULES)
    claim = Claim(
        id=Claim.id_of(*parts),
        collection=collection,
        document_id=document_id,
        relation=Relation.CAUSES,
        cause_mention=mentions[0].id,
        effect_mention=mentions[1].id,
        start=0,
        end=len(sentence),
        quote=sentence,
        cue=_CUE,
        polarity=Polarity.AFFIRMED,
        modality=Modality.ACTUAL,
        confidence=1.0,
        extractor=_RULES,
    )
    end = len(text.rstrip())
    passage = Passage(
        id=Passage.id_of(document_id, 0, 0, end, PassageKind.PROSE),
        collection=collection,
        document_id=document_id,
        ordinal=0,
        start=0,
        end=end,
        page=None,
        kind=PassageKind.PROSE,
    )
    return Bundle(
        collection=collection,
        source=_source(hypothesis, text),
        text=text,
        language="en",
        extraction=f"{_RULES} {encoder.fingerprint}",
        sentences=2,
        passages=(passage,),
        passage_vectors=encoder.encode_passages([text[:end]]),
        mentions=mentions,
        mention_vectors=np.concatenate([encoder.encode_passages([told]) for told in words]),
        claims=(claim,),
    )


def _mention(
    store: GraphStore, collection: str, event: str, document_id: str, sentence: str, start: int, told: str
) -> Mention:
    model = store.mentions_of_event(collection, event)
    wanted = Event.mention_id_of(event)
    first = next((one for one in model if one.id == wanted), model[0])
    end = start + len(told)
    return first.model_copy(
        update={
            "id": Mention.id_of(document_id, start, end),
            "document_id": document_id,
            "start": start,
            "end": end,
            "sentence_start": 0,
            "sentence_end": len(sentence),
            "text": told,
        }
    )


def _source(hypothesis: Hypothesis, text: str) -> Source:
    return Source(
        name=f"{NOTES}{hypothesis.id}",
        raw_sha256=sha256(text.encode("utf-8")).hexdigest(),
        origin=f"{NOTES}{hypothesis.id}",
        doc_title=f"Accepted: {hypothesis.premise}",
        published=None,
        published_resolution=None,
        media_type="text/plain",
        pages=(),
        normaliser=_RULES,
    )


def _told(words: str) -> str:
    """Words on one line, and not too many."""
    line = " ".join(words.split())
    return line if len(line) <= _LONGEST else line[:_LONGEST].rstrip() + "\u2026"
