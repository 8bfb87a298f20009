from __future__ import annotations

import io
import json
import tarfile
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.training.test_relation_sets import CAUSAL, HEADER
from training.event_sets import FILES, EventDocument, Trigger, read_corpus

Plot = tuple[int, int, Mapping[str, str]]
"""Numbers of two events, and the attributes of the link between them."""


def annotated(sentences: list[str], events: list[list[int]], plots: Sequence[Plot] = ()) -> str:
    """A document of EventStoryLine: events are lists of token numbers, counted from 1 through all sentences."""
    tokens, number = "", 0
    for place, sentence in enumerate(sentences):
        for word in sentence.split():
            number += 1
            tokens += f'<token t_id="{number}" sentence="{place}" number="0">{word}</token>'
    marks = ""
    for one, places in enumerate(events):
        anchors = "".join(f'<token_anchor t_id="{place}"/>' for place in places)
        marks += f'<ACTION_OCCURRENCE m_id="{one}">{anchors}</ACTION_OCCURRENCE>'
    links = ""
    for one, other, told in plots:
        attributes = " ".join(f'{name}="{value}"' for name, value in told.items())
        links += f'<PLOT_LINK {attributes}><source m_id="{one}"/><target m_id="{other}"/></PLOT_LINK>'
    thing = '<HUMAN_PART_PER m_id="99"><token_anchor t_id="1"/></HUMAN_PART_PER>'
    return f"<Document>{tokens}<Markables>{marks}{thing}</Markables><Relations>{links}</Relations></Document>"


def archive(path: Path, files: Mapping[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(path, "w:gz") as tar:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))


def said(document: EventDocument, trigger: Trigger) -> str:
    return document.sentences[trigger[0]][slice(*trigger[1])]


def links(document: EventDocument) -> set[tuple[str, str]]:
    return {(said(document, cause), said(document, effect)) for cause, effect in document.links}


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ({"relType": "PRECONDITION", "CAUSES": "FALSE", "CAUSED_BY": "FALSE"}, ("broke out", "fled")),
        ({"relType": "PRECONDITION"}, ("broke out", "fled")),
        ({"relType": "FALLING_ACTION", "CAUSES": "FALSE", "CAUSED_BY": "FALSE"}, ("fled", "broke out")),
        ({"relType": "FALLING_ACTION", "CAUSES": "TRUE", "CAUSED_BY": "FALSE"}, ("broke out", "fled")),
        ({"relType": "PRECONDITION", "CAUSES": "FALSE", "CAUSED_BY": "TRUE"}, ("fled", "broke out")),
        ({}, None),
    ],
)
def test_the_direction_of_a_plot_link(tmp_path: Path, told: dict[str, str], expected: tuple[str, str] | None) -> None:
    text = annotated(["News", "A fire broke out .", "They fled ."], [[4, 5], [8]], [(0, 1, told)])
    archive(tmp_path / FILES["eventstoryline"][0], {"v1.5/3/3_1.xml": text, "v1.5/37/37_1.xml": text})
    (document,) = read_corpus(tmp_path, "eventstoryline")
    assert document.group == "3"
    assert links(document) == ({expected} if expected else set())
    assert document.read == {1, 2}


def test_an_event_with_a_gap_is_its_first_part(tmp_path: Path) -> None:
    text = annotated(["They called it off ."], [[2, 4]])
    archive(tmp_path / FILES["eventstoryline"][0], {"v1.5/3/3_1.xml": text})
    (document,) = read_corpus(tmp_path, "eventstoryline")
    assert [said(document, one) for one in document.triggers] == ["called"]


def test_only_listed_sentences_of_ecb_are_read(tmp_path: Path) -> None:
    text = annotated(["A fire broke out .", "They fled ."], [[3, 4], [7]])
    listed = "Topic,File,Sentence Number\n1,1ecb,1\n40,1ecb,0\n"
    files = {"ECB+/1/1_1ecb.xml": text, "ECB+/40/40_1ecb.xml": text, "ECBplus_coreference_sentences.csv": listed}
    archive(tmp_path / FILES["ecb"][0], files)
    (document,) = read_corpus(tmp_path, "ecb")
    assert (document.corpus, document.group, document.read) == ("ecb", "1", {1})


def test_a_passage_of_meci(tmp_path: Path) -> None:
    text = "A fire broke out .\tThey fled and met ."
    events = {"T1": (7, 16), "T2": (24, 28), "T3": (33, 36)}
    passage = {
        "id": "fires-1_chunk_2",
        "text": text,
        "events": {name: {"text": text[a:b], "start": a, "end": b} for name, (a, b) in events.items()},
        "causes": [["T1", "T2"]],
        "norel": [["T2", "T3"]],
    }
    path = tmp_path / FILES["meci"][0]
    path.parent.mkdir()
    path.write_text(json.dumps(passage) + "\n", "utf-8")
    (document,) = read_corpus(tmp_path, "meci")
    assert document.group == "fires-1"
    assert links(document) == {("broke out", "fled")}
    assert [tuple(said(document, one) for one in pair) for pair in document.unlinked] == [("fled", "met")]


def test_links_of_causal_timebank(tmp_path: Path) -> None:
    text = (
        '<Document><token id="1" sentence="0">Rain</token><token id="2" sentence="0">flooded</token>'
        '<Markables><EVENT id="5"><token_anchor id="1"/></EVENT>'
        '<EVENT id="6"><token_anchor id="2"/></EVENT></Markables>'
        '<Relations><CLINK id="7"><source id="5"/><target id="6"/></CLINK></Relations></Document>'
    )
    path = tmp_path / FILES["timebank"][0]
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as zipped:
        zipped.writestr("a.xml", text)
    (document,) = read_corpus(tmp_path, "timebank")
    assert links(document) == {("Rain", "flooded")}


def test_sentences_with_annotated_spans(tmp_path: Path) -> None:
    folder = tmp_path / "unicausal"
    folder.mkdir()
    (tmp_path / "causal_news_corpus").mkdir()
    for split in ("dev", "train"):
        table = "text,label\nNobody came .,0\nA strike it seems .,1\n" if split == "train" else "text,label\n"
        (tmp_path / f"causal_news_corpus/{split}_subtask1.csv").write_text(
            table + ("The pump stopped because the seal leaked .,1\n" if split == "train" else ""), "utf-8"
        )
        row = f"The pump stopped because the seal leaked .,{CAUSAL},1,1\n" if split == "train" else ""
        (tmp_path / f"causal_news_corpus/{split}_subtask2.csv").write_text(HEADER + row, "utf-8")
    for name in ("because", "semeval2010t8", "altlex", "ctb"):
        (folder / f"{name}_test.csv").write_text(HEADER, "utf-8")
    documents = {document.sentences[0]: document for document in read_corpus(tmp_path, "cnc")}
    assert set(documents) == {"Nobody came .", "The pump stopped because the seal leaked ."}
    ((cause, effect),) = documents["The pump stopped because the seal leaked ."].spans
    assert cause[1] == (25, 40)
    assert effect[1] == (0, 16)
