import pytest

from kg.records import Document, Resolution
from language.question_times import question_time
from traversal.time_fit import TimeFit, moment_of, time_fit

JANUARY, MARCH = ("2024-01-17T00:00:00Z", "2024-01-18T00:00:00Z"), ("2024-03-12T00:00:00Z", "2024-03-13T00:00:00Z")


def document(published):
    return Document(
        id="d1", collection="main", sources=("a.md",), doc_title="A", published=published and f"{published}T00:00:00Z",
        published_resolution=Resolution.DAY if published else None, media_type="text/plain", language="en", length=1,
        pages=(), sha256="0" * 64, normaliser="n", extraction="e",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("time", "resolution", "published", "asked", "fit"),
    [
        (MARCH, Resolution.DAY, None, "in March 2024", TimeFit.INSIDE),
        (MARCH, Resolution.DAY, None, "in March", TimeFit.INSIDE),
        (MARCH, Resolution.DAY, None, "on 12 March", TimeFit.INSIDE),
        (JANUARY, Resolution.DAY, "2024-03-12", "in March", TimeFit.OUTSIDE),
        (("2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z"), Resolution.YEAR, None, "in March", TimeFit.UNKNOWN),
        (None, None, "2024-03-20", "in March 2024", TimeFit.PUBLISHED),
        (None, None, "2023-12-01", "in March 2024", TimeFit.OUTSIDE),
        (None, None, "2024-12-01", "in March 2024", TimeFit.UNKNOWN),
        (None, None, None, "in March 2024", TimeFit.UNKNOWN),
        (JANUARY, Resolution.DAY, None, "", TimeFit.INSIDE),
        (None, None, None, "the latest", TimeFit.INSIDE),
    ],
)
def test_fit(event, time, resolution, published, asked, fit):
    happening = event("a", time=time).model_copy(update={"time_resolution": resolution})
    assert time_fit(happening, [document(published)], question_time(f"the failure {asked}")) is fit


def test_events_are_ordered_by_their_own_time_or_by_publication(event):
    assert moment_of(event("a", time=MARCH), [document("2020-01-01")]) == MARCH[0]
    assert moment_of(event("a"), [document("2020-01-01"), document("2021-01-01")]) == "2021-01-01T00:00:00Z"
    assert moment_of(event("a"), [document(None)]) == ""
