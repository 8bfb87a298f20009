"""Mentions of events out of made-up files in the forms of ECB+ and GUM."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from language.sentences import SentenceReader
from models.packaged_parser import packaged_parser
from training.coreference_sets import GoldDocuments, head_words, read_ecb_plus, read_gum, tellings_of

Action = tuple[int, Sequence[int], str]
"""Number of a mention, numbers of its tokens, and what it refers to; nothing when it is alone."""


def document(name: str, sentences: Sequence[str], actions: Sequence[Action]) -> str:
    """A document of ECB+."""
    tokens = [(at, word) for at, sentence in enumerate(sentences) for word in sentence.split()]
    lines = [f'<Document doc_name="{name}.xml" doc_id="DOC">']
    for number, (sentence, word) in enumerate(tokens, start=1):
        lines.append(f'<token t_id="{number}" sentence="{sentence}" number="0">{escape(word)}</token>')
    lines.append("<Markables>")
    for mention, anchors, _ in actions:
        inside = "".join(f'<token_anchor t_id="{anchor}"/>' for anchor in anchors)
        lines.append(f'<ACTION_OCCURRENCE m_id="{mention}">{inside}</ACTION_OCCURRENCE>')
    lines.append('<HUMAN_PART_PER m_id="99"><token_anchor t_id="1"/></HUMAN_PART_PER>')
    lines.append('<ACTION_OCCURRENCE m_id="98" TAG_DESCRIPTOR="a target has no words"/>')
    lines.append("</Markables><Relations>")
    for mention, _, chain in actions:
        if chain:
            lines.append(
                f'<CROSS_DOC_COREF r_id="1{mention}" note="{chain}"><source m_id="{mention}"/></CROSS_DOC_COREF>'
            )
    return "\n".join([*lines, "</Relations></Document>"])


def archive(path: Path, documents: Mapping[str, str], validated: Sequence[tuple[str, str, int]]) -> Path:
    """An archive of ECB+; `validated` are topic, file and number of a sentence."""
    listed = "Topic,File,Sentence Number\n" + "".join(f"{t},{f},{n}\n" for t, f, n in validated)
    files = {f"ECB+/{name.split('_')[0]}/{name}.xml": text for name, text in documents.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as tar:
        for name, text in {**files, "ECBplus_coreference_sentences.csv": listed}.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    return path


@pytest.fixture
def gold(tmp_path: Path) -> GoldDocuments:
    documents = {
        "1_1ecb": document(
            "1_1ecb",
            ["The seal of the pump did n't hold .", "It broke down ( twice ) ."],
            [(1, [8], "ACT1"), (2, [11, 12], "ACT2"), (3, [14], "")],
        ),
        "1_1ecbplus": document("1_1ecbplus", ["The breakdown came late .", "Nobody knew ."], [(7, [2], "ACT2")]),
    }
    listed = [("1", "1ecb", 0), ("1", "1ecb", 1), ("1", "1ecbplus", 0)]
    return read_ecb_plus(archive(tmp_path / "ecb.tar.gz", documents, listed))


def test_the_words_are_joined_as_they_may_have_been_written(gold: GoldDocuments) -> None:
    assert gold.texts["1_1ecb"] == "The seal of the pump didn't hold.\nIt broke down (twice)."


def test_mentions_have_their_words_sentence_and_chain(gold: GoldDocuments) -> None:
    told = [
        (gold.texts[m.document][slice(*m.trigger)], gold.texts[m.document][slice(*m.sentence)], m.chain)
        for m in gold.mentions
    ]
    first, second = "The seal of the pump didn't hold.", "It broke down (twice)."
    assert told == [
        ("hold", first, "ACT1"),
        ("broke down", second, "ACT2"),
        ("twice", second, "1_1ecb/alone3"),
        ("breakdown", "The breakdown came late.", "ACT2"),
    ]


def test_only_validated_sentences_count(tmp_path: Path) -> None:
    text = document("2_1ecb", ["A pump failed .", "A gate fell ."], [(1, [3], "ACT1"), (2, [7], "ACT2")])
    gold = read_ecb_plus(archive(tmp_path / "ecb.tar.gz", {"2_1ecb": text}, [("2", "1ecb", 1)]))
    assert [gold.texts["2_1ecb"][slice(*mention.trigger)] for mention in gold.mentions] == ["fell"]
    assert [gold.texts["2_1ecb"][slice(*span)] for span in gold.sentences["2_1ecb"]] == ["A gate fell."]


def test_an_event_that_did_not_happen_is_marked(tmp_path: Path) -> None:
    text = document("2_1ecb", ["A pump failed .", "A gate fell ."], [(1, [3], "ACT1"), (2, [7], "ACT2")])
    denied = text.replace("<ACTION", "<NEG_ACTION", 1).replace("</ACTION", "</NEG_ACTION", 1)
    listed = [("2", "1ecb", 0), ("2", "1ecb", 1)]
    gold = read_ecb_plus(archive(tmp_path / "ecb.tar.gz", {"2_1ecb": denied}, listed))
    assert [mention.negated for mention in gold.mentions] == [True, False]


def test_topics_are_taken_apart(gold: GoldDocuments) -> None:
    assert gold.of_topics(frozenset({"1"})) == gold
    none = gold.of_topics(frozenset({"2"}))
    assert (none.mentions, none.texts, none.sentences) == ([], {}, {})


def test_the_head_word_of_a_trigger_names_the_event(gold: GoldDocuments) -> None:
    heads = head_words(gold, SentenceReader(packaged_parser()))
    words = [gold.texts[m.document][slice(*head.place)] for m, head in zip(gold.mentions, heads, strict=True)]
    assert words == ["hold", "broke", "twice", "breakdown"]
    assert [heads[at].lemma for at in (0, 1, 3)] == ["hold", "break", "breakdown"]
    for mention, told in zip(gold.mentions, tellings_of(gold, heads), strict=True):
        sentence = gold.texts[mention.document][slice(*mention.sentence)]
        assert told.text[slice(*told.sentence)] == sentence
        assert told.text[slice(*told.trigger)] in sentence


GUM = """\
# newdoc id = GUM_one
# text = The storm came.
1	The	the	DET	DT	_	2	det	_	Entity=(4-event-new-nnnnn-cf1-2-coref
2	storm	storm	NOUN	NN	_	3	nsubj	_	Entity=4)
3	came	come	VERB	VBD	_	0	root	_	SpaceAfter=No
4	.	.	PUNCT	.	_	3	punct	_	_

# text = It passed a man.
1	It	it	PRON	PRP	_	2	nsubj	_	Entity=(4-event-giv:act-nnnnn-cf1-1-ana)
2	passed	pass	VERB	VBD	_	0	root	_	_
3	a	a	DET	DT	_	4	det	_	Entity=(5-person-new-nnnnn-cf2-2-sgl
4	man	man	NOUN	NN	_	2	obj	_	Entity=5)|SpaceAfter=No
5	.	.	PUNCT	.	_	2	punct	_	_

"""


def test_gum_tells_happenings_by_their_head_words(tmp_path: Path) -> None:
    path = tmp_path / "gum.conllu"
    path.write_text(GUM, "utf-8")
    gold = read_gum(path)
    assert gold.texts == {"GUM_one": "The storm came.\nIt passed a man."}
    assert [(gold.texts[m.document][slice(*m.trigger)], m.chain) for m in gold.mentions] == [
        ("storm", "GUM_one/4"),
        ("It", "GUM_one/4"),
    ]
