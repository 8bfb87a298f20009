"""A class for each word of a sentence: from its tags where it has some, else by lexicon, closed lists and neighbours.

Cues and clause bounds need to know little: where a finite verb stands, what starts a subject, what opens a clause.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

from language.finished_clauses import TAKES_AS
from language.lemmas import (
    can_be_adjective,
    can_be_noun,
    can_be_verb,
    is_gerund,
    is_past_or_participle,
    is_third_person,
    lemma_of,
)
from language.tokens import Sentence, Token


class WordClass(StrEnum):
    """What a word does in its clause."""

    ADJECTIVE = "adjective"
    ADVERB = "adverb"
    AUXILIARY = "auxiliary"
    CONJUNCTION = "conjunction"
    DETERMINER = "determiner"
    FINITE = "finite"
    """A full verb in a finite form: failed, rises."""
    GERUND = "gerund"
    """A form in -ing that is not a plain noun."""
    INFINITIVE = "infinitive"
    """A bare verb after "to" or a modal."""
    MODAL = "modal"
    NOUN = "noun"
    NUMBER = "number"
    PARTICIPLE = "participle"
    """A past participle that is not finite: was *closed*, a valve *closed* by hand."""
    PREPOSITION = "preposition"
    PRONOUN = "pronoun"
    PUNCTUATION = "punctuation"
    RELATIVE = "relative"
    SUBORDINATOR = "subordinator"
    TO = "to"


W = WordClass

BE: Final = frozenset(["be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"])
HAVE: Final = frozenset(["have", "has", "had", "having", "'ve"])
DO: Final = frozenset(["do", "does", "did"])
_DAYS_AND_MONTHS: Final = frozenset(
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march"}
    | {"april", "may", "june", "july", "august", "september", "october", "november", "december", "yesterday"}
)
"""Behind them "that" opens what was said then: "said on *Monday that*"."""
_PLURALS: Final = frozenset({"police", "people", "men", "women", "children", "firemen", "policemen", "fishermen"})
"""Nouns of many that do not end as others do."""
NEGATIONS: Final = frozenset(["not", "n't", "never", "no", "neither", "nor"])
_CLOSED: Final[dict[str, WordClass]] = {
    word: word_class
    for word_class, words in (
        (W.CONJUNCTION, "and or but nor yet &"),
        (
            W.DETERMINER,
            "a an the this that these those his her its their our your my some any no each every both either neither "
            "another all such what which whose several many few most more much less fewer enough other",
        ),
        (W.MODAL, "can could may might must shall should will would ca wo 'll 'd cannot ought"),
        (W.AUXILIARY, " ".join(sorted((BE | HAVE | DO) - {"being", "having"}))),
        (
            W.PREPOSITION,
            "of in on at by for with from into onto over under between among through during against towards toward "
            "upon within without along across behind beyond near off out per via about above below beneath beside "
            "besides around despite throughout inside outside onto amid alongside than like unlike concerning "
            "regarding including following since until till except up down as",
        ),
        (
            W.PRONOUN,
            "i you he she it we they him them us me there one someone anyone nobody everyone something nothing "
            "anything everything itself himself herself themselves none this that these those",
        ),
        (
            W.NUMBER,
            "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
            "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million",
        ),
        (W.RELATIVE, "who whom which whose where"),
        (
            W.SUBORDINATOR,
            "because although though while whilst whereas if unless when whenever before after once until "
            "till since whether lest how why except",
        ),
        (
            W.ADVERB,
            "not n't never very too also only just then now here again still already soon often always "
            "perhaps maybe quite rather almost even ever however therefore thus hence instead together apart "
            "away back ahead later thereby thereafter somewhat else anyway earlier ago nearly well far so "
            "otherwise meanwhile moreover furthermore nevertheless twice once both",
        ),
    )
    for word in words.split()
}
_PARTICIPLE_ENDINGS: Final = ("en", "wn", "ung", "unk", "one")
_NEVER_FINITE: Final = frozenset(
    ["done", "gone", "been", "seen", "begun", "run", "sung", "swum", "drunk", "rung", "torn", "worn", "born", "borne"]
)
_OBJECT_START: Final = frozenset({W.DETERMINER, W.PRONOUN, W.NUMBER, W.TO, W.PREPOSITION, W.ADVERB})
_CLOSING: Final = frozenset({W.PUNCTUATION, W.CONJUNCTION, W.SUBORDINATOR, W.RELATIVE, W.PRONOUN})
_NOMINAL: Final = frozenset({W.NOUN, W.PRONOUN, W.NUMBER})


class _Words:
    """The tokens of a sentence, which are alike where their texts are."""

    __slots__ = ("texts", "tokens")

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.texts = tuple([token.text for token in tokens])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Words) and self.texts == other.texts

    def __hash__(self) -> int:
        return hash(self.texts)


def word_classes(sentence: Sentence) -> tuple[WordClass, ...]:
    """One class for each token of the sentence, in order."""
    return _classes(_Words(sentence.tokens))


# One question reads the same sentences for several of its steps.
@lru_cache(maxsize=4_096)
def _classes(words: _Words) -> tuple[WordClass, ...]:
    tokens = words.tokens
    classes: list[WordClass] = []
    for place in range(len(tokens)):
        classes.append(_guessed(place, tokens, classes))
    _settle_reduced(tokens, classes)
    _settle_unchanged(tokens, classes)
    return tuple(classes)


_ADJECTIVES_IN_LY: Final = frozenset(["likely", "unlikely"])
"""They look like adverbs; a clause with "that" follows them."""


def _guessed(place: int, tokens: Sequence[Token], before: list[WordClass]) -> WordClass:
    token = tokens[place]
    lower = token.lower
    if not any(letter.isalnum() for letter in lower):
        return W.CONJUNCTION if lower == "&" else W.PUNCTUATION
    if lower[0].isdigit():
        return W.NUMBER
    if lower == "to":
        return W.TO
    previous = before[-1] if before else W.PUNCTUATION
    if lower in ("that", "this", "these", "those"):
        return _demonstrative(place, tokens, previous)
    if lower in ("before", "after") and previous is W.NOUN and _ends(place, tokens):
        # "the day before"
        return W.ADVERB
    if lower in ("before", "after", "since", "until", "till", "as", "which", "her", "so"):
        return {"which": W.RELATIVE, "her": W.DETERMINER, "so": W.ADVERB, "as": W.PREPOSITION}.get(
            lower, W.SUBORDINATOR
        )
    if lower in ("be", "have", "do") and previous is W.TO:
        return W.INFINITIVE
    if _is_may_the_month(place, tokens):
        return W.NOUN
    if lower in _CLOSED and not (lower == "'s" and previous in _NOMINAL and _possessive(place, tokens)):
        return _CLOSED[lower]
    if lower == "'s":
        return W.DETERMINER
    if lower == "'":
        return W.PUNCTUATION
    if token.text[0].isupper() and place > 0 and not (lower.endswith("ed") and not can_be_noun(lower)):
        return W.NOUN
    return _open_class(place, tokens, before, previous)


def _ends(place: int, tokens: Sequence[Token]) -> bool:
    """Whether a mark or nothing follows."""
    return not any(token.text[0].isalnum() for token in tokens[place + 1 : place + 2])


def _is_may_the_month(place: int, tokens: Sequence[Token]) -> bool:
    """Whether it is the month: in capitals inside a sentence, or before a number; a modal verb is neither."""
    if tokens[place].text != "May":
        return False
    following = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    return place > 0 or following[:1].isdigit()


def _demonstrative(place: int, tokens: Sequence[Token], previous: WordClass) -> WordClass:
    following = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    own = tokens[place].lower
    if own == "that" and _CLOSED.get(following) in (W.DETERMINER, W.PRONOUN) and previous is not W.NOUN and place > 0:
        return W.SUBORDINATOR
    if own == "that" and place > 0 and tokens[place - 1].lower in _ADJECTIVES_IN_LY | _DAYS_AND_MONTHS:
        return W.SUBORDINATOR
    if own == "that" and previous is W.NUMBER:
        # "concluded in 2020 that"
        return W.SUBORDINATOR
    if own == "that" and previous in (W.NOUN, W.FINITE, W.PARTICIPLE, W.ADJECTIVE, W.GERUND, W.INFINITIVE, W.AUXILIARY):
        return W.RELATIVE if previous is W.NOUN else W.SUBORDINATOR
    closed = _CLOSED.get(following)
    verbal = closed in (W.AUXILIARY, W.MODAL, W.ADVERB) or (
        can_be_verb(following) and not can_be_noun(following) and not can_be_adjective(following)
    )
    return W.PRONOUN if verbal or not following[:1].isalnum() else W.DETERMINER


def _possessive(place: int, tokens: Sequence[Token]) -> bool:
    """Whether 's belongs to a noun ("the ship's engine") and is not a short "is"."""
    following = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    owner = tokens[place - 1].lower
    return (
        owner not in ("it", "he", "she", "there", "that", "what", "who") and _CLOSED.get(following) is not W.DETERMINER
    )


