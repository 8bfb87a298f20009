"""List every event whose mentions stand in two or more of the investigation reports, to be read by a person.

    python -m benchmarks.cross_document_events --data ../shared/data

The reports are separate investigations, so most such merges would be wrong: the list is the measure. Sentences are
printed; stored is where they stand.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from benchmarks.results import write_result
from causetrail import Causetrail


def main() -> None:
    """Ingest the reports, list the events that span two of them with the sentences of all their mentions."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    data: Path = arguments.parse_args().data
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder, Causetrail(f"sqlite:///{folder}/reports.db") as trail:
        trail.ingest(data / "reports")
        for merge in trail.merges(across_documents=True):
            mentions = trail.mentions_of_event(merge.event.id)
            names = [Path(trail.document(mention.document_id).sources[0]).name for mention in mentions]
            rows.append(
                {
                    "kind": merge.event.kind,
                    "reasons": list(merge.reasons),
                    "mentions": [f"{name}:{m.start}-{m.end}" for name, m in zip(names, mentions, strict=True)],
                }
            )
            print(f"\n{merge.event.kind}: {'; '.join(merge.reasons)}")
            for name, mention in zip(names, mentions, strict=True):
                sentence = trail.text(mention.document_id)[mention.sentence_start : mention.sentence_end]
                print(f"  {name}: [{mention.text}] in: {' '.join(sentence.split())}")
        counts = trail.counts()
    write_result(
        "cross_document_events",
        command="python -m benchmarks.cross_document_events --data ../shared/data",
        data="the 26 investigation reports",
        baseline="separate investigations: no event should span two reports unless both tell of the same happening",
        figures={"events": counts.events, "events that span two reports": len(rows)},
        rows=rows,
    )


if __name__ == "__main__":
    main()
