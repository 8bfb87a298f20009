"""Which mentions tell of the same happening: a pure function of the mentions of a block and of people's decisions.

Three steps of agglomeration under constraints, each over candidate pairs from small buckets, best first: what people
decided; inside each document, by what resembles or points back; across documents, by positive identity alone. What only
resembles each other is linked as similar.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile

from extraction.clusters import Clusters
from extraction.identity import (
    Traits,
    compatible_names,
    excluded,
    shared_day,
    shared_names,
    shared_place,
    traits_of,
    weight_of,
    words_of,
)
from extraction.resolution_rules import Rules, load_rules
from kg.records import Decision, DecisionKind, Mention
from kg.resolution import Resolved

_STEPS = "7"
_A = (("a",), ("an",))
_OTHER = frozenset({"another", "other"})
"""Words that, as the first or the second of a mention, tell of one that was not told of before."""
_LEAST_NAMED = 2
"""Least words behind the article that name one thing: "short circuit"; a single one points back by itself."""
_KeysOf = Callable[[Traits], Iterable[tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Two mentions or clusters that may be one, a < b, and why; sorted best first."""

    score: float
    a: str
    b: str
    reason: str

    @property
    def rank(self) -> tuple[float, str, str, str]:
        return (-self.score, self.a, self.b, self.reason)


class EventResolver:
    """Implements `kg.resolution.Resolver` by rules and the table `resolution.toml`."""

    def __init__(self) -> None:
        self._rules = load_rules()

    @property
    def version(self) -> str:
        """Names the steps and the table; changes whenever the same mentions could be resolved otherwise."""
        return f"resolution-{_STEPS}+{self._rules.digest}"

    def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
        """Clusters the mentions of one block; equal for every order of the mentions and of the decisions.

        Args:
            mentions: All mentions of one kind, or of kinds that merge decisions tie together; of two kinds, only
                decisions make one event.
            decisions: Standing decisions; those of other mentions and those undone are ignored.
        """
        rules = self._rules
        by_id = {mention.id: mention for mention in mentions}
        ordered = [by_id[id_] for id_ in sorted(by_id)]
        traits = {mention.id: traits_of(mention, rules) for mention in ordered}
        clusters = Clusters(traits, _apart([*_pairs_of_others(ordered), *_split(decisions)], by_id))
        for decision in _standing(decisions, DecisionKind.MERGE):
            subject = [id_ for id_ in decision.subject if id_ in by_id]
            if len(subject) > 1:
                clusters.force(subject, f"decision {decision.id}")
        for candidate in sorted(_inside(ordered, traits, rules), key=lambda c: c.rank):
            clusters.unite(candidate.a, candidate.b, candidate.reason, candidate.score)
        for candidate in sorted(_across(clusters, rules), key=lambda c: c.rank):
            clusters.unite(candidate.a, candidate.b, candidate.reason, candidate.score, across=True)
        ids = clusters.ids()
        return Resolved(
            clusters=tuple(clusters.members(id_) for id_ in ids),
            similar=_similar(clusters, rules),
            reasons={id_: clusters.reasons(id_) for id_ in ids if len(clusters.members(id_)) > 1},
        )


def _standing(decisions: Sequence[Decision], kind: DecisionKind) -> list[Decision]:
    found = {decision.id: decision for decision in decisions if decision.kind is kind and not decision.undone}
    return sorted(found.values(), key=lambda decision: (decision.at, decision.id))


def _split(decisions: Sequence[Decision]) -> Iterator[tuple[str, ...]]:
    """The mentions that each split decision keeps apart."""
    return (decision.subject for decision in _standing(decisions, DecisionKind.SPLIT))


def _by_document_and_kind(mentions: Sequence[Mention]) -> Iterable[list[Mention]]:
    """The mentions of each kind in each document, in the order of its text."""
    groups: dict[tuple[str, str], list[Mention]] = defaultdict(list)
    for mention in sorted(mentions, key=lambda mention: (mention.start, mention.end, mention.id)):
        groups[mention.document_id, mention.kind].append(mention)
    return groups.values()


