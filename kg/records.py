"""The records of the graph: frozen, validated, used unchanged from the store to the HTTP door.

The docstring under a field says what it means, its unit and its range; the documentation and OpenAPI show it. All
offsets count characters (Unicode code points) of a document's normalised text, 0-based, end exclusive. All times are
ISO 8601 UTC text of fixed width, `2014-03-02T00:00:00Z`; an interval is half open.
"""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from typing import Annotated, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from causetrail.spending import Spending

UtcText = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$")]
Probability = Annotated[float, Field(ge=0.0, le=1.0)]
Offset = Annotated[int, Field(ge=0)]


class Relation(StrEnum):
    """What one event does to another. CAUSES, ENABLES and PREVENTS make chains; BEFORE only orders events."""

    CAUSES = "CAUSES"
    ENABLES = "ENABLES"
    PREVENTS = "PREVENTS"
    BEFORE = "BEFORE"


CAUSAL_RELATIONS: tuple[Relation, ...] = (Relation.CAUSES, Relation.ENABLES, Relation.PREVENTS)
"""The relations a chain may use."""


class Polarity(StrEnum):
    """Whether a statement is made or denied."""

    AFFIRMED = "affirmed"
    NEGATED = "negated"


class Modality(StrEnum):
    """How real the speaker says a thing is."""

    ACTUAL = "actual"
    POSSIBLE = "possible"
    PLANNED = "planned"
    HYPOTHETICAL = "hypothetical"


class Resolution(StrEnum):
    """How exactly an interval is known, finest first."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    PART_OF_DAY = "part_of_day"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"
    RANGE = "range"


DAY_OR_FINER: frozenset[Resolution] = frozenset(
    {Resolution.SECOND, Resolution.MINUTE, Resolution.HOUR, Resolution.PART_OF_DAY, Resolution.DAY}
)
"""Resolutions that are exact enough to identify one happening across documents."""


class PassageKind(StrEnum):
    """Running text, or a historical question with its answer."""

    PROSE = "prose"
    PAIR = "pair"


class DecisionKind(StrEnum):
    """What a person can say of the graph."""

    MERGE = "merge"
    """The mentions named in the subject tell of the same happening."""
    SPLIT = "split"
    """The mentions named in the subject tell of different happenings, each of its own."""
    REJECT_CLAIM = "reject_claim"
    """The claim named in the subject is not counted."""
    ACCEPT_HYPOTHESIS = "accept_hypothesis"
    """A signed note states the hypothesis: the subject names the note's claim, the note, and the hypothesis."""
    REJECT_HYPOTHESIS = "reject_hypothesis"
    """The hypothesis named in the subject is not proposed again."""


ON_MENTIONS: frozenset[DecisionKind] = frozenset({DecisionKind.MERGE, DecisionKind.SPLIT})
"""Kinds whose subject is mentions."""

ON_HYPOTHESES: frozenset[DecisionKind] = frozenset({DecisionKind.ACCEPT_HYPOTHESIS, DecisionKind.REJECT_HYPOTHESIS})
"""Kinds that decide on a hypothesis."""


class Verdict(StrEnum):
    """What is said of the proposition that was asked."""

    SUPPORTED = "supported"
    HYPOTHESISED = "hypothesised"
    CONTRADICTED = "contradicted"
    INSUFFICIENT = "insufficient"


class Mode(StrEnum):
    """Where an answer came from."""

    GRAPH = "graph"
    TEXT = "text"
    MIXED = "mixed"


class Stance(StrEnum):
    """What a piece of evidence does to the proposition asked."""

    FOR = "for"
    AGAINST = "against"
    CONTEXT = "context"


def found_first(extractor: str) -> str:
    """What found a claim first, of an `extractor` that also names what found it too.

    Ids are made of it: what confirms a claim makes no other one of it, and a person's word on it stands.
    """
    return extractor.partition("+")[0]


def record_id(prefix: str, *parts: object) -> str:
    """The id of a record: a letter for its kind and 24 hexadecimal digits, the same on every machine.

    The parts are written as JSON, so that ("ab", "c") and ("a", "bc") differ.
    """
    text = json.dumps([str(part) for part in parts], ensure_ascii=True, separators=(",", ":"))
    return prefix + hashlib.sha256(text.encode("ascii")).hexdigest()[:24]


