"""Run as a program: copies one store into another, and kills itself at a moment of it.

python -m tests.kg.killed_copy SOURCE TARGET STAGE MOMENT
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from kg.copying import copy
from kg.records import Decision, Mention
from kg.resolution import Resolved
from tests.conformance.material import ByName, open_at

_ROOT = Path(__file__).parents[2]


def copy_and_die(source: str, target: str, stage: str, moment: int) -> None:
    """Copies in a process that is killed when a stage is at a moment; tells whether it really was."""
    command = [sys.executable, "-m", "tests.kg.killed_copy", source, target, stage, str(moment)]
    killed = subprocess.run(command, cwd=_ROOT, env={**os.environ, "PYTHONPATH": str(_ROOT)}, check=False)
    assert killed.returncode == -signal.SIGKILL


def _main(source: str, target: str, stage: str, moment: str) -> None:
    def kill(at: str, done: int, total: int) -> None:
        if at == stage and done >= int(moment):
            os.kill(os.getpid(), signal.SIGKILL)

    class Killed(ByName):
        def resolve(self, mentions: Sequence[Mention], decisions: Sequence[Decision]) -> Resolved:
            kill("resolve", 1, 1)
            return super().resolve(mentions, decisions)

    with open_at(source) as store, open_at(target, create=True) as copied:
        copy(store, copied, None, Killed(), kill)


if __name__ == "__main__":
    _main(*sys.argv[1:])
