"""Documents with their events as the numbers that the event heads learn from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from models.event_pairs import SentenceEvents, event_features, pair_features
from models.relation_heads import Floats, RelationHeads, RelationReading, SentenceScores, Words
from training.event_sets import EventDocument, Link, Trigger
from training.relation_heads import ExampleEncoder, touched
from training.relation_sets import Characters

NONE, FORWARD, BACKWARD = 0, 1, 2
"""Labels of two events in order of the text: no link, the first causes the second, the second the first."""
Triggers = Callable[[SentenceScores], Sequence[Words]]
"""Finds the events of a sentence."""


class EventExamples(NamedTuple):
    """The words of sentences in which every event is annotated.

    Attributes:
        features: As `event_features`, of all words.
        labels: Whether each names an event.
        groups: The group of each word's document.
    """

    features: Floats
    labels: NDArray[np.bool_]
    groups: Sequence[str]


class PairExamples(NamedTuple):
    """Pairs of events.

    Attributes:
        features: As `pair_features`, shape (2, pairs, features).
        labels: `NONE`, `FORWARD` or `BACKWARD`.
        across: Whether the two stand in two sentences.
        judged: Whether the annotators looked at the pair.
        groups: The group of each pair's document.
    """

    features: Floats
    labels: NDArray[np.int64]
    across: NDArray[np.bool_]
    judged: NDArray[np.bool_]
    groups: Sequence[str]


class Reader:
    """Reads each sentence once."""

    def __init__(self, heads: RelationHeads | None = None) -> None:
        """Takes the relation heads; the packaged ones when none are given."""
        self.heads: Final = heads or RelationHeads()
        self._encoder = ExampleEncoder()
        self._read: dict[str, tuple[list[Characters], SentenceScores] | None] = {}
        self._early: dict[str, tuple[list[Characters], Floats] | None] = {}

    def read(self, text: str) -> tuple[list[Characters], SentenceScores] | None:
        """The words of a sentence and what the relation heads make of it; none when it is empty or too long."""
        if text not in self._read:
            words, reading = self._reading(text)
            scores = reading.scores if reading else None
            complete = scores is not None and len(scores.words) == len(words)
            self._read[text] = (words, scores) if scores is not None and complete else None
        return self._read[text]

    def read_early(self, text: str) -> tuple[list[Characters], Floats] | None:
        """The words of a sentence with their early vectors; of a text cut short, those that were read."""
        if text not in self._early:
            words, reading = self._reading(text)
            early = reading.early if reading else None
            self._early[text] = (words, early) if early is not None else None
        return self._early[text]

    def _reading(self, text: str) -> tuple[list[Characters], RelationReading | None]:
        words = self._encoder.words(text)
        return words, self.heads.read(text, words)


def event_examples(reader: Reader, documents: Sequence[EventDocument]) -> EventExamples:
    """The words of the documents' annotated sentences; of equal sentences only the first."""
    features, labels, groups, seen = [], [], [], set()
    for document in documents:
        for place in sorted(document.read):
            text = document.sentences[place]
            found = reader.read(text)
            if found is None or text in seen:
                continue
            seen.add(text)
            words, scores = found
            label = np.zeros(len(words), dtype=np.bool_)
            for span in _triggers_in(document, place, words).values():
                label[span[0] : span[1] + 1] = True
            features.append(event_features(scores))
            labels.append(label)
            groups += [group_of(document)] * len(words)
    return EventExamples(np.concatenate(features), np.concatenate(labels), groups)


def pair_examples(
    reader: Reader, documents: Sequence[EventDocument], events: Mapping[str, Triggers] | None = None
) -> PairExamples:
    """Pairs of events of one sentence, and of two that follow each other.

    Args:
        reader: Reads the sentences.
        documents: Their events are the annotated ones.
        events: By group; when given, what it finds in annotated sentences stands for the annotated events: it is
            linked where the annotated event that it touches is.
    """
    features, labels, across, judged, groups = [], [], [], [], []
    for document in documents:
        sentences = {
            place: _sentence(reader, document, place, events)
            for place in sorted({sentence for sentence, _ in document.triggers})
        }
        for place, one in sentences.items():
            for then in (place, place + 1):
                other = sentences.get(then)
                if one is None or other is None:
                    continue
                ordered, numbers = pair_features(reader.heads.pairs, one.events, other.events if then > place else None)
                if not ordered:
                    continue
                features.append(numbers)
                for first, second in ordered:
                    ends = one.names[first], other.names[second]
                    labels.append(_label(document, ends))
                    judged.append(_is_judged(document, ends))
                    across.append(then > place)
                    groups.append(group_of(document))
    return PairExamples(np.concatenate(features, axis=1), np.array(labels), np.array(across), np.array(judged), groups)


