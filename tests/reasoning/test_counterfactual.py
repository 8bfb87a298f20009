"""Drafts that stand only when their evidence answers the question better than questions like it."""

import threading
from dataclasses import replace

import pytest

from api.trace_lines import trace_lines
from kg.records import Mode, PassageKind, Stance, Verdict
from kg.seed_index import EmbeddedSeedIndex
from models.judge_source import ChosenJudges, load_judges
from reasoning.answer import answer
from reasoning.counterfactual import NOT_CONTRASTED, CounterfactualStages, weigh_counterfactually
from reasoning.counterfactual_questions import counterfactual_questions
from reasoning.evidence import Quoter
from reasoning.informative_questions import SAME_ANSWER, UNLIKE, UNTOLD
from reasoning.question_views import RetrievalStages
from reasoning.room import Bench
from reasoning.strategies import STRATEGIES

SLOW = "The northern slow train was late because a tree lay on the line."
TEXTS = {
    "train.md": SLOW,
    "club.md": "The regatta of the chess club was cancelled because the hall was locked.",
    "ferry.md": "The ferry was cancelled because the pier was icy.",
    "ferry-2.md": "The ferry was cancelled because the captain was ill.",
}


class Scripted:
    """Judges by words of the question, or by some of it and some of the text: doubles, so that the contrast is known.

    With a gate, a judgement of sufficiency waits until as many are asked for as the gate needs.
    """

    fingerprint = "scripted"

    def __init__(self, helps=(), suffices=(), gate=None):
        self.prompts: dict[str, str] = {}
        self.helps = dict(helps)
        self.suffices = dict(suffices)
        self.gate = gate

    def sufficiency(self, pairs):
        if self.gate is not None:
            self.gate.wait(20)
        return [next((value for word, value in self.suffices.items() if word in text), 0.9) for _, text in pairs]

    def relevance(self, query, passages):
        told = [[value for said, value in self.helps.items() if _said(said, query, text)] for text in passages]
        return [max(values or [0.5]) for values in told]


def _said(said, query, text):
    word, told = (said, "") if isinstance(said, str) else said
    return word in query and told in text


@pytest.fixture
def room(shelf, text):
    return shelf.room(*(text(source, words) for source, words in TEXTS.items()))


def asked(room, question, helps=(), stages=None, suffices=(), concurrency=1, gate=None):
    judge = Scripted(helps, suffices, gate)
    bench = Bench("scripted", ChosenJudges(judge, judge, judge, judge), dict, concurrency=concurrency)
    room = replace(room, bench=bench)
    # In the order of the plain search, so that what is drawn does not depend on how questions are searched.
    recipe = replace(STRATEGIES["counterfactual"], retrieval=RetrievalStages(views=False, keyword_boost=False))
    if stages is not None:
        recipe = replace(recipe, validate=lambda draft, material: weigh_counterfactually(draft, material, stages))
    found = answer(question, room, recipe)
    (step,) = [one.detail for one in found.trace if one.step == "counterfactual"]
    return found, step


def test_evidence_that_answers_another_question_as_well_is_withheld(room):
    question = "Why was the regatta of the rowing club cancelled?"
    room = replace(room, bench=Bench("packaged", load_judges(), dict))
    assert answer(question, room, "text-only").verdict is Verdict.SUPPORTED
    found = answer(question, room, "counterfactual")
    assert found.verdict is Verdict.INSUFFICIENT
    assert {one.stance for one in found.evidence} == {Stance.CONTEXT}
    right = question.replace("rowing", "chess")
    assert found.counterfactuals == (right,)
    told = answer(right, room, "counterfactual")
    assert (told.verdict, told.counterfactuals) == (Verdict.SUPPORTED, ())


def test_as_much_is_withheld_and_a_little_more_is_given(room):
    question = "Why was the regatta of the rowing club cancelled?"
    found, step = asked(room, question, {"rowing": 0.7, "chess": 0.7})
    assert (found.verdict, step["drafts"][0]["contrast"]) == (Verdict.INSUFFICIENT, 0.0)
    assert step["action"] == "its evidence answers a counterfactual question as well"
    found, step = asked(room, question, {"rowing": 0.71, "chess": 0.7})
    assert (found.verdict, step["drafts"][0]["contrast"]) == (Verdict.SUPPORTED, 0.01)
    # Six tenths of the coherence, 0.9, and four tenths of the contrast.
    assert step["drafts"][0]["psi"] == 0.544