def _pairs_of_others(mentions: Sequence[Mention]) -> Iterator[tuple[str, str]]:
    """What "another" tells apart: "another patient died" is no death that was told of before it in a document.

    So does an "a" with a time: "a bus had left the road in 1999" tells of no bus that was told of before.
    """
    for group in _by_document_and_kind(mentions):
        for place, later in enumerate(group):
            first = words_of(later.text)[:2]
            if first[:1] in _A and later.time_start is not None:
                before = [earlier for earlier in group[:place] if earlier.time_start != later.time_start]
                yield from ((earlier.id, later.id) for earlier in before)
            if not _OTHER.isdisjoint(first):
                for earlier in group[:place]:
                    # "The other patient" may be the one that "another patient" told of.
                    if "another" in first or _OTHER.isdisjoint(words_of(earlier.text)[:2]):
                        yield earlier.id, later.id


def _apart(subjects: Iterable[Iterable[str]], known: Mapping[str, Mention]) -> dict[str, frozenset[str]]:
    """For each mention of those that are kept apart, the others it is kept apart from."""
    apart: dict[str, frozenset[str]] = {}
    for each in subjects:
        subject = frozenset(id_ for id_ in each if id_ in known)
        for id_ in subject:
            apart[id_] = apart.get(id_, frozenset()) | (subject - {id_})
    return apart


# Inside a document


def _inside(mentions: Sequence[Mention], traits: Mapping[str, Traits], rules: Rules) -> Iterator[_Candidate]:
    """Pairs of one document and kind that resemble each other, or of which the later points back at the earlier."""
    for group in _by_document_and_kind(mentions):
        place = {mention.id: index for index, mention in enumerate(group)}
        buckets: dict[str, list[str]] = defaultdict(list)
        for mention in group:
            for word in _keys(traits[mention.id]):
                buckets[word].append(mention.id)
        pairs = {pair for bucket in buckets.values() for pair in _pairs(bucket, rules)}
        for a, b in sorted(pairs, key=lambda pair: (place[pair[0]], place[pair[1]])):
            earlier, later = group[place[a]], group[place[b]]
            candidate = _resembling(earlier, later, traits, rules)
            if candidate:
                yield candidate
        for index, mention in enumerate(group):
            for other in _begun_inside(mention, group[index + 1 :]):
                if not excluded(traits[mention.id], traits[other.id]):
                    yield _candidate(1.0, mention.id, other.id, "same-span")
            if _points_back(mention, traits[mention.id], rules) and not traits[mention.id].names:
                yield from _antecedent(mention, group[:index], traits, rules)
            else:
                yield from _introduction(mention, group[:index], traits, rules)


def _begun_inside(mention: Mention, later: Iterable[Mention]) -> Iterator[Mention]:
    """Those of the later mentions, in the order of the text, whose spans begin inside of this one's."""
    return takewhile(lambda other: other.start < mention.end, later)


def _keys(traits: Traits) -> list[str]:
    """The words a mention can be found by: those of its participants and of its text."""
    return sorted(traits.words.union(*(name.words for name in traits.names)))


def _pairs(bucket: Sequence[str], rules: Rules) -> Iterator[tuple[str, str]]:
    """All pairs of a small bucket; the near ones of a large bucket, whose order is the caller's."""
    if len(bucket) <= rules.bucket_pairwise:
        yield from combinations(bucket, 2)
        return
    for index, one in enumerate(bucket):
        for other in bucket[index + 1 : index + 1 + rules.bucket_neighbours]:
            yield one, other


def _resembling(earlier: Mention, later: Mention, traits: Mapping[str, Traits], rules: Rules) -> _Candidate | None:
    one, two = traits[earlier.id], traits[later.id]
    if excluded(one, two):
        return None
    shared = shared_names(one, two)
    least, most = sorted((weight_of(one.names, rules), weight_of(two.names, rules)))
    weight = weight_of(shared, rules)
    pointing = _points_back(later, two, rules) or _points_back(earlier, one, rules)
    words = one.words & two.words
    day = shared_day(one, two)
    score, reason = 0.0, ""
    if day and shared:
        score, reason = 0.8, f"same-day {day} + participant {shared[0].text}"
    elif shared and pointing and weight >= rules.pointed_at * least:
        score, reason = 0.6, f"pointed-at {shared[0].text}"
    elif (
        shared
        and shared[0].particular
        and (weight >= rules.told_twice * most or weight >= max(least, rules.told_in_part))
    ):
        score, reason = 0.6, f"same-participants {shared[0].text}"
    elif shared and shared[0].particular and weight >= least and _retold(earlier, later, traits, rules):
        score, reason = 0.55, f"retold {shared[0].text}"
    elif (
        len(words) >= rules.repeated_words
        and len(words) >= rules.repeated * len(one.words | two.words)
        and compatible_names(one, two)
    ):
        score, reason = 0.6, "same-words"
    if not reason:
        return None
    likeness = weight / most if most else 0.0
    near = 1.0 / (1.0 + abs(later.start - earlier.start) / rules.nearness)
    return _candidate(score + 0.1 * likeness + 0.05 * near, earlier.id, later.id, reason)


