"""What a sentence makes of a statement inside of it: nobody claimed that, the rumour that it did is untrue, he joked.

The governors of `language.factuality` stand in a row of words right before an argument. Here it is the clause around
the statement that counts, wherever it stands: in front ("the claim that ..."), behind ("... is false"), or beside
("..., joked the mayor"). The words are data (`framing.toml`).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from language.clause_words import VERBAL, Span
from language.clauses import Clauses
from language.irrealis import is_acted, unreal_before
from language.lemmas import lemma_of
from language.retractions import judgement_of
from language.word_classes import WordClass

W = WordClass
_WEAKNESS: Final = {"actual": 0, "possible": 1, "hypothetical": 2}
_LONGEST: Final = 16
"""Most tokens of a clause before the statement that says something of it."""
_TAIL: Final = 12
"""Most tokens of what is added behind a comma."""
_NEAR: Final = 6
"""Tokens within which a verb or a noun stands before "that"."""
_WORD: Final = re.compile(r"[^\W_]+")
_QUOTES: Final = frozenset({'"', "“", "”", "'", "‘", "’"})
_SUBJECT_START: Final = frozenset({W.DETERMINER, W.NOUN, W.PRONOUN, W.NUMBER, W.ADJECTIVE})
_OPENERS: Final = frozenset({W.SUBORDINATOR, W.RELATIVE})
_STATE: Final = frozenset({W.ADJECTIVE, W.PARTICIPLE, W.ADVERB})
_AGAINST: Final = frozenset({"but", "yet", "although", "though", "however"})


class Frame(NamedTuple):
    """What is made of a statement.

    Attributes:
        denied: Whether it is told as not so.
        modality: `actual` where nothing else is said; `possible` for hearsay, `hypothetical` where nobody
            vouches for it.
        inner: The tokens of the statement, without what is said of it.
        upheld: Whether a denial of it is denied: "it would not be wrong to say".
    """

    denied: bool
    modality: str
    inner: Span
    upheld: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether it is told as a fact, by the words around it."""
        return not self.denied and self.modality == "actual"


def frame_of(clauses: Clauses, place: int) -> Frame:
    """What the words around the statement of which a token is part make of it."""
    table = _table()
    start, end = _segment(clauses, place)
    denied, modality, inner, upheld = False, "actual", (start, end), False
    unreal = unreal_before(clauses, start, place)
    acted = is_acted(clauses, start, place, table.nouns["fiction"])
    if unreal is not None or acted is not None:
        denied, modality = unreal or (False, acted or modality)
    if _leaves_open(clauses, start, place, end):
        return Frame(False, "hypothetical", inner, upheld=True)
    judged = _judged_behind(clauses, start, end)
    if judged is not None:
        denied, modality = denied is not judged[0], max(modality, judged[1], key=_WEAKNESS.__getitem__)
    if table.words.isdisjoint(token.lemma for token in clauses.tokens) and table.words.isdisjoint(clauses.words):
        return Frame(denied, modality, inner)
    for found in (*_in_front(clauses, start, place, end), *_beside(clauses, start, place, end)):
        denied = denied is not found.denied
        modality = max(modality, found.modality, key=_WEAKNESS.__getitem__)
        upheld = upheld or (not found.denied and found.modality == "actual")
        inner = max(inner[0], found.inner[0]), min(inner[1], found.inner[1])
    return Frame(denied, modality, inner, upheld and not denied)


def names_frame(text: str) -> bool:
    """Whether a text has a word that can make something of a statement; a question with one may ask for just that."""
    words = frozenset(_WORD.findall(text.lower()))
    table = _table()
    telling = table.verbs | table.statements | table.unnamed | table.nouns["fiction"]
    return not telling.isdisjoint(words | {lemma_of(word) for word in words})


def _leaves_open(clauses: Clauses, start: int, place: int, end: int) -> bool:
    """Whether somebody will say neither that it is so nor that it is not: "neither confirms nor denies that"."""
    table = _table()
    before, whole = (" ".join(clauses.words[start:last]) for last in (place, end))
    return table.unconfirmed.search(before) is not None or table.neither.search(whole) is not None