def test_each_stage_can_be_left_out(room):
    question, helps = "Why was the regatta of the rowing club cancelled?", {"rowing": 0.1, "chess": 0.9}
    found, step = asked(room, question, helps, CounterfactualStages(questions=False))
    assert (found.verdict, found.counterfactuals, step["drafts"][0]["psi"]) == (Verdict.SUPPORTED, (), 0.9)
    found, step = asked(room, question, helps, CounterfactualStages(contrast=False))
    assert (found.verdict, len(found.counterfactuals)) == (Verdict.SUPPORTED, 1)
    _, step = asked(room, question, helps, CounterfactualStages(drafts=False))
    assert not step.keys() & {"clusters", "samples"}
    assert len(step["drafts"]) == 1


def test_drafts_that_rest_on_other_quotes_stand_side_by_side(shelf, text):
    whats = ["pier", "bridge", "dock", "buoy", "rope", "mast", "deck", "crane", "quay", "light", "bell", "anchor"]
    texts = (text(f"{what}.md", f"The ferry was cancelled because the {what} broke.") for what in whats)
    room = shelf.room(*texts)
    found, step = asked(room, "Why was the ferry cancelled?")
    assert step["action"] == "drafts that differ stand side by side"
    assert "Beside it stands: The ferry was cancelled because" in found.text
    assert len(found.evidence) > 2
    assert len({(one.document_id, one.start) for one in found.evidence}) == len(found.evidence)


def test_drafts_of_the_same_words_are_told_once(shelf, text):
    things = ["pier", "bridge", "dock", "buoy", "rope", "mast", "deck", "crane", "quay", "light", "bell", "anchor"]
    room = shelf.room(*(text(f"{one}.md", f"{SLOW} The {one} by the line was painted later.") for one in things))
    found, step = asked(room, "Why was the northern slow train late?")
    assert found.text == SLOW
    assert len(found.evidence) > 2
    assert {one.quote for one in found.evidence} == {SLOW}
    assert step["action"] == "the drafts agree: the best of them"
    assert answer("Why was the northern slow train late?", room, "text-only").text == SLOW


def test_a_denial_is_told_whatever_its_contrast(shelf, text):
    room = shelf.room(text("a.md", "The storm did not cause the fire in Marle."))
    found, step = asked(room, "Did the storm cause the fire in Marle?")
    assert (found.verdict, step["action"]) == (Verdict.CONTRADICTED, "a denial is told whatever its contrast")


def test_what_the_documents_do_not_say_is_not_weighed(room):
    found, step = asked(room, "Why did the mayor resign?")
    assert (found.verdict, found.mode, step["action"]) == (
        Verdict.INSUFFICIENT,
        Mode.GRAPH,
        "there is nothing to weigh",
    )


@pytest.mark.parametrize(
    ("question", "told", "made"),
    [
        ("Why did pump P-12 fail?", "Pump P-13 failed.", ["Why did pump P-13 fail?"]),
        ("Why did pump P-12 fail?", "Pump 2019 failed. Pump P-123 failed.", []),
        ("Why did it fail in March 2019?", "It failed in March 2021.", ["Why did it fail in March 2021?"]),
        ("Why was the train to Bergen late?", "The train to June was late.", []),
        ("Why was the train to Bergen late?", "It was the Bergen train.", []),
        ("Why did the north mill ring?", "The bell of the south mill rang.", []),
        ("Why did its north mill ring?", "The south mill rang.", []),
        ("Why did bells of north mills ring?", "A bell of the south mill.", ["Why did bells of south mills ring?"]),
        ("Why was the bridge shut?", "The footbridge was closed.", []),
        ("Why did the pump fail?", "The pump seized.", []),
    ],
)  # fmt: skip
def test_a_word_is_exchanged_for_one_that_stands_in_its_place(question, told, made):
    assert [one.text for one in counterfactual_questions(question, [told], 3)] == made


