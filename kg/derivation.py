"""What mentions and claims add up to: events and edges, as pure functions.

Neither depends on the order in which anything arrived: inputs are sorted before numbers are multiplied.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import prod

from kg.records import Claim, Edge, Event, Mention, Modality, Polarity, Relation, Resolution

MODALITY_WEIGHT: Mapping[Modality, float] = {
    Modality.ACTUAL: 1.0,
    Modality.POSSIBLE: 0.5,
    Modality.PLANNED: 0.0,
    Modality.HYPOTHETICAL: 0.0,
}
"""How much a statement of each modality counts; what counts nothing makes no edge."""

LONGEST_DESCRIPTION = 160
"""Characters beyond which a mention's wording is too long to describe its event well."""

DECIMALS = 6
"""Decimals of stored probabilities."""

_MODALITY_RANK = {modality: rank for rank, modality in enumerate(Modality)}
_RESOLUTION_RANK = {resolution: rank for rank, resolution in enumerate(Resolution)}


def describe_event(mentions: Sequence[Mention]) -> tuple[Event, str]:
    """The event that these mentions of one collection tell of, and the id of the mention whose wording describes it.

    The describing mention is actual rather than possible, not too long, dated, and long, in this order of weight; of
    equals the one with the least id.

    Args:
        mentions: At least one; all of the same polarity.
    """
    ordered = sorted(mentions, key=lambda mention: mention.id)
    telling = min(ordered, key=_tellingness)
    dated = [mention for mention in ordered if mention.time_resolution is not None]
    finest = min(dated, key=_fineness) if dated else None
    event = Event(
        id=Event.id_of(ordered[0].id),
        collection=ordered[0].collection,
        description=telling.text,
        kind=telling.kind,
        polarity=telling.polarity,
        modality=min((mention.modality for mention in ordered), key=_MODALITY_RANK.__getitem__),
        time_start=finest.time_start if finest else None,
        time_end=finest.time_end if finest else None,
        time_resolution=finest.time_resolution if finest else None,
        mention_count=len(ordered),
        document_count=len({mention.document_id for mention in ordered}),
    )
    return event, telling.id


def derive_edges(
    claims: Iterable[Claim],
    event_of: Mapping[str, str],
    events: Mapping[str, Event],
    copy_group: Mapping[str, str],
    rejected: Collection[str] = frozenset(),
) -> list[Edge]:
    """One edge for each cause, effect and relation that a counted claim links, sorted by them.

    For each group of near-copy documents the strongest claim of each stance counts, its confidence times the weight of
    its modality. `p_for` and `p_against` are noisy-ors over the groups, at most the largest modality weight present. A
    claim is left out when it was rejected, counts nothing, links an event with itself, or has a mention without one.

    Args:
        event_of: Event id by mention id.
        events: The events by id.
        copy_group: Name of the group of near-copies by document id; a document that is not in it stands alone.
        rejected: Ids of claims that a standing decision rejects.
    """
    between: dict[tuple[str, str, Relation], list[Claim]] = defaultdict(list)
    for claim in claims:
        cause, effect = event_of.get(claim.cause_mention), event_of.get(claim.effect_mention)
        counts = claim.id not in rejected and MODALITY_WEIGHT[claim.modality] > 0
        if counts and cause is not None and effect is not None and cause != effect:
            between[cause, effect, claim.relation].append(claim)
    return [
        _edge(events[cause], events[effect], relation, between[cause, effect, relation], copy_group)
        for cause, effect, relation in sorted(between)
    ]


def _edge(
    cause: Event, effect: Event, relation: Relation, claims: Sequence[Claim], copy_group: Mapping[str, str]
) -> Edge:
    assertions = [claim for claim in claims if claim.polarity is Polarity.AFFIRMED]
    denials = [claim for claim in claims if claim.polarity is Polarity.NEGATED]
    p_for, support = _noisy_or(assertions, copy_group)
    p_against, against = _noisy_or(denials, copy_group)
    ruled_out = not _any_actual(assertions) and _any_actual(denials)
    return Edge(
        collection=cause.collection,
        cause=cause.id,
        effect=effect.id,
        relation=relation,
        ruled_out=ruled_out,
        confidence=p_against if ruled_out else round(p_for * (1.0 - p_against), DECIMALS),
        p_for=p_for,
        p_against=p_against,
        support=support,
        against=against,
        consistent=not _comes_first(effect, cause),
        claims=tuple(sorted(claim.id for claim in claims)),
    )


def _noisy_or(claims: Sequence[Claim], copy_group: Mapping[str, str]) -> tuple[float, int]:
    """The probability that one of the groups is right, and the number of groups."""
    strongest: dict[str, float] = {}
    for claim in claims:
        group = copy_group.get(claim.document_id, claim.document_id)
        strength = claim.confidence * MODALITY_WEIGHT[claim.modality]
        strongest[group] = max(strength, strongest.get(group, 0.0))
    cap = max((MODALITY_WEIGHT[claim.modality] for claim in claims), default=0.0)
    together = 1.0 - prod(sorted(1.0 - strength for strength in strongest.values()))
    return min(round(together, DECIMALS), cap), len(strongest)


def _any_actual(claims: Sequence[Claim]) -> bool:
    return any(claim.modality is Modality.ACTUAL for claim in claims)


def _comes_first(first: Event, second: Event) -> bool:
    """Whether the times say that one event was over when the other began."""
    return first.time_end is not None and second.time_start is not None and first.time_end <= second.time_start


def _tellingness(mention: Mention) -> tuple[bool, bool, bool, int, str]:
    length = len(mention.text)
    too_long = length > LONGEST_DESCRIPTION
    return (
        mention.modality is not Modality.ACTUAL,
        too_long,
        mention.time_resolution is None,
        length if too_long else -length,
        mention.id,
    )


def _fineness(mention: Mention) -> tuple[int, str, str]:
    rank = _RESOLUTION_RANK[mention.time_resolution] if mention.time_resolution else len(_RESOLUTION_RANK)
    return rank, mention.time_start or "", mention.time_end or ""
