"""Bridges: a passage that has hardly a word of the question is found by a name that a nearer passage tells."""

from dataclasses import replace

import pytest

from causetrail.errors import PassageTooLong
from kg.fusion import Hit
from kg.records import Stance, Verdict
from models.judge_source import ChosenJudges, load_judges
from reasoning.answer import answer
from reasoning.bridges import walk
from reasoning.room import Bench
from reasoning.thresholds import thresholds

QUESTION = "In which town was the maker of the Arlen gate founded?"
GATE = "The Arlen gate was made by Hasel Works."
FOUNDED = "In 1846 two brothers founded the company in a shed at Bexley."
TEXTS = {
    "gate.md": f"{GATE} It weighs nine tonnes.",
    "works.md": f"Hasel Works is known for its cranes. {FOUNDED}",
    **{f"gate-{number}.md": f"The gate of village {number} was painted." for number in range(14)},
    **{f"town-{number}.md": f"The town of Upper Mill {number} was founded as a market." for number in range(14)},
}


class Both:
    """Judges whom only the two sentences together help: doubles, so that their picks are known."""

    fingerprint = "both"

    def __init__(self, enough=0.9, alone=0.2, told=FOUNDED):
        self.prompts: dict[str, str] = {}
        self.enough = enough
        self.alone = alone
        self.told = told

    def relevance(self, query, passages):
        return [0.9 if GATE in one and self.told in one else self.alone for one in passages]

    def sufficiency(self, pairs):
        return [self.enough if GATE in one and self.told in one else 0.1 for _, one in pairs]


@pytest.fixture
def room(shelf, text):
    return shelf.room(*(text(source, words) for source, words in TEXTS.items()))


def judged(room, judge):
    return replace(room, bench=Bench("both", ChosenJudges(judge, judge, judge, judge), dict))


def step_of(told, name):
    return next((one.detail for one in told.trace if one.step == name), None)


def test_two_sentences_that_a_name_links_are_quoted_where_both_suffice(room):
    found = answer(QUESTION, judged(room, Both()))
    assert found.verdict is Verdict.SUPPORTED
    assert [(one.source, one.quote, one.stance) for one in found.evidence] == [
        ("gate.md", GATE, Stance.FOR),
        ("works.md", FOUNDED, Stance.FOR),
    ]
    assert found.text == f"{GATE} {FOUNDED}"
    assert answer(QUESTION, judged(room, Both())).trace == found.trace


def test_the_trace_tells_the_name_where_it_stands_and_what_it_led_to(room):
    (first, *_) = step_of(answer(QUESTION, judged(room, Both())), "bridges")["walked"]
    names = {one.id: room.store.document("main", one.document_id).sources[0] for one in passages_of(room)}
    assert (first["name"], names[first["source"]]) == ("Hasel Works", "gate.md")
    assert first["query"] == "Hasel Works town maker founded"
    assert "works.md" in [names[id_] for id_, _ in first["found"]]


def test_plain_text_follows_no_names_and_neither_does_a_question_why(room):
    assert step_of(answer(QUESTION, judged(room, Both()), "text-only"), "bridges") is None
    assert step_of(answer("Why was the maker of the Arlen gate founded?", judged(room, Both())), "bridges") is None


@pytest.mark.parametrize("judge", [Both(enough=0.4), Both(alone=0.95)])
def test_one_sentence_alone_is_judged_where_two_do_not_suffice_or_help_less(room, judge):
    found = answer(QUESTION, judged(room, judge))
    assert found.verdict is Verdict.INSUFFICIENT
    assert step_of(found, "draft") is not None


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("Hasel Works was accused of poisoning a river at Bexley.", Verdict.INSUFFICIENT),
        ("Hasel Works was fined for poisoning a river at Bexley.", Verdict.SUPPORTED),
    ],
)
def test_what_is_only_imputed_to_what_a_name_leads_to_is_no_answer(shelf, text, told, verdict):
    texts = {**TEXTS, "works.md": f"Hasel Works is known for its cranes. {told}"}
    room = judged(shelf.room(*(text(source, words) for source, words in texts.items())), Both(told=told))
    found = answer("Where did the maker of the Arlen gate poison a river?", room)
    assert (found.verdict, GATE in found.text) == (verdict, verdict is Verdict.SUPPORTED)


MAKER, SINCE = "The Arlen gate was made by Tolk & Sons.", "Tolk & Sons was founded in 1911 at Bexley."


@pytest.fixture(scope="module")
def packaged():
    return Bench("packaged", load_judges(), dict)


@pytest.mark.parametrize("texts", [(MAKER, SINCE), (f"{MAKER} {SINCE}",), (f"{MAKER[:-1]}, founded in 1911.",)])
def test_what_is_told_of_the_maker_is_no_answer_about_the_gate(shelf, text, packaged, texts):
    room = replace(shelf.room(*(text(f"{place}.md", one) for place, one in enumerate(texts))), bench=packaged)
    found = answer("When was the Arlen gate founded?", room)
    assert found.verdict is Verdict.INSUFFICIENT and found.confidence > 0.5
    assert all(one.stance is Stance.CONTEXT for one in found.evidence)
    for question in ("When was the maker of the Arlen gate founded?", "When was Tolk & Sons founded?"):
        assert answer(question, room).verdict is Verdict.SUPPORTED


class Shelf:
    """Passages with the hits of each query written down."""

    def __init__(self, texts, found, long=""):
        self.passages = texts
        self.found = found
        self.long = long
        self.asked: list[str] = []

    def search(self, query, most):
        if self.long and query.startswith(self.long):
            raise PassageTooLong(tokens=600, model="shelf", limit=512)
        self.asked.append(query)
        return [Hit(id_, 0.0, cosine, 0.0) for id_, cosine in self.found.get(query, {}).items()][:most]

    def texts(self, ids):
        return {id_: self.passages[id_] for id_ in ids if id_ in self.passages}


def test_a_passage_counts_as_far_as_both_do_and_only_where_the_name_stands():
    texts = {"a": "The gate is of Hasel.", "b": "Hasel was founded at Bexley.", "c": "Hazel trees grow.", "d": "Gates."}
    shelf = Shelf(
        texts,
        {"Who founded the maker of the gate?": {"a": 0.8, "d": 0.6}, "Hasel founded maker": {"b": 0.95, "c": 0.95}},
    )
    hits, (bridge,) = walk("Who founded the maker of the gate?", shelf, 2)
    figures = thresholds().bridges
    score = figures.onward * 0.95 + (1 - figures.onward) * 0.8 - figures.step_cost
    assert [hit.id for hit in hits] == ["b", "a", "d"]
    assert (bridge.name, bridge.source, bridge.found) == ("Hasel", "a", "b")
    assert bridge.score == pytest.approx(score)


def test_nothing_is_walked_where_the_first_passage_tells_all_that_is_asked():
    shelf = Shelf({"a": "Hasel made the gate at Bexley."}, {"Who made the gate?": {"a": 0.8}})
    assert walk("Who made the gate?", shelf, 5)[1] == []
    assert shelf.asked == ["Who made the gate?"]


def test_a_name_that_is_too_long_to_search_for_is_left_out():
    shelf = Shelf({"a": "The gate is of Hasel."}, {"Who founded the maker of the gate?": {"a": 0.8}}, long="Hasel")
    hits, bridges = walk("Who founded the maker of the gate?", shelf, 5)
    assert [hit.id for hit in hits] == ["a"]
    assert bridges == []


def passages_of(room):
    return room.store.passages("main", room.store.passage_ids("main")).values()