def _governor(classes: Sequence[WordClass], tokens: Sequence[Token]) -> str:
    """What stands before a verb, adverbs left out: "be", "have", "do", "modal", "to" or nothing."""
    for place in range(len(classes) - 1, -1, -1):
        if classes[place] is W.ADVERB:
            continue
        lower = tokens[place].lower
        if classes[place] is W.TO:
            return "to"
        if classes[place] is W.MODAL:
            return "modal"
        if classes[place] is W.AUXILIARY or lower in ("be", "have", "do", "being", "having", "get", "got"):
            return (
                "be"
                if lower in BE or lower in ("get", "got")
                else "have"
                if lower in HAVE or lower == "having"
                else "do"
            )
        return ""
    return ""


def _open_class(place: int, tokens: Sequence[Token], before: list[WordClass], previous: WordClass) -> WordClass:
    lower = tokens[place].lower
    verb, noun, adjective = can_be_verb(lower), can_be_noun(lower), can_be_adjective(lower)
    if lower.endswith("ly") and not noun:
        return W.ADVERB
    if not verb:
        return W.ADJECTIVE if adjective and not noun else W.NOUN
    if _is_of_something(place, tokens, before):
        return W.NOUN
    governor = _governor(before, tokens)
    if governor in ("modal", "do", "to") and not is_gerund(lower) and not (governor == "to" and is_third_person(lower)):
        if governor == "to" and noun and is_past_or_participle(lower) and lemma_of(lower, "VERB") != lower:
            return W.NOUN
        return W.INFINITIVE
    nominal_place = previous in (W.DETERMINER, W.ADJECTIVE, W.NUMBER) or (previous is W.PREPOSITION and noun)
    if is_gerund(lower):
        return W.NOUN if noun and (nominal_place or previous is W.NOUN) else W.GERUND
    if (
        previous is W.CONJUNCTION
        and lemma_of(lower, "VERB") == lower
        and W.INFINITIVE in before[-12:]
        and not (noun and adjective)
    ):
        return W.INFINITIVE
    past = is_past_or_participle(lower) and not (noun and lemma_of(lower) == lower != lemma_of(lower, "VERB"))
    if past and not (lemma_of(lower, "VERB") == lower and noun and nominal_place):
        if noun and nominal_place:
            return W.NOUN
        following = tokens[place + 1].lower if place + 1 < len(tokens) else ""
        counted = previous is W.NUMBER and tokens[place - 1].lower.isalpha() and following.endswith("s")
        if previous in (W.DETERMINER, W.ADJECTIVE, W.PREPOSITION) or (previous is W.NUMBER and noun) or counted:
            return W.ADJECTIVE if previous is not W.PREPOSITION else W.PARTICIPLE
        if governor in ("be", "have"):
            return W.PARTICIPLE
        if lower in _NEVER_FINITE or (lower.endswith(_PARTICIPLE_ENDINGS) and not lower.endswith("ened")):
            return W.PARTICIPLE
        told = lemma_of(lower, "VERB") != lower or not noun or _is_subject(place - 1, tokens, before)
        return W.FINITE if told else W.NOUN
    if place == 1 and previous is W.GERUND and lower == "causes" and not _verb_follows(tokens):
        # "Smoking causes lung cancer"
        return W.FINITE
    if nominal_place or previous is W.GERUND:
        return W.NOUN if noun or not adjective else W.ADJECTIVE
    if not noun and not adjective:
        # A bare verb needs a plural subject, so after a singular noun an unlisted noun is likelier: the Arlen *dam*.
        bare = lemma_of(lower, "VERB") == lower
        plural = place > 0 and _is_plural(tokens[place - 1].lower)
        return W.NOUN if bare and previous is W.NOUN and not plural else W.FINITE
    return _present(place, tokens, before, previous)


