"""Implicit preconditions: what must have been so for a happening to be possible, where documents tell what it takes.

A sentence tells what such a happening takes ("the press cannot start unless its guard is shut"), or the graph states
what prevents such a happening. The documents of the happening tell that the one was so, or that the other was not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from kg.records import Event, Evidence, Passage, Polarity, Relation, Stance
from language.content_words import content_keys
from language.preconditions import precondition
from language.quick_sentences import quick_sentences
from reasoning.material import Material
from reasoning.precedents import precedents, told_beside
from reasoning.thresholds import thresholds


@dataclass(frozen=True, slots=True)
class Needed:
    """Something told that a happening takes.

    Attributes:
        cause: What was so, or was not so.
        shown: The sentence that tells what it takes.
    """

    cause: Event
    shown: Evidence


def preconditions(effects: Sequence[Event], passages: Iterable[Passage], material: Material) -> list[Needed]:
    """What is told in the documents of an effect and has to be so for it, the nearest to what tells so first.

    Args:
        effects: All events that the question may mean, the best first.
        passages: Whose sentences may tell what it takes, the nearest first.
        material: The question, its store and its deadline.
    """
    found = {one.cause.id: one for one in _not_prevented(effects, material)}
    beside = told_beside(effects[0], material) - {one.id for one in effects}
    for one in _by_sentences(effects[0], beside, passages, material):
        found.setdefault(one.cause.id, one)
    return list(found.values())


def _by_sentences(
    effect: Event, beside: Collection[str], passages: Iterable[Passage], material: Material
) -> Iterator[Needed]:
    """By sentences that tell a condition, of outcomes in words of the effect."""
    keys = content_keys(effect.description)
    room, figures = material.room, thresholds().abduction
    for passage in passages:
        for sentence in quick_sentences(material.quoter.passage(passage), passage.start):
            rule = precondition(sentence.text)
            if rule is None or not keys & content_keys(rule.outcome):
                continue
            material.deadline.check()
            outcome = _near(rule.outcome, material)
            if outcome.get(effect.id, 0.0) < figures.needed:
                continue
            near = {id_: cosine for id_, cosine in _near(rule.condition, material).items() if id_ in beside}
            likely = sorted((-cosine, id_) for id_, cosine in near.items() if cosine >= figures.needed)
            events = room.store.events(room.collection, [id_ for _, id_ in likely])
            for _, id_ in likely:
                if (_happened(effect), _happened(events[id_])) in rule.explains:
                    span = (passage.document_id, sentence.start, sentence.end)
                    yield Needed(events[id_], material.quoter.span(*span, Stance.CONTEXT))


def _not_prevented(effects: Sequence[Event], material: Material) -> Iterator[Needed]:
    """What is told not to have been so, and is stated to have prevented such a happening elsewhere."""
    for one in precedents(effects[0], [event.id for event in effects], material, (Relation.PREVENTS,)):
        (link,) = material.reader.links(one.edges[:1])
        if not _happened(one.cause) and link.best is not None and link.stated_as_fact:
            yield Needed(one.cause, material.quoter.claim(link.best.claim, Stance.CONTEXT))


def _near(text: str, material: Material) -> dict[str, float]:
    """Cosines of a text with the events that are nearest to it, by id."""
    hits = material.room.index.search_events(text, thresholds().abduction.considered)
    return {hit.id: hit.cosine for hit in hits}


def _happened(event: Event) -> bool:
    return event.polarity is Polarity.AFFIRMED