def _retold(earlier: Mention, later: Mention, traits: Mapping[str, Traits], rules: Rules) -> bool:
    """True when the two stand near and the shorter one speaks of a known thing: "its bearing", not "a bearing"."""
    shorter = min(earlier, later, key=lambda mention: (len(traits[mention.id].names), mention.start))
    first = words_of(shorter.text)[:1]
    known = bool(first) and (first[0] in rules.definite or first[0] in rules.possessive)
    return known and later.start - earlier.end <= rules.retold_within


def _points_back(mention: Mention, traits: Traits, rules: Rules) -> bool:
    """True for "the failure", "this collapse", "the failure of gauge G7"; not for "the gauge failed"."""
    words = words_of(mention.text)
    if len(words) < 2 or words[0] not in rules.definite:
        return False
    taking_part = frozenset[str]().union(*(name.words for name in traits.names))
    stem = mention.lemma[:4]
    for word in words[1:]:
        if word.startswith(stem) and word not in taking_part:
            return True
        if word in taking_part:
            return False
    return False


def _antecedent(
    mention: Mention, earlier: Sequence[Mention], traits: Mapping[str, Traits], rules: Rules
) -> Iterator[_Candidate]:
    """The nearest earlier mention that "the failure" can mean."""
    for other in reversed(earlier):
        distance = mention.start - other.start
        if distance > rules.reach:
            return
        if not excluded(traits[mention.id], traits[other.id]):
            near = 1.0 / (1.0 + distance / rules.nearness)
            yield _candidate(0.5 + 0.05 * near, other.id, mention.id, f"pointed-at {' '.join(words_of(mention.text))}")
            return


def _introduction(
    mention: Mention, earlier: Sequence[Mention], traits: Mapping[str, Traits], rules: Rules
) -> Iterator[_Candidate]:
    """The one mention that introduced "the short circuit" in its words; none where two did."""
    words = words_of(mention.text)[1:]
    if len(words) < _LEAST_NAMED or words_of(mention.text)[0] not in rules.definite:
        return
    near = [other for other in earlier if mention.start - other.start <= rules.reach and _names(other, words)]
    introduced = [other for other in near if words_of(other.text)[0] in rules.indefinite]
    if len(introduced) != 1 or excluded(traits[mention.id], traits[introduced[0].id]):
        return
    distance = mention.start - introduced[0].start
    score = 0.5 + 0.05 / (1.0 + distance / rules.nearness)
    yield _candidate(score, introduced[0].id, mention.id, f"introduced {' '.join(words)}")


def _names(mention: Mention, words: Sequence[str]) -> bool:
    """Whether a mention begins with these words, behind its article."""
    return words_of(mention.text)[1 : 1 + len(words)] == tuple(words)


def _candidate(score: float, one: str, two: str, reason: str) -> _Candidate:
    return _Candidate(round(score, 6), min(one, two), max(one, two), reason)


# Across documents


def _across(clusters: Clusters, rules: Rules) -> list[_Candidate]:
    """Pairs of clusters of different documents with positive identity, without those that could be either of two."""
    found = [
        candidate
        for a, b in _bucketed(clusters, _identity_keys, rules)
        if not clusters.traits(a).documents & clusters.traits(b).documents
        and (candidate := _identical(a, b, clusters, rules))
    ]
    partners: dict[str, set[str]] = defaultdict(set)
    for candidate in found:
        partners[candidate.a].add(candidate.b)
        partners[candidate.b].add(candidate.a)
    unclear = {
        (id_, other)
        for id_ in partners
        if not clusters.traits(id_).times
        for other in _contested(sorted(partners[id_]), clusters, rules)
    }
    return [c for c in found if (c.a, c.b) not in unclear and (c.b, c.a) not in unclear]