class Record(BaseModel):
    """Base of all records: frozen, no unknown fields, strict ranges."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class Span(Record):
    """A record that stands for a stretch of a document."""

    document_id: str
    """The document whose text the offsets count."""
    start: Offset
    """First character, in code points of the document's text, 0-based."""
    end: Offset
    """One past the last character."""

    @model_validator(mode="after")
    def _not_empty(self) -> Self:
        if self.end <= self.start:
            raise ValueError("a span ends after it starts")
        return self


class Document(Record):
    """One source text. Its text is kept beside it: `GraphStore.document_text`."""

    id: str
    """`d` and 24 hexadecimal digits of the hash of the normalised text."""
    collection: str
    """The set of documents it belongs to."""
    sources: tuple[str, ...]
    """All places this content came from, sorted: paths, `path#row` for a row of a table."""
    doc_title: str
    """The title that the least source gives; its file name when there is none."""
    published: UtcText | None
    """When the document says it was published; none when it does not say. Never guessed from a file system."""
    published_resolution: Resolution | None
    """How exactly `published` is known."""
    media_type: str
    """Format of the least source, `text/plain` for example."""
    language: str
    """ISO 639-1 code of the language the text is in; only `en` yields claims."""
    length: Offset
    """Number of characters of the normalised text."""
    pages: tuple[Offset, ...]
    """Start offset of each page, first page first; empty for a format without pages."""
    sha256: str
    """SHA-256 of the normalised text in UTF-8, 64 hexadecimal digits."""
    normaliser: str
    """Version of the rules that made the text from the source's bytes."""
    extraction: str
    """Fingerprint of the rules and models that made passages, mentions and claims."""

    @staticmethod
    def id_of(text: str) -> str:
        """The id of the document whose normalised text is `text`."""
        return record_id("d", hashlib.sha256(text.encode("utf-8")).hexdigest())


class Passage(Span):
    """A sentence-aligned window of a document, never longer than the encoder reads; the unit of retrieval.

    Or a pair: a question on one line and its answer below; of that the encoder reads the question.
    """

    id: str
    """`p` and 24 hexadecimal digits of the hash of document, ordinal, span and kind."""
    collection: str
    """The set of documents it belongs to."""
    ordinal: Offset
    """Position among the passages of its document, 0-based."""
    page: int | None = Field(ge=1)
    """Page its first character stands on, 1-based; none for a format without pages."""
    kind: PassageKind
    """Running text, or a question with its answer."""

    @staticmethod
    def id_of(document_id: str, ordinal: int, start: int, end: int, kind: PassageKind) -> str:
        """The id of the passage with these fields."""
        return record_id("p", document_id, ordinal, start, end, kind.value)


class Mention(Span):
    """One span in one sentence that names an event."""

    id: str
    """`m` and 24 hexadecimal digits of the hash of document and span."""
    collection: str
    """The set of documents it belongs to."""
    sentence_start: Offset
    """First character of its sentence."""
    sentence_end: Offset
    """One past the last character of its sentence."""
    text: str
    """The span word for word: `document.text[start:end]`."""
    lemma: str
    """Lemma of the word that names the happening, lower case: `collapse`."""
    kind: str
    """Kind of happening, the key that resolution blocks on: `failure` for `failed`, `broke down`, `breakdown`."""
    polarity: Polarity
    """Whether the happening is told or denied ("the alarm did not sound")."""
    modality: Modality
    """How real the happening is said to be."""
    participants: tuple[str, ...]
    """Lower-case lemmas of the people and things that take part, sorted, without repeats."""
    place: str | None
    """Where it happened, as the document writes it; none when it does not say."""
    incident: str | None
    """Incident or report number that the sentence gives, normalised; none when it gives none."""
    time_start: UtcText | None
    """Earliest moment; none when no time is told."""
    time_end: UtcText | None
    """One past the latest moment."""
    time_resolution: Resolution | None
    """How exactly the time is known."""
    time_words: str | None = None
    """The month, day, weekday or clock time without a year that its clause tells beside it, as the document writes it:
    `9 June`; none when it tells none, several, or a time that is known as a stretch of the calendar."""

    @staticmethod
    def id_of(document_id: str, start: int, end: int) -> str:
        """The id of the mention of this span."""
        return record_id("m", document_id, start, end)