def test_what_more_texts_suggest_comes_first():
    texts = ["The train to Marle left.", "The train to Oslo left.", "A train to Oslo came.", "The train to Arlen left."]
    made = counterfactual_questions("Why was the train to Bergen late?", texts, 2)
    assert [(one.now, one.places) for one in made] == [("Oslo", 2), ("Arlen", 1)]


def test_a_quote_with_the_real_number_alone_answers_no_question_for_another(shelf, text):
    room = shelf.room(
        text("12.md", "Pump P-12 failed because its seal froze."),
        text("13.md", "Pump P-13 failed because a fuse blew."),
    )
    found, step = asked(room, "Why did pump P-12 fail?", {"P-12": 0.5, "P-13": 0.9})
    assert found.counterfactuals == ("Why did pump P-13 fail?",)
    assert (found.verdict, step["drafts"][0]["contrast"]) == (Verdict.SUPPORTED, 0.5)


def test_a_passage_that_repeats_another_is_left_out(shelf, text):
    told = "The ferry was cancelled because the pier was icy and the captain had a cold in his old bones"
    room = shelf.room(*(text(f"{n}.md", f"{told}{end}") for n, end in enumerate((".", " again.", "!"))))
    _, step = asked(room, "Why was the ferry cancelled?")
    assert len(step["clusters"]) == 1
    _, step = asked(room, "Why was the ferry cancelled?", stages=CounterfactualStages(repeats=False))
    assert len(step["clusters"]) == 3


NIGHT = "Why was the old night ferry to Bergen cancelled?"
NARVA = NIGHT.replace("Bergen", "Narva")


def test_a_quote_that_tells_nothing_of_the_difference_gains_nothing_by_it(shelf, text):
    room = shelf.room(
        text("a.md", "The old night ferry was cancelled because the pier was icy."),
        text("b.md", "The old night ferry to Narva left at noon."),
    )
    found, step = asked(room, NIGHT, {("Narva", "noon"): 0.9})
    assert found.counterfactuals == (NARVA,)
    assert (step["drafts"][0]["contrast"], step["drafts"][0]["psi"]) == (None, 0.54)
    assert step["drafts"][0]["quotes"][0]["contrast"] == "tells nothing of the difference"
    assert found.verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    "told",
    [
        "The old night ferry to Bergen and Narva was cancelled because the pier was icy.",
        "The old night ferry was cancelled because the pier was icy.",
    ],
)
def test_a_question_with_the_same_answer_is_none(shelf, text, told):
    room = shelf.room(text("a.md", told), text("b.md", "The old night ferry to Narva left at noon."))
    found, step = asked(room, NIGHT, {("", "icy"): 0.9, ("Narva", "noon"): 0.2})
    assert (found.counterfactuals, [one["question"] for one in step["rejected"]]) == ((), [NARVA])
    assert step["rejected"][0]["reason"] == SAME_ANSWER
    found, _ = asked(room, NIGHT, {("", "icy"): 0.2, ("Narva", "noon"): 0.9})
    assert found.counterfactuals == (NARVA,)
    same = {("", "icy"): 0.9, ("Narva", "noon"): 0.2}
    found, step = asked(room, NIGHT, same, stages=CounterfactualStages(validity=False))
    assert (found.counterfactuals, step["rejected"]) == ((NARVA,), [])


def test_a_question_that_nothing_told_answers_is_none(shelf, text):
    room = shelf.room(
        text("a.md", "The old night ferry to Bergen was cancelled because the pier was icy."),
        text("b.md", "The old night ferry to Narva left at noon."),
        text("c.md", "The old night ferry was cancelled when fog came."),
    )
    found, step = asked(room, NIGHT, {("Bergen", "icy"): 0.9, ("Narva", "fog"): 0.9})
    assert (found.counterfactuals, step["rejected"][0]["reason"]) == ((), UNTOLD)
    found, _ = asked(room, NIGHT, {("Bergen", "icy"): 0.9, ("Narva", "noon"): 0.9})
    assert found.counterfactuals == (NARVA,)


