"""What was avoided, called off, wished or imputed is not told as having happened."""

import pytest

from language.quick_sentences import quick_sentences
from language.unrealised import tells_unrealised


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The driver avoided a crash at Pell.", "Did the driver crash at Pell?"),
        ("The driver tried to avoid a crash.", "Did the driver crash?"),
        ("A crash at Pell was narrowly avoided.", "Was there a crash at Pell?"),
        ("A strike at Orb was averted by a pay rise.", "Was there a strike at Orb?"),
        ("The alarm prevented deaths and injuries at Orb.", "Were there injuries at Orb?"),
        ("The dam kept the town from flooding.", "Was the town flooded?"),
        ("The crew prevented the ferry from sinking by pumping.", "Did the ferry sink?"),
        ("The mayor cancelled the concert in Orm.", "Was there a concert in Orm?"),
        ("The council blocked the sale of the Hume mill.", "Was the Hume mill sold?"),
        ("The plan for the sale of the Hume mill was shelved.", "Was the Hume mill sold?"),
        ("The plan to close the Hume mill was dropped.", "Why was the Hume mill closed?"),
        ("The Hume mill was to be closed in 2020.", "Was the Hume mill closed?"),
        ("The pilot attempted unsuccessfully to land the plane.", "Did the pilot land the plane?"),
        ("Jan Roe was accused of the murder of Pia Lund.", "Did Jan Roe murder Pia Lund?"),
        ("Jan Roe was charged with stealing the painting.", "Who stole the painting?"),
        ("The driver was accused of having been drunk.", "Was the driver drunk?"),
        ("The court acquitted Jan Roe of having started the fire.", "Who started the fire?"),
    ],
)
def test_what_did_not_come_about_is_named_and_not_told(sentence, question):
    (one,) = quick_sentences(sentence)
    assert tells_unrealised(question, one)


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The driver avoided a crash.", "Did the driver avoid a crash?"),
        ("The driver avoided a crash.", "Was the crash prevented?"),
        ("The driver avoided a cyclist.", "Was there a cyclist?"),
        ("The brakes could not prevent the crash at Pell.", "Was there a crash at Pell?"),
        ("A rail would have prevented the crash at Pell.", "Was there a crash at Pell?"),
        ("Engineers stopped the leak at Orb.", "Was there a leak at Orb?"),
        ("Protests stopped the trains.", "Were the trains stopped?"),
        ("The council blocked the sale of the Hume mill.", "Was the sale of the Hume mill blocked?"),
        ("The flight was cancelled.", "Was the flight cancelled?"),
        ("The plan to close the mill succeeded.", "Was the mill closed?"),
        ("The plan to close the mill was carried out on 2 May.", "Was the mill closed?"),
        ("The mill was closed to prevent an accident.", "Was the mill closed?"),
        ("The pilot tried to land the plane at Cork.", "Was the plane at Cork?"),
        ("The pilot tried to land the plane and landed it on the road.", "Did the pilot land the plane?"),
        ("The court acquitted Jan Roe of arson.", "Did the court acquit Jan Roe?"),
        ("Jan Roe was acquitted of having started the fire at the mill.", "Was there a fire at the mill?"),
        ("Jan Roe was accused of a murder in Orm.", "Was there a murder in Orm?"),
        ("The road was cleared of debris.", "Was there debris on the road?"),
        ("The battery was charged with a solar panel.", "Was the battery charged?"),
    ],
)
def test_what_came_about_stays_told(sentence, question):
    (one,) = quick_sentences(sentence)
    assert not tells_unrealised(question, one)


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The firm announced that it would cut jobs and close the mill.", "Did the firm close the mill?"),
        ("The firm said it would close the mill because of losses.", "Why did the firm close the mill?"),
        ("It was announced that the road will be closed.", "Was the road closed?"),
        ("Police told drivers on Monday that the road would be closed.", "Why was the road closed?"),
        ("There was a warning that the dyke would break.", "Did the dyke break?"),
    ],
)
def test_what_was_to_come_is_named_and_not_told(sentence, question):
    (one,) = quick_sentences(sentence)
    assert tells_unrealised(question, one)


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("Police said the road was closed because of flooding.", "Why was the road closed?"),
        ("The firm said it would close the mill because of losses.", "Why will the firm close the mill?"),
        ("The firm said it would close the mill.", "Why did the firm say it would close the mill?"),
        ("The bank warned that prices would rise, and prices rose.", "Did prices rise?"),
        ("The road was closed because police said the dyke would break.", "Why was the road closed?"),
        ("He said the fire that destroyed the mill would be investigated.", "Did the fire destroy the mill?"),
        ("The captain decided to turn back because of fog.", "Why did the captain turn back?"),
    ],
)
def test_what_was_said_of_the_present_or_asked_of_the_future_is_told(sentence, question):
    (one,) = quick_sentences(sentence)
    assert not tells_unrealised(question, one)
