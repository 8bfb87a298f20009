"""What plausibility and retrieval are worth in the score of a premise: α and β of `abductive`.

    python -m benchmarks.premise_weights [--data ../shared/data] [--most N]

A premise says that one happening led to another where no sentence states it. Texts whose causal links people marked
across sentences tell which premises are right: for a sentence with an effect, every other sentence with an event is a
candidate, and right are those with a marked cause. Candidates are told and judged as `reasoning.abduction` does. The
figures are set on the topics of EventStoryLine at even places; those at odd places, and MECI's dev part, say what they
are worth elsewhere. Beside the scores stand the candidate that is told nearest before the effect, the nearest of those
that are plausible enough to be assumed, and one taken by chance. Intervals are 95 % ones over effects
drawn with replacement.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.bootstrap import SEED, share_of, with_interval
from benchmarks.results import write_result
from causetrail.settings import Settings
from kg.encoding import Encoder
from kg.records import Event, Modality, Polarity
from models.encoder import load_encoder
from models.judges import Judges
from reasoning.thresholds import thresholds
from reasoning.wording import premise_told
from training.event_sets import EventDocument, of_passage, read_corpus

_LONGEST: Final = 60
"""Most words of a sentence: longer ones are tables and lists of names."""
_FEWEST: Final = 3
"""Candidates of an effect."""
_MOST: Final = 10
_WINDOW: Final = 3
"""Sentences of a passage."""
_ALPHAS: Final = (0.0, 0.02, 0.05, *(round(0.1 * step, 1) for step in range(1, 11)))
TUNED, OTHER_TOPICS, ACCIDENTS = "EventStoryLine, tuned on", "EventStoryLine, other topics", "MECI dev"


class Effect(NamedTuple):
    """A sentence with an effect.

    Attributes:
        document: Place of its document.
        sentence: Its place there.
        candidates: Places of the sentences that may have told the cause.
        right: Those that do.
    """

    document: int
    sentence: int
    candidates: tuple[int, ...]
    right: frozenset[int]


class Candidate(NamedTuple):
    """One premise, judged.

    Attributes:
        plausibility: Of the judge of causes.
        retrieval: How much the nearest passage helps to tell of it.
        before: How many sentences it stands before the effect; below 0 behind it.
        right: Whether it tells a marked cause.
    """

    plausibility: float
    retrieval: float
    before: int
    right: bool

    def score(self, alpha: float) -> float:
        """α · plausibility + (1 - α) · retrieval."""
        return alpha * self.plausibility + (1 - alpha) * self.retrieval


def main() -> None:
    """Judges all premises, sets the weights, and stores the result."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--most", type=int, default=150, metavar="N", help="effects of one set")
    arguments = parser.parse_args()
    judges = Judges()
    encoder = load_encoder(Settings().encoder)
    judged = {
        name: judged_effects(documents, judges, encoder, arguments.most)
        for name, documents in _sets(arguments.data).items()
    }
    set_on = judged[TUNED]
    best = max(_ALPHAS, key=lambda alpha: (_hits(set_on, alpha), alpha))
    figures: dict[str, list[str]] = {}
    in_use = thresholds().abduction.alpha
    for title, alpha in {**{f"α {one:g}": one for one in _ALPHAS}, f"α {in_use:g}, in use": in_use}.items():
        figures[f"the best premise is right, {title}"] = [
            _told(some, lambda one, alpha=alpha: one.score(alpha))  # type: ignore[misc]
            for some in judged.values()
        ]
    figures["the one told nearest before the effect is right"] = [_told(some, _nearness) for some in judged.values()]
    least = thresholds().abduction.least
    figures[f"the nearest with a plausibility of at least {least:g} is right"] = [
        _told(some, lambda one: (one.plausibility >= least, _nearness(one))) for some in judged.values()
    ]
    figures["a sentence by chance is right"] = [
        f"{np.mean([np.mean([one.right for one in found]) for found in some]):.3f}" for some in judged.values()
    ]
    figures["α with most right premises, where it is set"] = [f"{best:g}", "", ""]
    write_result(
        "premise_weights",
        command=f"python -m benchmarks.premise_weights --most {arguments.most}",
        data="; ".join(f"{name}, {len(some)} effects" for name, some in judged.items())
        + f"; judged by {judges.fingerprint}",
        baseline="the sentence just before the effect; a sentence by chance; plausibility alone (α 1)",
        columns=tuple(judged),
        figures=figures,
        seed=SEED,
    )


