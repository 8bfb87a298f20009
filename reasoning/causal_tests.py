"""The tests of a cause that sentences tell: it came before, a cue states the link, and it made a difference.

Temporal precedence, mechanism and counterfactual validity of the causal agent of Columbaro et al., each by what the
sentences that were read say in words. The packaged judge of entailment is not asked: of sentences that say outright
that something happens without a cause it finds almost none to entail it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from language.choices import is_announced
from language.content_words import content_keys
from language.independence import happens_anyway, without_what
from language.intervals import TimeInterval
from language.question_times import question_time
from language.questions import Question, QuestionKind
from language.stated_causes import StatedCause, stated_causes, stated_orders
from reasoning.causal_candidates import Candidate, ToldSentence
from reasoning.quotable import word_cover
from reasoning.text_draft import denies
from reasoning.thresholds import thresholds

Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Tested:
    """What one test of a candidate came to.

    Attributes:
        test: Which.
        passed: Whether it passed; one of which nothing is told passes.
        because: Why, in words.
        evidence: Documents, starts and ends of the sentences that decide; none where nothing is told.
    """

    test: Literal["precedence", "mechanism", "counterfactual"]
    passed: bool
    because: str
    evidence: tuple[Place, ...] = ()

    def traced(self) -> dict[str, object]:
        """Itself as plain JSON values."""
        shown = [list(place) for place in self.evidence]
        return {
            "test": self.test,
            "passed": self.passed,
            "because": self.because,
            "evidence": shown,
            "judge": "words of the sentences",
        }


@dataclass(frozen=True, slots=True)
class _Order:
    """What a sentence says came first, and what then."""

    first: str
    then: str
    place: Place


class CausalTests:
    """Tests candidates against all sentences that were read for one question."""

    def __init__(self, question: Question, candidates: Sequence[Candidate], sentences: Sequence[ToldSentence]) -> None:
        """Takes the question.

        Args:
            question: Why, what followed, how or did.
            candidates: All that the sentences tell, those that deny a link among them.
            sentences: All that were read.
        """
        self._question = question
        self._candidates = candidates
        self._sentences = sentences

    @cached_property
    def _orders(self) -> list[_Order]:
        return [order for one in self._sentences for order in map(_order(one), stated_orders(one.sentence)) if order]

    @cached_property
    def _dated(self) -> list[tuple[TimeInterval, str, Place]]:
        """The sentences, or the sides of their cues, that name a time, with it."""
        parts = [(part, one.place) for one in self._sentences for part in _parts(one)]
        return [(time, part, place) for part, place in parts if (time := _interval(part)) is not None]

    def precedence(self, candidate: Candidate) -> Tested:
        """Whether it fails to be told, or dated, as later than what it is to have led to.

        The order that sentences tell in words counts before the calendar. What was still to come when it was written is
        an antecedent of what followed, whatever time it names (the archival rule).
        """
        cause, effect = self._sides(candidate)
        before, after = self._ordered(cause, effect), self._ordered(effect, cause)
        if bool(before) is not bool(after):
            because = "told as earlier" if before else "told as later"
            return Tested("precedence", bool(before), because, tuple(before or after)[:1])
        if candidate.planned or is_announced(candidate.cause):
            return Tested("precedence", True, "it was still to come when it was written", (candidate.place,))
        first, last = self._time(cause, effect, candidate), self._time(effect, cause, candidate)
        if first is None or last is None:
            return Tested("precedence", True, "nothing tells of the order")
        shown = tuple(dict.fromkeys((first[1], last[1])))
        if last[0].end <= first[0].start:
            # No account dates an effect years before its cause: one of the times is of something else it speaks of.
            if (first[0].first - last[0].first).days > thresholds().causal_agent.apart:
                return Tested("precedence", True, "dated too far apart to be times of the two", shown)
            return Tested("precedence", False, "dated later", shown)
        return Tested("precedence", True, "dated earlier" if first[0].end <= last[0].start else "dated alike", shown)

    def mechanism(self, candidate: Candidate) -> Tested:
        """Whether a cue states that the one led to the other; accounts that deny it are shown."""
        if not candidate.cue:
            return Tested("mechanism", False, "no cue states the link", (candidate.place,))
        denials = self.denials(candidate)
        because = f"“{candidate.cue}” states the link"
        return Tested(
            *("mechanism", True, f"{because}; it is also denied" if denials else because),
            (candidate.place, *denials),
        )

    def counterfactual(self, candidate: Candidate) -> Tested:
        """Whether nothing says that the effect came, or would have come, without the cause."""
        cause, effect = self._sides(candidate)
        for one in self._sentences:
            if self._without(one, cause, effect, candidate):
                return Tested("counterfactual", False, "told to happen without it", (one.place,))
        return Tested("counterfactual", True, "nothing tells of the effect without it")

    def denials(self, candidate: Candidate) -> tuple[Place, ...]:
        """Where it is denied that the one led to the other."""
        told = self._told_side(candidate)
        return tuple(one.place for one in self._candidates if one.denied and _alike(self._told_side(one), told))

    def earlier(self, one: Candidate, other: Candidate) -> bool:
        """Whether what the first tells is told, or dated, as earlier than what the second tells."""
        first, then = self._told_side(one), self._told_side(other)
        if self._ordered(first, then):
            return not self._ordered(then, first)
        times = self._time(first, then, one), self._time(then, first, other)
        return times[0] is not None and times[1] is not None and times[0][0].end <= times[1][0].start

    def _sides(self, candidate: Candidate) -> tuple[str, str]:
        """Cause and effect: in the words of the question where it names them, else in those of the sentence."""
        asked = self._question
        if asked.kind is QuestionKind.EFFECTS:
            return asked.focus, candidate.effect
        if asked.kind is QuestionKind.WHY:
            return candidate.cause, asked.focus
        return asked.cause or candidate.cause, asked.effect or candidate.effect

    def _told_side(self, candidate: Candidate) -> str:
        """What the sentence tells that the question does not name."""
        return candidate.effect if self._question.kind is QuestionKind.EFFECTS else candidate.cause

    def _ordered(self, first: str, then: str) -> list[Place]:
        return [one.place for one in self._orders if _tells(first, one.first) and _tells(then, one.then)]

    def _time(self, words: str, other: str, candidate: Candidate) -> tuple[TimeInterval, Place] | None:
        """When it was, and where that stands; none where that is not told, or more than one time is.

        Its own side of the candidate counts first, then the document of the candidate, then all others. A sentence that
        tells of the other side as well may date that.
        """
        own = candidate.cause if _tells(words, candidate.cause) else candidate.effect
        dated = _interval(own)
        if dated is not None and _tells(words, own):
            return dated, candidate.place
        asked = self._question.time
        if asked is not None and asked.interval is not None and words == self._question.focus:
            return asked.interval, candidate.place
        telling = [one for one in self._dated if _tells(words, one[1]) and not _tells(other, one[1])]
        here = [one for one in telling if one[2][0] == candidate.document_id]
        for some in (here, telling):
            found = [(time, place) for time, _, place in some]
            if found:
                return found[0] if len({(time.start, time.end) for time, _ in found}) == 1 else None
        return None

    def _without(self, one: ToldSentence, cause: str, effect: str, candidate: Candidate) -> bool:
        if denies(cause):
            # What is told to happen without a thing speaks for the lack of it.
            return False
        lacking, rest = without_what(one.text)
        if denies(rest) or not (lacking or happens_anyway(one.text)):
            return False
        behind = one.before is not None and one.document_id == candidate.document_id
        behind = behind and one.before is not None and one.before.end == candidate.end
        if not (behind or _tells(effect, rest)):
            return False
        keys = content_keys(cause) - content_keys(effect)
        if lacking:
            return _shared(keys, content_keys(lacking)) >= thresholds().causal_agent.named
        return behind or len(keys & content_keys(rest)) >= thresholds().causal_agent.named * max(1, len(keys))


def _order(told: ToldSentence) -> Callable[[StatedCause], _Order | None]:
    def read(stated: StatedCause) -> _Order | None:
        first, then = stated.cause, stated.effect
        if stated.reaches_back:
            if told.before is None:
                return None
            first, then = (told.before.text, then) if not first.strip() else (first, told.before.text)
        return _Order(first, then, told.place) if stated.affirmed and stated.actual else None

    return read


def _parts(told: ToldSentence) -> list[str]:
    """The sides of the cues of a sentence, each of which may have a time of its own; the whole where it has no cue."""
    cues = [*stated_causes(told.sentence), *stated_orders(told.sentence)]
    return [side for one in cues for side in (one.cause, one.effect)] or [told.text]


def _tells(words: str, text: str) -> bool:
    return word_cover(words, text, frozenset()) >= thresholds().causal_agent.same


def _alike(one: str, other: str) -> bool:
    return _shared(content_keys(one), content_keys(other)) >= thresholds().causal_agent.same


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of the words of the shorter one that the other has."""
    least = min(len(one), len(other))
    return len(one & other) / least if least else 0.0


def _interval(text: str) -> TimeInterval | None:
    time = question_time(text)
    return None if time is None else time.interval
