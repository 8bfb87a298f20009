"""Pairs of a premise and a hypothesis whose label follows from how the hypothesis was made from the premise.

Sets of natural language inference that may be shipped hold few contradictions. Here sentences that anybody may use are
changed by rules over their trees: negated, an opposite put in, a number changed, the two parties of a verb swapped
(contradiction); a modifier left out, one half of a coordination, active turned passive (entailment); a modifier that
nobody spoke of, another sentence, what may have followed (neutral). Each change is also made on the premise's side, and
unrelated sentences are negated too, so that no label can be told from the hypothesis alone.
"""

from __future__ import annotations

import itertools
import random
import tomllib
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from spacy.tokens import Span, Token

from training.made_rewordings import existential, no_subject, other_words, same_words, which_clause, wider_words
from training.tree_edits import (
    NEGATIONS,
    Changes,
    finite_tag,
    inflected,
    is_affirmed,
    phrase,
    rewritten,
    verb_tag,
    written,
)

ENTAILMENT, NEUTRAL, CONTRADICTION = "entailment", "neutral", "contradiction"

_LONGEST: Final = 40
"""Most words of a sentence that is changed: trees of longer ones are too often wrong."""
_BARE: Final = frozenset({"amod", "advmod", "obl", "nmod", "acl", "acl:relcl", "advcl", "appos", "obl:tmod", "nummod"})
"""Relations of what may be left out of a sentence that then still holds."""
_NUMBERS: Final = (
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "twelve",
    "twenty",
    "hundred",
)
_IN_CONTEXT: Final = 0.35
"""Share of the pairs whose premise gets another sentence before or behind it."""
_LINKING: Final = frozenset({"when", "where", "why", "how", "while"})
"""Adverbs that hold a clause to its sentence."""
_LESS: Final = {
    "left out": ("left out",),
    "wider": ("wider",),
    "same": ("same",),
    "left out and wider": ("left out", "wider"),
    "left out and same": ("left out", "same"),
    "wider and same": ("wider", "same"),
}
"""What is changed together, by the name of the rule; the first changes a word that two would change."""
_DO: Final = {"VBD": "did", "VBZ": "does", "VBP": "do"}


class MadePair(NamedTuple):
    """One made pair.

    Attributes:
        label: `entailment`, `neutral` or `contradiction`.
        made_by: Name of the rule.
    """

    premise: str
    hypothesis: str
    label: str
    made_by: str


def made_pairs(sentences: Sequence[Span], draw: random.Random) -> Iterator[MadePair]:
    """Pairs from each sentence that a rule fits, with other sentences drawn from the same sequence.

    Args:
        sentences: Parsed, with lemmas, in the relations of Universal Dependencies.
        draw: Where the choices come from.
    """
    usable = [one for one in sentences if 4 <= len(one) <= _LONGEST and one.root.pos_ in {"VERB", "NOUN", "ADJ", "AUX"}]
    for sentence in usable:
        other = draw.choice(usable)
        for pair in _of_one(sentence, other, draw):
            if pair.premise.casefold() != pair.hypothesis.casefold() or pair.label == ENTAILMENT:
                yield _in_context(pair, draw.choice(usable), draw)


def _of_one(sentence: Span, other: Span, draw: random.Random) -> Iterator[MadePair]:
    text = written(sentence)
    for rule, make in _OPPOSED.items():
        changed = make(sentence, draw)
        if changed is not None:
            yield _either_way(text, changed, CONTRADICTION, rule, draw)
    yield from _of_less(sentence, draw)
    yield from _in_other_words(sentence, draw)
    passive = _passive(sentence)
    if passive is not None:
        # Of swapped parties only active sentences are made: who acts on whom in a passive was never learned, and active
        # and passive came to contradict each other.
        yield MadePair(text, passive, ENTAILMENT, "passive")
        yield MadePair(passive, text, ENTAILMENT, "passive")
    denied = _negated(sentence, draw)
    if denied is not None and draw.random() < 0.3:
        yield MadePair(denied, denied, ENTAILMENT, "repeated")
    denied = _negated(other, draw)
    if other is not sentence and denied is not None and draw.random() < 0.3:
        yield MadePair(text, denied, NEUTRAL, "another, negated")


