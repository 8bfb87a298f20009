from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from language.sentences import SentenceReader
from language.times import TimeExpression, TimeInterval, TimeReader

READER = SentenceReader()
PUBLISHED = TimeInterval("2014-03-10T00:00:00Z", "2014-03-11T00:00:00Z", "day")  # a Monday


def read(text: str, published: TimeInterval | None = PUBLISHED) -> list[TimeExpression]:
    reader = TimeReader(published)
    return [found for sentence in READER.read(text) for found in reader.read(sentence)]


def told(text: str, published: TimeInterval | None = PUBLISHED) -> list[tuple[str, str, str, str]]:
    """Words, first minute, one past the last minute, resolution."""
    return [
        (" ".join(one.text.split()), one.interval.start[:16], one.interval.end[:16], one.interval.resolution)
        for one in read(text, published)
    ]


@pytest.mark.parametrize(
    ("text", "start", "end", "resolution"),
    [
        ("It broke on 2 March 2014.", "2014-03-02T00:00", "2014-03-03T00:00", "day"),
        ("It broke on March 2nd, 2014.", "2014-03-02T00:00", "2014-03-03T00:00", "day"),
        ("It broke on Sunday, 2\nMarch 2014.", "2014-03-02T00:00", "2014-03-03T00:00", "day"),
        ("It broke on 2014-03-02.", "2014-03-02T00:00", "2014-03-03T00:00", "day"),
        ("It broke on 14/3/2014.", "2014-03-14T00:00", "2014-03-15T00:00", "day"),
        ("It broke at 2014-03-02T14:32:05+13:00.", "2014-03-02T01:32", "2014-03-02T01:32", "second"),
        ("It broke on 2 March 2014 at 18:40.", "2014-03-02T18:40", "2014-03-02T18:41", "minute"),
        ("At 2245 on Tuesday 15 October 2019 it broke.", "2019-10-15T22:45", "2019-10-15T22:46", "minute"),
        ("On 2 March 2014 at 6.40 pm NZDT it broke.", "2014-03-02T05:40", "2014-03-02T05:41", "minute"),
        ("On 2 March 2014 at about 0530 it broke.", "2014-03-02T05:15", "2014-03-02T05:45", "hour"),
        ("In the early hours of 3 May 2010 it broke.", "2010-05-03T00:00", "2010-05-03T06:00", "part_of_day"),
        ("It broke in March 2011.", "2011-03-01T00:00", "2011-04-01T00:00", "month"),
        ("It broke in the third quarter of 2014.", "2014-07-01T00:00", "2014-10-01T00:00", "quarter"),
        ("In 2014 it broke.", "2014-01-01T00:00", "2015-01-01T00:00", "year"),
        ("It broke in the 1990s.", "1990-01-01T00:00", "2000-01-01T00:00", "decade"),
        ("Between 2 and 5 March 2014 it broke.", "2014-03-02T00:00", "2014-03-06T00:00", "range"),
        ("Between 21 June 2008 and 7 May 2009 it broke.", "2008-06-21T00:00", "2009-05-08T00:00", "range"),
        ("From 2005 until 2010 it broke.", "2005-01-01T00:00", "2011-01-01T00:00", "range"),
        ("It rained March-May 2011.", "2011-03-01T00:00", "2011-06-01T00:00", "range"),
        ("It rained from November to January 2011.", "2010-11-01T00:00", "2011-02-01T00:00", "range"),
        ("It broke on 02/03/2014.", "2014-02-03T00:00", "2014-03-03T00:00", "range"),
        ("Yesterday it broke.", "2014-03-09T00:00", "2014-03-10T00:00", "day"),
        ("It broke last Tuesday.", "2014-03-04T00:00", "2014-03-05T00:00", "day"),
        ("It broke two days ago.", "2014-03-08T00:00", "2014-03-09T00:00", "day"),
        ("It broke last month.", "2014-02-01T00:00", "2014-03-01T00:00", "month"),
        ("On 5 February it broke.", "2014-02-05T00:00", "2014-02-06T00:00", "day"),
        ("In December it broke.", "2013-12-01T00:00", "2014-01-01T00:00", "month"),
    ],
)
def test_one_time(text: str, start: str, end: str, resolution: str) -> None:
    ((_, first, after, known),) = told(text)
    assert (first, after, known) == (start, end, resolution)


def test_prepositions_are_not_part_of_the_words() -> None:
    text = "In 2014 it rained. In March it broke. On Monday it ended. The 1906 earthquake. (2005) By 2009."
    assert [words for words, *_ in told(text)] == ["2014", "March", "Monday", "1906", "2005", "2009"]


