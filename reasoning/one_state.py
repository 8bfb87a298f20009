"""Work that must see one state of the graph, on stores that keep old states and on those that do not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeVar

from causetrail.errors import SnapshotLost
from kg.store import GraphStore

Made = TypeVar("Made")

SNAPSHOTS: Final = 5
"""How often it is done anew when the graph changes meanwhile, on a store that keeps no old states."""


def from_one_state(store: GraphStore, work: Callable[[], Made]) -> Made:
    """What the work gives when the graph does not change while it reads.

    Raises:
        SnapshotLost: the graph changed each time.
    """
    for _ in range(SNAPSHOTS - 1):
        with suppress(SnapshotLost), store.snapshot():
            return work()
    with store.snapshot():
        return work()