def _is_plural(lower: str) -> bool:
    return lower.endswith("s") or lower in _PLURALS


def _verb_follows(tokens: Sequence[Token]) -> bool:
    """Whether a sentence has a form of a closed verb: "mining causes *were* discussed"."""
    return any(_CLOSED.get(token.lower) in (W.AUXILIARY, W.MODAL) for token in tokens)


def _is_of_something(place: int, tokens: Sequence[Token], before: Sequence[WordClass]) -> bool:
    """Whether a bare verb between an article and "of" is a noun that the lexicon lacks: the *restart* of a pump."""
    if place + 1 >= len(tokens) or tokens[place + 1].lower != "of":
        return False
    opened = place - 1
    while opened >= 0 and before[opened] in (W.ADJECTIVE, W.ADVERB):
        opened -= 1
    lower = tokens[place].lower
    return opened >= 0 and before[opened] is W.DETERMINER and lemma_of(lower, "VERB") == lower


_SUBJECTS: Final = frozenset(["they", "we", "you", "i", "he", "she", "it"])
_OBJECTS: Final = frozenset(["you", "it"])
"""Those of them that may be objects too."""


def _present(place: int, tokens: Sequence[Token], before: list[WordClass], previous: WordClass) -> WordClass:
    """Tells "trains" and "report" as verbs from the nouns they also are: only where a subject clearly stands before."""
    lower = tokens[place].lower
    noun = can_be_noun(lower)
    following = tokens[place + 1].lower if place + 1 < len(tokens) else ""
    subject = tokens[place - 1].lower if place else ""
    if previous is W.RELATIVE and (is_third_person(lower) or (place > 1 and tokens[place - 2].lower.endswith("s"))):
        return W.FINITE
    if subject in _SUBJECTS:
        return W.FINITE
    opens_object = _CLOSED.get(following) in _OBJECT_START or following == "to" or following[:1].isdigit()
    if previous is W.NOUN and is_third_person(lower) and opens_object and not subject.endswith("s"):
        return W.FINITE if _CLOSED.get(following) in (W.DETERMINER, W.PRONOUN) or following == "to" else W.NOUN
    return W.NOUN if noun else W.ADJECTIVE