def test_a_date_without_a_year_is_near_the_news_and_with_the_report() -> None:
    assert [start for _, start, *_ in told("It pays on April 5. It broke on December 5.")] == [
        "2014-04-05T00:00",
        "2013-12-05T00:00",
    ]
    assert [start for _, start, *_ in told("It broke on 2 March 2008. On 5 April it closed.")][1:] == [
        "2008-04-05T00:00"
    ]


def test_relative_times_count_from_the_time_told_last() -> None:
    text = (
        "The dam broke on 2 March 2013. Three days later it rained. That evening the mill burned. The next morning it "
        "stopped. At 1432 the pump failed. Within the hour the mine flooded. The following week it was pumped out. "
        "Two years later it closed."
    )
    assert [(words, start, resolution) for words, start, _, resolution in told(text)] == [
        ("2 March 2013", "2013-03-02T00:00", "day"),
        ("Three days later", "2013-03-05T00:00", "day"),
        ("That evening", "2013-03-05T17:00", "part_of_day"),
        ("The next morning", "2013-03-06T04:00", "part_of_day"),
        ("1432", "2013-03-06T14:32", "minute"),
        ("Within the hour", "2013-03-06T14:32", "hour"),
        ("The following week", "2013-03-11T00:00", "week"),
        ("Two years later", "2015-01-01T00:00", "year"),
    ]


def test_a_comparison_does_not_move_the_story() -> None:
    text = "On 2 March 2013 it broke, not a year earlier, nor a year earlier. The next day it was mended."
    assert [start[:10] for _, start, *_ in told(text)] == ["2013-03-02", "2012-01-01", "2012-01-01", "2013-03-03"]


def test_the_next_day_after_a_month_is_not_guessed() -> None:
    assert [
        words for words, *_ in told("It began in March 2011. The next day it ended. Three days later it began.")
    ] == ["March 2011"]


@pytest.mark.parametrize(
    "text",
    [
        "At 14:32 it broke.",
        "Yesterday it broke.",
        "The next day it broke.",
        "It broke last Tuesday.",
        "On 5 May it broke.",
        "In March it broke.",
        "Three days later it broke.",
        "That evening it broke.",
    ],
)
def test_a_time_that_nothing_settles_is_left_out(text: str) -> None:
    assert told(text, None) == []


@pytest.mark.parametrize(
    "text",
    [
        "There were 2014 passengers.",
        "See report 10-009 and 2014-102.",
        "It fell to 2000 feet in 1500 m of water.",
        "It broke on 31 February 2014.",
        "It may fail, and they march on.",
        "Version 3.4.2 of part 1.2.3 weighs 12.30 kg.",
        "Call 04 473 3112.",
        "It cost 3,200 dollars at 14.5 percent.",
        "Of 2014 passengers 12 died.",
    ],
)
def test_numbers_that_are_no_times(text: str) -> None:
    assert told(text) == []


def test_clock_times_need_a_day() -> None:
    text = "At 14:30 it began. On 2 March 2013 it broke. At 14:32 it flooded. By 2302 it was over."
    assert [(words, start) for words, start, *_ in told(text)] == [
        ("2 March 2013", "2013-03-02T00:00"),
        ("14:32", "2013-03-02T14:32"),
        ("2302", "2013-03-02T23:02"),
    ]


def test_a_coarse_publication_date_settles_no_day() -> None:
    month = TimeInterval("2014-03-01T00:00:00Z", "2014-04-01T00:00:00Z", "month")
    assert told("Yesterday it broke. Last Tuesday it rained.", month) == []


PIECES = st.sampled_from(
    [
        "On 2 March 2014",
        "at 14:32",
        "three days later",
        "the next morning",
        "in the 1990s",
        "99 years earlier",
        "2999",
        "in 1000",
        "31 December 2999",
        "that evening",
        "between 5 and 3 May 2010",
        "from 2010 to 2005",
        "overnight",
        "tomorrow",
        "at 24:00",
        "2359 hours",
        "midnight",
        "0/0/2000",
        "ago",
        "1000-01-01",
        "999 years later",
        "900 months earlier",
        "29 February 2013",
        "13/13/2013",
        "25:61",
        "last week",
        "UTC+99",
        ". It was",
        ", ",
        "Friday",
    ]
)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=8).map(" ".join)), st.sampled_from([None, PUBLISHED]))
@example("1 January 1000. The previous day it began. 31 December 2999. The next day it ended.", None)
@example("On 2999-12-31 at 23:59 UTC-11 it broke. On 1000-01-01T00:00:00+12:00 it began.", None)
def test_every_time_is_exact_and_well_formed(text: str, published: TimeInterval | None) -> None:
    position = 0
    for found in read(text, published):
        assert text[found.start : found.end] == found.text
        assert found.start >= position
        position = found.end
        assert found.interval.start < found.interval.end
        assert all(len(moment) == 20 and moment.endswith("Z") for moment in (found.interval.start, found.interval.end))
        assert "1000" <= found.interval.start[:4] <= "2999"
