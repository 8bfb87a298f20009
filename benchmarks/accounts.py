"""Causes that no document states, guessed by how near they stand to what documents tell of the event.

    python -m benchmarks.accounts [--data ../shared/data]

Questions made from EventStoryLine (CC BY 3.0): the event is the sentence of an effect, the right option the sentence of
a cause that annotators linked to it, the three wrong ones sentences with other events of the same topic that they
linked neither way. The documents that any of these sentences stands in are taken away; those that are left tell of the
same happening in words of their own. Figures of the table `account` in reasoning/thresholds.toml were set on the topics
with an even number; what is reported is of those with an odd one. Beside it stands the judge of causes by the words
alone. Intervals are 95 % ones over questions drawn with replacement.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from benchmarks.bootstrap import SEED, share_of, with_interval
from benchmarks.results import write_result
from causetrail.settings import Settings
from extraction.passages import PassageCutter
from kg.encoding import Encoder
from language.sentences import SentenceReader
from models.encoder import load_encoder
from models.judges import Judges
from reasoning.account import nearness, share
from reasoning.thresholds import thresholds
from reasoning.wording import as_sentence
from training.event_sets import EventDocument, read_corpus

_WRONG: Final = 3
_OF_A_TOPIC: Final = 25
"""Most questions of one topic."""
_ELSEWHERE: Final = 6
"""Most sentences of other documents among those that the wrong options are drawn from."""
_LENGTH: Final = range(30, 350)
"""Characters of a sentence that is taken."""

Floats = NDArray[np.float32]
Place = tuple[int, int]
"""A document of the topic, and one of its sentences."""


@dataclass(frozen=True)
class Made:
    """A question: the sentence of the effect, and the options, the right one first."""

    topic: str
    event: Place
    options: tuple[Place, ...]


@dataclass(frozen=True)
class Weighed:
    """What is known of one question.

    Attributes:
        event: How near the event stands to the passages of its topic that are left, and to those of another topic.
        near: How near each option stands to what they tell; the right one first.
        plausible: What the judge of causes makes of each.
    """

    topic: str
    event: tuple[float, float]
    near: tuple[float, ...]
    plausible: tuple[float, ...]


def main() -> None:
    """Makes the questions, weighs them and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments = parser.parse_args()
    topics: dict[str, list[EventDocument]] = defaultdict(list)
    for document in read_corpus(arguments.data, "eventstoryline"):
        topics[document.group].append(document)
    weighed = list(_weighed(topics))
    tuned = [one for one in weighed if int(one.topic) % 2 == 0]
    kept = [one for one in weighed if int(one.topic) % 2]
    figures = {f"{name}, set on": row for name, row in _rows(tuned)} | {
        f"{name}, set on": row for name, row in _fitted(tuned)
    }
    figures |= {f"{name}, kept": row for name, row in _rows(kept)}
    write_result(
        "accounts",
        command="python -m benchmarks.accounts",
        data="questions made from EventStoryLine 1.5 (CC BY 3.0), topics 1 to 35 with an odd number",
        baseline="the judge of causes by the words alone; a quarter of the questions by chance",
        columns=("nearest to what is told of the event", "most plausible by its words"),
        figures=figures,
        seed=SEED,
    )


