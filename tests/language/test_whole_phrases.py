import pytest

from language.whole_phrases import is_cut_off, is_whole


@pytest.mark.parametrize(
    "phrase",
    [
        "the river rose by four metres",
        "the council closed the footbridge at 18:40",
        "on 3 March 2019 the harbour crane failed",
        "heavy snow",
        "over 300 flights",
        "the decision to close the mine",
        "the fire that had destroyed the hall",
        "flooding in the town",
        "the failure of the crew to close the valve",
        "the dam released water to lower the lake",
        "the pumps failed to start",
        "the release of water from the Arlen dam",
    ],
)
def test_whole_phrases(phrase):
    assert is_whole(phrase)


@pytest.mark.parametrize(
    "phrase",
    [
        "",
        "had derailed",
        "Maria that she had lost her job",
        "killing two people",
        "the fine for the leak that had killed fish was paid by the owner",
        "collapsed side frames is high",
        "the roof of the arena to collapse",
        "the refinery to shut down",
        "the facing points to open",
        "the gates to remain closed",
        "the release of",
        "of the Act",
        "strong",
        "and the pump",
        "which failed",
        "drag a mechanical force",
        "killing the pilot and seriously",
        "the following factors: rain",
        "the train << Page 22 >>",
        "the pump failed. The tank overflowed.",
        "the pump " + "and the pump " * 20 + "failed",
    ],
)
def test_broken_phrases(phrase):
    assert not is_whole(phrase)


@pytest.mark.parametrize(
    ("sentence", "cut"),
    [
        ("[The impact] forces broke the wing.", True),
        ("[A combination] of causes led to the loss.", True),
        ("[The risk controls associated with the bolt] (a red flag) were ineffective.", True),
        ("The pre-[flight check] failed.", True),
        ("[The pilot may not have completed] the checklist.", True),
        ("[A gas leak] caused the explosion.", False),
        ("[The storm] also delayed the train.", False),
        ("The train stopped because of [the storm].", False),
        ("The train stopped. [It was late], they said.", False),
    ],
)
def test_what_breaks_off_inside_a_phrase(sentence, cut):
    start, end = sentence.index("["), sentence.index("]") - 1
    assert is_cut_off(sentence.replace("[", "").replace("]", ""), start, end, "caused") is cut


def test_a_cue_may_follow_a_phrase():
    sentence = "The storm brought about the delay."
    assert not is_cut_off(sentence, 0, 9, "brought about")
