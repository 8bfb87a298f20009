"""The options that every command of the command line understands, before or behind its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from causetrail.facade import Causetrail

VALUED = ("--store", "--collection")
FLAGS = ("--json", "--debug")


@dataclass(frozen=True, slots=True)
class Options:
    """What was said before or behind the name of the command.

    Attributes:
        store: Address of the store; none takes the setting.
        collection: Name of the collection; none takes the setting.
        json: Records for programs instead of lines for people.
        debug: Stack traces for errors.
    """

    store: str | None = None
    collection: str | None = None
    json: bool = False
    debug: bool = False

    def open(self, **settings: object) -> Causetrail:
        """The facade for these options; `settings` go over the environment and the file."""
        from causetrail.facade import Causetrail
        from causetrail.settings import load_settings

        return Causetrail(
            settings=load_settings(store=self.store, collection=self.collection, **settings),
        )


def to_front(arguments: Sequence[str]) -> list[str]:
    """The arguments with the options of every command moved to the front, in their order.

    What stands behind `--` stays where it is, so that a question can be any text.
    """
    front: list[str] = []
    rest: list[str] = []
    waiting = list(arguments)
    while waiting:
        argument = waiting.pop(0)
        if argument == "--":
            rest += [argument, *waiting]
            break
        if argument in FLAGS or argument.startswith(tuple(f"{option}=" for option in VALUED)):
            front.append(argument)
        elif argument in VALUED:
            front += [argument, *waiting[:1]]
            del waiting[:1]
        else:
            rest.append(argument)
    return front + rest
