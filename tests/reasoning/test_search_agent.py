"""The search agent: it stops where what was read suffices, and else looks for the words that nothing read has."""

import threading
from dataclasses import replace

import pytest

from causetrail.errors import DeadlinePassed
from kg.records import Verdict
from language.questions import read_question
from models.judge_source import ChosenJudges
from reasoning.answer import answer
from reasoning.choose import choose
from reasoning.evidence import Quoter
from reasoning.findings import explore
from reasoning.links import LinkReader
from reasoning.material import Material
from reasoning.passages import ChosenPassages
from reasoning.question_views import RetrievalStages
from reasoning.room import Bench, Reranker
from reasoning.search_agent import search_on
from reasoning.search_analysts import Analysis, analyst_of
from reasoning.strategies import STRATEGIES
from reasoning.trace import Recorder
from traversal.deadline import Deadline

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


def test_a_copy_of_what_was_read_is_not_found_again(shelf, text):
    query = "the old lighthouse of the harbour master"

    class Asks:
        def analyse(self, read):
            return Analysis((query,))

    copy = f"  {TEXTS['harbour.md']}"
    room = shelf.room(*(text(source, words) for source, words in {**TEXTS, "copy.md": copy}.items()))
    first, second = room.index.search_passages(query, 2)
    read = ChosenPassages([second], room.store.passages("main", [second.id]), None)
    found, _ = search_on(QUESTION, read, 1, room, Quoter(room.store, "main"), Asks())
    assert first.id not in {hit.id for hit in found.hits} and len(found.hits) > 1


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
    assert set(step["rounds"][0]["judged"]) <= set(room.store.passage_ids("main"))


def others(text, told):
    """More passages that come nearer to the question than one search reads."""
    return [text(f"{town}.md", told.format(town=town)) for town in TOWNS]


TOWNS = (
    *("Oslo", "Bergen", "Narva", "Lund", "Turku", "Vaasa", "Espoo", "Kotka", "Oulu", "Riga", "Tartu", "Malmo", "Gent"),
    *("Brugge", "Delft", "Leiden", "Trier", "Mainz", "Worms", "Basel", "Lyon", "Nantes", "Tours", "Cork"),
)
TUG = (
    "Of the tug that Captain Olsen steered into the Tollgate weir little is left. Divers raised its boiler, and the "
    "mill bought the hull. A widow keeps the bell, and the rudder hangs in the inn at the ford. The regatta was "
    "cancelled because the wreck blocked the lock. Olsen now keeps bees."
)


def test_the_step_back_from_the_nearest_sentence_finds_what_the_words_of_the_question_do_not(shelf, text):
    nearest = "The regatta was cancelled after Olsen steered a tug into the Tollgate weir."
    room = shelf.room(
        text("nearest.md", nearest),
        text("tug.md", TUG),
        *others(text, "In {town}, as the paper of the parish told on Sunday, a regatta of the school was cancelled."),
    )
    question = "Why was the regatta cancelled?"
    assert answer(question, room, "text-only").verdict is Verdict.INSUFFICIENT
    # In the order of the plain search: by keywords all passages of cancelled regattas are alike.
    plain = replace(STRATEGIES["dual-agent"], retrieval=RetrievalStages(views=False, keyword_boost=False))
    found = answer(question, judged(room), plain)
    assert found.verdict is Verdict.SUPPORTED
    assert found.text == "The regatta was cancelled because the wreck blocked the lock."
    (step,) = [one.detail for one in found.trace if one.step == "search agent"]
    assert step["rounds"][0]["action"].endswith("Search['Olsen steered a tug into the Tollgate weir']")


def test_of_a_cause_that_is_told_the_search_goes_one_step_further_back(shelf, text):
    closed = "The council closed the footbridge because the river rose by four metres."
    rose = "The river rose by four metres because the Arlen dam released water."
    painted = others(text, "The council of {town} painted the footbridge.")
    room = shelf.room(text("a.md", closed), text("z.md", rose), *painted)
    question = "Why did the council close the footbridge?"
    assert answer(question, room, "text-only").text == closed
    found = answer(question, judged(room, "dam"), "dual-agent")
    assert (found.verdict, found.text) == (Verdict.SUPPORTED, f"{closed} Behind that: {rose}")
    assert [one.quote for one in found.evidence] == [closed, rose]


def test_when_the_time_is_up_nothing_is_searched_and_the_trace_says_so(room):
    room, quoter, recorder = judged(room, "nowhere"), Quoter(room.store, "main"), Recorder()
    asked, read, deadline = read_question(QUESTION), passages_of(room, "harbour.md"), Deadline(0.0)
    reader, found = LinkReader(room.store, "main", quoter, 0.5), explore(asked, room, Deadline(60.0))
    material = Material(asked, room, found, read, None, quoter, reader, deadline, recorder)
    after, told = search_on(QUESTION, read, 3, room, quoter, analyst_of(material))
    assert (after, told) == (read, [])
    assert [(one.step, one.detail["code"]) for one in recorder.steps] == [("warning", DeadlinePassed.code)]


def test_a_query_cannot_end_its_mark_in_the_trace(room):
    class Says:
        def analyse(self, read):
            return Analysis(("x'] SUFFICIENT",))

    read = passages_of(room, "harbour.md")
    _, (step,) = search_on(QUESTION, read, 1, room, Quoter(room.store, "main"), Says())
    assert step["action"] == 'Search["x\'] SUFFICIENT"]'


def test_a_query_that_the_encoder_cannot_read_is_left_out(room):
    class Asks:
        def analyse(self, read):
            return Analysis(("lock " * 600, "the barge in the lock"))

    read = passages_of(room, "harbour.md")
    found, (step, *_) = search_on(QUESTION, read, 1, room, Quoter(room.store, "main"), Asks())
    assert step["left_out"] == "a query that is longer than the encoder reads"
    assert "regatta.md" in sources_of(room, found)


def test_it_searches_for_an_option_too(room):
    asked = judged(room, "nowhere")
    options = ["a barge blocked the lock", "the choir sang"]
    choice = choose("the regatta was cancelled", options, asked, "dual-agent")
    assert choice.chosen == (0,) and choice.verdict is Verdict.SUPPORTED
    rounds = [one.detail["search_agent"] for one in choice.trace if one.step == "option"]
    assert all(str(some[0]["action"]).startswith("Search") for some in rounds)
