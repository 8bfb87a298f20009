"""A dependency tree sets the bounds of arguments that bounded clauses cannot see."""

from __future__ import annotations

from extraction.causes import ClaimReader
from language.tokens import Sentence, Token


def parsed(rows: list[tuple[str, str, str, str, int]], *, tree: bool) -> tuple[str, Sentence]:
    """A sentence of (text, lemma, part of speech, label, head) rows."""
    text = " ".join(row[0] for row in rows)
    tokens, place = [], 0
    for word, lemma, pos, dep, head in rows:
        tokens.append(Token(word, place, place + len(word), word.lower(), lemma, pos, dep, head))
        place += len(word) + 1
    return text, Sentence(text, 0, len(text), tuple(tokens), 0, True, tree)


def spans(rows: list[tuple[str, str, str, str, int]], *, tree: bool) -> tuple[str, str]:
    text, sentence = parsed(rows, tree=tree)
    found = ClaimReader().read("main", "d" + "0" * 24, [sentence], None, text)
    (claim,) = found.claims
    texts = {mention.id: mention.text for mention in found.mentions}
    return texts[claim.cause_mention], texts[claim.effect_mention]


LIST_AFTER_A_VERB = [
    ("Iodine", "iodine", "NOUN", "compound", 1),
    ("deficiency", "deficiency", "NOUN", "nsubj", 2),
    ("caused", "cause", "VERB", "ROOT", 2),
    ("brain", "brain", "NOUN", "compound", 4),
    ("damage", "damage", "NOUN", "obj", 2),
    (",", ",", "PUNCT", "punct", 7),
    ("stunted", "stunted", "ADJ", "amod", 7),
    ("growth", "growth", "NOUN", "conj", 4),
    (",", ",", "PUNCT", "punct", 9),
    ("deafness", "deafness", "NOUN", "conj", 4),
    (".", ".", "PUNCT", "punct", 2),
]

CLAUSE_INSIDE_A_CLAUSE = [
    ("They", "they", "PRON", "nsubj", 1),
    ("knew", "know", "VERB", "ROOT", 1),
    ("pumps", "pump", "NOUN", "nsubj", 3),
    ("stopped", "stop", "VERB", "ccomp", 1),
    ("because", "because", "SCONJ", "mark", 6),
    ("filters", "filter", "NOUN", "nsubj", 6),
    ("clogged", "clog", "VERB", "advcl", 3),
    (",", ",", "PUNCT", "punct", 8),
    ("starving", "starve", "VERB", "advcl", 6),
    ("them", "they", "PRON", "obj", 8),
    (".", ".", "PUNCT", "punct", 1),
]


def test_the_whole_object_belongs_to_the_effect() -> None:
    assert spans(LIST_AFTER_A_VERB, tree=True) == ("Iodine deficiency", "brain damage , stunted growth , deafness")
    assert spans(LIST_AFTER_A_VERB, tree=False) == ("Iodine deficiency", "brain damage")


def test_a_subordinate_clause_ends_where_its_subtree_ends() -> None:
    assert spans(CLAUSE_INSIDE_A_CLAUSE, tree=True) == ("filters clogged , starving them", "pumps stopped")


def test_a_tree_with_a_cycle_does_no_harm() -> None:
    cyclic = [(*row[:4], (place + 1) % len(LIST_AFTER_A_VERB)) for place, row in enumerate(LIST_AFTER_A_VERB)]
    text, sentence = parsed(cyclic, tree=True)
    found = ClaimReader().read("main", "d" + "0" * 24, [sentence], None, text)
    assert all(text[mention.start : mention.end] == mention.text for mention in found.mentions)
