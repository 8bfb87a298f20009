"""MECI English, dev: directed causal edges between events, by each way of reading claims.

    python -m benchmarks.meci [--data ../shared/data] [--split dev] [--research FOLDER]

Passages of dev whose article also has passages in train are left out. With gold mentions, an argument of a claim stands
for the gold trigger it contains: the one that is its head, else the first; claims with an argument that contains none
are left out, and precision is over the pairs that are annotated, as causal or as not. With predicted mentions each
claim counts, and an edge is right when the heads of both arguments are gold triggers that are linked in this direction.
Claims of BEFORE and denied claims make no edge. The baseline links each trigger to the next one of its sentence.

`pairs` are the packaged event heads: of gold triggers, or of the words that they take for events themselves, each two
of a sentence or of adjacent ones. `all` adds their links to those of rules and span heads. With --research a folder of
weights that may not be shipped has a column of its own. Events found are right when they are a word of a gold trigger.
Intervals are 95 % ones over articles drawn with replacement.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.bootstrap import SEED, f1_of, share_of, with_interval
from benchmarks.claim_readers import WAYS, reader_of
from benchmarks.results import write_result
from extraction.causes import ClaimReader
from kg.records import Mention, Polarity, Relation
from language.lemmas import lemma_of
from language.sentences import SentenceReader
from models.event_pairs import NAME, EventLink, EventPairs, SentenceEvents
from models.relation_heads import SentenceScores
from models.weights_card import WEIGHTS
from training.event_examples import Reader
from training.event_sets import Trigger, triggers_of
from training.relation_heads import touched

Edge = tuple[str, str]
Passage = Mapping[str, Any]


class Told(NamedTuple):
    """What was read in a passage.

    Attributes:
        edges: Edges between gold triggers.
        of_heads: Of each claim the edge between its heads; none when they are no gold triggers.
        events: Of each word that was taken for an event the gold trigger that it is of; none when it is of none.
    """

    edges: set[Edge]
    of_heads: list[Edge | None]
    events: tuple[str | None, ...] = ()


SCORES: Final[dict[str, Callable[[Counter[str]], float]]] = {
    "gold mentions, precision on annotated pairs": share_of("right", "told"),
    "gold mentions, recall": share_of("right", "gold"),
    "gold mentions, F1": f1_of("gold", "told", "right"),
    "predicted mentions, precision": share_of("right heads", "claims"),
    "predicted mentions, recall": share_of("right heads", "gold"),
    "predicted mentions, F1": f1_of("gold", "claims", "right heads"),
    "events found, precision": share_of("events right", "events found"),
    "events found, recall": share_of("events right", "events"),
    "events found, F1": f1_of("events", "events found", "events right"),
}


def trigger_in(mention: Mention, events: Mapping[str, Mapping[str, Any]], *, head_only: bool) -> str | None:
    """The gold trigger that a mention stands for; none when it holds none."""
    inside = sorted(
        (event["start"], name)
        for name, event in events.items()
        if mention.start <= event["start"] and event["end"] <= mention.end
    )
    for _, name in inside:
        words = events[name]["text"].lower().split()
        if any(mention.lemma in (lemma_of(word, "VERB"), lemma_of(word, "NOUN"), word) for word in words):
            return name
    return None if head_only or not inside else inside[0][1]


def next_triggers(passage: Passage) -> Told:
    """The baseline: every trigger causes the next one of its sentence."""
    text, events = passage["text"], passage["events"]
    ordered = sorted((event["start"], name) for name, event in events.items())
    edges = [
        (cause, effect)
        for (first, cause), (second, effect) in itertools.pairwise(ordered)
        if "\t" not in text[first:second]
    ]
    return Told(set(edges), list(edges))


def told_by(claims: ClaimReader, sentences: SentenceReader, passage: Passage) -> Told:
    """The edges between gold triggers that the claims stand for; and of each claim the edge of its heads, if any."""
    # A tab parts the sentences; a line break does the same for the reader and keeps the offsets.
    text = passage["text"].replace("\t", "\n")
    found = claims.read("main", "d" + "0" * 24, sentences.read(text), None, text)
    mentions = {mention.id: mention for mention in found.mentions}
    edges: set[Edge] = set()
    of_heads: list[Edge | None] = []
    for claim in found.claims:
        if claim.relation is Relation.BEFORE or claim.polarity is Polarity.NEGATED:
            continue
        pair = mentions[claim.cause_mention], mentions[claim.effect_mention]
        cause, effect = (trigger_in(mention, passage["events"], head_only=False) for mention in pair)
        if cause and effect and cause != effect:
            edges.add((cause, effect))
        first, then = (trigger_in(mention, passage["events"], head_only=True) for mention in pair)
        of_heads.append((first, then) if first and then else None)
    return Told(edges, of_heads)


def linked_by(pairs: EventPairs, reader: Reader, passage: Passage) -> Told:
    """The edges that the event heads find: between gold triggers, and between the words that they take for events."""
    names = {trigger: name for name, trigger in triggers_of(passage).items()}
    edges: set[Edge] = set()
    of_heads: list[Edge | None] = []
    events: list[str | None] = []
    before: _Sentence | None = None
    for place, text in enumerate(passage["text"].split("\t")):
        read = reader.read(text)
        here = _sentence(pairs, read, {name: one for one, name in names.items() if one[0] == place}) if read else None
        if here is not None:
            events += here.found_names
            for first, then in ((here, None), *([(before, here)] if before else [])):
                then_or_first = then or first
                for link in pairs.links(first.known, then.known if then else None):
                    if link.probability >= pairs.link_floor:
                        edges |= _named(link, first.known_names, then_or_first.known_names)
                for link in pairs.links(first.found, then.found if then else None):
                    if link.probability >= pairs.found_link_floor:
                        of_heads += _named(link, first.found_names, then_or_first.found_names) or [None]
        before = here
    return Told(edges, of_heads, tuple(events))


class _Sentence(NamedTuple):
    """A sentence with its gold triggers, and with the events that were found in it, each with its gold trigger."""

    known: SentenceEvents
    known_names: Sequence[str | None]
    found: SentenceEvents
    found_names: Sequence[str | None]


def _sentence(
    pairs: EventPairs, read: tuple[Sequence[tuple[int, int]], SentenceScores], triggers: Mapping[str, Trigger]
) -> _Sentence:
    words, scores = read
    gold = {touched(words, characters): name for name, (_, characters) in sorted(triggers.items())}
    spans = sorted(gold)
    found = pairs.events(scores)
    names = [
        next((gold[span] for span in spans if span[0] <= first and last <= span[1]), None)
        for first, last in found.triggers
    ]
    return _Sentence(SentenceEvents(scores, tuple(spans)), [gold[span] for span in spans], found, names)


def _named(link: EventLink, first: Sequence[str | None], then: Sequence[str | None]) -> set[Edge]:
    """The edge of a link by the names of its events; none when one has no name or both have the same."""
    cause, effect = (first, then) if link.forward else (then, first)
    edge = cause[link.cause], effect[link.effect]
    return {(edge[0], edge[1])} if edge[0] and edge[1] and edge[0] != edge[1] else set()


def united(readings: Sequence[Callable[[Passage], Told]], passage: Passage) -> Told:
    """What any of several ways of reading tells."""
    told = [read(passage) for read in readings]
    of_heads = [edge for one in told for edge in one.of_heads]
    return Told(set().union(*(one.edges for one in told)), of_heads, told[-1].events)


def counts(passage: Passage, told: Told) -> Counter[str]:
    """Of one passage what is gold, what was told and what of it is right."""
    edges, of_heads, events = told
    gold = {(cause, effect) for cause, effect in passage["causes"]}
    annotated = gold | {(two, one) for one, two in gold}
    annotated |= {pair for one, two in passage["norel"] for pair in ((one, two), (two, one))}
    linked = {edge for edge in of_heads if edge is not None}
    return Counter(
        {
            "gold": len(gold),
            "told": len(edges & annotated),
            "right": len(edges & gold),
            "claims": len(linked) + of_heads.count(None),
            "right heads": len(linked & gold),
            "events": len(passage["events"]),
            "events found": len(set(events) - {None}) + events.count(None),
            "events right": len(set(events) - {None}),
        }
    )


def article_of(passage: Passage) -> str:
    """The article that a passage was cut from."""
    return str(passage["id"]).rsplit("_chunk_", maxsplit=1)[0]


def read_passages(folder: Path, split: str) -> list[Passage]:
    """The passages of a split; of dev those whose article has none in train."""
    passages = {
        name: [json.loads(line) for line in (folder / f"meci_en_{name}.jsonl").read_text(encoding="utf-8").splitlines()]
        for name in {"train", split}
    }
    seen = {article_of(passage) for passage in passages["train"]} if split == "dev" else set()
    return [passage for passage in passages[split] if article_of(passage) not in seen]


def by_article(passages: Sequence[Passage], read: Callable[[Passage], Told]) -> list[Counter[str]]:
    """The counts of each article."""
    articles: dict[str, Counter[str]] = {}
    for passage in passages:
        articles.setdefault(article_of(passage), Counter()).update(counts(passage, read(passage)))
    return list(articles.values())


def _shown(name: str, counted: Sequence[Counter[str]]) -> str:
    """A score with its interval; a dash for events of a way that looks for none."""
    asked = not name.startswith("events") or any(one["events found"] for one in counted)
    return with_interval(counted, SCORES[name]) if asked else "-"


def main() -> None:
    """Scores each way of reading and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--split", choices=("dev", "train"), default="dev")
    parser.add_argument("--research", type=Path, help="folder of event heads trained for measuring only")
    arguments = parser.parse_args()
    passages = read_passages(arguments.data / "meci", arguments.split)
    sentences = SentenceReader()
    rows: dict[str, list[Counter[str]]] = {}
    for way in WAYS:
        rows[way] = by_article(passages, partial(told_by, reader_of(way), sentences))
    reader = Reader()
    ways = {"pairs": WEIGHTS / NAME, **({"pairs, research": arguments.research} if arguments.research else {})}
    generous = partial(told_by, reader_of("generous"), sentences)
    for name, folder in ways.items():
        pairs = EventPairs(reader.heads.pairs, reader.heads.fingerprint, folder)
        of_pairs = partial(linked_by, pairs, reader)
        rows[name] = by_article(passages, of_pairs)
        rows[name.replace("pairs", "all")] = by_article(passages, partial(united, (generous, of_pairs)))
    rows["next trigger"] = by_article(passages, next_triggers)
    write_result(
        f"meci_{arguments.split}",
        command=f"python -m benchmarks.meci --split {arguments.split}"
        + (" --research FOLDER (of `python -m training.event_pairs --research`)" if arguments.research else ""),
        data=f"MECI English {arguments.split} (text CC BY-SA), {len(passages)} passages of "
        f"{len(rows['rules'])} articles, {sum(len(one['causes']) for one in passages)} edges",
        baseline="next trigger: every event causes the next one of its sentence",
        columns=tuple(rows),
        figures={name: [_shown(name, one) for one in rows.values()] for name in SCORES},
        seed=SEED,
    )


if __name__ == "__main__":
    main()