class Event(Record):
    """A cluster of mentions that tell of the same happening. Derived."""

    id: str
    """`e` and the digits of its least mention's id."""
    collection: str
    """The set of documents it belongs to."""
    description: str
    """The wording of its most telling mention."""
    kind: str
    """Kind of happening."""
    polarity: Polarity
    """Whether the happening is told or denied."""
    modality: Modality
    """The most real modality among its mentions."""
    time_start: UtcText | None
    """Earliest moment, from the finest of its mentions' intervals; none when none tells a time."""
    time_end: UtcText | None
    """One past the latest moment."""
    time_resolution: Resolution | None
    """How exactly the time is known."""
    mention_count: int = Field(ge=1)
    """Number of mentions."""
    document_count: int = Field(ge=1)
    """Number of documents the mentions stand in."""

    @staticmethod
    def id_of(least_mention_id: str) -> str:
        """The id of the event whose least mention has this id."""
        return "e" + least_mention_id[1:]

    @staticmethod
    def mention_id_of(event_id: str) -> str:
        """The mention that an event id, current or old, was made from."""
        return "m" + event_id[1:]


class Claim(Span):
    """One statement that one mention causes, enables, prevents or precedes another; immutable.

    The quote is one sentence, or two adjacent ones.
    """

    id: str
    """`c` and 24 hexadecimal digits of the hash of document, relation, mentions, span, cue and what found it first."""
    collection: str
    """The set of documents it belongs to."""
    relation: Relation
    """What the cause mention is said to do to the effect mention."""
    cause_mention: str
    """Id of the mention that names the cause (for BEFORE: what came first)."""
    effect_mention: str
    """Id of the mention that names the effect."""
    quote: str
    """The sentence or sentences word for word: `document.text[start:end]`."""
    cue: str
    """The words that signal the relation, as the cue table writes them: `led to`."""
    polarity: Polarity
    """Whether the relation is asserted or denied ("did not cause", "was ruled out")."""
    modality: Modality
    """Whether the relation is told as a fact."""
    confidence: Probability
    """Probability that the quote states the relation; not that the relation is true."""
    extractor: str
    """Name and version of what found it, `rules-1`; with what found it too, `rules-1+heads-1`."""

    @staticmethod
    def id_of(
        document_id: str,
        relation: Relation,
        cause_mention: str,
        effect_mention: str,
        start: int,
        end: int,
        cue: str,
        extractor: str,
    ) -> str:
        """The id of the claim with these fields."""
        first = found_first(extractor)
        return record_id("c", document_id, relation.value, cause_mention, effect_mention, start, end, cue, first)


class Edge(Record):
    """What all claims between two events add up to. Derived, never edited."""

    collection: str
    """The set of documents it belongs to."""
    cause: str
    """Id of the event that comes first."""
    effect: str
    """Id of the event that follows."""
    relation: Relation
    """What the cause does to the effect."""
    ruled_out: bool
    """True when nothing asserts the relation as actual and something actual denies it; no chain uses such an edge."""
    confidence: Probability
    """`p_for * (1 - p_against)`; `p_against` when ruled out."""
    p_for: Probability
    """Noisy-or over groups of documents of what asserts the relation, at most the largest modality weight present."""
    p_against: Probability
    """The same for what denies it."""
    support: int = Field(ge=0)
    """Number of groups of near-copy documents that assert it."""
    against: int = Field(ge=0)
    """Number of groups that deny it."""
    consistent: bool
    """False when the times say that the effect came first."""
    claims: tuple[str, ...]
    """Ids of the claims it was derived from, sorted."""


class Hypothesis(Record):
    """A premise that would link two events. Never an edge, and traversed only where a question asks for it."""

    id: str
    """`h` and 24 hexadecimal digits of the hash of the two events' ids and the premise."""
    collection: str
    """The set of documents it belongs to."""
    cause: str
    """Id of the event it would start from."""
    effect: str
    """Id of the event it would lead to."""
    premise: str
    """The statement that no document makes."""
    entailment: Probability
    """How far the evidence entails it; the weight of the cause in the score is its plausibility."""
    plausibility: Probability
    """How likely the cause leads to the effect, by the judge of causes."""
    retrieval: Probability
    """How close the corpus comes to the premise."""
    contradiction: Probability
    """How strongly the evidence contradicts it."""
    score: Probability
    """The weighted sum that ranked it."""
    model: str
    """What proposed and judged it."""
    created_at: UtcText | None
    """When it was written; none for one that an answer only proposes."""

    @staticmethod
    def id_of(cause: str, effect: str, premise: str) -> str:
        """The id of the hypothesis that would link these events by this premise."""
        return record_id("h", cause, effect, premise)


class Decision(Record):
    """What a person said of the graph; logged and reversible."""

    id: str
    """`x` and 24 hexadecimal digits of the hash of kind, subject, person and moment."""
    collection: str
    """The set of documents it belongs to."""
    kind: DecisionKind
    """What was decided."""
    subject: tuple[str, ...]
    """Ids of what it is about, sorted; `DecisionKind` says what that is."""
    by: str
    """Who decided."""
    reason: str
    """Why, in their words; may be empty."""
    at: UtcText
    """When."""
    undone: bool
    """True when it no longer applies."""