def span_examples(reader: Reader, documents: Sequence[EventDocument], events: Triggers) -> PairExamples:
    """Pairs of found events in sentences whose causes and effects are annotated as spans.

    The first event inside a cause is linked to the first one inside its effect. What else lies inside a cause or an
    effect is left out: it is not known how it is linked.
    """
    features, labels, groups = [], [], []
    for document in documents:
        found = reader.read(document.sentences[0])
        if found is None:
            continue
        words, scores = found
        triggers = tuple(events(scores))
        ordered, numbers = pair_features(reader.heads.pairs, SentenceEvents(scores, triggers), None)
        spans = [(touched(words, cause[1]), touched(words, effect[1])) for cause, effect in document.spans]
        links = {
            (first, second)
            for cause, effect in spans
            for first in _inside(triggers, cause)[:1]
            for second in _inside(triggers, effect)[:1]
        }
        told = [place for pair in spans for span in pair for place in _inside(triggers, span)]
        kept = []
        for number, (one, other) in enumerate(ordered):
            label = FORWARD if (one, other) in links else BACKWARD if (other, one) in links else NONE
            if label != NONE or one not in told or other not in told:
                kept.append(number)
                labels.append(label)
                groups.append(group_of(document))
        if kept:
            features.append(numbers[:, kept])
    count = len(labels)
    return PairExamples(
        np.concatenate(features, axis=1), np.array(labels), np.zeros(count, np.bool_), np.ones(count, np.bool_), groups
    )


def joined(parts: Sequence[PairExamples]) -> PairExamples:
    """All of them."""
    return PairExamples(
        np.concatenate([part.features for part in parts], axis=1),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.across for part in parts]),
        np.concatenate([part.judged for part in parts]),
        [group for part in parts for group in part.groups],
    )


def group_of(document: EventDocument) -> str:
    """What is never parted by a split, apart for each text: both parts of ECB+ have the same topics."""
    topical = document.corpus in ("eventstoryline", "ecb")
    return f"{'topic' if topical else document.corpus} {document.group}"


class _Sentence(NamedTuple):
    """A sentence with its events, and the annotated event that each of them is; none for those that are none."""

    events: SentenceEvents
    names: Sequence[Trigger | None]


def _sentence(
    reader: Reader, document: EventDocument, place: int, events: Mapping[str, Triggers] | None
) -> _Sentence | None:
    found = reader.read(document.sentences[place])
    if found is None:
        return None
    words, scores = found
    annotated = _triggers_in(document, place, words)
    if events is None:
        spans = {span: name for name, span in sorted(annotated.items(), reverse=True)}
        return _Sentence(SentenceEvents(scores, tuple(sorted(spans))), [spans[span] for span in sorted(spans)])
    triggers = tuple(events[group_of(document)](scores))
    names = [
        next((name for name, span in sorted(annotated.items()) if span[0] <= one[1] and one[0] <= span[1]), None)
        for one in triggers
    ]
    return _Sentence(SentenceEvents(scores, triggers), names)


def _triggers_in(document: EventDocument, place: int, words: Sequence[Characters]) -> dict[Trigger, Words]:
    """The annotated events of a sentence by their words."""
    return {trigger: touched(words, trigger[1]) for trigger in document.triggers if trigger[0] == place}


def _label(document: EventDocument, ends: tuple[Trigger | None, Trigger | None]) -> int:
    one, other = ends
    if one is None or other is None:
        return NONE
    forward: Link = one, other
    return FORWARD if forward in document.links else BACKWARD if (other, one) in document.links else NONE


def _is_judged(document: EventDocument, ends: tuple[Trigger | None, Trigger | None]) -> bool:
    if not document.unlinked or None in ends:
        return True
    return any(pair in document.unlinked or pair in document.links for pair in (ends, ends[::-1]))


def _inside(triggers: Sequence[Words], span: Words) -> list[int]:
    return [place for place, one in enumerate(triggers) if span[0] <= one[0] and one[1] <= span[1]]
