"""What a sentence sets against what it tells: "ice *rather than speed* caused it", "died of a stroke, *not of cancer*".

It is told as not so, though no verb of the sentence is denied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from language.clause_words import Span
from language.clauses import Clauses
from language.content_words import content_keys
from language.corrections import corrected
from language.cues import cue_table
from language.quick_sentences import quick_sentences
from language.tokens import Sentence
from language.word_classes import WordClass

W = WordClass
_MARKERS: Final = (("rather", "than"), ("instead", "of"), ("as", "opposed", "to"), ("and", "not"), ("but", "not"))
_NOT: Final = "not"
"""Behind a comma it sets apart by itself: "sand, *not* frost, caused it"."""
_NO_CONTRAST: Final = frozenset(
    {"all", "every", "everyone", "everything", "one", "many", "much", "most", "few", "long", "any", "until", "unlike"}
    | {"before", "after", "since", "because", "to"}
)
"""Behind "not" they set nothing against anything: "the trains, *not all* of them old", "*not long* after the storm"."""
_REPEATED: Final = frozenset({"of", "by", "from", "in", "on", "at", "with", "through", "for"})
"""Prepositions that what is set apart may repeat."""
_PHRASE: Final = frozenset({W.NOUN, W.DETERMINER, W.ADJECTIVE, W.NUMBER, W.PREPOSITION, W.PRONOUN, W.CONJUNCTION})
_NAMES: Final = frozenset({W.NOUN, W.PRONOUN, W.NUMBER})


class Contrast(NamedTuple):
    """One phrase that is told as not so.

    Attributes:
        whole: Its tokens, with the words that set it apart and the commas around it.
        excluded: The tokens of what is set apart.
    """

    whole: Span
    excluded: Span


def contrasts(clauses: Clauses) -> tuple[Contrast, ...]:
    """The phrases of a sentence that are set against what it tells, from left to right."""
    if {"than", "not", "instead", "opposed"}.isdisjoint(clauses.words):
        return ()
    # "not because of the wind" is a cue, and denies what it links.
    cues = frozenset(place for match in cue_table().find(clauses.tokens) for place in range(match.first, match.end))
    return tuple(_found(clauses, cues))


def kept_apart(clauses: Clauses, span: Span, first: Span) -> Span:
    """A span that was widened, without what is set apart from what it was first; or as far as that is set apart.

    Args:
        clauses: The sentence.
        span: The tokens of an argument.
        first: Those of it before.
    """
    for whole, excluded in contrasts(clauses):
        if excluded[0] <= first[0] and first[1] <= excluded[1]:
            span = max(span[0], excluded[0]), min(span[1], excluded[1])
        elif first[1] <= whole[0] < span[1]:
            span = span[0], whole[0]
        elif span[0] < whole[1] <= first[0]:
            span = whole[1], span[1]
    return span


def without(text: str, sentence: Sentence) -> str:
    """A text of a sentence without what it sets apart."""
    for phrase in _texts(sentence, [one.whole for one in contrasts(Clauses(sentence))]):
        text = text.replace(phrase, " " if phrase.endswith(",") else "")
    return " ".join(text.split())


def parted(text: str) -> tuple[str, str]:
    """A phrase without what it sets apart, and that: "ice" and "speed" of "ice rather than speed"."""
    kept: list[str] = []
    apart: list[str] = []
    for sentence in quick_sentences(text):
        kept.append(without(sentence.text, sentence))
        apart += _texts(sentence, [one.excluded for one in contrasts(Clauses(sentence))])
    return (" ".join(kept), " ".join(apart)) if apart else (text, "")


def is_set_apart(sentence: Sentence, part: tuple[int, int]) -> bool:
    """Whether the words from one character of a sentence to another stand in what it sets apart."""
    start, end = (sentence.start + place for place in part)
    spans = (sentence.tokens[slice(*one.whole)] for one in contrasts(Clauses(sentence)))
    return any(tokens[0].start <= start and end <= tokens[-1].end for tokens in spans)


def sets_apart(sentence: Sentence, asked: str) -> bool:
    """Whether a sentence tells as not so what a question names: "did *the drought* ruin it?".

    What the question itself sets apart is not asked about.
    """
    found = [one.excluded for one in contrasts(Clauses(sentence))] + [*corrected(sentence).excluded]
    if not found:
        return False
    apart = frozenset[str]().union(*map(content_keys, _texts(sentence, found)))
    told = content_keys(without(corrected(sentence).left_of(sentence.text), sentence))
    wanted = frozenset[str]().union(*(content_keys(without(one.text, one)) for one in quick_sentences(asked)))
    return not wanted.isdisjoint(apart - told)


def _texts(sentence: Sentence, spans: Sequence[Span]) -> Iterator[str]:
    for first, end in spans:
        start, stop = sentence.tokens[first].start, sentence.tokens[end - 1].end
        yield sentence.text[start - sentence.start : stop - sentence.start]


def _found(clauses: Clauses, cues: frozenset[int]) -> Iterator[Contrast]:
    place = 0
    while place < len(clauses.words):
        marker = _marker(clauses, place)
        start = place + marker
        if not marker or not cues.isdisjoint(range(place, start + 1)):
            place += 1
            continue
        if clauses.words[start : start + 1] and clauses.words[start] in _REPEATED:
            start += 1
        end = start
        while end < len(clauses.words) and clauses.classes[end] in _PHRASE and end not in cues:
            end += 1
        while end > start and clauses.classes[end - 1] in (W.CONJUNCTION, W.PREPOSITION):
            end -= 1
        if end > start and any(each in _NAMES for each in clauses.classes[start:end]):
            yield Contrast(_with_commas(clauses, place, end), (start, end))
        place = max(end, place + 1)


def _marker(clauses: Clauses, place: int) -> int:
    """How many tokens set apart what follows them; 0 where none do."""
    words = clauses.words
    marker = next((one for one in _MARKERS if tuple(words[place : place + len(one)]) == one), ())
    length = len(marker) or (words[place] == _NOT and place > 0 and words[place - 1] == ",")
    behind = place + length
    if not length or behind >= len(words):
        return 0
    if words[behind - 1] == _NOT and (words[behind] in _NO_CONTRAST or clauses.classes[behind] is W.ADVERB):
        return 0
    return length


def _with_commas(clauses: Clauses, place: int, end: int) -> Span:
    opened = place > 0 and clauses.words[place - 1] == ","
    closed = opened and clauses.words[end : end + 1] == [","]
    return place - opened, end + closed