def test_a_question_that_is_too_unlike_is_none(shelf, text):
    room = shelf.room(
        text("a.md", "The Count of Melfi fell because the bridge broke."),
        text("b.md", "The Count of Normans fell because a wall broke."),
    )
    found, step = asked(room, "Why did the Count of Melfi fall?")
    assert (found.counterfactuals, step["rejected"][0]["reason"]) == ((), UNLIKE)


def test_the_most_informative_question_comes_first_whatever_more_texts_suggest(shelf, text):
    room = shelf.room(
        text("a.md", "The old night ferry to Bergen was cancelled because the pier was icy."),
        text("b.md", "The old night ferry to Narva was cancelled because the pier was frozen."),
        text("c.md", "The old night ferry to Narva was late."),
        text("d.md", "The old night ferry to Sables was cancelled because its engineers went on strike for more pay."),
    )
    _, step = asked(room, NIGHT, {("", "cancelled"): 0.9})
    assert [(one["now"], one["texts"]) for one in step["questions"]] == [("Sables", 1), ("Narva", 2)]
    _, unranked = asked(room, NIGHT, {("", "cancelled"): 0.9}, stages=CounterfactualStages(ranking=False))
    assert [one["now"] for one in unranked["questions"]] == ["Narva", "Sables"]
    for one in step["questions"]:
        assert one["info"] == pytest.approx(one["div_sem"] + one["div_ans"] + one["rel_dom"], abs=1e-5)
        assert one["div_sem"] == pytest.approx(1 - one["likeness"], abs=1e-5)
        assert one["now"] in one["expected"]
        assert 0 < one["rel_dom"] <= 1


def test_counterfactual_questions_search_what_the_setting_names(room, monkeypatch):
    searched = []
    search = EmbeddedSeedIndex.search_passages

    def watched(self, query, k, kind=None):
        searched.append((query, kind))
        return search(self, query, k, kind)

    monkeypatch.setattr(EmbeddedSeedIndex, "search_passages", watched)
    room = replace(room, settings=room.settings.model_copy(update={"knowledge": "passages"}))
    found, _ = asked(room, "Why was the regatta of the rowing club cancelled?", {"rowing": 0.9})
    (made,) = found.counterfactuals
    assert made in [query for query, _ in searched]
    assert {kind for _, kind in searched} == {PassageKind.PROSE}


def test_drafts_are_judged_side_by_side_and_the_answer_is_the_same(shelf, text):
    whats = ["pier", "bridge", "dock", "buoy", "rope", "mast", "deck", "crane", "quay", "light", "bell", "anchor"]
    room = shelf.room(*(text(f"{what}.md", f"The ferry was cancelled because the {what} broke.") for what in whats))
    alone, step = asked(room, "Why was the ferry cancelled?")
    count = len(step["drafts"])
    assert count > 1
    together, beside = asked(room, "Why was the ferry cancelled?", concurrency=count, gate=threading.Barrier(count))
    assert (together.text, together.evidence, beside) == (alone.text, alone.evidence, step)


def test_clusters_let_each_group_of_passages_be_heard(shelf, text):
    whats = ["pier", "bridge", "dock", "buoy", "rope", "mast", "deck", "crane", "quay", "light"]
    texts = [text(f"{what}.md", f"The ferry was cancelled because the {what} broke.") for what in whats]
    apart = "The ferry was cancelled because much snow lay on hills, roads, lanes, fields and roofs."
    room = shelf.room(*texts, text("snow.md", apart))
    _, step = asked(room, "Why was the ferry cancelled?")
    group = dict(step["clusters"])
    assert len(set(group.values())) == 4
    assert all({group[id_] for id_ in drawn} == set(group.values()) for drawn in step["samples"])
    _, step = asked(room, "Why was the ferry cancelled?", stages=CounterfactualStages(clusters=False))
    assert "clusters" not in step
    assert len(step["samples"]) == 3
    assert any({group[id_] for id_ in drawn} != set(group.values()) for drawn in step["samples"])


