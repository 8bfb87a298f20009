"""Whole stores: copied into another, and examined. Which store, access and resolver work together is known here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from causetrail.parts import server_access
from causetrail.settings import Settings, load_settings
from kg.addresses import open_store

if TYPE_CHECKING:
    from kg.copying import CopyReport
    from kg.doctor import DoctorReport
    from kg.store import Progress


def copy_store(
    source: str,
    target: str,
    collections: Sequence[str] | None = None,
    *,
    adopt: bool = False,
    settings: Settings | None = None,
    progress: Progress | None = None,
) -> CopyReport:
    """Copies collections from one store into another, derives them there, and proves that both are alike.

    The target is made when there is none. A copy that was interrupted goes on when it is run again.

    Args:
        source: Address of the store that is copied.
        target: Address of the copy.
        collections: Names; all that hold documents or decisions when not given.
        adopt: Take a database that holds nodes of other programs under the labels of the graph.
        settings: All settings; from the environment and `causetrail.toml` when not given. A server on either side is
            reached as they say.
        progress: Called with a stage's name, what is done of it and how much there is.

    Raises:
        StoreError: one of them cannot be opened or written, or the target holds something else.
        StoreUnlike: the copy is not like the source.
        ArgumentInvalid: both addresses are the same, or the source does not hold a collection.
    """
    from extraction.resolution import EventResolver
    from kg.copying import copy

    settings = settings or load_settings()
    opened = partial(open_store, wait_seconds=settings.store_wait_seconds, lease_seconds=settings.lease_seconds)
    with (
        opened(source, access=server_access(settings)) as given,
        opened(target, access=server_access(settings, adopt=adopt), create=True) as made,
    ):
        return copy(given, made, collections, EventResolver(), progress)


def examine_store(address: str | None = None, *, settings: Settings | None = None) -> DoctorReport:
    """Examines a store and says what to do about what is wrong; nothing in it is changed.

    Args:
        address: Of a store that may not even be there; that of the settings when not given.
        settings: All settings; from the environment and `causetrail.toml` when not given.
    """
    from kg.doctor import examine

    settings = settings or load_settings()
    return examine(address or settings.store, server_access(settings), lease_seconds=settings.lease_seconds)
