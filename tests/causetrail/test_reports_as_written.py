"""What reports tell in running prose: pronouns, "as" for a reason, denials that open with "nor", purposes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from causetrail import Causetrail
from kg.records import Verdict

Holding = Callable[[str], Causetrail]
SUPPORTED, CONTRADICTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.INSUFFICIENT

ALARM = (
    "The watch alarm, which would have woken him, had been switched off. "
    "According to the master, it had been switched off because it disturbed passengers."
)
PUMP = "The pump failed on 3 May. It stopped because the fuse had blown."
LORRY = "The lorry hit the bridge. It had been weakened because of rust."
SUPPOSED = "If the boiler had burst, the cellar would have flooded. It burst because of frost."
FERRY = "The ferry ran aground. Nor was there any fault in the steering gear. Nobody was hurt."
OFFICER = (
    "The second officer had fallen asleep. He had slept only four hours in two days because the chief officer was ill."
)
HARBOUR = "The harbour froze, and the ferry stopped because its engine failed."
STORM = "The storm caused a flood, and the mayor resigned. Repairs were put off because a grant fell through."
TRIAL = "The trial over the death of the nurse was postponed because the judge fell ill."
SANK = "The ferry sank after the pump had failed because of rust."
MINE = "Protests against the closure of the mine ended because of rain."
FIRE = "The fire started in the kitchen. It spread quickly because the walls were made of wood."
PIER = "Neither the storm nor the tide damaged the pier; a barge did."
SALES = "Sales fell in Norway because of a strike and in Sweden because of bad weather."
LEFT = "Ann left the firm because of stress, and Bob because of a better offer."
TRAINS = "Trains stopped because of snow, not because of the strike, and buses stopped because of the strike."
REVIEW = "The review of change 4417 was skipped. Support received few calls. The chief left because the mate was ill."
KEY = "The Board recommends that the alarm be made impossible to switch off without a key."
PROFITS = "In 2019 profits fell because of a strike. In 2020 profits rose because of a new mine."
RASH = "Dr Hale said the drug caused the rash. Dr Moss said it did not."
SURVEY = "Staff shortages led to delays, a survey found. The hospital disputes this."
BROTHERS = "The older brother left home because of a quarrel; the younger stayed."
PRICES = "Due to rising costs, the baker raised prices, and customers stayed away."
TOAST = "The alarm went off because of burnt toast, not because of a fire."
ARCHIVE = "The archive burned down because the sprinklers did not work."
PHONE = "The accident happened because the driver was using his phone. He was fined."
JOB = "The renewal job has been failing since May. The job failed as its account had lost permission to write."


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question", "verdict", "told"),
    [
        (ALARM, "Why had the watch alarm been switched off?", SUPPORTED, "it disturbed passengers"),
        (PUMP, "Why did the pump stop?", SUPPORTED, "The pump failed on 3 May. It stopped because"),
        (LORRY, "Why had the lorry been weakened?", INSUFFICIENT, ""),
        (SUPPOSED, "Why did the boiler burst?", INSUFFICIENT, "It burst because of frost"),
        (FERRY, "Was there a fault in the steering gear?", CONTRADICTED, "Nor was there any fault"),
        (FERRY, "Was anybody hurt?", CONTRADICTED, "Nobody was hurt"),
        (OFFICER, "Why did the officer fall asleep?", INSUFFICIENT, ""),
        (HARBOUR, "Why did the ferry stop?", SUPPORTED, "its engine failed"),
        (STORM, "Why did the flood happen?", SUPPORTED, "torm"),
        (STORM, "Why were repairs put off?", SUPPORTED, "a grant fell through"),
        (TRIAL, "Why was the trial postponed?", SUPPORTED, "the judge fell ill"),
        (SANK, "Why had the pump failed?", SUPPORTED, "rust"),
        (FIRE, "Why did the fire spread quickly?", SUPPORTED, "the walls were made of wood"),
        (PIER, "Did a barge damage the pier?", INSUFFICIENT, ""),
        (PIER, "Did the storm damage the pier?", CONTRADICTED, ""),
        (TRAINS, "Did the strike stop the trains?", CONTRADICTED, ""),
        (REVIEW, "Was change 4417 reviewed?", INSUFFICIENT, ""),
        (REVIEW, "Did support receive many calls?", INSUFFICIENT, ""),
        (REVIEW, "Did support receive few calls?", SUPPORTED, ""),
        (REVIEW, "Was the mate ill?", SUPPORTED, ""),
        (KEY, "Can the alarm be switched off without a key?", INSUFFICIENT, ""),
        (KEY, "Who switched off the alarm?", INSUFFICIENT, ""),
        (PROFITS, "Why did profits fall in 2019?", SUPPORTED, "a strike"),
        (BROTHERS, "Why did the older brother leave home?", SUPPORTED, "a quarrel"),
        (PRICES, "Why did the baker raise prices?", SUPPORTED, "ising costs"),
        (TOAST, "Was there a fire?", INSUFFICIENT, ""),
        (ARCHIVE, "Did the sprinklers cause the archive to burn down?", INSUFFICIENT, ""),
        (ARCHIVE, "Why did the archive burn down?", SUPPORTED, "did not work"),
        (PHONE, "Why did the accident happen?", SUPPORTED, "using his phone"),
        (JOB, "Why did the job fail?", SUPPORTED, "its account had lost permission to write"),
    ],
)
def test_what_is_told_across_sentences(
    alone: Holding, strategy: str, text: str, question: str, verdict: Verdict, told: str
) -> None:
    found = alone(text).ask(question, strategy=strategy)
    assert (found.verdict, told in found.text) == (verdict, True)


def test_a_purpose_is_not_told_by_no_document(alone: Holding) -> None:
    text = "We will move the alerts to the pager to prevent a repeat. The log was moved to the attic."
    asked = alone(text).ask("Why will the alerts be moved to the pager?")
    assert asked.verdict is INSUFFICIENT
    assert "to prevent a repeat" in asked.text
    assert "No statement was found" not in asked.text


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question"),
    [
        (HARBOUR, "Why did the harbour freeze?"),
        (STORM, "Why did the mayor resign?"),
        (TRIAL, "Why did the nurse die?"),
        (SANK, "Why did the ferry sink?"),
        (MINE, "Why was the mine closed?"),
        (PROFITS, "Why did profits fall in 2020?"),
        (RASH, "What caused the rash?"),
        (SURVEY, "What led to delays?"),
        (BROTHERS, "Why did the younger brother leave home?"),
        (PRICES, "Why did customers stay away?"),
    ],
)
def test_what_only_stands_beside_an_effect_has_no_cause(
    alone: Holding, text: str, question: str, strategy: str
) -> None:
    assert alone(text).ask(question, strategy=strategy).verdict is not SUPPORTED


def test_of_two_sentences_the_one_that_tells_of_it_is_pointed_at(alone: Holding) -> None:
    text = "The logs had been deleted by the retention job. The retention job will be changed so that it keeps logs."
    told = alone(text).ask("Why will the retention job be changed?").text
    assert "so that it keeps logs" in told
    assert "had been deleted" not in told


def test_a_day_before_is_not_cut(alone: Holding) -> None:
    found = alone("The train stopped because a tree had fallen the day before.").ask("Why did the train stop?")
    assert found.text == "The train stopped because a tree had fallen the day before."


def test_what_is_told_of_another_place_is_no_part_of_a_cause(alone: Holding) -> None:
    assert alone(SALES).ask("Why did sales fall in Norway?").text == "Sales fell in Norway because of a strike."


def test_what_one_did_is_no_answer_for_another(alone: Holding) -> None:
    assert "better offer" in alone(LEFT).ask("Why did Bob leave the firm?").text
    assert alone(LEFT).ask("Why did Ann leave the firm?").text == "Ann left the firm because of stress."
    assert "buses stopped because of the strike" in alone(TRAINS).ask("Why did buses stop?").text


@pytest.mark.parametrize(
    ("text", "question", "pointed"),
    [
        ("Mr Holm died. The reason is simple: the village has no doctor.", "Why did Mr Holm die?", "no doctor"),
        ("The engine overheated. Tests traced this to a pipe.", "Why did the engine overheat?", "a pipe"),
        ("The ferry stopped. The mill closed because of debts.", "Why did the ferry stop?", ""),
    ],
)
def test_a_cause_in_the_sentence_behind_is_pointed_at(alone: Holding, text: str, question: str, pointed: str) -> None:
    found = alone(text).ask(question)
    assert found.verdict is INSUFFICIENT
    assert (pointed in found.text, "no statement" in found.text) == (True, not pointed)


@pytest.mark.parametrize("strategy", ["default", "text-only"])
@pytest.mark.parametrize(
    ("text", "question", "beside"),
    [
        (SURVEY, "What led to delays?", "The hospital disputes this."),
        (RASH, "What caused the rash?", "Dr Moss said it did not."),
    ],
)
def test_who_does_not_agree_is_told_beside_it(
    alone: Holding, text: str, question: str, beside: str, strategy: str
) -> None:
    found = alone(text).ask(question, strategy=strategy)
    assert (found.verdict, beside in found.text) == (Verdict.HYPOTHESISED, True)