def _rows(some: Sequence[Weighed]) -> Iterator[tuple[str, list[str]]]:
    columns: tuple[Callable[[Weighed], tuple[float, ...]], ...] = (lambda one: one.near, lambda one: one.plausible)
    yield (
        f"right of four, {len(some)} questions",
        [with_interval([_first(values(one)) for one in some], share_of("right", "all")) for values in columns],
    )
    gold = [place == 0 for one in some for place in range(len(one.near))]
    yield "AUROC", [f"{roc_auc_score(gold, [x for one in some for x in values(one)]):.3f}" for values in columns]
    for place, name in enumerate(("its topic", "another topic")):
        events = np.array([one.event[place] for one in some])
        yield f"median nearness of the event to documents of {name}", [f"{np.median(events):.3f}"]
        yield f"told of by documents of {name}", [f"{(events >= thresholds().account.about).mean():.3f}"]
    most = [max(one.near[1:] if number % 2 else one.near[:-1]) for number, one in enumerate(some)]
    none = np.array([value < thresholds().account.none_below for value in most])
    lacking = np.arange(len(some)) % 2 == 1
    title = "none of the others, right half of the time"
    yield f"{title}: recall", [f"{none[lacking].mean():.3f}"]
    yield f"{title}: precision", [f"{lacking[none].mean():.3f}" if none.any() else "none"]
    sure = np.array([max(share(value, one.near) for value in one.near) for one in some])
    right = np.array([one.near[0] == max(one.near) for one in some])
    half = np.argsort(-sure)[: len(some) // 2]
    yield "mean confidence, and right of four in the surer half", [f"{sure.mean():.3f}, {right[half].mean():.3f}"]
    yield "median of the largest nearness", [f"{np.median(most):.3f}"]


def _first(values: Sequence[float]) -> Counter[str]:
    """Whether the first is the largest; of equal ones, its share."""
    best = [place for place, value in enumerate(values) if value == max(values)]
    return Counter(right=round(1_000 / len(best)) if 0 in best else 0, all=1_000)


def _fitted(some: Sequence[Weighed]) -> Iterator[tuple[str, list[str]]]:
    """What turns nearness into probabilities, fitted on these questions."""
    near = np.array([one.near for one in some])
    gold = np.arange(near.shape[1]) == np.zeros((len(near), 1))
    line = LogisticRegression(C=1e4).fit(near.reshape(-1, 1), gold.ravel())
    yield "slope and constant", [f"{line.coef_[0, 0]:.2f}, {line.intercept_[0]:.2f}"]

    def entropy(sharpness: float) -> float:
        return float(-np.log(_shares(near, sharpness)[:, 0]).mean())

    yield "sharpness", [f"{minimize_scalar(entropy, bounds=(0.1, 100), method='bounded').x:.1f}"]


def _shares(near: NDArray[np.float64], sharpness: float) -> NDArray[np.float64]:
    weights = np.exp(sharpness * (near - near.max(axis=1, keepdims=True)))
    shares: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return shares


def _weighed(topics: dict[str, list[EventDocument]]) -> Iterator[Weighed]:
    encoder = load_encoder(Settings().encoder)
    judges = Judges()
    draw = random.Random(SEED)
    passages = {topic: _passages(documents, encoder) for topic, documents in sorted(topics.items())}
    for topic, documents in sorted(topics.items()):
        made = list(_made(topic, documents, draw))
        for one in draw.sample(made, min(len(made), _OF_A_TOPIC)):
            away = {number for number, _ in (one.event, *one.options)}
            left = [vector for number, vector in passages[topic] if number not in away]
            if len(left) < thresholds().account.passages:
                continue
            texts = [as_sentence(documents[number].sentences[place]) for number, place in (one.event, *one.options)]
            vectors = [encoder.encode_query(text)[0] for text in texts]
            of_event, *of_options = ({str(n): float(p @ vector) for n, p in enumerate(left)} for vector in vectors)
            other = draw.choice([name for name in sorted(passages) if name != topic])
            elsewhere = {str(n): float(p @ vectors[0]) for n, (_, p) in enumerate(passages[other])}
            yield Weighed(
                topic,
                (nearness(of_event, of_event), nearness(elsewhere, elsewhere)),
                tuple(nearness(of_option, of_event) for of_option in of_options),
                tuple(judges.causes([(text, texts[0]) for text in texts[1:]])),
            )
        print(f"topic {topic}: {len(made)} questions", flush=True)


def _passages(documents: Sequence[EventDocument], encoder: Encoder) -> list[tuple[int, Floats]]:
    """The vectors of all passages, each with the number of its document."""
    cutter, reader = PassageCutter(encoder), SentenceReader()
    found: list[tuple[int, str]] = []
    for number, document in enumerate(documents):
        text = " ".join(document.sentences)
        cut = cutter.cut("main", str(number), text, reader.read(text), [])
        found += [(number, text[one.start : one.end]) for one in cut]
    vectors = encoder.encode_passages([text for _, text in found])
    return [(number, vector) for (number, _), vector in zip(found, vectors, strict=True)]


def _made(topic: str, documents: Sequence[EventDocument], draw: random.Random) -> Iterator[Made]:
    for number, document in enumerate(documents):
        linked, causes = defaultdict(set), defaultdict(set)
        for (cause, _), (effect, _) in document.links:
            linked[cause].add(effect)
            linked[effect].add(cause)
            if cause != effect:
                causes[effect].add(cause)
        events = {place for place, _ in document.triggers}
        others = [
            (other, place)
            for other, one in enumerate(documents)
            if other != number
            for place in sorted({place for place, _ in one.triggers})
        ]
        for effect, of_it in sorted(causes.items()):
            right = (number, draw.choice(sorted(of_it)))
            wrong = [(number, place) for place in sorted(events - linked[effect] - {effect})]
            wrong += draw.sample(others, min(len(others), _ELSEWHERE))
            wrong = [place for place in wrong if _is_taken(documents, place)]
            if len(wrong) >= _WRONG and all(_is_taken(documents, place) for place in ((number, effect), right)):
                yield Made(topic, (number, effect), (right, *draw.sample(wrong, _WRONG)))


def _is_taken(documents: Sequence[EventDocument], place: Place) -> bool:
    text = documents[place[0]].sentences[place[1]]
    return len(text) in _LENGTH and not text.startswith("http")


if __name__ == "__main__":
    main()