def _contested(partners: Sequence[str], clusters: Clusters, rules: Rules) -> set[str]:
    """Those partners of an undated cluster that exclude each other: it could be either, so it is neither."""
    return {
        id_
        for pair in _pairs(partners, rules)
        if excluded(clusters.traits(pair[0]), clusters.traits(pair[1]))
        for id_ in pair
    }


def _identity_keys(traits: Traits) -> Iterable[tuple[str, ...]]:
    """The buckets in which a cluster meets those that may be the same happening elsewhere."""
    for kind in traits.kinds:
        for incident in traits.incidents:
            yield ("incident", kind, incident)
        days = {day for moment in traits.fine_times for day in (moment.start[:10], moment.end[:10])}
        words = {word for name in traits.names if name.particular for word in name.words}
        for day in days:
            yield ("day", kind, day)
            for word in words:
                yield ("day", kind, day, word)
        places = {word for place in traits.places if place.identifies for word in place.words}
        for place_word in places | words:
            for word in words:
                yield ("place", kind, place_word, word)


def _bucketed(clusters: Clusters, keys_of: _KeysOf, rules: Rules) -> list[tuple[str, str]]:
    """All candidate pairs of clusters that share a bucket, sorted."""
    buckets: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for id_ in clusters.ids():
        for key in set(keys_of(clusters.traits(id_))):
            buckets[key].append(id_)
    return sorted({pair for bucket in buckets.values() for pair in _pairs(bucket, rules)})


def _identical(a: str, b: str, clusters: Clusters, rules: Rules) -> _Candidate | None:
    """The candidate for two clusters that are positively the same happening; none otherwise."""
    one, two = clusters.traits(a), clusters.traits(b)
    if one.kinds != two.kinds or excluded(one, two) or not compatible_names(one, two):
        return None
    shared = shared_names(one, two)
    with_name = f" + participant {shared[0].text}" if shared else ""
    likeness = 0.05 * weight_of(shared, rules) / (1.0 + weight_of(one.names | two.names, rules))
    incidents = sorted(one.incidents & two.incidents)
    day, place = shared_day(one, two), shared_place(one, two)
    if incidents:
        return _candidate(0.95 + likeness, a, b, f"same-incident {incidents[0]}{with_name}")
    if day:
        return _candidate(0.85 + likeness, a, b, f"same-day {day}{with_name}")
    if place:
        besides = [name for name in shared if name.particular and not name.words <= set(place.split())]
        if besides:
            return _candidate(0.75 + likeness, a, b, f"same-place {place} + participant {besides[0].text}")
    return None


# Resemblance without identity


def _similar(clusters: Clusters, rules: Rules) -> tuple[tuple[str, str], ...]:
    """The best pairs of clusters that resemble each other, at most a few at each cluster."""
    found: list[_Candidate] = []
    for a, b in _bucketed(clusters, _likeness_keys, rules):
        one, two = clusters.traits(a), clusters.traits(b)
        shared = shared_names(one, two)
        least = min(weight_of(one.names, rules), weight_of(two.names, rules))
        if shared and shared[0].particular and weight_of(shared, rules) >= rules.similar_overlap * least:
            found.append(_candidate(weight_of(shared, rules) / weight_of(one.names | two.names, rules), a, b, ""))
    degree: dict[str, int] = defaultdict(int)
    kept: list[tuple[str, str]] = []
    for candidate in sorted(found, key=lambda c: c.rank):
        if max(degree[candidate.a], degree[candidate.b]) < rules.similar_degree:
            degree[candidate.a] += 1
            degree[candidate.b] += 1
            kept.append((candidate.a, candidate.b))
    return tuple(sorted(kept))


def _likeness_keys(traits: Traits) -> Iterable[tuple[str, ...]]:
    """Clusters meet by the words of their particular participants."""
    for name in traits.names:
        if name.particular:
            for word in name.words:
                yield (word,)