def _of_less(sentence: Span, draw: random.Random) -> Iterator[MadePair]:
    """What follows when less is said, in the same words or in wider ones; and that it does not, when it is denied."""
    less, wider, same = _left_out(sentence, draw), wider_words(sentence, draw), same_words(sentence, draw)
    if not is_affirmed(sentence, _table().downward):
        wider = None
    denial = _negation(sentence, draw) if is_affirmed(sentence, NEGATIONS) else None
    for rule, parts in _LESS.items():
        told = {"left out": less, "wider": wider, "same": same}
        some = [told[part] for part in parts]
        changes = dict(itertools.chain.from_iterable(one.items() for one in reversed(some) if one))
        if None in some or len(rewritten(sentence, changes).split()) < 3:
            continue
        text, shorter = written(sentence), rewritten(sentence, changes)
        if parts == ("same",):
            yield _either_way(text, shorter, ENTAILMENT, rule, draw)
        elif draw.random() < 0.6:
            yield MadePair(text, shorter, ENTAILMENT, rule)
        else:
            yield MadePair(shorter, text, NEUTRAL, f"{rule}, from less to more")
        if denial is not None and not any(changes.get(place) == "" for place in denial):
            words = {place: form for place, form in changes.items() if place not in denial}
            shorter, whole = rewritten(sentence, denial | words), rewritten(sentence, denial)
            if draw.random() < 0.5:
                yield MadePair(text, shorter, CONTRADICTION, f"{rule} and negated")
            elif parts == ("same",):
                yield _either_way(whole, shorter, ENTAILMENT, f"{rule}, both negated", draw)
            elif parts == ("left out",):
                # Who did not eat did not eat quickly; who did not eat quickly may have eaten.
                pair = (shorter, whole, ENTAILMENT) if draw.random() < 0.7 else (whole, shorter, NEUTRAL)
                yield MadePair(*pair, f"{rule}, both negated")


def _in_other_words(sentence: Span, draw: random.Random) -> Iterator[MadePair]:
    """The same in another construction, the same of something else, and that there was no such thing."""
    text = written(sentence)
    other = other_words(sentence, draw)
    if other is not None:
        yield _either_way(text, rewritten(sentence, other), NEUTRAL, "of another thing", draw)
    told = which_clause(sentence, draw)
    if told is not None:
        yield _either_way(text, rewritten(sentence, told), ENTAILMENT, "which", draw)
    wider = (wider_words(sentence, draw) or {}) if draw.random() < 0.5 else {}
    if not is_affirmed(sentence, _table().downward):
        return
    there = existential(sentence, denied=False)
    if there is not None:
        yield _either_way(text, rewritten(sentence, there), ENTAILMENT, "there is", draw)
    for nothing in (existential(sentence, denied=True), no_subject(sentence)):
        if nothing is not None:
            changed = rewritten(sentence, wider | nothing)
            pair = (text, changed) if wider or draw.random() < 0.5 else (changed, text)
            yield MadePair(*pair, CONTRADICTION, "there is none")


def _either_way(one: str, other: str, label: str, rule: str, draw: random.Random) -> MadePair:
    pair = (one, other) if draw.random() < 0.5 else (other, one)
    return MadePair(*pair, label, rule)


def _in_context(pair: MadePair, other: Span, draw: random.Random) -> MadePair:
    if draw.random() >= _IN_CONTEXT:
        return pair
    around = [pair.premise, written(other)]
    draw.shuffle(around)
    return pair._replace(premise=" ".join(around))


def _negated(sentence: Span, draw: random.Random) -> str | None:
    """The sentence said not to hold, or a negated one said to hold; none where the place for it is not clear."""
    changes = _negation(sentence, draw)
    return None if changes is None else rewritten(sentence, changes)


def _negation(sentence: Span, draw: random.Random) -> Changes | None:
    root = sentence.root
    parts = list(root.children)
    denials = [word for word in parts if word.lower_ in NEGATIONS]
    if denials:
        return _affirmation(root, denials)
    before = [word for word in parts if word.dep_ in {"aux", "cop", "aux:pass"} and word.i < root.i]
    if before:
        return {before[0].i: before[0].text + (" never" if draw.random() < 0.1 else " not")}
    tag = finite_tag(root)
    if root.lemma_ == "be":
        return {root.i: f"{root.text} not"} if tag else None
    if root.pos_ == "VERB" and tag in _DO:
        return {root.i: f"{_DO[tag]} not {root.lemma_}"}
    return None


def _affirmation(root: Token, denials: Sequence[Token]) -> Changes | None:
    if len(denials) > 1:
        return None
    changes = {denials[0].i: ""}
    support = [word for word in root.children if word.dep_ == "aux" and word.lemma_ == "do"]
    if support:
        tag = {"did": "VBD", "does": "VBZ", "do": "VBP"}.get(support[0].lower_, "")
        forms = inflected(root.lemma_, tag)
        if not forms:
            return None
        changes |= {support[0].i: "", root.i: forms[0]}
    return changes


def _opposite(sentence: Span, draw: random.Random) -> str | None:
    """One word replaced by its opposite."""
    if any(word.lower_ in NEGATIONS for word in sentence):
        return None
    table = _table().opposites
    found: list[tuple[int, str]] = []
    for word in sentence:
        if word.pos_ == "VERB":
            for lemma in table["verbs"].get(word.lemma_, ()):
                found += [(word.i, form) for form in inflected(lemma, verb_tag(word))]
        else:
            kind = "adjectives" if word.pos_ == "ADJ" else "others"
            found += [(word.i, form) for form in table[kind].get(word.lower_, ())]
    if not found:
        return None
    place, form = draw.choice(found)
    return rewritten(sentence, {place: form})


