"""Questions made from marked texts: each asks of an effect, and knows its causes or that none is told."""

import json

from benchmarks.why_questions import accidents, news, why_questions
from kg.records import Verdict
from training.relation_sets import Example, SpanRelation

TEXT = "The road was closed for hours because a lorry overturned, police said."
PASSAGE = (
    "The bolts of the wing sheared off at night ."
    "\tThe aircraft then lost its left wing , and the crew of two bailed out ."
)
EVENTS = {
    "T0": {"text": "sheared", "start": 22, "end": 29},
    "T1": {"text": "lost", "start": 63, "end": 67},
    "T2": {"text": "bailed", "start": 104, "end": 110},
}


def _passages(tmp_path, causes):
    path = tmp_path / "meci/meci_en_dev.jsonl"
    path.parent.mkdir()
    path.write_text(json.dumps({"text": PASSAGE, "events": EVENTS, "causes": causes}) + "\n")
    return path


def test_a_marked_effect_is_asked_about_with_all_its_causes():
    spans = SpanRelation((38, 56), (0, 29), ()), SpanRelation((58, 69), (0, 29), ())
    (told,) = next(news([Example(TEXT, "cnc", causal=True, relations=spans)])).told
    assert told == ("The road was closed for hours", ("a lorry overturned", "police said"), "same sentence")


def test_a_sentence_without_a_cause_is_asked_about_by_its_longest_clause():
    (told,) = next(news([Example(TEXT, "cnc", causal=False, relations=())])).told
    assert (told.effect, told.causes, told.group) == (TEXT.partition(",")[0], (), "no cause told")


def test_the_cause_of_another_sentence_is_that_sentence(tmp_path):
    (marked,) = accidents(_passages(tmp_path, [["T0", "T1"], ["T1", "T2"]]))
    first, sentence = PASSAGE.split("\t")
    assert marked.text == f"{first} {sentence}"
    assert [(one.effect, one.causes, one.group) for one in marked.told] == [
        ("The bolts of the wing sheared off at night", (), "no cause told"),
        ("The aircraft then lost its left wing", (first.strip(" ."),), "another sentence"),
        ("and the crew of two bailed out", (sentence.strip(" ."),), "same sentence"),
    ]


def test_what_is_no_document_must_not_be_answered(tmp_path):
    _passages(tmp_path, [["T0", "T1"]])
    folder = tmp_path / "causal_news_corpus"
    folder.mkdir()
    marked = "<ARG0>The bridge fell down</ARG0> and <ARG1>the road was closed for hours</ARG1> ."
    plain = "The bridge fell down and the road was closed for hours ."
    (folder / "dev_subtask1.csv").write_text("text,label\n" + f"{plain},1\n" * 14)
    (folder / "dev_subtask2.csv").write_text(f"text_w_pairs\n{marked}\n")
    made = why_questions(tmp_path, 1)
    (asked,) = {item.question for item in made.items}
    assert asked == "What led to the road was closed for hours?"
    absent = [item for item in made.items if f"{item.id.rpartition('-')[0]}.txt" not in made.documents["why-news"]]
    assert {(item.group, item.verdict, item.answers) for item in absent} == {
        ("not in documents", Verdict.INSUFFICIENT, ())
    }
    told = [item for item in made.items if item not in absent]
    assert {(item.group, item.verdict, item.answers) for item in told} == {
        ("same sentence", None, ("The bridge fell down",))
    }
    assert (len(absent), len(told)) == (2, 5)
