"""ECB+, test topics 36-45: events across documents, by equal lemmas and by the packaged coreference head.

    python -m training.event_coreference --sources ecb gum --output .cache/event_coreference
    python -m benchmarks.event_coreference [--data ../shared/data] [--beside .cache/event_coreference]

Only the sentences that ECB+ lists as validated are scored. The first baseline and the head are told nothing of topics:
they cluster the mentions of all test documents together. The other columns are told the topic of each document, or its
half of a topic (`ecb` and `ecbplus` are two events of one sort), which a program would have to find out by itself. Gold
mentions are those of the corpus. Predicted ones are verbs and nouns of happening by the program's own rules; one stands
for the gold mention that has the same head word. "Beside" is a head that was trained on other sources than the packaged
one, with a threshold of its own from the development topics. Intervals are 95 % ones over topics drawn with
replacement, with the clusters of the whole run.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.bootstrap import SEED, f1_of, share_of, with_interval
from benchmarks.coreference_scores import METRICS, Cluster, conll, counts_by_part, f1
from benchmarks.results import write_result
from extraction.tellings import telling
from language.kinds import is_event_noun
from language.sentences import SentenceReader
from models.event_coreference import NAME, Characters, EventCoreference, Telling
from models.packaged_parser import packaged_parser
from models.weights_card import WEIGHTS, open_weights
from training.coreference_sets import GoldDocuments, head_words, read_ecb_plus, tellings_of, topic_of
from training.ecb_plus import ECB_PLUS, TEST
from training.event_clusters import all_probabilities, clusters_of

Place = tuple[str, Characters]
"""A mention: its document and the characters of its head word."""
Scope = Callable[[Telling], Hashable]
_NOUNS: Final = frozenset({"NOUN", "PROPN"})
SCOPES: Final[Mapping[str, Scope]] = {
    "all documents": lambda _: "",
    "gold topics": lambda told: topic_of(told.document),
    "gold halves of topics": lambda told: (topic_of(told.document), told.document.endswith("ecbplus")),
}


def main() -> None:
    """Scores each way of clustering on gold and on predicted mentions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--beside", type=Path, help="weights that were trained on other sources")
    arguments = parser.parse_args()
    data: Path = arguments.data
    folders = {"head": WEIGHTS / NAME, **({"beside": arguments.beside} if arguments.beside else {})}
    gold = read_ecb_plus(data / ECB_PLUS).of_topics(TEST)
    reader = SentenceReader(packaged_parser())
    heads = head_words(gold, reader)
    places = [(mention.document, word.place) for mention, word in zip(gold.mentions, heads, strict=True)]
    chains: dict[str, set[Place]] = defaultdict(set)
    for mention, place in zip(gold.mentions, places, strict=True):
        chains[mention.chain].add(place)
    wanted: list[Cluster] = [frozenset(chain) for chain in chains.values()]
    found = predicted(gold, reader)
    figures: dict[str, list[str]] = {}
    for name, mentions in (
        ("gold mentions", dict(zip(places, tellings_of(gold, heads), strict=True))),
        ("predicted mentions", found),
    ):
        ways = clustered(mentions, folders)
        figures |= scored(name, wanted, ways)
        figures |= scored(f"{name}, singletons left out", several(wanted), {way: several(ways[way]) for way in ways})
    blank = [""] * ((1 + len(folders)) * len(SCOPES) - 1)
    figures |= {name: [told, *blank] for name, told in detection(set(places), set(found)).items()}
    write_result(
        "event_coreference",
        command=" ".join(["python -m benchmarks.event_coreference", *sys.argv[1:]]),
        data=f"ECB+ test topics 36-45, validated sentences: {len(gold.mentions)} mentions of {len(wanted)} events in "
        f"{len(gold.texts)} documents",
        baseline="mentions with the same head lemma are one event: over all test documents, and where the topics or "
        "halves of topics are given",
        columns=tuple(f"{way}, {scope}" for way in ("lemma", *folders) for scope in SCOPES),
        figures=figures,
        seed=SEED,
    )


