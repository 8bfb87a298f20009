"""Connected components, named by their least member."""

from __future__ import annotations

from collections.abc import Iterable


def connected(names: Iterable[str], pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """For each name the least name that it is connected with over the pairs; its own where it stands alone."""
    least: dict[str, str] = {name: name for name in names}

    def find(name: str) -> str:
        while least[name] != name:
            least[name] = least[least[name]]
            name = least[name]
        return name

    for a, b in pairs:
        low, high = sorted((find(a), find(b)))
        least[high] = low
    return {name: find(name) for name in least}
