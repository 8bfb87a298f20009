"""What the tests of the deployment share: the resolved compose file, and the service installed as its image has it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.deployment.dockerfile import ROOT, instructions
from tests.neo4j.server import PASSWORD
from tests.neo4j.starting import skip_unless_required

KEY = "a key for tests"
GIVEN = {"CAUSETRAIL_NEO4J_PASSWORD": PASSWORD, "CAUSETRAIL_API_KEY": KEY}


@pytest.fixture(scope="session")
def compose() -> list[str]:
    """The command of Docker Compose, plugin or program; it needs no engine to read a file."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            told = subprocess.run([*command, "version"], capture_output=True, check=False)
            if told.returncode == 0:
                return command
    return skip_unless_required("no Docker Compose: install it (Debian and Ubuntu: apt install docker-compose)")


@pytest.fixture(scope="session")
def composed(compose: list[str]) -> dict[str, Any]:
    """The services as Docker Compose understands them."""
    done = subprocess.run(
        [*compose, "config"], cwd=ROOT, env=os.environ | GIVEN, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    # A dollar is doubled in what is printed, so that it could be read again.
    return dict(yaml.safe_load(done.stdout.replace("$$", "$"))["services"])


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program installed as the Dockerfile does, from what .dockerignore lets through, in a folder of its own.

    Only what it depends on is left out: the tests' own environment has it, from the same constraints.
    """
    from docker.utils.build import exclude_paths

    source = tmp_path_factory.mktemp("context") / "source"
    patterns = [line for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
    for name in exclude_paths(str(ROOT), patterns):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name)
    target = source.with_name("installed")
    (run,) = [rest for word, rest in instructions() if word == "RUN" and "&& pip install " in rest]
    _, _, command = run.partition("&& pip install ")
    done = subprocess.run(
        f"{sys.executable} -m pip install --no-deps --target {target} {command}",
        shell=True,
        cwd=source,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return target