def predicted(gold: GoldDocuments, reader: SentenceReader) -> dict[Place, Telling]:
    """Verbs and nouns of happening in the validated sentences, as the head reads them."""
    found: dict[Place, Telling] = {}
    for document, spans in gold.sentences.items():
        text = gold.texts[document]
        for span in spans:
            for token in (token for sentence in reader.read(text[slice(*span)]) for token in sentence.tokens):
                if token.pos == "VERB" or (token.pos in _NOUNS and is_event_noun(token.lemma.lower())):
                    place = token.start + span[0], token.end + span[0]
                    found[document, place] = telling(text, document, place, span, token.lemma)
    return found


def clustered(mentions: Mapping[Place, Telling], folders: Mapping[str, Path]) -> dict[str, list[Cluster]]:
    """The clusters of the lemma and of each folder's weights in each scope, in the order of the columns."""
    places, told = list(mentions), list(mentions.values())
    by_lemma = np.array([[one.lemma == other.lemma for other in told] for one in told], dtype=np.float32)
    ways = {"lemma": (by_lemma, 0.5)}
    for way, folder in folders.items():
        # Mean probability between two clusters above which they are one: chosen on the development topics.
        threshold = float(open_weights(folder).card["threshold"])
        ways[way] = all_probabilities(EventCoreference(folder), told), threshold
    return {
        f"{way}, {scope}": _within(probabilities, least, places, [group(one) for one in told])
        for way, (probabilities, least) in ways.items()
        for scope, group in SCOPES.items()
    }


def _within(
    probabilities: NDArray[np.float32], threshold: float, places: Sequence[Place], groups: Sequence[Hashable]
) -> list[Cluster]:
    """Clusters none of which holds mentions of two groups."""
    clusters: list[Cluster] = []
    for group in dict.fromkeys(groups):
        inside = np.array([at for at, other in enumerate(groups) if other == group])
        for cluster in clusters_of(probabilities[np.ix_(inside, inside)], threshold):
            clusters.append(frozenset(places[inside[at]] for at in cluster))
    return clusters


def several(clusters: Sequence[Cluster]) -> list[Cluster]:
    """The clusters of two or more mentions."""
    return [cluster for cluster in clusters if len(cluster) > 1]


def scored(name: str, gold: Sequence[Cluster], ways: Mapping[str, Sequence[Cluster]]) -> dict[str, list[str]]:
    """Each metric of each way with its interval, and how far each is above the lemma baseline over all documents."""
    first = next(iter(ways))
    rows = {way: counts_by_part(gold, found, lambda place: topic_of(place[0])) for way, found in ways.items()}
    figures = {
        f"{name}, {metric} F1": [with_interval(list(parts.values()), f1(metric)) for parts in rows.values()]
        for metric in METRICS
    }
    figures[f"{name}, CoNLL F1"] = [with_interval(list(parts.values()), conll) for parts in rows.values()]
    figures[f"{name}, CoNLL F1 less that of the first column"] = [
        with_interval([_beside(rows[first][topic], parts[topic]) for topic in parts], _gain) for parts in rows.values()
    ]
    return figures


def _beside(baseline: Counter[str], other: Counter[str]) -> Counter[str]:
    """The counts of two ways in one."""
    both = Counter({f"baseline {name}": value for name, value in baseline.items()})
    both.update({f"other {name}": value for name, value in other.items()})
    return both


def _gain(both: Counter[str]) -> float:
    def part(prefix: str) -> Counter[str]:
        return Counter({name.removeprefix(prefix): value for name, value in both.items() if name.startswith(prefix)})

    return conll(part("other ")) - conll(part("baseline "))


def detection(gold: set[Place], found: set[Place]) -> dict[str, str]:
    """How well the predicted mentions repeat the gold ones, by head words."""
    topics: dict[str, Counter[str]] = defaultdict(Counter)
    for side, places in (("gold", gold), ("found", found), ("right", gold & found)):
        for document, _ in places:
            topics[topic_of(document)][side] += 1
    rows = list(topics.values())
    return {
        "predicted mentions, precision of head words": with_interval(rows, share_of("right", "found")),
        "predicted mentions, recall of head words": with_interval(rows, share_of("right", "gold")),
        "predicted mentions, F1 of head words": with_interval(rows, f1_of("gold", "found", "right")),
    }


if __name__ == "__main__":
    main()