@pytest.mark.parametrize(("chain", "mode"), [(0.8, Mode.TEXT), (0.82, Mode.GRAPH)])
def test_of_drafts_that_agree_the_best_is_given_or_a_fuller_one_that_is_nearly_as_good(
    shelf, text, told, says, chain, mode
):
    first, second = "The pump failed because its seal froze.", "The seal froze because the heater was off."
    room = shelf.room(
        text("a.md", first, (says(told("its seal froze", "froze"), told("The pump failed", "failed")),)),
        text("b.md", second, (says(told("the heater was off", "off"), told("The seal froze", "froze")),)),
    )
    found, step = asked(room, "Why did the pump fail?", suffices={"heater": chain})
    # The sentence alone has 0.9, of which 0.81 is needed.
    assert [(one["mode"], one["psi"]) for one in step["drafts"]] == [("graph", chain), ("text", 0.9)]
    assert (found.mode, "heater" in found.text, bool(found.chains)) == (mode, mode is Mode.GRAPH, mode is Mode.GRAPH)


def test_without_a_question_the_trace_says_that_nothing_was_contrasted_and_nothing_is_missed(room):
    found, step = asked(room, "Why was the ferry cancelled?")
    assert found.counterfactuals == ()
    assert step["contrast"] == NOT_CONTRASTED
    assert not any("contrasted" in one for one in found.missing)
    found, step = asked(room, "Why was the regatta of the rowing club cancelled?", {"rowing": 0.9})
    assert "contrast" not in step
    assert found.counterfactuals != ()


def test_the_printed_trace_tells_the_contrast_of_each_quote_and_who_judged(room):
    question = "Why was the regatta of the rowing club cancelled?"
    found, _ = asked(room, question, {"rowing": 0.71, "chess": 0.7})
    printed = "\n".join(trace_lines([one for one in found.trace if one.step == "counterfactual"], {}))
    assert "how well the quotes answer the question: scripted" in printed
    assert "how much better than for the changed question: scripted" in printed
    assert printed.count("quote: The regatta of the chess club was cancelled because the hall was locked.") == 2
    assert printed.count("helps: 0.71; how much better than for the changed question: 0.01") == 2
    assert "expected answer: The regatta of the chess club was cancelled because the hall was locked." in printed
    assert "Info: " in printed


def test_a_passage_weighs_what_it_helps_with_that_question_which_it_helps_most(shelf, text):
    """Asked for a fact, passages that a name leads to are scored by nearness, and those of other questions by rank."""
    things = ["pier", "bridge", "dock", "buoy", "rope", "mast", "deck", "crane"]
    texts = [text(f"{one}.md", f"The captain of the ferry to Bergen painted the {one}.") for one in things]
    rival = "The captain of the ferry to Narva is Anna Holm."
    room = shelf.room(*texts, text("a.md", "The captain of the ferry to Bergen is Ole Brandt."), text("n.md", rival))
    helps = {("Bergen", "Brandt"): 0.9, ("Narva", "Holm"): 0.8, ("", "painted"): 0.1, ("Bergen", "Holm"): 0.3}
    found, step = asked(room, "Who is the captain of the ferry to Bergen?", helps, suffices={"Brandt": 0.9, "a": 0.1})
    assert found.counterfactuals == ("Who is the captain of the ferry to Narva?",)
    passages = room.store.passages("main", [id_ for id_, _ in step["evidence"]])
    quoter = Quoter(room.store, "main")
    weights = {quoter.passage(passages[id_]): value for id_, value in step["evidence"]}
    assert weights[rival] == 0.8
    assert sorted({*weights.values()}) == [0.1, 0.8, 0.9]
    (narva,) = [id_ for id_, value in step["evidence"] if value == 0.8]
    assert all(narva in drawn for drawn in step["samples"])


def test_drafts_of_a_fact_are_read_from_samples_too(shelf, text):
    whats = ["pier", "bridge", "dock", "buoy", "rope", "mast", "deck", "crane", "quay", "light", "bell", "anchor"]
    room = shelf.room(*(text(f"{one}.md", f"The captain of the ferry chose the {one}.") for one in whats))
    found, step = asked(room, "What did the captain of the ferry choose?")
    assert step["samples"] and len(step["drafts"]) > 1
    assert step["action"] == "drafts that differ stand side by side" and len(found.evidence) > 1
    _, alone = asked(room, "What did the captain of the ferry choose?", stages=CounterfactualStages(drafts=False))
    assert len(alone["drafts"]) == 1
