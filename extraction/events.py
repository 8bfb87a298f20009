"""From the span of an argument to a mention: what happened, to whom, where and when."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from extraction.antecedents import NoArguments
from kg.records import Mention, Modality, Polarity, Resolution
from language.clause_times import time_beside
from language.clause_words import Span
from language.clauses import Clauses
from language.factuality import factuality_lists, of_clause, weaker
from language.kinds import is_event_noun, kind_of
from language.lemmas import lemma_of
from language.times import TimeExpression
from language.tokens import Sentence
from language.word_classes import BE, DO, HAVE, WordClass

W = WordClass
MENTIONS: Final = "mentions-2"
"""Names what a mention is made of; changes whenever the same span could be told otherwise."""
MOST_PARTICIPANTS: Final = 8
"""Most participants of one mention; the first ones of the span are kept."""
LONGEST_WORD: Final = 100
"""Characters beyond which what names the happening is no word of English: broken text, or an attack."""
_VERBAL: Final = frozenset({W.FINITE, W.AUXILIARY, W.MODAL})
_FULL: Final = frozenset({W.FINITE, W.PARTICIPLE, W.INFINITIVE, W.GERUND})
_GROUP: Final = frozenset({W.AUXILIARY, W.MODAL, W.ADVERB, W.TO}) | _FULL
_HAPPEN: Final = frozenset(
    ["occur", "happen", "arise", "begin", "start", "continue", "follow", "ensue", "develop", "break", "take", "remain"]
)
"""Verbs whose subject, when it is the name of a happening, says what happened: "a fire broke out"."""
_UNDERGO: Final = frozenset(
    [
        "have",
        "suffer",
        "experience",
        "sustain",
        "undergo",
        "make",
        "take",
        "receive",
        "see",
        "give",
        "involve",
        "cause",
        "lose",
    ]
)
"""Verbs whose object, when it is the name of a happening, says what happened: "suffered a failure"."""
_LIGHT_NOUNS: Final = frozenset(
    [
        "series",
        "number",
        "period",
        "level",
        "amount",
        "lot",
        "kind",
        "type",
        "sort",
        "couple",
        "degree",
        "combination",
        "set",
        "case",
        "variety",
    ]
)
"""Nouns before "of" that only measure what follows: "a series of explosions"."""
_PLACE_WORDS: Final = frozenset(["in", "at", "near", "off", "outside", "inside", "around", "above", "over"])
_NOT_PLACES: Final = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
        "figure",
        "table",
        "section",
        "appendix",
        "mr",
        "mrs",
        "ms",
        "dr",
        "i",
    ]
)
_INCIDENTS: Final = (
    re.compile(r"\b([A-Z]{1,4}\s?-\s?(?:19|20)\d\d\s?-\s?\d{2,5})\b"),
    re.compile(r"\b((?:INC|TKT|SEV|PM|CASE|TICKET|INCIDENT|OUTAGE)[-#]\s?\d{1,8})\b"),
    re.compile(
        r"\b(?:[Rr]eport|[Ii]nquiry|[Ii]nvestigation|[Oo]ccurrence|[Ii]ncident|[Tt]icket|[Cc]ase)\s+(?:[Nn]o\.?|[Nn]umber|#)?\s*"
        r"#?((?:[A-Z]{1,4}-)?\d{2,4}[-/]\d{2,5}|\d{4,8})\b"
    ),
)


def head_of(clauses: Clauses, span: Span) -> int:
    """Index of the token that names the happening: the main verb, or the noun that stands for one."""
    start, end = span
    classes = clauses.classes
    first = next((place for place in range(start, end) if classes[place] is not W.ADVERB), start)
    verb, relative = _main_verb(clauses, span)
    if classes[first] in (W.GERUND, W.INFINITIVE) and verb < 0:
        return first
    if verb >= 0:
        return _of_verb_group(clauses, span, verb)
    noun = _head_noun(clauses, start, end)
    if noun >= 0 and is_event_noun(clauses.tokens[noun].lemma):
        return noun
    inner = next((place for place in range(first, end) if classes[place] in (W.INFINITIVE, W.GERUND)), -1)
    if (
        inner >= 0
        and classes[inner - 1] in (W.TO, W.NOUN, W.PREPOSITION, W.ADVERB)
        and clauses.words[inner - 1] != "of"
    ):
        return inner
    if relative >= 0:
        return _of_verb_group(clauses, span, relative)
    return noun if noun >= 0 else first


def object_verb(clauses: Clauses, span: Span) -> int | None:
    """The verb of an object with its infinitive, "the crew to *leave*"; none for "the failure to close the valve"."""
    for place in range(span[0] + 1, span[1] - 1):
        if clauses.classes[place] in _VERBAL:
            return None
        if clauses.classes[place] is not W.TO:
            continue
        takes = clauses.tokens[place - 1].lemma in factuality_lists().infinitive_nouns
        verb = next((at for at in range(place + 1, span[1]) if clauses.classes[at] is not W.ADVERB), place)
        return verb if clauses.classes[verb] is W.INFINITIVE and not takes else None
    return None


def _main_verb(clauses: Clauses, span: Span) -> tuple[int, int]:
    """The first finite verb outside relative clauses, and the first one inside; -1 where there is none."""
    inner, inside, comma = -1, False, False
    place = span[0]
    while place < span[1]:
        word_class = clauses.classes[place]
        if word_class is W.RELATIVE:
            inside, comma = True, clauses.words[place - 1] == "," if place > span[0] else False
        elif inside and comma and clauses.words[place] == ",":
            inside = False
        elif word_class in _VERBAL:
            if not inside:
                return place, inner
            inner = inner if inner >= 0 else place
            while place + 1 < span[1] and clauses.classes[place + 1] in _GROUP and word_class is not W.FINITE:
                place += 1
                word_class = clauses.classes[place]
            inside = comma
        place += 1
    return -1, inner


def _of_verb_group(clauses: Clauses, span: Span, verb: int) -> int:
    end = span[1]
    full = verb
    while clauses.classes[full] is not W.FINITE and full + 1 < end and clauses.classes[full + 1] in _GROUP:
        full += 1
        if clauses.classes[full] in (W.PARTICIPLE, W.INFINITIVE, W.GERUND) and clauses.words[full] not in (
            "been",
            "be",
            "being",
            "have",
        ):
            break
    while full > verb and clauses.classes[full] in (W.ADVERB, W.TO):
        full -= 1
    lemma = clauses.tokens[full].lemma
    word = clauses.words[full]
    if word in BE or word in HAVE or word in DO or lemma in _UNDERGO or clauses.classes[full] is W.MODAL:
        noun = _head_noun(clauses, full + 1, end, direct=True)
        if noun >= 0 and (word in BE or is_event_noun(clauses.tokens[noun].lemma)):
            return noun
        if word in BE:
            state = next((at for at in range(full + 1, end) if clauses.classes[at] is W.ADJECTIVE), -1)
            return state if state >= 0 else full
    if lemma in _HAPPEN:
        noun = _head_noun(clauses, span[0], verb)
        if noun >= 0 and is_event_noun(clauses.tokens[noun].lemma):
            return noun
    return full


def _head_noun(clauses: Clauses, start: int, end: int, *, direct: bool = False) -> int:
    """The head of the first noun phrase; with `direct` only of one that starts right here."""
    noun = -1
    for place in range(start, end):
        word_class = clauses.classes[place]
        if word_class is W.NOUN:
            noun = place
        elif (
            (noun >= 0 and word_class not in (W.DETERMINER, W.ADJECTIVE, W.NUMBER))
            or (noun >= 0 and clauses.words[place] != "'s")
            or (direct and word_class not in (W.DETERMINER, W.ADJECTIVE, W.NUMBER, W.ADVERB, W.PARTICIPLE))
        ):
            break
    if noun >= 0 and noun + 1 < end and clauses.words[noun + 1] == "of" and clauses.tokens[noun].lemma in _LIGHT_NOUNS:
        inner = _head_noun(clauses, noun + 2, end)
        return inner if inner >= 0 else noun
    return noun


class MentionMaker:
    """Makes the mentions of one document."""

    def __init__(self, collection: str, document_id: str) -> None:
        self._collection = collection
        self._document_id = document_id

    def make(
        self,
        sentence: Sentence,
        clauses: Clauses,
        span: Span,
        other: Span,
        times: Sequence[TimeExpression],
        modality: str = "actual",
        head: int | None = None,
        denies: Callable[[int], bool] | None = None,
    ) -> Mention:
        """The mention of a span of tokens.

        Args:
            sentence: The sentence the span stands in.
            clauses: The same sentence with its word classes.
            span: The tokens of the mention, not empty.
            other: The tokens of the other argument when it stands in the same sentence, else an empty span.
            times: The time expressions of the sentence.
            modality: The least doubt that the claim casts on the mention.
            head: The token that names the happening where the cue tells it; else it is found.
            denies: Whether the sentence denies what a token names, where the words of the clause do not say so.

        Raises:
            NoArguments: what names the happening is longer than any word.
        """
        tokens = clauses.tokens[span[0] : span[1]]
        start, end = tokens[0].start, tokens[-1].end
        head = head_of(clauses, span) if head is None else head
        lemma = self._lemma(clauses, head)
        if len(lemma) > LONGEST_WORD:
            raise NoArguments("word_too_long")
        told = of_clause(clauses, span)
        denied = told.polarity == "negated" or (denies is not None and denies(head))
        time = self._time(clauses, span, other, times)
        return Mention(
            id=Mention.id_of(self._document_id, start, end),
            collection=self._collection,
            document_id=self._document_id,
            start=start,
            end=end,
            sentence_start=sentence.start,
            sentence_end=sentence.end,
            text=sentence.text[start - sentence.start : end - sentence.start],
            lemma=lemma,
            kind=kind_of(lemma),
            polarity=Polarity.NEGATED if denied else Polarity.AFFIRMED,
            modality=Modality(weaker(told.modality, modality)),
            participants=self._participants(clauses, span, head),
            place=self._place(sentence, clauses, span),
            incident=incident_of(sentence.text),
            time_start=time.interval.start if time else None,
            time_end=time.interval.end if time else None,
            time_resolution=Resolution(time.interval.resolution) if time else None,
            time_words=None if time else time_beside(sentence, clauses, span, other),
        )

    @staticmethod
    def _lemma(clauses: Clauses, head: int) -> str:
        pos = "NOUN" if clauses.classes[head] is W.NOUN else "VERB" if clauses.classes[head] in _FULL else ""
        return lemma_of(clauses.words[head], pos)

    @staticmethod
    def _participants(clauses: Clauses, span: Span, head: int) -> tuple[str, ...]:
        found: list[str] = []
        for place in range(span[0], span[1]):
            if place == head or clauses.classes[place] is not W.NOUN:
                continue
            word = clauses.words[place]
            if word in _NOT_PLACES or len(word) < 2:
                continue
            lemma = lemma_of(word, "NOUN")
            if lemma not in found:
                found.append(lemma)
        return tuple(sorted(found[:MOST_PARTICIPANTS]))

    @staticmethod
    def _place(sentence: Sentence, clauses: Clauses, span: Span) -> str | None:
        for start, end in (span, (0, len(clauses.tokens))):
            place = _named_place(sentence, clauses, start, end)
            if place is not None:
                return place
        return None

    @staticmethod
    def _time(clauses: Clauses, span: Span, other: Span, times: Sequence[TimeExpression]) -> TimeExpression | None:
        """A time inside the span; else the only one of the sentence, unless it belongs to the other argument."""
        start, end = clauses.tokens[span[0]].start, clauses.tokens[span[1] - 1].end
        inside = [time for time in times if start <= time.start and time.end <= end]
        if inside:
            return inside[0]
        if len(times) != 1:
            return None
        if other[0] < other[1]:
            others = clauses.tokens[other[0]].start, clauses.tokens[other[1] - 1].end
            if others[0] <= times[0].start < others[1]:
                return None
        return times[0]


def _named_place(sentence: Sentence, clauses: Clauses, start: int, end: int) -> str | None:
    tokens = clauses.tokens
    for place in range(start, end - 1):
        if clauses.words[place] not in _PLACE_WORDS:
            continue
        first = place + 1
        while first < end and (clauses.words[first] == "the"):
            first += 1
        last = first
        while (
            last < end
            and tokens[last].text[:1].isupper()
            and clauses.words[last] not in _NOT_PLACES
            and tokens[last].text.isalpha()
        ):
            last += 1
        if last > first:
            return sentence.text[tokens[first].start - sentence.start : tokens[last - 1].end - sentence.start]
    return None


def incident_of(text: str) -> str | None:
    """The incident or report number a sentence gives, in capitals without spaces; none when it gives none."""
    for pattern in _INCIDENTS:
        found = pattern.search(text)
        if found is not None:
            return re.sub(r"\s", "", found.group(1)).upper()
    return None
