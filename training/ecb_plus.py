"""ECB+ (Cybulska and Vossen 2014) as it is published: the files of its archive, and what may be learned from."""

from __future__ import annotations

import csv
import io
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ECB_PLUS: Final = "eventstoryline/ecbplus.tar.gz"
TEST: Final = frozenset(str(topic) for topic in range(36, 46))
"""Topics that are measured on, and nothing else; in EventStoryLine, which annotates the same documents, too."""
NEGATED: Final = "NEG_ACTION"
"""How the tags of events begin that did not happen."""
ACTIONS: Final = ("ACTION", NEGATED)
"""How the tags of all events begin, in EventStoryLine too."""
_VALIDATED: Final = "ECBplus_coreference_sentences.csv"


def members(archive: Path) -> Iterator[tuple[Path, bytes]]:
    """The files of an archive by name, with what they hold."""
    with tarfile.open(archive) as files:
        for member in sorted(files.getmembers(), key=lambda one: one.name):
            stream = files.extractfile(member) if member.isfile() else None
            if stream is not None:
                yield Path(member.name), stream.read()


def validated_sentences(files: Mapping[Path, bytes]) -> dict[str, set[int]]:
    """Of each document, by the stem of its file, the sentences whose events are all annotated."""
    listed: dict[str, set[int]] = {}
    table = next(content for path, content in files.items() if path.name == _VALIDATED)
    for row in csv.DictReader(io.StringIO(table.decode("utf-8-sig"))):
        listed.setdefault(f"{row['Topic']}_{row['File']}", set()).add(int(row["Sentence Number"]))
    return listed