def _judged_behind(clauses: Clauses, start: int, end: int) -> tuple[bool, str] | None:
    """What the next part of the sentence makes of one: "a report said that it leaked; *it was withdrawn*"."""
    last = next((at for at in range(end + 1, len(clauses.words)) if clauses.is_hard(at)), len(clauses.words))
    if last <= end + 1 or clauses.words[end] == ".":
        return None
    table = _table()
    says = table.verbs_of["said"] | table.statements
    of_saying = any(clauses.tokens[at].lemma in says for at in range(start, end))
    judged = judgement_of(" ".join(clauses.words[end + 1 : last]), of_saying=of_saying)
    return None if judged is None else judged.told


def _segment(clauses: Clauses, place: int) -> Span:
    """The sentence or the part of it between stops, semicolons, dashes and brackets; quotation marks part nothing."""

    def parts(at: int) -> bool:
        return clauses.is_hard(at) and clauses.words[at] not in _QUOTES

    start = end = place
    while start > 0 and not parts(start - 1):
        start -= 1
    while end < len(clauses.words) and not parts(end):
        end += 1
    return start, end


def _in_front(clauses: Clauses, start: int, place: int, end: int) -> Iterator[Frame]:
    """What the clauses before the statement say of it: "nobody claimed that", "the rumour that ... is untrue"."""
    opened = start
    for that in range(start, place):
        bare = clauses.words[that] != "that"
        if not _opens_statement(clauses, that, bare=bare):
            continue
        first = that if not bare else that + 1
        matrix = max(opened, first - _LONGEST), first
        inner = first + (not bare)
        predicate = _predicate(clauses, matrix, inner, end)
        left = _left(clauses, matrix, inner, predicate)
        if place < left:
            told = _judged(clauses, matrix, (predicate, end), bare=bare)
            if told is not None:
                yield Frame(*told, (inner, left))
        opened = inner


def _opens_statement(clauses: Clauses, place: int, *, bare: bool) -> bool:
    """Whether a statement opens behind a token: the word "that", or a verb of saying without it."""
    behind = clauses.classes[place + 1 : place + 2]
    if not behind or behind[0] not in _SUBJECT_START | {W.ADVERB}:
        return False
    if not bare:
        return place == 0 or clauses.classes[place] is not W.DETERMINER or clauses.classes[place + 1] is W.DETERMINER
    verbs = _table().verbs
    verbal = clauses.classes[place] in VERBAL | {W.INFINITIVE, W.GERUND} or place == 0
    tells = clauses.tokens[place].lemma in verbs and (verbal or clauses.words[place - 1] in _table().anyone)
    return tells and behind[0] in _SUBJECT_START and clauses.subject_of_verb(place + 1, len(clauses.words))


def _predicate(clauses: Clauses, matrix: Span, inner: int, end: int) -> int:
    """Where the clause goes on whose subject the statement is: "the claim that it leaked *is false*"; else `end`."""
    if any(one in VERBAL for one in clauses.classes[slice(*matrix)]):
        return end
    pending, place = 1, inner
    while place < end:
        word_class, word = clauses.classes[place], clauses.words[place]
        opens = word_class in _OPENERS or word == "because"
        if opens and clauses.words[place + 1 : place + 2] != ["of"]:
            pending += 1
        elif word_class in VERBAL or _is_verb_after_all(clauses, place):
            if pending == 0:
                return place
            pending -= 1
            place = _last_of_group(clauses, place, end)
        place += 1
    return end


def _is_verb_after_all(clauses: Clauses, place: int) -> bool:
    """Whether what looks like an adjective is a verb: "the bank was insolvent *caused* a run"."""
    before, behind = clauses.classes[place - 1], clauses.classes[place + 1 : place + 2]
    object_follows = behind == (W.DETERMINER,) or clauses.words[place + 1 : place + 2] == ["to"]
    looks = clauses.classes[place] in {W.ADJECTIVE, W.PARTICIPLE} and clauses.words[place].endswith("ed")
    return looks and before in _STATE and object_follows


