"""List every event whose mentions stand in two or more of the investigation reports, to be read by a person.

    python -m benchmarks.cross_document_events --data ../shared/data

The reports are separate investigations, so most such merges would be wrong: the list is the measure.
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
            row: dict[str, object] = {
                "event": merge.event.id,
                "kind": merge.event.kind,
                "reasons": list(merge.reasons),
                "mentions": [
                    {
                        "document": Path(trail.document(m.document_id).sources[0]).name,
                        "text": m.text,
                        "sentence": trail.text(m.document_id)[m.sentence_start : m.sentence_end],
                    }
                    for m in mentions
                ],
            }
            rows.append(row)
            print(row)
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