def _is_subject(place: int, tokens: Sequence[Token], before: Sequence[WordClass]) -> bool:
    """Whether a pronoun is the subject of the word behind it: "*it* burst", not "made it burst"."""
    if place < 0 or tokens[place].lower not in _SUBJECTS:
        return False
    opens = place == 0 or before[place - 1] in (W.PUNCTUATION, W.CONJUNCTION, W.SUBORDINATOR)
    return opens or tokens[place].lower not in _OBJECTS


def _settle_unchanged(tokens: Sequence[Token], classes: list[WordClass]) -> None:
    """Makes "spread", "burst" or "hit" the verb of a clause that has no other: the fire *spread* to the bridge.

    A bare verb is one behind a plural: dealers *blame* the weather.
    """
    for place in range(1, len(classes) - 1):
        if classes[place] is not W.NOUN or classes[place - 1] is not W.NOUN:
            continue
        lower = tokens[place].lower
        if not tokens[place].text.islower() or lemma_of(lower, "VERB") != lower or not can_be_verb(lower):
            continue
        unchanged = is_past_or_participle(lower) and classes[place + 1] in _OBJECT_START
        bare = _is_plural(tokens[place - 1].lower) and classes[place + 1] in (W.DETERMINER, W.PRONOUN)
        if (unchanged or bare) and not _has_verb_near(classes, place):
            classes[place] = W.FINITE


def _has_verb_near(classes: Sequence[WordClass], place: int) -> bool:
    """Whether the stretch between the clause bounds around a place has a finite verb."""
    for step in (-1, 1):
        at = place + step
        while 0 <= at < len(classes) and classes[at] not in _CLOSING:
            if classes[at] in (W.FINITE, W.AUXILIARY, W.MODAL):
                return True
            at += step
    return False


def _settle_reduced(tokens: Sequence[Token], classes: list[WordClass]) -> None:
    """Makes a past form a participle where its clause has another finite verb: the fire *detected* there spread."""
    for place, word_class in enumerate(classes):
        if word_class is not W.FINITE or not is_past_or_participle(tokens[place].lower):
            continue
        following = place + 1
        while following < len(classes) and classes[following] is W.ADVERB:
            following += 1
        if following < len(classes) and place > 1 and _modifies(classes, place, following):
            classes[place] = W.ADJECTIVE
            continue
        if following >= len(classes) or place == 0 or classes[place - 1] not in (W.NOUN, W.NUMBER, W.ADVERB):
            continue
        joins = tokens[following].lower == "as" and lemma_of(tokens[place].lower, "VERB") not in TAKES_AS
        if (tokens[following].lower == "by" and not _is_means(tokens, following)) or (
            classes[following] in (W.PREPOSITION, W.TO) and not joins and _finite_follows(classes, following)
        ):
            classes[place] = W.PARTICIPLE


def _modifies(classes: Sequence[WordClass], place: int, following: int) -> bool:
    """Whether a past form stands before its noun in a list of noun phrases: high speed and *reduced* visibility."""
    listed = classes[place - 1] is W.CONJUNCTION and classes[place - 2] in (W.NOUN, W.NUMBER)
    return listed and following == place + 1 and classes[following] is W.NOUN


_AMOUNTS: Final = frozenset(
    [
        "about",
        "then",
        "more",
        "nearly",
        "almost",
        "over",
        "under",
        "roughly",
        "approximately",
        "up",
        "half",
        "several",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "hundred",
        "thousand",
    ]
)


def _is_means(tokens: Sequence[Token], by: int) -> bool:
    """Whether "by" tells the means or amount and not the doer: rose by 4 m, responded by closing."""
    following = tokens[by + 1].lower if by + 1 < len(tokens) else ""
    return following[:1].isdigit() or following in _AMOUNTS or is_gerund(following)


def _finite_follows(classes: Sequence[WordClass], place: int) -> bool:
    for word_class in classes[place:]:
        if word_class in _CLOSING:
            return False
        if word_class in (W.FINITE, W.AUXILIARY, W.MODAL):
            return True
    return False