def _last_of_group(clauses: Clauses, verb: int, end: int) -> int:
    """The last word of the verb group that a verb opens: "has been *withdrawn*"."""
    place = verb
    while place + 1 < end and clauses.classes[place + 1] in {W.AUXILIARY, W.MODAL, W.ADVERB}:
        place += 1
    full = clauses.classes[verb] is not W.FINITE and clauses.classes[place + 1 : place + 2] == (W.PARTICIPLE,)
    return place + full


def _left(clauses: Clauses, matrix: Span, inner: int, end: int) -> int:
    """Where another clause begins behind the statement: "he joked that it fell, *but* it leaked"; else `end`."""
    opens = matrix[0] < matrix[1]
    fronted = opens and (clauses.classes[matrix[0]] is W.PREPOSITION or clauses.words[matrix[0]] == "contrary")
    aside = fronted or any(
        clauses.classes[at] is W.RELATIVE and at > 0 and clauses.words[at - 1] == "," for at in range(*matrix)
    )
    for at in range(inner, end):
        joins = clauses.words[at] in _AGAINST or (clauses.words[at] == "and" and clauses.words[at - 1] == ",")
        if joins and clauses.has_verb(inner, at) and clauses.subject_of_verb(at + 1, len(clauses.words)):
            return at
        if aside and clauses.words[at] == ",":
            return at
    return end


def _judged(clauses: Clauses, matrix: Span, predicate: Span, *, bare: bool) -> tuple[bool, str] | None:
    """Whether a statement is denied, and its modality, by the clause before it and the one that goes on behind it."""
    table = _table()
    words = clauses.words[slice(*matrix)]
    lemmas = [token.lemma for token in clauses.tokens[slice(*matrix)]]
    near = range(len(words) - 1, max(len(words) - 1 - _NEAR, -1), -1)
    turned = _is_denied(words) or _refuses(words, lemmas)
    named = clauses.classes[matrix[1] - 1] not in VERBAL | {W.INFINITIVE, W.GERUND} and not bare
    noun = next((lemmas[at] for at in near if lemmas[at] in table.statements), "") if named else ""
    head = lemmas[-1] if lemmas else ""
    if noun and not clauses.has_verb(*matrix) and _is_followed_by_of(clauses, matrix, noun):
        head = noun
    if not words or (noun == head and noun):
        behind = _of_judgement(clauses.words[slice(*predicate)])
        if behind is not None:
            return behind
    if not words:
        return None
    aside = _aside(words)
    if aside is not None:
        return False, aside
    called = any(one in table.calling and after == "it" for one, after in zip(lemmas, words[1:], strict=False))
    judged = _of_judgement(words, calls=bare or called or head in table.verbs)
    if judged is not None and not (noun == head and noun and not clauses.has_verb(*matrix)):
        return judged
    if noun == head and noun in table.nouns["untrue"]:
        return (not turned, "actual")
    if noun == head and noun in table.nouns["hearsay"]:
        denies = any(one in table.verbs_of["doubted"] for one in lemmas) or words[0] == "contrary"
        return (True, "actual") if denies and not turned else (False, "possible")
    if noun == head and noun and not table.unnamed.isdisjoint(words):
        return False, "possible"
    verb = next((lemmas[at] for at in near if lemmas[at] in table.verbs), "")
    return _told_by(verb, words, lemmas, turned=turned)


def _told_by(verb: str, words: Sequence[str], lemmas: Sequence[str], *, turned: bool) -> tuple[bool, str] | None:
    """What the verb of who tells a statement makes of it."""
    table = _table()
    nobody = any(word in table.nobody for word in words[: max(len(words) - 1, 1)]) or _refuses(words, lemmas)
    if verb in table.verbs_of["unreal"] or (len(words) == 1 and verb in table.verbs_of["supposed"]):
        return False, "hypothetical"
    if verb in table.verbs_of["said"]:
        if turned:
            return False, "hypothetical"
        subject = words[: lemmas.index(verb)]
        unnamed = bool(subject) and subject[0] in table.anyone and table.folk.issuperset(lemmas[1 : len(subject)])
        unnamed = unnamed and (subject[0] != "they" or "say" in words)
        unnamed = unnamed or not table.unnamed.isdisjoint(subject)
        passive = _is_passive(words, lemmas, verb) and verb in table.verbs_of["hearsay"]
        return (False, "possible") if unnamed or passive else None
    if verb in table.verbs_of["thought"] | table.verbs_of["shown"]:
        if nobody:
            return True, "possible"
        return (False, "possible") if verb in table.verbs_of["hearsay"] and _is_passive(words, lemmas, verb) else None
    if verb in table.verbs_of["doubted"] and verb != "deny" and not turned:
        return True, "possible"
    return None


