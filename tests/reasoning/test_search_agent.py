"""The search agent: it stops where what was read suffices, and else looks for the words that nothing read has."""

import threading
from dataclasses import replace

import pytest

from kg.records import Verdict
from models.judge_source import ChosenJudges
from reasoning.answer import answer
from reasoning.choose import choose
from reasoning.evidence import Quoter
from reasoning.passages import ChosenPassages
from reasoning.room import Bench, Reranker
from reasoning.search_agent import search_on

QUESTION = "Why was the regatta cancelled by the harbour master?"
TEXTS = {
    "harbour.md": "The harbour master lives in the old lighthouse.",
    "regatta.md": "The regatta was cancelled because a barge blocked the lock.",
    "bread.md": "The bakery sold out of bread.",
    "choir.md": "Pupils sang in the hall of the school.",
}


class Word:
    """Judges that find one word enough, and another one helpful: doubles, so that their picks are known."""

    fingerprint = "word"

    def __init__(self, word, error=None):
        self.prompts: dict[str, str] = {}
        self.word = word
        self.error = error

    def sufficiency(self, pairs):
        if self.error:
            raise self.error
        return [0.9 if self.word in evidence else 0.1 for _, evidence in pairs]

    def relevance(self, query, passages):
        return [0.9 if self.word in passage else 0.1 for passage in passages]

    def causes(self, pairs):
        return [0.3 for _ in pairs]


@pytest.fixture
def room(shelf, text):
    return shelf.room(*(text(source, words) for source, words in TEXTS.items()))


def judged(room, word="because", error=None):
    judge = Word(word, error)
    return replace(room, bench=Bench("word", ChosenJudges(judge, judge, judge, judge), dict))


def passages_of(room, *sources):
    hits = room.index.search_passages(QUESTION, 10)
    passages = room.store.passages("main", [hit.id for hit in hits])
    names = {d.id: d.sources[0] for d in room.store.documents("main")}
    kept = [hit for hit in hits if names[passages[hit.id].document_id] in sources]
    return ChosenPassages(kept, {hit.id: passages[hit.id] for hit in kept}, None)


def sources_of(room, read):
    names = {d.id: d.sources[0] for d in room.store.documents("main")}
    return [names[read.passages[hit.id].document_id] for hit in read.hits]


def look(room, *sources, rounds=1):
    return search_on(QUESTION, passages_of(room, *sources), rounds, room, Quoter(room.store, "main"))


def test_where_what_was_read_suffices_nothing_is_searched(room):
    read, told = look(judged(room), "regatta.md")
    assert sources_of(room, read) == ["regatta.md"]
    assert [step["action"] for step in told] == ["SUFFICIENT"] and told[0]["sufficiency"] == 0.9


def test_the_query_is_of_the_words_that_nothing_read_has_and_finds_the_missing_passage(room):
    read, (step,) = look(judged(room), "harbour.md")
    assert step["action"] == "Search['regatta cancelled']"
    assert sources_of(room, read)[:2] == ["harbour.md", "regatta.md"] and len(read.hits) == 3
    assert step["found"] == [hit.id for hit in read.hits[1:]]


def test_a_second_round_sees_what_the_first_one_found(room):
    _, told = look(judged(room), "harbour.md", rounds=2)
    assert [str(step["action"])[:6] for step in told] == ["Search", "SUFFIC"]


def test_it_ends_when_there_is_nothing_more_to_read(room):
    read, told = look(judged(room, "nowhere"), *TEXTS, rounds=5)
    assert len(told) == 1 and len(read.hits) == len(TEXTS)
    assert told[0]["found"] == []


def test_a_judge_of_relevance_picks_among_what_is_found(room):
    asked = replace(judged(room), reranker=Reranker("word", Word("bread"), 1, dict, threading.Event()))
    read, _ = look(asked, "harbour.md")
    assert sources_of(room, read)[1] == "bread.md"


def test_what_the_judge_cannot_read_does_not_suffice(room):
    from causetrail.errors import PassageTooLong

    read, (step,) = look(judged(room, error=PassageTooLong(tokens=600, model="word", limit=512)), "regatta.md")
    assert step["undecided"] == 1 and step["sufficiency"] == 0.0 and len(read.hits) == 3


def test_the_strategy_tells_its_rounds(room):
    found = answer("Why was the regatta cancelled?", judged(room), "dual-agent")
    assert found.verdict is Verdict.SUPPORTED and "barge" in found.text
    (step,) = [one.detail for one in found.trace if one.step == "search agent"]
    assert step["rounds"][0]["action"] == "SUFFICIENT"


def test_it_searches_for_an_option_too(room):
    asked = judged(room, "nowhere")
    options = ["a barge blocked the lock", "the choir sang"]
    choice = choose("the regatta was cancelled", options, asked, "dual-agent")
    assert choice.chosen == (0,) and choice.verdict is Verdict.SUPPORTED
    rounds = [one.detail["search_agent"] for one in choice.trace if one.step == "option"]
    assert all(str(some[0]["action"]).startswith("Search") for some in rounds)
