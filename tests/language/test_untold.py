"""What stands under a governor is not told; what stands beside it is."""

from __future__ import annotations

import pytest

from language.quick_sentences import quick_sentences
from language.untold import denies_part, leaves_asked, leaves_untold, only_reports


@pytest.mark.parametrize(
    ("question", "text", "untold"),
    [
        ("Did the dam burst?", "Residents feared that the dam would burst.", True),
        ("Who feared that the dam would burst?", "Residents feared that the dam would burst.", False),
        ("Did the dam burst?", "The dam burst, as residents had feared.", False),
        ("Who poisoned the lake?", "The suspect was found not guilty of poisoning the lake.", True),
        ("Did the suspect poison the lake?", "The suspect pleaded guilty to poisoning the lake.", False),
        ("Who burned the village?", "A rebel was sued for burning the village.", True),
        ("Who burned the village?", "A rebel who burned the village was sued for libel.", False),
        ("Did the brakes fail?", "The cars were recalled because the brakes could fail.", True),
        ("Did the batteries catch fire?", "They were replaced because they could catch fire.", True),
        ("Did the batteries catch fire?", "They were replaced because they caught fire.", False),
        ("Can the brakes fail?", "The cars were recalled because the brakes could fail.", False),
        ("Did he become king?", "He would later become king.", False),
        ("Did the crew save the boat?", "The crew came too late to save the boat.", True),
        ("Did the crew save the boat?", "The crew came in time to save the boat.", False),
        ("Who locked the gate?", "The guard did not lock the gate.", True),
        ("Who locked the gate?", "The guard did not lock the gate until nine.", False),
        ("When was the design produced?", "He produced a design in 1855, but it was rejected.", False),
        ("Who founded the city?", "According to legend, a shepherd founded the city.", True),
        ("Who founded the city according to legend?", "According to legend, a shepherd founded the city.", False),
    ],
)
def test_only_what_is_told_as_so_answers(question: str, text: str, untold: bool) -> None:
    (sentence,) = quick_sentences(text)
    assert leaves_untold(question, sentence) is untold


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Police do not know who started the fire.", True),
        ("Investigators examined whether a welder started the fire.", True),
        ("Police know the welder who started the fire.", False),
        ("A welder started the fire.", False),
    ],
)
def test_a_question_within_a_sentence_is_not_answered_there(text: str, asks: bool) -> None:
    (sentence,) = quick_sentences(text)
    assert leaves_asked("What started the fire?", sentence) is asks


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("My uncle smoked and never fell ill.", True),
        ("My uncle smoked and fell ill.", False),
        ("The nurse said that my uncle smoked and never fell ill.", False),
        ("The nurse left, and my uncle never fell ill until May.", False),
    ],
)
def test_a_second_verb_may_be_denied(text: str, denied: bool) -> None:
    (sentence,) = quick_sentences(text)
    assert denies_part("Did my uncle fall ill?", sentence) is denied


@pytest.mark.parametrize(
    ("question", "text", "untold"),
    [
        ("Was there an explosion?", "The leak was detected before it could cause an explosion.", True),
        ("Did the fire reach the store?", "The fire was extinguished before it reached the store.", True),
        ("Was there a fire?", "The fire was extinguished before it reached the store.", False),
        ("Did the fire reach the store?", "The fire reached the store before it was extinguished.", False),
        ("Was there a merger?", "The merger fell through after regulators raised objections.", True),
        ("Did the merger fall through?", "The merger fell through after regulators raised objections.", False),
        ("Did the tank overflow?", "Only when both valves fail does the tank overflow.", True),
        ("Was there a bird strike?", "The airline first blamed a bird strike for the engine failure.", True),
        ("Was there a failure?", "The airline first blamed a bird strike for the engine failure.", False),
        ("Was there a cyber attack?", "A cyber attack was at first thought to be behind the blackout.", True),
        ("Was there a blackout?", "A cyber attack was at first thought to be behind the blackout.", False),
        ("Was there smoke?", "An actor mistook stage fog for smoke.", True),
        ("Was it a false alarm?", "The crew heard the warning but took it for a false alarm.", True),
        ("Was the death suspicious?", "Police initially treated the death as suspicious.", True),
        ("Was there an explosion?", "Witnesses spoke of an explosion in mid-air.", True),
        ("Was there a landslide?", "A landslide is the most probable explanation.", True),
        ("Was there a run on the bank?", "Ministers feared a run on the bank.", True),
        ("Was there a fault?", "Investigators at first excluded a mechanical fault.", True),
        ("Was there a fire?", "The fire drill caused long queues.", True),
        ("What did the strike cost?", "The strike could cost 40 million euros.", True),
    ],
)
def test_what_is_held_for_so_or_forestalled_is_untold(question: str, text: str, untold: bool) -> None:
    (sentence,) = quick_sentences(text)
    assert leaves_untold(question, sentence) is untold


def test_what_none_did_is_denied() -> None:
    (sentence,) = quick_sentences("Staff covered the paintings in time, so none was damaged.")
    assert denies_part("Were the paintings damaged?", sentence)
    assert not denies_part("Were the paintings covered?", sentence)


def test_what_is_only_reported_can_be_taken_back() -> None:
    (sentence,) = quick_sentences("A worker had reported a leak.")
    assert only_reports("Was there a leak?", sentence)
    (seen,) = quick_sentences("A worker had repaired a leak.")
    assert not only_reports("Was there a leak?", seen)
