"""Statements that two events which nothing else links cause one another, inside a sentence or from one to the next.

The learned heads say which words name events and which of two events causes the other. The mention of an event is its
phrase or clause. No such statement is made of words that another one links already.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from extraction.antecedents import NoArguments
from extraction.bounds import settled
from extraction.events import head_of
from extraction.learned_causes import UNSIGNALLED, told_of
from extraction.statements import Located, Statement, StatementMaker
from kg.records import Mention, Relation
from language.clause_words import Span
from language.clauses import Clauses
from language.factuality import Factuality, factuality_lists, of_clause
from language.word_classes import WordClass

if TYPE_CHECKING:
    from models.event_pairs import EventLink, SentenceEvents
    from models.relation_heads import SentenceScores

EXTRACTOR: Final = "pairs-1"
LONGEST_MENTION: Final = 20
"""Most tokens of the mention of an event."""
_VERBS: Final = frozenset({WordClass.FINITE, WordClass.PARTICIPLE, WordClass.GERUND, WordClass.INFINITIVE})


class Pairs(Protocol):
    """What finds events and links: `models.event_pairs.EventPairs`."""

    fingerprint: str

    def events(self, scores: SentenceScores) -> SentenceEvents: ...

    def links(self, first: SentenceEvents, then: SentenceEvents | None = None) -> list[EventLink]: ...


class _Place(NamedTuple):
    """A sentence that was read: its place in the document, and its events."""

    place: int
    here: Clauses
    events: SentenceEvents
    stated: Sequence[Statement]


class PairStatements:
    """The statements of one document, sentence by sentence."""

    def __init__(self, pairs: Pairs, maker: StatementMaker, floor: float) -> None:
        """Takes the heads, the maker that knows the times of each sentence that is read, and the least probability."""
        self._pairs = pairs
        self._maker = maker
        self._floor = floor
        self._before: _Place | None = None

    def read(
        self, place: int, here: Clauses, scores: SentenceScores | None, stated: Sequence[Statement], *, adjacent: bool
    ) -> list[Statement]:
        """What links events of a sentence with each other, and with those of the sentence before.

        Args:
            place: Its place in the document.
            here: The sentence.
            scores: What the relation heads make of it; none when they did not read it.
            stated: What is stated of it already.
            adjacent: Whether the sentence before goes on in this one.
        """
        before, self._before = self._before, None
        if scores is None:
            return []
        this = _Place(place, here, self._pairs.events(scores), stated)
        more = list(self._told(this, this))
        if adjacent and before is not None and before.place == place - 1:
            more += self._told(before, this)
        self._before = this._replace(stated=(*stated, *more))
        return more

    def _told(self, first: _Place, then: _Place) -> Iterator[Statement]:
        across = first is not then
        taken = [*first.stated, *(then.stated if across else ())]
        links = self._pairs.links(first.events, then.events if across else None)
        for link in sorted(links, key=lambda one: -one.probability):
            if link.probability < self._floor:
                return
            ends = (first, then) if link.forward else (then, first)
            try:
                statement = self._statement(link, *ends)
            except NoArguments:
                continue
            if not any(_same_words(statement, other) for other in taken):
                taken.append(statement)
                yield statement

    def _statement(self, link: EventLink, of_cause: _Place, of_effect: _Place) -> Statement:
        words = of_cause.events.triggers[link.cause][0], of_effect.events.triggers[link.effect][0]
        if of_cause.here.classes[words[0]] is WordClass.INFINITIVE:
            # To the corpora of the heads a purpose is a cause; here it is what is planned to follow.
            raise NoArguments("purpose")
        cause, effect = _phrase(of_cause.here, words[0]), _phrase(of_effect.here, words[1])
        if of_cause is of_effect:
            cause, effect = _parted(of_cause.here, cause, effect, words)
        # The word that names the event is what a cue is to other arguments: no bound is set inside it.
        cause = settled(of_cause.here, cause, (words[0], words[0] + 1))
        effect = settled(of_effect.here, effect, (words[1], words[1] + 1))
        if of_cause is of_effect:
            told = told_of(of_cause.here, cause, effect, None)
        else:
            told = Factuality("affirmed", of_clause(of_effect.here, effect).modality, 1.0)
        for side, span, word in ((of_cause, cause, words[0]), (of_effect, effect, words[1])):
            if span[1] - span[0] > LONGEST_MENTION or head_of(side.here, span) != word:
                raise NoArguments("other_head")
        if of_cause is of_effect and cause[0] < effect[1] and effect[0] < cause[1]:
            raise NoArguments("arguments_overlap")
        return self._maker.make(
            Relation.CAUSES,
            Located(cause, of_cause.here, of_cause.place),
            Located(effect, of_effect.here, of_effect.place),
            told,
            cue=UNSIGNALLED,
            confidence=link.probability * told.trust,
            extractor=EXTRACTOR,
        )


def _phrase(here: Clauses, word: int) -> Span:
    """The noun phrase of a noun, or the clause of a verb with its subject."""
    start = word
    if here.classes[word] is WordClass.NOUN:
        start = min(here.noun_phrase_before(word + 1)[0], word)
    elif here.classes[word] in _VERBS:
        group = here.verb_group(word, factuality_lists().raising)
        subject = here.subject(group)
        start = subject[0] if subject[0] < subject[1] else group
    else:
        raise NoArguments("no_event")
    # Behind a comma a complement would start anew.
    ends = here.words[word + 1 : word + 2] in ([], [","])
    fronted = here.classes[word] is WordClass.NOUN
    return here.trimmed(start, word + 1 if ends else max(here.complement(word + 1, fronted=fronted)[1], word + 1))


def _parted(here: Clauses, cause: Span, effect: Span, words: tuple[int, int]) -> tuple[Span, Span]:
    """Two phrases of one sentence, each cut where the other begins."""
    if words[1] < words[0]:
        effect, cause = _parted(here, effect, cause, (words[1], words[0]))
        return cause, effect
    if cause[1] <= effect[0]:
        return cause, effect
    if words[0] < effect[0]:
        end = effect[0]
        # "died in | the fire"
        while end - 1 > words[0] and here.classes[end - 1] is WordClass.PREPOSITION:
            end -= 1
        return (cause[0], end), effect
    if cause[1] <= words[1]:
        return cause, (cause[1], effect[1])
    # Each runs through the other: "the fire destroyed the mill", of "fire" and "destroyed".
    return (cause[0], words[0] + 1), (words[0] + 1, effect[1])


def _same_words(one: Statement, other: Statement) -> bool:
    """Whether two statements link words that they share, whichever way round."""
    along = _touch(one.cause, other.cause) and _touch(one.effect, other.effect)
    return along or (_touch(one.cause, other.effect) and _touch(one.effect, other.cause))


def _touch(one: Mention, other: Mention) -> bool:
    return one.start < other.end and other.start < one.end
