"""The jars of the test server and the Java that runs them."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

from filelock import FileLock

POM = Path(__file__).with_name("pom.xml")
CACHE = Path(__file__).parents[2] / ".cache" / "neo4j"
OLDEST_JAVA = 17


class ArtifactsMissing(Exception):
    """The server cannot be run from its jars; the message says what is missing and what to install."""


def java() -> Path:
    """The Java of JAVA_HOME, or else of the path.

    Raises:
        ArtifactsMissing: there is none, or it is too old.
    """
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin") if home else shutil.which("java")
    advice = "install one (Debian and Ubuntu: apt install openjdk-17-jre-headless maven)"
    if found is None:
        raise ArtifactsMissing(f"there is no Java {OLDEST_JAVA}: {advice}")
    told = subprocess.run([found, "-version"], capture_output=True, text=True, check=False).stderr
    version = re.search(r'version "(\d+)', told)
    if version is None or int(version[1]) < OLDEST_JAVA:
        raise ArtifactsMissing(f"{found} is not Java {OLDEST_JAVA} or later: {advice}")
    return Path(found)


def jars() -> Path:
    """The folder of the jars that the pom names, and of all that these need; fetched by Maven when the pom changed.

    Raises:
        ArtifactsMissing: they were not fetched before, and there is no Maven, or it cannot fetch them.
    """
    lib = CACHE / "lib"
    stamp = lib / "pom.sha256"
    wanted = hashlib.sha256(POM.read_bytes()).hexdigest()
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / "lib.lock"):
        if stamp.is_file() and stamp.read_text() == wanted:
            return lib
        maven = shutil.which("mvn")
        if maven is None:
            raise ArtifactsMissing("there is no Maven to fetch the server: install one (apt install maven)")
        fresh = CACHE / "lib.new"
        shutil.rmtree(fresh, ignore_errors=True)
        goal = [maven, "-B", "-q", "-f", str(POM), "dependency:copy-dependencies", "-DincludeScope=runtime"]
        done = subprocess.run(
            [*goal, f"-DoutputDirectory={fresh}"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise ArtifactsMissing(f"Maven could not fetch the server:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        (fresh / stamp.name).write_text(wanted)
        shutil.rmtree(lib, ignore_errors=True)
        fresh.rename(lib)
    return lib