def _refuses(words: Sequence[str], lemmas: Sequence[str]) -> bool:
    """Whether somebody will not say it: "the expert *refused to* say that"."""
    return any(one in _table().refusing and after == "to" for one, after in zip(lemmas, words[1:], strict=False))


def _is_followed_by_of(clauses: Clauses, matrix: Span, noun: str) -> bool:
    """Whether a noun phrase goes on behind its noun: "the report *of the supervisor* that"."""
    at = next(at for at in range(*matrix) if clauses.tokens[at].lemma == noun)
    return clauses.classes[at + 1] is W.PREPOSITION


def _is_passive(words: Sequence[str], lemmas: Sequence[str], verb: str) -> bool:
    """Whether nobody is named who tells it: "it was said"."""
    return words[:1] == ["it"] and "be" in lemmas[1 : lemmas.index(verb)]


def _of_judgement(words: Sequence[str], *, calls: bool = True) -> tuple[bool, str] | None:
    """Whether a clause calls a statement untrue or taken back; none where it judges nothing.

    Args:
        words: Of the clause.
        calls: Whether it calls what is said wrong, and not what happened.
    """
    judgements = _table().judgements
    turned = _is_denied(words)
    if not judgements["withdrawn"].isdisjoint(words) and not turned:
        return False, "hypothetical"
    false = judgements["false"] | (judgements["mistaken"] if calls else frozenset())
    if not false.isdisjoint(words):
        return (False, "actual") if turned else (True, "actual")
    if not judgements["true"].isdisjoint(words) and (turned or "far" in words):
        return True, "actual"
    if not judgements["doubtful"].isdisjoint(words):
        return (False, "actual") if turned else (True, "possible")
    if turned and not judgements["shown"].isdisjoint(words):
        return True, "possible"
    return None if judgements["possible"].isdisjoint(words) else (False, "possible")


def _is_denied(words: Sequence[str]) -> bool:
    table = _table()
    return not (table.negators | table.nobody).isdisjoint(words)


def _beside(clauses: Clauses, start: int, place: int, end: int) -> Iterator[Frame]:
    """What is added in front or behind by commas: "in the film, ...", "..., joked the mayor"."""
    comma = next((at for at in range(start, place) if clauses.words[at] == ","), start)
    told = _fronted(clauses, start, comma if comma > start else min(start + _NEAR, place))
    if told is not None:
        yield Frame(False, told, (comma + 1 if comma > start else start, end))
    for opens, closes in pairwise(at for at in range(comma, place) if clauses.words[at] == ","):
        between = _aside(clauses.words[opens + 1 : closes])
        if between is not None:
            yield Frame(False, between, (start, end))
    commas = [at for at in range(place + 1, end) if clauses.words[at] == "," or clauses.words[at] in ("”", '"')]
    for at, closes in pairwise([*commas, end]):
        behind = at + 1
        while behind < closes and clauses.words[behind] in _QUOTES:
            behind += 1
        told_behind = _tail(clauses, (behind, closes)) if 0 < closes - behind <= _TAIL else None
        if told_behind is not None:
            yield Frame(*told_behind, (start, at))
            return


def _fronted(clauses: Clauses, start: int, comma: int) -> str | None:
    """Modality of what is told "in the film", "according to a joke" or as "legend has it"."""
    table = _table()
    words = clauses.words[start:comma]
    lemmas = [token.lemma for token in clauses.tokens[start:comma]]
    if words[:2] == ["according", "to"] and not (table.unvouched | table.unnamed).isdisjoint(lemmas):
        return "possible"
    if words[:1] == ["in"]:
        places = [at for at, lemma in enumerate(lemmas, start) if lemma in table.nouns["fiction"]]
        follows = {W.DETERMINER, W.PRONOUN}
        behind = table.nouns["behind_fiction"]
        if any(clauses.words[at + 1] in behind or clauses.classes[at + 1] in follows for at in places):
            return "possible"
    return _aside(words)