class JudgedClaim(Claim):
    """A claim, and whether a person has left it out of the graph."""

    rejected: Decision | None
    """The standing decision that rejects it; none when it counts."""


class JudgedHypothesis(Hypothesis):
    """A hypothesis that was written, and what a person decided of it."""

    decided: Decision | None
    """The standing decision that accepts or rejects it; none while it is open."""


class Chain(Record):
    """A simple path of causal edges between two events, cause first."""

    edges: tuple[Edge, ...] = Field(min_length=1)
    """The links, the first cause first; each edge starts where the one before it ended."""
    events: tuple[Event, ...] = Field(min_length=2)
    """The events along the path, cause first: one more than edges."""
    score: Probability
    """Reliability, temporal consistency, length and relevance in one figure; for ranking only."""
    valid_from: UtcText | None
    """Earliest moment of the dated events of the chain."""
    valid_to: UtcText | None
    """One past the latest moment of the dated events of the chain."""
    polarity: Polarity
    """`negated` when an odd number of its links prevent: the cause works against the effect."""
    assumed: tuple[str | None, ...] = ()
    """For each link the id of the hypothesis that assumes it, none for a stated one; empty where none is assumed."""


class Evidence(Span):
    """One verbatim quote that an answer rests on."""

    source: str
    """The least source of its document."""
    quote: str
    """The words: `document.text[start:end]`."""
    page: int | None = Field(ge=1)
    """Page of its first character, 1-based; none for a format without pages."""
    line: int = Field(ge=1)
    """Line of its first character in the document's text, 1-based."""
    claim_id: str | None
    """The claim it proves; none for evidence from plain text."""
    stance: Stance
    """Whether it speaks for or against the proposition asked, or only gives context."""


class Suggestion(Record):
    """Two events that may be one, for a person to decide. Made when asked for, never stored."""

    collection: str
    """The set of documents it belongs to."""
    events: tuple[str, str]
    """Ids of the two events, the lesser first."""
    mentions: tuple[str, str]
    """Id of the mention that describes each event: what a decision names."""
    words: tuple[str, str]
    """What each mention says, word for word."""
    evidence: tuple[Evidence, Evidence]
    """The sentence of each mention."""
    score: Probability
    """How likely the two tell of the same happening, as the coreference head says; no bound merges by it."""
    reason: str
    """Why they were compared: participants both have, times that overlap, wording that is alike."""


class TraceStep(Record):
    """One step on the way to an answer."""

    step: str
    """Name of the step, for example `seeds`, `expand`, `chains`, `rerank`, `draft`, `arbitrate`, `option`, `choose`."""
    detail: dict[str, object]
    """What went in and came out, as plain JSON values; no timings."""


class Usage(Record):
    """What an answer cost. The only part of an answer that differs between two runs."""

    seconds: dict[str, float]
    """Wall time by stage."""
    tokens: int = Field(ge=0)
    """Tokens read and written by language models; 0 when none ran."""
    models: dict[str, Spending]
    """What each stage asked of language models: calls, tokens, seconds, cost. Empty when none was asked."""


class Answer(Record):
    """The answer to a question, with everything that proves it."""

    question: str
    """The question as it was asked."""
    text: str
    """The answer in words."""
    verdict: Verdict
    """What is said of the proposition that was asked."""
    mode: Mode
    """Where the answer came from; of an `insufficient` one, what was asked first, which told nothing."""
    confidence: Probability
    """Confidence in the verdict."""
    chains: tuple[Chain, ...]
    """The chains it tells, best first."""
    evidence: tuple[Evidence, ...]
    """The quotes it rests on, in the order the text uses them."""
    premises: tuple[Hypothesis, ...]
    """Assumptions it needed; none unless the verdict is `hypothesised`."""
    counterfactuals: tuple[str, ...]
    """Counterfactual questions that were tested."""
    cut_at_hops: bool
    """True when a chain it tells ends at the setting `hops` while an edge leads on from its first cause, or, asked what
    followed, from its last effect."""
    missing: tuple[str, ...]
    """What would have to be known and is not in the documents."""
    generation: int = Field(ge=0)
    """Generation of the graph it was made from."""
    trace: tuple[TraceStep, ...]
    """Every step, complete enough to replay it."""
    usage: Usage
    """What it cost."""
