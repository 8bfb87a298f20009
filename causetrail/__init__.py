"""Causetrail: ask why something happened, and get the sentences that prove it.

    from causetrail import Causetrail

    with Causetrail("sqlite:///trail.db") as trail:
        trail.ingest("reports/")
        print(trail.why("the footbridge closed").text)

The facade is loaded on first use, so that `causetrail.errors` and `causetrail.settings` stay light.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from causetrail.facade import Causetrail
    from causetrail.stores import copy_store, examine_store

__all__ = ["Causetrail", "__version__", "copy_store", "examine_store"]

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name == "Causetrail":
        from causetrail.facade import Causetrail

        return Causetrail
    if name in ("copy_store", "examine_store"):
        from causetrail import stores

        return getattr(stores, name)
    raise AttributeError(f"module 'causetrail' has no attribute {name!r}")