def _tail(clauses: Clauses, tail: Span) -> tuple[bool, str] | None:
    """What a clause behind a comma says of what stands before it."""
    table = _table()
    words = clauses.words[slice(*tail)]
    lemmas = [token.lemma for token in clauses.tokens[slice(*tail)]]
    if words[:2] == ["according", "to"]:
        return None if (table.unvouched | table.unnamed).isdisjoint(lemmas) else (False, "possible")
    points = words[:1] == ["which"] or (words[0] in _AGAINST and words[1:2] in (["that"], ["this"], ["it"]))
    if points:
        return _of_judgement(words)
    taken_back = judgement_of(" ".join(words[1:]), of_saying=False) if words[0] in _AGAINST else None
    if taken_back is not None:
        return taken_back.told
    aside = _aside(words) or _in_fiction(words, lemmas)
    if aside is not None:
        return False, aside
    if clauses.classes[tail[0]] in {W.CONJUNCTION, W.SUBORDINATOR, W.RELATIVE, W.PREPOSITION, W.TO}:
        return None
    verb = next((at for at in range(*tail) if clauses.tokens[at].lemma in table.verbs), -1)
    first = next((at for at in range(*tail) if clauses.classes[at] in VERBAL), verb)
    if verb < 0 or first != verb:
        return None
    if clauses.tokens[verb].lemma in table.verbs_of["unreal"]:
        return False, "hypothetical"
    return (False, "possible") if clauses.tokens[verb].lemma in table.verbs_of["unsure"] else None


def _in_fiction(words: Sequence[str], lemmas: Sequence[str]) -> str | None:
    """Modality of what is told, behind a comma, "in the novel"."""
    nouns, behind = _table().nouns["fiction"], _table().nouns["behind_fiction"]
    places = [at for at, lemma in enumerate(lemmas) if lemma in nouns] if words[:1] == ["in"] else []
    return "possible" if any(at + 1 == len(words) or words[at + 1] in behind for at in places) else None


def _aside(words: Sequence[str]) -> str | None:
    text = f" {' '.join(words)} "
    asides = _table().asides
    if any(f" {phrase} " in text for phrase in asides["unreal"]):
        return "hypothetical"
    return "possible" if any(f" {phrase} " in text for phrase in asides["hearsay"]) else None


class _Table:
    """The words of the table, ready to match."""

    def __init__(self) -> None:
        table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
        self.anyone = frozenset(table["anyone"])
        self.folk = frozenset(table["folk"])
        self.nobody = frozenset(table["nobody"])
        self.refusing = frozenset(table["refusing"])
        self.calling = frozenset(table["calling"])
        self.unnamed = frozenset(table["unnamed"])
        self.negators = frozenset(table["negators"])
        self.verbs_of = {kind: frozenset(words) for kind, words in table["verbs"].items()}
        self.verbs = frozenset().union(*self.verbs_of.values())
        self.nouns = {kind: frozenset(words) for kind, words in table["nouns"].items()}
        self.statements = self.nouns["untrue"] | self.nouns["hearsay"] | self.nouns["told"]
        self.unvouched = self.nouns["hearsay"] | self.nouns["untrue"] | self.nouns["fiction"]
        self.judgements = {kind: frozenset(words) for kind, words in table["judgements"].items()}
        self.unconfirmed = re.compile(table["open"]["before"])
        self.neither = re.compile(table["open"]["anywhere"])
        self.asides: dict[str, list[str]] = table["asides"]
        asides = frozenset(word for phrases in self.asides.values() for phrase in phrases for word in phrase.split())
        words = [self.verbs, self.statements, self.unnamed, self.nouns["fiction"], *self.judgements.values(), asides]
        self.words = frozenset().union(*words)
        """The words without which nothing is made of a statement."""


@cache
def _table() -> _Table:
    return _Table()
