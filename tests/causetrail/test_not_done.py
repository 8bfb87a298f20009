"""What somebody considers, is asked for, or did otherwise is not told as done; what a denial takes as given is."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Alone = Callable[[str], Causetrail]
CONSIDERED = "The firm is considering closing its Porto office because rents have doubled."
ASKED = "The regulator has been asked to withdraw the licence of Tarn Water because of repeated spills."
COW = "The great fire of Lorne was not started by a cow."
FREE = "The water in the well tested free of arsenic. Drinking water tested clean."
NEITHER = "Neither the storm nor the tide caused the wall to give way; its foundations had rotted."
UNLIKE = "Unlike the Oslo delay, which was caused by ice, the Bergen delay was caused by a strike."
SHARES = "Most of the losses were due to hail and a few to mildew."
DOSES = "Doses that had been filled before August were not affected."
WOLVES = "Wolves were said to have entered villages."
FRAUD = "The bank failed to detect the fraud because its software was switched off."
MILL = "The Tolland mill was destroyed by fire. The Pell mill survived. Both had been built by the Ashdown brothers."
BAN = "Residents had asked for a parking ban in 2019. After the accident the council banned parking on the street."
PATIENTS = (
    "A review found that the patient died because staff had not noticed a perforated bowel. "
    "Another patient on the same ward died of pneumonia in the same week."
)
VAN = "The scaffold collapsed onto a parked van. Nobody was in the van. No injuries were reported."
FILTER = "The mould had grown because a filter had not been changed for two years."
OVERHEATING = "Overheating contributed to the battery fire, but the main cause was a defect in the separator."
BARN = "Lightning struck the barn of the Olsens but did not set it on fire."
MINISTER = "Opposition leaders had demanded that the minister resign. A doctor suggested that a gas leak was to blame."
SUPPOSED = "The wall was supposed to stop the mudslide. It was washed away."
YES, NO = frozenset({Verdict.SUPPORTED}), frozenset({Verdict.CONTRADICTED})
OPEN = frozenset({Verdict.INSUFFICIENT, Verdict.HYPOTHESISED})


@pytest.mark.parametrize(
    ("text", "question", "verdicts"),
    [
        (CONSIDERED, "Did the firm close its Porto office?", OPEN),
        (CONSIDERED, "Why did the firm close its Porto office?", OPEN),
        (CONSIDERED, "Why is the firm considering closing its Porto office?", YES),
        (ASKED, "Was the licence withdrawn?", OPEN),
        (ASKED, "Why was the licence withdrawn?", OPEN),
        (COW, "Was there a great fire in Lorne?", YES),
        (COW, "Did a cow start the great fire of Lorne?", NO),
        (FREE, "Was there arsenic in the well?", NO),
        (FREE, "Was there lead in the drinking water?", OPEN),
        (NEITHER, "Had the foundations rotted?", YES),
        (UNLIKE, "Did a strike cause the Oslo delay?", OPEN),
        (UNLIKE, "What caused the Oslo delay?", YES),
        (SHARES, "Did mildew cause most of the losses?", OPEN),
        (SHARES, "Did hail cause most of the losses?", YES),
        (DOSES, "Were doses filled before August affected?", NO),
        (WOLVES, "Did wolves enter villages?", OPEN),
        (FRAUD, "Did the bank fail?", OPEN),
        (FRAUD, "Did the bank detect the fraud?", NO),
        (MILL, "Who built the Tolland mill?", OPEN),
        (BAN, "Did the council ban parking in 2019?", OPEN),
        (BAN, "Did the council ban parking?", YES),
        (VAN, "Was anyone in the van?", NO),
        (VAN, "Was anyone injured?", NO),
        (FILTER, "What had not been changed?", YES),
        (OVERHEATING, "What was the main cause of the battery fire?", OPEN),
        (BARN, "Did lightning set the barn of the Olsens on fire?", NO),
        (BARN, "Did the Olsens' barn burn down?", NO),
        (BARN, "Did lightning strike the barn of the Olsens?", YES),
        (MINISTER, "Did the minister resign?", OPEN),
        (MINISTER, "Was there a gas leak?", OPEN),
        (SUPPOSED, "What stopped the mudslide?", OPEN),
    ],
)
def test_what_is_told_as_done(alone: Alone, text: str, question: str, verdicts: frozenset[Verdict]) -> None:
    told = alone(text).ask(question)
    assert told.verdict in verdicts, told.text


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        ("Why did the patient die?", "perforated bowel", "pneumonia"),
        ("Why did the other patient die?", "pneumonia", "perforated bowel"),
    ],
)
def test_another_patient_is_not_the_patient(alone: Alone, question: str, told: str, untold: str) -> None:
    answer = alone(PATIENTS).ask(question)
    assert (answer.verdict, told in answer.text, untold in answer.text) == (Verdict.SUPPORTED, True, False)