def _other_number(sentence: Span, draw: random.Random) -> str | None:
    """One number replaced by another one."""
    numbers = [word for word in sentence if word.pos_ == "NUM" and (word.lower_ in _NUMBERS or word.text.isdigit())]
    if not numbers:
        return None
    word = draw.choice(numbers)
    if word.text.isdigit():
        value = int(word.text[:9])
        form = str(value + draw.choice([-1, 1]) * draw.randint(1, max(1, value // 3)) or value + 7)
    else:
        form = draw.choice([one for one in _NUMBERS if one != word.lower_])
    return rewritten(sentence, {word.i: form})


def _swapped(sentence: Span, _: random.Random) -> str | None:
    """Subject and object in each other's place."""
    parties = _parties(sentence)
    if parties is None or sentence.root.lemma_ in _table().symmetric:
        return None
    subject, target = parties
    changes = dict.fromkeys((word.i for word in (*subject, *target)), "")
    changes |= {subject[0].i: phrase(target, sentence), target[0].i: phrase(subject, sentence)}
    return rewritten(sentence, changes)


def _passive(sentence: Span) -> str | None:
    """The sentence in the passive."""
    parties = _parties(sentence)
    root = sentence.root
    tag = finite_tag(root)
    if parties is None or tag not in {"VBD", "VBZ"} or root.lemma_ in {"be", "have"}:
        return None
    if any(word.dep_ in {"aux", "advmod", "conj", "xcomp", "ccomp", "iobj", "compound:prt"} for word in root.children):
        return None
    subject, target = parties
    forms = inflected(root.lemma_, "VBN")
    if not forms:
        return None
    plural = target[-1].morph.get("Number", []) == ["Plur"] or any(word.dep_ == "conj" for word in target)
    aux = {("VBD", False): "was", ("VBD", True): "were", ("VBZ", False): "is", ("VBZ", True): "are"}[tag, plural]
    changes = dict.fromkeys((word.i for word in (*subject, *target)), "")
    changes |= {
        subject[0].i: phrase(target, sentence),
        root.i: f"{aux} {forms[0]}",
        target[0].i: f"by {phrase(subject, sentence)}",
    }
    return rewritten(sentence, changes)


def _parties(sentence: Span) -> tuple[list[Token], list[Token]] | None:
    """The words of subject and object of a plain statement, where both are nouns."""
    root = sentence.root
    if root.pos_ != "VERB" or any(word.lower_ in NEGATIONS for word in root.children):
        return None
    subjects = [word for word in root.children if word.dep_ == "nsubj" and word.i < root.i]
    targets = [word for word in root.children if word.dep_ == "obj" and word.i > root.i]
    if len(subjects) != 1 or len(targets) != 1:
        return None
    phrases = tuple(list(word.subtree) for word in (subjects[0], targets[0]))
    nouns = all(word.pos_ in {"NOUN", "PROPN"} for word in (subjects[0], targets[0]))
    together = all(words[-1].i - words[0].i + 1 == len(words) <= 8 for words in phrases)
    return (phrases[0], phrases[1]) if nouns and together else None


def _left_out(sentence: Span, draw: random.Random) -> Changes | None:
    """Leaves out one or two modifiers, or one half of a coordination."""
    if not is_affirmed(sentence, _table().downward):
        return None
    found = [words for word in sentence if (words := _modifier(word)) is not None]
    if not found:
        return None
    draw.shuffle(found)
    leaving = dict.fromkeys(itertools.chain.from_iterable(found[: draw.choice([1, 1, 2])]), "")
    return leaving if len(rewritten(sentence, leaving).split()) >= 3 else None


def _modifier(word: Token) -> list[int] | None:
    """The places of a modifier with all that hangs on it."""
    words = list(word.subtree)
    if any(one.lower_ in _table().not_left_out for one in words) or len(words) > 12:
        return None
    if word.dep_ == "conj" and word.i > word.head.i and all(one.lower_ != "or" for one in words):
        return [one.i for one in words]
    if word.lower_ in _LINKING or word.dep_ not in _BARE or (word.i == word.sent.start and word.dep_ == "nummod"):
        return None
    if word.dep_ in {"obl", "nmod"} and not any(one.dep_ == "case" for one in word.children):
        return None
    return [one.i for one in words]


class _Table(NamedTuple):
    not_left_out: frozenset[str]
    downward: frozenset[str]
    symmetric: frozenset[str]
    opposites: dict[str, dict[str, tuple[str, ...]]]


@cache
def _table() -> _Table:
    read = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    both: dict[str, dict[str, tuple[str, ...]]] = {}
    for kind, pairs in read["opposites"].items():
        found: dict[str, tuple[str, ...]] = {}
        for one, other in (*pairs, *(pair[::-1] for pair in pairs)):
            found[one] = (*found.get(one, ()), other)
        both[kind] = found
    not_left_out, downward, symmetric = (
        frozenset(read[name].split()) for name in ("not_left_out", "downward", "symmetric")
    )
    return _Table(not_left_out, downward, symmetric, both)


_OPPOSED: Final[dict[str, Callable[[Span, random.Random], str | None]]] = {
    "negated": _negated,
    "opposite": _opposite,
    "number": _other_number,
    "swapped": _swapped,
}
