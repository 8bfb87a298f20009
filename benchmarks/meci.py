"""MECI English, dev: directed causal edges between events, by each way of reading claims.

    python -m benchmarks.meci [--data ../shared/data] [--split dev]

Passages of dev whose article also has passages in train are left out. With gold mentions, an argument of a claim stands
for the gold trigger it contains: the one that is its head, else the first; claims with an argument that contains none
are left out, and precision is over the pairs that are annotated, as causal or as not. With predicted mentions each
claim counts, and an edge is right when the heads of both arguments are gold triggers that are linked in this direction.
Claims of BEFORE and denied claims make no edge. The baseline links each trigger to the next one of its sentence.
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
from typing import Any, Final

from benchmarks.bootstrap import SEED, f1_of, share_of, with_interval
from benchmarks.claim_readers import WAYS, reader_of
from benchmarks.results import write_result
from extraction.causes import ClaimReader
from kg.records import Mention, Polarity, Relation
from language.lemmas import lemma_of
from language.sentences import SentenceReader

Edge = tuple[str, str]
Passage = Mapping[str, Any]
Told = tuple[set[Edge], list[Edge | None]]
"""Edges between gold triggers, and of each claim the edge between its heads."""
SCORES: Final[dict[str, Callable[[Counter[str]], float]]] = {
    "gold mentions, precision on annotated pairs": share_of("right", "told"),
    "gold mentions, recall": share_of("right", "gold"),
    "gold mentions, F1": f1_of("gold", "told", "right"),
    "predicted mentions, precision": share_of("right heads", "claims"),
    "predicted mentions, recall": share_of("right heads", "gold"),
    "predicted mentions, F1": f1_of("gold", "claims", "right heads"),
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
    return set(edges), list(edges)


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
    return edges, of_heads


def counts(passage: Passage, edges: set[Edge], of_heads: Sequence[Edge | None]) -> Counter[str]:
    """Of one passage what is gold, what was told and what of it is right."""
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
        articles.setdefault(article_of(passage), Counter()).update(counts(passage, *read(passage)))
    return list(articles.values())


def main() -> None:
    """Scores each way of reading and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--split", choices=("dev", "train"), default="dev")
    arguments = parser.parse_args()
    passages = read_passages(arguments.data / "meci", arguments.split)
    sentences = SentenceReader()
    rows: dict[str, list[Counter[str]]] = {}
    for way in WAYS:
        rows[way] = by_article(passages, partial(told_by, reader_of(way), sentences))
    rows["next trigger"] = by_article(passages, next_triggers)
    write_result(
        f"meci_{arguments.split}",
        command=f"python -m benchmarks.meci --split {arguments.split}",
        data=f"MECI English {arguments.split} (text CC BY-SA), {len(passages)} passages of "
        f"{len(rows['rules'])} articles, {sum(len(one['causes']) for one in passages)} edges",
        baseline="next trigger: every event causes the next one of its sentence",
        columns=tuple(rows),
        figures={name: [with_interval(one, score) for one in rows.values()] for name, score in SCORES.items()},
        seed=SEED,
    )


if __name__ == "__main__":
    main()
