"""How sure a claim must be: the points from strict to generous that the setting `strictness` names."""

from __future__ import annotations

from typing import Final, NamedTuple


class Strictness(NamedTuple):
    """One point.

    Attributes:
        floor: Least confidence of a claim.
        everywhere: Whether the learned heads read every sentence, and so find claims of their own; else they only judge
            the causes that the rules find.
        events: Whether events that nothing in the text links are linked where that is likely enough; only `everywhere`.
    """

    floor: float
    everywhere: bool
    events: bool = False


STRICTNESS: Final = {
    "strict": Strictness(floor=0.7, everywhere=False),
    "precise": Strictness(floor=0.45, everywhere=False),
    "balanced": Strictness(floor=0.45, everywhere=True),
    "generous": Strictness(floor=0.25, everywhere=True, events=True),
}
"""The points by name; `benchmarks.causal_news_corpus` and `benchmarks.meci` measure precision and recall of each."""
ALL: Final = Strictness(floor=0.0, everywhere=True)
"""Everything that is found, however unlikely: what the points are compared with."""
