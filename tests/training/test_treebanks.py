from __future__ import annotations

from pathlib import Path

import pytest
import spacy
from spacy.tokens import Doc

from training.treebanks import read_treebank

COLUMNS = ("id", "form", "lemma", "upos", "head", "deprel", "misc")


def sentence(*rows: str, comments: tuple[str, ...] = ()) -> str:
    """A sentence in CoNLL-U from rows of `COLUMNS`, parted by spaces."""
    lines = [f"# {comment}" for comment in comments]
    for row in rows:
        id_, form, lemma, upos, head, deprel, misc = row.split()
        lines.append("\t".join((id_, form, lemma, upos, "X", "_", head, deprel, "_", misc)))
    return "\n".join(lines) + "\n\n"


def read(path: Path, text: str, *, entities: bool = False) -> list[Doc]:
    path.write_text(text, encoding="utf-8")
    return list(read_treebank(path, spacy.blank("en").vocab, entities=entities))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bank.conllu"


DONT = sentence(
    "1 We we PRON 4 nsubj _",
    "2-3 don't _ _ _ _ _",
    "2 do do AUX 4 aux _",
    "3 n't not PART 4 advmod _",
    "4 leak leak VERB 0 root SpaceAfter=No",
    "5 . . PUNCT 4 punct _",
    comments=("newdoc id = a",),
)


def test_words_that_were_written_together_are_joined_again(file: Path) -> None:
    (doc,) = read(file, DONT)
    assert doc.text == "We don't leak. "
    assert [token.text for token in doc] == ["We", "do", "n't", "leak", "."]
    assert [token.head.text for token in doc] == ["leak", "leak", "leak", "leak", "leak"]
    assert [token.dep_ for token in doc] == ["nsubj", "aux", "advmod", "ROOT", "punct"]


def test_a_joined_word_can_end_without_a_space(file: Path) -> None:
    (doc,) = read(
        file, sentence("1-2 can't _ _ _ _ SpaceAfter=No", "1 ca can AUX 0 root _", "2 n't not PART 1 advmod _",
                       "3 ! ! PUNCT 1 punct _")
    )  # fmt: skip
    assert doc.text == "can't! "


def test_paragraphs_and_documents_begin_texts_of_their_own(file: Path) -> None:
    one = "1 Rain rain NOUN 0 root _"
    text = (
        sentence(one, comments=("newdoc id = a", "sent_id = a-1"))
        + sentence(one, comments=("sent_id = a-2",))
        + sentence(one, comments=("sent_id = a-3", "newpar id = p2"))
        + sentence(one, comments=("newdoc id = b",))
    )
    docs = read(file, text)
    assert [len(list(doc.sents)) for doc in docs] == [2, 1, 1]
    assert [doc.user_data["document"] for doc in docs] == [1, 1, 2]


def test_names_lose_articles_and_possessives_and_hold_no_other_name(file: Path) -> None:
    text = sentence(
        "1 the the DET 3 det Entity=(1-organization-new",
        "2 young young ADJ 3 amod _",
        "3 University University PROPN 0 root _",
        "4 of of ADP 5 case _",
        "5 Basel Basel PROPN 3 nmod Entity=(2-place-new)",
        "6 's 's PART 3 case Entity=1)",
        "7 leak leak NOUN 3 dep Entity=(3-event-new)",
    )
    (doc,) = read(file, text, entities=True)
    assert [(span.text, span.label_) for span in doc.ents] == [("University of Basel", "ORG")]


def test_a_span_with_a_clause_gives_the_name_inside_it(file: Path) -> None:
    text = sentence(
        "1 Basel Basel PROPN 0 root Entity=(1-place-new(2-place-new)",
        "2 that that PRON 3 nsubj _",
        "3 burned burn VERB 1 acl Entity=1)",
    )
    (doc,) = read(file, text, entities=True)
    assert [(span.text, span.label_) for span in doc.ents] == [("Basel", "PLACE")]


def test_without_marks_names_are_unknown_and_not_absent(file: Path) -> None:
    (unknown,) = read(file, DONT)
    assert not unknown.has_annotation("ENT_IOB")
    (absent,) = read(file, DONT, entities=True)
    assert absent.has_annotation("ENT_IOB")
    assert not absent.ents