def _sets(data: Path) -> dict[str, list[EventDocument]]:
    news = read_corpus(data, "eventstoryline")
    topics = sorted({one.group for one in news})
    lines = (data / "meci/meci_en_dev.jsonl").read_text("utf-8").splitlines()
    return {
        TUNED: [one for one in news if topics.index(one.group) % 2 == 0],
        OTHER_TOPICS: [one for one in news if topics.index(one.group) % 2],
        ACCIDENTS: [of_passage(json.loads(line)) for line in lines],
    }


def judged_effects(
    documents: Sequence[EventDocument], judges: Judges, encoder: Encoder, most: int
) -> list[list[Candidate]]:
    """The premises of some effects, as the program judges them among the passages of all these documents."""
    effects = list(effects_of(documents))
    random.Random(SEED).shuffle(effects)
    passages = [text for document in documents for text in _passages(document)]
    vectors = np.asarray(encoder.encode_passages(passages), dtype=np.float32)
    told = []
    for effect in effects[:most]:
        then = _event(documents[effect.document].sentences[effect.sentence])
        found = []
        for place in effect.candidates:
            first = _event(documents[effect.document].sentences[place])
            premise = premise_told(first, then)
            (plausibility,) = judges.causes([(first.description, then.description)])
            nearest = passages[_nearest(vectors, encoder, premise)]
            (retrieval,) = judges.relevance(premise, [nearest])
            found.append(Candidate(plausibility, retrieval, effect.sentence - place, place in effect.right))
        told.append(found)
    return told


def effects_of(documents: Sequence[EventDocument]) -> Iterator[Effect]:
    """The effects that have a cause marked in another sentence, with at most so many candidates, drawn by a seed."""
    for number, document in enumerate(documents):
        causes: dict[int, set[int]] = defaultdict(set)
        for (cause, _), (effect, _) in document.links:
            if cause != effect:
                causes[effect].add(cause)
        short = {place for place, text in enumerate(document.sentences) if len(text.split()) <= _LONGEST}
        for effect, found in sorted(causes.items()):
            told = sorted({place for place, _ in document.triggers} & short - {effect})
            right = sorted(found & {*told})
            if effect not in short or not right or len(told) < _FEWEST:
                continue
            draw = random.Random(f"{SEED} {number} {effect}")
            others = [place for place in told if place not in found]
            kept = right[: _MOST // 2]
            kept += draw.sample(others, min(len(others), _MOST - len(kept)))
            yield Effect(number, effect, tuple(sorted(kept)), frozenset(right))


def _passages(document: EventDocument) -> Iterator[str]:
    sentences = [" ".join(" ".join(text.split()[:_LONGEST]).split()) for text in document.sentences]
    for start in range(0, len(sentences), _WINDOW):
        yield " ".join(sentences[start : start + _WINDOW])


def _event(sentence: str) -> Event:
    """A happening that is described by its sentence."""
    return Event(
        id="e" + "0" * 16,
        collection="main",
        description=" ".join(sentence.split()),
        kind="occurrence",
        polarity=Polarity.AFFIRMED,
        modality=Modality.ACTUAL,
        time_start=None,
        time_end=None,
        time_resolution=None,
        mention_count=1,
        document_count=1,
    )


def _nearest(vectors: NDArray[np.float32], encoder: Encoder, query: str) -> int:
    return int((vectors @ encoder.encode_query(query)[0]).argmax())


def _nearness(one: Candidate) -> float:
    """The nearest before the effect first, then those behind it."""
    return 1 / one.before if one.before > 0 else one.before - 1.0


def _hits(effects: Iterable[Sequence[Candidate]], alpha: float) -> int:
    return sum(max(found, key=lambda one: one.score(alpha)).right for found in effects)


def _told(effects: Sequence[Sequence[Candidate]], rank: Callable[[Candidate], Any]) -> str:
    rows = [Counter(right=int(max(found, key=rank).right), all=1) for found in effects]
    return with_interval(rows, share_of("right", "all"))


if __name__ == "__main__":
    main()
