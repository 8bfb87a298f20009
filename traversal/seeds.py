"""Where the search starts: the events that a question is about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from itertools import islice

from kg.records import Document, Event, Mention, Passage, PassageKind, Polarity
from kg.seed_index import SeedIndex
from kg.store import GraphStore
from language.calendar_marks import CalendarMark, calendar_marks
from language.content_words import content_keys, question_words
from language.other_subjects import other_subject, predicate_of
from language.other_things import is_of_other_thing
from language.own_deeds import tells_other_deed
from language.placed_things import tells_other_placed
from language.question_times import QuestionTime, matches, question_time
from language.questions import Question, without_denial
from language.quick_sentences import quick_sentences
from language.untold import tells_of_wish
from traversal.seed_order import CONSIDERED, SentenceJudge, judged_order
from traversal.seed_views import SeedViews
from traversal.thresholds import SeedThresholds, thresholds
from traversal.time_fit import TimeFit, moment_of, time_fit


class End(Enum):
    """One of the happenings that a question names."""

    FOCUS = "focus"
    """The only one, or the effect."""
    CAUSE = "cause"
    """The cause, in a question that names two."""


@dataclass(frozen=True, slots=True)
class Seed:
    """An event that a question is about.

    Attributes:
        event: The event.
        match: How well it matches the asked happening, 0 to 1.
        head: Whether the happening itself is one of the words of the asked happening.
        coverage: Share of the content words of the asked happening that it is told with, 0 to 1.
        cosine: Cosine of event and question, -1 to 1; 0 when only a passage led to it.
        fit: How it fits the time that was asked.
        opposite: True when the question affirms what the event denies, or the reverse.
    """

    event: Event
    match: float
    head: bool
    coverage: float
    cosine: float
    fit: TimeFit
    opposite: bool


@dataclass(frozen=True, slots=True)
class SeedSearch:
    """What a search for one happening found.

    Attributes:
        focus: The happening as the question words it.
        seeds: What it is, best first, ties by id.
        outside: Events that match but lie outside the asked time, best first.
        others: Events that match but are told of something else, maybe of almost the same name, number or time, best
            first.
        beside: Ids of the events that stand beside a seed in a passage found, sorted. Such a passage is itself
            where the search starts, so links are counted from all it tells.
        near: Events that do not match well enough, best first.
        unknown_words: Words of the focus that none of the events and documents found has, in their order.
        judged: What a judge made of the best ones, by the id of the event, in the order of their match; nothing where
            none was asked.
    """

    focus: str
    seeds: tuple[Seed, ...]
    outside: tuple[Seed, ...]
    beside: tuple[str, ...]
    near: tuple[Seed, ...]
    unknown_words: tuple[str, ...]
    judged: tuple[tuple[str, float], ...] = ()
    others: tuple[Seed, ...] = ()

    @property
    def nearest(self) -> float:
        """The best match among those that are not good enough, 0 to 1; 0 when there was none."""
        return max((seed.match for seed in self.near), default=0.0)


def find_seeds(
    question: Question,
    index: SeedIndex,
    store: GraphStore,
    collection: str,
    limit: int,
    end: End = End.FOCUS,
    views: SeedViews | None = None,
    judge: SentenceJudge | None = None,
) -> SeedSearch:
    """The events that a happening named in the question is about.

    Events are found by themselves and through the passages that mention them, by meaning and by words. Where the
    question names a time, events outside it are no seeds; "the latest" and "the first" keep only that one. Of a
    question that names two happenings, the time is that of the effect, and undated events may be meant too.

    Args:
        limit: Most seeds.
        end: Which happening to search for.
        views: What it is searched by beside its own words; none searches by these alone, meaning and words fused.
        judge: Orders the seeds by the sentence that each is told in, and so decides which are left where there are more
            than `limit`; it makes none of what is not good enough. None leaves them in the order of their match.
    """
    figures = thresholds().seeds
    wanted, negated = _wanted(question, end)
    texts = _Texts(store, collection)
    found, passages, spoken = _candidates(wanted, views, index, store, texts, figures)
    candidates = {one.event.id: one for one in found}
    asked, predicate = question.with_order(wanted), predicate_of(wanted)

    # Read as it is asked for: most of what is found is far from being a seed, and nobody asks.
    @cache
    def is_meant(event_id: str) -> bool:
        one = candidates[event_id]
        another = _is_another(one, asked, texts) or _has_another_subject(one, wanted)
        another = another or _is_wished(one, wanted) or _is_other_deed(one, wanted)
        return not another and not _is_of_subject_alone(one, predicate)

    words = question_words(wanted)
    time = question.time if end is End.FOCUS else None
    spans = {(one.document_id, one.start, one.end) for candidate in found for one in candidate.mentions}
    seen = [
        _judge(candidate, words, negated, time, texts.marks(candidate.mentions, spans) if time else (), figures)
        for candidate in found
    ]
    if time is not None and time.interval is not None:
        seen = [
            replace(seed, fit=TimeFit.OUTSIDE)
            if seed.fit in (TimeFit.UNKNOWN, TimeFit.PUBLISHED)
            and texts.told_at_another_time(candidate.mentions, spans, time)
            else seed
            for candidate, seed in zip(found, seen, strict=True)
        ]
    seen.sort(key=_rank)
    fits = [seed for seed in seen if _good_enough(seed, figures)]
    far = (seed for seed in seen if not _good_enough(seed, figures) and is_meant(seed.event.id))
    good = [seed for seed in fits if is_meant(seed.event.id)]
    inside = [seed for seed in good if seed.fit is not TimeFit.OUTSIDE]
    if question.cause is None:
        inside = _best_in_time(inside)
    if time is not None and (time.latest or time.first):
        inside = _outermost(inside, candidates, last=time.latest)
    best = max((seed.match for seed in inside), default=0.0)
    close = [seed for seed in inside if seed.match >= figures.relative_match * best]
    ordered = close
    told: list[float] = []
    if judge is not None and len(close) > 1:
        sentences = [texts.telling(candidates[seed.event.id].mentions, words.keys()) for seed in close[:CONSIDERED]]
        ordered, told = judged_order(wanted, close, sentences, judge)
    seeds = tuple(ordered[:limit])
    return SeedSearch(
        focus=wanted,
        seeds=seeds,
        beside=_beside({seed.event.id for seed in seeds}, passages),
        outside=tuple([seed for seed in good if seed.fit is TimeFit.OUTSIDE][:limit]),
        near=tuple(islice(far, limit)),
        unknown_words=_unknown(words, found, is_meant, spoken),
        judged=tuple((seed.event.id, round(value, 6)) for seed, value in zip(close, told, strict=False)),
        others=tuple([seed for seed in fits if not is_meant(seed.event.id)][:limit]),
    )


@dataclass(frozen=True, slots=True)
class _Candidate:
    event: Event
    cosine: float
    mentions: tuple[Mention, ...]
    documents: tuple[Document, ...]
    told: frozenset[str]
    """Keys of the words of its mentions."""
    around: frozenset[str]
    """Keys of the words of the sentences it is told in."""
    beyond: frozenset[str]
    """Keys of the words of the titles and the found passages of its documents."""


def _candidates(
    focus: str,
    views: SeedViews | None,
    index: SeedIndex,
    store: GraphStore,
    texts: _Texts,
    figures: SeedThresholds,
) -> tuple[list[_Candidate], Mapping[str, list[str]], frozenset[str]]:
    """The events found, by id; the events that each passage found mentions; the keys of the words of the passages."""
    collection = texts.collection
    if views is None:
        cosines = {hit.id: hit.cosine for hit in index.search_events(focus, figures.events)}
        passages = [hit.id for hit in index.search_passages(focus, figures.passages, PassageKind.PROSE)]
    else:
        cosines = views.events(focus, figures.events, index, store, collection)
        passages = views.passages(focus, figures.passages, index, store, collection, texts.of_passage)
    led_to = store.events_of_passages(collection, passages)
    ids = sorted(set(cosines).union(*led_to.values()))
    events = store.events(collection, ids)
    mentions = {id_: tuple(store.mentions_of_event(collection, id_)) for id_ in sorted(events)}
    passage_words: dict[str, set[str]] = defaultdict(set)
    for passage in store.passages(collection, passages).values():
        passage_words[passage.document_id] |= texts.of_passage(passage)
    found = [
        _candidate(event, cosines.get(id_, 0.0), mentions[id_], texts, passage_words)
        for id_, event in sorted(events.items())
    ]
    return found, led_to, frozenset().union(*passage_words.values())


class _Texts:
    """Documents and the keys of their stretches, each read once for a question."""

    def __init__(self, store: GraphStore, collection: str) -> None:
        self.collection = collection
        self._store = store
        self._texts: dict[str, str] = {}
        self._documents: dict[str, Document] = {}
        self._keys: dict[tuple[str, int, int], frozenset[str]] = {}

    def document(self, document_id: str) -> Document:
        if document_id not in self._documents:
            self._documents[document_id] = self._store.document(self.collection, document_id)
        return self._documents[document_id]

    def keys(self, document_id: str, start: int, end: int) -> frozenset[str]:
        place = (document_id, start, end)
        if place not in self._keys:
            self._keys[place] = content_keys(self._text(document_id)[start:end])
        return self._keys[place]

    def telling(self, mentions: Sequence[Mention], words: Collection[str]) -> str:
        """Of the sentences with these mentions, the first with the most of the words."""
        spans = [(one.document_id, one.sentence_start, one.sentence_end) for one in mentions]
        document_id, start, end = max(spans, key=lambda span: len(self.keys(*span).intersection(words)))
        return " ".join(self._text(document_id)[start:end].split())

    def fronted(self, mention: Mention) -> str:
        """A mention with what opens its sentence, where no other clause stands between: "in Ghana … trees died"."""
        before = self._text(mention.document_id)[mention.sentence_start : mention.start]
        return mention.text if any(mark in before for mark in ";:.") else f"{before}{mention.text}"

    def marks(self, mentions: Sequence[Mention], spans: Collection[tuple[str, int, int]]) -> tuple[CalendarMark, ...]:
        """The months, days and weekdays by which mentions are told: in their words, or else alone in their sentence.

        Args:
            mentions: The mentions of an event.
            spans: Where mentions of all events stand; a time in the words of another one is that one's.
        """
        return tuple(mark for mention in mentions for mark in self._marks_of(mention, spans))

    def _marks_of(self, mention: Mention, spans: Collection[tuple[str, int, int]]) -> tuple[CalendarMark, ...]:
        own = calendar_marks(mention.text)
        if own:
            return own
        first = mention.sentence_start
        around = calendar_marks(self._text(mention.document_id)[first : mention.sentence_end])
        of_another = any(_within_any(mention.document_id, first + mark.start, spans) for mark in around)
        return around if len(around) == 1 and not of_another else ()

    def told_at_another_time(
        self, mentions: Sequence[Mention], spans: Collection[tuple[str, int, int]], asked: QuestionTime
    ) -> bool:
        """Whether all mentions stand in sentences of which the one time, with its year, is not the asked one.

        Args:
            mentions: The mentions of an event that has no time of its own.
            spans: As in `marks`.
            asked: The time of the question.
        """
        return bool(mentions) and all(self._is_at_another_time(mention, spans, asked) for mention in mentions)

    def _is_at_another_time(
        self, mention: Mention, spans: Collection[tuple[str, int, int]], asked: QuestionTime
    ) -> bool:
        own = question_time(mention.text)
        if own is not None and own.interval is not None:
            return not matches(asked, own.interval)
        first = mention.sentence_start
        told = question_time(self._text(mention.document_id)[first : mention.sentence_end])
        if told is None or told.interval is None or len(told.spans) != 1 or matches(asked, told.interval):
            return False
        return not _within_any(mention.document_id, first + told.start, spans)

    def _text(self, document_id: str) -> str:
        if document_id not in self._texts:
            self._texts[document_id] = self._store.document_text(self.collection, document_id)
        return self._texts[document_id]

    def of_passage(self, passage: Passage) -> frozenset[str]:
        return self.keys(passage.document_id, passage.start, passage.end)


def _within_any(document_id: str, place: int, spans: Collection[tuple[str, int, int]]) -> bool:
    """Whether a character of a document stands in one of the spans."""
    return any(document_id == of and start <= place < end for of, start, end in spans)


def _candidate(
    event: Event, cosine: float, mentions: tuple[Mention, ...], texts: _Texts, passage_words: Mapping[str, set[str]]
) -> _Candidate:
    told: set[str] = {event.kind} | content_keys(event.description)
    around: set[str] = set()
    beyond: set[str] = set()
    documents = [texts.document(document_id) for document_id in sorted({m.document_id for m in mentions})]
    for mention in mentions:
        told |= content_keys(mention.text) | {mention.kind}
        told |= content_keys(" ".join((*mention.participants, mention.place or "", mention.incident or "")))
        around |= texts.keys(mention.document_id, mention.sentence_start, mention.sentence_end)
    for document in documents:
        beyond |= content_keys(document.doc_title) | passage_words.get(document.id, set())
    return _Candidate(event, cosine, mentions, tuple(documents), frozenset(told), frozenset(around), frozenset(beyond))


def _judge(
    candidate: _Candidate,
    words: Mapping[str, str],
    negated: bool,
    time: QuestionTime | None,
    marks: Sequence[CalendarMark],
    figures: SeedThresholds,
) -> Seed:
    coverage = _coverage(candidate, words, figures)
    head = candidate.event.kind in words
    span = figures.cosine_ceiling - figures.cosine_floor
    closeness = min(1.0, max(0.0, (candidate.cosine - figures.cosine_floor) / span))
    described = content_keys(candidate.event.description)
    precision = len(described & words.keys()) / len(described) if described else 0.0
    match = (
        figures.weight_coverage * coverage
        + figures.weight_head * head
        + figures.weight_cosine * closeness
        + figures.weight_precision * precision
    )
    return Seed(
        event=candidate.event,
        match=round(match, 6),
        head=head,
        coverage=round(coverage, 6),
        cosine=round(candidate.cosine, 6),
        fit=time_fit(candidate.event, candidate.documents, time, marks),
        opposite=(candidate.event.polarity is Polarity.NEGATED) is not negated,
    )


def _coverage(candidate: _Candidate, words: Mapping[str, str], figures: SeedThresholds) -> float:
    if not words:
        return 0.0
    credit = 0.0
    for key in words:
        if key in candidate.told:
            credit += 1.0
        elif key in candidate.around:
            credit += figures.credit_sentence
        elif key in candidate.beyond:
            credit += figures.credit_document
    return credit / len(words)


def _is_another(candidate: _Candidate, wanted: str, texts: _Texts) -> bool:
    """Whether an event is told of something of the same sort, under another number or name, or the other of a pair."""
    told = "\n".join(f"{mention.text}\n{mention.time_words or ''}" for mention in candidate.mentions)
    return is_of_other_thing(wanted, told) or (
        bool(candidate.mentions) and all(tells_other_placed(wanted, texts.fronted(one)) for one in candidate.mentions)
    )


def _has_another_subject(candidate: _Candidate, wanted: str) -> bool:
    """Whether an event is told of another thing than the one asked about, which its sentence names too."""
    others = {other_subject(wanted, mention.text) for mention in candidate.mentions}
    return "" not in others and bool(others & candidate.around)


def _is_wished(candidate: _Candidate, wanted: str) -> bool:
    """Whether an event is only that somebody considers what is asked about, is asked to do it, or fails to."""
    return bool(candidate.mentions) and all(tells_of_wish(wanted, mention.text) for mention in candidate.mentions)


def _is_other_deed(candidate: _Candidate, wanted: str) -> bool:
    """Whether an event is told the other way round: the cyclist hit the pedestrian, where that hit the cyclist."""
    told = [sentence for mention in candidate.mentions for sentence in quick_sentences(mention.text)]
    return bool(told) and all(tells_other_deed(f"Did {wanted}?", sentence) for sentence in told)


def _is_of_subject_alone(candidate: _Candidate, predicate: frozenset[str]) -> bool:
    """Whether an event only has what is asked about, and its sentence what that did: "the *protests* turned ugly"."""
    return bool(predicate) and predicate.isdisjoint(candidate.told) and predicate <= candidate.around


def _good_enough(seed: Seed, figures: SeedThresholds) -> bool:
    if seed.cosine >= figures.paraphrase_cosine and seed.coverage >= figures.paraphrase_coverage:
        return True
    least = figures.least_match if seed.head else figures.least_match_other_head
    return seed.match >= least and seed.coverage >= figures.least_coverage


def _wanted(question: Question, end: End) -> tuple[str, bool]:
    """The words of a happening, affirmed, and whether the question denies it."""
    if question.cause is None:
        return question.focus, question.negated
    return without_denial(question.cause if end is End.CAUSE else question.focus)


def _best_in_time(seeds: Sequence[Seed]) -> list[Seed]:
    """Only those that fit the asked time best: an undated event is taken when no dated one fits."""
    best = max((seed.fit for seed in seeds), default=TimeFit.UNKNOWN)
    return [seed for seed in seeds if seed.fit is best]


def _beside(seeds: set[str], passages: Mapping[str, list[str]]) -> tuple[str, ...]:
    beside: set[str] = set()
    for mentioned in passages.values():
        if seeds.intersection(mentioned):
            beside.update(mentioned)
    return tuple(sorted(beside - seeds))


def _outermost(seeds: Sequence[Seed], candidates: Mapping[str, _Candidate], *, last: bool) -> list[Seed]:
    """Only the last or the first of those that have a moment; all when none has."""
    moments = {seed.event.id: moment_of(seed.event, candidates[seed.event.id].documents) for seed in seeds}
    dated = [moments[seed.event.id] for seed in seeds if moments[seed.event.id]]
    if not dated:
        return list(seeds)
    chosen = max(dated) if last else min(dated)
    return [seed for seed in seeds if moments[seed.event.id] == chosen]


def _unknown(
    words: Mapping[str, str], found: Sequence[_Candidate], is_meant: Callable[[str], bool], spoken: frozenset[str]
) -> tuple[str, ...]:
    """The words that neither a passage nor what tells of an event that may be meant has."""
    return tuple(
        word
        for key, word in words.items()
        if key not in spoken
        and not any(
            key in known and is_meant(one.event.id) for one in found for known in (one.told, one.around, one.beyond)
        )
    )


def _rank(seed: Seed) -> tuple[float, str]:
    return -seed.match, seed.event.id
